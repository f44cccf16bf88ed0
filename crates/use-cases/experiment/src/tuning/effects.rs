//! What each knob does, and what knobs do together.

use std::cmp::Ordering;

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{
    EffectFinding, KnobChange, KnobEffect, KnobInteraction, OtherKnobs,
};
use loadline_analysis::tuning::blocks::Contrast;
use loadline_analysis::tuning::holm;

use super::tried::TriedSettings;

/// One difference in a single knob.
struct Single {
    knob: usize,
    others: OtherKnobs,
    levels: (usize, usize),
    higher: usize,
    lower: usize,
}

/// What is said of settings and knobs: of one pair of settings the same everywhere.
pub(super) struct ToldEffects {
    /// How each tried setting differs from the start setting.
    pub(super) differences: Vec<(Vec<usize>, Change)>,
    /// The effects of all knobs, first of all beside the winner's values, for those are what is taken.
    pub(super) effects: Vec<KnobEffect>,
}

/// What is known of the setting that is confirmed.
pub(super) struct Confirmed {
    pub(super) winner: usize,
    /// What its fresh pairs say of it.
    pub(super) change: Option<Change>,
    /// No setting gains more than this.
    pub(super) most: Option<f64>,
}

/// All intervals of knobs together hold with a probability of `1 - alpha`, and so do those of settings. What fresh pairs say of a
/// setting is said of it everywhere.
pub(super) fn all(
    tried: &TriedSettings,
    confirmed: &Confirmed,
    worth: f64,
    alpha: f64,
) -> ToldEffects {
    let winner = confirmed.winner;
    let mut singles = singles(tried, TriedSettings::START_SETTING, OtherKnobs::Start);
    if winner != TriedSettings::START_SETTING {
        singles.extend(self::singles(tried, winner, OtherKnobs::Winner));
    }
    let pairs: Vec<(usize, usize)> = singles.iter().map(|one| (one.higher, one.lower)).collect();
    let mut changes = claimed(tried, &pairs, neighbours(tried), alpha);
    let mut differences = differences(tried, alpha);
    for ((higher, lower), change) in pairs.iter().zip(&mut changes) {
        let against_start = *lower == TriedSettings::START_SETTING;
        let same = differences
            .iter_mut()
            .find(|(id, _)| against_start && id == higher);
        if let Some((_, of_setting)) = same {
            // Each holds in a family of its own; the wider one holds in both.
            let both = Change {
                low: change.low.min(of_setting.low),
                middle: change.middle,
                high: change.high.max(of_setting.high),
            };
            *change = confirmed.held(*higher, both);
            *of_setting = *change;
        }
    }
    for (id, change) in &mut differences {
        *change = confirmed.held(*id, *change);
    }
    let count = tried.space.knobs.len();
    let (now, won) = (
        tried.setting(TriedSettings::START_SETTING),
        tried.setting(winner),
    );
    let of_knob = |knob: usize| {
        let seen = |others: OtherKnobs| -> Vec<KnobChange> {
            let mine = singles.iter().zip(&changes);
            mine.filter(|(single, _)| single.knob == knob && single.others == others)
                .map(|(single, change)| KnobChange {
                    levels: single.levels,
                    change: *change,
                })
                .collect()
        };
        let (at_start, at_winner) = (seen(OtherKnobs::Start), seen(OtherKnobs::Winner));
        effect(knob, (now[knob], won[knob]), &at_start, &at_winner, worth)
    };
    let effects = (0..count).map(of_knob).collect();
    let settings = differences.into_iter();
    ToldEffects {
        differences: settings
            .map(|(id, change)| (tried.setting(id).to_vec(), change))
            .collect(),
        effects,
    }
}

impl Confirmed {
    /// A setting's difference from the start setting, as it agrees with what else is known.
    fn held(&self, id: usize, change: Change) -> Change {
        let fresh = self.change.filter(|_| id == self.winner);
        let change = fresh.unwrap_or(change);
        let most = self.most.unwrap_or(f64::INFINITY);
        Change {
            low: change.low.min(most),
            middle: change.middle.min(most),
            high: change.high.min(most),
        }
    }
}

