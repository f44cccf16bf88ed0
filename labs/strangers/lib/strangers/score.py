"""Scores what explain said against the truth, and makes the table with the bars."""

from . import truths

RIGHT, UNKNOWN, WRONG = "right", "unknown", "wrong"
WRONG_FIRST_MAX, RIGHT_FIRST_MIN, GRADE_A_MIN = 0.02, 0.85, 0.5


def worth(case, explanation):
    """Right, honestly unknown, or wrong. A run that is said to be not valid claims nothing; the table counts these."""
    findings, answer = explanation["findings"], explanation["answer"]
    first = findings[0] if findings else None
    truth = truths.truth(case["fault"])
    if case["fault"] == "healthy":
        is_harmless = first is not None and first["rule"] in truth["harmless"]
        if answer == "limited":
            return UNKNOWN if is_harmless else WRONG
        if answer == "unknown-limit":
            return WRONG
        return RIGHT if answer == "no-bottleneck" else UNKNOWN
    if answer == "no-bottleneck":
        return WRONG
    if answer != "limited" or first is None:
        return UNKNOWN
    if first["rule"] in truth["wrong"]:
        return WRONG
    if first["part"] in truth["parts"] or first["rule"] in truth["rules"]:
        return RIGHT
    if first["rule"] not in truth["harmless"] and any(word in first.get("statement", "").lower() for word in truth["words"]):
        return RIGHT
    is_honest = first["part"] == "unknown" and first["rule"] not in truths.CLAIMING_RULES
    if first["rule"] in truths.HONEST_RULES or is_honest or first["rule"] in truth["harmless"]:
        return UNKNOWN
    return WRONG


def scored(case, explanation):
    first = explanation["findings"][0] if explanation["findings"] else {}
    return {"worth": worth(case, explanation), "answer": explanation["answer"], "text": explanation["text"],
            "rule": first.get("rule", ""), "part": first.get("part", ""), "grade": first.get("grade", ""), "statement": first.get("statement", ""),
            "origins": truths.origins(case["fault"], case["stack"], truths.trusted(case))}


def is_a(entry):
    return entry["answer"] == "limited" and entry["grade"] == "A"


def counts(entries):
    of = {worth: [one for one in entries if one["worth"] == worth] for worth in (RIGHT, UNKNOWN, WRONG)}
    return {"all": len(entries), "right": len(of[RIGHT]), "right_a": sum(map(is_a, of[RIGHT])), "unknown": len(of[UNKNOWN]),
            "wrong": len(of[WRONG]), "wrong_a": sum(map(is_a, of[WRONG]))}


def row(name, entries):
    one = counts(entries)
    return f"{name:32} {one['all']:5} {one['right']:6} ({one['right_a']:3}) {one['unknown']:8} {one['wrong']:6} ({one['wrong_a']:3})"


def table(entries):
    """Score by fault, stack, bystander and origins; then the bars."""
    valid = [one for one in entries if one["holds"]]
    out = [f"{'':32} cases  right ( A )  unknown  wrong ( A )"]
    for key in ("fault", "stack", "origins"):
        for value in sorted({one[key] for one in valid}):
            group = [one for one in valid if one[key] == value and (key != "origins" or one["fault"] != "healthy")]
            if group:
                out.append(row(f"{key} {value}", group))
    for value in sorted({each for one in valid for each in one["bystanders"]}):
        out.append(row(f"beside {value}", [one for one in valid if value in one["bystanders"]]))
    limited, healthy = ([one for one in valid if (one["fault"] == "healthy") == is_healthy] for is_healthy in (False, True))
    out += [row("limited", limited), row("healthy", healthy), "", *bars(limited, healthy)]
    invalid = [one["case"] for one in valid if one["answer"] == "not-valid"]
    if invalid:
        out += ["", f"said to be not valid, the generator itself waited ({len(invalid)}): {', '.join(invalid)}"]
    doubtful = [f"{one['case']} ({one['rule']})" for one in valid if one["rule"] in truths.truth(one["fault"])["doubtful"]]
    if doubtful:
        out += ["", f"counted as right by its part, though the sentence is not ({len(doubtful)}): {', '.join(doubtful)}"]
    void = [one for one in entries if not one["holds"]]
    if void:
        out += ["", f"void, as the ledger says ({len(void)}):", *(f"  {one['case']} {one['fault']} {one['stack']}: {one['why']}" for one in void)]
    return "\n".join(out)


def bars(limited, healthy):
    everything = limited + healthy
    two = [one for one in limited if one["origins"] == truths.TWO]
    right_two = [one for one in two if one["worth"] == RIGHT]
    claimed, wrong = counts(healthy)["wrong"], counts(everything)["wrong"]
    wrong_a = counts(everything)["wrong_a"]
    share = lambda part, whole: len(part) / len(whole) if whole else 1.0
    rows = [
        (f"healthy with a claimed limit: {claimed} of {len(healthy)}, 0 allowed", claimed == 0),
        (f"wrong with grade A: {wrong_a}, 0 allowed", wrong_a == 0),
        (f"wrong first of any grade: {wrong} of {len(everything)}, {WRONG_FIRST_MAX:.0%} allowed", wrong <= WRONG_FIRST_MAX * len(everything)),
        (f"right first of the limited with two origins: {len(right_two)} of {len(two)}, {RIGHT_FIRST_MIN:.0%} needed", share(right_two, two) >= RIGHT_FIRST_MIN),
        (f"grade A of these: {sum(map(is_a, right_two))} of {len(right_two)}, {GRADE_A_MIN:.0%} needed",
         share([one for one in right_two if is_a(one)], right_two) >= GRADE_A_MIN),
        (f"insufficient witnesses: {sum(one['origins'] == truths.INSUFFICIENT for one in limited)} of {len(limited)}, 30% allowed",
         sum(one["origins"] == truths.INSUFFICIENT for one in limited) <= 0.3 * max(1, len(limited))),
    ]
    return [f"{'met    ' if is_met else 'NOT MET'}  {text}" for text, is_met in rows]
