//! The rules: each knows one way in which a back end is limited.

mod accept_queue;
mod clock_off;
mod cold;
mod connection_limits;
mod connections;
mod consumer_lag;
mod cpu_quota;
mod database_cpu;
mod database_sessions;
mod database_storage;
mod database_time;
mod down;
mod event_loop;
mod failing;
mod generator;
mod heap;
mod heap_first;
mod lock_logged;
mod log_errors;
mod long_pauses;
mod many_statements;
mod memory_before;
mod memory_limit;
mod missing_index;
mod neighbour;
mod network_bandwidth;
mod network_delay;
mod network_loss;
mod objective_missed;
mod open_files;
mod outside;
mod outside_logged;
mod outside_refused;
mod periodic_stops;
mod pool_exhausted;
mod pool_grows;
mod pool_held;
mod pool_logged;
mod pool_patience;
mod pool_small;
mod pools_above_sessions;
mod redis_cpu;
mod refused;
mod retries;
mod row_lock;
mod script_ceiling;
mod slow_instance;
mod slow_tail;
mod spans_left_out;
mod stalls;
mod stopped;
mod storage;
mod target_cpu;
mod threads;
mod uneven_load;
mod uneven_nodes;
pub(super) mod unknown;
mod user_limit;
mod waits_inside;
mod warming;
mod wrong_answers;
mod wrong_requests;

use loadline_record::signals::Entity;
use loadline_text::{Message, counted, doubt, evidence};

use super::context::RuleContext;
use super::finding::{
    Advice, BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, FindingRole,
    RuleId,
};
use super::heavy;
use super::loss::DROPPED_SHARE_MIN;
use super::measured::{Measured, PoolView};
use super::served_at_once::ServedAtOnce;
use super::stack;
use super::statement::HeavyStatement;
pub(super) use database_sessions::TakenSessions;
pub(super) use outside_refused::RefusedCalls;

type Rule = fn(&RuleContext<'_>) -> Option<BottleneckFinding>;

/// In the order in which they are shown when they limit at the same rate.
const RULES: &[Rule] = &[
    generator::check,
    down::check,
    wrong_requests::check,
    script_ceiling::check,
    refused::check,
    failing::check,
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
    database_storage::check,
    pool_held::check,
    pool_small::check,
    event_loop::check,
    storage::check,
    neighbour::check,
    target_cpu::check,
    open_files::check,
    accept_queue::check,
    redis_cpu::check,
    outside_refused::check,
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
    periodic_stops::check,
    stopped::check,
    user_limit::check,
    waits_inside::check,
    long_pauses::check,
    cold::check,
    warming::check,
    slow_tail::check,
    objective_missed::check,
    consumer_lag::check,
    memory_limit::check,
    heap_first::check,
    pools_above_sessions::check,
    pool_grows::check,
    pool_patience::check,
    connection_limits::check,
    uneven_nodes::check,
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

    /// The same, where the database is what it is about.
    fn naming_heaviest_of(self, part: BottleneckPart, measured: &Measured) -> Self {
        match part {
            BottleneckPart::Database => self.naming_heaviest(measured),
            _ => self,
        }
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
    (off > 0.25).then(|| doubt::little(counted(active), counted(law)))
}
