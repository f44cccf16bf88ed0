"""The change that a case asks for, made: what explain predicts of it from the kept record, and what the changed target then carries.

The part that limits is made GROWTH times as large, or what holds it that much shorter; all other parts of a case carry at least
twice the law, so that nothing else limits before. Measured by the target's own ledger, as the truth was.
"""

import copy
import json
import math
import os
import shutil

from . import place, trial

GROWTH = 1.5
# Offered to the changed target, of what its law says that it then carries.
OVERLOAD = 1.35
OFF_MAX = 0.15
SECONDS = 20
JOURNAL = "fixes.jsonl"
# What carries another rate than its own after the change: not asked.
UNFIT_BYSTANDERS = {"other-caller", "busy-neighbours"}


def larger(size):
    return math.ceil(GROWTH * size)


def pool(case):
    one = case["target"]["pools"]["db"]
    before, one["size"] = one["size"], larger(one["size"])
    return f"pool={one['size']}", one["size"] / before


def executor(case):
    one = case["target"]["executors"]["jobs"]
    before, one["size"] = one["size"], larger(one["size"])
    return f"threads={one['size']}", one["size"] / before


def threads(case):
    before = case["target"]["threads"]
    case["target"]["threads"] = larger(before)
    return f"threads={case['target']['threads']}", case["target"]["threads"] / before


def statement(case):
    for step in steps_of(case["target"]["steps"]):
        if step["do"] == "sql":
            step["ms"] = round(step["ms"] / GROWTH, 3)
    case["notes"]["rows_ms"] = case["notes"].get("rows_ms", 0) / GROWTH
    return f"statement={100 / GROWTH:.0f}%", GROWTH


def quota(case):
    case["notes"]["quota"] = round(GROWTH * case["notes"]["quota"], 2)
    return f"cores={case['notes']['quota']}", GROWTH


def outside(case):
    call = next(step for step in steps_of(case["target"]["steps"]) if step["do"] == "call" and step["of"] == "payments")
    call["ms"] = round(call["ms"] / GROWTH, 1)
    return f"outside={call['ms']:.0f}ms", GROWTH


def steps_of(steps):
    for step in steps:
        yield step
        yield from steps_of(step.get("steps", []))


# fault: the changes that its part knows
CHANGES = {
    "pool-held": [pool], "pool-small": [pool], "n-plus-one": [pool], "executor": [executor], "workers": [threads],
    "heavy-statement": [statement], "cpu-quota": [quota], "outside-limit": [outside],
}


def changed(case):
    """The case with its change made and load enough to show it; how --what-if says it; None where no change fits."""
    if case["fault"] not in CHANGES or UNFIT_BYSTANDERS & set(case["bystanders"]):
        return None
    after = copy.deepcopy(case)
    what_if, growth = CHANGES[case["fault"]][0](after)
    after["id"] = f"{case['id']}-fixed"
    load = after["load"]
    load["shape"], load["seconds"] = "constant", SECONDS
    if load["kind"] == "open":
        load["rate"] = round(OVERLOAD * growth * case["carried"], 2)
    else:
        load["users"] = math.ceil(load["users"] * growth)
    after["carried"] = round(growth * case["carried"], 2)
    return after, what_if


def predicted(loadline, store, what_if):
    return json.loads(loadline.explain(store, "--json", "--what-if", what_if))["predictions"][0]["rate"]


def one(case, entry, loadline, built, database, slot):
    """Predicts from the record of a case, makes the change, and measures; None where explain predicts nothing."""
    after, what_if = changed(case)
    rate = predicted(loadline, os.path.join(entry["folder"], "runs.db"), what_if)
    found = {"case": case["id"], "fault": case["fault"], "stack": case["stack"], "change": what_if, "commit": loadline.commit, "head": loadline.head,
             "before": entry["answered"], "predicted": rate}
    if not rate:
        return found
    folder = os.path.join(place.HOME, "fixes", case["id"], loadline.commit)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    measured = trial.ran(after, folder, slot, loadline, built, database)
    return {**found, "measured": measured["answered"], "off": round(rate / measured["answered"] - 1, 3), "holds": measured["holds"], "why": measured["why"],
            "folder": folder}


def add(entry):
    with open(os.path.join(place.HOME, JOURNAL), "a") as file:
        file.write(json.dumps(entry) + "\n")


def entries(commit):
    found, path = {}, os.path.join(place.HOME, JOURNAL)
    if os.path.exists(path):
        with open(path) as file:
            for text in file:
                entry = json.loads(text)
                if entry["commit"] == commit:
                    found[entry["case"]] = entry
    return found


def table(found):
    """Rows of what was made and measured; what is void or was not predicted is counted below."""
    made = [one for one in found if one.get("holds")]
    text = ["| case | fault | stack | change | before/s | predicted/s | measured/s | off |", "|---|---|---|---|--:|--:|--:|--:|"]
    for each in sorted(made, key=lambda one: one["case"]):
        text.append(f"| {each['case']} | {each['fault']} | {each['stack']} | {each['change']} | {each['before']} | {each['predicted']:.1f} | "
                    f"{each['measured']} | {100 * each['off']:+.0f} % |")
    within = sum(abs(one["off"]) <= OFF_MAX for one in made)
    silent = [one["case"] for one in found if not one["predicted"]]
    void = [f"{one['case']} ({one['why']})" for one in found if one["predicted"] and not one["holds"]]
    text += ["", f"within {100 * OFF_MAX:.0f} %: {within} of {len(made)}; nothing predicted: {', '.join(silent) or 'none'}; void: {', '.join(void) or 'none'}"]
    return "\n".join(text)
