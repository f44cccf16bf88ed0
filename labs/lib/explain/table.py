"""What the journal holds, as lines and as the page docs/bench/explain.md."""

import collections
import os

BY_HAND = "<!-- Below: written by hand; labs/explain --table keeps it. -->"
# What compare may say of the rate where the truth is better or worse than before, or the same.
ACCEPTED = {"better": {"better"}, "worse": {"worse"}, "same": {"no-difference", "cannot-tell"}}


def verdict_of_rate(comparison):
    """compare's word on requests a second: better, worse, no-difference, cannot-tell."""
    for difference in comparison["all"]["differences"]:
        if difference["measure"] == "tps":
            return difference["finding"]["kind"]
    raise KeyError("compare says nothing of the rate")


def line(entry):
    """One entry, as the terminal shows it."""
    if "impossible" in entry:
        return f"{entry['truth']:24} not here   {entry['impossible']}"
    mark = "REFUSED" if "refused" in entry else "right" if entry["right"] else "WRONG"
    wrong = f"  WRONG OF GRADE A: {', '.join(entry['wrong_a'])}" if entry["wrong_a"] else ""
    extra = f"  {entry['predicted']}" if "predicted" in entry else ""
    extra += f"  law {entry['law']}/s" if "law" in entry else ""
    extra += f"  next: {', '.join(entry['second'])}" if "second" in entry else ""
    extra += f"  compare: {entry['compared']}" if "compared" in entry else ""
    extra += f"  done once more: {entry['repeated']}" if "repeated" in entry else ""
    return (f"{entry['truth']:24} {mark:8} {entry['first']} {entry['grade']}  {entry['rate']}/s  "
            f"others {entry['other_cpu']} CPU  {entry['findings']}{extra}{wrong}")


def write(journal, path):
    """The truths at the commit at which one was tried last, and each drawn set at its own."""
    commits = {set_of(entry): entry["commit"] for entry in journal.entries}
    entries = [entry for entry in journal.entries if entry["commit"] == commits[set_of(entry)]]
    latest = {}
    for entry in entries:
        latest[set_of(entry), entry["truth"], entry["pass"]] = entry
    kept = by_hand(path)
    with open(path, "w") as file:
        file.write("\n".join(page(list(latest.values()))) + "\n" + kept)


def by_hand(path):
    """What the page holds below its mark: it was measured otherwise, and stays."""
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        _, mark, rest = file.read().partition(BY_HAND)
    return f"\n{mark}{rest}" if mark else ""


def set_of(entry):
    """`drawn-7`, the circumstances of a target that runs in unusual ones, or nothing for the truths."""
    if is_drawn(entry):
        return "-".join(entry["truth"].split("-")[:2])
    return entry.get("circumstances") or ""


