//! Two capacities beside each other: at their lines and peaks, never at equal users.

use loadline_analysis::capacity::table::Judgement;
use loadline_analysis::compare::{TargetSettings, setting_changes};
use loadline_analysis::curve::Crossing;
use loadline_record::LimitVerdict;
use loadline_text::{Catalog, Message, capacity, grouped, significant};

use super::file::{CapacityFile, UnitInFile};
use crate::comparison::caveats::other_target;
use crate::explanation::verdict as explained;

/// What of an answer is compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CapacitySide {
    /// What it is called.
    pub name: String,
    /// The objective, as text.
    pub objective: Vec<String>,
    /// What loads are counted in; a table does not tell.
    pub unit: Option<UnitInFile>,
    /// How starts were spaced, where the file tells.
    pub arrivals: Option<String>,
    /// The test: its name and the hash of its files.
    pub test: Option<(String, String)>,
    /// Throughput at the line.
    pub line: Option<ComparedLine>,
    /// Throughput at the knee.
    pub knee: Option<f64>,
    /// The peak's throughput with its interval.
    pub peak: Option<(f64, f64, f64)>,
    /// What limits, as `explain` says it.
    pub limit: Option<LimitVerdict>,
    /// How the target was set up, as far as it was observed.
    pub target: TargetSettings,
}

/// Throughput at a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparedLine {
    /// The estimate.
    pub middle: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be; `None` of a search that saw no load that is too much, or was stopped.
    pub high: Option<f64>,
}

impl ComparedLine {
    /// Of a search's file; `None` where no load held.
    #[must_use]
    pub fn of_file(file: &CapacityFile) -> Option<Self> {
        let line = file.line.as_ref()?;
        let per_load = line.throughput / line.load.max(f64::MIN_POSITIVE);
        let likely = line.likely.as_ref();
        let middle = likely.map_or(line.load, |likely| likely.load);
        let low = likely.map_or(line.load, |likely| likely.low.min(line.load));
        let ends = [line.beyond, likely.map(|likely| likely.high)];
        let high = ends.into_iter().flatten().reduce(f64::max);
        let is_bound = file.end.starts_with("at-least") && line.beyond.is_none();
        Some(Self {
            middle: middle * per_load,
            low: low * per_load,
            high: high
                .filter(|_| !is_bound)
                .map(|high| high.max(line.load) * per_load),
        })
    }

    /// Of a table; `None` where no row holds, or nothing says what is to hold.
    #[must_use]
    pub fn of_table(judgement: &Judgement) -> Option<Self> {
        let at = |place: usize| judgement.rows[place].throughput;
        let line = match judgement.crossing {
            Crossing::Below => None,
            Crossing::Above { last } => Some(Self {
                middle: at(last),
                low: at(last),
                high: None,
            }),
            Crossing::Between {
                last,
                first,
                throughput,
                ..
            } => Some(Self {
                middle: throughput.unwrap_or(at(last)),
                low: at(last).min(at(first)),
                high: Some(at(last).max(at(first))),
            }),
        };
        line.filter(|_| !judgement.judged.is_empty())
    }

    fn text(self, catalog: &Catalog) -> String {
        match self.high {
            Some(_) => rate(self.middle),
            None => catalog.text(&capacity::compare_at_least(rate(self.low))),
        }
    }
}

fn rate(value: f64) -> String {
    format!("{}/s", significant(value))
}

/// What the two sides do not have in common, first of all.
fn unlike(before: &CapacitySide, after: &CapacitySide, catalog: &Catalog) -> Vec<String> {
    let unit = |side: &CapacitySide| {
        let unit = side.unit?;
        Some(catalog.text(&match unit {
            UnitInFile::IterationsPerSecond => capacity::compare_unit_rate(),
            UnitInFile::VirtualUsers => capacity::compare_unit_users(),
        }))
    };
    let objective = |side: &CapacitySide| Some(side.objective.join(", "));
    let is_other_test = match (&before.test, &after.test) {
        (Some(a), Some(b)) => a.1 != b.1,
        _ => false,
    };
    let test = |side: &CapacitySide| {
        let test = side.test.as_ref().filter(|_| is_other_test);
        // Files of one name may differ.
        test.map(|(name, hash)| {
            let hash: String = hash.chars().take(HASH_SHOWN).collect();
            format!("{name} ({hash})")
        })
    };
    let arrivals = |side: &CapacitySide| side.arrivals.clone();
    let differing = |what: Message, [a, b]: [Option<String>; 2]| {
        let (a, b) = (a?, b?);
        (a != b).then(|| {
            let message = capacity::compare_unlike(catalog.text(&what), a, b);
            format!("! {}", catalog.text(&message))
        })
    };
    let sides = [before, after];
    let lines = [
        differing(capacity::compare_of_unit(), sides.map(unit)),
        differing(capacity::compare_of_objective(), sides.map(objective)),
        differing(capacity::compare_of_test(), sides.map(test)),
        differing(capacity::compare_of_arrivals(), sides.map(arrivals)),
    ];
    lines.into_iter().flatten().collect()
}

