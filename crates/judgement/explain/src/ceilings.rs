//! Resource laws: at which request rate each resource is used up.
//!
//! A resource of capacity C, of which U are in use at X requests a second, is used up at
//! X × C / U. What a request needs of it (U / X) is taken to stay as it is.

use super::collections::CollectionView;
use super::finding::BottleneckPart;
use super::input::share;
use super::measured::Measured;

/// Resources used less than this say nothing about a limit.
const LEAST_USE: f64 = 0.02;
/// A database as busy as this makes connections be held for longer.
const BUSY_DATABASE: f64 = 0.85;

/// Of those who hold a connection, so many have to be among the busy threads that wait for none.
const BUSY_HOLDERS_SHARE_MIN: f64 = 0.8;

/// At least this part of a target's CPU time is its own work.
const OWN_WORK_SHARE_MIN: f64 = 0.1;

/// The rate at which a resource is used up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResourceCeiling {
    /// Which resource.
    pub part: BottleneckPart,
    /// How much of it there is: cores, connections, threads.
    pub capacity: f64,
    /// How much of it a request needs: seconds of a core, a connection, a thread.
    pub demand: f64,
    /// Requests per second.
    pub rate: f64,
}

impl ResourceCeiling {
    pub(super) fn new(part: BottleneckPart, capacity: f64, demand: f64) -> Self {
        Self {
            part,
            capacity,
            demand,
            rate: share(capacity, demand),
        }
    }

    /// That of the target's CPU when `collections` stop it for a share `stopped` of the time.
    pub(super) fn of_stopped_cpu(
        collections: &CollectionView,
        measured: &Measured,
        stopped: f64,
    ) -> Option<Self> {
        let cpu = measured.cpu.as_ref()?;
        // While it is stopped it does nothing else.
        let threads = if collections.is_serial { 1.0 } else { cpu.most };
        let own = (cpu.used - collections.pauses * threads).max(OWN_WORK_SHARE_MIN * cpu.used);
        let capacity = cpu.most * (1.0 - stopped);
        let demand = own / measured.carried;
        (measured.carried > 0.0).then(|| Self::new(BottleneckPart::Cpu, capacity, demand))
    }
}

/// The ceilings that are known.
#[derive(Debug, Default, Clone)]
pub(super) struct Ceilings {
    known: Vec<ResourceCeiling>,
    /// Resources that are hardly used: nothing near is limited by them.
    idle: Vec<ResourceCeiling>,
}

impl Ceilings {
    pub(super) fn new(measured: &Measured) -> Self {
        let rate = measured.carried;
        let mut all = Self::default();
        if rate <= 0.0 {
            return all;
        }
        let mut add = |part, capacity: f64, used: f64| {
            if capacity <= 0.0 {
                return;
            }
            let ceiling = ResourceCeiling::new(part, capacity, used / rate);
            if used / capacity >= LEAST_USE {
                all.known.push(ceiling)
            } else {
                all.idle.push(ceiling)
            }
        };
        if let Some(cpu) = &measured.cpu {
            add(BottleneckPart::Cpu, cpu.most, cpu.used);
        }
        let database_is_busy = measured.database_cpu.as_ref();
        let database_is_busy = database_is_busy.is_some_and(|cpu| cpu.share() >= BUSY_DATABASE);
        if let Some(cpu) = &measured.database_cpu {
            add(BottleneckPart::Database, cpu.most, cpu.used);
        }
        // What waits inside a resource that is used up is held for longer than it needs.
        let target_is_busy = measured.cpu.as_ref().is_some_and(|cpu| cpu.share() >= 0.9);
        let is_exhausted = measured.exhausted().is_some();
        let most: f64 = measured.main_pools().map(|pool| pool.usage.most).sum();
        let used = measured.held_connections();
        let known = if is_exhausted {
            Some(used)
        } else {
            measured.known_held()
        };
        if let Some(known) = known.filter(|_| !(database_is_busy || target_is_busy)) {
            add(BottleneckPart::Pool, most, known);
        }
        if let Some(workers) = &measured.workers {
            let pending: f64 = measured.pools.iter().map(|pool| pool.pending).sum();
            let busy = (workers.usage.used - pending).max(0.0);
            // Where one thread serves one request, a request with a connection has a thread.
            let is_consistent = !is_exhausted || busy >= BUSY_HOLDERS_SHARE_MIN * used;
            if !(database_is_busy || target_is_busy) && is_consistent {
                add(BottleneckPart::Threads, workers.usage.most, busy);
            }
        }
        all
    }

    /// The same for a target whose one thread computes: other cores do nothing for it.
    pub(super) fn of_one_core(&self) -> Self {
        let on_one = |ceiling: &ResourceCeiling| match ceiling.part {
            BottleneckPart::Cpu => {
                ResourceCeiling::new(ceiling.part, ceiling.capacity.min(1.0), ceiling.demand)
            }
            _ => *ceiling,
        };
        Self {
            known: self.known.iter().map(on_one).collect(),
            idle: self.idle.iter().map(on_one).collect(),
        }
    }

    pub(super) fn sorted(&self) -> Vec<ResourceCeiling> {
        let mut all = self.known.clone();
        all.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        all
    }

    /// A resource that is hardly used.
    pub(super) fn idle(&self, part: BottleneckPart) -> Option<ResourceCeiling> {
        self.idle
            .iter()
            .copied()
            .find(|ceiling| ceiling.part == part)
    }

    /// The rate when one resource has another ceiling, and what limits then: of the resources
    /// that are known, the first that is used up.
    pub(super) fn with(&self, changed: ResourceCeiling) -> (f64, Option<BottleneckPart>) {
        let others = self
            .known
            .iter()
            .filter(|ceiling| ceiling.part != changed.part);
        let next = others.min_by(|a, b| a.rate.total_cmp(&b.rate));
        match next {
            Some(next) if next.rate < changed.rate => (next.rate, Some(next.part)),
            _ => (changed.rate, Some(changed.part)),
        }
    }

    /// What limits when a resource does no longer.
    pub(super) fn without(&self, part: BottleneckPart) -> Option<ResourceCeiling> {
        let others = self.known.iter().filter(|ceiling| ceiling.part != part);
        others.copied().min_by(|a, b| a.rate.total_cmp(&b.rate))
    }
}
