//! Metrics of pools and executors by the words of their names, for those that no table names.
//!
//! Most pools outside of Java are told by gauges that each service names itself: `shop_db_pool_checked_out`,
//! `pg_pool_waiting_count`, `pool_size{type="max"}`. The words after `pool` are much the same in all. Numbers whose names
//! begin alike and that are of nothing called a pool are one where they have a pool's shape: so many in use, of so many,
//! and who is idle or waits.

mod shape;
mod words;

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, SignalKind};

use crate::exposition::Sample;
use shape::PoolNumbers;
use words::{NAME_LABELS, PoolName, ROLE_LABELS, Resource, Role};

/// Names of which some are of pools, as a regular expression for a Prometheus, which has to be asked by name.
pub(super) const ASKED: &str = "[a-z0-9_]*(pool|executor|bulkhead|semaphore|p_?queue|p_limit|fastq)[a-z0-9_]*_(active|in_?use|used|busy|acquired|\
    checked_?out|borrowed|leased|running|idle|free|available|checked_?in|pending|a?waiting|waiters|queued?|max|size|\
    limit|capacity|open|total|overflow|max_workers|concurrency|rejected)(_(connections|clients|threads|acquires|size|length|count|total))?|\
    (ruby_)?puma_(max_threads|(thread_)?pool_capacity|(request_)?backlog)";
/// Most groups of names that are no pool's by a word of theirs.
const GROUPS_MAX: usize = 200;

/// The pools of a page, by the part of their metrics' names that is theirs, and their name.
#[derive(Debug, Default)]
pub(super) struct NamedPools(BTreeMap<(String, String), NamedPool>);

/// What is told of one pool.
#[derive(Debug, Default)]
struct NamedPool {
    /// The values of each metric.
    metrics: BTreeMap<String, Told>,
    is_of_workers: bool,
    is_named: bool,
}

/// What one metric tells, by role.
#[derive(Debug, Default)]
struct Told {
    roles: BTreeMap<Role, f64>,
    rank: usize,
}

impl NamedPool {
    /// Two metrics of one role are two names of it, not two parts.
    fn numbers(&self) -> PoolNumbers {
        let mut metrics: Vec<&Told> = self.metrics.values().collect();
        metrics.sort_by_key(|told| told.rank);
        let mut numbers = PoolNumbers::default();
        for (role, value) in metrics.into_iter().flat_map(|told| &told.roles) {
            numbers.0.entry(*role).or_insert(*value);
        }
        numbers
    }

    fn resource(&self) -> Resource {
        if self.is_of_workers {
            Resource::Workers
        } else {
            Resource::Connections
        }
    }

    /// One number alone tells nothing that could be used up.
    fn is_told(&self, numbers: &PoolNumbers) -> bool {
        if self.is_named {
            numbers.0.len() > 1
        } else {
            numbers.has_shape()
        }
    }
}

impl NamedPools {
    /// Takes a sample, if its name says that it is of a pool, or may be; whether it does.
    pub(super) fn take(&mut self, sample: &Sample<'_>) -> bool {
        let Some((name, role)) = read(sample) else {
            return false;
        };
        if sample.value >= 0.0 && sample.value.is_finite() {
            let mut labels = NAME_LABELS.iter().map(|label| sample.label(label));
            let label = labels.find(|label| !label.is_empty());
            let key = (
                name.owner.to_owned(),
                label.unwrap_or(name.owner).to_owned(),
            );
            if !name.is_named && self.0.len() >= GROUPS_MAX && !self.0.contains_key(&key) {
                return false;
            }
            let pool = self.0.entry(key).or_default();
            pool.is_of_workers |= name.resource == Resource::Workers;
            pool.is_named |= name.is_named;
            let told = pool.metrics.entry(sample.name.to_owned()).or_default();
            told.rank = words::place(name.words).unwrap_or(usize::MAX);
            *told.roles.entry(role).or_default() += sample.value;
        }
        name.is_named
    }

    /// The pools, each with its numbers.
    fn with_numbers(&self) -> impl Iterator<Item = (&str, &NamedPool, PoolNumbers)> {
        self.0.iter().filter_map(|((_, name), pool)| {
            let numbers = pool.numbers();
            pool.is_told(&numbers)
                .then_some((name.as_str(), pool, numbers))
        })
    }

    /// Gives what is known of each pool.
    pub(super) fn give(&self, mut add: impl FnMut(SignalKind, Entity, f64)) {
        for (name, pool, numbers) in self.with_numbers() {
            let of = Entity::new().with(Label::Pool, name);
            for (kind, value) in numbers.signals(pool.resource()) {
                if let Some(value) = value {
                    add(kind, of.clone(), value);
                }
            }
        }
    }

    /// The metrics of what calls itself a pool, and of which nothing that could be used up is told.
    pub(super) fn alone(&self) -> impl Iterator<Item = &str> {
        let alone = self
            .0
            .values()
            .filter(|pool| pool.is_named && !pool.is_told(&pool.numbers()));
        alone.flat_map(|pool| pool.metrics.keys().map(String::as_str))
    }

    /// The metrics of what calls itself a pool, and does not tell how many of it are in use.
    pub(super) fn without_use(&self) -> impl Iterator<Item = &str> {
        let without = self.with_numbers().filter(|(_, pool, numbers)| {
            let signals = numbers.signals(pool.resource());
            let is_use = |kind| matches!(kind, SignalKind::PoolActive | SignalKind::WorkersBusy);
            pool.is_named
                && signals
                    .iter()
                    .all(|(kind, value)| !is_use(*kind) || value.is_none())
        });
        without.flat_map(|(_, pool, _)| pool.metrics.keys().map(String::as_str))
    }

    /// The pools, each with the metrics that told it.
    pub(super) fn owners(&self) -> impl Iterator<Item = (Entity, &str)> {
        self.with_numbers().flat_map(|(name, pool, _)| {
            let of = Entity::new().with(Label::Pool, name);
            let metrics = pool.metrics.keys();
            metrics.map(move |metric| (of.clone(), metric.as_str()))
        })
    }
}

/// Of which pool a sample may be, and its role.
fn read<'a>(sample: &Sample<'a>) -> Option<(PoolName<'a>, Role)> {
    let name = words::split(sample.name)?;
    let labels = ROLE_LABELS.iter().map(|label| sample.label(label));
    let labelled = labels
        .filter(|value| !value.is_empty())
        .find_map(words::role);
    let role = match (words::role(name.words)?, labelled) {
        // `pool_connections{state="idle"}`, `pool_size{type="max"}`
        (Role::Size | Role::Open, Some(labelled)) => labelled,
        (own, _) => own,
    };
    let may_count = sample.name.ends_with("_total") && !sample.is_gauge;
    let is_counter = may_count && role != Role::Refused && labelled.is_none();
    (!is_counter).then_some((name, role))
}

#[cfg(test)]
mod tests;
