//! The search for a back end's capacity.
//!
//! A [`Search`] holds one level after the other, lets the target drain in
//! between, waits until it answers as it did without load wherever it was overloaded, and
//! comes to an [`Answer`]: the line (highest load whose objective holds with confidence),
//! the knee and the peak. Nothing that the generator limited is ever told as the
//! target's. What steps and answers are, and how a curve somebody else measured is judged, is
//! in `analysis::capacity`.

mod choose;
mod history;
mod measure;
mod run;
mod settings;
mod spells;
mod trial;
mod unjudged;

use std::cell::LazyCell;

pub use run::{SearchProgress, run_search};
pub use settings::{DEFAULT_PRECISION, FIRST_LOAD, Goal, HeldLoads, IdleTimes, SearchSettings};

use choose::{Choice, SearchState, baseline};
use history::History;
use loadline_analysis::capacity::{
    AbortReason, Answer, Baseline, Ceiling, LevelOutcome, Purpose, SearchEnd, Step, Unit,
};
use loadline_analysis::estimate::Estimate;
use loadline_analysis::slo::{Sample, SeenSample, TermState, judge};
use spells::Spells;
use trial::{Rules, Trial};

use crate::runner::RunnerRequirements;
use crate::window::LoadWindow;

/// How long a target may take to drain and to answer as without load again, seconds.
const RECOVERY_SECONDS_MAX: f64 = 75.0;
/// How much slower than without load it may still answer then.
const RECOVERED_FACTOR_MAX: f64 = 2.0;
const RECOVERED_MS_MAX: f64 = 20.0;
/// How often a term may be called missed at every load, wrongly.
const ANY_LOAD: f64 = 0.01;

/// One level outside of a search, of a target whose requests usually take `idle_ms` without
/// load: windows are taken until it is judged. `None` when they end before that.
#[must_use]
pub fn judge_level(
    settings: &SearchSettings,
    load: f64,
    purpose: Purpose,
    idle_ms: f64,
    windows: impl IntoIterator<Item = LoadWindow>,
) -> Option<Step> {
    let rules = Rules {
        idle_iteration_ms: idle_ms,
        idle_request_ms: idle_ms,
        idle_term_ms: vec![idle_ms; settings.terms.len()],
        ..Rules::new(settings)
    };
    let mut trial = Trial::new(load, purpose, 0.0, &rules);
    windows
        .into_iter()
        .find_map(|window| trial.take(&window, &rules))
}

/// What a search asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// This load from now on; none is zero.
    Load(f64),
    /// The same load for another window.
    Keep,
    /// It is over.
    Done,
}

/// Where a search stands.
#[derive(Debug)]
enum State {
    Holding(Box<Trial>),
    /// No load, until nothing is in flight.
    Draining {
        since: f64,
        probe: bool,
    },
    /// Little load, until it is answered as without load.
    Probing {
        since: f64,
        windows: u32,
    },
    Over,
}

/// A search under way.
#[derive(Debug)]
pub struct Search {
    settings: SearchSettings,
    rules: Rules,
    steps: Vec<Step>,
    /// Of each step, the samples of its terms, for what holds at any load.
    samples: Vec<(f64, Vec<Sample>)>,
    history: History,
    state: State,
    clock: f64,
    /// When the soak began, which does not count.
    soaking: f64,
    end: Option<SearchEnd>,
    held: Vec<Sample>,
    spells: Spells,
    /// All requests so far, and of each term those it is asked of.
    requests: f64,
    asked: Vec<Sample>,
    /// All iterations that ended so far, and those that failed.
    iterations: f64,
    broken: f64,
}

impl Search {
    /// A search as asked for.
    #[must_use]
    pub fn new(settings: SearchSettings) -> Self {
        let rules = Rules::new(&settings);
        Self {
            settings,
            rules,
            steps: Vec::new(),
            samples: Vec::new(),
            history: History::default(),
            state: State::Over,
            clock: 0.0,
            soaking: 0.0,
            end: None,
            held: Vec::new(),
            spells: Spells::default(),
            requests: 0.0,
            asked: Vec::new(),
            iterations: 0.0,
            broken: 0.0,
        }
    }

    /// What it needs of a runner.
    #[must_use]
    pub fn plan(&self) -> RunnerRequirements {
        self.settings.plan()
    }

