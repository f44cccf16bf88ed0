//! What `run` takes for any test, beside the flags of its kind.

use loadline_session::{LONGEST_WARM_UP, RunOptions, WarmUp};
use loadline_units::parse_duration;

use super::care::CareFlags;
use super::keep::KeepFlags;
use super::out::OutFlags;

/// The most runs of one `--repeat`.
pub(crate) const MOST_REPETITIONS: u32 = 1000;

/// The flags of ours that hold for any test.
#[derive(Debug, Clone)]
pub(crate) struct OwnFlags {
    /// Who is asked and told.
    pub(crate) care: CareFlags,
    /// Whether and as what it is kept.
    pub(crate) keep: KeepFlags,
    /// One iteration of each scenario, everything printed.
    pub(crate) once: bool,
    /// How many times the test is run.
    pub(crate) repeat: u32,
    /// The plan to compare with: a file.
    pub(crate) plan: Option<String>,
    /// Where samples go.
    pub(crate) out: OutFlags,
    /// How each run is done.
    pub(crate) options: RunOptions,
}

/// `30s`, `auto`, or nothing that can be read.
pub(crate) fn warm_up(text: &str) -> Option<WarmUp> {
    if text.trim().eq_ignore_ascii_case("auto") {
        return Some(WarmUp::UntilSteady {
            at_most: LONGEST_WARM_UP,
        });
    }
    let length = parse_duration(text).ok()?;
    // A number alone would be taken for milliseconds, which nobody means.
    let has_unit = text.bytes().any(|b| b.is_ascii_alphabetic());
    (has_unit && !length.is_zero()).then_some(WarmUp::For(length))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_warm_up_is_a_time_with_a_unit_or_auto() {
        assert_eq!(warm_up("30s"), Some(WarmUp::For(Duration::from_secs(30))));
        assert!(matches!(warm_up("auto"), Some(WarmUp::UntilSteady { .. })));
        for wrong in ["30", "soon", "", "0s"] {
            assert_eq!(warm_up(wrong), None, "{wrong}");
        }
    }
}
