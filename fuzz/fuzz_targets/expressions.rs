//! What is typed or stands in files as one word or condition: lengths, rates, thresholds, goals. What
//! is read and written is read as the same.
#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use loadline_analysis::slo::Term;
use loadline_analysis::tuning::goal::TuningGoal;
use loadline_fuzz::LINEAR;
use loadline_metrics::parse_metric_name;
use loadline_metrics::threshold::Expression;
use loadline_units::{Rate, parse_duration};

/// Read, written, and read again.
fn same<T: Display + Debug + PartialEq, E: Debug>(first: &T, read: impl Fn(&str) -> Result<T, E>) {
    let written = first.to_string();
    assert_eq!(read(&written).as_ref().expect(&written), first, "{written}");
}

fuzz_target!(|text: &str| {
    LINEAR.hold(text.len(), || {
        if let Ok(length) = parse_duration(text) {
            let nanos = format!("{}ns", length.as_nanos());
            let again = parse_duration(&nanos);
            assert!(length > Duration::from_nanos(i64::MAX.cast_unsigned()) || again == Ok(length));
        }
        if let Ok(rate) = Rate::from_str(text) {
            assert!(rate.per() > Duration::ZERO && rate.as_per_second().is_finite());
        }
        if let Ok(condition) = Expression::parse(text) {
            let is_number = !condition.limit.is_nan();
            if is_number {
                same(&condition, Expression::parse);
            }
        }
        if let Ok(term) = Term::from_str(text) {
            assert!(term.limit.is_finite() && term.limit >= 0.0, "{term:?}");
        }
        let _ = TuningGoal::from_str(text);
        if let Ok((name, Some(tags))) = parse_metric_name(text) {
            assert_eq!(format!("{name}{{{tags}}}"), text);
        }
    });
});