fn effect(
    knob: usize,
    wanted: (usize, usize),
    at_start: &[KnobChange],
    at_winner: &[KnobChange],
    worth: f64,
) -> KnobEffect {
    let at = |seen: &[KnobChange], levels: (usize, usize)| {
        let found = seen.iter().find(|one| one.levels == levels);
        found.map(|one| one.change)
    };
    let before = clearest(at_start, wanted);
    // The same change beside the winner's values is another one.
    let is_other = |before: &KnobChange| {
        let now = at(at_winner, before.levels);
        now.is_some_and(|now| before.change.low > now.high || before.change.high < now.low)
    };
    let overturned = before.filter(is_other);
    let (mut others, mut seen) = (OtherKnobs::Winner, at_winner);
    let is_seen_at_start_alone =
        clearest(at_winner, wanted).is_none() && before.is_some() && overturned.is_none();
    if at_winner.is_empty() || is_seen_at_start_alone {
        (others, seen) = (OtherKnobs::Start, at_start);
    }
    let (told, finding) = shown_change(seen, wanted, worth);
    KnobEffect {
        knob,
        others,
        levels: told.levels,
        change: told.change,
        finding,
        taken: at(at_winner, wanted),
        at_start: overturned,
    }
}

/// Of several clear changes that of the change to be made, else the largest.
fn clearest(seen: &[KnobChange], wanted: (usize, usize)) -> Option<KnobChange> {
    let clear = |one: &&KnobChange| one.change.low > 0.0 || one.change.high < 0.0;
    let largest = |a: &&KnobChange, b: &&KnobChange| by_size(a, b, wanted);
    seen.iter().filter(clear).max_by(largest).copied()
}

fn by_size(a: &KnobChange, b: &KnobChange, wanted: (usize, usize)) -> Ordering {
    let size = |one: &KnobChange| one.change.middle.ln_1p().abs();
    let is_wanted = |one: &KnobChange| one.levels == wanted;
    let by_levels = is_wanted(a).cmp(&is_wanted(b));
    by_levels.then(size(a).total_cmp(&size(b)))
}

/// The change that is told of a knob, and what it says.
fn shown_change(
    seen: &[KnobChange],
    wanted: (usize, usize),
    worth: f64,
) -> (KnobChange, EffectFinding) {
    if let Some(clear) = clearest(seen, wanted) {
        return (clear, EffectFinding::Matters);
    }
    let reach = |one: &KnobChange| one.change.low.abs().max(one.change.high.abs());
    let share = seen.iter().map(reach).fold(0.0, f64::max);
    let finding = if seen.is_empty() {
        EffectFinding::NotTried
    } else if share <= worth {
        EffectFinding::NoLargerThan { share }
    } else {
        EffectFinding::CannotTell
    };
    let largest = seen.iter().max_by(|a, b| by_size(a, b, wanted)).copied();
    (largest.unwrap_or(NO_CHANGE), finding)
}

/// Of a knob that was not compared.
const NO_CHANGE: KnobChange = KnobChange {
    levels: (0, 0),
    change: Change {
        low: 0.0,
        middle: 0.0,
        high: 0.0,
    },
};

/// The settings that differ from `base` in one knob alone.
fn singles(tried: &TriedSettings, base: usize, others: OtherKnobs) -> Vec<Single> {
    let from = tried.setting(base);
    let mut found: Vec<Single> = Vec::new();
    for other in tried.usable() {
        let to = tried.setting(other);
        let mut differs = (0..from.len()).filter(|knob| from[*knob] != to[*knob]);
        let (Some(knob), None) = (differs.next(), differs.next()) else {
            continue;
        };
        // A change is told from what the target has, where it is known that way.
        let is_back = to[knob] == tried.setting(TriedSettings::START_SETTING)[knob];
        let (levels, higher, lower) = if is_back {
            ((to[knob], from[knob]), base, other)
        } else {
            ((from[knob], to[knob]), other, base)
        };
        if tried.contrast(higher, lower).is_some() {
            found.push(Single {
                knob,
                others,
                levels,
                higher,
                lower,
            });
        }
    }
    found
}

