"""Whether a case was what its plan says: told by the target's own ledger and the kernel, never by loadline.

A limited case must have its part full in the last third of its load; a healthy one must use no part by more than
HEALTHY_USE_MAX. A case that was not is void, and not scored.
"""

import glob
import json
import os
import threading
import time

from . import place

FULL_MIN = 0.85
# A CPU law says nothing where others took the core: the target, or the database, must have got most of it.
CORE_MIN = 0.8
# A thread that syncs again and again is woken again and again: where cores are short, it waits for these.
DISK_CORE_WAIT_MAX = 0.3
# Of an open load at least this share was not answered well in time.
LOST_MIN = 0.08
HEALTHY_USE_MAX = 0.6
THROTTLED_MIN = 0.5
COLLECTING_MIN = 0.35
REFUSED_MIN = 0.1
# Where files run out, many are turned away before the target knows of them.
FILELESS_MIN = 0.03
LOOKS_SECONDS = 0.5


class Cores:
    """CPU time, and time of waiting for a core, of process trees, look by look."""

    def __init__(self, pids):
        self.pids, self.looks, self.seen, self.sums, self.files = pids, [], {}, {}, []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.ended.wait(LOOKS_SECONDS):
            self.look()

    def look(self):
        for name, pid in list(self.pids.items()):
            sums, seen = self.sums.setdefault(name, [0.0, 0.0]), self.seen.setdefault(name, {})
            for one in place.tree(pid):
                for path in glob.glob(f"/proc/{one}/task/*/schedstat"):
                    try:
                        with open(path) as file:
                            run, wait = (int(word) / 1e9 for word in file.read().split()[:2])
                    except (OSError, ValueError):
                        continue  # The thread ended meanwhile.
                    before = seen.get(path, (run, wait) if not self.looks else (0, 0))
                    sums[0] += max(0, run - before[0])
                    sums[1] += max(0, wait - before[1])
                    seen[path] = (run, wait)
        self.files.append((time.time(), open_files(self.pids["target"])))
        self.looks.append((time.time(), {name: tuple(sums) for name, sums in self.sums.items()}))

    def stop(self):
        self.ended.set()
        self.thread.join(10)

    def files_open(self, start, end):
        """Files that the target had open, look by look."""
        return [files for moment, files in self.files if start <= moment <= end] or [0]

    def used(self, name, start, end):
        """Cores used, and cores waited for, between two times."""
        inside = [look for look in self.looks if start <= look[0] <= end and name in look[1]]
        if len(inside) < 2:
            return 0.0, 0.0
        (first, before), (last, after) = inside[0], inside[-1]
        return tuple((after[name][index] - before[name][index]) / (last - first) for index in (0, 1))