    /// The levels held so far.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The level being held now, if one is, and why.
    #[must_use]
    pub fn holding(&self) -> Option<(f64, Purpose)> {
        match &self.state {
            State::Holding(trial) => Some((trial.load, trial.purpose)),
            _ => None,
        }
    }

    /// The first load.
    pub fn begin(&mut self) -> Action {
        self.next()
    }

    /// Takes the next window in.
    pub fn step(&mut self, window: &LoadWindow) -> Action {
        self.clock = window.end;
        self.requests += window.requests;
        self.iterations += window.ended;
        self.broken += window.faults.broken;
        unjudged::count_samples(&mut self.asked, &window.samples);
        match &mut self.state {
            State::Over => Action::Done,
            State::Holding(trial) => {
                measure::keep_samples(&mut self.held, &window.samples);
                let is_slow = self.rules.is_slow(&window.durations);
                self.spells.add(&window.samples, is_slow);
                match trial.take(window, &self.rules) {
                    Some(step) => self.finish(step),
                    None if self.nothing_to_judge().is_some() => self.cut(),
                    None if self.is_far_over_time() => self.cut(),
                    None => Action::Keep,
                }
            }
            State::Draining { since, probe } => {
                let (since, probe) = (*since, *probe);
                if window.in_flight < 0.5 {
                    if probe {
                        self.state = State::Probing {
                            since: self.clock,
                            windows: 0,
                        };
                        return Action::Load(self.idle_load());
                    }
                    return self.next();
                }
                self.wait(since)
            }
            State::Probing { since, windows } => {
                *windows += 1;
                let (since, is_first) = (*since, *windows == 1);
                if !is_first && self.is_recovered(window) {
                    return self.drain(false);
                }
                self.wait(since)
            }
        }
    }

    /// Ends it where it stands.
    pub fn interrupt(&mut self) {
        if let State::Holding(trial) = std::mem::replace(&mut self.state, State::Over) {
            self.steps.extend(trial.cut(&self.rules));
        }
        self.end.get_or_insert(SearchEnd::Interrupted);
    }

    /// What it came to, as far as it got.
    #[must_use]
    pub fn answer(&self) -> Answer {
        Answer::from_steps(
            &self.settings.asked(),
            &self.steps,
            self.history.bounds(),
            self.end
                .clone()
                .or_else(|| self.nothing_judged_of(1.0, 1.0)),
            self.rules.idle_load_of(&self.steps),
        )
    }

    fn idle_load(&self) -> f64 {
        baseline(&self.steps).map_or(FIRST_LOAD, |step| step.load)
    }

    /// A level is over: what it says, and no load.
    fn finish(&mut self, step: Step) -> Action {
        if step.purpose == Purpose::Soak {
            self.soaking += self.clock - step.began;
        }
        if step.purpose == Purpose::Baseline && step.outcome != LevelOutcome::Overloaded {
            self.rules.idle_iteration_ms = step.iteration_ms.unwrap_or(0.0);
            self.rules.idle_request_ms = step.durations.percentile(0.5).unwrap_or(0.0);
        }
        let place = self.steps.len();
        self.history.add(place, &step);
        let samples = std::mem::take(&mut self.held);
        if !matches!(
            step.outcome,
            LevelOutcome::Overloaded | LevelOutcome::AsksToWait | LevelOutcome::Aborted(_)
        ) {
            self.samples.push((step.load, samples));
        }
        // What the generator limited says nothing of the target.
        let is_valid = |step: &Step| !matches!(step.outcome, LevelOutcome::Invalid(_));
        let knows_idle = self.settings.knows_idle();
        let is_first = !knows_idle && !self.steps.iter().any(is_valid);
        self.end = match step.outcome {
            // Of all that were counted, as the table of levels has it.
            LevelOutcome::Aborted(AbortReason::Errors(_)) if is_first => {
                Some(SearchEnd::FailsWithoutLoad(step.errors))
            }
            LevelOutcome::Aborted(_) if is_first => Some(SearchEnd::NoAnswer),
            // It answered as little load before: not the load, the target is gone.
            LevelOutcome::Aborted(AbortReason::NoAnswers | AbortReason::Refused)
                if step.load <= self.idle_load() * 1.001 =>
            {
                Some(SearchEnd::NotRecovered)
            }
            LevelOutcome::Holds if self.is_goal(&step) => Some(SearchEnd::AtLeast(Ceiling::Goal)),
            // The budget buys no more, and more load was not asked for.
            LevelOutcome::Likely
                if self.is_goal(&step)
                    && self.settings.confirm_bought() < self.settings.confirm =>
            {
                Some(SearchEnd::AtLeast(Ceiling::Goal))
            }
            _ => self
                .nothing_to_judge()
                .or_else(|| self.misses_at_any_load(&step)),
        };
        let probe = step.outcome.is_too_much();
        self.steps.push(step);
        if let Some(late) = loadline_analysis::capacity::changed_late(&self.steps) {
            // What was carried for a shorter time only is not known to be carried.
            self.rules.least = late + late / 4;
            self.history.forget_shorter(self.rules.least);
        }
        if self.end.is_some() {
            self.state = State::Over;
            return Action::Done;
        }
        self.drain(probe && (place > 0 || knows_idle))
    }