/// The changes from one setting to another, which hold together with all that might have been told: `family` of them.
fn claimed(
    tried: &TriedSettings,
    pairs: &[(usize, usize)],
    family: usize,
    alpha: f64,
) -> Vec<Change> {
    let Some(claims) = tried.claims() else {
        return Vec::new();
    };
    let doubts = pairs
        .iter()
        .map(|(a, b)| claims.doubt(*a, *b).unwrap_or(1.0));
    let doubts: Vec<f64> = doubts.collect();
    holm::together(&doubts, family, alpha, |at, alpha| {
        let (a, b) = pairs[at];
        claims.change(a, b, alpha).unwrap_or(NO_CHANGE.change)
    })
}

/// Pairs of settings that differ in one knob: whichever setting wins, changes of these are told.
fn neighbours(tried: &TriedSettings) -> usize {
    let usable = tried.usable();
    let differ = |a: usize, b: usize| {
        let both = tried.setting(a).iter().zip(tried.setting(b));
        both.filter(|(a, b)| a != b).count()
    };
    let pairs = usable.iter().enumerate().map(|(place, a)| {
        let later = usable[place + 1..].iter();
        later.filter(|b| differ(*a, **b) == 1).count()
    });
    pairs.sum()
}

/// How two changes of the winner act together; only where it has exactly two and each was tried
/// alone.
pub(super) fn interaction(
    tried: &TriedSettings,
    winner: usize,
    alpha: f64,
) -> Option<KnobInteraction> {
    let (start, won) = (
        tried.setting(TriedSettings::START_SETTING),
        tried.setting(winner),
    );
    let changed: Vec<usize> = (0..start.len())
        .filter(|knob| start[*knob] != won[*knob])
        .collect();
    let [first, second] = changed[..] else {
        return None;
    };
    let mut alone = start.to_vec();
    alone[first] = won[first];
    let one = tried.find(&alone)?;
    let mut alone = start.to_vec();
    alone[second] = won[second];
    let other = tried.find(&alone)?;
    let settings = [winner, one, other, TriedSettings::START_SETTING];
    Some(KnobInteraction {
        knobs: [first, second],
        change: tried.claims()?.interaction(settings, alpha)?,
    })
}

/// How each tried setting differs from the start setting.
fn differences(tried: &TriedSettings, alpha: f64) -> Vec<(usize, Change)> {
    let others = tried
        .usable()
        .into_iter()
        .filter(|id| *id != TriedSettings::START_SETTING);
    let pairs = others.map(|id| (id, TriedSettings::START_SETTING));
    let pairs: Vec<(usize, usize)> = pairs
        .filter(|(id, start)| tried.contrast(*id, *start).is_some())
        .collect();
    // What settings truly are is no normal distribution: by simulation, half of alpha keeps their intervals at 95 %.
    let changes = claimed(tried, &pairs, pairs.len(), alpha / 2.0);
    pairs.iter().map(|(id, _)| *id).zip(changes).collect()
}

/// Whether a knob is seen to matter.
pub(super) fn any_matters(tried: &TriedSettings, worth: f64, alpha: f64) -> bool {
    let start = Confirmed {
        winner: TriedSettings::START_SETTING,
        change: None,
        most: None,
    };
    let told = all(tried, &start, worth, alpha);
    let mut effects = told.effects.iter();
    effects.any(|effect| effect.finding == EffectFinding::Matters)
}

/// The most that any tried setting, or any but one, could be better than the start setting; holds for all of them together.
pub(super) fn bound(tried: &TriedSettings, alpha: f64, except: Option<usize>) -> Option<f64> {
    tried.fit()?;
    let others = tried
        .usable()
        .into_iter()
        .filter(|id| *id != TriedSettings::START_SETTING && Some(*id) != except);
    let contrasts: Vec<Contrast> = others
        .filter(|id| tried.is_feasible(*id))
        .filter_map(|id| tried.contrast(id, TriedSettings::START_SETTING))
        .collect();
    let each = alpha / contrasts.len().max(1) as f64;
    let highest = contrasts
        .iter()
        .map(|contrast| holm::interval(*contrast, each).high);
    Some(highest.fold(0.0, f64::max))
}
