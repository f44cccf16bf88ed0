//! Resources of the target, measured: how much of each is in use, and what a request needs.

mod cpu;
mod outside;
mod queues;
mod sessions;

use loadline_record::signals::{Entity, Label, SignalKind};

pub(super) use cpu::ManagedCpu;

use super::collections::CollectionView;
use super::input::share;
use super::ownership::idle_share;
use super::statement::StatementOrigin;
use super::statements::{StatementView, statements};
use super::traced::TracedView;
use super::view::RunView;

/// A pool whose connections are all held at this share of the points is at its limit.
const AT_LIMIT_SHARE_MIN: f64 = 0.5;

/// What requests without an answer are counted under.
const UNANSWERED: &str = "0";
/// So many requests that their callers gave up on leave work behind.
const GIVEN_UP_SHARE_MIN: f64 = 0.01;

/// What is known of the target's resources.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Requests answered per second.
    pub(super) rate: f64,
    /// Requests per second that the target carries: answered well, or given up by callers who did not wait for the answer.
    /// What a request needs of a resource is told by all of them.
    pub(super) carried: f64,
    /// Requests that ended in whatever way, per second.
    pub(super) ended: f64,
    /// Of the process that uses most of what it may.
    pub(super) cpu: Option<Usage>,
    /// It is one process whose interpreter runs one thread at a time: of its cores it computes on one.
    pub(super) is_one_interpreter: bool,
    /// The one thread that all its requests go through, where the kernel tells of it.
    pub(super) one_thread: Option<OneThread>,
    pub(super) throttled: Option<Throttling>,
    /// Seconds a second in which its threads waited for a core.
    pub(super) run_delay: Option<f64>,
    pub(super) collections: Option<CollectionView>,
    pub(super) heap_after: Option<f64>,
    pub(super) pools: Vec<PoolView>,
    pub(super) workers: Option<WorkerView>,
    pub(super) database_cpu: Option<Usage>,
    /// Only a cloud's monitoring tells it.
    pub(super) managed: Option<ManagedCpu>,
    /// The share of its CPU time that is used without load, too.
    pub(super) database_idle_share: Option<f64>,
    pub(super) sessions: SessionView,
    pub(super) statements: Vec<StatementView>,
    /// Time of all statements, those without a name included, seconds a second.
    pub(super) statement_time: f64,
    pub(super) outside: Option<OutsideView>,
    /// Callers gave up on requests, and the target goes on with them.
    pub(super) is_left_behind: bool,
    /// Mean time of a request as the target sees it, s.
    pub(super) server_time: Option<f64>,
    pub(super) traced: Option<TracedView>,
}

/// A resource in use.
#[derive(Debug, Clone, Default)]
pub(super) struct Usage {
    pub(super) entity: Entity,
    pub(super) used: f64,
    pub(super) most: f64,
}

impl Usage {
    pub(super) fn share(&self) -> f64 {
        share(self.used, self.most)
    }
}

/// A thread as the kernel sees it, seconds a second.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneThread {
    pub(super) runs: f64,
    /// ... in which it is due, and has no core.
    pub(super) waits: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Throttling {
    /// The share of the quota's periods in which it was stopped.
    pub(super) periods: f64,
    /// Seconds a second.
    pub(super) time: f64,
}

/// A use that may be off by more than this share of itself tells no ceiling.
const USE_ERROR_SHARE_MAX: f64 = 0.1;

/// Looks differ from what is counted by so many standard errors by chance.
const USE_ERRORS_MAX: f64 = 2.0;

/// A pool of connections of one instance.
#[derive(Debug, Clone)]
pub(super) struct PoolView {
    pub(super) usage: Usage,
    /// By how many the connections seen to be held may be off: looks are few.
    pub(super) used_error: f64,
    pub(super) pending: f64,
    /// How long a connection is held, s.
    pub(super) hold: Option<f64>,
    /// Connections given back per second.
    pub(super) holds: Option<f64>,
    /// How long requests wait for one, s.
    pub(super) acquire: Option<f64>,
    /// The share of the time in which all were held.
    pub(super) at_limit: f64,
}

