//! A share of the requests fails, however many there are: a fault of the target, and no limit.
//!
//! A limit lets as much through in a second with many requests as in one with few, and turns the rest
//! away. What fails by itself fails as often in both. Starts that come by chance make such seconds.

use loadline_text::{doubt, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};
use loadline_analysis::compare::ComparedWindow;

/// Fewer seconds say nothing.
const WINDOWS_MIN: usize = 6;
/// ... nor do fewer requests that failed.
const FAILED_MIN: f64 = 20.0;
/// Standard errors by which what gets through must grow with what comes: of a limit it does not.
const ERRORS_FROM_LIMIT_MIN: f64 = 3.0;
/// Standard errors by which it may grow otherwise than by the share that does not fail.
const ERRORS_FROM_CHANCE_MAX: f64 = 2.0;
/// Failed requests of a second vary as chance makes them, within these factors.
const DISPERSION: std::ops::RangeInclusive<f64> = 0.3..=2.0;
/// An answer that this share of the failed requests got is theirs.
const SAME_ANSWER_SHARE_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    if !is_at_random(context) {
        return None;
    }
    let callers = &context.view.callers;
    let failed = percent(callers.failed);
    let (statement, action) = match answers_of_failed(context) {
        AnswersOfFailed::Unanswered => return None,
        AnswersOfFailed::Known(what) => (
            findings::failing(failed, &what),
            findings::failing_try(&what),
        ),
        AnswersOfFailed::Unknown => (
            findings::failing_unsaid(failed),
            findings::unknown_failing_try(),
        ),
    };
    Draft::new(
        RuleId::FailingAtRandom,
        BottleneckPart::Unknown,
        EvidenceGrade::B,
        statement,
    )
    .shown(
        "failed",
        evidence::failed(),
        callers.failed,
        EvidenceUnit::Share,
    )
    .shown(
        "rate",
        evidence::rate(),
        callers.answered,
        EvidenceUnit::PerSecond,
    )
    .against(Some(doubt::turned_away_by_chance()))
    .advised([Advice::to(action)])
    .done()
}

/// Nothing but that requests fail is lost, and they fail as often in seconds with few of them as in
/// those with many.
pub(super) fn is_at_random(context: &RuleContext<'_>) -> bool {
    let is_alone = context.view.run.load.is_open && context.loss.is_failing_alone;
    let is_logged = context.logged.evidence(RuleId::Refused).is_some();
    is_alone && !is_logged && fail_at_random(context.view.windows())
}

fn fail_at_random(windows: &[ComparedWindow]) -> bool {
    let asked = windows.iter().filter(|window| window.requests > 0.0);
    let pairs: Vec<(f64, f64)> = asked
        .map(|window| (window.requests, window.failed))
        .collect();
    let count = pairs.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let (all, failed) = (sum(|pair| pair.0), sum(|pair| pair.1));
    if pairs.len() < WINDOWS_MIN || failed < FAILED_MIN || failed >= all {
        return false;
    }
    let fails = failed / all;
    let (mean, mean_good) = (all / count, (all - failed) / count);
    let (mut squares, mut products, mut dispersion) = (0.0, 0.0, 0.0);
    for (requests, failed) in &pairs {
        squares += (requests - mean).powi(2);
        products += (requests - mean) * (requests - failed - mean_good);
        dispersion += (failed - fails * requests).powi(2) / requests;
    }
    let chance = fails * (1.0 - fails);
    let grows = products / squares.max(f64::EPSILON);
    let error = (chance * mean / squares.max(f64::EPSILON)).sqrt();
    grows >= ERRORS_FROM_LIMIT_MIN * error
        && (grows - (1.0 - fails)).abs() <= ERRORS_FROM_CHANCE_MAX * error
        && DISPERSION.contains(&(dispersion / chance / (count - 1.0)))
}

/// What failed requests were answered.
enum AnswersOfFailed {
    /// The status, and the words where most have the same.
    Known(String),
    /// Most were not answered at all, which is another fault.
    Unanswered,
    /// It is not known while a run goes on.
    Unknown,
}

