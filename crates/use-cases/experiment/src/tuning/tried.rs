//! What a study knows of its settings.

mod kept;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use loadline_analysis::tuning::blocks::{BlockFit, BlockTrial, Contrast};
use loadline_analysis::tuning::claims::TrialClaims;
use loadline_analysis::tuning::holm;
use loadline_analysis::tuning::surface::SurfaceTrial;

use super::{StudyGoal, StudySpace};

/// How often a setting that is as good as the best may leave a race.
const RACE_ALPHA: f64 = 0.05;
/// Failures after which a setting is given up; of a trial with other answers one is enough.
const FAILURES_MAX: u32 = 2;
/// Rivals of a start setting that won.
const RIVALS_MAX: usize = 3;
/// A margin beyond this says no more of other settings, as a logarithm.
const MARGIN_MAX: f64 = 1.0;
/// Trials of a setting that is chosen, at least.
const TRIALS_MIN: usize = 2;

/// One setting.
#[derive(Debug, Clone, Default)]
struct TriedSetting {
    setting: Vec<usize>,
    /// Margins of trials that chose it, and of those that confirm it.
    margins: Vec<f64>,
    fresh_margins: Vec<f64>,
    failures: u32,
    other_answers: u32,
    is_rejected: bool,
}

/// All that was tried.
#[derive(Debug)]
pub(super) struct TriedSettings {
    pub(super) space: StudySpace,
    goal: StudyGoal,
    settings: Vec<TriedSetting>,
    places: BTreeMap<Vec<usize>, usize>,
    trials: Vec<BlockTrial>,
    /// The margin of each of them.
    margins: Vec<f64>,
    fresh: Vec<BlockTrial>,
    /// What the trials say, worked out when it is first asked for.
    fit: OnceCell<Option<BlockFit>>,
    /// What may be claimed of single settings, likewise.
    claims: OnceCell<Option<TrialClaims>>,
    /// How margins of one setting differ, likewise.
    deviation: OnceCell<Option<(f64, f64)>>,
}

impl TriedSettings {
    /// The setting before the study.
    pub(super) const START_SETTING: usize = 0;

    pub(super) fn new(space: StudySpace, goal: StudyGoal) -> Self {
        let start = space.start();
        let mut tried = Self {
            space,
            goal,
            settings: Vec::new(),
            places: BTreeMap::new(),
            trials: Vec::new(),
            margins: Vec::new(),
            fresh: Vec::new(),
            fit: OnceCell::new(),
            claims: OnceCell::new(),
            deviation: OnceCell::new(),
        };
        tried.id(&start);
        tried
    }

    /// The number of a setting.
    pub(super) fn id(&mut self, setting: &[usize]) -> usize {
        if let Some(id) = self.places.get(setting) {
            return *id;
        }
        let id = self.settings.len();
        self.places.insert(setting.to_vec(), id);
        self.settings.push(TriedSetting {
            setting: setting.to_vec(),
            ..TriedSetting::default()
        });
        id
    }

    pub(super) fn find(&self, setting: &[usize]) -> Option<usize> {
        self.places.get(setting).copied()
    }

    pub(super) fn setting(&self, id: usize) -> &[usize] {
        &self.settings[id].setting
    }

    /// All settings that have a number.
    pub(super) fn ids(&self) -> std::ops::Range<usize> {
        0..self.settings.len()
    }

    pub(super) fn measured(
        &mut self,
        setting: usize,
        block: usize,
        value: f64,
        margin: f64,
        is_fresh: bool,
    ) {
        let trial = BlockTrial {
            block,
            setting,
            value,
        };
        self.deviation = OnceCell::new();
        let tried = &mut self.settings[setting];
        if is_fresh {
            tried.fresh_margins.push(margin);
            self.fresh.push(trial);
        } else {
            tried.margins.push(margin);
            self.trials.push(trial);
            self.margins.push(margin);
            self.fit = OnceCell::new();
            self.claims = OnceCell::new();
        }
    }

    /// Takes a failure; whether the setting is given up.
    pub(super) fn failed(&mut self, id: usize) -> bool {
        self.settings[id].failures += 1;
        self.is_excluded(id)
    }

