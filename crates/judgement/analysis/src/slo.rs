//! What a back end must keep to: its service-level objective, as terms.
//!
//! ```text
//! term      = statistic [scope] operator limit
//! statistic = "p(" number ")" | "mean" | "max" | "errors" | "checks"
//! scope     = "{" tag ":" value { "," tag ":" value } "}"
//! operator  = "<" | "<=" | ">" | ">="
//! limit     = time | share            500ms, 1.5s, a bare number is ms; 1% or 0.01, never 1
//! ```
//! `p(95){scenario:buy}<500ms` is kept by the requests whose tags say so; `errors{status:503}<1%` by those answers, as a share
//! of all requests, `5xx` being all from 500 to 599. A term is judged
//! with confidence over windows ([`judge`]): kept, missed, or open as long as too few
//! requests were seen. A percentile is judged by the share of planned starts that were not
//! answered well within its limit (`loadline_metrics::PlannedAnswers`).

mod error;
mod judge;
mod rest;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use loadline_units::{halfwidth_sign, parse_duration, parse_share};

pub use error::{TermError, share_words};
pub use judge::{
    JudgedTerm, NOT_REACHED, Sample, SeenSample, TermState, WindowValue, half_way, judge, look,
};
pub use rest::{Load, is_kept_at_rest};

/// The tag that holds an answer's status.
const STATUS_TAG: &str = "status";

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// A percentile of request durations, 0 to 100.
    Percentile(f64),
    /// The mean of request durations.
    Mean,
    /// The longest request.
    Max,
    /// The share of failed requests.
    Errors,
    /// The share of checks that passed.
    Checks,
}

/// A condition to keep to.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// What is asked.
    pub statistic: Statistic,
    /// Tags of the requests it is asked of, as typed; none for all.
    pub scope: Vec<(String, String)>,
    /// Whether the limit itself still keeps it.
    pub inclusive: bool,
    /// Milliseconds for durations, a share (0 to 1) for errors and checks.
    pub limit: f64,
}

impl Statistic {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "mean" | "avg" => return Some(Self::Mean),
            "max" => return Some(Self::Max),
            "med" => return Some(Self::Percentile(50.0)),
            "errors" => return Some(Self::Errors),
            "checks" => return Some(Self::Checks),
            _ => {}
        }
        let rest = text.strip_prefix('p')?;
        let number = rest
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or(rest);
        let percentile: f64 = number.trim().parse().ok()?;
        (percentile > 0.0 && percentile < 100.0).then_some(Self::Percentile(percentile))
    }

    /// Whether it is a share, else a time in milliseconds.
    #[must_use]
    pub const fn is_share(self) -> bool {
        matches!(self, Self::Errors | Self::Checks)
    }

    /// Whether more is better.
    #[must_use]
    pub const fn wants_more(self) -> bool {
        matches!(self, Self::Checks)
    }
}

impl Term {
    /// Whether no run can keep it: fewer errors than none, more checks than all.
    fn is_out_of_reach(&self) -> bool {
        let none_may_fail = self.allowed_failures().is_some_and(|share| share <= 0.0);
        none_may_fail && !self.inclusive
    }

    /// The share that may fail; `None` for times.
    #[must_use]
    pub fn allowed_failures(&self) -> Option<f64> {
        match self.statistic {
            Statistic::Errors => Some(self.limit),
            Statistic::Checks => Some(1.0 - self.limit),
            Statistic::Percentile(_) | Statistic::Mean | Statistic::Max => None,
        }
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percentile(percentile) => write!(f, "p({percentile})"),
            Self::Mean => f.write_str("mean"),
            Self::Max => f.write_str("max"),
            Self::Errors => f.write_str("errors"),
            Self::Checks => f.write_str("checks"),
        }
    }
}

