"""What was run, one line a case, by commit of the binary; the latest line of a case counts."""

import json
import os
import threading

from . import place


class Journal:
    def __init__(self):
        self.path = os.path.join(place.HOME, "results.jsonl")
        self.lock = threading.Lock()

    def add(self, entry):
        with self.lock, open(self.path, "a") as file:
            file.write(json.dumps(entry) + "\n")

    def entries(self, commit):
        """The latest entry of each case for a commit."""
        found = {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                for line in file:
                    entry = json.loads(line)
                    if entry["commit"] == commit:
                        found[entry["case"]] = entry
        return found

    def latest_record(self, name):
        """The folder of the latest run of a case, whichever binary made it."""
        found = None
        with open(self.path) as file:
            for line in file:
                entry = json.loads(line)
                if entry["case"] == name and not entry.get("again"):
                    found = entry
        if not found:
            raise KeyError(name)
        return found
