//! Where trials differ by more than settings that are as good: what is tried next, and what is chosen, by a surface through all
//! trials. Compared one by one, settings would be chosen by their luck.

use loadline_analysis::tuning::spread::RepeatedTrials;
use loadline_analysis::tuning::surface::{SettingEstimate, SurfaceFit};
use loadline_units::random::Random;

use super::tried::TriedSettings;
use super::{Stage, Study, StudyGoal, TrialPurpose, candidates};

/// Settings of one block beside the best one so far.
const BLOCK_SIZE: usize = 6;
/// Surfaces that are drawn for each of them.
const DRAWS_PER_SETTING: usize = 2;
/// The degrees of freedom from which on the noise is known.
const FREEDOM_MIN: f64 = 3.0;
/// A setting that is as likely within what is as good as this is taken, ...
const LIKELY_NEAR: f64 = 0.95;
/// ... and one that is hardly less likely than another and changes less.
const HARDLY_LESS: f64 = 0.95;

impl Study {
    /// Whether single trials differ by more than settings that are as good; some that were disturbed do not decide.
    pub(super) fn is_noisy(&self) -> bool {
        let known = self.tried.fit().filter(|fit| fit.freedom() >= FREEDOM_MIN);
        let repeated = RepeatedTrials::new(self.tried.repeated(), self.tried.in_blocks());
        let is_much = |deviation: f64| deviation > self.rules.within;
        self.rules.goal == StudyGoal::Best
            && known.is_some_and(|fit| is_much(fit.deviation()))
            && repeated.deviation().is_some_and(is_much)
    }

    /// The next block of settings that may be the best, beside the one that seems to be; or the choice.
    pub(super) fn explore(&mut self) {
        if !self.is_noisy() {
            self.race_on();
            return;
        }
        let Some(explored) = self.explored() else {
            self.choose();
            return;
        };
        self.shape = Some(explored.surface.shape().clone());
        let is_clear = explored.chance_of_choice() >= LIKELY_NEAR;
        let likely = explored.choice(&self.tried, explored.tried(), &explored.near);
        let changed = changed_knobs(&self.tried, &explored.settings[likely]);
        // Each change is put back in two blocks, with the setting and the start setting.
        let put_back = if changed < 2 { 0 } else { 2 * (changed + 2) };
        if is_clear || !self.affords(BLOCK_SIZE + 1 + put_back + self.reserve()) {
            // One that was not tried is tried with its changes put back.
            let near = self.near_by_returns(&explored);
            let likely = explored.choice(&self.tried, 0..explored.settings.len(), &near);
            let likely = self.tried.id(&explored.settings[likely]);
            self.without(likely);
            return;
        }
        let most_likely = highest(&self.near_by_returns(&explored));
        let settings = explored.contenders(most_likely, &self.random);
        let control = self.tried.id(&explored.settings[explored.best_tried()]);
        let ids: Vec<usize> = settings
            .iter()
            .map(|setting| self.tried.id(setting))
            .collect();
        self.plan_blocks(control, &ids, TrialPurpose::Race);
        self.stage = Stage::Explore;
    }

    /// The setting that is likely as good as the best, and changes little; `None` where settings are compared one by one.
    pub(super) fn likely_best(&self) -> Option<usize> {
        let explored = self.shape.as_ref().and_then(|_| self.explored())?;
        let near = self.near_by_returns(&explored);
        let choice = explored.choice(&self.tried, explored.tried(), &near);
        self.tried.find(&explored.settings[choice])
    }

    /// How likely each setting is as good as the best where a step of a knob with an order gains no more than the one before it.
    fn near_by_returns(&self, explored: &Explored) -> Vec<f64> {
        let random = self.random_of_trials();
        let Explored {
            settings, belief, ..
        } = explored;
        let knobs = &self.tried.space.knobs;
        let ordered: Vec<usize> = (0..knobs.len())
            .filter(|knob| knobs[*knob].has_order)
            .collect();
        belief.near_best_by_returns(settings, &ordered, self.rules.within, &random)
    }

    /// The same for the same trials.
    const fn random_of_trials(&self) -> Random {
        Random::new(self.rules.seed.wrapping_add(self.trials as u64))
    }

    /// The setting that is the best so far.
    pub(super) fn seeming_best(&self) -> usize {
        self.likely_best().unwrap_or_else(|| self.tried.best())
    }

