//! What the flags of a URL run take.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use loadline_analysis::slo::{Statistic, Term};
use loadline_metrics::threshold::{Condition, ThresholdSource};
use loadline_report::goals;
use loadline_testplan::draft::StageDraft;
use loadline_text::arguments;
use loadline_units::duration::go_string;

use crate::launch::fail_on::FailOn;
use crate::launch::launch_flags::Arrivals;
use crate::launch::problems::RefusedValue;
use crate::launch::{outputs, recording};
use crate::live::LiveMode;
pub(super) use crate::typed_numbers::{duration, positive_duration, rate};
use crate::typed_shares::percentage;

// The command line's library asks for a text; what people read is made from the flag's
// name, in `problems`.

pub(super) fn spool_max(text: &str) -> Result<u64, String> {
    outputs::size(text).ok_or_else(|| "no size".to_owned())
}

/// How long load lasts: one second at least, as a scenario needs.
pub(super) fn load_duration(text: &str) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    let length = duration(text)?;
    if length < LOAD_MIN {
        return Err(RefusedValue(arguments::load_too_short()).into());
    }
    Ok(length)
}

/// The shortest load.
const LOAD_MIN: Duration = Duration::from_secs(1);

/// What `--stage` says: users ramp to a number in a time, as in k6.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage {
    length: Duration,
    vus: u32,
}

impl Stage {
    /// It takes no time.
    pub(super) fn is_nothing(&self) -> bool {
        self.length.is_zero()
    }

    pub(super) fn draft(&self) -> StageDraft {
        StageDraft {
            duration: Some(self.length.into()),
            target: Some(i64::from(self.vus)),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", go_string(self.length), self.vus)
    }
}

/// `30s:10`.
pub(super) fn stage(text: &str) -> Result<Stage, String> {
    let (length, vus) = text.split_once(':').ok_or("no colon")?;
    Ok(Stage {
        length: duration(length)?,
        vus: vus.parse().map_err(|_| "no users".to_owned())?,
    })
}

pub(super) fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("no colon")?;
    let (name, value) = (name.trim(), value.trim());
    if !is_token(name) || value.bytes().any(|b| b.is_ascii_control() && b != b'\t') {
        return Err("no header field".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

pub(super) fn method(text: &str) -> Result<String, String> {
    if is_token(text) {
        return Ok(text.to_uppercase());
    }
    Err("no method".to_owned())
}

pub(super) fn goal(text: &str) -> Result<Term, RefusedValue> {
    let term = text
        .parse::<Term>()
        .map_err(|error| RefusedValue(error.words()))?;
    // One request has neither parts nor checks.
    if term.statistic == Statistic::Checks || !term.scope.is_empty() {
        return Err(RefusedValue(arguments::goal_of_scripts(text)));
    }
    Ok(term)
}

pub(super) fn live(text: &str) -> Result<LiveMode, String> {
    LiveMode::parse(text).ok_or_else(|| "no view".to_owned())
}

pub(super) fn fail_on(text: &str) -> Result<FailOn, String> {
    FailOn::parse_of_url_run(text).ok_or_else(|| "no reasons".to_owned())
}

/// The threshold that a term is. Latency is that of planned starts: what failed, was cut or never
/// sent is a miss, and a request that waits for a user has not been sent, yet who would have sent
/// it waits.
pub(super) fn threshold(term: &Term) -> ThresholdSource {
    let latency = "planned_latency";
    let operator = if term.inclusive { "<=" } else { "<" };
    let of = |statistic: &str| format!("{statistic}{operator}{}", term.limit);
    let (metric, text) = match term.statistic {
        Statistic::Percentile(percentile) => (latency, of(&format!("p({percentile})"))),
        Statistic::Mean => (latency, of("avg")),
        Statistic::Max => (latency, of("max")),
        Statistic::Errors | Statistic::Checks => (
            "http_req_failed",
            goals::errors_condition(operator, term.limit),
        ),
    };
    ThresholdSource {
        metric: metric.to_owned(),
        conditions: vec![Condition {
            text,
            abort_on_fail: false,
            delay_abort: None,
        }],
    }
}

pub(super) fn arrivals(text: &str) -> Result<Arrivals, String> {
    Arrivals::parse(text).ok_or_else(|| "no arrivals".to_owned())
}

/// A share, 0 to 1, of a flag that takes a percentage.
pub(super) fn share(text: &str) -> Result<f64, RefusedValue> {
    let percent = percentage(text)?;
    let share = (percent <= 100.0).then_some(percent / 100.0);
    share.ok_or_else(|| RefusedValue(arguments::share_above_all(text)))
}

pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    recording::setting(text).ok_or_else(|| "no setting".to_owned())
}

/// Whether it may stand where HTTP wants a token.
fn is_token(text: &str) -> bool {
    let in_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !text.is_empty() && text.bytes().all(in_token)
}
