//! Identifies the process that writes a run, and tells whether it still exists.
//!
//! A process is identified by the machine's boot id, its PID namespace, its PID and its start
//! time, so another process that reuses the PID is not mistaken for it. A run of another machine
//! or container counts as running while its last sign of life is no older than [`HEARTBEAT_TIMEOUT_MS`].

use std::fs;

use serde::{Deserialize, Serialize};

/// A run of another machine that was silent for longer than this counts as interrupted.
pub(crate) const HEARTBEAT_TIMEOUT_MS: i64 = 60_000;

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    boot: String,
    namespace: String,
    pid: u32,
    started: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn current() -> Self {
        let pid = std::process::id();
        Self {
            boot: boot(),
            namespace: namespace(),
            pid,
            started: started(pid).unwrap_or(0),
        }
    }

    /// `Some(true)` if it is certainly gone, `Some(false)` if it certainly exists, `None` if it
    /// ran on another machine or in another container.
    pub(crate) fn is_gone(&self) -> Option<bool> {
        if self.boot != boot() || self.boot.is_empty() || self.namespace != namespace() {
            return None;
        }
        Some(started(self.pid) != Some(self.started))
    }
}

fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map(|id| id.trim().to_owned()).unwrap_or_default()
}

fn namespace() -> String {
    let link = fs::read_link("/proc/self/ns/pid");
    link.map(|link| link.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// When a process started, in ticks since boot; `None` when it does not exist.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold any character; numbers follow it.
    let rest = &stat[stat.rfind(')')? + 1..];
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?.parse().ok()?;
    // A zombie process writes nothing.
    (state != "Z" && state != "X").then_some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_there_and_one_with_another_start_is_gone() {
        let own = Owner::current();
        assert_eq!(own.is_gone(), Some(false));
        let before = Owner {
            started: own.started + 1,
            ..own.clone()
        };
        assert_eq!(before.is_gone(), Some(true));
        let elsewhere = Owner {
            boot: "another".to_owned(),
            ..own
        };
        assert_eq!(elsewhere.is_gone(), None);
    }
}
