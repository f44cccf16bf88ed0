"""What was done, one JSON line each: a pass that was broken off goes on where it ended."""

import json
import os
import subprocess

from . import lab


def commit():
    """The commit, with `+` when files differ from it; the documents, into which the table is written, do not count."""
    git = ["git", "-C", lab.LABS]
    head = subprocess.run([*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude,top)docs"], capture_output=True, text=True, check=True)
    return head + ("+" if changed.stdout.strip() else "")


class Journal:
    def __init__(self, path):
        self.path = path
        self.entries = []
        if os.path.exists(path):
            with open(path) as file:
                self.entries = [json.loads(line) for line in file if line.endswith("\n")]

    def done(self, **wanted):
        return next((entry for entry in reversed(self.entries)
                     if "refused" not in entry and all(entry.get(key) == value for key, value in wanted.items())), None)

    def add(self, entry):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "a") as file:
            file.write(json.dumps(entry) + "\n")
        self.entries.append(entry)
