//! Shares and percentages of flags, all read in the same way: `30`, `30%` and `0.3%` where a
//! percentage is asked for, `30%` and `0.3` where a share is. A number that could mean either is
//! refused with both spellings.

use loadline_analysis::compare::ComparisonSettings;
use loadline_analysis::slo::share_words;
use loadline_text::{Catalog, arguments};
use loadline_units::{parse_percentage, parse_share};

use crate::launch::problems::RefusedValue;
use crate::refusal::Refusal;

/// The largest change that can be asked for, in percent.
const CHANGE_PERCENT_MAX: f64 = 1000.0;

/// A share, 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, RefusedValue> {
    parse_share(text).map_err(|error| RefusedValue(share_words(&error)))
}

/// A number of a hundred.
pub(crate) fn percentage(text: &str) -> Result<f64, RefusedValue> {
    parse_percentage(text).map_err(|error| RefusedValue(share_words(&error)))
}

/// A change in percent; `nan` would never be exceeded.
pub(crate) fn percent_of_change(text: &str) -> Result<f64, RefusedValue> {
    let usable = percentage(text).map(|percent| (percent <= CHANGE_PERCENT_MAX).then_some(percent));
    usable?.ok_or_else(|| RefusedValue(arguments::expected_number(0, CHANGE_PERCENT_MAX)))
}

/// How careful a comparison of runs is.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CareArgs {
    /// How sure all intervals together are, in percent [default: 95]
    #[arg(long, value_name = "PERCENT", value_parser = percent_of_change)]
    confidence: Option<f64>,
    /// Differences up to this many percent are none worth telling [default: 5]
    #[arg(long, value_name = "PERCENT", value_parser = percent_of_change)]
    within: Option<f64>,
}

impl CareArgs {
    /// The flag that was given, if one was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match (self.confidence, self.within) {
            (Some(_), _) => Some("--confidence"),
            (None, Some(_)) => Some("--within"),
            (None, None) => None,
        }
    }

    /// The settings of a comparison.
    pub(crate) fn settings(&self, catalog: &Catalog) -> Result<ComparisonSettings, Refusal> {
        let share = |flag: &str, value: f64, most: u32| {
            let is_usable = value > 0.0 && value < f64::from(most);
            let expected = arguments::expected_number(1, most - 1);
            let refusal = || Refusal::flag(flag, &value.to_string(), &expected, catalog);
            is_usable.then_some(value / 100.0).ok_or_else(refusal)
        };
        let usual = ComparisonSettings::default();
        let within = self.within.map(|value| share("--within", value, 101));
        let confidence = self
            .confidence
            .map(|value| share("--confidence", value, 100));
        Ok(ComparisonSettings {
            confidence: confidence.transpose()?.unwrap_or(usual.confidence),
            tolerance: within.transpose()?.unwrap_or(usual.tolerance),
            is_tolerance_asked: self.within.is_some(),
            ..usual
        })
    }
}
