//! A comparison of runs: changed answers first, then a table of what can be said.

use loadline_analysis::compare::{
    AnswerChange, Change, Comparison, Difference, Endpoint, Finding, Measure, Settings, Why,
};
use loadline_text::{Catalog, Message, grouped, millis, percent, records, significant};

use crate::grid::{Grid, Side};

/// What the comparison itself does not know.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// What the first side is called.
    pub before: String,
    /// What the second side is called.
    pub after: String,
    /// What keeps the two from being alike, in words.
    pub warnings: Vec<String>,
}

/// The whole comparison; ends with a line break.
#[must_use]
pub fn text(
    comparison: &Comparison,
    facts: &Facts,
    settings: &Settings,
    catalog: &Catalog,
) -> String {
    let page = Page { settings, catalog };
    let side = |name: &str, runs: usize| match runs {
        1 => name.to_owned(),
        _ => page.say(&records::compare_side(name, runs)),
    };
    let title = records::compare_title(
        side(&facts.before, comparison.runs.0),
        side(&facts.after, comparison.runs.1),
    );
    let mut text = format!("{}\n", page.say(&title));
    for warning in &facts.warnings {
        text.push_str(&format!("! {warning}\n"));
    }
    let all = || std::iter::once(&comparison.whole).chain(&comparison.endpoints);
    for endpoint in all().filter(|endpoint| !endpoint.changed.is_empty()) {
        text.push_str(&page.changes(endpoint));
    }
    text.push('\n');
    for endpoint in all() {
        text.push_str(&page.endpoint(endpoint));
    }
    for (names, message) in [
        (
            &comparison.only_before,
            records::compare_only_before as fn(String) -> Message,
        ),
        (&comparison.only_after, records::compare_only_after),
    ] {
        if !names.is_empty() {
            text.push_str(&format!("{}\n", page.say(&message(names.join(", ")))));
        }
    }
    let confidence = records::compare_confidence(percent(settings.confidence));
    text.push_str(&format!("{}\n", page.say(&confidence)));
    text
}

struct Page<'a> {
    settings: &'a Settings,
    catalog: &'a Catalog,
}

impl Page<'_> {
    fn say(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn name(&self, endpoint: &Endpoint) -> String {
        if endpoint.name.is_empty() {
            return self.say(&records::compare_all());
        }
        endpoint.name.clone()
    }

    fn changes(&self, endpoint: &Endpoint) -> String {
        let title = self.say(&records::compare_changed(self.name(endpoint)));
        let mut text = format!("{title}\n");
        for change in &endpoint.changed {
            let line = match change {
                AnswerChange::Status {
                    status,
                    before,
                    after,
                } => records::compare_changed_status(status, percent(*before), percent(*after)),
                AnswerChange::Size { before, after } => {
                    records::compare_changed_size(grouped(*before, 0), grouped(*after, 0))
                }
                AnswerChange::Keys { gone, new } => {
                    records::compare_changed_keys(gone.join(" "), new.join(" "))
                }
            };
            text.push_str(&format!("  {}\n", self.say(&line)));
        }
        text
    }

    fn endpoint(&self, endpoint: &Endpoint) -> String {
        let mut grid = Grid::default();
        grid.column(self.name(endpoint), Side::Left);
        grid.column("A".to_owned(), Side::Right);
        grid.column("B".to_owned(), Side::Right);
        grid.column(String::new(), Side::Left);
        for difference in &endpoint.differences {
            let nothing = Finding::CannotTell { why: Why::Nothing };
            if difference.finding == nothing {
                continue;
            }
            let written = |value: f64| match difference.measure {
                Measure::Rate => significant(value),
                Measure::Errors => percent(value),
                Measure::Mean | Measure::P50 | Measure::P95 => millis(value),
            };
            grid.row(vec![
                self.say(&measure(difference.measure)),
                written(difference.before),
                written(difference.after),
                self.finding(difference),
            ]);
        }
        format!("{}\n", grid.render())
    }

    fn finding(&self, difference: &Difference) -> String {
        let message = match (difference.finding, difference.change) {
            (Finding::Better, Some(change)) => {
                let (by, low, high) = sizes(change);
                records::compare_better(by, low, high)
            }
            (Finding::Worse, Some(change)) => {
                let (by, low, high) = sizes(change);
                records::compare_worse(by, low, high)
            }
            (Finding::NoLargerThan { share }, _) => records::compare_same(percent(share)),
            (Finding::CannotTell { why }, change) => {
                let reason = self.say(&self.why(why));
                match change {
                    Some(change) => records::compare_cannot_interval(
                        signed(change.low),
                        signed(change.high),
                        reason,
                    ),
                    None => records::compare_cannot(reason),
                }
            }
            // Whoever is called better or worse has an interval.
            (Finding::Better | Finding::Worse, None) => {
                records::compare_cannot(self.say(&records::compare_why_nothing()))
            }
        };
        self.say(&message)
    }

    fn why(&self, why: Why) -> Message {
        match why {
            Why::TooShort => records::compare_why_short(),
            Why::SingleRuns => records::compare_why_single(percent(self.settings.single_floor)),
            Why::Spread { runs } => {
                records::compare_why_spread(runs, percent(self.settings.tolerance))
            }
            Why::Nothing => records::compare_why_nothing(),
        }
    }
}

