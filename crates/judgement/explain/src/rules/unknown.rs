//! Something limits that is not seen: what callers tell of it, and what it is not.

use loadline_record::signals::{Entity, Label};
use loadline_text::{Message, counted, evidence, findings, millis, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::{CallerView, share};
use super::neighbour::CoresTaken;
use super::{Draft, RuleContext, ServedAtOnce};

/// From this share of failed requests on they are what is reported.
const MANY_FAILED_SHARE_MIN: f64 = 0.05;
/// A smaller share of failed requests, or of dropped starts, is no sign of a limit.
const SIGN_SHARE_MIN: f64 = 0.005;
/// A target that uses less of its cores waits.
const WAITING_CPU_USE_MAX: f64 = 0.5;

pub(in super::super) fn finding(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let callers = &context.view.callers;
    let measured = context.measured;
    let at_once = context.served_at_once();
    let rule = match at_once {
        Some(_) => RuleId::ServedAtOnce,
        None => RuleId::UnknownLimit,
    };
    let cpu = measured.cpu.as_ref();
    let inside = measured.server_time.map(|time| time * 1000.0);
    let some = |share: f64| (share > 0.0).then_some(share);
    let (millis, shares) = (EvidenceUnit::Millis, EvidenceUnit::Share);
    let statement = statement(context, at_once);
    let apart = at_once.filter(|served| served.of.is_some());
    let names = apart.and_then(|served| served.of.as_deref());
    let entity = names.map_or_else(Entity::new, |names| {
        Entity::new().with(Label::Operation, names)
    });
    Draft::new(rule, BottleneckPart::Unknown, EvidenceGrade::C, statement)
        .entity(&entity)
        .shown(
            "rate",
            evidence::rate(),
            apart.map_or(callers.answered, |served| served.rate),
            EvidenceUnit::PerSecond,
        )
        .shown("failed", evidence::failed(), some(callers.failed), shares)
        .shown("cut", evidence::cut(), some(cut(context)), shares)
        .shown(
            "dropped",
            evidence::dropped(),
            some(callers.dropped),
            shares,
        )
        .shown(
            "mean",
            evidence::mean(),
            apart.map_or(callers.mean_ms(), |served| served.mean_ms),
            millis,
        )
        .shown("server-time", evidence::server_time(), inside, millis)
        .shown(
            "cpu-used",
            evidence::cpu_used(),
            cpu.map(|cpu| cpu.used),
            EvidenceUnit::Cores,
        )
        .shown(
            "cpu-available",
            evidence::cpu_available(),
            cpu.map(|cpu| cpu.most),
            EvidenceUnit::Cores,
        )
        .advised(advice(context, at_once))
        .limiting_at(callers.answered)
        .done()
}

fn statement(context: &RuleContext<'_>, at_once: Option<&ServedAtOnce>) -> Message {
    let callers = &context.view.callers;
    if let Some(served) = at_once {
        let alone = millis(served.alone_ms);
        let rate = significant(served.rate);
        if let Some(names) = &served.of {
            return if served.is_bound() {
                findings::unknown_at_most_of(names, served.count, rate, alone)
            } else {
                findings::unknown_at_once_of(names, served.count, rate, alone)
            };
        }
        return if served.is_bound() {
            findings::unknown_at_most(served.count, rate, alone)
        } else {
            findings::unknown_at_once(served.count, rate, alone)
        };
    }
    if callers.answered <= 0.0 {
        return findings::unknown_none();
    }
    if callers.failed >= MANY_FAILED_SHARE_MIN {
        let failed = percent(callers.failed);
        return match status(context) {
            Some(status) if status != "0" => findings::unknown_failing(failed, status),
            _ => findings::unknown_unanswered(failed),
        };
    }
    match &context.measured.cpu {
        Some(cpu) if cpu.share() < WAITING_CPU_USE_MAX => {
            let (used, most) = (significant(cpu.used), counted(cpu.most));
            match CoresTaken::new(context) {
                Some(taken) => {
                    findings::unknown_waits_for_cores(used, most, significant(taken.delay))
                }
                None => findings::unknown_waits(used, most),
            }
        }
        _ => limit(callers),
    }
}

/// Requests that were cut when the run ended: of all of it, for they were sent in its last seconds.
fn cut(context: &RuleContext<'_>) -> f64 {
    let of_run = context.view.run.cut_of_run;
    if of_run > 0.0 {
        of_run
    } else {
        context.view.callers.cut
    }
}

/// A limit of which nothing is seen but what callers see.
fn limit(callers: &CallerView) -> Message {
    let (fails, drops) = (
        callers.failed >= SIGN_SHARE_MIN,
        callers.dropped >= SIGN_SHARE_MIN,
    );
    match (fails, drops) {
        (true, true) => findings::unknown_limit_both(),
        (true, false) => findings::unknown_limit_failed(),
        (false, true) => findings::unknown_limit_dropped(),
        (false, false) => findings::unknown_limit(),
    }
}

/// The status of most answers that are no good ones.
fn status<'a>(context: &'a RuleContext<'_>) -> Option<&'a str> {
    let is_good = |status: &str| status.starts_with(['1', '2', '3']);
    let statuses = &context.view.run.statuses;
    let failed = statuses.iter().filter(|(status, _)| !is_good(status));
    let (status, count) = failed.max_by(|a, b| a.1.total_cmp(b.1))?;
    let most = share(*count, statuses.values().sum()) >= MANY_FAILED_SHARE_MIN / 2.0;
    most.then_some(status.as_str())
}

fn advice(context: &RuleContext<'_>, at_once: Option<&ServedAtOnce>) -> Vec<Advice> {
    let callers = &context.view.callers;
    let sources = &context.view.run.signals.sources;
    let mut all = Vec::new();
    all.extend(at_once.map(|served| {
        if served.is_bound() {
            Advice::to(findings::unknown_at_most_try(served.count))
        } else {
            Advice::to(findings::unknown_at_once_try(served.count))
        }
    }));
    if callers.failed >= MANY_FAILED_SHARE_MIN {
        all.push(Advice::to(findings::unknown_failing_try()));
    }
    all.push(if sources.is_empty() {
        Advice::to(findings::unknown_limit_try())
    } else {
        Advice::to(findings::unknown_limit_try_more())
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::ExplainedRun;
    use loadline_analysis::compare::ComparedWindow;

    /// Before: "requests fail, starts are dropped or times grow" of a search in which none failed and none was dropped.
    #[test]
    fn only_the_signs_that_were_seen_are_told() {
        let told = |failed: f64, dropped: f64| {
            let window = ComparedWindow {
                requests: 100.0,
                planned: 100.0,
                failed,
                dropped,
                ..ComparedWindow::default()
            };
            let run = ExplainedRun {
                windows: vec![window; 10],
                ..ExplainedRun::default()
            };
            let callers = CallerView::from_windows(&run.windows);
            limit(&callers).key()
        };
        assert_eq!(told(0.0, 0.0), "explain-unknown-limit");
        assert_eq!(told(3.0, 0.0), "explain-unknown-limit-failed");
        assert_eq!(told(0.0, 3.0), "explain-unknown-limit-dropped");
        assert_eq!(told(3.0, 3.0), "explain-unknown-limit-both");
    }
}
