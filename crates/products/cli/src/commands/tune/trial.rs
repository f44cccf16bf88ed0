//! One trial's load: the test, run as `loadline run` would run it.

use std::time::Duration;

use crossbeam_channel::{Receiver, select};
use loadline_analysis::tuning::goal::GoalCondition;
use loadline_experiment::tuning::PlannedTrial;
use loadline_knobs::journal::MeasuredTrial;
use loadline_knobs::lock::LockError;
use loadline_knobs::study::StudyFile;
use loadline_record::{Limit, Summary, Verdict};
use loadline_report::{facts, health};
use loadline_session::answers::AnswerOptions;
use loadline_session::{RunOptions, RunResult, SessionEvent, WarmUpSetting};
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, Code, Location, Message, ProblemClass, arguments, problem, tune};
use loadline_vu::StopCause;

use super::super::run::{Steerable, steerable, url_flags};
use super::super::store_args::StoreArgs;
use super::load::CarriedLoad;
use super::lock_refusal;
use super::reached::ReachedPeers;
use super::trial_values::{Values, requests};
use crate::context::Context;
use crate::launch::{launch_flags, recording};
use crate::live::StudyScreen;
use crate::refusal::Refusal;

/// The seed of the arrivals in the first block.
const FIRST_ARRIVALS: u64 = 1;
/// Arrivals of two seeds are far apart (the golden ratio of 64 bits).
const SEEDS_APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// The result of a trial.
pub(super) enum Measurement {
    /// Numbers that count, and the stored run.
    Measured(MeasuredTrial, Option<String>),
    /// It says nothing of the setting, for this reason.
    Invalid(Message, Option<String>),
    /// The target failed under the setting, for this reason.
    Failed(Message, Option<String>),
    /// A person ended it.
    Interrupted,
}

impl Measurement {
    /// The stored run.
    pub(super) fn run(&self) -> Option<String> {
        match self {
            Self::Measured(_, run) | Self::Invalid(_, run) | Self::Failed(_, run) => run.clone(),
            Self::Interrupted => None,
        }
    }
}

/// A trial that ended.
pub(super) struct EndedTrial {
    pub(super) measurement: Measurement,
    /// How long the target may still work at what nobody waits for any more.
    pub(super) left_behind: Duration,
}

/// No trial waits longer than this for what the one before left.
const LEFT_BEHIND_MAX: Duration = Duration::from_secs(30);

/// Requests whose name was not found or whose connection was not made: by k6's numbers, 1100 to 1299. The target has nothing of them.
fn never_arrived(summary: &Summary) -> u64 {
    let errors = summary.errors.iter();
    let never = errors.filter(|error| error.code.starts_with("11") || error.code.starts_with("12"));
    never.map(|error| error.count).sum()
}

/// How long a target works at so many requests that were given up, if it goes on as it answered others.
fn left_behind(given_up: u64, answered: u64, over: Duration) -> Duration {
    if given_up == 0 || answered == 0 {
        return Duration::ZERO;
    }
    over.mul_f64(given_up as f64 / answered as f64)
        .min(LEFT_BEHIND_MAX)
}

/// Why a trial was stopped.
enum TrialStop {
    /// A person ended the study.
    Person,
    /// Another study works on a peer that its load was to reach.
    Locked(LockError),
}

/// Runs tests of trials.
pub(super) struct TrialRunner<'a> {
    pub(super) args: &'a StoreArgs,
    pub(super) catalog: &'a Catalog,
    /// The study file as it was named.
    pub(super) named: &'a str,
    /// Whom its load may connect to.
    pub(super) peers: ReachedPeers,
    /// The study's seed.
    pub(super) seed: u64,
}