impl PoolView {
    /// All connections are held most of the time, and requests wait for them.
    pub(super) fn is_exhausted(&self) -> bool {
        self.at_limit >= AT_LIMIT_SHARE_MIN && self.pending >= 0.5
    }

    /// Connections that are held, on average: as counted when they are given back, for looks at the gauge are few, and fall
    /// between short holds or on them. What looks see beyond chance is held and not given back.
    pub(super) fn held_on_average(&self) -> f64 {
        let used = self.usage.used;
        let counted = self.counted().map(|counted| counted.min(self.usage.most));
        counted.map_or(used, |counted| {
            if used - counted > USE_ERRORS_MAX * self.used_error {
                used
            } else {
                counted
            }
        })
    }

    /// The same, by how often and how long they are held.
    fn counted(&self) -> Option<f64> {
        self.holds.zip(self.hold).map(|(holds, hold)| holds * hold)
    }

    /// How many are held is counted, or seen often enough.
    fn is_use_known(&self) -> bool {
        self.counted().is_some() || self.used_error <= USE_ERROR_SHARE_MAX * self.usage.used
    }

    /// How long a connection is held, s: measured, or by Little's law.
    pub(super) fn held(&self, rate: f64) -> f64 {
        self.hold.unwrap_or_else(|| share(self.usage.used, rate))
    }
}

#[derive(Debug, Clone)]
pub(super) struct WorkerView {
    pub(super) usage: Usage,
    pub(super) at_limit: bool,
    /// All were busy for long enough that requests may have queued before them.
    pub(super) is_queued_for: bool,
}

/// Sessions of the database, on average.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SessionView {
    pub(super) active: Option<f64>,
    pub(super) idle_in_transaction: Option<f64>,
    pub(super) lock: Option<f64>,
    pub(super) waiting: Option<f64>,
    /// These are the target's own; else all of the database's are taken to be.
    pub(super) is_owned: bool,
    pub(super) all: f64,
    pub(super) most: Option<f64>,
}

#[derive(Debug, Clone)]
pub(super) struct OutsideView {
    pub(super) peer: Option<String>,
    /// Mean time of a call, s.
    pub(super) mean: f64,
    /// Calls per second.
    pub(super) calls: f64,
    /// Its mean early and late in the run, s.
    pub(super) trend: Option<(f64, f64)>,
    /// ... and over the whole run, s.
    pub(super) of_run: Option<(f64, f64)>,
    /// ... and of the first calls of all, and late, s.
    pub(super) since_first: Option<(f64, f64)>,
}

/// A process that uses this share of its cores has none left for what comes next, ...
const USED_UP_SHARE_MIN: f64 = 0.9;
/// A thread that runs or waits for a core for this share of the time is never idle.
const ALWAYS_DUE_SHARE_MIN: f64 = 0.95;
/// ... and one that gets this part of its only core uses it for its work.
const SHARED_CORE_PART_MIN: f64 = 0.25;
/// ... and one that its quota stops in this share of its periods gets none.
const STOPPED_PERIODS_MIN: f64 = 0.8;

impl Measured {
    /// Others have the cores: its threads want all of them, and wait for them longer than they run.
    pub(super) fn is_starved(&self) -> bool {
        let both = self.cpu.as_ref().zip(self.run_delay);
        both.is_some_and(|(cpu, delay)| {
            delay >= cpu.used && cpu.used + delay >= USED_UP_SHARE_MIN * cpu.most
        })
    }

    /// Its only core is wanted all the time, and others get a part of it: what is due waits inside of it, too, for the one
    /// thread that may run.
    pub(super) fn is_only_core_shared(&self) -> bool {
        let has_a_part = |cpu: &Usage| cpu.most <= 1.0 && cpu.share() >= SHARED_CORE_PART_MIN;
        self.is_starved() && self.cpu.as_ref().is_some_and(has_a_part)
    }

    /// All its requests go through one thread, which computes or waits for a core all the time: it has no time left, however
    /// much of a core it gets.
    pub(super) fn is_always_due(&self) -> bool {
        let due = |one: OneThread| one.runs + one.waits >= ALWAYS_DUE_SHARE_MIN;
        self.one_thread.is_some_and(due)
    }

