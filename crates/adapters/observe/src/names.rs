//! What the metrics of a page are called, and which signal each is.
//!
//! One table for each kind of page; a metric that no table names is left out. Values of one signal
//! and entity are added up: heap regions to the heap, CPU modes to CPU time.

mod containers;
mod databases;
mod java;
mod libraries;
mod library;
mod machine;
mod managed;
mod opentelemetry;
mod pods;
mod pools;
mod process;
mod rule;
mod runtimes;
mod setup;
mod unused;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;
use std::time::Duration;

use loadline_record::signals::{Entity, Label, SignalKind, TargetSetting, UnusedReason};

use crate::exposition::Sample;
use crate::minutes::MinuteValue;
use crate::reading::Reading;
use crate::statement::without_literals;
use pods::PodPlaces;
use pools::NamedPools;
pub(crate) use process::PageProcess;
use process::ProcessMarks;
use rule::{Join, LateValue, Rule};
use setup::Family;
pub(crate) use setup::PageSetup;
use unused::UnusedMetrics;

/// Operations of a service that are told apart; the rest is one.
const OPERATIONS_MAX: usize = 100;
/// Statements whose texts are kept.
const STATEMENTS_MAX: usize = 500;
/// What the rest is called.
const OTHERS: &str = "(others)";
/// A pool that has this many threads has no bound.
const UNBOUNDED_POOL_MIN: f64 = 1e9;

static RULES: LazyLock<HashMap<&'static str, Vec<&'static Rule>>> = LazyLock::new(|| {
    let tables = [
        java::RULES,
        libraries::RULES,
        opentelemetry::RULES,
        machine::RULES,
        containers::RULES,
        databases::RULES,
        runtimes::RULES,
    ];
    let mut rules: HashMap<_, Vec<_>> = HashMap::new();
    for rule in tables.into_iter().flatten().chain(managed::rules()) {
        rules.entry(rule.metric).or_default().push(rule);
    }
    rules
});

/// The names of all metrics that say something, for who has to ask for them; the last is a pattern.
pub(crate) fn metrics() -> impl Iterator<Item = &'static str> {
    let own = RULES.iter().filter(|(_, rules)| !is_late(rules));
    let own = own
        .map(|(metric, _)| *metric)
        .chain(setup::setting_metrics());
    own.chain(setup::MARKS.iter().copied())
        .chain(std::iter::once(pools::ASKED))
}

/// The names of metrics that tell of the past: a question for what is now does not find them.
pub(crate) fn late_metrics() -> impl Iterator<Item = &'static str> {
    let late = RULES.iter().filter(|(_, rules)| is_late(rules));
    let late = late.map(|(metric, _)| *metric);
    late.chain(std::iter::once(managed::ENHANCED_TIME))
}

fn is_late(rules: &[&Rule]) -> bool {
    rules.iter().any(|rule| rule.late.is_some())
}

/// What is told of an executor beside its threads and its queue.
#[derive(Debug, Default)]
struct Executor {
    /// Threads that it has before tasks are queued.
    core: Option<f64>,
    /// Tasks that its queue could still take.
    queue_left: Option<f64>,
}

/// Turns the samples of one page into signals.
#[derive(Default)]
pub(crate) struct PageReader {
    sums: BTreeMap<(SignalKind, Entity), f64>,
    /// Samples of rules that hold only without another kind of metrics on the page.
    secondary: Vec<(&'static Rule, Entity, f64)>,
    operations: BTreeSet<String>,
    setup: PageSetup,
    settings: BTreeMap<&'static str, String>,
    marks: ProcessMarks,
    pools: NamedPools,
    unused: UnusedMetrics,
    /// The library of each pool.
    libraries: BTreeMap<Entity, &'static str>,
    executors: BTreeMap<Entity, Executor>,
    /// Where pods are.
    pods: PodPlaces,
    /// Means of a minute.
    minutes: Vec<MinuteValue>,
    /// When those without a time of their own are of, by the instance, ms since 1970.
    minute_ends: BTreeMap<String, i64>,
    /// Texts of statements, by their numbers.
    statements: BTreeMap<String, String>,
    /// Connections that were accepted, and handled.
    handled: (Option<f64>, Option<f64>),
    /// Share of the CPUs that the process uses, where no counter tells it.
    pub(crate) cpu_share: Option<f64>,
}

impl PageReader {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// For the page that showed `setup` before: its operations keep their names, so that their counts go on.
    pub(crate) fn after(setup: &PageSetup) -> Self {
        Self {
            operations: setup.operations.clone(),
            ..Self::default()
        }
    }