impl FromStr for Term {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Self, TermError> {
        let text = &halfwidth(text);
        let malformed = || TermError::Malformed { text: text.into() };
        // Values of a scope may hold anything but a closing brace.
        let after_scope = text.find('}').map_or(0, |end| end + 1);
        let place = text[after_scope..]
            .find(['<', '>'])
            .map(|place| place + after_scope)
            .ok_or_else(malformed)?;
        let (left, rest) = text.split_at(place);
        let (operator, limit) = match rest.as_bytes().get(1) {
            Some(b'=') => rest.split_at(2),
            _ => rest.split_at(1),
        };
        let (name, scope) = match left.split_once('{') {
            None => (left.trim(), Vec::new()),
            Some((name, inner)) => (name.trim(), scope(inner)?),
        };
        // A number and its unit may be apart: 500 ms.
        let limit: &str = &limit.split_whitespace().collect::<String>();
        if limit.is_empty() || name.is_empty() {
            return Err(malformed());
        }
        let statistic = Statistic::parse(name).ok_or_else(|| TermError::Statistic {
            found: name.to_owned(),
        })?;
        if operator.starts_with('>') != statistic.wants_more() {
            return Err(TermError::Direction {
                statistic: name.to_owned(),
                operator: operator.to_owned(),
                instead: format!("{}{}{limit}", left.trim(), turned(operator)),
            });
        }
        let number = if statistic.is_share() {
            parse_share(limit).map_err(|cause| TermError::Share {
                statistic: name.to_owned(),
                cause,
            })?
        } else {
            millis(limit).ok_or_else(|| TermError::Limit {
                statistic: name.to_owned(),
                found: limit.to_owned(),
            })?
        };
        let term = Self {
            statistic,
            scope,
            inclusive: operator.ends_with('='),
            limit: number,
        };
        if term.is_out_of_reach() {
            return Err(TermError::OutOfReach {
                text: format!("{name}{operator}{limit}"),
                instead: format!("{}{operator}={limit}", left.trim()),
            });
        }
        Ok(term)
    }
}

/// Signs as Korean and Japanese keyboards write them (`＜`, `％`, `（`), made those of ASCII; the values of a scope stay, since a
/// request's name may have them.
fn halfwidth(text: &str) -> String {
    let mut is_in_scope = false;
    let mut narrow = String::with_capacity(text.len());
    for sign in text.chars() {
        is_in_scope = match sign {
            '{' | '｛' => true,
            '}' | '｝' => false,
            _ => is_in_scope,
        };
        let is_brace = matches!(sign, '｛' | '｝');
        match sign {
            other if is_in_scope && !is_brace => narrow.push(other),
            '≤' => narrow.push_str("<="),
            '≥' => narrow.push_str(">="),
            other => narrow.push(halfwidth_sign(other)),
        }
    }
    narrow
}

/// The operator of the other direction.
fn turned(operator: &str) -> &'static str {
    match operator {
        ">=" => "<=",
        ">" => "<",
        "<=" => ">=",
        _ => ">",
    }
}

/// The tags in the braces.
fn scope(inner: &str) -> Result<Vec<(String, String)>, TermError> {
    let wrong = || TermError::Scope {
        found: inner.trim_end_matches('}').to_owned(),
    };
    let inner = inner.trim_end().strip_suffix('}').ok_or_else(wrong)?;
    let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    inner
        .split(',')
        .map(|tag| {
            let (key, value) = tag.split_once(':').ok_or_else(wrong)?;
            let (key, value) = (bare(key), bare(value));
            let named = !key.is_empty() && !value.is_empty();
            named.then_some((key, value)).ok_or_else(wrong)
        })
        .collect()
}

fn millis(text: &str) -> Option<f64> {
    let value = match text.parse::<f64>() {
        Ok(bare) => bare,
        // To the microsecond: people write no finer limits.
        Err(_) => (parse_duration(text).ok()?.as_secs_f64() * 1e6).round() / 1e3,
    };
    (value.is_finite() && value > 0.0).then_some(value)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.statistic)?;
        if !self.scope.is_empty() {
            let tags = self
                .scope
                .iter()
                .map(|(key, value)| format!("{key}:{value}"));
            write!(f, "{{{}}}", tags.collect::<Vec<_>>().join(","))?;
        }
        f.write_str(if self.statistic.wants_more() {
            ">"
        } else {
            "<"
        })?;
        if self.inclusive {
            f.write_str("=")?;
        }
        if self.statistic.is_share() {
            write!(f, "{}%", (self.limit * 1e9).round() / 1e7)
        } else {
            write!(f, "{}ms", self.limit)
        }
    }
}

