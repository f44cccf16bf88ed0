"""A pass over cases: those whose limit is a waiting time several abreast, the others alone."""

import concurrent.futures
import os
import sys
import threading
import time
import traceback

from . import place, postgres, target, trial

ABREAST = 4


class Pass:
    """Runs what has no entry yet, keeps each entry as soon as it is known."""

    def __init__(self, loadline, journal, shown, hold_while=None, abreast=ABREAST, is_explained=True):
        self.is_explained = is_explained
        self.loadline, self.journal, self.shown, self.hold_while, self.abreast = loadline, journal, shown, hold_while, abreast
        self.slots = list(range(abreast))
        self.lock, self.database_lock = threading.Lock(), threading.Lock()
        self.ended = threading.Event()
        self.built = target.build()
        self.database = None

    def run(self, cases):
        if any(case["database"] == "postgres" for case in cases):
            self.database = postgres.Postgres()
        try:
            self.abreast_then_alone(cases)
        finally:
            self.ended.set()
            if self.database:
                self.database.stop()

    def abreast_then_alone(self, cases):
        several = [case for case in cases if case["lane"] == "abreast"]
        # One after the other on the database; those without it fill the other places.
        several.sort(key=lambda case: case["database"] != "postgres")
        queue = [*interleaved(several)]
        with concurrent.futures.ThreadPoolExecutor(self.abreast) as workers:
            try:
                for done in [workers.submit(self.guarded, case) for case in queue]:
                    done.result()
            except BaseException:
                # Ctrl-C: workers that wait for their runs see these end.
                self.ended.set()
                place.Process.stop_all()
                raise
        for case in cases:
            if case["lane"] == "alone":
                self.guarded(case)

    def guarded(self, case):
        if case["database"] == "postgres":
            with self.database_lock:
                self.one(case)
        else:
            self.one(case)

    def one(self, case):
        while self.hold_while and os.path.exists(self.hold_while) and not self.ended.is_set():
            time.sleep(2)
        if self.ended.is_set():
            return
        with self.lock:
            slot = self.slots.pop()
        began = time.monotonic()
        entry = {"case": case["id"], "fault": case["fault"], "stack": case["stack"], "lane": case["lane"], "bystanders": case["bystanders"],
                 "witnesses": case["witnesses"], "commit": self.loadline.commit, "head": self.loadline.head, "folder": trial.folder_of(case, self.loadline.commit)}
        try:
            measured, scored = trial.run(case, slot, self.loadline, self.built, self.database, self.is_explained)
            entry.update(measured, **scored)
        except Exception as error:
            if self.ended.is_set():
                return
            entry["failed"] = f"{type(error).__name__}: {error}"[:600]
            traceback.print_exc(limit=3, file=sys.stderr)
        finally:
            with self.lock:
                self.slots.append(slot)
        if self.ended.is_set():
            return
        entry["took"] = round(time.monotonic() - began)
        self.journal.add(entry)
        self.shown(case, entry)


def interleaved(cases):
    """Those with the database spread among the others, so that a worker seldom waits for it."""
    with_database = [case for case in cases if case["database"] == "postgres"]
    without = [case for case in cases if case["database"] != "postgres"]
    while with_database or without:
        if with_database:
            yield with_database.pop(0)
        for _ in range(2 if without else 0):
            if without:
                yield without.pop(0)


def line(entry):
    head = f"{entry['case']} {entry['fault']:17} {entry['stack']:14}"
    if "failed" in entry:
        return f"{head} FAILED  {entry['failed']}"
    if "worth" not in entry:
        return f"{head} {'holds' if entry['holds'] else 'VOID '}  {entry['answered']}/s answered: {entry['why']}"
    holds = "" if entry["holds"] else f" [void: {entry['why']}]"
    return f"{head} {entry['worth']:8} {entry['rule'] or '-'} {entry['part']} ({entry['grade'] or '-'}), {entry['origins']}: {entry['text']}{holds}"
