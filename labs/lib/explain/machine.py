"""What the machine did beside the lab and its load: who measures must know."""

import os
import time

TICKS = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """CPU time that everything used so far."""
    with open("/proc/stat") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, _steal = fields
    return (user + nice + system + irq + softirq) / TICKS


def tree_seconds(roots):
    """CPU time of these processes, all below them, and those of them that ended."""
    parents, used = {}, {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # ended meanwhile
        parents[int(entry)] = int(fields[1])
        used[int(entry)] = sum(int(field) for field in fields[11:15]) / TICKS

    def is_below(process):
        while process:
            if process in roots:
                return True
            process = parents.get(process, 0)
        return False

    return sum(seconds for process, seconds in used.items() if is_below(process))


class Watch:
    """CPU that others used while something ran, in cores."""

    def __init__(self, roots):
        self.roots = {*roots, os.getpid()}
        self.began = time.monotonic()
        self.busy, self.own = busy_seconds(), tree_seconds(self.roots)

    def others(self):
        seconds = time.monotonic() - self.began
        others = busy_seconds() - self.busy - (tree_seconds(self.roots) - self.own)
        return max(0.0, others / seconds)


def model():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown"


def state():
    return {"cores": os.cpu_count(), "model": model(), "kernel": os.uname().release,
            "load": round(os.getloadavg()[0], 2)}
