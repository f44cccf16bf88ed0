//! A process of this machine and all below it, as the kernel counts them.
//!
//! Needs no preparation of the target. A database's processes give its CPU time; of any other
//! process CPU, memory, threads, sockets, and what its control group allows and takes. What the
//! machine as a whole does comes with it.

mod command_line;
mod event_loops;
mod host;
mod jvm;
mod members;
mod open_files;
mod sockets;
mod threads;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError};
use loadline_units::Clock;
use procfs::ProcError;
use procfs::process::{Process, Stat};

use crate::cgroup::ControlGroup;
use crate::reading::Reading;
use crate::source::Source;
use crate::target_connections::TargetConnections;
use event_loops::EventLoops;
use jvm::JavaMachine;
use members::members;
use sockets::Sockets;
use threads::ThreadSums;

/// Every so many looks processes, their sockets and their limits are looked for anew.
const REFRESH_INTERVAL_LOOKS: u64 = 5;

/// So many sockets are looked for anew at each look: some microseconds each.
const FRESH_SOCKETS_MAX: usize = 500;

/// What a process is to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Service,
    Database,
    Redis,
}

impl Role {
    fn from_command(command: &str) -> Self {
        match command {
            "postgres" | "mysqld" | "mariadbd" => Self::Database,
            "redis-server" | "valkey-server" => Self::Redis,
            _ => Self::Service,
        }
    }
}

/// A process and all below it.
pub(crate) struct ProcessSource {
    port: Option<u16>,
    root: Root,
    members: Vec<i32>,
    cgroup: ControlGroup,
    sockets: Sockets,
    threads: ThreadSums,
    loops: EventLoops,
    jvm: JavaMachine,
    limits: ProcessLimits,
    looks: u64,
    shared: ProcessShared,
}

/// What a process is looked at with.
#[derive(Clone)]
pub(crate) struct ProcessShared {
    pub(crate) clock: MonotonicClock,
    pub(crate) target: Arc<TargetConnections>,
}

/// What the process may use; looked for every few looks.
#[derive(Debug, Clone, Copy)]
struct ProcessLimits {
    cores: f64,
    memory: Option<u64>,
}

impl ProcessLimits {
    fn read(pid: i32, group: &ControlGroup) -> Self {
        let limit = group.memory_limit();
        let is_limit = |limit: &u64| host::memory().is_none_or(|all| *limit < all);
        Self {
            cores: cores(pid, group),
            memory: limit.filter(is_limit),
        }
    }
}

/// The process at the top. Its start tells it from a later one of the same number.
#[derive(Debug, Clone, Copy)]
struct Root {
    pid: i32,
    started: u64,
    role: Role,
}

impl Root {
    fn find(pid: i32) -> Result<Self, SourceError> {
        let stat = stat_of(pid).map_err(error_of)?;
        Ok(Self {
            pid,
            started: stat.starttime,
            role: Role::from_command(&stat.comm),
        })
    }
}

impl ProcessSource {
    pub(crate) fn of_process(pid: u32, shared: ProcessShared) -> Result<Self, SourceError> {
        let pid = i32::try_from(pid).map_err(|_| SourceError::NoProcess)?;
        Ok(Self::new(Root::find(pid)?, None, shared))
    }

    pub(crate) fn of_port(port: u16, shared: ProcessShared) -> Result<Self, SourceError> {
        let root = Root::find(sockets::listener(port)?)?;
        Ok(Self::new(root, Some(port), shared))
    }

    fn new(root: Root, port: Option<u16>, shared: ProcessShared) -> Self {
        let cgroup = ControlGroup::of_process(root.pid.unsigned_abs());
        Self {
            port,
            root,
            members: Vec::new(),
            limits: ProcessLimits::read(root.pid, &cgroup),
            cgroup,
            sockets: Sockets::default(),
            threads: ThreadSums::default(),
            loops: EventLoops::default(),
            jvm: JavaMachine::default(),
            looks: 0,
            shared,
        }
    }

    /// The process at the top; the one that listens on the port now, if the one before is gone.
    fn root(&mut self) -> Result<Root, SourceError> {
        let now = Root::find(self.root.pid);
        let is_same = now
            .as_ref()
            .is_ok_and(|now| now.started == self.root.started);
        if is_same {
            return Ok(self.root);
        }
        match self.port {
            Some(port) => {
                *self = Self::of_port(port, self.shared.clone())?;
                Ok(self.root)
            }
            None => Err(SourceError::NoProcess),
        }
    }

    /// What all members' `stat` files say; processes may end at any time.
    fn stats(&self) -> Vec<Stat> {
        let stats = self.members.iter().filter_map(|pid| stat_of(*pid).ok());
        stats.collect()
    }

