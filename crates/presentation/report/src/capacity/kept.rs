//! Words of what a kept answer has: its knee, and what its levels were held for and came to.

use loadline_text::{Catalog, capacity, percent, report, significant};

use super::file::{FEW_REQUESTS, KneeInFile, StepInFile};
use super::words::{LONG_WINDOWS, Words, rate};
use crate::document::printable;

/// Where throughput ends to grow: at this load, above the one below it, if there is one.
pub(super) fn knee(knee: &KneeInFile, words: Words<'_>) -> String {
    let load = words.load(knee.load);
    let (made, share) = (rate(knee.throughput), percent(knee.share_of_peak));
    let flight = significant(knee.in_flight);
    words.text(&if knee.low < knee.load {
        capacity::knee(load, words.load(knee.low), made, share, flight)
    } else {
        capacity::knee_first(load, made, share, flight)
    })
}

/// What a level came to; one that was held long was no short look.
pub(crate) fn outcome_of(step: &StepInFile, catalog: &Catalog) -> String {
    if step.outcome == "likely" && step.held_s >= LONG_WINDOWS as f64 {
        return catalog.text(&if step.doubt.as_deref() == Some(FEW_REQUESTS) {
            capacity::outcome_likely_few()
        } else {
            capacity::outcome_likely_long()
        });
    }
    outcome(&step.outcome, catalog)
}

/// An outcome's word; a file of a newer program may have others.
pub(super) fn outcome(word: &str, catalog: &Catalog) -> String {
    catalog.text(&match word {
        "holds" => capacity::outcome_holds(),
        "likely" => capacity::outcome_likely(),
        "misses" => report::outcome_misses(),
        "unclear" => capacity::outcome_unclear(),
        "overloaded" => report::outcome_overloaded(),
        "asks-to-wait" => report::outcome_waits(),
        "aborted" => report::outcome_aborted(),
        "invalid" => report::outcome_invalid(),
        "cut" => capacity::outcome_cut(),
        other => return printable::line(other),
    })
}

/// A load that was held for long, in words.
pub(crate) struct SoakWords<'a> {
    /// With its unit.
    pub(crate) load: String,
    /// How long, seconds.
    pub(crate) held: String,
    /// Whether it was carried; `None` where that is not known.
    pub(crate) holds: Option<bool>,
    /// How it ended, as files have it.
    pub(crate) end: &'a str,
}

/// What it came to.
pub(crate) fn soak_told(soak: SoakWords<'_>, catalog: &Catalog) -> String {
    let SoakWords {
        load,
        held,
        holds,
        end,
    } = soak;
    let why = outcome(end, catalog);
    catalog.text(&match (holds, end) {
        (Some(true), _) => capacity::soak_holds(load, held),
        // As files were written before they said that it is not known.
        (_, "cut") => capacity::soak_cut(load, held),
        (_, "unclear" | "invalid") => capacity::soak_unknown(load, held, why),
        _ => capacity::soak_misses(load, why),
    })
}

pub(super) fn purpose(word: &str, catalog: &Catalog) -> String {
    catalog.text(&match word {
        "baseline" => capacity::purpose_baseline(),
        "climb" => capacity::purpose_climb(),
        "refine" => capacity::purpose_refine(),
        "confirm" => capacity::purpose_confirm(),
        "knee" => capacity::purpose_knee(),
        "soak" => capacity::purpose_soak(),
        "measured" => capacity::purpose_measured(),
        other => return printable::line(other),
    })
}