    /// Whether a level is the goal at which the search is to end; the soak is below its line.
    fn is_goal(&self, step: &Step) -> bool {
        let goal = self
            .settings
            .stop_at
            .map(|goal| goal.load(step.requests_per_iteration()));
        step.purpose == Purpose::Confirm && goal.is_some_and(|goal| step.load >= goal * 0.999)
    }

    /// A term that is missed with little load as with much is no matter of load.
    fn misses_at_any_load(&self, step: &Step) -> Option<SearchEnd> {
        let LevelOutcome::Misses { term, .. } = step.outcome else {
            return None;
        };
        let asked = &self.rules.terms[term];
        let of = |is: &dyn Fn(f64) -> bool| -> Vec<&Sample> {
            let held = self.samples.iter().filter(|(load, _)| is(*load));
            held.filter_map(|(_, samples)| samples.get(term)).collect()
        };
        let top = self
            .samples
            .iter()
            .map(|(load, _)| *load)
            .fold(0.0, f64::max);
        // A time that is missed at this load says nothing of less: what does is well below it.
        let is_share = asked.statistic.is_share();
        let part = 0.6 * if is_share { top } else { step.load.min(top) };
        let (little, much) = (of(&|load| load < part), of(&|load| load >= part));
        let judged_of = |samples: &[&Sample]| {
            let seen = samples.iter().map(|sample| SeenSample::new(asked, sample));
            judge(asked, &seen.collect::<Vec<_>>(), ANY_LOAD)
        };
        let all = of(&|_| true);
        let judged = judged_of(&little);
        let before = judged.value?.middle;
        let is_missed = if is_share {
            let whole = judged_of(&all).standing == TermState::Misses;
            whole && !judged.is_within && is_alike(&little, &much)
        } else {
            let now = step.terms.get(term)?.value?.middle;
            judged.standing == TermState::Misses && little.len() >= 3 && now <= 1.5 * before
        };
        is_missed.then_some(SearchEnd::MissedAtAnyLoad {
            term,
            value: judged_of(&all).value?.middle,
            from: self.samples.first().map_or(0.0, |(load, _)| *load),
            to: top,
        })
    }

    fn drain(&mut self, probe: bool) -> Action {
        self.state = State::Draining {
            since: self.clock,
            probe,
        };
        Action::Load(0.0)
    }

    /// Goes on waiting for the target, unless that took too long.
    fn wait(&mut self, since: f64) -> Action {
        if self.clock - since < RECOVERY_SECONDS_MAX {
            return Action::Keep;
        }
        self.end = Some(SearchEnd::NotRecovered);
        self.state = State::Over;
        Action::Done
    }

    /// Whether a window of little load was answered as without load.
    fn is_recovered(&self, window: &LoadWindow) -> bool {
        let usual = self.rules.idle_request_ms;
        let Some(median) = window.durations.percentile(0.5) else {
            return window.ended > 0.0 && window.failed <= 0.0;
        };
        let baseline = baseline(&self.steps).map_or(0.0, |step| step.errors);
        let is_right = window
            .errors()
            .is_none_or(|errors| errors <= baseline + 0.2);
        is_right && median <= usual * RECOVERED_FACTOR_MAX + RECOVERED_MS_MAX
    }

