//! A search has judged its levels, and each of them once: what is told of a level here is what its table has, also where
//! the seconds by which its limit is found carried a little more or less.

use super::Explanation;
use super::input::{CallerView, SearchedLevel};

/// Evidence that is the callers' own, by its name in files.
const CALLERS_EVIDENCE: [&str; 2] = ["rate", "mean"];

/// The explanation with the figures of the search's level that is looked at, its last: also in the evidence of findings,
/// which have them of the level's busy seconds.
pub(super) fn with_figures(
    mut explanation: Explanation,
    searched: &[SearchedLevel],
    callers: &CallerView,
) -> Explanation {
    let Some(judged) = searched.last() else {
        return explanation;
    };
    let taken = [
        (callers.answered, judged.answered),
        (callers.mean_ms(), judged.mean_ms),
    ];
    for shown in explanation
        .findings
        .iter_mut()
        .flat_map(|one| &mut one.evidence)
    {
        let of_level = taken
            .iter()
            .find(|(of_busy, _)| of_busy.to_bits() == shown.value.to_bits());
        if let Some((_, of_level)) = of_level.filter(|_| CALLERS_EVIDENCE.contains(&shown.name)) {
            shown.value = *of_level;
        }
    }
    explanation.window = judged.window;
    explanation.rate = judged.answered;
    explanation.mean_ms = judged.mean_ms;
    explanation.p95_ms = judged.p95_ms;
    explanation
}
