//! `--fail-if-worse`: what is worse, and what cannot be ruled out to be.

use loadline_analysis::compare::{Comparison, Difference, Endpoint, Finding, Measure, Why};
use loadline_report::comparison::measure_name;
use loadline_text::{Catalog, percent, records};

/// Why the comparison fails at this limit, a share: nothing when it passes.
pub(super) fn reasons(comparison: &Comparison, limit: f64, catalog: &Catalog) -> Vec<String> {
    let all = || std::iter::once(&comparison.whole).chain(&comparison.endpoints);
    let named = |endpoint: &Endpoint, what: String| match endpoint.name.as_str() {
        "" => what,
        name => format!("{what} ({name})"),
    };
    let measure = |endpoint: &Endpoint, difference: &Difference| {
        named(endpoint, measure_name(difference.measure, catalog))
    };
    let mut worse = Vec::new();
    for endpoint in all() {
        if !endpoint.changed.is_empty() {
            let name = match endpoint.name.as_str() {
                "" => catalog.text(&records::compare_all()),
                name => name.to_owned(),
            };
            worse.push(catalog.text(&records::compare_answers(name)));
        }
        let differences = endpoint.differences.iter();
        let is_worse = differences.filter(|difference| is_worse(difference, limit));
        worse.extend(is_worse.map(|difference| measure(endpoint, difference)));
    }
    // A single endpoint is seldom long enough to rule anything out: all requests together must be.
    let whole = &comparison.whole;
    let open = whole.differences.iter();
    let open: Vec<String> = open
        .filter(|difference| is_felt(difference) && may_be_worse(difference, limit))
        .map(|difference| measure(whole, difference))
        .collect();
    let mut reasons = Vec::new();
    if !worse.is_empty() {
        let worse = records::compare_fails_worse(worse.join(", "));
        reasons.push(catalog.text(&worse));
    }
    if !open.is_empty() {
        let unsure = records::compare_fails_unsure(percent(limit), open.join(", "));
        reasons.push(catalog.text(&unsure));
    }
    reasons
}

/// What users feel; the median says no more than the mean and p95.
fn is_felt(difference: &Difference) -> bool {
    difference.measure != Measure::P50
}

/// Worse by more than the limit for certain; shares by any difference that is told.
fn is_worse(difference: &Difference, limit: f64) -> bool {
    let beyond = difference
        .change
        .is_some_and(|change| match difference.measure {
            Measure::Rate => change.high < -limit,
            measure if measure.is_share() => true,
            _ => change.low > limit,
        });
    is_felt(difference) && difference.finding == Finding::Worse && beyond
}

/// Whether it may be worse by more than the limit, as far as the runs tell.
fn may_be_worse(difference: &Difference, limit: f64) -> bool {
    let nothing = Finding::CannotTell { why: Why::Nothing };
    match (difference.finding, difference.change) {
        // No checks, nothing planned: nothing to be worse.
        (finding, None) if difference.measure.is_share() && finding == nothing => {
            difference.measure == Measure::Errors
        }
        (Finding::CannotTell { .. }, Some(change)) => match difference.measure {
            Measure::Rate => change.low < -limit,
            measure if measure.is_share() => change.high > limit.max(SHARE),
            _ => change.high > limit,
        },
        (Finding::CannotTell { .. }, None) => true,
        _ => false,
    }
}

/// A share that may be this much larger is not ruled out to be worse.
const SHARE: f64 = 0.01;
