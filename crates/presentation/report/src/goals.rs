//! Goals of latency in words: judged by planned starts, with the good answers beside them.

use loadline_metrics::PlannedAnswers;
use loadline_metrics::threshold::{Expression, ThresholdStatistic};
use loadline_record::{PLANNED_LATENCY, Summary, ThresholdResult};
use loadline_text::{Catalog, messages, millis, percent};

/// A goal and what it came to, in one line: `p(95)<500ms of planned starts: not reached (46.0 %
/// failed); good answers alone: 1.04 s`.
pub(crate) fn sentence(summary: &Summary, goal: &ThresholdResult, catalog: &Catalog) -> String {
    with_value(summary, goal, value(summary, goal, catalog), catalog)
}

fn with_value(
    summary: &Summary,
    goal: &ThresholdResult,
    value: String,
    catalog: &Catalog,
) -> String {
    catalog.text(&if is_open(summary) {
        messages::goal_starts(typed(goal), value)
    } else {
        messages::goal_requests(typed(goal), value)
    })
}

/// The goals of latency that are missed, each in one line, for a verdict that tells of the good
/// answers itself.
pub(crate) fn missed(summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let goals = summary
        .metric(PLANNED_LATENCY)
        .map(|metric| &metric.thresholds);
    let missed = goals.into_iter().flatten().filter(|goal| !goal.ok);
    let all =
        missed.map(|goal| with_value(summary, goal, reached(summary, goal, catalog), catalog));
    all.collect()
}

/// The same in two parts, for tables.
pub(crate) fn goal_and_value(
    summary: &Summary,
    goal: &ThresholdResult,
    catalog: &Catalog,
) -> (String, String) {
    (typed(goal), value(summary, goal, catalog))
}

/// The metric of a goal of errors.
const FAILED_REQUESTS: &str = "http_req_failed";
/// A goal that was typed as `errors` begins so: the blank tells it from a script's threshold, which is judged alike.
const TYPED_ERRORS: &str = " rate";

/// The condition of a goal that is typed as `errors<1%`; `operator` is `<` or `<=`, `most` a share.
#[must_use]
pub fn errors_condition(operator: &str, most: f64) -> String {
    format!("{TYPED_ERRORS}{operator}{most}")
}

/// What was typed as `errors<1%`, of the condition that it became.
fn typed_errors(condition: &str) -> Option<String> {
    let limit = condition.strip_prefix(TYPED_ERRORS)?;
    let number = limit.trim_start_matches(['<', '=']);
    let operator = &limit[..limit.len() - number.len()];
    let share: f64 = number.parse().ok()?;
    // Shares of a person have few digits; those that binary numbers add are none of them.
    let percent = (share * 100.0 * DIGITS_KEPT).round() / DIGITS_KEPT;
    Some(format!("errors{operator}{percent}%"))
}

/// Parts of a percent that are kept.
const DIGITS_KEPT: f64 = 1e9;

/// A goal as lists name it: its metric and its condition; of planned starts and of errors as it was typed.
#[must_use]
pub fn name(metric: &str, condition: &str) -> String {
    if metric == FAILED_REQUESTS
        && let Some(typed) = typed_errors(condition)
    {
        return typed;
    }
    let condition = condition.trim();
    if metric == PLANNED_LATENCY {
        // As it was typed: `avg` is the word of thresholds.
        match condition.strip_prefix("avg") {
            Some(limit) => format!("mean{limit}ms"),
            None => format!("{condition}ms"),
        }
    } else {
        format!("{metric} {condition}")
    }
}

/// Starts are planned; else users set the pace.
fn is_open(summary: &Summary) -> bool {
    summary.intended_latency().is_some()
}

fn typed(goal: &ThresholdResult) -> String {
    name(PLANNED_LATENCY, &goal.source)
}

/// What a goal came to, and that of the good answers alone where some starts are misses.
fn value(summary: &Summary, goal: &ThresholdResult, catalog: &Catalog) -> String {
    let mut text = reached(summary, goal, catalog);
    if let Some(starts) = summary
        .planned_answers()
        .filter(|starts| starts.missed() > 0)
        && let Some(good) = of_good(&starts, goal)
    {
        let good = catalog.text(&messages::goal_good(good));
        text.push_str(&format!("; {good}"));
    }
    text
}