    /// The same, and it gets a core for more of the time than it waits for one.
    pub(super) fn computing_all_along(&self) -> Option<OneThread> {
        let is_computing = |one: &OneThread| one.runs >= one.waits;
        self.one_thread
            .filter(|one| self.is_always_due() && is_computing(one))
    }

    /// What is due in the target waits for a core: spans of its clients go on meanwhile.
    pub(super) fn is_short_of_cores(&self) -> bool {
        let is_used_up = |cpu: &Usage| cpu.share() >= USED_UP_SHARE_MIN;
        let is_stopped = |throttled: Throttling| throttled.periods >= STOPPED_PERIODS_MIN;
        self.cpu.as_ref().is_some_and(is_used_up)
            || self.throttled.is_some_and(is_stopped)
            || self.is_starved()
    }

    /// Only traces tell how long statements take.
    pub(super) fn are_statements_traced_alone(&self) -> bool {
        let counted = |one: &StatementView| one.counted_by == StatementOrigin::Database;
        self.sessions.active.is_none() && !self.statements.iter().any(counted)
    }

    pub(super) fn new(view: &RunView<'_>) -> Self {
        let any = Entity::new();
        let (statements, statement_time) = statements(view);
        let rate = view.callers.ended;
        let is_counted = |one: &StatementView| one.counted_by == StatementOrigin::Database;
        let counted = statements
            .iter()
            .any(is_counted)
            .then(|| share(statement_time, rate));
        let traced = TracedView::new(view, false);
        let traced = traced.map(|traced| traced.told_by_database(counted));
        let database_cpu = cpu::usage(view, SignalKind::DatabaseCpu, SignalKind::DatabaseCores);
        let managed = cpu::managed(view).filter(|_| database_cpu.is_none());
        let cpu = cpu::cpu(view);
        let is_one_interpreter = cpu
            .as_ref()
            .is_some_and(|cpu| cpu::is_one_interpreter(view, cpu));
        let interpreter = cpu.as_ref().filter(|_| is_one_interpreter);
        Self {
            one_thread: cpu::one_thread(view, interpreter),
            traced,
            statement_time,
            rate: view.callers.answered,
            carried: carried(view),
            ended: view.callers.ended,
            cpu: cpu.map(|cpu| Usage {
                most: if is_one_interpreter { 1.0 } else { cpu.most },
                ..cpu
            }),
            is_one_interpreter,
            throttled: throttling(view),
            run_delay: worst(view, SignalKind::RunDelay),
            collections: worst(view, SignalKind::CollectionPauseTime)
                .map(|pauses| CollectionView::new(view, pauses.min(1.0))),
            heap_after: heap_after(view),
            pools: queues::pools(view),
            workers: queues::workers(view),
            database_cpu: database_cpu.or_else(|| Some(managed.as_ref()?.usage.clone())),
            managed,
            database_idle_share: view
                .run
                .signals
                .of_kind(SignalKind::DatabaseCpu)
                .find_map(|series| idle_share(view, series))
                .filter(|_| !is_left_behind(view)),
            is_left_behind: is_left_behind(view),
            sessions: sessions::sessions(view),
            statements,
            outside: outside::outside(view).or_else(|| outside::traced_outside(view)),
            server_time: view
                .each(
                    SignalKind::ServerRequestTime,
                    SignalKind::ServerRequests,
                    &any,
                )
                .or_else(|| Some(traced?.all)),
        }
    }

    /// The cores that the database uses, where it is known how many it has.
    pub(super) fn database_cores_used(&self) -> Option<f64> {
        let is_known = self.managed.as_ref().is_none_or(|cpu| cpu.are_cores_known);
        let cpu = self.database_cpu.as_ref().filter(|_| is_known);
        cpu.map(|cpu| cpu.used)
    }

    /// The share of the time in which collections stopped it.
    pub(super) fn pauses(&self) -> Option<f64> {
        self.collections.map(|collections| collections.pauses)
    }

    /// The pool that most requests wait for, if one is exhausted.
    pub(super) fn exhausted(&self) -> Option<&PoolView> {
        let exhausted = self.pools.iter().filter(|pool| pool.is_exhausted());
        exhausted.max_by(|a, b| a.pending.total_cmp(&b.pending))
    }