    /// Takes a trial with other answers: the setting is given up.
    pub(super) fn answered_otherwise(&mut self, id: usize) {
        self.settings[id].other_answers += 1;
    }

    /// Whether the target failed under it too often, or answered otherwise.
    pub(super) fn is_excluded(&self, id: usize) -> bool {
        self.has_failed(id) || self.has_other_answers(id)
    }

    pub(super) fn has_failed(&self, id: usize) -> bool {
        self.settings[id].failures >= FAILURES_MAX
    }

    pub(super) fn has_other_answers(&self, id: usize) -> bool {
        self.settings[id].other_answers > 0
    }

    fn is_rejected(&self, id: usize) -> bool {
        self.settings[id].is_rejected
    }

    pub(super) fn reject(&mut self, id: usize) {
        self.settings[id].is_rejected = true;
    }

    pub(super) fn rejected(&self) -> usize {
        self.settings
            .iter()
            .filter(|tried| tried.is_rejected)
            .count()
    }

    /// Whether it was measured or failed.
    pub(super) fn is_tried(&self, id: usize) -> bool {
        let tried = &self.settings[id];
        !tried.margins.is_empty() || tried.failures > 0 || tried.other_answers > 0
    }

    pub(super) fn fit(&self) -> Option<&BlockFit> {
        let fit = || BlockFit::from_trials(&self.trials, Self::START_SETTING);
        self.fit.get_or_init(fit).as_ref()
    }

    pub(super) fn claims(&self) -> Option<&TrialClaims> {
        let claims = || self.fit().map(TrialClaims::new);
        self.claims.get_or_init(claims).as_ref()
    }

    /// The mean margin of the trials that chose it.
    pub(super) fn margin(&self, id: usize) -> Option<f64> {
        mean(&self.settings[id].margins)
    }

    pub(super) fn fresh_margin(&self, id: usize) -> Option<f64> {
        mean(&self.settings[id].fresh_margins)
    }

    pub(super) fn fresh_trials(&self, id: usize) -> usize {
        self.settings[id].fresh_margins.len()
    }

    /// The setting with the most fresh trials, the start setting apart: what a journal confirmed.
    pub(super) fn most_confirmed(&self) -> Option<usize> {
        let others = self.usable().into_iter();
        let others = others.filter(|id| *id != Self::START_SETTING && self.fresh_trials(*id) > 0);
        others.max_by_key(|id| self.fresh_trials(*id))
    }

    /// Whether conditions are kept as far as is known.
    pub(super) fn is_feasible(&self, id: usize) -> bool {
        self.margin(id).is_some_and(|margin| margin >= 0.0)
    }

    /// Settings that were measured and not given up.
    pub(super) fn usable(&self) -> Vec<usize> {
        let is_usable =
            |id: &usize| !self.is_excluded(*id) && !self.settings[*id].margins.is_empty();
        self.ids().filter(is_usable).collect()
    }

    /// The setting that is nearest to keeping the conditions.
    pub(super) fn nearest(&self) -> usize {
        let margin = |id: &usize| self.fresh_margin(*id).or(self.margin(*id));
        let usable = self.usable().into_iter();
        let nearest = usable.max_by(|a, b| {
            let (a, b) = (margin(a), margin(b));
            a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
        });
        nearest.unwrap_or(Self::START_SETTING)
    }

    /// How much better `a` is than `b`, as a logarithm.
    pub(super) fn contrast(&self, a: usize, b: usize) -> Option<Contrast> {
        self.fit()?.difference(a, b)
    }

    /// Whether `a` is better than `b` by more than its own error.
    pub(super) fn is_likely_better(&self, a: usize, b: usize) -> bool {
        if self.goal == StudyGoal::Meet || !self.is_feasible(b) {
            return a != b;
        }
        let contrast = self.contrast(a, b);
        a != b && contrast.is_none_or(|contrast| contrast.middle > contrast.error)
    }