fn reached(summary: &Summary, goal: &ThresholdResult, catalog: &Catalog) -> String {
    let mut text = match goal.observed {
        Some(value) => millis(as_in_the_table(summary, goal).unwrap_or(value)),
        None => catalog.text(&messages::goal_not_reached()),
    };
    let misses = summary
        .planned_answers()
        .map(|starts| misses(&starts, catalog));
    let misses = misses.unwrap_or_default();
    if !misses.is_empty() {
        text.push_str(&format!(" ({})", misses.join(", ")));
    }
    text
}

/// What a goal came to, as everything that tells of it has it; infinite where too few starts were answered well.
/// `None` where nothing was judged.
#[must_use]
pub fn came_to(summary: &Summary, metric: &str, goal: &ThresholdResult) -> Option<f64> {
    if metric != PLANNED_LATENCY {
        return goal.observed;
    }
    Some(match goal.observed {
        Some(value) => as_in_the_table(summary, goal).unwrap_or(value),
        None => f64::INFINITY,
    })
}

/// The percentile as tables of latency have it: between two values of few, where a goal is judged by the time of a start.
/// One run shows one of them, so long as it tells the same of the goal. `None` where some starts are misses: then it is
/// another percentile.
fn as_in_the_table(summary: &Summary, goal: &ThresholdResult) -> Option<f64> {
    let starts = summary.planned_answers()?;
    let asked = Expression::parse(&goal.source).ok()?;
    let share = match asked.statistic {
        ThresholdStatistic::Percentile(percentile) => percentile / 100.0,
        ThresholdStatistic::Med => 0.5,
        _ => return None,
    };
    let value = starts
        .well
        .percentile(share)
        .filter(|_| starts.missed() == 0)?;
    (asked.operator.holds(value, asked.limit) == goal.ok).then_some(value)
}

/// Why starts were not answered well, by share.
fn misses(starts: &PlannedAnswers, catalog: &Catalog) -> Vec<String> {
    let planned = starts.planned().max(1) as f64;
    let share = |count: u64| percent(count as f64 / planned);
    let mut said = Vec::new();
    if starts.failed > 0 {
        said.push(messages::goal_failed(share(starts.failed)));
    }
    if starts.lost > 0 {
        said.push(messages::goal_lost(share(starts.lost)));
    }
    said.iter().map(|message| catalog.text(message)).collect()
}

/// What the goal asks for, of the good answers alone.
fn of_good(starts: &PlannedAnswers, goal: &ThresholdResult) -> Option<String> {
    let statistic = Expression::parse(&goal.source).ok()?.statistic;
    let value = match statistic {
        ThresholdStatistic::Percentile(percentile) => starts.well.percentile(percentile / 100.0),
        ThresholdStatistic::Med => starts.well.percentile(0.5),
        ThresholdStatistic::Avg => starts.well.mean(),
        ThresholdStatistic::Max => starts.well.max(),
        ThresholdStatistic::Min
        | ThresholdStatistic::Value
        | ThresholdStatistic::Count
        | ThresholdStatistic::Rate => None,
    };
    let name = match statistic {
        ThresholdStatistic::Avg => "mean".to_owned(),
        named => named.to_string(),
    };
    value.map(|value| format!("{name} {}", millis(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: `--slo 'errors<1%'` stood in every summary as `http_req_failed rate<0.01`.
    #[test]
    fn a_goal_of_errors_is_named_as_it_was_typed_and_a_scripts_as_the_script_has_it() {
        for (operator, share, typed) in [
            ("<", 0.01, "errors<1%"),
            ("<=", 0.0, "errors<=0%"),
            ("<", 0.07, "errors<7%"),
            ("<=", 0.000_5, "errors<=0.05%"),
            ("<", 0.29, "errors<29%"),
        ] {
            let condition = errors_condition(operator, share);
            assert_eq!(name(FAILED_REQUESTS, &condition), typed);
            // It is judged as any other.
            let judged = Expression::parse(&condition).unwrap();
            assert_eq!(judged.limit.to_bits(), share.to_bits());
        }
        let of_script = name(FAILED_REQUESTS, "rate<0.01");
        assert_eq!(of_script, "http_req_failed rate<0.01");
    }
}