fn answers_of_failed(context: &RuleContext<'_>) -> AnswersOfFailed {
    let is_good = |status: &str| status.starts_with(['1', '2', '3']);
    let statuses = &context.view.run.statuses;
    let failed = || statuses.iter().filter(|(status, _)| !is_good(status));
    let unanswered = statuses.get("0").copied().unwrap_or(0.0);
    if 2.0 * unanswered > failed().map(|(_, count)| count).sum() {
        return AnswersOfFailed::Unanswered;
    }
    let Some((status, _)) = failed().max_by(|a, b| a.1.total_cmp(b.1)) else {
        return AnswersOfFailed::Unknown;
    };
    let answers = &context.view.run.failed_answers;
    let all: f64 = answers.iter().map(|answer| answer.count as f64).sum();
    let is_it = |answer: &&loadline_record::FailedAnswer| {
        answer.status.to_string() == *status
            && share(answer.count as f64, all) >= SAME_ANSWER_SHARE_MIN
    };
    let answer = answers.iter().find(is_it);
    AnswersOfFailed::Known(match answer.filter(|answer| !answer.text.is_empty()) {
        Some(answer) => format!("{status} {}", answer.text),
        None => status.clone(),
    })
}

#[cfg(test)]
mod tests {
    use loadline_record::FailedAnswer;
    use loadline_units::random::Random;

    use super::*;
    use crate::{ExplainedLoad, ExplainedRun, ExplanationAnswer, explain};

    /// Seconds with so many requests on average, of which `fails` says how many fail.
    fn windows(
        seed: u64,
        seconds: usize,
        fails: impl Fn(f64, &Random) -> f64,
    ) -> Vec<ComparedWindow> {
        let random = Random::new(seed);
        let window = |_| {
            // Starts by chance: of 200 moments a quarter has one.
            let requests = (0..200).filter(|_| random.unit() < 0.25).count() as f64;
            ComparedWindow {
                requests,
                failed: fails(requests, &random).clamp(0.0, requests),
                ..ComparedWindow::default()
            }
        };
        (0..seconds).map(window).collect()
    }

    fn by_chance(share: f64) -> impl Fn(f64, &Random) -> f64 {
        move |requests, random| {
            let mut failed = 0.0;
            let mut left = requests;
            while left >= 1.0 {
                left -= 1.0;
                failed += f64::from(u8::from(random.unit() < share));
            }
            failed
        }
    }

    #[test]
    fn what_fails_at_random_is_told_from_a_limit() {
        for share in [0.05, 0.26, 0.5] {
            let seen = (0..100).filter(|seed| {
                let run = windows(*seed, 30, by_chance(share));
                fail_at_random(&run)
            });
            let seen = seen.count();
            assert!(seen >= 75, "{share}: {seen}");
        }
    }

    /// Seen: 503 at random, "LIMITED BY the target's own code".
    #[test]
    fn a_target_that_fails_at_random_is_not_limited() {
        let mut windows = windows(7, 30, by_chance(0.3));
        for window in &mut windows {
            window.planned = window.requests;
            window.durations.record(50.0);
            window.durations.record(52.0);
        }
        let count = |of: fn(&ComparedWindow) -> f64| windows.iter().map(of).sum::<f64>();
        let failed = count(|window| window.failed);
        let statuses = [
            ("200", count(|window| window.requests) - failed),
            ("503", failed),
        ];
        let mut run = ExplainedRun {
            load: ExplainedLoad {
                is_open: true,
                ..ExplainedLoad::default()
            },
            statuses: statuses.map(|(status, n)| (status.to_owned(), n)).into(),
            failed_answers: vec![FailedAnswer {
                status: 503,
                text: "pool_timeout".to_owned(),
                count: 1,
            }],
            windows: windows.clone(),
            ..ExplainedRun::default()
        };
        let told = explain(&run, &[]);
        assert_eq!(told.answer, ExplanationAnswer::Failing);
        assert_eq!(told.findings[0].rule, RuleId::FailingAtRandom);
        let what = format!("{:?}", told.findings[0].statement);
        assert!(what.contains("503 pool_timeout"), "{what}");
        // Users in loops come again at once where they are turned away: that tells nothing.
        run.load.is_open = false;
        assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
        // Where starts are dropped, too, more is lost than what fails.
        run.load.is_open = true;
        for window in &mut run.windows {
            window.planned += 20.0;
            window.dropped = 20.0;
        }
        assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
    }

    #[test]
    fn a_limit_is_no_failing_at_random() {
        for most in [25.0, 37.0, 48.0] {
            let seen = (0..200).filter(|seed| {
                let over = move |requests: f64, _: &Random| requests - most;
                fail_at_random(&windows(*seed, 30, over))
            });
            let seen = seen.count();
            assert!(seen <= 2, "{most}: {seen}");
        }
    }

    #[test]
    fn failures_that_come_in_bursts_are_no_failing_at_random() {
        let second = std::cell::Cell::new(0);
        let bursts = |requests: f64, _: &Random| {
            second.set(second.get() + 1);
            if second.get() % 5 == 0 { requests } else { 0.0 }
        };
        assert!(!fail_at_random(&windows(3, 30, bursts)));
    }
}
