//! What callers lost, and whether they lost anything: without a loss nothing limits.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use super::first_wave::UsersInLoops;
use super::input::{CallerView, ObjectiveMeasure, share};
use super::kinds_apart;
use super::levels::{self, LoadLevel};
use super::measured::Measured;
use super::objective::{self, JudgedObjective};
use super::served_at_once::{
    ALIKE_FACTOR_MAX, ServedAtOnce, WAITING_SLOWDOWN_MIN, WAVE_SLOWDOWN_MIN,
};
use super::view::{Growth, RequestKind, RunView};

/// From these shares on, callers see a limit, ...
const FAILED_SHARE_MIN: f64 = 0.01;
pub(super) const DROPPED_SHARE_MIN: f64 = 0.01;
/// ... or when requests get slower by this factor and so many ms under the same load, ...
const SLOWDOWN_MIN: f64 = 1.5;
const SLOWDOWN_MS_MIN: f64 = 20.0;
/// A queue that grows adds so many times as long as a request takes that waits for nothing.
const ADDED_WAIT_FACTOR_MIN: f64 = 3.0;
/// Users who wait for answers for less than this share of their time mostly pause.
const PAUSING_SHARE_MAX: f64 = 0.5;
/// Requests that wait for a connection, as a share of those under way: so many are most of them, ...
const WAITING_FOR_POOL_SHARE_MIN: f64 = 0.5;
/// ... and more than this are not the callers' alone.
const OWN_WAITING_FACTOR_MAX: f64 = 1.25;
/// More users who get so little more are served no better.
const ANSWERED_GROWTH_MIN: f64 = 1.1;
const USERS_GROWTH_MIN: f64 = 1.5;
/// ... or when so many are cut at the end, and so many were not answered while the load lasted, ...
const LEFT_SHARE_MIN: f64 = 0.1;
const BEHIND_SHARE_MIN: f64 = 0.25;
/// ... or of the last ones still so many, ...
const STILL_BEHIND_SHARE_MIN: f64 = 0.2;
const LATE_SECONDS_MIN: usize = 3;
/// ... or where hardly any later request is as quick as the first one of users, by this factor, and it is seen what they wait for.
const FEW_QUICK_FACTOR_MIN: f64 = 1.4;
/// A kind of requests that makes up this share tells how long users wait.
const KIND_SHARE_MIN: f64 = 0.25;
/// So few of later requests are called its quick ones.
const QUICK_PERCENTILE: f64 = 0.05;
/// Times that differ by less than this factor from the second to the last third stayed the same.
const EVEN_FACTOR_MAX: f64 = 1.25;
/// So many of the fastest requests at most took the same time.
const FASTEST_REQUESTS: f64 = 3.0;

/// What callers lost.
#[derive(Debug)]
pub(super) struct Loss {
    /// Requests failed or were cut, starts were dropped, a queue grew, or requests waited for each other.
    pub(super) is_any: bool,
    /// How requests wait for each other, if they do.
    pub(super) served_at_once: Option<ServedAtOnce>,
    /// How long a request takes that waits for nothing at all, ms: the fastest of each kind.
    pub(super) fastest_ms: Option<f64>,
    /// How long a request takes that waits for nothing, ms: while little was asked, else the fastest of each kind.
    /// Never too long: requests that fail at once make it shorter.
    pub(super) alone_ms: Option<f64>,
    /// How long the first of users in loops took, ms, where hardly any later request is nearly as quick.
    pub(super) first_of_users_ms: Option<f64>,
    /// What the run is judged by.
    pub(super) objectives: Vec<JudgedObjective>,
    /// What callers saw at each level of a load that changed.
    pub(super) levels: Vec<LoadLevel>,
    /// A given objective is missed, and callers lose nothing else.
    pub(super) is_objective_alone: bool,
    /// Requests fail, and callers lose nothing else but what is asked of all starts.
    pub(super) is_failing_alone: bool,
}