impl TrialRunner<'_> {
    /// The arguments of `run` for a trial: the study's test, and what its record says.
    fn arguments(&self, file: &StudyFile, setting: &[usize], note: &str) -> Vec<String> {
        let mut arguments = file.test.clone();
        for (knob, value) in file.knobs.iter().zip(file.values(setting)) {
            arguments.extend(["--set".to_owned(), format!("{}={value}", knob.name)]);
        }
        if !note.is_empty() {
            arguments.extend(["--note".to_owned(), note.to_owned()]);
        }
        arguments.extend(super::lang_arguments(self.args.lang));
        arguments
    }

    /// The test made ready; its paths start where the study file is.
    pub(super) fn prepare(
        &self,
        context: &mut Context,
        file: &StudyFile,
        setting: &[usize],
        note: &str,
    ) -> Result<Steerable, Refusal> {
        let mut arguments = self.arguments(file, setting, note);
        if let Some(store) = &self.args.store {
            let store = context.working_dir.join(store).display().to_string();
            arguments.extend(["--store".to_owned(), store]);
        }
        let folder = std::mem::replace(&mut context.working_dir, file.folder.clone());
        let prepared = steerable(context, &arguments, &url_flags());
        context.working_dir = folder;
        prepared.map_err(|refusal| self.of_study(file, refusal))
    }

    /// What is wrong with the test, reported as a mistake of the study.
    fn of_study(&self, file: &StudyFile, refusal: Refusal) -> Refusal {
        let code = refusal.problem.code;
        let is_of_test = matches!(code.class(), ProblemClass::Config | ProblemClass::Script);
        // The store is not the test's.
        let is_of_store = matches!(
            code,
            Code::StoreNotWritable | Code::StoreNewer | Code::NotAStore
        );
        if !is_of_test || is_of_store {
            return refusal;
        }
        let (what, why) = (
            self.catalog.what(&refusal.problem),
            self.catalog.why(&refusal.problem),
        );
        let (line, column) = file.test_place;
        let place = Location::file(self.named).line(line, column);
        Refusal::config(problem::study_test(what, why, file.folder.display()).at(place))
    }

    pub(super) fn run(
        &self,
        context: &mut Context,
        file: &StudyFile,
        planned: &PlannedTrial,
        interrupts: &Receiver<()>,
        screen: Option<&StudyScreen>,
    ) -> Result<EndedTrial, Refusal> {
        let interrupted = || EndedTrial {
            measurement: Measurement::Interrupted,
            left_behind: Duration::ZERO,
        };
        let note = format!("{} #{}", file.name, planned.number);
        let prepared = self.prepare(context, file, &planned.setting, &note)?;
        let options = RunOptions {
            warm_up: self.warm_up(file)?,
            arrivals: prepared
                .options
                .arrivals
                .map(|spacing| of_block(spacing, self.seed, planned.block)),
            answers: AnswerOptions {
                are_saved: file.same_answers,
                baseline: None,
            },
            ..prepared.options
        };
        let is_random = matches!(options.arrivals, Some(ArrivalSpacing::Poisson { .. }));
        let plan = &prepared.test.plan;
        let arrives_until = plan.is_open().then(|| plan.regular_end());
        let mut test = prepared.test.without_thresholds();
        test.peer_policy = Some(self.peers.guard());
        let handle = loadline_session::start(test, &options)
            .map_err(|error| self.of_study(file, Refusal::session(&error, self.catalog)))?;
        if let Some(screen) = screen {
            screen.load_begins(&handle, options.warm_up != WarmUpSetting::None);
        }
        let mut stopped = None;
        let outcome = loop {
            select! {
                recv(handle.events) -> event => match event {
                    Ok(SessionEvent::Finished(outcome)) => break Some(outcome),
                    Ok(event) => {
                        if let Some(screen) = screen {
                            screen.on_event(&event);
                        }
                    }
                    Err(_) => break None,
                },
                recv(interrupts) -> _ => {
                    if stopped.is_some() {
                        return Ok(interrupted());
                    }
                    stopped = Some(TrialStop::Person);
                    handle.control.stop(StopCause::Signal);
                },
                recv(self.peers.refused()) -> refused => {
                    if stopped.is_none() {
                        handle.control.stop(StopCause::Signal);
                    }
                    stopped = refused.ok().map(TrialStop::Locked).or(stopped);
                }
            }
        };
        if let Some(screen) = screen {
            screen.load_ends();
        }
        // A trial may be over before its first refusal is looked at.
        let refused = self.peers.refused().try_recv().ok();
        match refused.map(TrialStop::Locked).or(stopped) {
            Some(TrialStop::Locked(error)) => return Err(lock_refusal(error)),
            Some(TrialStop::Person) => return Ok(interrupted()),
            None => {}
        }
        let Some(outcome) = outcome else {
            // Its panic is on stderr.
            return Err(Refusal::other(problem::start_failed(&file.name, "")));
        };
        recording::tag(context, &prepared.recording, outcome.kept.as_ref())?;
        let arrivals = arrives_until.map(|until| TrialArrivals { until, is_random });
        let summary = &outcome.summary;
        let requests = summary.run.accounting.map(|all| all.requests);
        let left_behind = requests.map_or(Duration::ZERO, |requests| {
            let given_up = (requests.cut + requests.failed).saturating_sub(never_arrived(summary));
            left_behind(given_up, requests.answered, summary.run.duration)
        });
        Ok(EndedTrial {
            measurement: Self::judged(file, &outcome, arrivals),
            left_behind,
        })
    }

    fn warm_up(&self, file: &StudyFile) -> Result<WarmUpSetting, Refusal> {
        let Some(text) = &file.warm_up else {
            return Ok(WarmUpSetting::None);
        };
        let expected = arguments::expected_warm_up();
        launch_flags::warm_up(text)
            .ok_or_else(|| Refusal::flag("warm_up", text, &expected, self.catalog))
    }

    /// What a finished run says of its setting.
    fn judged(
        file: &StudyFile,
        outcome: &RunResult,
        arrivals: Option<TrialArrivals>,
    ) -> Measurement {
        let run = outcome.kept.as_ref().map(|kept| kept.name.clone());
        let summary = &outcome.summary;
        match summary.verdict() {
            Verdict::Defect(reason) | Verdict::Failed(reason) => {
                return Measurement::Failed(tune::reason_run_ended(reason), run);
            }
            Verdict::NoAnswer => {
                let kinds = facts::failures(summary).join(", ");
                let reason = match kinds.as_str() {
                    "" => tune::reason_none_in_time(),
                    kinds => tune::reason_no_answer(kinds),
                };
                return Measurement::Failed(reason, run);
            }
            Verdict::NothingSent => {
                return Measurement::Failed(tune::reason_nothing_sent(), run);
            }
            Verdict::GeneratorLimited(_)
            | Verdict::Interrupted
            | Verdict::ThresholdsFailed
            | Verdict::FellShort(_)
            | Verdict::NoGoals
            | Verdict::NotJudged
            | Verdict::Passed => {}
        }
        // Also of a run that failed for certain: its rate and times are the generator's.
        let limits = summary.run.generator_limits();
        let is_interrupted = summary.verdict() == Verdict::Interrupted;
        if !limits.is_empty() && !is_interrupted && !is_slight(&limits, summary) {
            let limits = health::reason_keys(&limits);
            return Measurement::Invalid(tune::reason_generator(limits), run);
        }
        // Without the seconds that our own delays touched, where they change nothing in the verdict.
        let values = Values::new(summary, outcome.rest.as_ref(), arrivals.is_some());
        if values.requests > 0.0 && values.failed >= values.requests {
            let kinds = facts::failures(summary).join(", ");
            return Measurement::Failed(tune::reason_all_failed(kinds), run);
        }
        match file.goal.worth(|objective| values.of_objective(objective)) {
            Some((score, margin)) => {
                let carried = arrivals.filter(|arrivals| carries_all(summary, arrivals.until));
                let load = carried.filter(|_| values.failed <= 0.0);
                let load = load.map(|arrivals| CarriedLoad {
                    goal: &file.goal,
                    answered_after: summary.run.duration.saturating_sub(arrivals.until),
                    is_random: arrivals.is_random,
                    requests: requests(summary),
                    seconds: summary.run.duration.as_secs_f64(),
                });
                let misses = |condition: &GoalCondition| {
                    let value = values.of_objective(condition.objective());
                    value.is_some_and(|value| condition.margin(value) < 0.0)
                };
                Measurement::Measured(
                    MeasuredTrial {
                        score,
                        margin: margin.is_finite().then_some(margin),
                        rate: values.rate(),
                        p95_ms: values.p95_ms(),
                        errors: values.errors(),
                        carries_all: carried.is_some(),
                        sent_too_little: load
                            .as_ref()
                            .is_some_and(|load| load.misses_alone(misses)),
                        load_too_small: load.as_ref().is_some_and(CarriedLoad::is_too_small),
                    },
                    run,
                )
            }
            None => Measurement::Invalid(tune::reason_nothing(), run),
        }
    }
}