    /// For what is scraped at `host`.
    pub(crate) fn at(mut self, host: &str) -> Self {
        self.pods.is_at(host);
        self
    }

    /// Takes one sample.
    pub(crate) fn take(&mut self, sample: &Sample<'_>) {
        self.setup.see(sample.name);
        self.marks.see(sample);
        self.take_parts(sample);
        self.settings.extend(setup::settings_of(sample));
        self.settings.extend(setup::runtime(sample));
        if sample.name == "process_cpu_usage" {
            self.cpu_share = Some(sample.value).filter(|share| (0.0..=1.0).contains(share));
        }
        self.setup.note_collector(sample, &mut self.settings);
        let Some(rules) = RULES.get(sample.name) else {
            if self.pools.take(sample) {
                self.unused.uses(sample);
            } else {
                self.unused.leaves(sample.name, UnusedReason::UnknownName);
            }
            return;
        };
        let mut reason = UnusedReason::UnknownLabels;
        for rule in rules.iter().filter(|rule| rule.holds(sample)) {
            if sample.value < 0.0 || !sample.value.is_finite() {
                reason = UnusedReason::NoValue;
                continue;
            }
            self.unused.uses(sample);
            if rule.is_positive && sample.value == 0.0 {
                continue;
            }
            let entity = self.entity(rule, sample);
            let edge = rule.late.filter(|late| *late != LateValue::Constant);
            if let Some(edge) = edge {
                self.take_minute(rule, sample, entity, edge);
                continue;
            }
            if rule::is_of_pool(rule.kind)
                && let Some(library) = library::of_metric(sample.name)
            {
                self.libraries.insert(entity.clone(), library);
            }
            if rule.unless.is_some() {
                self.secondary.push((rule, entity, sample.value));
            } else {
                self.add(rule, entity, sample.value);
            }
        }
        self.unused.leaves(sample.name, reason);
    }

    fn take_minute(&mut self, rule: &Rule, sample: &Sample<'_>, of: Entity, edge: LateValue) {
        const MINUTE_MS: i64 = 60_000;
        let back = if edge == LateValue::MinuteEnd {
            MINUTE_MS
        } else {
            0
        };
        self.minutes.push(MinuteValue {
            metric: rule.metric,
            kind: rule.kind,
            entity: of,
            begins_ms: sample.at_ms.map(|at| at.saturating_sub(back)),
            value: sample.value * rule.scale,
        });
    }

    /// Means of a minute, those of one signal and minute added up. What has no time is none.
    pub(crate) fn take_minutes(&mut self) -> Vec<MinuteValue> {
        let mut all: Vec<MinuteValue> = Vec::new();
        for mut one in std::mem::take(&mut self.minutes) {
            let instance = one.entity.get(Label::Instance).unwrap_or_default();
            let is_enhanced = one.metric.starts_with(managed::ENHANCED);
            let end = self.minute_ends.get(instance).filter(|_| is_enhanced);
            one.begins_ms = one.begins_ms.or(end.map(|end| end - 60_000));
            let Some(begins) = one.begins_ms else {
                self.unused.drops(one.metric, UnusedReason::NoTime);
                continue;
            };
            let same = |known: &&mut MinuteValue| {
                known.kind == one.kind
                    && known.entity == one.entity
                    && known.begins_ms == Some(begins)
            };
            match all.iter_mut().find(same) {
                Some(known) => known.value += one.value,
                None => all.push(one),
            }
        }
        all
    }

    fn add(&mut self, rule: &Rule, entity: Entity, value: f64) {
        let slot = self.sums.entry((rule.kind, entity));
        match rule.join {
            Join::Sum => *slot.or_default() += value * rule.scale,
            Join::Count => *slot.or_default() += 1.0,
            Join::Max => {
                let most = slot.or_default();
                *most = most.max(value * rule.scale);
            }
        }
    }

    fn entity(&mut self, rule: &Rule, sample: &Sample<'_>) -> Entity {
        let mut entity = Entity::new();
        for (label, named) in rule.named {
            let value = sample.label(label);
            if !value.is_empty() && entity.get(*named).is_none() {
                entity = entity.with(*named, rule::plain(*named, value));
            }
        }
        if let Some((method, route)) = rule.operation {
            let route = rule::route(sample.label(route));
            let operation = format!("{} {route}", sample.label(method));
            let operation = operation.trim();
            let is_known = self.operations.contains(operation);
            let name = if is_known || self.operations.len() < OPERATIONS_MAX {
                self.operations.insert(operation.to_owned());
                operation
            } else {
                OTHERS
            };
            entity = entity.with(Label::Operation, name);
        }
        entity
    }

