"""What can be told of one truth with each kind of source alone."""

import os

from . import lab
from .trial import Trial

OTLP = "otlp:4318"


def _of(*kinds):
    """The sources of these kinds, of a running lab."""
    def named(about):
        found = []
        for source in lab.sources(about):
            kind = source.split(":", 1)[0]
            if kind in kinds:
                found.append(source)
        if "otlp" in kinds:
            found.append(OTLP)
        if "log" in kinds:
            found.append(f"log:{os.path.join(lab.home(), 'log', 'app-1.log')}")
        return found
    return named


SETS = {
    "callers alone": _of(),
    "metrics page (http)": _of("http"),
    "processes (pid)": _of("pid"),
    "PostgreSQL": _of("postgres"),
    "traces (otlp)": _of("otlp"),
    "log": _of("log"),
    "all": _of("http", "pid", "postgres", "otlp", "log"),
}


def rows(loadline, truth):
    """For each kind of source its name, and what explain answered."""
    truth.values.update(truth.get("apart", {}))
    trial = Trial(loadline, truth)
    for name, sources in SETS.items():
        is_traced = name in ("traces (otlp)", "all")
        # The agent costs CPU, so it runs only where it is looked at; another lab, so it is set up anew.
        lab.down()
        os.environ.pop("LAB_OTEL", None)
        if is_traced:
            os.environ["LAB_OTEL"] = "1"
        explanation, _ = trial.explained(settings=truth.get("settings", []), sources=sources)
        yield name, explanation


HEAD = ["| source | first finding | grade | rate/s | it says |", "|---|---|---|---:|---|"]


def row(name, explanation):
    """A row of the table."""
    findings = [one for one in explanation["findings"] if one["role"] in ("limit", "slow")]
    first = findings[0] if findings else None
    rule, grade = (first["rule"], first["grade"]) if first else (f"({explanation['answer']})", "")
    says = first["statement"] if first else explanation["text"]
    quoted = [f"`{line['text']}` from second {line['from_s']:.0f} on" for one in explanation["findings"] for line in one["logged"][:1]]
    says = "; ".join([says, *quoted[:1]])
    return f"| {name} | {rule} | {grade} | {explanation['rate']:.3g} | {says} |"
