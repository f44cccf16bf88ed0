"""Where the town keeps its files, its ports, and its processes: started with a log, ended by pid, never left behind."""

import os
import signal
import socket
import subprocess
import time

TOWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPOSITORY = os.path.dirname(os.path.dirname(TOWN))
HOME = os.environ.get("TOWN_HOME", f"/var/tmp/loadline-town-{os.getuid()}")
PORT_BASE = int(os.environ.get("TOWN_PORT_BASE", "29000"))
PORTS_A_SLOT = 40
SLOTS_MAX = 8
POSTGRES_PORT = PORT_BASE + SLOTS_MAX * PORTS_A_SLOT
END_SECONDS = 5
FAVOURED_NICE = "-15"


def port(slot, offset):
    return PORT_BASE + slot * PORTS_A_SLOT + offset


class Process:
    """A program that ends when the town does, however the town ends."""

    alive = set()

    def __init__(self, command, log, cpus=None, signal_at_death="KILL", is_favoured=False, **more):
        around = ["setpriv", "--pdeathsig", signal_at_death, "--"]
        if cpus:
            around = ["taskset", "-c", cpus, *around]
        self.log = log
        with open(log, "ab") as out:
            self.child = subprocess.Popen([*around, *command], stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True, **more)
        Process.alive.add(self)
        if is_favoured:
            self.favour()

    @classmethod
    def stop_all(cls):
        """Ends what an interrupted pass has running."""
        running = list(cls.alive)
        for process in running:
            if not process.has_ended():
                process.child.terminate()
        for process in running:
            process.stop()

    def favour(self):
        """Its session gets cores before the rest of the machine, where the kernel shares cores among sessions and lets us."""
        try:
            with open(f"/proc/{self.pid}/autogroup", "w") as file:
                file.write(FAVOURED_NICE)
        except OSError:
            return  # A case that gets no core is void.

    @property
    def pid(self):
        return self.child.pid

    def has_ended(self):
        return self.child.poll() is not None

    def stop(self, how=signal.SIGTERM):
        Process.alive.discard(self)
        if not self.has_ended():
            self.child.send_signal(how)
            try:
                self.child.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait(END_SECONDS)

    def last_lines(self):
        with open(self.log, errors="replace") as file:
            return "".join(file.readlines()[-8:])


def is_open(number):
    with socket.socket() as probe:
        probe.settimeout(0.3)
        return probe.connect_ex(("127.0.0.1", number)) == 0


def until_open(number, process, seconds=20):
    """Waits until somebody listens; RuntimeError when the program ends first or never does."""
    until = time.monotonic() + seconds
    while not is_open(number):
        if process.has_ended() or time.monotonic() > until:
            raise RuntimeError(f"nothing listens on {number}: {process.last_lines()}")
        time.sleep(0.05)


def tree(pid):
    """A process and all below it."""
    found, parents = [pid], {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(name))
            except OSError:
                continue  # It ended meanwhile.
    for one in found:
        found.extend(parents.get(one, []))
    return found