    /// Gives all signals, and what the page shows of its target.
    pub(crate) fn finish(mut self, reading: &mut Reading) -> PageSetup {
        for (rule, entity, value) in std::mem::take(&mut self.secondary) {
            let is_met = rule.unless.is_some_and(|family| !self.setup.has(family));
            if is_met {
                self.add(rule, entity, value);
            }
        }
        self.add_named_pools();
        self.bound_pools();
        self.bound_executors();
        self.drop_unbounded();
        self.dropped_connections();
        self.cores_of_quotas();
        self.name_statements();
        self.drop_own_process();
        for ((kind, entity), value) in self.sums {
            self.setup.give(kind);
            reading.values.push((kind, entity, value));
        }
        for (of, library) in self.libraries {
            let setting = TargetSetting::new(library::SETTING, library, of);
            reading.settings.push(setting);
        }
        for (name, value) in self.settings {
            reading.set(name, &value);
        }
        self.pods.give(reading);
        self.setup.operations = self.operations;
        self.setup.unused = self.unused;
        self.setup
    }

    /// Pools that no table names, as far as nothing is known of them.
    fn add_named_pools(&mut self) {
        if !self.setup.is_own() {
            return;
        }
        let sums = &mut self.sums;
        self.pools.give(|kind, of, value| {
            sums.entry((kind, of)).or_insert(value);
        });
        for (of, metric) in self.pools.owners() {
            if let Some(library) = library::of_metric(metric) {
                self.libraries.entry(of).or_insert(library);
            }
        }
        for (_, metric) in self.pools.owners() {
            self.unused.uses_metric(metric);
        }
        for metric in self.pools.alone() {
            self.unused.drops(metric, UnusedReason::UnknownName);
        }
        for metric in self.pools.without_use() {
            self.unused.drops(metric, UnusedReason::NoUse);
        }
    }

    /// A pool for which somebody waits is as large as it gets.
    fn bound_pools(&mut self) {
        let waited = self.sums.iter();
        let waited = waited
            .filter(|((kind, _), waiting)| *kind == SignalKind::PoolPending && **waiting > 0.0);
        let pools: Vec<Entity> = waited.map(|((_, of), _)| of.clone()).collect();
        for of in pools {
            let value = |kind| self.sums.get(&(kind, of.clone())).copied();
            let (active, idle) = (value(SignalKind::PoolActive), value(SignalKind::PoolIdle));
            if let (Some(active), Some(idle), None) = (active, idle, value(SignalKind::PoolMax)) {
                self.sums.insert((SignalKind::PoolMax, of), active + idle);
            }
        }
    }

    /// An executor whose queue has no end never starts more threads than its core size.
    fn bound_executors(&mut self) {
        for (of, executor) in std::mem::take(&mut self.executors) {
            let queued = self.sums.get(&(SignalKind::WorkersQueue, of.clone()));
            let queued = queued.copied().unwrap_or(0.0);
            let most = (SignalKind::WorkersMax, of.clone());
            let is_endless = executor.queue_left >= Some(UNBOUNDED_POOL_MIN);
            match (executor.core, executor.queue_left) {
                (Some(core), _) if is_endless && core > 0.0 => {
                    self.sums.insert(most, core);
                }
                (_, Some(left)) if !is_endless => {
                    let queue = (SignalKind::WorkersQueueMax, of);
                    self.sums.insert(queue, queued + left);
                }
                _ => {}
            }
        }
    }

    /// A server that reached its limit of connections closes those that it accepts beyond.
    fn dropped_connections(&mut self) {
        if let (Some(accepted), Some(handled)) = self.handled {
            let dropped = (SignalKind::ConnectionsDropped, Entity::new());
            self.sums.insert(dropped, (accepted - handled).max(0.0));
        }
    }