impl Loss {
    pub(super) fn new(view: &RunView<'_>, measured: &Measured) -> Self {
        let levels = levels::levels(view);
        let objectives = objective::judged(view, levels.is_empty());
        let is_in_vain = levels.iter().any(|level| level.is_in_vain);
        let seen = Seen {
            view,
            measured,
            objectives: &objectives,
            growths: view.growths(),
            is_carried: view.run.is_level_carried() && !is_in_vain,
        };
        // Where all starts are answered as fast as is asked for, those that wait lose nothing.
        let is_kept_open = view.run.load.is_open && seen.is_kept(ObjectiveMeasure::is_time);
        let served_at_once = seen.served_at_once();
        let is_in_loops = !view.run.load.is_open && seen.is_steady();
        let may_be_apart = served_at_once.is_some() || seen.is_slowing_down() || is_in_loops;
        let apart = may_be_apart.then(|| seen.of_kinds_apart()).flatten();
        let served_at_once = apart.or(served_at_once);
        let served_at_once =
            served_at_once.filter(|_| !is_kept_open && !seen.may_times_be_the_generators());
        let served_at_once = served_at_once.filter(|_| !seen.is_carried);
        let is_lost = served_at_once.is_some()
            || seen.is_lost()
            || is_in_vain
            || (!seen.is_carried
                && (seen.are_users_waiting_for_pool() || seen.is_a_kind_waiting()));
        let fastest_ms = seen
            .kinds()
            .and_then(|kinds| kinds.mean(|kind| kind.all.min()));
        let quiet = view.quiet.as_ref().map(CallerView::mean_ms);
        let is_missed = |one: &JudgedObjective| {
            one.is_missed && !one.is_missed_by_itself && !one.is_missed_by_answers()
        };
        let is_missed_at_all = |one: &JudgedObjective| one.is_missed && !one.is_missed_by_answers();
        Self {
            is_any: is_lost || objectives.iter().any(is_missed),
            is_failing_alone: seen.is_failing_alone() && served_at_once.is_none() && !is_in_vain,
            is_objective_alone: !is_lost && objectives.iter().any(is_missed_at_all),
            served_at_once,
            fastest_ms,
            first_of_users_ms: seen.first_of_users(FEW_QUICK_FACTOR_MIN),
            alone_ms: quiet.or(view.run.alone_before_ms).or(fastest_ms),
            objectives,
            levels,
        }
    }
}

/// What it is told by.
struct Seen<'a> {
    view: &'a RunView<'a>,
    measured: &'a Measured,
    objectives: &'a [JudgedObjective],
    /// By how much requests get slower.
    growths: Vec<Growth>,
    /// A search judged that the load is carried, and more of it brought more answers: those that wait lose nothing.
    is_carried: bool,
}

