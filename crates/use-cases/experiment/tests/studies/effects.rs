//! What is said of knobs and of single settings, against what is true of the target.

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{EffectFinding, OtherKnobs, StudyAnswer};
use loadline_units::random::Random;

use super::kept_rows::KeptRows;
use super::target::{Recorded, Truth, space};
use super::{FIRST_SEED, run};

type Draw = fn(&Random) -> Truth;

/// Studies of each kind.
const STUDIES_OF_TEST: u64 = 80;
const STUDIES_OF_TABLE: u64 = 1000;
/// The most studies, as a share, with any wrong claim of a kind: one in twenty, and as many more as so few may have by chance.
const WRONG_SHARE_MAX: f64 = 0.1;
/// How far a true change may lie outside of an interval: rounding of logarithms.
const ROUNDING_SHARE_MAX: f64 = 1e-9;

/// Of studies, how many say something of a knob, or of a setting, that is not so.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct ClaimTally {
    pub(crate) studies: u32,
    /// A knob is said to matter, ...
    pub(crate) claimed: u32,
    /// ... with an interval that does not hold what it does.
    pub(crate) wrong: u32,
    /// A setting's interval against the start does not hold its difference.
    pub(crate) wrong_settings: u32,
    /// The same of what two knobs do together.
    pub(crate) wrong_interactions: u32,
}

impl ClaimTally {
    fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.studies)
    }
}

pub(crate) fn claims(draw: Draw, noise: Recorded, studies: u64) -> ClaimTally {
    let mut tally = ClaimTally::default();
    for seed in FIRST_SEED..FIRST_SEED + studies {
        let truth = draw(&Random::new(seed ^ 0x5eed));
        let start = space(&Random::new(seed)).start();
        let (answer, _, _) = run(&truth, noise, seed);
        let matters = |finding: EffectFinding| finding == EffectFinding::Matters;
        tally.studies += 1;
        tally.claimed += u32::from(answer.effects.iter().any(|one| matters(one.finding)));
        tally.wrong += u32::from(is_any_effect_wrong(&answer, &truth, &start));
        tally.wrong_interactions += u32::from(is_interaction_wrong(&answer, &truth, &start));
        tally.wrong_settings += u32::from(answer.differences.iter().any(|(setting, change)| {
            let gain = gain(&truth, setting, &start);
            gain.is_some_and(|gain| !holds(*change, gain))
        }));
    }
    tally
}

fn gain(truth: &Truth, setting: &[usize], base: &[usize]) -> Option<f64> {
    Some((truth.value(setting)? - truth.value(base)?).exp_m1())
}

fn holds(change: Change, gain: f64) -> bool {
    change.low - ROUNDING_SHARE_MAX <= gain && gain <= change.high + ROUNDING_SHARE_MAX
}

fn is_any_effect_wrong(answer: &StudyAnswer, truth: &Truth, start: &[usize]) -> bool {
    answer.effects.iter().any(|effect| {
        let base = match effect.others {
            OtherKnobs::Winner => answer.winner.clone(),
            OtherKnobs::Start => start.to_vec(),
        };
        let [from, to] = [effect.levels.0, effect.levels.1].map(|level| {
            let mut setting = base.clone();
            setting[effect.knob] = level;
            setting
        });
        let gain = gain(truth, &to, &from);
        effect.finding == EffectFinding::Matters
            && gain.is_some_and(|gain| !holds(effect.change, gain))
    })
}

fn is_interaction_wrong(answer: &StudyAnswer, truth: &Truth, start: &[usize]) -> bool {
    let Some(found) = &answer.interaction else {
        return false;
    };
    let with = |knobs: &[usize]| {
        let mut setting = start.to_vec();
        for knob in knobs {
            setting[*knob] = answer.winner[*knob];
        }
        truth.value(&setting)
    };
    let [one, other] = found.knobs;
    let values = (with(&[one, other]), with(&[one]), with(&[other]), with(&[]));
    let (Some(both), Some(one), Some(other), Some(neither)) = values else {
        return false;
    };
    !holds(found.change, (both - one - other + neither).exp_m1())
}

/// Claims of no kind are wrong in more than one study of twenty, and where knobs do something, that is told.
#[test]
fn what_a_knob_does_is_hardly_ever_told_wrongly() {
    for noise in Recorded::ALL {
        for (draw, least) in [(Truth::drawn as Draw, Some(0.1)), (Truth::flat, None)] {
            let tally = claims(draw, noise, STUDIES_OF_TEST);
            for wrong in [tally.wrong, tally.wrong_settings, tally.wrong_interactions] {
                assert!(tally.share(wrong) <= WRONG_SHARE_MAX, "{noise:?} {tally:?}");
            }
            let is_told = least.is_none_or(|least| tally.share(tally.claimed) >= least);
            assert!(is_told, "{noise:?} {tally:?}");
        }
    }
}

/// Rows of `docs/bench/tune.md`.
pub(crate) fn rows(kept: &mut KeptRows) -> String {
    let mut rows = String::new();
    for (name, draw) in [
        ("one best setting", Truth::drawn as Draw),
        ("all settings the same (A/A)", Truth::flat),
    ] {
        for noise in Recorded::ALL {
            rows.push_str(&kept.row(&format!("claims {name} {noise:?}"), || {
                let tally = claims(draw, noise, STUDIES_OF_TABLE);
                let percent = |count: u32| format!("{:.1} %", 100.0 * tally.share(count));
                format!(
                    "| {name} | {} | {} | {} | {} | {} | {} |\n",
                    noise.name(),
                    tally.studies,
                    percent(tally.claimed),
                    percent(tally.wrong),
                    percent(tally.wrong_settings),
                    percent(tally.wrong_interactions),
                )
            }));
        }
    }
    rows
}
