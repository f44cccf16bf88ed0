#!/usr/bin/env python3
"""Writes THIRD-PARTY-LICENSES.txt: the licence texts of every package that the binary holds, as they stand in the
packages' own sources, and of what the pages hold (web/LICENCES.txt). Equal texts stand once. No network is needed once
`cargo fetch` has been run.
usage: tools/licences.py                 (after a change of Cargo.lock; a test says when)
       tools/licences.py static FILE     what a static binary holds beside packages, from this machine: C library, compiler, Rust's library"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
# Sources that a package carries along lie two folders deep: QuickJS, zstd, AWS-LC.
FOLDERS_DEEP = 2
NAME = re.compile(r"(?i)^(licen[cs]e|copying|copyright|notice|unlicense)([-_.].*)?$")
RULE = "-" * 80
HEAD = """Third-party software in loadline
================================

The `loadline` binary holds the packages below. Their sources are published under these names and versions; each is
followed by the licence its author names and by the texts that stand in its sources.
"""


def cargo(*words):
    return subprocess.run(["cargo", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked():
    """Names and versions of what the binary is linked from; procedural macros are not in it."""
    found = set()
    for target in TARGETS:
        tree = cargo("tree", "--offline", "--locked", "--package", "loadline-cli", "--edges", "normal",
                     "--prefix", "none", "--format", "{p}", "--target", target)
        for line in tree.splitlines():
            words = line.split(" ")
            if "(proc-macro)" not in line and not words[0].startswith("loadline-"):
                found.add((words[0], words[1].removeprefix("v")))
    return found


def texts(folder):
    """The licence files of a package, its own first."""
    files = [path for deep in range(FOLDERS_DEEP + 1) for path in sorted(folder.glob("*/" * deep + "*"))]
    named = [path for path in files if path.is_file() and NAME.match(path.name) and path.suffix not in (".rs", ".py")]
    return [path.read_text(errors="replace").strip() for path in named]


class PlainText(html.parser.HTMLParser):
    """The words of a page, without its marks and styles."""

    def __init__(self):
        super().__init__()
        self.words, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        self.depth += tag in ("style", "title")

    def handle_endtag(self, tag):
        self.depth -= tag in ("style", "title")

    def handle_data(self, data):
        if self.depth == 0:
            self.words.append(data)

    def text(self):
        lines = "".join(self.words).splitlines()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()


STATIC_HEAD = """What a static binary holds beside packages
=========================================

A binary of `tools/dist.sh` holds parts of the C library, of the compiler's own library and of Rust's. It can be linked
anew with another version of each from loadline's sources, by the same script.
"""


def first_file(*patterns):
    found = [path for pattern in patterns for path in sorted(pathlib.Path("/").glob(pattern))]
    if not found:
        sys.exit(f"no licence of what is linked: none of {', '.join('/' + p for p in patterns)} is there")
    return found[0]


def static(file):
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout.strip()
    rust = pathlib.Path(sysroot) / "share/doc/rust"
    rust_pages = [str(path.relative_to("/")) for path in (rust / "COPYRIGHT-library.html", rust / "COPYRIGHT")]
    parts = [
        ("GNU C Library", first_file("usr/share/doc/libc6-dev/copyright", "usr/share/doc/libc6/copyright")),
        ("GNU Lesser General Public License 2.1", first_file("usr/share/common-licenses/LGPL-2.1")),
        ("Library of the compiler (libgcc)", first_file("usr/share/doc/libgcc-*-dev/copyright")),
        ("GNU General Public License 3", first_file("usr/share/common-licenses/GPL-3")),
        ("Rust's library", first_file(*rust_pages, "usr/share/doc/libstd-rust-dev/copyright")),
    ]
    out = [STATIC_HEAD]
    for name, path in parts:
        text = path.read_text(errors="replace")
        if path.suffix == ".html":
            page = PlainText()
            page.feed(text)
            text = page.text()
        out.append(f"{RULE}\n{name}\n\n{text.strip()}\n")
    pathlib.Path(file).write_text("\n".join(out))


def main():
    packages = json.loads(cargo("metadata", "--offline", "--locked", "--format-version", "1"))["packages"]
    known = {(package["name"], package["version"]): package for package in packages}
    users, without = {}, []
    for key in sorted(linked()):
        package = known[key]
        label = (" ".join(key), package["license"] or "see below")
        found = texts(pathlib.Path(package["manifest_path"]).parent)
        if not found:
            without.append(label)
        for text in dict.fromkeys(found):
            users.setdefault(text, []).append(label)
    out = [HEAD]
    for text, labels in users.items():
        names = "\n".join(f"  {name}\n    {licence}" for name, licence in labels)
        out.append(f"{RULE}\n{names}\n\n{text}\n")
    if without:
        names = "\n".join(f"  {name}\n    {licence}" for name, licence in without)
        out.append(f"{RULE}\nWithout a text of their own, under the licences named, whose texts stand above:\n\n{names}\n")
    pages = (ROOT / "web/LICENCES.txt").read_text()
    (ROOT / "THIRD-PARTY-LICENSES.txt").write_text("\n".join(out) + pages)


if sys.argv[1:2] == ["static"]:
    static(sys.argv[2])
else:
    main()
