//! Which level comes next.
//!
//! Doubling, from a load that was named or from the lowest, until the target gives way; then
//! the level that what it sustained there suggests, just below and just above; else the middle
//! between the bounds. Then the line is held to be sure, the knee placed, and 85 % of the line
//! held for long. Where chance lies in when requests come, all levels together say where the line lies ([`known`]).

mod known;

use std::cell::LazyCell;

use loadline_analysis::capacity::{
    Ceiling, LevelOutcome, Purpose, SentAtLoad, Step, Unit, UnsureReason,
};
use loadline_analysis::estimate::Estimate;

use super::history::{Bound, History};
use super::settings::{FIRST_LOAD, HeldLoads, NEAR_SHARES, SearchSettings};
use known::NextByAll;

/// How far below what was sustained it is tried first, and then above it.
const BELOW_SHARE: f64 = 0.012;
const ABOVE_SHARE: f64 = 0.01;
/// How far below the first load it is looked for one that is carried.
const FIRST_LOAD_DIVISOR_MAX: f64 = 16.0;
/// Ways towards a ceiling that is not the target's.
const TRIES_AT_CEILING: usize = 3;
/// How often the target is looked at without load while the generator is held up.
const TRIES_WITHOUT_LOAD: usize = 3;
/// Levels that are held to be sure of one.
const CONFIRMED_LEVELS_MAX: usize = 5;
/// How much farther below each next one of them is.
const DISTANCE_FACTOR: f64 = 1.5;
/// Where the knee is looked for, as a share of the peak.
const KNEE_PEAK_SHARE: f64 = 0.92;
/// What of the line is held for long in the end.
pub(super) const SOAK_SHARE: f64 = 0.85;

/// The target without load, as seen last.
pub(super) fn baseline(steps: &[Step]) -> Option<&Step> {
    let mut steps = steps.iter().rev();
    steps.find(|step| step.purpose == Purpose::Baseline)
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Choice {
    /// Hold this level.
    Level(f64, Purpose),
    /// Nothing more is to be learnt.
    Over,
}

/// Where the line lies, once that is asked for.
pub(super) type KnownLine<'a> =
    LazyCell<Option<Estimate>, Box<dyn FnOnce() -> Option<Estimate> + 'a>>;

/// What a choice is made on.
pub(super) struct SearchState<'a> {
    pub(super) settings: &'a SearchSettings,
    pub(super) steps: &'a [Step],
    pub(super) history: &'a History,
    /// Where the line lies with 95 % by all levels together, where they tell: a fit, made where it is asked for.
    pub(super) known: KnownLine<'a>,
    /// Windows a level must count.
    pub(super) least: usize,
    /// Time left of the budget, seconds.
    pub(super) left: f64,
}