/// When the starts of an open load are due.
#[derive(Clone, Copy)]
struct TrialArrivals {
    /// The last one.
    until: Duration,
    /// Whether chance decides.
    is_random: bool,
}

/// Whether all starts were made, and their requests were answered soon after the last was due:
/// nothing piled up.
fn carries_all(summary: &Summary, arrives_until: Duration) -> bool {
    /// How long the last answers may take, as a share of the test, ...
    const LAST_ANSWERS_SHARE: f64 = 0.05;
    /// ... or so many times as long as quick answers, where a test is hardly longer than an answer. All answers are slow where
    /// they pile up, but the quick ones.
    const LAST_ANSWERS_TIMES: f64 = 2.0;
    const QUICK_PERCENTILE: f64 = 0.05;
    let quick = summary
        .waited()
        .and_then(|waited| waited.percentile(QUICK_PERCENTILE));
    let quick_ms = quick.map_or(0.0, |quick| quick.at_least);
    let last = arrives_until.mul_f64(LAST_ANSWERS_SHARE);
    let last = last.max(Duration::from_secs_f64(
        LAST_ANSWERS_TIMES * quick_ms / 1000.0,
    ));
    summary.run.accounting.is_some_and(|counted| {
        counted.starts.planned > 0
            && counted.starts.dropped == 0
            && counted.iterations.interrupted == 0
            && counted.requests.cut == 0
            && summary.run.duration <= arrives_until + last
    })
}

