//! A study's answer as JSON (`docs/schemas/tuning.schema.json`).

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{EffectFinding, StudyEnd, StudyOutcome};
use serde_json::{Value, json};

use super::StudyReport;

/// The version written.
pub const VERSION: u32 = 1;

/// The whole study.
#[must_use]
pub fn json(report: &StudyReport) -> Value {
    let answer = &report.answer;
    let setting = |levels: &[usize]| -> Value {
        let each = report.knobs.iter().zip(levels);
        let each =
            each.map(|(knob, level)| (knob.name.clone(), knob.values[*level].clone().into()));
        Value::Object(each.collect())
    };
    let trials = report.trials.iter().map(|trial| {
        json!({
            "number": trial.number, "block": trial.block + 1, "purpose": trial.purpose,
            "setting": setting(&trial.setting), "rate": trial.rate, "p95_ms": trial.p95_ms,
            "errors": trial.errors, "valid": trial.rate.is_some(), "failed": trial.failed,
            "reason": trial.reason, "run": trial.run,
        })
    });
    let effects = answer.effects.iter().map(|effect| {
        let knob = &report.knobs[effect.knob];
        json!({
            "knob": knob.name, "finding": finding(effect.finding),
            "from": knob.values.get(effect.levels.0), "to": knob.values.get(effect.levels.1),
            "change": change(effect.change),
        })
    });
    let differences = answer
        .differences
        .iter()
        .map(|(levels, found)| json!({ "setting": setting(levels), "change": change(*found) }));
    json!({
        "loadline_tuning": VERSION,
        "study": report.name,
        "goal": report.goal,
        "outcome": outcome(&answer.outcome),
        "end": end(answer.end),
        "winner": setting(&answer.winner),
        "noise": answer.noise,
        "detectable": answer.detectable,
        "limited_by": report.limit,
        "effects": effects.collect::<Vec<_>>(),
        "interaction": answer.interaction.as_ref().map(|found| json!({
            "knobs": found.knobs.map(|knob| report.knobs[knob].name.clone()),
            "change": change(found.change),
        })),
        "differences": differences.collect::<Vec<_>>(),
        "failed": answer.failed.iter().map(|levels| setting(levels)).collect::<Vec<_>>(),
        "trials": trials.collect::<Vec<_>>(),
    })
}

fn change(change: Change) -> Value {
    json!({ "low": change.low, "middle": change.middle, "high": change.high })
}

const fn finding(finding: EffectFinding) -> &'static str {
    match finding {
        EffectFinding::Matters => "matters",
        EffectFinding::NoLargerThan { .. } => "no-larger-than",
        EffectFinding::CannotTell => "cannot-tell",
        EffectFinding::NotTried => "not-tried",
    }
}

const fn end(end: StudyEnd) -> &'static str {
    match end {
        StudyEnd::Done => "done",
        StudyEnd::BudgetSpent => "budget-spent",
        StudyEnd::Interrupted => "interrupted",
        StudyEnd::StartFails => "start-fails",
        StudyEnd::Invalid => "invalid",
    }
}

fn outcome(outcome: &StudyOutcome) -> Value {
    match outcome {
        StudyOutcome::Better { change: by, pairs } => {
            json!({ "kind": "better", "change": change(*by), "pairs": pairs })
        }
        StudyOutcome::GoalMet { trials } => json!({ "kind": "goal-met", "trials": trials }),
        StudyOutcome::GoalMissed => json!({ "kind": "goal-missed" }),
        StudyOutcome::NoDifference { share } => json!({ "kind": "no-difference", "share": share }),
        StudyOutcome::CannotTell {
            trials,
            change: so_far,
        } => {
            json!({ "kind": "cannot-tell", "trials": trials, "change": so_far.map(change) })
        }
        StudyOutcome::StartFails => json!({ "kind": "start-fails" }),
    }
}
