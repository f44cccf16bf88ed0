//! Judges a finished run: the conditions of `ensure`, and the apdex score.

use std::collections::BTreeMap;

use loadline_report::artillery::Period;
use serde_json::Value;

use crate::filtrex::FiltrexExpression;
use crate::model::{Ensure, EnsureCheck};
use crate::text::{json_number, number_text, to_number};
use loadline_units::Random;

/// A judged check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedCheck {
    /// The check.
    pub check: EnsureCheck,
    /// Whether it holds.
    pub holds: bool,
    /// Why it could not be judged.
    pub error: Option<String>,
}

impl JudgedCheck {
    /// Artillery's line for it.
    #[must_use]
    pub fn line(&self) -> String {
        if self.holds {
            return format!("ok: {}", self.check.shown);
        }
        let optional = if self.check.strict { "" } else { " (optional)" };
        format!("fail: {}{optional}", self.check.shown)
    }
}

/// The values that conditions may refer to, by name: counters, rates, `summary.aggregation`.
fn values(totals: &Period) -> BTreeMap<String, f64> {
    let mut values = totals.counters.clone();
    values.extend(
        totals
            .rates
            .iter()
            .map(|(name, rate)| (name.clone(), *rate)),
    );
    for (name, summary) in &totals.summaries {
        for (aggregation, value) in summary.named() {
            values.insert(format!("{name}.{aggregation}"), value);
        }
    }
    values
}

/// Judges all checks. Those that hold come first, as Artillery lists them.
#[must_use]
pub fn judge(ensure: &Ensure, totals: &Period, random: &Random) -> Vec<JudgedCheck> {
    let values = values(totals);
    let names: Vec<&str> = values.keys().map(String::as_str).collect();
    let mut judged: Vec<JudgedCheck> = ensure
        .checks
        .iter()
        .map(|check| {
            let lookup = |name: &str| values.get(name).map(|value| json_number(*value));
            let (holds, error) =
                match FiltrexExpression::parse_with_names(&check.expression, &names) {
                    Ok(expression) => (is_one(expression.value(&lookup, random).as_ref()), None),
                    Err(error) => (false, Some(error.to_string())),
                };
            JudgedCheck {
                check: check.clone(),
                holds,
                error,
            }
        })
        .collect();
    judged.sort_by_key(|judged| !judged.holds);
    judged
}

fn is_one(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Number(_))) && (to_number(value) - 1.0).abs() < f64::EPSILON
}

/// Artillery's line with the apdex score; `None` if no request was rated.
#[must_use]
pub fn apdex_line(totals: &Period) -> Option<String> {
    let (satisfied, tolerated, frustrated) = (
        totals.counter("apdex.satisfied"),
        totals.counter("apdex.tolerated"),
        totals.counter("apdex.frustrated"),
    );
    let all = satisfied + tolerated + frustrated;
    if all <= 0.0 {
        return None;
    }
    let score = (satisfied + tolerated / 2.0) / all;
    let ranking = match score {
        score if score >= 0.94 => "excellent",
        score if score >= 0.85 => "good",
        score if score >= 0.7 => "fair",
        score if score >= 0.49 => "poor",
        _ => "unacceptable",
    };
    Some(format!("Apdex score: {} ({ranking})", number_text(score)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_report::artillery::Distribution;

    fn totals() -> Period {
        let mut totals = Period::default();
        for (name, value) in [
            ("http.codes.200", 10.0),
            ("vusers.created", 10.0),
            ("vusers.completed", 9.0),
            ("vusers.created_by_name.0", 10.0),
            ("apdex.satisfied", 8.0),
            ("apdex.tolerated", 2.0),
        ] {
            totals.counters.insert(name.to_owned(), value);
        }
        let times = Distribution {
            p95: 120.0,
            ..Distribution::default()
        };
        totals
            .summaries
            .insert("http.response_time".to_owned(), times);
        totals
    }

    fn holds(expression: &str) -> bool {
        let ensure = Ensure {
            checks: vec![EnsureCheck {
                expression: expression.to_owned(),
                shown: expression.to_owned(),
                strict: true,
            }],
        };
        judge(&ensure, &totals(), &Random::new(1))[0].holds
    }

    #[test]
    fn conditions_are_judged_over_all_that_was_measured() {
        assert!(holds(
            "http.response_time.p95 < 200 and http.codes.200 == 10"
        ));
        assert!(!holds("http.response_time.p95 < 100"));
        assert!(!holds("no.such.metric < 100"));
        assert!(holds(
            "((vusers.created - vusers.completed)/vusers.created * 100) <= 10"
        ));
        assert!(!holds("((("));
        assert!(!holds("vusers.created"), "only true itself holds");
    }

    #[test]
    fn the_apdex_score_has_a_rank() {
        assert_eq!(apdex_line(&totals()).unwrap(), "Apdex score: 0.9 (good)");
        assert_eq!(apdex_line(&Period::default()), None);
    }
}
