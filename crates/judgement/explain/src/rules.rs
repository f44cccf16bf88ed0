//! The rules: each knows one way in which a back end is limited.

mod accept_queue;
mod clock_off;
mod cold;
mod connections;
mod consumer_lag;
mod cpu_quota;
mod database_cpu;
mod database_sessions;
mod database_time;
mod down;
mod event_loop;
mod generator;
mod heap;
mod lock_logged;
mod log_errors;
mod long_pauses;
mod many_statements;
mod memory_limit;
mod missing_index;
mod neighbour;
mod network_bandwidth;
mod network_delay;
mod network_loss;
mod outside;
mod outside_logged;
mod pool_exhausted;
mod pool_held;
mod pool_logged;
mod pool_small;
mod redis_cpu;
mod refused;
mod retries;
mod row_lock;
mod script_ceiling;
mod slow_instance;
mod spans_left_out;
mod stack;
mod stalls;
mod stopped;
mod storage;
mod target_cpu;
mod threads;
mod uneven_load;
pub(super) mod unknown;
mod user_limit;
mod waits_inside;
mod wrong_answers;

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{Message, counted, evidence, explain};

use super::ceilings::{Ceilings, ResourceCeiling};
use super::finding::{
    Advice, BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, FindingRole,
    RuleId,
};
use super::heavy;
use super::measured::{Measured, PoolView};
use super::outage::Outage;
use super::statement::HeavyStatement;
use super::view::RunView;

/// From these shares on, callers see a limit, ...
const FAILED_SHARE_MIN: f64 = 0.01;
const DROPPED_SHARE_MIN: f64 = 0.01;
/// ... or when requests get slower by this factor and so many ms under the same load, ...
const SLOWDOWN_MIN: f64 = 1.5;
const SLOWDOWN_MS_MIN: f64 = 20.0;
/// ... or by this factor since little was asked.
const WAITING_SLOWDOWN_MIN: f64 = 3.0;
/// So few of later requests are called its quick ones.
const QUICK_PERCENTILE: f64 = 0.05;
/// Times that differ by less than this factor from the second to the last third stayed the same.
const EVEN_FACTOR_MAX: f64 = 1.25;
/// So many of the fastest requests, ...
const FASTEST_REQUESTS: f64 = 3.0;
/// ... within this factor of each other, took the same time.
const ALIKE_FACTOR_MAX: f64 = 1.15;

/// What rules look at.
pub(super) struct RuleContext<'a> {
    pub(super) view: &'a RunView<'a>,
    pub(super) measured: &'a Measured,
    pub(super) ceilings: &'a Ceilings,
    /// When the target was down; the view leaves that out.
    pub(super) outages: &'a [Outage],
}

/// Requests that a target serves at once while others wait for them: by Little's law, their rate
/// times the time of one that waits for nothing.
pub(super) struct ServedAtOnce {
    /// How many, a whole number.
    pub(super) count: f64,
    /// Answered per second, at most.
    pub(super) rate: f64,
    /// The mean time of a request while little is asked, ms.
    pub(super) alone_ms: f64,
    /// All requests may have waited for something: no more are served at once than this.
    pub(super) is_most: bool,
}

impl ServedAtOnce {
    /// Fewer may be served at once; never less than one.
    fn is_bound(&self) -> bool {
        self.is_most && self.count > 1.0
    }
}