def page(entries):
    first = next((entry for entry in entries if not set_of(entry)), entries[0])
    judged = [entry for entry in entries if "refused" not in entry and "impossible" not in entry]
    told = [entry for entry in judged if not set_of(entry)]
    right = [entry for entry in told if entry["right"]]
    wrong_a = [entry for entry in told if entry["wrong_a"]]
    yield "# What explain says of the labs"
    yield ""
    yield "Made by `make lab-explain`; each row is a truth of [the labs](../../labs/README.md), loaded by loadline's own test."
    yield ""
    yield f"Commit {first['commit']}, {first['cores']} cores ({first['model']}), from {first['began']} on."
    yield f"{len(told)} judged, {len(right)} with the right finding first, {len(wrong_a)} with a wrong finding of grade A."
    for number in sorted({entry["pass"] for entry in told}):
        of_pass = [entry for entry in told if entry["pass"] == number]
        minutes = sum(entry.get("took", 0) for entry in entries if entry["pass"] == number and not set_of(entry)) / 60
        yield (f"Pass {number}: {sum(entry['right'] for entry in of_pass)} of {len(of_pass)} right first, "
               f"{sum(bool(entry['wrong_a']) for entry in of_pass)} with a wrong finding of grade A, {minutes:.0f} minutes.")
    repeated = [f"{entry['truth']} in pass {entry['pass']} ({entry['repeated']})" for entry in told if "repeated" in entry]
    if repeated:
        yield f"Done once more, because the first run was disturbed (and what disturbed the second): {', '.join(repeated)}."
    yield ""
    yield "| truth | first finding, times | grade | right | rate/s | other CPU | also found |"
    yield "|---|---|---|---|---|---|---|"
    by_truth = collections.defaultdict(list)
    for entry in entries:
        if not set_of(entry):
            by_truth[entry["truth"]].append(entry)
    for truth, all_of_it in sorted(by_truth.items()):
        yield row(truth, all_of_it)
    predictions = [(entry["truth"], entry["predicted"]) for entry in told if "predicted" in entry]
    if predictions:
        yield ""
        yield "## Predicted and measured"
        yield ""
        yield "| truth | change | predicted/s | measured/s | off |"
        yield "|---|---|---|---|---|"
        for truth, one in sorted(predictions, key=lambda pair: pair[0]):
            off = f"{100 * (one['predicted'] / one['measured'] - 1):+.0f} %" if one["predicted"] else "not predicted"
            yield f"| {truth} | {one['change']} | {one['predicted']} | {one['measured']} | {off} |"
    for name in sorted({set_of(entry) for entry in judged if set_of(entry) and not is_drawn(entry)}):
        yield from elsewhere(name, [entry for entry in judged if set_of(entry) == name])
    for name in sorted({set_of(entry) for entry in judged if is_drawn(entry)}):
        yield from drawn_set([entry for entry in judged if set_of(entry) == name])


def elsewhere(name, entries):
    yield ""
    yield f"## The target {name}"
    yield ""
    yield f"Commit {entries[0]['commit']}."
    yield ""
    yield "| truth | first finding | grade | right | rate/s | also found |"
    yield "|---|---|---|---|---|---|"
    for entry in sorted(entries, key=lambda entry: entry["truth"]):
        yield (f"| {entry['truth']} | {entry['first']} | {entry['grade']} | {'yes' if entry['right'] else 'no'} | {entry['rate']:g} | "
               f"{', '.join(entry['findings'][1:])} |")


def is_drawn(entry):
    return entry["truth"].startswith("drawn-")


def drawn_set(entries):
    wrong_a = sum(bool(entry["wrong_a"]) for entry in entries)
    yield ""
    yield f"## Faults drawn by seed {set_of(entries[0]).split('-')[1]}"
    yield ""
    yield (f"Commit {entries[0]['commit']}. {len(entries)} judged, {sum(entry['right'] for entry in entries)} right, {wrong_a} with a wrong "
           "finding of grade A; of two faults both have to be named, in the order in which they limit.")
    yield "Users who come one after the other do not reach the law's rate."
    yield ""
    yield "| fault | law/s | rate/s | first finding | next | right |"
    yield "|---|---|---|---|---|---|"
    for entry in sorted(entries, key=lambda entry: entry["truth"]):
        fault = entry["truth"].split(" ", 1)[1]
        following = ", ".join(entry.get("second", []))
        yield (f"| {fault} | {entry['law']:g} | {entry['rate']:g} | {entry['first']} {entry['grade']} | {following} | "
               f"{'yes' if entry['right'] else 'no'} |")


def row(truth, entries):
    judged = [entry for entry in entries if "refused" not in entry and "impossible" not in entry]
    if not judged:
        reason = entries[-1].get("impossible") or entries[-1].get("refused")
        return f"| {truth} | not judged: {reason} | | | | | |"
    counts = collections.Counter(entry["first"] for entry in judged)
    firsts = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    grades = " ".join(sorted({entry["grade"] for entry in judged} - {""}))
    right = sum(entry["right"] for entry in judged)
    rates = " ".join(f"{entry['rate']:g}" for entry in judged)
    others = " ".join(f"{entry['other_cpu']:g}" for entry in judged)
    also = sorted({finding for entry in judged for finding in entry["findings"][1:]})
    return f"| {truth} | {firsts} | {grades} | {right} of {len(judged)} | {rates} | {others} | {', '.join(also)} |"