/// Characters of a hash that are shown.
const HASH_SHOWN: usize = 8;

/// The comparison; `factor` is how many times the instances the second side has.
#[must_use]
pub fn text(
    before: &CapacitySide,
    after: &CapacitySide,
    factor: Option<f64>,
    catalog: &Catalog,
) -> String {
    let say = |message: Message| catalog.text(&message);
    let mut lines = vec![say(capacity::compare_title(&before.name, &after.name))];
    lines.extend(unlike(before, after, catalog));
    let sides = [&before.target, &after.target].map(|side| vec![side.clone()]);
    let changes = setting_changes(&sides[0], &sides[1]);
    if !changes.is_empty() {
        lines.push(say(other_target(&changes, catalog)));
    }
    let missing = |a: bool| if a { &before.name } else { &after.name };
    match (before.line, after.line) {
        _ if before.objective != after.objective || is_other_unit(before, after) => {
            lines.push(say(capacity::compare_line_other()));
        }
        (Some(a), Some(b)) => {
            let (first, second) = (a.text(catalog), b.text(catalog));
            lines.push(say(if a.high.is_some() && b.high.is_some() {
                capacity::compare_line(first, second, change(a.middle, b.middle))
            } else {
                capacity::compare_line_bound(first, second)
            }));
            lines.push(format!("  {}", say(apart(a, b))));
        }
        _ if before.objective.is_empty() && after.objective.is_empty() => {
            lines.push(say(capacity::compare_line_unasked()));
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

/// Loads in another unit: users that think are no rate.
fn is_other_unit(before: &CapacitySide, after: &CapacitySide) -> bool {
    let units = before.unit.zip(after.unit);
    units.is_some_and(|(a, b)| a != b)
}

fn apart(a: ComparedLine, b: ComparedLine) -> Message {
    let is_below =
        |one: ComparedLine, other: ComparedLine| one.high.is_some_and(|high| high < other.low);
    if is_below(a, b) || is_below(b, a) {
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
            unit: Some(UnitInFile::VirtualUsers),
            arrivals: None,
            test: None,
            line: Some(ComparedLine {
                middle: 143.6,
                low: 107.9,
                high: Some(145.9),
            }),
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

    fn found(middle: f64, high: Option<f64>) -> CapacitySide {
        CapacitySide {
            name: "one".to_owned(),
            objective: vec!["p(95)<300ms".to_owned()],
            unit: Some(UnitInFile::IterationsPerSecond),
            line: Some(ComparedLine {
                middle,
                low: middle,
                high,
            }),
            ..CapacitySide::default()
        }
    }

    /// Seen: "-22 %, the intervals do not overlap" of two searches of one target, one of which
    /// ended at a lower bound.
    #[test]
    fn a_lower_bound_is_no_figure_to_subtract() {
        let said = |a: &CapacitySide, b: &CapacitySide| text(a, b, None, &Catalog::new(Lang::En));
        let (bound, line) = (found(50.0, None), found(64.0, Some(66.0)));
        let told = said(&line, &bound);
        assert!(told.contains("64.0/s -> at least 50.0/s\n"), "{told}");
        assert!(told.contains("cannot tell"), "{told}");
        let told = said(&line, &found(90.0, None));
        assert!(told.contains("does not overlap"), "{told}");
    }

    #[test]
    fn what_was_asked_otherwise_comes_first_and_other_units_are_not_subtracted() {
        let one = found(64.0, Some(66.0));
        let two = CapacitySide {
            unit: Some(UnitInFile::VirtualUsers),
            objective: vec!["p(95)<500ms".to_owned()],
            test: Some(("a.js".to_owned(), "0123456789".to_owned())),
            ..one.clone()
        };
        let told = text(&one, &two, None, &Catalog::new(Lang::En));
        let lines: Vec<&str> = told.lines().skip(1).take(3).collect();
        let expected = [
            "! different unit of load: iterations/s against virtual users",
            "! different objective: p(95)<300ms against p(95)<500ms",
            "capacity under the objective: cannot be compared, the objectives or units differ",
        ];
        assert_eq!(lines, expected);
    }
}