impl RuleContext<'_> {
    /// The target's CPU is used at least this much; `false` when it is not seen.
    fn is_cpu_used(&self, share: f64) -> bool {
        let cpu = self.measured.cpu.as_ref();
        cpu.is_some_and(|cpu| cpu.share() >= share)
    }

    fn is_database_used(&self, share: f64) -> bool {
        let cpu = self.measured.database_cpu.as_ref();
        cpu.is_some_and(|cpu| cpu.share() >= share)
    }

    /// Requests that have a thread of the target at once, on average. Those that wait in an event
    /// loop have none.
    fn requests_inside(&self) -> Option<f64> {
        let workers = self.measured.workers.as_ref();
        let busy = workers.map(|workers| workers.usage.used);
        let loops = self
            .view
            .run
            .signals
            .of_kind(SignalKind::EventLoopUse)
            .next();
        let inside = || Some(self.measured.server_time? * self.measured.rate);
        busy.or_else(|| loops.is_none().then(inside).flatten())
    }

    /// Callers see a limit: requests fail, starts are dropped, times grow.
    pub(super) fn has_signs(&self) -> bool {
        let callers = &self.view.callers;
        let grows = |(early, late): (f64, f64)| {
            late >= SLOWDOWN_MIN * early && late - early >= SLOWDOWN_MS_MIN
        };
        callers.failed >= FAILED_SHARE_MIN
            || callers.cut >= FAILED_SHARE_MIN
            || callers.dropped >= DROPPED_SHARE_MIN
            || self.view.mean_early_and_late().is_some_and(grows)
            || self.served_at_once().is_some()
    }

    /// How requests wait for each other, if they do.
    pub(super) fn served_at_once(&self) -> Option<ServedAtOnce> {
        let by_answers = self.unhindered();
        let (alone, rate) = by_answers.or_else(|| self.unhindered_inside())?;
        let busy = &self.view.callers;
        let waits = busy.mean_ms() >= WAITING_SLOWDOWN_MIN * alone
            && busy.mean_ms() - alone >= SLOWDOWN_MS_MIN;
        waits.then(|| ServedAtOnce {
            count: (rate * alone / 1000.0).round().max(1.0),
            rate,
            alone_ms: alone,
            is_most: self.view.quiet.is_none()
                && self.view.run.load.is_open
                && by_answers.is_some(),
        })
    }

    /// As the target itself counts the time of a request, which begins when it has waited: the queue
    /// that grows is before that.
    fn unhindered_inside(&self) -> Option<(f64, f64)> {
        let (early, late) = self.view.mean_early_and_late()?;
        let inside = self.measured.server_time? * 1000.0;
        let callers = &self.view.callers;
        let at_once = callers.answered * inside / 1000.0;
        let is_told = at_once >= 1.0 / ALIKE_FACTOR_MAX && callers.failed < FAILED_SHARE_MIN;
        (late >= SLOWDOWN_MIN * early && is_told).then_some((inside, callers.answered))
    }

    /// How long a request takes that waits for no other, ms, and how many are answered a second
    /// while others wait: from a load that was low at first, or from the first or the fastest
    /// answers.
    fn unhindered(&self) -> Option<(f64, f64)> {
        if let Some(quiet) = &self.view.quiet {
            return Some((quiet.mean_ms(), self.view.most_answered()));
        }
        // The first third holds the first answers.
        let is_even = |[_, middle, late]: [f64; 3]| {
            late <= EVEN_FACTOR_MAX * middle && middle <= EVEN_FACTOR_MAX * late
        };
        let answered = self.view.callers.answered;
        if self.view.run.load.is_open {
            return Some((self.fastest()?, answered));
        }
        let is_steady = self.view.mean_of_thirds().is_some_and(is_even);
        let opening = self.view.opening.as_ref().filter(|_| is_steady)?;
        let alone = self.first_of_a_wave().unwrap_or(opening.mean_ms());
        Some((alone, answered))
    }

    /// Users in loops who all begin at once wait for each other from the first moment on: only the first of
    /// them waits for nothing, ms. Where none is as quick later on, that is no chance.
    fn first_of_a_wave(&self) -> Option<f64> {
        let alike = self.view.run.alike.as_ref()?;
        let first = alike.min().filter(|_| self.view.run.is_begun_at_once())?;
        let quick = self.view.later()?.percentile(QUICK_PERCENTILE)?;
        let at_once = self.view.callers.answered * first / 1000.0;
        (at_once >= 1.0 / ALIKE_FACTOR_MAX && quick >= WAITING_SLOWDOWN_MIN * first)
            .then_some(first)
    }

    /// Starts that go on whatever the answers make a queue that grows: only the fastest requests of
    /// the run waited for nothing, ms. They tell what is served at once where all take about as long:
    /// as many as one a time, or several took the same.
    fn fastest(&self) -> Option<f64> {
        let (early, late) = self.view.mean_early_and_late()?;
        let all = self.view.run.alike.as_ref()?;
        let callers = &self.view.callers;
        let fastest = all.min().filter(|_| self.view.run.is_begun_at_once())?;
        let at_once = callers.answered * fastest / 1000.0;
        let same = f64::from(u32::try_from(all.count()).ok()?);
        let next = all.percentile((FASTEST_REQUESTS / same).min(1.0))?;
        let is_told = at_once >= 1.0 / ALIKE_FACTOR_MAX
            && (at_once < ALIKE_FACTOR_MAX || next <= ALIKE_FACTOR_MAX * fastest);
        (late >= SLOWDOWN_MIN * early && callers.failed < FAILED_SHARE_MIN && is_told)
            .then_some(fastest)
    }

    /// What a change of one resource's demand or capacity gives, and what limits then.
    fn predicted(
        &self,
        part: BottleneckPart,
        capacity: f64,
        demand: f64,
    ) -> Option<(f64, Option<BottleneckPart>)> {
        let is_known = self.measured.rate > 0.0 && demand > 0.0;
        is_known.then(|| {
            self.ceilings
                .with(ResourceCeiling::new(part, capacity, demand))
        })
    }
}