/// Late starts that no comparison of trials can see: 99 % of them at most a hundredth of half of
/// the response times late.
fn is_slight(limits: &[Limit], summary: &Summary) -> bool {
    let generator = &summary.run.generator;
    let lag = generator.start_lag.map(|lag| lag.p99_ms);
    let median = generator.requests.and_then(|times| times.p50_ms);
    let is_small = lag
        .zip(median)
        .is_some_and(|(lag, median)| lag * 100.0 <= median);
    limits == [Limit::StartLag] && is_small
}

/// Trials of one block get the same arrivals, so that chance does not tell their settings apart; each block has its own. A study
/// with another seed has others: what arrivals made of a goal by chance shows when it is done again.
fn of_block(spacing: ArrivalSpacing, seed: u64, block: usize) -> ArrivalSpacing {
    match spacing {
        ArrivalSpacing::Even => ArrivalSpacing::Even,
        ArrivalSpacing::Poisson { .. } => ArrivalSpacing::Poisson {
            seed: (seed.wrapping_mul(SEEDS_APART) >> 32) + FIRST_ARRIVALS + block as u64,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: "the target does not work with the settings it has" of trials that began behind 81 requests that had timed out.
    #[test]
    fn a_trial_waits_for_what_the_one_before_left_as_long_as_the_target_needs() {
        let six = Duration::from_secs(6);
        assert_eq!(left_behind(0, 100, six), Duration::ZERO);
        assert_eq!(left_behind(50, 100, six), Duration::from_secs(3));
        assert_eq!(left_behind(81, 20, six), Duration::from_millis(24_300));
        assert_eq!(left_behind(9_000, 20, six), LEFT_BEHIND_MAX);
        // What answers nobody says nothing of when it will be done.
        assert_eq!(left_behind(81, 0, six), Duration::ZERO);
    }
}