impl SearchState<'_> {
    /// What comes after the steps so far.
    pub(super) fn choose(&self) -> Choice {
        if let Some(held) = &self.settings.held {
            return self.next_held(held);
        }
        if self.steps.is_empty() {
            return Choice::Level(self.first(), Purpose::Baseline);
        }
        if let Some(load) = self.goal_to_confirm() {
            return Choice::Level(load, Purpose::Confirm);
        }
        if let Some(next) = self.towards_the_line() {
            return next;
        }
        let Some(low) = self.history.low() else {
            return Choice::Over;
        };
        if let Some(load) = self.to_confirm(low) {
            return Choice::Level(load, Purpose::Confirm);
        }
        let low = self.history.certain().unwrap_or(low);
        if self.gave_way_at_the_knee() && self.left > 10.0 {
            return Choice::Level(low.load, Purpose::Confirm);
        }
        if let Some(load) = self.still_changing(low) {
            return Choice::Level(load, Purpose::Refine);
        }
        if let Some(load) = self.knee_to_place(low) {
            return Choice::Level(load, Purpose::Knee);
        }
        let soaked = |step: &Step| step.purpose == Purpose::Soak;
        let is_soaked = self
            .steps
            .iter()
            .any(|s| soaked(s) && s.outcome.is_carried());
        let sent = SentAtLoad::of_steps(self.steps, low.load);
        // That little of it lasts is no answer to what is not known.
        let is_told = low.outcome == LevelOutcome::Holds || !sent.is_few();
        if self.settings.soak > 0.0 && !is_soaked && is_told {
            let load = self.whole(low.load * SOAK_SHARE, low.load);
            return Choice::Level(load, Purpose::Soak);
        }
        Choice::Over
    }

    /// The next of the loads that are held in place of a search.
    fn next_held(&self, held: &HeldLoads) -> Choice {
        if self.steps.is_empty() && held.idle.is_none() {
            return Choice::Level(self.first(), Purpose::Baseline);
        }
        let mut ended = self.steps.iter().filter(|s| s.purpose == Purpose::Confirm);
        let count = ended.clone().count();
        let is_enough = ended.any(|step| step.outcome.is_too_much());
        match held.loads.get(count).filter(|_| !is_enough) {
            Some(load) => Choice::Level(*load, Purpose::Confirm),
            None => Choice::Over,
        }
    }

    /// The load at which the search ends once it is confirmed.
    fn goal(&self) -> Option<f64> {
        let each = self.steps.last().map_or(1.0, Step::requests_per_iteration);
        let goal = self.settings.stop_at?.load(each);
        Some(match self.settings.unit {
            Unit::Rate => goal,
            Unit::Users => goal.ceil(),
        })
    }

    /// That load, once it was carried for a short time and not yet held to be sure.
    fn goal_to_confirm(&self) -> Option<f64> {
        let goal = self.goal()?;
        let is_carried = self.history.low()?.load >= goal * 0.999;
        let near = |step: &Step| (step.load / goal - 1.0).abs() < 0.002;
        let mut steps = self.steps.iter();
        let was_held = steps.any(|s| s.purpose == Purpose::Confirm && near(s));
        (is_carried && !was_held && self.left > 10.0).then_some(goal)
    }

    fn first(&self) -> f64 {
        FIRST_LOAD.min(self.settings.highest)
    }

    /// The next level on the way to the line; `None` once it is known well enough, or the
    /// time is up.
    fn towards_the_line(&self) -> Option<Choice> {
        let (low, high) = (self.history.low(), self.history.high());
        let is_late = self.settings.is_late(self.left);
        if let Some(again) = self.held_too_shortly(low, high).filter(|_| !is_late) {
            return Some(Choice::Level(again, Purpose::Refine));
        }
        let Some(low) = low else {
            return self.downwards(high.map(|high| high.load));
        };
        if is_late {
            return None;
        }
        if let Some(ceiling) = self.history.ceiling() {
            return self.towards_a_ceiling(low, ceiling);
        }
        let Some(high) = high else {
            let goal = self.goal();
            if goal.is_some_and(|goal| low.load >= goal * 0.999) {
                // More was not asked for.
                return None;
            }
            let most = goal.unwrap_or(f64::INFINITY).min(self.settings.highest);
            let doubled = (low.load.max(self.settings.climbs_from()) * 2.0).min(most);
            let beside = self.beside_a_former_line(low.load);
            let beside = beside.map(|load| load.min(most));
            let next = beside.or_else(|| self.unclear_above(low.load));
            let next = next.unwrap_or(doubled);
            let is_higher = next > low.load * 1.001;
            return is_higher.then(|| Choice::Level(next, self.effort()));
        };
        if let Some(known) = self.known_near_the_line() {
            match self.by_all_levels(known, low) {
                NextByAll::Level(next) => return Some(next),
                NextByAll::Enough => return None,
                NextByAll::Unknown => {}
            }
        }
        if high.load <= low.load * (1.0 + self.settings.precision) || !self.is_room(low, high) {
            return self.recheck(low, high);
        }
        if let Some(again) = self.contradiction(low, high) {
            return Some(again);
        }
        if let Some(half) = self.suspected(high) {
            return Some(Choice::Level(half, Purpose::Refine));
        }
        let guess = self.guided(low, high);
        let load = self.whole(guess, low.load);
        let is_new = load > low.load * 1.0005 && load < high.load * 0.9995;
        is_new.then_some(Choice::Level(load, Purpose::Refine))
    }

    /// The first load beside the line of a former search that is higher than what is known to be carried.
    fn beside_a_former_line(&self, low: f64) -> Option<f64> {
        let near = self.settings.near?;
        let loads = NEAR_SHARES.map(|share| self.whole(near * share, 0.0));
        let mut beyond = loads.into_iter().filter(|load| *load > low * 1.001);
        beyond.next()
    }

    /// A level that was carried for a shorter time than the target took to change, below
    /// what it sustained then: it may be carried for longer, too.
    fn held_too_shortly(&self, low: Option<&Bound>, high: Option<&Bound>) -> Option<f64> {
        let high = high.filter(|_| self.least > 0)?;
        let most = (high.load * 0.999).min(high.sustained.max(low.map_or(0.0, |low| low.load)));
        let was_since = |load: f64| {
            let since = &self.steps[high.step..];
            since.iter().any(|s| (s.load / load - 1.0).abs() < 0.002)
        };
        let carried = self.steps.iter().filter(|s| s.outcome.is_carried());
        let best = carried
            .map(|s| s.load)
            .filter(|load| *load < most)
            .reduce(f64::max)?;
        let is_higher = low.is_none_or(|low| best > low.load * 1.003);
        (is_higher && !was_since(best)).then_some(best)
    }

    /// A rough answer will do far from the line; not once the target was seen to change
    /// late.
    fn effort(&self) -> Purpose {
        if self.least > 10 {
            Purpose::Refine
        } else {
            Purpose::Climb
        }
    }

    /// The double of a level that could not be told, if the last one was such.
    fn unclear_above(&self, low: f64) -> Option<f64> {
        let last = self.steps.last()?;
        let is_unclear = last.outcome == LevelOutcome::Unclear && last.load > low;
        is_unclear.then(|| (last.load * 2.0).min(self.settings.highest))
    }

    /// Nothing was carried yet: less, unless that was tried enough.
    fn downwards(&self, high: Option<f64>) -> Option<Choice> {
        let Some(high) = high else {
            let last = self.steps.last()?;
            let was_generator =
                matches!(last.outcome, LevelOutcome::Invalid(Ceiling::Generator(_)));
            if was_generator && self.steps.len() < TRIES_WITHOUT_LOAD {
                // So little load is no generator's limit: a neighbour took the machine.
                return Some(Choice::Level(self.first(), Purpose::Baseline));
            }
            // The first levels could not be told: more load tells more.
            let more = (last.load * 2.0).min(self.settings.highest);
            return (last.outcome == LevelOutcome::Unclear && more > last.load && self.left > 30.0)
                .then_some(Choice::Level(more, Purpose::Climb));
        };
        let bound = self.history.high()?;
        let is_alone = self.steps[bound.step].in_flight < 1.5;
        if is_alone && matches!(bound.outcome, LevelOutcome::Misses { .. }) {
            // Hardly ever two at once: less load cannot help, if it was not by accident. A
            // neighbour that took the target's machine for a moment is one, so it is seen twice.
            let first = self.first();
            let seen = self.steps.iter().filter(|s| s.load <= first * 1.01);
            return (seen.count() < 2).then_some(Choice::Level(first, Purpose::Baseline));
        }
        // What was sustained under too much load is what is likely to be carried.
        let guess = bound.sustained * (1.0 - BELOW_SHARE);
        let is_plausible =
            bound.outcome == LevelOutcome::Overloaded && guess > 0.0 && guess < high * 0.95;
        let tried = |load: f64| {
            self.steps
                .iter()
                .any(|s| (s.load / load - 1.0).abs() < 0.005)
        };
        let next = if is_plausible && !tried(guess) {
            guess
        } else {
            high / 2.0
        };
        let next = self.suspected(bound).unwrap_or(next);
        let lowest = self.first() / FIRST_LOAD_DIVISOR_MAX;
        let next = self.whole(next, 0.0);
        (next >= lowest && next < high && self.left > 0.0)
            .then_some(Choice::Level(next, Purpose::Refine))
    }

    /// Something else than the target is the limit: a few levels below it, to say how much
    /// the target carries at least.
    fn towards_a_ceiling(&self, low: &Bound, ceiling: &Bound) -> Option<Choice> {
        let invalid = |step: &&Step| matches!(step.outcome, LevelOutcome::Invalid(_));
        let seen = self.steps.iter().filter(invalid).count();
        let is_generator = matches!(
            ceiling.outcome,
            LevelOutcome::Invalid(Ceiling::Generator(_))
        );
        if is_generator && seen < 2 {
            // A neighbour may have taken the machine for a moment.
            return Some(Choice::Level(ceiling.load, Purpose::Climb));
        }
        let load = self.whole((low.load * ceiling.load).sqrt(), low.load);
        let is_worth_it = seen < 2 + TRIES_AT_CEILING && ceiling.load > low.load * 1.15;
        (is_worth_it && load > low.load * 1.001 && load < ceiling.load * 0.999)
            .then_some(Choice::Level(load, Purpose::Climb))
    }

    /// Between whole users there may be none left to try.
    fn is_room(&self, low: &Bound, high: &Bound) -> bool {
        self.settings.unit == Unit::Rate || high.load - low.load > 1.5
    }

    /// A bound found roughly, and early, is tried once more: the target may have warmed up
    /// since.
    fn recheck(&self, low: &Bound, high: &Bound) -> Option<Choice> {
        let step = &self.steps[high.step];
        let is_rough = step.purpose == Purpose::Climb || low.load > high.sustained * 1.005;
        (is_rough && low.step > high.step).then_some(Choice::Level(high.load, Purpose::Refine))
    }

    /// A target that got faster during the search may have gone on doing so: the bound above
    /// is tried again, unless it was since the line was last held.
    fn still_changing(&self, low: &Bound) -> Option<f64> {
        let high = self.history.high()?;
        let got_faster = loadline_analysis::capacity::got_faster(self.steps);
        (got_faster && high.step < low.step && self.left > 15.0).then_some(high.load)
    }

    /// What the two bounds say of the target does not fit: the older one is tried again.
    fn contradiction(&self, low: &Bound, high: &Bound) -> Option<Choice> {
        if high.outcome != LevelOutcome::Overloaded {
            return None;
        }
        // Once each: work that is in several requests' hands says little about what is sustained.
        let is_new = |load: f64| {
            let same = |step: &&Step| (step.load / load - 1.0).abs() < 0.002;
            self.steps.iter().filter(same).count() < 2
        };
        let carries_more = low.step > high.step && low.load > high.sustained * 1.03;
        if carries_more && is_new(high.load) {
            return Some(Choice::Level(high.load, Purpose::Refine));
        }
        let carries_less = high.step > low.step && high.sustained < low.load * 0.95;
        (carries_less && is_new(low.load)).then_some(Choice::Level(low.load, Purpose::Refine))
    }

    /// Failures without slowness may have nothing to do with load: half of it tells.
    fn suspected(&self, high: &Bound) -> Option<f64> {
        let LevelOutcome::Misses { term, .. } = high.outcome else {
            return None;
        };
        let is_share = self.settings.terms[term].statistic.is_share();
        let half = high.load / 2.0;
        let median = |step: &Step| step.durations.percentile(0.5);
        let (idle, now) = (
            median(baseline(self.steps)?)?,
            median(&self.steps[high.step])?,
        );
        let was_tried = self
            .steps
            .iter()
            .any(|s| s.purpose == Purpose::Refine && (s.load / half - 1.0).abs() < 0.05);
        (is_share && now < 1.5 * idle + 5.0 && !was_tried).then_some(half)
    }

    /// The load that is likely to tell most.
    fn guided(&self, low: &Bound, high: &Bound) -> f64 {
        let middle = (low.load * high.load).sqrt();
        let speaks = matches!(
            high.outcome,
            LevelOutcome::Overloaded | LevelOutcome::AsksToWait
        );
        if self.settings.unit != Unit::Rate || !speaks || high.sustained <= 0.0 {
            return middle;
        }
        let fits = |load: f64| load > low.load * 1.003 && load < high.load * 0.997;
        // Farther below each time it did not help.
        let missed = self.steps.iter().rev();
        let missed = missed
            .take_while(|s| s.purpose == Purpose::Refine && s.outcome.is_too_much())
            .count();
        let doublings = i32::try_from(missed.min(5)).unwrap_or(5);
        let below = high.sustained.min(high.load) * (1.0 - BELOW_SHARE * 2.0_f64.powi(doublings));
        if fits(below) {
            return below;
        }
        let above = high.sustained * (1.0 + ABOVE_SHARE);
        if fits(above) { above } else { middle }
    }

    /// The load to be sure of: the line, or, where it was held for that and is too near its
    /// limit to tell, one that is farther below each time.
    fn to_confirm(&self, low: &Bound) -> Option<f64> {
        if self.history.certain().is_some() || self.left <= 10.0 {
            return None;
        }
        if let Some(known) = self.known_near_the_line() {
            return self.to_confirm_below(known, low);
        }
        let confirms = self.steps.iter().filter(|s| {
            s.purpose == Purpose::Confirm && s.outcome == LevelOutcome::Likely && s.load <= low.load
        });
        let tried: Vec<&Step> = confirms.collect();
        let Some(lowest) = tried.iter().min_by(|a, b| a.load.total_cmp(&b.load)) else {
            return Some(low.load);
        };
        let is_worth_it = tried.len() < CONFIRMED_LEVELS_MAX
            && lowest.doubt(&self.settings.terms) == UnsureReason::NearLimit;
        let times = DISTANCE_FACTOR.powi(i32::try_from(tried.len()).unwrap_or(0) - 1);
        let load = self.whole(lowest.load * (1.0 - self.settings.precision * times), 0.0);
        (is_worth_it && load < lowest.load && self.left > self.settings.confirm_bought())
            .then_some(load)
    }

    /// A load at which the knee may be placed more closely, once.
    fn knee_to_place(&self, low: &Bound) -> Option<f64> {
        let was = self.steps.iter().any(|s| s.purpose == Purpose::Knee);
        let high = self.history.high()?;
        let is_peak =
            matches!(high.outcome, LevelOutcome::Overloaded) && self.settings.unit == Unit::Rate;
        let peak = high.sustained.max(low.sustained);
        let load = peak * KNEE_PEAK_SHARE;
        let is_placed = self
            .steps
            .iter()
            .any(|s| s.load >= 0.89 * peak && s.load <= 0.935 * peak);
        (!was && is_peak && !is_placed && load < low.load && self.left > 15.0).then_some(load)
    }

    /// Whether the target just gave way below the line: it paused, or got worse, which holding
    /// the line once more tells.
    fn gave_way_at_the_knee(&self) -> bool {
        let last = self.steps.last();
        last.is_some_and(|s| s.purpose == Purpose::Knee && s.outcome.is_too_much())
    }

    /// Whole users; above `low` where there is one above.
    fn whole(&self, load: f64, low: f64) -> f64 {
        match self.settings.unit {
            Unit::Rate => load,
            Unit::Users if low > 0.0 && load > low => load.round().max(low + 1.0),
            Unit::Users => load.round().max(1.0),
        }
    }
}