impl Term {
    /// The tags that requests must have. People say endpoint for what the field calls a
    /// request's name.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.scope.iter().map(|(key, value)| {
            let key = if key == "endpoint" { "name" } else { key };
            (key, value.as_str())
        })
    }

    /// The status whose answers alone are errors to it, as typed: `503` or `5xx`; `None` where all failures are.
    #[must_use]
    pub fn error_status(&self) -> Option<&str> {
        let mut tags = self.tags().filter(|(key, _)| *key == STATUS_TAG);
        let status = tags.next().map(|(_, value)| value);
        status.filter(|_| self.statistic == Statistic::Errors)
    }

    /// The tags of the requests of which a share may fail, or which are to be fast.
    pub fn tags_of_all(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_of_errors = self.error_status().is_some();
        self.tags()
            .filter(move |(key, _)| !is_of_errors || *key != STATUS_TAG)
    }

    /// Whether answers of a status are errors to it.
    #[must_use]
    pub fn counts_status(&self, status: &str) -> bool {
        self.error_status()
            .is_none_or(|meant| is_meant_status(meant, status))
    }

    /// Whether a value (ms, or a share) keeps to it.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        let is_at = (value - self.limit).abs() <= f64::EPSILON * self.limit.abs();
        if is_at {
            return self.inclusive;
        }
        (value > self.limit) == self.statistic.wants_more()
    }

    /// How far a value is beyond the limit, as a share of the limit; negative while it holds.
    #[must_use]
    pub fn excess(&self, value: f64) -> f64 {
        let beyond = (value - self.limit) / self.limit.abs().max(1e-9);
        if self.statistic.wants_more() {
            -beyond
        } else {
            beyond
        }
    }

    /// Its limit as a length of time, if it is one.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        (!self.statistic.is_share()).then(|| Duration::from_secs_f64(self.limit / 1000.0))
    }
}