    /// The next level, or the end.
    fn next(&mut self) -> Action {
        let choice = SearchState {
            settings: &self.settings,
            steps: &self.steps,
            history: &self.history,
            known: LazyCell::new(Box::new(|| self.known_line())),
            least: self.rules.least,
            left: self.settings.budget - (self.clock - self.soaking),
        }
        .choose();
        match choice {
            Choice::Level(load, purpose) => {
                let terms = self.rules.terms.len();
                self.rules.idle_term_ms = measure::idle_ms(&self.samples, load, terms);
                let asked = self.rules.terms.iter().enumerate();
                let spells = asked.map(|(place, term)| self.spells.usual(place, term));
                self.rules.spells = spells.collect();
                self.spells.begin(load, terms);
                let trial = Trial::new(load, purpose, self.clock, &self.rules);
                self.held.clear();
                self.state = State::Holding(Box::new(trial));
                Action::Load(load)
            }
            Choice::Over => {
                self.state = State::Over;
                Action::Done
            }
        }
    }

    /// Where the line lies by all levels so far, once it is between two of them.
    fn known_line(&self) -> Option<Estimate> {
        let is_between = self.history.low().is_some() && self.history.high().is_some();
        let is_asked = is_between && self.settings.unit == Unit::Rate;
        is_asked.then(|| self.answer().crossing).flatten()
    }

    /// A level that goes on long after the budget is cut.
    fn is_far_over_time(&self) -> bool {
        let State::Holding(trial) = &self.state else {
            return false;
        };
        let spent = self.clock - self.soaking;
        trial.purpose != Purpose::Soak
            && spent > self.settings.budget + self.settings.confirm_bought()
    }

    /// Ends the level, and the search, where they stand.
    fn cut(&mut self) -> Action {
        if let State::Holding(trial) = std::mem::replace(&mut self.state, State::Over) {
            self.steps.extend(trial.cut(&self.rules));
        }
        self.end = self.nothing_to_judge();
        Action::Done
    }
}

impl Rules {
    /// Those of a search that has seen nothing of the target yet.
    fn new(settings: &SearchSettings) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small number of seconds"
        )]
        let windows = |seconds: f64| seconds.clamp(3.0, 86_400.0).round() as usize;
        let idle = settings.idle().unwrap_or_default();
        Self {
            unit: settings.unit,
            terms: settings.terms.clone(),
            idle_iteration_ms: idle.iteration_ms,
            idle_request_ms: idle.request_ms,
            idle_term_ms: vec![0.0; settings.terms.len()],
            spells: vec![None; settings.terms.len()],
            least: 0,
            confirm: windows(settings.confirm_bought()),
            sure: windows(settings.confirm),
            soak: windows(settings.soak),
            own_ceiling: settings.own_ceiling,
        }
    }

    fn idle_load_of(&self, steps: &[Step]) -> Baseline {
        let seen = baseline(steps);
        Baseline {
            load: seen.map_or(0.0, |step| step.load),
            // A baseline that the end of the budget cut short was seen, too.
            request_ms: seen
                .and_then(|step| step.durations.percentile(0.5))
                .unwrap_or(self.idle_request_ms),
            p95_ms: seen
                .and_then(|step| step.durations.percentile(0.95))
                .unwrap_or(0.0),
            iteration_ms: self.idle_iteration_ms,
        }
    }
}

/// Whether little load fails as often as much load does, seen on enough requests to tell.
fn is_alike(little: &[&Sample], much: &[&Sample]) -> bool {
    /// Failures that little load should have shown.
    const EXPECTED_FAILURES_MIN: f64 = 6.0;
    let sum = |samples: &[&Sample]| {
        let bad: u64 = samples.iter().map(|s| s.bad).sum();
        let all: u64 = samples.iter().map(|s| s.all).sum();
        (bad as f64, all as f64)
    };
    let ((few, n), (many, m)) = (sum(little), sum(much));
    if n <= 0.0 || m <= 0.0 || n * many / m < EXPECTED_FAILURES_MIN {
        return false;
    }
    let share = (few + many) / (n + m);
    let spread = (share * (1.0 - share) * (1.0 / n + 1.0 / m)).sqrt();
    (many / m - few / n) < 3.0 * spread
}