fn measure(measure: Measure) -> Message {
    match measure {
        Measure::Rate => records::compare_measure_rate(),
        Measure::Mean => records::compare_measure_mean(),
        Measure::P50 => records::compare_measure_p50(),
        Measure::P95 => records::compare_measure_p95(),
        Measure::Errors => records::compare_measure_errors(),
    }
}

/// A change of known direction: its size, and the interval from the smaller on.
fn sizes(change: Change) -> (String, String, String) {
    let size = |share: f64| percent_of(share.abs());
    let (low, high) = if change.middle < 0.0 {
        (change.high, change.low)
    } else {
        (change.low, change.high)
    };
    (size(change.middle), size(low), size(high))
}

fn signed(share: f64) -> String {
    let sign = if share < 0.0 { "-" } else { "+" };
    format!("{sign}{}", percent_of(share.abs()))
}

/// A size of change, which may exceed the whole.
fn percent_of(share: f64) -> String {
    if share >= 1.0 {
        return format!("{} %", grouped(share * 100.0, 0));
    }
    percent(share)
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    fn difference(measure: Measure, change: Option<Change>, finding: Finding) -> Difference {
        Difference {
            measure,
            before: 100.0,
            after: 90.0,
            change,
            finding,
        }
    }

    #[test]
    fn changed_answers_come_before_any_speed_up() {
        let change = |low, middle, high| Some(Change { low, middle, high });
        let endpoint = |name: &str, changed, differences| Endpoint {
            name: name.to_owned(),
            changed,
            differences,
        };
        let spread = Finding::CannotTell {
            why: Why::Spread { runs: 12 },
        };
        let comparison = Comparison {
            whole: endpoint(
                "",
                Vec::new(),
                vec![
                    difference(
                        Measure::Rate,
                        change(-0.01, 0.0, 0.012),
                        Finding::NoLargerThan { share: 0.012 },
                    ),
                    difference(Measure::P95, change(-0.16, -0.12, -0.08), Finding::Better),
                    difference(Measure::Mean, change(-0.1, 0.02, 0.2), spread),
                ],
            ),
            endpoints: vec![endpoint(
                "/orders",
                vec![AnswerChange::Status {
                    status: "500".to_owned(),
                    before: 0.0,
                    after: 0.12,
                }],
                vec![difference(
                    Measure::P95,
                    change(1.0, 1.5, 2.0),
                    Finding::Worse,
                )],
            )],
            only_before: Vec::new(),
            only_after: vec!["/new".to_owned()],
            runs: (5, 5),
        };
        let facts = Facts {
            before: "base".to_owned(),
            after: "pool-20".to_owned(),
            warnings: Vec::new(),
        };
        let settings = Settings::default();
        let english = text(&comparison, &facts, &settings, &Catalog::new(Lang::En));
        insta::assert_snapshot!(english, @r#"
        pool-20 (5 runs) against base (5 runs)
        ANSWERS CHANGED: /orders
          status 500: 0 % before, 12.0 % after

        all requests       A        B
        TPS              100     90.0  no difference larger than 1.20 %
        p95           100 ms  90.0 ms  better by 12.0 % [8.00 %, 16.0 %]
        mean          100 ms  90.0 ms  cannot tell [-10.0 %, +20.0 %]: they spread too much; about 12 runs a side would show differences of 5.00 %

        /orders       A        B
        p95      100 ms  90.0 ms  WORSE by 150 % [100 %, 200 %]

        only after: /new
        intervals hold together with 95.0 % confidence
        "#);
    }
}
