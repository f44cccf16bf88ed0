//! Why a run is not valid, and what it hides: goals that are missed, load and answers that fell short.

use loadline_record::{Limit, Summary, Validity, VerdictStanding};
use loadline_text::{Catalog, Message, grouped, significant, verdicts};

use super::reasons;
use crate::health;
use crate::numbers::Numbers;

/// What is said after the verdict's word.
pub(super) fn reasons_text(limits: &[Limit], summary: &Summary, catalog: &Catalog) -> String {
    let validity = summary.run.validity;
    let differs = validity.filter(|found| found.standing == VerdictStanding::Differs);
    let mut parts = match differs {
        Some(found) => vec![catalog.text(&differing(found, limits, summary, catalog))],
        None => untrusted(validity, limits, summary, catalog),
    };
    if summary.statuses.is_empty() {
        parts.push(catalog.text(&verdicts::invalid_nothing_sent()));
    } else if summary.run.arrivals.is_none() {
        // Load at a rate was never more than was planned: its rate is nobody's limit.
        let rate = significant(Numbers(summary).rate_of("http_reqs"));
        parts.push(catalog.text(&verdicts::invalid_rate(rate)));
    }
    parts.join("; ")
}

/// That the verdict is another without the seconds that were touched.
fn differing(found: Validity, limits: &[Limit], summary: &Summary, catalog: &Catalog) -> Message {
    let [touched, seconds] = [found.touched, found.seconds].map(|n| grouped(n as f64, 0));
    let with = with_all(summary, catalog);
    let with = if with.is_empty() {
        let (_, all) = summary.goals();
        catalog.text(&goals(0, all))
    } else {
        with.join("; ")
    };
    let rest = found.goals.unwrap_or_default();
    let without = catalog.text(&goals(rest.all - rest.met, rest.all));
    let reasons = health::reasons(limits, catalog);
    verdicts::invalid_differs(touched, seconds, reasons, with, without)
}

/// That the generator's delays are in all that there is.
fn untrusted(
    validity: Option<Validity>,
    limits: &[Limit],
    summary: &Summary,
    catalog: &Catalog,
) -> Vec<String> {
    let reasons = health::reasons(limits, catalog);
    let is_late =
        |limit: &Limit| matches!(limit, Limit::StartLag | Limit::Stalls | Limit::CloseGoal);
    let why = match validity {
        Some(found) if found.touched > 0 && limits.iter().all(is_late) => {
            let [touched, seconds] = [found.touched, found.seconds].map(|n| grouped(n as f64, 0));
            verdicts::invalid_late(touched, seconds, reasons)
        }
        _ => verdicts::invalid_bottleneck(reasons),
    };
    let mut parts = vec![catalog.text(&why)];
    parts.extend(with_all(summary, catalog));
    parts
}

/// Goals missed and what fell short, with all seconds.
fn with_all(summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let (met, all) = summary.goals();
    let mut parts = Vec::new();
    if met < all {
        parts.push(catalog.text(&goals(all - met, all)));
    }
    let short = summary.shortfalls();
    if !short.is_empty() {
        parts.push(reasons(&short, summary, catalog));
    }
    parts
}

/// How many goals are missed.
fn goals(missed: usize, all: usize) -> Message {
    match (missed, all) {
        (_, 0) => verdicts::nothing_fell_short(),
        (0, all) => verdicts::goals_all_hold(all),
        (missed, all) => verdicts::verdict_goals_missed(missed, all),
    }
}