    fn of_service(&mut self, stats: &[Stat], reading: &mut Reading) {
        let mut add = |kind, value| reading.add(kind, Entity::new(), value);
        add(SignalKind::ProcessCpu, cpu_seconds(stats));
        let pages: u64 = stats.iter().map(|stat| stat.rss).sum();
        add(SignalKind::MemoryUsed, bytes(pages * procfs::page_size()));
        let threads: i64 = stats.iter().map(|stat| stat.num_threads).sum();
        add(SignalKind::Threads, count(threads.unsigned_abs()));
        add(SignalKind::Processes, count(stats.len() as u64));
        add(SignalKind::CoresAvailable, self.limits.cores);
        if let Some(limit) = self.limits.memory {
            add(SignalKind::MemoryLimit, bytes(limit));
        }
        if let Some(started) = stats.iter().map(|stat| stat.starttime).min()
            && let Some(uptime) = host::uptime()
        {
            let started = count(started) / count(procfs::ticks_per_second());
            add(SignalKind::Uptime, (uptime - started).max(0.0));
        }
        let throttling = self.cgroup.throttling();
        if throttling.periods > 0 {
            add(SignalKind::QuotaPeriods, count(throttling.periods));
            add(SignalKind::ThrottledPeriods, count(throttling.throttled));
            add(SignalKind::ThrottledTime, throttling.time.as_secs_f64());
        }
        self.threads.take(&self.members);
        self.threads.give(reading);
        self.loops.give(self.shared.clock.now(), reading);
        self.sockets.give(reading);
        open_files::give(&self.members, reading);
        self.jvm.give(self.limits.cores, reading);
    }
}

impl Source for ProcessSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let root = self.root()?;
        let is_refreshed = self.looks.is_multiple_of(REFRESH_INTERVAL_LOOKS);
        let wanted = self.shared.target.wanted();
        if is_refreshed || root.role == Role::Service {
            self.sockets.read_tables(root.pid, &wanted);
        }
        if is_refreshed {
            self.members = members(root.pid);
            self.cgroup = ControlGroup::of_process(root.pid.unsigned_abs());
            self.limits = ProcessLimits::read(root.pid, &self.cgroup);
            self.sockets.refresh(&self.members);
            self.loops
                .refresh(&self.members, &self.sockets.listening_numbers());
            self.jvm.refresh(&self.members);
        }
        if root.role == Role::Service && !wanted.is_empty() {
            if !is_refreshed && self.sockets.len() <= FRESH_SOCKETS_MAX {
                self.sockets.refresh(&self.members);
            }
            let own = self.sockets.connections();
            self.shared.target.set(root.pid, own);
        }
        self.looks += 1;
        let stats = self.stats();
        match root.role {
            Role::Service => {
                command_line::give(root.pid, reading);
                self.of_service(&stats, reading);
            }
            Role::Database => {
                let mut add = |kind, value| reading.add(kind, Entity::new(), value);
                add(SignalKind::DatabaseCpu, cpu_seconds(&stats));
                add(SignalKind::DatabaseCores, self.limits.cores);
            }
            Role::Redis => {
                let mut add = |kind, value| reading.add(kind, Entity::new(), value);
                add(SignalKind::RedisCpu, cpu_seconds(&stats));
                if let Some(seconds) = threads::main_thread_cpu(root.pid) {
                    add(SignalKind::RedisMainThreadCpu, seconds);
                }
            }
        }
        host::read(reading);
        self.sockets.give_network(reading);
        Ok(())
    }

    fn glance_pause(&self) -> Option<Duration> {
        self.loops.glance_pause()
    }

    fn glance(&mut self) {
        self.loops.glance();
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        Vec::new()
    }

    fn places(&self) -> BTreeSet<String> {
        let places: BTreeSet<String> = self
            .sockets
            .places()
            .map(|(address, port)| format!("{address}:{port}"))
            .collect();
        // What may not be looked into still listens where it was found.
        match (places.is_empty(), self.port) {
            (true, Some(port)) => BTreeSet::from([format!("127.0.0.1:{port}")]),
            _ => places,
        }
    }
}

fn stat_of(pid: i32) -> Result<Stat, ProcError> {
    Process::new(pid)?.stat()
}

/// CPUs that the process may use: those its threads may run on, cut by the quota.
fn cores(pid: i32, group: &ControlGroup) -> f64 {
    let allowed = Process::new(pid).and_then(|process| process.status());
    let allowed = allowed.ok().and_then(|status| {
        let words = status.cpus_allowed?;
        Some(words.iter().map(|word| word.count_ones()).sum::<u32>())
    });
    let online = host::cores();
    let allowed = allowed.map_or(online, |allowed| f64::from(allowed).min(online));
    group.cores().map_or(allowed, |quota| quota.min(allowed))
}

/// CPU time of processes and of those that ended below them.
fn cpu_seconds(stats: &[Stat]) -> f64 {
    let ticks = stats.iter().map(|stat| {
        let ended = stat.cutime.max(0) + stat.cstime.max(0);
        stat.utime + stat.stime + ended.unsigned_abs()
    });
    count(ticks.sum()) / count(procfs::ticks_per_second())
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn count(number: u64) -> f64 {
    number as f64
}

fn bytes(number: u64) -> f64 {
    count(number)
}

fn error_of(error: ProcError) -> SourceError {
    match error {
        ProcError::PermissionDenied(_) => SourceError::NoPermission,
        ProcError::NotFound(_) => SourceError::NoProcess,
        other => SourceError::Other(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