impl Seen<'_> {
    /// Objectives of all requests, of the kind that `is_of` tells, are given, and none of them is missed.
    fn is_kept(&self, is_of: impl Fn(ObjectiveMeasure) -> bool) -> bool {
        let of_all = |one: &&JudgedObjective| one.objective.endpoint.is_none();
        let mut given = self.objectives.iter().filter(of_all);
        let mut given = given
            .by_ref()
            .filter(|one| is_of(one.objective.measure))
            .peekable();
        given.peek().is_some() && given.all(|one| !one.is_missed)
    }

    /// Requests fail, are cut, or take longer and longer; starts are dropped.
    fn is_lost(&self) -> bool {
        let callers = &self.view.callers;
        (callers.failed >= FAILED_SHARE_MIN
            && !self.is_kept(|measure| measure == ObjectiveMeasure::Failed))
            || callers.hung >= FAILED_SHARE_MIN
            || callers.dropped >= DROPPED_SHARE_MIN
            || self.is_slowing_down()
            || self.is_left_unanswered()
    }

    /// Much of what was started is never answered, or not before the load ends and ever less of it, and what is takes far longer
    /// than the quickest: whatever the order in which those who wait are served, it was more than is carried.
    fn is_left_unanswered(&self) -> bool {
        let callers = &self.view.callers;
        let quickest = callers.good.min().unwrap_or(0.0);
        self.view.run.load.is_open
            && (self.view.run.cut_of_run.max(callers.cut) >= LEFT_SHARE_MIN
                || self.is_still_falling_behind())
            && callers.behind_share() >= BEHIND_SHARE_MIN
            && callers.mean_ms() >= WAITING_SLOWDOWN_MIN * quickest
            && callers.mean_ms() - quickest >= SLOWDOWN_MS_MIN
    }

    /// Answers that merely take long are as many as starts once the first of them have come; a target that stands still is no
    /// queue.
    fn is_still_falling_behind(&self) -> bool {
        let windows = self.view.windows();
        let late = &windows[windows.len() - windows.len() / 3..];
        let callers = CallerView::from_windows(late);
        late.len() >= LATE_SECONDS_MIN
            && late.iter().all(|second| second.requests > 0.0)
            && callers.is_falling_behind_for_certain()
            && callers.behind_share() >= STILL_BEHIND_SHARE_MIN
    }

    /// Requests fail, and neither hang nor take longer and longer, and no start is dropped.
    fn is_failing_alone(&self) -> bool {
        let callers = &self.view.callers;
        callers.failed >= FAILED_SHARE_MIN
            && callers.hung < FAILED_SHARE_MIN
            && callers.dropped < DROPPED_SHARE_MIN
            && !self.is_slowing_down()
            && !self.is_left_unanswered()
    }

    /// The generator itself had to wait for a core, and all that it started came to an end: that times grow is then no
    /// sign, for they hold its own waits.
    fn may_times_be_the_generators(&self) -> bool {
        let run = self.view.run;
        run.load.is_open
            && !run.generator_limits.is_empty()
            && !self.view.callers.is_falling_behind()
    }

    /// Times grow while no more is answered: a queue grows. Times that grow while all that starts is answered are
    /// a slower target, and a loss from a larger factor on.
    fn is_slowing_down(&self) -> bool {
        let is_more_in_vain = if self.view.run.load.is_open {
            self.view.callers.is_falling_behind()
        } else {
            // Users who mostly pause are answered at the rate of their pauses, however a target's times vary.
            !self.are_users_pausing()
                && self
                    .view
                    .answered_early_and_late()
                    .is_some_and(|(early, late)| late < ANSWERED_GROWTH_MIN * early)
        };
        let is_waiting = self.is_growing_by(WAITING_SLOWDOWN_MIN);
        let is_kept = self.view.run.load.is_open && self.is_kept(ObjectiveMeasure::is_time);
        if self.may_times_be_the_generators() || self.is_carried {
            return false;
        }
        (is_waiting && !is_kept) || (is_more_in_vain && self.is_growing())
    }

    /// Requests take longer from second to second, by a factor or by how long a queue makes them wait.
    fn is_growing(&self) -> bool {
        self.is_growing_by(SLOWDOWN_MIN) || self.is_queue_growing()
    }

    /// A queue that was long in the first second already grows by the same each second, which is no large factor: fewer end than
    /// start, and what is added is several times as long as a request that waits for nothing.
    fn is_queue_growing(&self) -> bool {
        let alone = self
            .kinds()
            .and_then(|kinds| kinds.mean(|kind| kind.all.min()));
        let Some(alone) = alone.filter(|_| self.view.run.load.is_open) else {
            return false;
        };
        let least = (ADDED_WAIT_FACTOR_MIN * alone).max(SLOWDOWN_MS_MIN);
        let is_longer = |growth: &&Growth| growth.late - growth.early >= least;
        let mut growths = self.growths.iter().filter(is_longer);
        self.view.callers.is_falling_behind() && growths.any(|growth| growth.is_by(1.0))
    }

    /// Requests take so many times as long as at first, and longer from second to second.
    fn is_growing_by(&self, factor: f64) -> bool {
        let is_worth = |growth: &&Growth| growth.late - growth.early >= SLOWDOWN_MS_MIN;
        let mut growths = self.growths.iter().filter(is_worth);
        growths.any(|growth| growth.is_by(factor))
    }

    /// Requests of users in loops wait for most of their time for a connection of a pool whose connections are all held:
    /// more users would get no more, however even the times are.
    fn are_users_waiting_for_pool(&self) -> bool {
        let under_way = self.view.callers.under_way;
        let waiting = self.measured.exhausted().map(|pool| pool.pending);
        // Who waits beside them is another program's.
        let is_theirs = |waiting: f64| waiting <= OWN_WAITING_FACTOR_MAX * under_way;
        !self.view.run.load.is_open
            && waiting.is_some_and(|waiting| {
                waiting >= WAITING_FOR_POOL_SHARE_MIN * under_way && is_theirs(waiting)
            })
    }

    /// Users in loops wait for answers for less than half of their time.
    fn are_users_pausing(&self) -> bool {
        let callers = &self.view.callers;
        let of_iteration = share(callers.ended, callers.iterations);
        let waiting = of_iteration * callers.mean_ms();
        waiting > 0.0 && waiting < PAUSING_SHARE_MAX * self.view.run.load.iteration_ms
    }

    /// How requests wait for each other, if they do.
    fn served_at_once(&self) -> Option<ServedAtOnce> {
        let by_answers = self.unhindered();
        let (alone, rate) = by_answers.or_else(|| self.unhindered_inside())?;
        let busy = &self.view.callers;
        // What else is alone was received as late as all others.
        let is_of_wave = self.first_of_a_wave().is_some() && self.view.quiet.is_none();
        let (factor, received_late) = if is_of_wave {
            (WAVE_SLOWDOWN_MIN, self.receiving_ms())
        } else if self.are_more_users_in_vain() {
            (WAVE_SLOWDOWN_MIN, 0.0)
        } else {
            (WAITING_SLOWDOWN_MIN, 0.0)
        };
        let mean = busy.mean_ms() - received_late;
        let waits = mean >= factor * alone && mean - alone >= SLOWDOWN_MS_MIN;
        waits.then(|| ServedAtOnce {
            is_most: self.view.quiet.is_none()
                && self.view.run.alone_before_ms.is_none()
                && self.view.run.load.is_open
                && by_answers.is_some(),
            mean_ms: busy.mean_ms(),
            ..ServedAtOnce::new(rate, alone)
        })
    }

    /// Ever more users in loops got no more answers, and waited longer for each: the mean of all of them holds those of the few
    /// at first.
    fn are_more_users_in_vain(&self) -> bool {
        let users = |window: Option<&ComparedWindow>| window.map_or(0.0, |window| window.users);
        let windows = self.view.windows();
        let is_more = users(windows.last()) >= USERS_GROWTH_MIN * users(windows.first());
        let answered = self.view.answered_early_and_late();
        !self.view.run.load.is_open
            && is_more
            && answered.is_some_and(|(early, late)| late < ANSWERED_GROWTH_MIN * early)
            && self.is_growing_by(SLOWDOWN_MIN)
    }

    /// The same of some kinds of requests, where others do not wait.
    fn of_kinds_apart(&self) -> Option<ServedAtOnce> {
        let is_failing = self.view.callers.failed >= FAILED_SHARE_MIN;
        let is_told = !is_failing && self.view.run.is_begun_at_once();
        is_told
            .then(|| kinds_apart::served_at_once(self.view))
            .flatten()
    }

    /// As the target itself counts the time of a request, which begins when it has waited: the queue
    /// that grows is before that.
    fn unhindered_inside(&self) -> Option<(f64, f64)> {
        let inside = self.measured.server_time? * 1000.0;
        let callers = &self.view.callers;
        let at_once = callers.answered * inside / 1000.0;
        let is_told = at_once >= 1.0 / ALIKE_FACTOR_MAX && callers.failed < FAILED_SHARE_MIN;
        (is_told && self.is_growing_by(SLOWDOWN_MIN)).then_some((inside, callers.answered))
    }

    /// How long a request takes that waits for no other, ms, and how many are answered a second
    /// while others wait: from a load that was low at first, or from the first or the fastest
    /// answers.
    fn unhindered(&self) -> Option<(f64, f64)> {
        if let Some(quiet) = &self.view.quiet {
            return Some((quiet.mean_ms(), self.view.most_answered()));
        }
        // What a search saw before, at a level at which little was asked.
        if let Some(alone) = self.view.run.alone_before_ms {
            return Some((alone, self.view.most_answered()));
        }
        let answered = self.view.callers.answered;
        if self.view.run.load.is_open {
            return Some((self.fastest()?, answered));
        }
        // The first third holds the first answers.
        let opening = self.view.opening.as_ref().filter(|_| self.is_steady())?;
        let alone = self.first_of_a_wave().unwrap_or(opening.mean_ms());
        Some((alone, answered))
    }

    /// Users in loops who all begin at once wait for each other from the first moment on: only the first of
    /// them waits for nothing, ms. Where none is as quick later on, that is no chance.
    fn first_of_a_wave(&self) -> Option<f64> {
        self.first_of_users(WAVE_SLOWDOWN_MIN)
    }

    /// The same, where later ones are slower by another factor.
    fn first_of_users(&self, slowdown: f64) -> Option<f64> {
        let kinds = self.kinds().filter(|_| !self.view.run.load.is_open)?;
        let (first, quick) = (kinds.mean(|kind| kind.all.min())?, kinds.mean(quick)?);
        let at_once = self.view.callers.answered * first / 1000.0;
        let is_slower = quick - self.receiving_ms() >= slowdown * first;
        let is_told = at_once >= 1.0 / ALIKE_FACTOR_MAX && is_slower;
        (is_told && self.users_in_loops().are_waiting(&kinds.0)).then_some(first)
    }

    fn users_in_loops(&self) -> UsersInLoops {
        UsersInLoops {
            count: self.view.run.load.users,
            receiving_ms: self.receiving_ms(),
        }
    }

    /// From the first to the last byte of an answer, on average, ms: nobody waits for a turn any more.
    fn receiving_ms(&self) -> f64 {
        self.view.run.times.map_or(0.0, |times| times.receiving)
    }

    /// Of several kinds of requests that users send in turn, only that which comes first is ever sent while nobody waits.
    /// Where many are of it, and none is as quick later on, users wait, however quick the others were at first.
    fn is_a_kind_waiting(&self) -> bool {
        let Some(kinds) = self.kinds().filter(|_| !self.view.run.load.is_open) else {
            return false;
        };
        let all: f64 = kinds.0.iter().map(|kind| requests(&kind.later)).sum();
        let (users, receiving) = (self.users_in_loops(), self.receiving_ms());
        let is_waiting = |kind: &RequestKind<'_>| {
            let times = kind.all.min().zip(quick(kind)).zip(kind.later.mean());
            requests(&kind.later) >= KIND_SHARE_MIN * all
                && users.is_quicker_than_by_chance(kind)
                && times.is_some_and(|((first, quick), mean)| {
                    quick - receiving >= WAVE_SLOWDOWN_MIN * first
                        && mean - receiving >= WAITING_SLOWDOWN_MIN * first
                        && mean - receiving - first >= SLOWDOWN_MS_MIN
                })
        };
        users.are_waiting(&kinds.0) && kinds.0.iter().any(is_waiting) && self.is_steady()
    }

    /// Times are the same from the middle of the busy part on.
    fn is_steady(&self) -> bool {
        let both = self.view.mean_middle_and_late();
        both.is_some_and(|(middle, late)| {
            late <= EVEN_FACTOR_MAX * middle && middle <= EVEN_FACTOR_MAX * late
        })
    }

    /// Starts that go on whatever the answers make a queue that grows: only the fastest requests of
    /// the run waited for nothing, ms. They tell what is served at once where all take about as long:
    /// as many as one a time, or several took the same.
    fn fastest(&self) -> Option<f64> {
        let callers = &self.view.callers;
        let kinds = self.kinds()?;
        let fastest = kinds.mean(|kind| kind.all.min())?;
        let at_once = callers.answered * fastest / 1000.0;
        // So many begin at once and wait for nothing.
        let others = (at_once.round() - 1.0).clamp(1.0, FASTEST_REQUESTS);
        let next = kinds.mean(|kind| next(kind, others))?;
        let is_told = at_once >= 1.0 / ALIKE_FACTOR_MAX
            && (at_once < ALIKE_FACTOR_MAX || next <= ALIKE_FACTOR_MAX * fastest);
        let is_growing = callers.failed < FAILED_SHARE_MIN && self.is_growing();
        (is_growing && is_told).then_some(fastest)
    }

    /// The kinds of requests of a run that is seen from its beginning on.
    fn kinds(&self) -> Option<Kinds<'_>> {
        let kinds = self.view.kinds();
        let kinds = kinds.filter(|_| self.view.run.is_begun_at_once());
        kinds.map(Kinds)
    }
}

/// Requests of several kinds: a number of all of them is the mean of their numbers, each as often as it is asked
/// for.
struct Kinds<'a>(Vec<RequestKind<'a>>);

impl Kinds<'_> {
    fn mean(&self, number: impl Fn(&RequestKind<'_>) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        for kind in &self.0 {
            let weight = requests(&kind.later);
            sum += weight * number(kind)?;
            count += weight;
        }
        (count > 0.0).then(|| sum / count)
    }
}

/// One of the quick ones among later requests, ms.
fn quick(kind: &RequestKind<'_>) -> Option<f64> {
    kind.later.percentile(QUICK_PERCENTILE)
}

/// The one after so many of the fastest of all, ms.
fn next(kind: &RequestKind<'_>, others: f64) -> Option<f64> {
    let last = (requests(kind.all) - 1.0).max(1.0);
    kind.all.percentile((others / last).min(1.0))
}

fn requests(durations: &Histogram) -> f64 {
    f64::from(u32::try_from(durations.count()).unwrap_or(u32::MAX))
}
