//! Who writes a run, and whether that process is still there.
//!
//! A process is known by its machine's boot, its PID namespace, its PID and when it
//! started, so a number that was given to another process later is not mistaken for it.
//! A run of another machine or container counts as going on while it was heard of within
//! [`PATIENCE`].

use std::fs;

use serde::{Deserialize, Serialize};

/// How long a run of another machine may be silent before it counts as interrupted, ms.
pub(crate) const PATIENCE_MS: i64 = 60_000;

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

    /// Whether it is gone for certain (`Some(true)`), there for certain, or unknown, being
    /// elsewhere.
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

/// When a process started, in ticks since boot; `None` when there is none.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; what follows it is numbers.
    let rest = &stat[stat.rfind(')')? + 1..];
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?.parse().ok()?;
    // A zombie writes no more.
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