    /// The pools of the name that most wait for, one of each instance: pools of other names are other resources.
    pub(super) fn main_pools(&self) -> impl Iterator<Item = &PoolView> {
        let order = |a: &&PoolView, b: &&PoolView| {
            let waiting = a.pending.total_cmp(&b.pending);
            waiting.then(a.usage.share().total_cmp(&b.usage.share()))
        };
        let main = self.pools.iter().max_by(order);
        let name = main.and_then(|pool| pool.usage.entity.get(Label::Pool));
        let is_main = move |pool: &&PoolView| pool.usage.entity.get(Label::Pool) == name;
        self.pools.iter().filter(is_main)
    }

    /// Connections of those pools that are held, on average.
    pub(super) fn held_connections(&self) -> f64 {
        self.main_pools().map(|pool| pool.usage.used).sum()
    }

    /// The same, those included that no look saw.
    pub(super) fn average_held(&self) -> f64 {
        self.main_pools().map(PoolView::held_on_average).sum()
    }

    /// The same, where it is known well enough to reckon with.
    pub(super) fn known_held(&self) -> Option<f64> {
        let is_known = self.main_pools().all(PoolView::is_use_known);
        is_known.then(|| self.average_held())
    }

    /// CPU seconds of the target that a request needs.
    pub(super) fn cpu_of_request(&self) -> Option<f64> {
        let cpu = self.cpu.as_ref()?;
        (self.carried > 0.0).then(|| cpu.used / self.carried)
    }
}

/// The fastest growing counter of a kind, its series of one instance added up.
fn worst(view: &RunView<'_>, kind: SignalKind) -> Option<f64> {
    let mut instances: Vec<Option<&str>> = Vec::new();
    for series in view.run.signals.of_kind(kind) {
        let instance = series.entity.get(Label::Instance);
        if !instances.contains(&instance) {
            instances.push(instance);
        }
    }
    let rates = instances.into_iter().filter_map(|instance| {
        let of_instance = view.run.signals.of_kind(kind);
        let rates = of_instance.filter(|series| series.entity.get(Label::Instance) == instance);
        rates
            .filter_map(|series| view.rate_of(series))
            .reduce(|a, b| a + b)
    });
    rates.reduce(f64::max)
}

/// What callers gave up on is worked on still, and holds what it needs; what the target answered with an error of its own,
/// or somebody else asked for, is not counted.
fn carried(view: &RunView<'_>) -> f64 {
    let (any, answered) = (Entity::new(), view.callers.answered);
    let Some(page) = view.rate(SignalKind::ServerRequests, &any) else {
        return answered;
    };
    let errors = view.rate(SignalKind::ServerErrors, &any).unwrap_or(0.0);
    if is_left_behind(view) {
        (page - errors).clamp(answered, view.callers.ended.max(answered))
    } else {
        answered
    }
}

/// Callers gave up on requests: a database goes on with their statements after the load.
fn is_left_behind(view: &RunView<'_>) -> bool {
    let statuses = &view.run.statuses;
    let unanswered = statuses.get(UNANSWERED).copied().unwrap_or(0.0);
    let given_up = share(unanswered, statuses.values().sum());
    view.callers.cut.max(given_up) >= GIVEN_UP_SHARE_MIN
}

fn throttling(view: &RunView<'_>) -> Option<Throttling> {
    let time = worst(view, SignalKind::ThrottledTime).unwrap_or(0.0);
    let periods = view.each(
        SignalKind::ThrottledPeriods,
        SignalKind::QuotaPeriods,
        &Entity::new(),
    )?;
    Some(Throttling { periods, time })
}

/// The share of the heap that is full after a collection.
fn heap_after(view: &RunView<'_>) -> Option<f64> {
    let any = Entity::new();
    let told = view.largest(SignalKind::HeapAfterCollectionShare, &any);
    told.or_else(|| {
        let after = view.largest(SignalKind::HeapAfterCollection, &any)?;
        let most = view
            .largest(SignalKind::HeapMax, &any)
            .filter(|most| *most > 0.0)?;
        Some(after / most)
    })
}
