"""The lab's own commands, and what they say."""

import os
import subprocess

LABS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOT_HERE = 77
# What the lab's commands are started with: `ip netns exec NAME`, where the lab is elsewhere.
wrapper = []


class NotPossibleHere(Exception):
    """This machine cannot show the truth."""


def home():
    return os.environ.get("LAB_HOME", f"/var/tmp/loadline-lab-{os.getuid()}")


def command(name, *args):
    done = subprocess.run([*wrapper, os.path.join(LABS, name), *args], capture_output=True, text=True)
    if done.returncode == NOT_HERE:
        raise NotPossibleHere(done.stderr.strip())
    if done.returncode != 0:
        raise RuntimeError(f"labs/{name} {' '.join(args)}: {done.stdout}{done.stderr}".strip())


def up(truth, state="faulty", settings=()):
    command("up", truth, *(["--fixed"] if state == "fixed" else []), *settings)


def switch(settings):
    if settings:
        command("switch", *settings)


def compiled_ms():
    """How long the run-time compilers of the applications have worked, in ms; None where there is none."""
    told = about()
    pages = [told[name] for name in ("LAB_METRICS_APP_1", "LAB_METRICS_APP_2") if told.get(name)]
    sums = []
    for page in pages:
        done = subprocess.run([*wrapper, "curl", "-sf", "--max-time", "5", page], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{page} does not answer (curl: {done.returncode})")
        sums += [float(line.rsplit(" ", 1)[1]) for line in done.stdout.splitlines() if line.startswith("jvm_compilation_time_ms_total")]
    return sum(sums) if sums else None


def down():
    command("down")


def about():
    """What labs/up wrote of the running lab: LAB_TARGET, LAB_PID_APP_1, ..."""
    with open(os.path.join(home(), "lab.env")) as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file)


def port(url):
    return url.split("://", 1)[1].split("/")[0].rsplit(":", 1)[1]


def sources(about):
    """Everything that --observe can look at, as a person on the target's machine would name it."""
    found = []
    for name in ("APP_1", "APP_2", "WAITROOM"):
        page = about.get(f"LAB_METRICS_{name}")
        if page:
            found += [page, f"pid:{about[f'LAB_PID_{name}']}"]
    if "LAB_POSTGRES" in about:
        found += [about["LAB_POSTGRES"].replace("postgresql:", "postgres:"),
                  f"pid:{about['LAB_PID_POSTGRES']}"]
    if "LAB_PID_REDIS" in about:
        found.append(f"pid:{about['LAB_PID_REDIS']}")
    return found
