#!/usr/bin/env python3
"""Writes THIRD-PARTY-LICENSES.txt: the licence texts of every package that the binary holds, as they stand in the
packages' own sources, and of what the pages hold (web/LICENCES.txt). Equal texts stand once. No network is needed once
`cargo fetch` has been run.
usage: tools/licences.py        (after a change of Cargo.lock; a test says when)"""
import json
import pathlib
import re
import subprocess

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


main()
