#!/usr/bin/env python3
"""Each step of a workflow is what a person runs too: a target of the Makefile, a script of tools/, or rustup; and the
forms of issues have what a form needs.
usage: tools/workflow-steps.py     (needs pyyaml; `make actions` brings it)"""
import os
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = set(re.findall(r"(?m)^([a-z0-9-]+):", (ROOT / "Makefile").read_text()))


def wrong_step(command):
    """What is wrong with a command, if anything is."""
    words = [word for word in command.split() if word != "sudo"]
    if words[0] == "make":
        return None if words[1] in TARGETS else f"the Makefile has no target {words[1]}"
    if words[0].startswith("tools/"):
        return None if os.access(ROOT / words[0], os.X_OK) else f"there is no script {words[0]}"
    return None if words[0] == "rustup" else f"neither a make target nor a script: {command}"


def wrong_steps(path):
    read = yaml.safe_load(path.read_text())
    lists = [job["steps"] for job in read["jobs"].values()] if "jobs" in read else [read["runs"]["steps"]]
    commands = [step["run"] for steps in lists for step in steps if "run" in step]
    return [wrong for command in commands for line in command.splitlines() if (wrong := wrong_step(line))]


def wrong_form(path):
    read = yaml.safe_load(path.read_text())
    missing = [key for key in ("name", "description", "body") if not read.get(key)]
    ids = [part.get("id") for part in read.get("body", []) if part["type"] != "markdown"]
    if None in ids or len(ids) != len(set(ids)):
        missing.append("an id of its own for each field")
    return [f"without {what}" for what in missing]


def main():
    folder = ROOT / ".github"
    files = sorted(folder.glob("workflows/*.yml")) + sorted(folder.glob("actions/*/action.yml"))
    forms = [form for form in sorted(folder.glob("ISSUE_TEMPLATE/*.yml")) if form.name != "config.yml"]
    found = [(path, wrong) for path in files for wrong in wrong_steps(path)]
    found += [(path, wrong) for path in forms for wrong in wrong_form(path)]
    for path, wrong in found:
        print(f"{path.relative_to(ROOT)}: {wrong}")
    print(f"{len(files)} workflows and actions, {len(forms)} forms: {len(found)} wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
