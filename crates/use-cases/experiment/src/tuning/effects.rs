//! What each knob does, and what knobs do together.

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{EffectFinding, KnobEffect, KnobInteraction};
use loadline_analysis::tuning::blocks::Contrast;
use loadline_analysis::tuning::holm;

use super::known::Known;

/// One difference in a single knob.
struct Single {
    knob: usize,
    levels: (usize, usize),
    contrast: Contrast,
}

/// The effects of all knobs around the start setting and the winner; all intervals together hold
/// with a probability of `1 - alpha`.
pub(super) fn of_knobs(known: &Known, winner: usize, worth: f64, alpha: f64) -> Vec<KnobEffect> {
    let singles = singles(known, winner);
    let contrasts: Vec<Contrast> = singles.iter().map(|single| single.contrast).collect();
    let changes = holm::intervals(&contrasts, alpha);
    let count = known.space.knobs.len();
    let (now, won) = (known.setting(Known::START), known.setting(winner));
    let of_knob = |knob: usize| {
        let wanted = (now[knob], won[knob]);
        let mine = singles.iter().zip(&changes);
        let mine = mine.filter(|(single, _)| single.knob == knob);
        let seen = mine.map(|(single, change)| (single.levels, *change));
        effect(knob, wanted, seen.collect(), worth)
    };
    (0..count).map(of_knob).collect()
}

/// Of several clear effects that of the change to be made is told, else the largest.
fn effect(
    knob: usize,
    wanted: (usize, usize),
    seen: Vec<((usize, usize), Change)>,
    worth: f64,
) -> KnobEffect {
    let clear = |change: &Change| change.low > 0.0 || change.high < 0.0;
    let reach = |change: &Change| change.low.abs().max(change.high.abs());
    let size = |change: &Change| change.middle.ln_1p().abs();
    let largest = |a: &&((usize, usize), Change), b: &&((usize, usize), Change)| {
        let by_size = size(&a.1).total_cmp(&size(&b.1));
        (a.0 == wanted).cmp(&(b.0 == wanted)).then(by_size)
    };
    let is_clear = |one: &&((usize, usize), Change)| clear(&one.1);
    if let Some((levels, change)) = seen.iter().filter(is_clear).max_by(largest) {
        return KnobEffect {
            knob,
            levels: *levels,
            change: *change,
            finding: EffectFinding::Matters,
        };
    }
    let share = seen
        .iter()
        .map(|(_, change)| reach(change))
        .fold(0.0, f64::max);
    let finding = if seen.is_empty() {
        EffectFinding::NotTried
    } else if share <= worth {
        EffectFinding::NoLargerThan { share }
    } else {
        EffectFinding::CannotTell
    };
    let (levels, change) = seen.iter().max_by(largest).copied().unwrap_or((
        (0, 0),
        Change {
            low: 0.0,
            middle: 0.0,
            high: 0.0,
        },
    ));
    KnobEffect {
        knob,
        levels,
        change,
        finding,
    }
}

fn singles(known: &Known, winner: usize) -> Vec<Single> {
    let mut found: Vec<Single> = Vec::new();
    for base in [Known::START, winner] {
        let from = known.setting(base);
        for other in known.usable() {
            let to = known.setting(other);
            let mut differs = (0..from.len()).filter(|knob| from[*knob] != to[*knob]);
            let (Some(knob), None) = (differs.next(), differs.next()) else {
                continue;
            };
            let start = known.setting(Known::START)[knob];
            // A change is told from what the target has, where it is known that way.
            let is_back = base == winner && to[knob] == start;
            let (from, to) = if is_back { (to, from) } else { (from, to) };
            let levels = (from[knob], to[knob]);
            let is_known = |single: &Single| single.knob == knob && single.levels == levels;
            if found.iter().any(is_known) {
                continue;
            }
            let (higher, lower) = if is_back {
                (base, other)
            } else {
                (other, base)
            };
            if let Some(contrast) = known.contrast(higher, lower) {
                found.push(Single {
                    knob,
                    levels,
                    contrast,
                });
            }
        }
    }
    found
}

/// How two changes of the winner act together; only where it has exactly two and each was tried
/// alone.
pub(super) fn interaction(known: &Known, winner: usize, alpha: f64) -> Option<KnobInteraction> {
    let (start, won) = (known.setting(Known::START), known.setting(winner));
    let changed: Vec<usize> = (0..start.len())
        .filter(|knob| start[*knob] != won[*knob])
        .collect();
    let [first, second] = changed[..] else {
        return None;
    };
    let mut alone = start.to_vec();
    alone[first] = won[first];
    let one = known.find(&alone)?;
    let mut alone = start.to_vec();
    alone[second] = won[second];
    let other = known.find(&alone)?;
    let beyond = known
        .fit()?
        .interaction([winner, one, other, Known::START])?;
    Some(KnobInteraction {
        knobs: [first, second],
        change: holm::interval(beyond, alpha),
    })
}

/// How each tried setting differs from the start setting.
pub(super) fn differences(known: &Known, alpha: f64) -> Vec<(Vec<usize>, Change)> {
    let others = known.usable().into_iter().filter(|id| *id != Known::START);
    let found: Vec<(usize, Contrast)> = others
        .filter_map(|id| Some((id, known.contrast(id, Known::START)?)))
        .collect();
    let contrasts: Vec<Contrast> = found.iter().map(|(_, contrast)| *contrast).collect();
    let changes = holm::intervals(&contrasts, alpha);
    let settings = found.iter().map(|(id, _)| known.setting(*id).to_vec());
    settings.zip(changes).collect()
}

/// The most that any tried setting could be better than the start setting; holds for all of
/// them together.
pub(super) fn bound(known: &Known, alpha: f64) -> Option<f64> {
    known.fit()?;
    let others = known.usable().into_iter().filter(|id| *id != Known::START);
    let contrasts: Vec<Contrast> = others
        .filter(|id| known.is_feasible(*id))
        .filter_map(|id| known.contrast(id, Known::START))
        .collect();
    let each = alpha / contrasts.len().max(1) as f64;
    let highest = contrasts
        .iter()
        .map(|contrast| holm::interval(*contrast, each).high);
    Some(highest.fold(0.0, f64::max))
}
