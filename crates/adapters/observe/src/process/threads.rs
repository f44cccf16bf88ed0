//! What the kernel counts for each thread, summed so that it never goes back.
//!
//! A thread's counts are gone when it ends, so a plain sum over threads would shrink. Here each
//! thread's growth is added to the sum.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, SignalKind};
use procfs::process::{Process, Task};

use crate::reading::Reading;

/// Most threads whose counts are read: some ten microseconds each.
const THREADS_MAX: usize = 2_000;

/// Sums over threads since the first look.
#[derive(Debug, Default)]
pub(super) struct ThreadSums {
    last: BTreeMap<i32, ThreadCounts>,
    sum: ThreadCounts,
    has_delay: bool,
    /// Those that waited for storage at the last look.
    storage_waiters: u64,
}

/// What the kernel counts for a thread.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct ThreadCounts {
    delay_nanos: u64,
    switches: u64,
    forced: u64,
    /// At this moment.
    waits_for_storage: bool,
}

impl ThreadCounts {
    fn read(task: &Task) -> Option<Self> {
        let status = task.status().ok()?;
        let forced = status.nonvoluntary_ctxt_switches.unwrap_or(0);
        Some(Self {
            delay_nanos: task.schedstat().map_or(0, |stat| stat.run_delay),
            switches: status.voluntary_ctxt_switches.unwrap_or(0) + forced,
            forced,
            // The kernel calls it disk sleep: a wait that no signal ends.
            waits_for_storage: status.state.starts_with('D'),
        })
    }

    fn add_growth(&mut self, now: Self, before: Self) {
        self.delay_nanos += now.delay_nanos.saturating_sub(before.delay_nanos);
        self.switches += now.switches.saturating_sub(before.switches);
        self.forced += now.forced.saturating_sub(before.forced);
    }
}

impl ThreadSums {
    pub(super) fn take(&mut self, members: &[i32]) {
        let processes = members.iter().filter_map(|pid| Process::new(*pid).ok());
        let tasks = processes.filter_map(|process| process.tasks().ok());
        let tasks = tasks.flatten().flatten().take(THREADS_MAX);
        let now = tasks.filter_map(|task| Some((task.tid, ThreadCounts::read(&task)?)));
        self.grow(now.collect());
    }

    fn grow(&mut self, now: BTreeMap<i32, ThreadCounts>) {
        let is_first = self.last.is_empty();
        for (thread, counts) in &now {
            let before = self.last.get(thread).copied();
            // What threads did before the first look does not belong to the run.
            let before = before.unwrap_or(if is_first {
                *counts
            } else {
                ThreadCounts::default()
            });
            self.sum.add_growth(*counts, before);
            self.has_delay |= counts.delay_nanos > 0;
        }
        let waiters = now.values().filter(|counts| counts.waits_for_storage);
        self.storage_waiters = u64::try_from(waiters.count()).unwrap_or(0);
        self.last = now;
    }

    pub(super) fn give(&self, reading: &mut Reading) {
        if self.last.is_empty() {
            return;
        }
        let mut add = |kind, value: u64| reading.add(kind, Entity::new(), super::count(value));
        add(SignalKind::ContextSwitches, self.sum.switches);
        add(SignalKind::ForcedSwitches, self.sum.forced);
        add(SignalKind::StorageWaiters, self.storage_waiters);
        if self.has_delay {
            let seconds = super::count(self.sum.delay_nanos) * 1e-9;
            reading.add(SignalKind::RunDelay, Entity::new(), seconds);
        }
    }
}

/// CPU time of a process's first thread.
pub(super) fn main_thread_cpu(pid: i32) -> Option<f64> {
    let task = Process::new(pid).ok()?.task_main_thread().ok()?;
    let stat = task.stat().ok()?;
    let ticks = super::count(stat.utime + stat.stime);
    Some(ticks / super::count(procfs::ticks_per_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_ends_takes_nothing_away_and_a_new_one_counts_whole() {
        let counts = |switches| ThreadCounts {
            switches,
            ..ThreadCounts::default()
        };
        let mut sums = ThreadSums::default();
        sums.grow(BTreeMap::from([(1, counts(100)), (2, counts(50))]));
        assert_eq!(sums.sum.switches, 0);
        sums.grow(BTreeMap::from([(1, counts(110))]));
        assert_eq!(sums.sum.switches, 10);
        sums.grow(BTreeMap::from([(1, counts(110)), (3, counts(5))]));
        assert_eq!(sums.sum.switches, 15);
    }
}
