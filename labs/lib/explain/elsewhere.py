"""The lab in a network namespace of its own: target and database on another host, as far as the network goes.

The two ends of a cable: HERE, where the load and `otlp:` are, and THERE, where the lab and `observe --listen` are. Nothing
but TCP goes over it.
"""

import contextlib
import os
import subprocess
import time

from . import lab

NAME = "loadline-lab"
HERE, THERE = "10.231.77.1", "10.231.77.2"
AGENT, OTLP = 7070, 4318
TOKEN = "of-the-lab"


def _ip(*args):
    done = subprocess.run(["ip", *args], capture_output=True, text=True)
    if done.returncode != 0:
        raise lab.NotPossibleHere(f"ip {' '.join(args)}: {done.stderr.strip()}")


@contextlib.contextmanager
def host():
    """A network namespace, joined by a cable; the lab's commands run in it."""
    lab.down()
    _ip("netns", "add", NAME)
    lab.wrapper[:] = ["ip", "netns", "exec", NAME]
    try:
        _ip("link", "add", "lab-here", "type", "veth", "peer", "name", "lab-there", "netns", NAME)
        _ip("addr", "add", f"{HERE}/24", "dev", "lab-here")
        _ip("link", "set", "lab-here", "up")
        for args in (["link", "set", "lo", "up"], ["addr", "add", f"{THERE}/24", "dev", "lab-there"], ["link", "set", "lab-there", "up"]):
            _ip("-n", NAME, *args)
        os.environ["LAB_ADDRESS"] = THERE
        os.environ["LAB_OTEL_ENDPOINT"] = f"http://{HERE}:{OTLP}"
        yield
    finally:
        lab.down()
        lab.wrapper.clear()
        os.environ.pop("LAB_ADDRESS", None)
        os.environ.pop("LAB_OTEL_ENDPOINT", None)
        subprocess.run(["ip", "netns", "del", NAME], check=False)


@contextlib.contextmanager
def agent(loadline, far, near):
    """`loadline observe --listen` beside the target, for the sources there."""
    environment = dict(loadline.environment, LOADLINE_OBSERVE_TOKEN=TOKEN)
    command = [*lab.wrapper, loadline.program, "observe", "--listen", f"{THERE}:{AGENT}", "--insecure", *far]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        if process.poll() is not None:
            raise RuntimeError("observe --listen ended")
        yield [*near, f"remote://{TOKEN}@{THERE}:{AGENT}"]
    finally:
        process.terminate()
        process.wait()
