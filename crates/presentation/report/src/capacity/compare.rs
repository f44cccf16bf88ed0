//! Two capacities beside each other: at their lines and peaks, never at equal users.

use std::ops::RangeInclusive;

use loadline_analysis::compare::{TargetSettings, setting_changes};
use loadline_record::LimitVerdict;
use loadline_text::{Catalog, Message, capacity, grouped, significant};

use crate::comparison::caveats::other_target;
use crate::explanation::verdict as explained;

/// What of an answer is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CapacitySide {
    /// What it is called.
    pub name: String,
    /// The objective, as text.
    pub objective: Vec<String>,
    /// Throughput at the line, its interval.
    pub line: Option<(f64, f64, f64)>,
    /// Throughput at the knee.
    pub knee: Option<f64>,
    /// The peak's throughput with its interval.
    pub peak: Option<(f64, f64, f64)>,
    /// What limits, as `explain` says it.
    pub limit: Option<LimitVerdict>,
    /// How the target was set up, as far as it was observed.
    pub target: TargetSettings,
}

/// The comparison; `factor` is how many times the instances the second side has.
#[must_use]
pub fn text(
    before: &CapacitySide,
    after: &CapacitySide,
    factor: Option<f64>,
    catalog: &Catalog,
) -> String {
    let say = |message: Message| catalog.text(&message);
    let rate = |value: f64| format!("{}/s", significant(value));
    let mut lines = vec![say(capacity::compare_title(&before.name, &after.name))];
    let sides = [&before.target, &after.target].map(|side| vec![side.clone()]);
    let changes = setting_changes(&sides[0], &sides[1]);
    if !changes.is_empty() {
        lines.push(say(other_target(&changes, catalog)));
    }
    let missing = |a: bool| if a { &before.name } else { &after.name };
    match (before.line, after.line) {
        _ if before.objective != after.objective => {
            lines.push(say(capacity::compare_line_other()));
        }
        (Some(a), Some(b)) => {
            let change = change(a.0, b.0);
            lines.push(say(capacity::compare_line(rate(a.0), rate(b.0), change)));
            lines.push(format!("  {}", say(apart(a.1..=a.2, b.1..=b.2))));
        }
        (a, _) => lines.push(say(capacity::compare_line_missing(missing(a.is_none())))),
    }
    match (before.knee, after.knee) {
        (Some(a), Some(b)) => {
            lines.push(say(capacity::compare_knee(rate(a), rate(b), change(a, b))));
        }
        (a, _) => {
            let what = say(capacity::row_knee());
            lines.push(say(capacity::compare_missing(what, missing(a.is_none()))));
        }
    }
    match (before.peak, after.peak) {
        (Some(a), Some(b)) => {
            lines.push(say(capacity::compare_peak(
                rate(a.0),
                rate(b.0),
                change(a.0, b.0),
            )));
            if let Some(factor) = factor.filter(|factor| *factor > 0.0) {
                let gain = b.0 / a.0;
                let efficiency = format!("{} %", grouped(gain / factor * 100.0, 0));
                let (factor, gain) = (significant(factor), significant(gain));
                lines.push(say(capacity::compare_scale(factor, gain, efficiency)));
            }
        }
        (a, _) => {
            let what = say(capacity::row_peak());
            lines.push(say(capacity::compare_missing(what, missing(a.is_none()))));
        }
    }
    if let (Some(a), Some(b)) = (&before.limit, &after.limit) {
        lines.push(explained::moved(a, b, catalog));
        for (name, limit) in [(&before.name, a), (&after.name, b)] {
            lines.push(format!("  {name}: {}", explained::text(limit, catalog)));
        }
    }
    lines.join("\n") + "\n"
}

fn apart(a: RangeInclusive<f64>, b: RangeInclusive<f64>) -> Message {
    if a.end() < b.start() || b.end() < a.start() {
        capacity::compare_apart()
    } else {
        capacity::compare_overlap()
    }
}

fn change(before: f64, after: f64) -> String {
    let share = (after / before - 1.0) * 100.0;
    let sign = if share < 0.0 { "-" } else { "+" };
    format!("{sign}{} %", grouped(share.abs(), 0))
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    fn setup(pool: &str) -> TargetSettings {
        TargetSettings::from([("pool-max".to_owned(), pool.to_owned())])
    }

    #[test]
    fn sides_are_compared_at_their_peaks_and_lines() {
        let one = CapacitySide {
            name: "one".to_owned(),
            objective: vec!["mean<=100ms".to_owned()],
            line: Some((143.6, 107.9, 145.9)),
            knee: Some(151.6),
            peak: Some((167.1, 167.1, 167.1)),
            limit: None,
            target: setup("10"),
        };
        let two = CapacitySide {
            name: "two".to_owned(),
            line: None,
            knee: Some(327.7),
            peak: Some((347.4, 347.4, 347.4)),
            target: setup("30"),
            ..one.clone()
        };
        insta::assert_snapshot!(text(&one, &two, Some(2.0), &Catalog::new(Lang::En)), @"
        capacity of two against one
        the target was set up differently: pool-max 10 → 30
        capacity under the objective: two has none
        knee: 152/s -> 328/s (+116 %)
        peak: 167/s -> 347/s (+108 %)
        2.00 times the instances give 2.08 times the peak: efficiency 104 %
        ");
    }
}