    /// The best setting: of those that keep the conditions the highest score, or the cheapest if
    /// there is a goal to meet; else what is nearest to keeping them.
    pub(super) fn best(&self) -> usize {
        let estimate = |id: usize| {
            let contrast = self.contrast(id, Self::START_SETTING);
            contrast.map_or(0.0, |contrast| contrast.middle)
        };
        let rank = |id: usize| -> (bool, f64, f64) {
            let meets = match self.goal {
                StudyGoal::Best => self.is_feasible(id),
                StudyGoal::Meet => self.meets(id, RACE_ALPHA),
            };
            let cost = -self.space.cost(self.setting(id));
            match (self.goal, meets) {
                (StudyGoal::Best, true) => (true, estimate(id), cost),
                (StudyGoal::Meet, true) => (true, cost, estimate(id)),
                (_, false) => (false, self.margin(id).unwrap_or(f64::NEG_INFINITY), cost),
            }
        };
        let usable = self.usable();
        let open = |id: &usize| !self.is_rejected(*id);
        // When all are rejected, the nearest of them is told.
        let all_rejected = !usable.iter().any(open);
        let usable = usable.into_iter().filter(|id| all_rejected || open(id));
        let best = usable.max_by(|a, b| {
            let (a, b) = (rank(*a), rank(*b));
            let by_score = a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2));
            a.0.cmp(&b.0).then(by_score)
        });
        best.unwrap_or(Self::START_SETTING)
    }

    /// Which of these may still be the best. Alone when the others are clearly worse, or when
    /// all that are left are known to be as good within `within`.
    pub(super) fn survivors(&self, ids: &[usize], within: f64) -> Vec<usize> {
        let mut ids: Vec<usize> = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| !self.is_excluded(*id) && self.is_tried(*id));
        if self.fit().is_none() {
            return ids;
        }
        if self.goal == StudyGoal::Meet {
            return self.undecided(ids);
        }
        let best = self.best();
        let mut widest: f64 = 0.0;
        let mut left = Vec::new();
        for id in ids {
            let Some(contrast) = self.contrast(best, id) else {
                left.push(id);
                continue;
            };
            let change = holm::interval(contrast, RACE_ALPHA);
            let is_worse = change.low > 0.0 || (self.is_feasible(best) && self.misses(id));
            if id != best && !is_worse {
                widest = widest.max(change.high);
            }
            if !is_worse || id == best {
                left.push(id);
            }
        }
        if widest <= within {
            left.retain(|id| *id == best);
        }
        left
    }

    /// Settings of which it is not clear yet whether they meet the goal.
    fn undecided(&self, ids: Vec<usize>) -> Vec<usize> {
        let is_open = |id: &usize| !self.meets(*id, RACE_ALPHA) && !self.misses(*id);
        let open: Vec<usize> = ids.iter().copied().filter(is_open).collect();
        // A dearer setting than one that meets it is of no interest.
        let cost = |id: usize| self.space.cost(self.setting(id));
        let met = ids.iter().filter(|id| self.meets(**id, RACE_ALPHA));
        let cheapest = met.map(|id| cost(*id)).fold(f64::INFINITY, f64::min);
        let mut left: Vec<usize> = open.into_iter().filter(|id| cost(*id) < cheapest).collect();
        if cheapest.is_finite() && !left.is_empty() {
            left.push(self.best());
        }
        // The nearest to the goal is looked at again when none meets it.
        if left.len() == 1 && !cheapest.is_finite() {
            left.push(Self::START_SETTING);
        }
        left.dedup();
        left
    }

    /// The cheapest setting that is known to be as good as the best within `within`.
    pub(super) fn cheapest_of_best(&self, within: f64) -> usize {
        let best = self.best();
        if self.goal == StudyGoal::Meet {
            return best;
        }
        let cost = |id: usize| self.space.cost(self.setting(id));
        let is_as_good = |id: &usize| {
            let contrast = self.contrast(best, *id);
            self.is_known(*id)
                && self.is_feasible(*id)
                && contrast.is_some_and(|contrast| contrast.middle + contrast.error <= within)
        };
        let equals = self.usable().into_iter().filter(is_as_good);
        // The start setting changes nothing, which is cheapest of all for equal cost.
        let cheapest = equals.min_by(|a, b| cost(*a).total_cmp(&cost(*b)).then(a.cmp(b)));
        cheapest.filter(|id| cost(*id) < cost(best)).unwrap_or(best)
    }

    /// Whether more than one trial tells of it.
    pub(super) fn is_known(&self, id: usize) -> bool {
        self.settings[id].margins.len() >= TRIALS_MIN
    }

    /// The values of each setting that was tried more than once, over all blocks.
    pub(super) fn repeated(&self) -> Vec<Vec<f64>> {
        let mut of_settings: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for trial in self.trials.iter().chain(&self.fresh) {
            of_settings
                .entry(trial.setting)
                .or_default()
                .push(trial.value);
        }
        of_settings.retain(|_, values| values.len() > 1);
        of_settings.into_values().collect()
    }

    /// The values of each setting in each block.
    pub(super) fn in_blocks(&self) -> BTreeMap<(usize, usize), Vec<f64>> {
        let mut of_blocks: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
        for trial in self.trials.iter().chain(&self.fresh) {
            let place = (trial.setting, trial.block);
            of_blocks.entry(place).or_default().push(trial.value);
        }
        of_blocks
    }

    /// The trials that choose, each with its setting.
    pub(super) fn surface_trials(&self) -> Vec<SurfaceTrial> {
        let trials = self.trials.iter();
        trials.map(|trial| self.of_surface(*trial)).collect()
    }

    /// The same with how far conditions are kept; nothing without conditions.
    pub(super) fn margin_trials(&self) -> Vec<SurfaceTrial> {
        if !self.margins.iter().any(|margin| margin.is_finite()) {
            return Vec::new();
        }
        let trials = self.trials.iter().zip(&self.margins);
        trials
            .map(|(trial, margin)| SurfaceTrial {
                value: margin.clamp(-MARGIN_MAX, MARGIN_MAX),
                ..self.of_surface(*trial)
            })
            .collect()
    }

    fn of_surface(&self, trial: BlockTrial) -> SurfaceTrial {
        SurfaceTrial {
            setting: self.setting(trial.setting).to_vec(),
            block: trial.block,
            value: trial.value,
        }
    }

    /// Settings that were measured, keep the conditions, and were not given up.
    pub(super) fn settings_to_choose(&self) -> Vec<Vec<usize>> {
        let usable = self.usable().into_iter();
        let open = usable.filter(|id| self.is_feasible(*id) && !self.is_rejected(*id));
        open.map(|id| self.setting(id).to_vec()).collect()
    }

    /// Whether a setting may be tried again, or for the first time.
    pub(super) fn is_open(&self, setting: &[usize]) -> bool {
        let is_open = |id: usize| {
            let misses = self.margin(id).is_some_and(|margin| margin < 0.0);
            !self.is_excluded(id) && !self.is_rejected(id) && !misses
        };
        (self.space.allowed)(setting) && self.find(setting).is_none_or(is_open)
    }

    /// The settings that come next after the start setting.
    pub(super) fn rivals(&self) -> Vec<usize> {
        let others = self
            .usable()
            .into_iter()
            .filter(|id| *id != Self::START_SETTING && self.is_feasible(*id));
        let mut upper: Vec<(f64, usize)> = others
            .filter_map(|id| {
                let contrast = self.contrast(id, Self::START_SETTING)?;
                Some((holm::interval(contrast, RACE_ALPHA).high, id))
            })
            .collect();
        upper.sort_by(|a, b| b.0.total_cmp(&a.0));
        upper
            .into_iter()
            .take(RIVALS_MAX)
            .map(|(_, id)| id)
            .collect()
    }

    /// Differences of fresh pairs: the winner less the start setting.
    pub(super) fn fresh_pairs(&self, winner: usize) -> Vec<f64> {
        let of = |setting: usize| {
            let mine = self
                .fresh
                .iter()
                .filter(move |trial| trial.setting == setting);
            mine.map(|trial| (trial.block, trial.value))
                .collect::<BTreeMap<usize, f64>>()
        };
        let (start, won) = (of(Self::START_SETTING), of(winner));
        let both = won
            .iter()
            .filter_map(|(block, value)| Some(value - start.get(block)?));
        both.collect()
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
