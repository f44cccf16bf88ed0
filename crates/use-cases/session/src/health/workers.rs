//! What the worker threads of this process had of the cores.

use std::fs;
use std::time::Duration;

/// What one thread had of the cores since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CoreTime {
    /// It ran on one.
    pub(super) running: Duration,
    /// It had work and waited for one.
    pub(super) waiting: Duration,
    /// How often it got one.
    pub(super) turns: u64,
}

impl CoreTime {
    /// Reads a `schedstat`: nanoseconds on a core, nanoseconds waiting, times it got one.
    fn parse(schedstat: &str) -> Option<Self> {
        let mut fields = schedstat.split_ascii_whitespace().map(str::parse);
        let mut next = || fields.next()?.ok();
        Some(Self {
            running: Duration::from_nanos(next()?),
            waiting: Duration::from_nanos(next()?),
            turns: next()?,
        })
    }
}

/// Those of the workers, in order of their names; empty when nothing can be read.
pub(super) fn core_times() -> Vec<CoreTime> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let mut workers: Vec<(String, CoreTime)> = tasks
        .flatten()
        .filter_map(|task| {
            let path = task.path();
            let name = fs::read_to_string(path.join("comm")).ok()?;
            if !name.starts_with("worker-") {
                return None;
            }
            let schedstat = fs::read_to_string(path.join("schedstat")).ok()?;
            Some((name, CoreTime::parse(&schedstat)?))
        })
        .collect();
    workers.sort();
    workers.into_iter().map(|(_, times)| times).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedstat_is_running_waiting_and_turns() {
        let times = CoreTime::parse("5000000 83000000 42\n").unwrap();
        assert_eq!(times.running, Duration::from_millis(5));
        assert_eq!(times.waiting, Duration::from_millis(83));
        assert_eq!(times.turns, 42);
        assert_eq!(CoreTime::parse("5000000 83000000\n"), None);
    }

    #[test]
    fn threads_that_are_no_workers_are_left_out() {
        // The test's own threads are named after tests.
        assert_eq!(core_times(), []);
    }
}