def open_files(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0  # It ended meanwhile.


def lines(path):
    found = []
    for file in sorted(glob.glob(f"{path}*")):
        if file.endswith(".journal"):
            continue
        with open(file) as text:
            one = []
            for line in text:
                try:
                    one.append(json.loads(line))
                except ValueError:
                    break  # The last line of a process that was ended.
            found.append(one)
    return found


def rate_of(look, name, key, start, end):
    """The growth of one figure a second, of one process."""
    inside = [line for line in look if start <= line["t"] <= end and (name is None or name in line["parts"])]
    if len(inside) < 2:
        return 0.0, 0
    first, last = ((line if name is None else line["parts"][name]) for line in (inside[0], inside[-1]))
    size = last.get("size", 1) if name else 1
    return (last.get(key, 0) - first.get(key, 0)) / (inside[-1]["t"] - inside[0]["t"]), size


def uses(path, start, end):
    """The utilisation of each part, of the fullest process."""
    found = {}
    for look in lines(path):
        for name in {key for line in look for key in line.get("parts", {})}:
            busy, size = rate_of(look, name, "busy_s", start, end)
            if name == "row" or name == "loop":
                size = 1
            if name.startswith("lock") or name == "row":
                # One for all processes.
                found[name] = found.get(name, 0) + busy / size
            elif size:
                found[name] = max(found.get(name, 0), busy / size)
    return found


def checked(case, where, cores, start, end, measured):
    """What the ledger says: {"holds": bool, "use": …, "why": …}."""
    if case["fault"] == "healthy":
        return healthy(case, where, cores, start, end)
    late = end - (end - start) / 3
    verdict = full(case, where, cores, late, end, measured)
    load = case["load"]
    if verdict["holds"] and load["kind"] == "open" and not measured["died"]:
        # Each iteration asks the second endpoint, too, where there is one.
        offered = load["rate"] * (2 if case["target"]["second_endpoint"] and load["form"] != "url" else 1) + case["other_rate"] + case.get("tenant_rate", 0)
        good = answered(where, late, end) - failed(where, late, end)
        if good > offered - LOST_MIN * load["rate"]:
            return {**verdict, "holds": False, "why": f"{good:.1f}/s were answered well of {offered:.1f}/s: nothing was lost"}
    return verdict


def full(case, where, cores, late, end, measured):
    """Whether the part that is to limit was full."""
    limits = case["limits"]
    if limits in ("cpu", "database-cpu"):
        return core_full(cores.used("database" if limits == "database-cpu" else "target", late, end))
    if limits == "redis-cpu":
        return core_full(cores.used("redis", late, end))
    if limits == "open-files":
        return files_full(case, where, cores, late, end)
    if limits == "core-wait":
        run, wait = cores.used("target", late, end)
        return said(wait, max(run, 0.15), f"{run:.2f} cores used, {wait:.2f} waited for")
    if limits == "quota":
        periods, throttled = measured["throttled"]
        return said(throttled / max(1, periods), THROTTLED_MIN, f"{throttled} of {periods} periods throttled")
    if limits == "memory":
        return said(1.0 if measured["died"] else 0.0, 1.0, "the process died" if measured["died"] else "the process lived")
    if limits == "collections":
        share = max((rate_of(look, None, "collecting_s", late, end)[0] for look in lines(where.ledger)), default=0)
        return said(share, COLLECTING_MIN, f"collections took {share:.2f} of the time")
    if limits in ("rate", "outside-rate"):
        return refused(where, late, end)
    if limits == "users":
        return said(1, 1, f"{answered(where, late, end):.1f}/s answered of {case['load']['rate']}/s")
    if limits == "nginx-rate":
        with open(where.front_log, errors="replace") as file:
            turned_away = sum("limiting requests" in line for line in file)
        return said(turned_away / (case["load"]["rate"] * case["load"]["seconds"]), REFUSED_MIN, f"nginx turned {turned_away} requests away")
    if limits == "sessions":
        all_of, bad = answered(where, late, end), failed(where, late, end)
        return said(bad / max(all_of, 0.1), REFUSED_MIN, f"{bad:.1f}/s of {all_of:.1f}/s failed")
    if limits == "nginx":
        with open(where.front_log, errors="replace") as file:
            alerts = sum("worker_connections are not enough" in line for line in file)
        return said(alerts, 5, f"{alerts} alerts of nginx")
    if case["fault"] == "disk" and cores.used("target", late, end)[1] > DISK_CORE_WAIT_MAX:
        wait = cores.used("target", late, end)[1]
        return {"holds": False, "use": round(wait, 3), "why": f"disturbed: its threads waited {wait:.2f} s each second for a core"}
    name = "threads" if case["stack"] == "java-loop" else limits
    use = uses(where.ledger, late, end).get(name, 0.0)
    return said(use, FULL_MIN, f"{name} used by {use:.2f}")


def files_full(case, where, cores, late, end):
    """What finds no file fails at once, and a server that could not accept waits some time: files are full at moments, not all the time."""
    looks, limit = cores.files_open(late, end), case["notes"]["files"]
    fullest, usual = max(looks) / limit, sum(looks) / len(looks) / limit
    all_of, bad = answered(where, late, end), failed(where, late, end)
    why = f"{fullest:.2f} of the files were open at most, {usual:.2f} on average, {bad:.1f}/s of {all_of:.1f}/s failed"
    return said(fullest if bad >= FILELESS_MIN * all_of else 0.0, FULL_MIN, why)


def core_full(used):
    run, wait = used
    if run < CORE_MIN and run + wait >= FULL_MIN:
        return {"holds": False, "use": round(run, 3), "why": f"disturbed: others took the core, {run:.2f} used and {wait:.2f} waited for"}
    return said(min(1.0, run + wait), FULL_MIN, f"{run:.2f} cores used, {wait:.2f} waited for")


def said(value, least, why):
    return {"holds": value >= least, "use": round(value, 3), "why": why}


def refused(where, start, end):
    all_of, bad = 0.0, 0.0
    for look in lines(where.ledger):
        if look and "requests" in look[0]:
            all_of += rate_of(look, None, "requests", start, end)[0]
            bad += rate_of(look, None, "failed", start, end)[0]
    turned_away = sum(rate_of(look, "outside:payments", "refused", start, end)[0] for look in lines(where.ledger + ".outside"))
    return said((bad + turned_away) / max(all_of, 0.1), REFUSED_MIN, f"{bad:.1f}/s of {all_of:.1f}/s refused, {turned_away:.1f}/s by the other server")


def healthy(case, where, cores, start, end):
    parts = uses(where.ledger, start, end)
    run, _ = cores.used("target", start, end)
    # A loop has one core, others two.
    parts["cpu"] = run / (1 if case["stack"] in ("node", "python", "python-threads", "java-loop", "ruby") else 2) / case["target"]["processes"]
    parts["database-cpu"] = cores.used("database", start, end)[0] if "database" in cores.pids else 0
    parts["redis-cpu"] = cores.used("redis", start, end)[0] if "redis" in cores.pids else 0
    if "files" in case["notes"]:
        parts["open-files"] = max(cores.files_open(start, end)) / case["notes"]["files"]
    if not parts.get("requests", 1):
        return said(0, 1, "nothing was asked")
    fullest = max(parts, key=parts.get)
    return {"holds": parts[fullest] <= HEALTHY_USE_MAX, "use": round(parts[fullest], 3), "why": f"{fullest} used by {parts[fullest]:.2f}"}


def answered(where, start, end):
    """Requests a second that the target answered."""
    return sum(rate_of(look, None, "requests", start, end)[0] for look in lines(where.ledger) if look and "requests" in look[0])


def failed(where, start, end):
    """Requests a second that the target answered with an error."""
    return sum(rate_of(look, None, "failed", start, end)[0] for look in lines(where.ledger) if look and "requests" in look[0])
