//! A trial as its journal keeps it.

use std::collections::BTreeMap;

use loadline_experiment::tuning::{PlannedTrial, TrialPurpose};
use loadline_knobs::journal::TrialEntry;
use loadline_report::document::printable;
use loadline_report::tuning as report;
use loadline_text::{Catalog, Message};

use super::trial::Measurement;

/// A reason as it is stored.
pub(super) fn cause(reason: &Message) -> (String, BTreeMap<String, String>) {
    let args = reason.args();
    let args = args.map(|(name, value)| (name.to_owned(), printable::line(value)));
    (reason.key().to_owned(), args.collect())
}

pub(super) const fn name_of(purpose: TrialPurpose) -> &'static str {
    match purpose {
        TrialPurpose::Noise => "noise",
        TrialPurpose::Race => "race",
        TrialPurpose::Without => "without",
        TrialPurpose::Confirm => "confirm",
    }
}

/// The purpose of a name; of one that nobody knows, that of a race.
pub(super) fn purpose_of(name: &str) -> TrialPurpose {
    let all = [
        TrialPurpose::Noise,
        TrialPurpose::Without,
        TrialPurpose::Confirm,
    ];
    let known = all.into_iter().find(|purpose| name_of(*purpose) == name);
    known.unwrap_or(TrialPurpose::Race)
}

pub(super) fn entry(
    planned: &PlannedTrial,
    purpose: &str,
    measurement: Measurement,
    seconds: f64,
    at_ms: i64,
    catalog: &Catalog,
) -> TrialEntry {
    let run = measurement.run();
    let (measured, failed, reason) = match measurement {
        Measurement::Measured(measured, _) => (Some(measured), false, None),
        Measurement::Invalid(reason, _) => (None, false, Some(reason)),
        Measurement::Failed(reason, _) => (None, true, Some(reason)),
        Measurement::Interrupted => (None, false, None),
    };
    TrialEntry {
        number: planned.number,
        block: planned.block,
        purpose: purpose.to_owned(),
        setting: planned.setting.clone(),
        measured,
        failed,
        other_answers: false,
        // It may hold what the target printed.
        cause: reason.as_ref().map(cause),
        reason: reason.map(|reason| printable::line(&report::reason(&reason, catalog))),
        seconds,
        at_ms,
        run,
        limit: None,
        guess: None,
    }
}
