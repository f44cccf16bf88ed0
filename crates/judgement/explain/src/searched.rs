//! The rates of a search are its own: what is told of a level is what its table has, also where the full seconds in it, by
//! which its limit is found, carried a little more or less.

use super::Explanation;
use super::input::SearchedLevel;

/// Loads that differ by no more than this share are those of one level: seconds in which a level begins are of two.
const SAME_LOAD: f64 = 0.02;

/// The explanation with the rates of the search's levels, of which the last is the one that is looked at.
pub(super) fn with_rates(mut explanation: Explanation, searched: &[SearchedLevel]) -> Explanation {
    let Some(judged) = searched.last() else {
        return explanation;
    };
    for level in &mut explanation.levels {
        let is_same =
            |one: &&SearchedLevel| (one.load - level.load).abs() <= SAME_LOAD * level.load;
        if let Some(measured) = searched.iter().rev().find(is_same) {
            level.answered = measured.answered;
        }
    }
    explanation.rate = judged.answered;
    explanation
}
