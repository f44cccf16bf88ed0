//! Why differences cannot be told: a reason of several rows is said once, below the tables.

use loadline_analysis::compare::{Comparison, Finding};
use loadline_text::records;

use super::{Page, is_shown};

/// The reasons that more than one row has, each with the number by which rows refer to it.
#[derive(Debug, Default)]
pub(super) struct SharedReasons(Vec<String>);

impl SharedReasons {
    /// Those of a comparison, in the order of their first rows.
    pub(super) fn new(comparison: &Comparison, page: &Page<'_>) -> Self {
        let endpoints = std::iter::once(&comparison.whole).chain(&comparison.endpoints);
        let rows = endpoints.flat_map(|endpoint| &endpoint.differences);
        let mut counted: Vec<(String, usize)> = Vec::new();
        for row in rows.filter(|row| is_shown(row)) {
            let Finding::CannotTell { why } = row.finding else {
                continue;
            };
            let reason = page.text(&page.why(row.measure, why));
            match counted.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, rows)) => *rows += 1,
                None => counted.push((reason, 1)),
            }
        }
        let shared = counted.into_iter().filter(|(_, rows)| *rows > 1);
        Self(shared.map(|(reason, _)| reason).collect())
    }

    /// How rows refer to a reason, if they share it.
    pub(super) fn mark(&self, reason: &str) -> Option<String> {
        let place = self.0.iter().position(|shared| shared == reason)?;
        Some(format!("({})", place + 1))
    }

    /// The reasons, a line each.
    pub(super) fn lines(&self, page: &Page<'_>) -> String {
        let numbered = self.0.iter().zip(1..);
        let line = |(reason, number): (&String, usize)| {
            format!(
                "({number}) {}\n",
                page.text(&records::compare_cannot(reason))
            )
        };
        numbered.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::{
        Change, ComparisonSettings, Difference, Endpoint, Measure, ShortRun, UncertaintyReason,
    };
    use loadline_text::{Catalog, Lang};

    use super::*;
    use crate::comparison::tests::compared;
    use crate::comparison::{ComparisonFacts, text};

    fn row(measure: Measure, why: UncertaintyReason) -> Difference {
        Difference {
            measure,
            before: Some(100.0),
            after: Some(90.0),
            at_least: (false, false),
            of_stages: None,
            change: (measure != Measure::P50).then_some(Change {
                low: -0.2,
                middle: 0.0,
                high: 0.1,
            }),
            finding: Finding::CannotTell { why },
        }
    }

    /// Seen: two runs of 13 s, and the same sentence in each of 14 rows.
    #[test]
    fn a_reason_of_several_rows_is_said_once() {
        let short = UncertaintyReason::TooShort {
            run: ShortRun {
                seconds: 13,
                requests: 18,
                seconds_needed: 10,
                requests_needed: 20,
                runs_needed: 3,
            },
        };
        let endpoint = |name: &str, differences| Endpoint {
            name: name.to_owned(),
            changed: Vec::new(),
            differences,
            failed_p95: [None, None],
        };
        let whole = endpoint(
            "",
            vec![
                row(Measure::Rate, short),
                row(Measure::P50, short),
                row(Measure::P95, UncertaintyReason::Cut),
            ],
        );
        let orders = endpoint("/orders", vec![row(Measure::Mean, short)]);
        let comparison = Comparison {
            runs: (1, 1),
            requests: (100.0, 100.0),
            seconds: (13, 13),
            intervals: 4,
            ..compared(whole, vec![orders])
        };
        let facts = ComparisonFacts {
            before: "one".to_owned(),
            after: "two".to_owned(),
            ..ComparisonFacts::default()
        };
        let settings = ComparisonSettings::default();
        let said = |lang| text(&comparison, &facts, &settings, &Catalog::new(lang));
        insta::assert_snapshot!(said(Lang::En), @r#"
        two against one

        all requests       A        B
        TPS              100     90.0  [-20.0 %, +10.0 %] (1)
        p50           100 ms  90.0 ms  (1)
        p95           100 ms  90.0 ms  cannot tell [-20.0 %, +10.0 %]: requests were cut, so one side is only a lower bound (≥)

        /orders       A        B
        mean     100 ms  90.0 ms  [-20.0 %, +10.0 %] (1)

        (1) cannot tell: 18 answers in 13 full seconds are too few to see how they spread; what would tell: runs with 20 answers or more in 10 full seconds or more, or 3 runs a side (--repeat 3)
        n = 100 requests in 13 s against 100 in 13 s; the 4 intervals of all requests hold together with 95.0 % confidence. Times and TPS: ratio, t over runs with Welch's degrees of freedom, pooled where both sides vary alike (batch means within a single run). Shares: difference in percentage points, Newcombe's score interval
        "#);
        assert_eq!(said(Lang::Ko).matches("판단할 수 없음").count(), 2);
    }
}
