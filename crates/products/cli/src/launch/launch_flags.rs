//! What `run` takes for any test, in addition to the flags of its kind.

use loadline_session::{RunOptions, WARM_UP_MAX, WarmUpSetting};
use loadline_testplan::ArrivalSpacing;
use loadline_text::problem;
use loadline_units::parse_duration;

use super::announcement::AnnounceFlags;
use super::fail_on::FailOn;
use super::outputs::OutputFlags;
use super::recording::RecordingFlags;
use crate::live::LiveMode;
use crate::refusal::Refusal;

/// The most runs of one `--repeat`.
pub(crate) const REPETITIONS_MAX: u32 = 1000;

/// The flags of ours that hold for any test.
#[derive(Debug, Clone)]
pub(crate) struct LaunchFlags {
    /// Who is asked and notified.
    pub(crate) announce: AnnounceFlags,
    /// Whether and as what it is kept.
    pub(crate) recording: RecordingFlags,
    /// One iteration of each scenario, everything printed.
    pub(crate) once: bool,
    /// How many times the test is run.
    pub(crate) repeat: u32,
    /// The plan to compare with: a file.
    pub(crate) plan: Option<String>,
    /// Where samples go.
    pub(crate) outputs: OutputFlags,
    /// What fails a run, in addition to what its dialect says.
    pub(crate) fail_on: FailOn,
    /// How it is shown on a terminal.
    pub(crate) live: LiveMode,
    /// How each run is done.
    pub(crate) options: RunOptions,
}

/// How starts are to be spaced, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrivals {
    /// `poisson`
    Poisson,
    /// `even`
    Even,
}

impl Arrivals {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "poisson" => Some(Self::Poisson),
            "even" => Some(Self::Even),
            _ => None,
        }
    }

    /// Its starts, with a seed drawn where none was typed.
    pub(crate) fn spacing(self, seed: Option<u32>) -> ArrivalSpacing {
        match self {
            Self::Even => ArrivalSpacing::Even,
            Self::Poisson => ArrivalSpacing::Poisson {
                seed: u64::from(seed.unwrap_or_else(drawn_word)),
            },
        }
    }
}

/// How starts are spaced by `--arrivals` and `--arrivals-seed`; a seed alone asks for random
/// ones. `None` when neither was typed.
///
/// # Errors
/// Evenly spaced starts have no seed.
pub(crate) fn spacing(
    arrivals: Option<Arrivals>,
    seed: Option<u32>,
) -> Result<Option<ArrivalSpacing>, Refusal> {
    match (arrivals, seed) {
        (None, None) => Ok(None),
        (Some(Arrivals::Even), Some(_)) => Err(Refusal::config(problem::option_conflict(
            "--arrivals even",
            "--arrivals-seed",
        ))),
        (Some(Arrivals::Even), None) => Ok(Some(ArrivalSpacing::Even)),
        (None | Some(Arrivals::Poisson), seed) => Ok(Some(Arrivals::Poisson.spacing(seed))),
    }
}

/// 32 random bits from the system.
pub(crate) fn drawn_word() -> u32 {
    getrandom::u32().expect("the system's random numbers cannot be read")
}

/// `30s`, `auto`, or nothing that can be read.
pub(crate) fn warm_up(text: &str) -> Option<WarmUpSetting> {
    if text.trim().eq_ignore_ascii_case("auto") {
        return Some(WarmUpSetting::UntilSteady {
            at_most: WARM_UP_MAX,
        });
    }
    let length = parse_duration(text).ok()?;
    // A number alone would be taken for milliseconds, which nobody means.
    let has_unit = text.bytes().any(|b| b.is_ascii_alphabetic());
    (has_unit && !length.is_zero()).then_some(WarmUpSetting::For(length))
}

/// The same as the value of a flag.
pub(crate) fn typed_warm_up(text: &str) -> Result<WarmUpSetting, String> {
    warm_up(text).ok_or_else(|| "no warm-up".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_seed_alone_asks_for_random_starts_and_even_ones_have_none() {
        let random = ArrivalSpacing::Poisson { seed: 7 };
        assert_eq!(spacing(None, Some(7)).unwrap(), Some(random));
        let typed = Arrivals::parse("Poisson");
        assert_eq!(spacing(typed, Some(7)).unwrap(), Some(random));
        assert!(spacing(Some(Arrivals::Even), Some(7)).is_err());
        assert_eq!(spacing(None, None).unwrap(), None);
        assert_eq!(Arrivals::parse("bursts"), None);
    }

    #[test]
    fn a_warm_up_is_a_time_with_a_unit_or_auto() {
        assert_eq!(
            warm_up("30s"),
            Some(WarmUpSetting::For(Duration::from_secs(30)))
        );
        assert!(matches!(
            warm_up("auto"),
            Some(WarmUpSetting::UntilSteady { .. })
        ));
        for wrong in ["30", "soon", "", "0s"] {
            assert_eq!(warm_up(wrong), None, "{wrong}");
        }
    }
}