    /// What is believed of settings that may be tried.
    fn explored(&self) -> Option<Explored> {
        let deviation = self.tried.fit()?.deviation();
        let shape = self.shape.as_ref();
        let levels: Vec<usize> = self
            .tried
            .space
            .knobs
            .iter()
            .map(super::KnobSpace::levels)
            .collect();
        let surface = SurfaceFit::new(&levels, self.tried.surface_trials(), deviation, shape)?;
        let random = self.random_of_trials();
        let tried = self.tried.settings_to_choose();
        let seen = surface.belief(&tried);
        let mut order: Vec<usize> = (0..tried.len()).collect();
        order.sort_by(|a, b| seen.means()[*b].total_cmp(&seen.means()[*a]));
        let best: Vec<Vec<usize>> = order.iter().map(|at| tried[*at].clone()).collect();
        let mut settings = candidates::open(&self.tried, best, &random);
        if let Some(margins) = SurfaceFit::new(&levels, self.tried.margin_trials(), deviation, None)
        {
            let kept = margins.belief(&settings);
            let mut kept = kept.means().iter().map(|margin| *margin >= 0.0);
            settings.retain(|setting| kept.next() == Some(true) || tried.contains(setting));
        }
        let belief = surface.belief(&settings);
        let near = belief.near_best(self.rules.within, &random);
        let is_tried = settings
            .iter()
            .map(|setting| tried.contains(setting))
            .collect();
        (!tried.is_empty()).then_some(Explored {
            surface,
            settings,
            is_tried,
            belief,
            near,
        })
    }
}

/// What is believed of settings that may be tried.
struct Explored {
    surface: SurfaceFit,
    settings: Vec<Vec<usize>>,
    /// Whether each was measured.
    is_tried: Vec<bool>,
    belief: SettingEstimate,
    /// How likely each is as good as the best.
    near: Vec<f64>,
}

impl Explored {
    /// How likely the setting that would be chosen is as good as the best.
    fn chance_of_choice(&self) -> f64 {
        self.tried().map(|at| self.near[at]).fold(0.0, f64::max)
    }

    fn tried(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.settings.len()).filter(|at| self.is_tried[*at])
    }

    /// The one that was tried and seems best.
    fn best_tried(&self) -> usize {
        let means = self.belief.means();
        let best = self.tried().max_by(|a, b| means[*a].total_cmp(&means[*b]));
        best.unwrap_or(0)
    }

    /// Of those of `open` that are hardly less likely as good as the best the one that changes the fewest knobs, then the cheapest.
    fn choice(
        &self,
        tried: &TriedSettings,
        open: impl Iterator<Item = usize> + Clone,
        near: &[f64],
    ) -> usize {
        let most = open.clone().map(|at| near[at]).fold(0.0, f64::max);
        let changes = |setting: &[usize]| changed_knobs(tried, setting);
        let as_good = open.filter(|at| near[*at] >= HARDLY_LESS * most);
        let choice = as_good.min_by(|a, b| {
            let (a, b) = (&self.settings[*a], &self.settings[*b]);
            let cost = |setting| tried.space.cost(setting);
            changes(a)
                .cmp(&changes(b))
                .then(cost(a).total_cmp(&cost(b)))
        });
        choice.unwrap_or_else(|| self.best_tried())
    }

    /// The setting that is the most likely as good as the best, and those that are the best of surfaces as they are likely, first those
    /// of which the least is known (W. R. Thompson, 1933).
    fn contenders(&self, most_likely: usize, random: &Random) -> Vec<Vec<usize>> {
        let mut belief = self.belief.clone();
        let draws = belief.drawn(BLOCK_SIZE * DRAWS_PER_SETTING, random);
        belief.tried(most_likely);
        let mut best: Vec<usize> = draws.iter().map(|draw| highest(draw)).collect();
        best.sort_unstable();
        best.dedup();
        best.retain(|at| *at != most_likely);
        let mut picked = vec![self.settings[most_likely].clone()];
        while picked.len() < BLOCK_SIZE && !best.is_empty() {
            let variances: Vec<f64> = best.iter().map(|at| belief.variance(*at)).collect();
            let at = best.swap_remove(highest(&variances));
            belief.tried(at);
            picked.push(self.settings[at].clone());
        }
        picked
    }
}

/// How many knobs a setting changes.
fn changed_knobs(tried: &TriedSettings, setting: &[usize]) -> usize {
    let start = tried.setting(TriedSettings::START_SETTING);
    let both = setting.iter().zip(start);
    both.filter(|(level, before)| level != before).count()
}

fn highest(values: &[f64]) -> usize {
    let all = values.iter().enumerate();
    all.max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(at, _)| at)
}