type Rule = fn(&RuleContext<'_>) -> Option<BottleneckFinding>;

/// In the order in which they are shown when they limit at the same rate.
const RULES: &[Rule] = &[
    generator::check,
    down::check,
    script_ceiling::check,
    refused::check,
    uneven_load::check,
    slow_instance::check,
    cpu_quota::check,
    heap::check,
    many_statements::check,
    missing_index::check,
    row_lock::check,
    lock_logged::check,
    retries::check,
    database_cpu::check,
    database_sessions::check,
    pool_held::check,
    pool_small::check,
    event_loop::check,
    storage::check,
    neighbour::check,
    target_cpu::check,
    accept_queue::check,
    redis_cpu::check,
    outside::check,
    threads::check,
    database_time::check,
    pool_exhausted::check,
    pool_logged::check,
    outside_logged::check,
    network_bandwidth::check,
    network_loss::check,
    network_delay::check,
    stalls::check,
    stopped::check,
    user_limit::check,
    waits_inside::check,
    long_pauses::check,
    cold::check,
    consumer_lag::check,
    memory_limit::check,
    wrong_answers::check,
    connections::check,
    log_errors::check,
    spans_left_out::check,
    clock_off::check,
];

/// What all rules say.
pub(super) fn findings(context: &RuleContext<'_>) -> Vec<BottleneckFinding> {
    RULES.iter().filter_map(|rule| rule(context)).collect()
}

/// A finding that is being put together.
struct Draft(BottleneckFinding);

impl Draft {
    fn new(rule: RuleId, part: BottleneckPart, grade: EvidenceGrade, statement: Message) -> Self {
        Self(BottleneckFinding {
            rule,
            part,
            grade,
            role: FindingRole::Limit,
            entity: Entity::new(),
            statement,
            evidence: Vec::new(),
            statements: Vec::new(),
            contradictions: Vec::new(),
            logged: Vec::new(),
            advice: Vec::new(),
            ceiling: None,
        })
    }

    fn role(mut self, role: FindingRole) -> Self {
        self.0.role = role;
        self
    }

    fn entity(mut self, entity: &Entity) -> Self {
        self.0.entity = entity.clone();
        self
    }

    fn shown(
        mut self,
        name: &'static str,
        label: Message,
        value: impl Into<Option<f64>>,
        unit: EvidenceUnit,
    ) -> Self {
        if let Some(value) = value.into() {
            self.0.evidence.push(Evidence {
                name,
                label,
                value,
                unit,
            });
        }
        self
    }

    /// How much CPU is used of how much there is.
    fn of_cpu(self, used: f64, most: f64) -> Self {
        let cores = EvidenceUnit::Cores;
        self.shown("cpu-used", evidence::cpu_used(), used, cores)
            .shown("cpu-available", evidence::cpu_available(), most, cores)
    }

    /// The numbers of a pool.
    fn of_pool(self, pool: &PoolView, hold: f64) -> Self {
        let (count, millis) = (EvidenceUnit::Count, EvidenceUnit::Millis);
        let acquire = pool.acquire.map(|time| time * 1000.0);
        self.entity(&pool.usage.entity)
            .shown("active", evidence::active(), pool.usage.used, count)
            .shown("most", evidence::most(), pool.usage.most, count)
            .shown("pending", evidence::pending(), pool.pending, count)
            .shown("hold", evidence::hold(), hold * 1000.0, millis)
            .shown("acquire", evidence::acquire(), acquire, millis)
            .against(little(pool.usage.used, pool.holds, pool.hold))
    }

    /// The statements it is about: those that take most of the database's time.
    fn naming_heaviest(self, measured: &Measured) -> Self {
        self.naming(heavy::heaviest(measured))
    }

    fn naming(mut self, statements: Vec<HeavyStatement>) -> Self {
        self.0.statements = statements;
        self
    }

    fn against(mut self, doubt: Option<Message>) -> Self {
        self.0.contradictions.extend(doubt);
        self
    }

    fn advised(mut self, advice: impl IntoIterator<Item = Advice>) -> Self {
        let part = self.0.part;
        let advice = advice.into_iter().map(|mut one| {
            // That the same part limits, later, goes without saying.
            one.then = one.then.filter(|then| *then != part);
            one
        });
        self.0.advice.extend(advice);
        self
    }

    fn limiting_at(mut self, rate: f64) -> Self {
        self.0.ceiling = (rate > 0.0).then_some(rate);
        self
    }

    fn done(self) -> Option<BottleneckFinding> {
        Some(self.0)
    }
}

/// Measured active connections and Little's law (rate × hold time) that do not agree.
fn little(active: f64, holds: Option<f64>, hold: Option<f64>) -> Option<Message> {
    let law = holds? * hold?;
    let off = (law - active).abs() / active.max(1.0);
    (off > 0.25).then(|| explain::doubt_little(counted(active), counted(law)))
}
