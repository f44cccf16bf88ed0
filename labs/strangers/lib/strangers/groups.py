"""Control groups, version 1 or 2: a quota of cores, a limit of memory, a place before the rest of the machine."""

import os
import time

IS_SECOND = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
FAVOURED_SHARES, FAVOURED_WEIGHT = 30000, 10000


def made(controller, name):
    folder = f"/sys/fs/cgroup/{'' if IS_SECOND else controller + '/'}loadline-town-{name}"
    os.makedirs(folder, exist_ok=True)
    return folder


def write(folder, key, value):
    with open(os.path.join(folder, key), "w") as file:
        file.write(str(value))


def inside(folders, words):
    """A command that begins in these groups."""
    joined = " && ".join(f"echo $$ > {folder}/cgroup.procs" for folder in folders)
    return ["sh", "-c", f'{joined} && exec "$@"', "sh", *words]


def favoured(name, words):
    """A command whose processes get cores before others, whatever sessions they make; as it is where no group can be made."""
    try:
        folder = made("cpu", name)
        if IS_SECOND:
            write(folder, "cpu.weight", FAVOURED_WEIGHT)
        else:
            write(folder, "cpu.shares", FAVOURED_SHARES)
    except OSError:
        return words
    return inside([folder], words)


def unmade(name):
    """Removes the group of `favoured` when its processes have ended."""
    remove(f"/sys/fs/cgroup/{'' if IS_SECOND else 'cpu/'}loadline-town-{name}")


def remove(folder):
    for _ in range(20):
        if not os.path.isdir(folder):
            return
        try:
            os.rmdir(folder)
        except OSError:
            time.sleep(0.1)


class Groups:
    """Control groups (version 1 or 2) that a case needs: a quota of cores, a limit of memory."""

    def __init__(self, case, name):
        self.folders = []
        if "quota" in case["notes"]:
            period = 100_000
            quota = int(case["notes"]["quota"] * period)
            folder = self.make("cpu", name)
            if IS_SECOND:
                write(folder, "cpu.max", f"{quota} {period}")
            else:
                write(folder, "cpu.cfs_period_us", period)
                write(folder, "cpu.cfs_quota_us", quota)
        if "memory_mib" in case["notes"] and case["stack"] == "go":
            folder = self.make("memory", name)
            write(folder, "memory.max" if IS_SECOND else "memory.limit_in_bytes", case["notes"]["memory_mib"] * 2**20)

    def make(self, controller, name):
        folder = made(controller, name)
        self.folders.append(folder)
        return folder

    def wrapped(self, words):
        return inside(self.folders, words) if self.folders else words

    def throttled(self):
        """Periods, and how many of them were throttled."""
        for folder in self.folders:
            path = os.path.join(folder, "cpu.stat")
            if os.path.exists(path):
                with open(path) as file:
                    values = dict(line.split() for line in file)
                if "nr_periods" in values:
                    return int(values["nr_periods"]), int(values["nr_throttled"])
        return 0, 0

    def remove(self):
        for folder in self.folders:
            remove(folder)