    /// Takes numbers that mean something only beside others.
    fn take_parts(&mut self, sample: &Sample<'_>) {
        let executor = Entity::new().with(Label::Pool, sample.label("name"));
        match sample.name {
            "executor_pool_core_threads" => {
                self.executors.entry(executor).or_default().core = Some(sample.value);
            }
            "executor_queue_remaining_tasks" => {
                self.executors.entry(executor).or_default().queue_left = Some(sample.value);
            }
            "kube_pod_info" | "container_cpu_usage_seconds_total" => self.pods.take(sample),
            managed::ENHANCED_TIME => {
                let end = Duration::try_from_secs_f64(sample.value);
                let end = end.ok().and_then(|end| i64::try_from(end.as_millis()).ok());
                let instance = sample.label("instance").to_owned();
                self.minute_ends.extend(end.map(|end| (instance, end)));
            }
            "pg_stat_statements_query_id" => {
                self.take_text(sample.label("queryid"), sample.label("query"));
            }
            name if name.starts_with("mysql_perf_schema_events_statements_") => {
                self.take_text(sample.label("digest"), sample.label("digest_text"));
            }
            "nginx_connections_accepted" => self.handled.0 = Some(sample.value),
            "nginx_connections_handled" => self.handled.1 = Some(sample.value),
            _ => {}
        }
    }

    fn take_text(&mut self, number: &str, text: &str) {
        if !text.is_empty() && self.statements.len() < STATEMENTS_MAX {
            let text = || without_literals(text);
            self.statements
                .entry(number.to_owned())
                .or_insert_with(text);
        }
    }

    /// Statements that have a number get their text.
    fn name_statements(&mut self) {
        let has_text = |of: &Entity| of.get(Label::Statement).is_some();
        let sums = std::mem::take(&mut self.sums).into_iter();
        let named = sums.map(|((kind, mut of), value)| {
            let number = of.get(Label::StatementId).unwrap_or_default();
            let is_unnamed = !number.is_empty() && !has_text(&of);
            if let Some(text) = self.statements.get(number).filter(|_| is_unnamed) {
                of = of.with(Label::Statement, text);
            }
            self.setup.has_unnamed |= is_unnamed && !has_text(&of);
            ((kind, of), value)
        });
        let named: Vec<_> = named.collect();
        self.sums = named.into_iter().collect();
    }

    /// Of an exporter that asks a cloud, its own process is not the target.
    fn drop_own_process(&mut self) {
        const OF_PROCESS: [&str; 8] = [
            "process-",
            "heap-",
            "collection-",
            "compilation-",
            "uptime",
            "threads",
            "cores-",
            "memory-",
        ];
        if self.setup.has(Family::Cloud) {
            let is_own = |kind: SignalKind| OF_PROCESS.iter().any(|of| kind.name().starts_with(of));
            self.sums.retain(|(kind, _), _| !is_own(*kind));
        }
    }

    /// Pools of threads without a bound limit nothing.
    fn drop_unbounded(&mut self) {
        let unbounded: BTreeSet<Entity> = self
            .sums
            .iter()
            .filter(|((kind, _), most)| {
                *kind == SignalKind::WorkersMax && **most >= UNBOUNDED_POOL_MIN
            })
            .map(|((_, entity), _)| entity.clone())
            .collect();
        self.sums.retain(|(kind, entity), _| {
            !(rule::is_of_workers(*kind) && unbounded.contains(entity))
        });
        if !unbounded.is_empty() {
            let metric = "executor_pool_max_threads";
            self.unused.drops(metric, UnusedReason::Unbounded);
        }
    }

    /// A container's quota is told in two parts: time, and the period it is for.
    fn cores_of_quotas(&mut self) {
        for (entity, (quota, period)) in self.setup.take_quotas() {
            if quota > 0.0 && period > 0.0 {
                let key = (SignalKind::CoresAvailable, entity);
                self.sums.insert(key, quota / period);
            }
        }
    }

    /// The process that the page is of. What an exporter tells is the same whichever of them answers.
    pub(crate) fn process(&self) -> Option<PageProcess> {
        let is_own = !self.setup.has(Family::Exporter);
        self.marks.process().filter(|_| is_own)
    }

    /// Cores that the process may use, where the page tells.
    pub(crate) fn cores(&self) -> Option<f64> {
        let key = (SignalKind::CoresAvailable, Entity::new());
        self.sums.get(&key).copied()
    }

    /// Whether the page counts the process's CPU time.
    pub(crate) fn counts_cpu(&self) -> bool {
        let mut kinds = self.sums.keys();
        kinds.any(|(kind, _)| *kind == SignalKind::ProcessCpu) || !self.setup.has(Family::Java)
    }
}

#[cfg(test)]
mod managed_tests;
#[cfg(test)]
mod tests;