/// Whether a status is the one meant: itself, or one of its hundred (`5xx`).
#[must_use]
pub fn is_meant_status(meant: &str, status: &str) -> bool {
    let hundred = meant.strip_suffix("xx").or(meant.strip_suffix("XX"));
    match hundred {
        Some(first) => status.len() == 3 && status.starts_with(first) && first.len() == 1,
        None => status == meant,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn term(text: &str) -> Term {
        text.parse().unwrap()
    }

    #[test]
    fn terms_are_read_with_their_units() {
        let p95 = term("p(95)<500ms");
        assert_eq!(p95.statistic, Statistic::Percentile(95.0));
        assert!((p95.limit - 500.0).abs() < 1e-9 && !p95.inclusive);
        assert!((term("mean <= 0.1s").limit - 100.0).abs() < 1e-9);
        assert!(term("mean<=100").inclusive);
        assert!((term("errors<1%").limit - 0.01).abs() < 1e-12);
        assert!((term("errors<=0.001").limit - 0.001).abs() < 1e-12);
        assert_eq!(term("checks>99%").statistic, Statistic::Checks);
        assert_eq!(term("p99.9<1s").statistic, Statistic::Percentile(99.9));
    }

    #[test]
    fn full_width_signs_and_a_space_before_a_unit_are_read() {
        let same = |typed: &str, plain: &str| assert_eq!(term(typed), term(plain), "{typed}");
        same("p(95)<500 ms", "p(95)<500ms");
        same("p（95）＜500ms", "p(95)<500ms");
        same("errors ＜ 1 ％", "errors<1%");
        same("mean≤100ms", "mean<=100ms");
        let scoped = term("p(95)｛name:주문（신규）｝＜500ms");
        assert_eq!(scoped.scope[0].1, "주문（신규）", "a name stays as it is");
    }

    #[test]
    fn a_scope_names_tags() {
        let scoped = term("p(95){endpoint:http://h/a<b, scenario:'buy'}<2s");
        let tag = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(
            scoped.scope,
            [tag("endpoint", "http://h/a<b"), tag("scenario", "buy")]
        );
        let tags: Vec<_> = scoped.tags().collect();
        assert_eq!(tags, [("name", "http://h/a<b"), ("scenario", "buy")]);
        assert_eq!(
            scoped.to_string(),
            "p(95){endpoint:http://h/a<b,scenario:buy}<2000ms",
            "as it was typed"
        );
    }

    #[test]
    fn errors_of_a_status_are_a_share_of_all_requests_and_5xx_is_a_hundred_of_them() {
        let overloaded = term("errors{status:503,endpoint:/orders}<1%");
        assert_eq!(overloaded.error_status(), Some("503"));
        let all: Vec<_> = overloaded.tags_of_all().collect();
        assert_eq!(all, [("name", "/orders")]);
        assert!(overloaded.counts_status("503") && !overloaded.counts_status("500"));
        let server = term("errors{status:5xx}<0.1%");
        assert!(server.counts_status("500") && server.counts_status("599"));
        assert!(!server.counts_status("429") && !server.counts_status("50"));
        assert!(term("errors<1%").counts_status("429"));
        let fast = term("p(95){status:200}<1s");
        assert_eq!(fast.tags_of_all().count(), 1, "times are of those answers");
    }

    #[test]
    fn what_is_no_term_says_which_part_is_wrong() {
        let error = |text: &str| text.parse::<Term>().unwrap_err().to_string();
        assert_eq!(
            error("errors<1"),
            "limit of `errors`: `1` is not a share: write 1% or 0.01"
        );
        assert_eq!(
            error("checks>=99"),
            "limit of `checks`: `99` is not a share: write 99% or 0.99"
        );
        assert_eq!(
            error("errors<0%"),
            "nothing keeps `errors<0%`: write `errors<=0%`"
        );
        assert_eq!(
            error("checks>100%"),
            "nothing keeps `checks>100%`: write `checks>=100%`"
        );
        assert_eq!(
            error("p(95)"),
            "`p(95)` is not a statistic, an operator and a limit"
        );
        assert_eq!(error("p95%<1"), "unknown statistic `p95%`");
        assert_eq!(error("p(950)<1s"), "unknown statistic `p(950)`");
        assert_eq!(
            error("p(95)>1s"),
            "`>` after `p(95)` asks for the wrong direction: write `p(95)<1s`"
        );
        assert_eq!(
            error("checks<1%"),
            "`<` after `checks` asks for the wrong direction: write `checks>1%`"
        );
        assert_eq!(
            error("errors<200%"),
            "limit of `errors`: `200%` is not a share: write 1% or 0.01"
        );
        assert_eq!(error("mean<0"), "`0` is not a limit of `mean`");
        assert_eq!(error("mean{a}<1"), "`a` is not a list of tag:value");
    }

    #[test]
    fn the_limit_itself_keeps_only_what_says_so() {
        assert!(!term("mean<100").holds(100.0));
        assert!(term("mean<=100").holds(100.0));
        assert!(!term("mean<=100").holds(100.6));
        assert!(term("checks>=99%").holds(0.99) && !term("checks>99%").holds(0.98));
        assert!((term("mean<=100").excess(100.6) - 0.006).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn a_term_written_is_read_again(p in 1_u32..99, limit in 1_u32..100_000, share in 0_u32..=1000) {
            for text in [format!("p({p})<{limit}ms"), format!("errors<={}%", f64::from(share) / 10.0)] {
                let read = term(&text);
                prop_assert_eq!(term(&read.to_string()), read);
            }
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in ".{0,30}") {
            let _ = text.parse::<Term>();
        }
    }
}
