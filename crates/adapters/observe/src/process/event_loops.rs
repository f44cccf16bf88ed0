//! Threads that run event loops, and whether they wait for events or for something else.
//!
//! A loop waits for events in one system call. A loop that sleeps anywhere else is stopped by a
//! call that blocks, and everything that is due on it waits too.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_units::Time;
use procfs::process::{FDTarget, Process, Task};

use crate::reading::Reading;

/// How the threads of event loops are called, cut to what the kernel keeps of a name.
const NAMES: &[&str] = &[
    "reactor-http",
    "reactor-tcp",
    "nioEventLoop",
    "epollEventLoop",
    "multiThreadIoE",
    "multithreadEven",
    "vert.x-event",
    "vertx-event",
    "armeria-common",
    "XNIO-1 I/O",
    "ktor-",
    "eventloop",
];
/// Programs whose first thread is their event loop.
const PROGRAMS: &[&str] = &["node", "MainThread"];
/// Programs whose first thread may run a loop: it does if it is seen to wait in epoll, or if an epoll of its
/// process watches a socket that listens. Those that serve one request at a time do neither.
const INTERPRETERS: &[&str] = &[
    "python",
    "uvicorn",
    "hypercorn",
    "gunicorn",
    "daphne",
    "granian",
];
const EPOLL: &[&str] = &["epoll", "ep_poll"];
/// Places in the kernel where a thread waits for events; one whose loop is an epoll waits there for a single answer.
const POLLS: &[&str] = &["epoll", "ep_poll", "poll_schedule", "do_select"];
/// Places of threads that somebody stopped.
const STOPS: &[&str] = &["signal_stop", "ptrace_stop"];
/// Most threads of loops.
const LOOPS_MAX: usize = 256;
/// Most threads of which it is looked up whether they are loops.
const THREADS_MAX: usize = 4_096;
/// Threads that one glance looks at.
const GLANCE_THREADS_MAX: usize = 16;
/// Glances a second: with the waking for it 0.2 ms of a core each, so 0.4 %.
const GLANCES_PER_SECOND: f64 = 20.0;
/// Threads looked at in a second.
const READS_PER_SECOND_MAX: f64 = 160.0;

/// What a loop does at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopState {
    Waits,
    /// It runs, or would if it had a core.
    Works,
    Blocked,
}

/// A thread that runs a loop, or may.
#[derive(Debug, Clone)]
struct LoopThread {
    pid: i32,
    name: String,
    /// It has yet to be seen to wait for events.
    may_be: bool,
    /// The kernel told where it sleeps, so a thread without a place runs.
    has_place: bool,
    /// As the kernel counted at the last look.
    counts: Option<RunCounts>,
}

/// What the scheduler counts for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct RunCounts {
    run_nanos: u64,
    delay_nanos: u64,
}

/// The loops of one kind.
#[derive(Debug, Default)]
struct LoopKind {
    threads: u64,
    counts: RunCounts,
    /// Run since the look before.
    run_nanos: u64,
    has_counts: bool,
    looks: u64,
    /// Since the look before.
    new_looks: u64,
    new_works: u64,
    new_blocked: u64,
}

/// The event loops of a process and all below it.
///
/// Whether a loop is blocked is seen at random moments between the looks, for at each look the loop serves
/// the page that is asked for at the same time. How much it runs and waits for a core, the kernel counts.
#[derive(Debug, Default)]
pub(super) struct EventLoops {
    /// Threads whose loop is known to be an epoll.
    seen: BTreeSet<i32>,
    threads: BTreeMap<i32, LoopThread>,
    kinds: BTreeMap<String, LoopKind>,
    last: Option<Time>,
    /// Where the next glance begins.
    next: usize,
}

impl EventLoops {
    /// Looks anew which threads run loops. A loop that is blocked all the time is never seen to wait for
    /// events, so its process is asked which sockets it watches.
    pub(super) fn refresh(&mut self, members: &[i32], listening: &BTreeSet<u64>) {
        for pid in members {
            let process = Process::new(*pid);
            let stat = process.and_then(|process| process.stat());
            let may_be = stat.is_ok_and(|stat| begins(&stat.comm, INTERPRETERS));
            if may_be && !self.seen.contains(pid) && watches(*pid, listening) {
                self.seen.insert(*pid);
            }
        }
        let processes = members.iter().filter_map(|pid| Process::new(*pid).ok());
        let tasks = processes.filter_map(|process| process.tasks().ok());
        let tasks = tasks.flatten().flatten().take(THREADS_MAX);
        let found = tasks.filter_map(|task| Some((task.tid, self.loop_thread(&task)?)));
        self.threads = found.take(LOOPS_MAX).collect();
    }

    fn loop_thread(&self, task: &Task) -> Option<LoopThread> {
        if let Some(known) = self.threads.get(&task.tid) {
            return Some(known.clone());
        }
        let name = name_of(task)?;
        let is_first = task.pid == task.tid;
        let may_be = is_first && begins(&name, INTERPRETERS);
        let is_main = is_first && PROGRAMS.contains(&name.as_str());
        let is_one = may_be || is_main || begins(&name, NAMES);
        is_one.then_some(LoopThread {
            pid: task.pid,
            name,
            may_be,
            has_place: false,
            counts: None,
        })
    }

    /// The mean time between two glances; `None` without a loop.
    pub(super) fn glance_pause(&self) -> Option<Duration> {
        let threads = self.threads.len().min(GLANCE_THREADS_MAX);
        let reads = super::count(u64::try_from(threads).unwrap_or(u64::MAX));
        let per_second = (READS_PER_SECOND_MAX / reads).min(GLANCES_PER_SECOND);
        (threads > 0).then(|| Duration::from_secs_f64(1.0 / per_second))
    }

    /// Looks at some loops at this moment.
    pub(super) fn glance(&mut self) {
        let all: Vec<i32> = self.threads.keys().copied().collect();
        for step in 0..all.len().min(GLANCE_THREADS_MAX) {
            let thread = all[(self.next + step) % all.len()];
            self.glance_at(thread);
        }
        self.next = (self.next + GLANCE_THREADS_MAX) % all.len().max(1);
    }

    fn glance_at(&mut self, tid: i32) {
        let Some(thread) = self.threads.get_mut(&tid) else {
            return;
        };
        let path = format!("/proc/{}/task/{tid}", thread.pid);
        // A thread that ended is forgotten at the next refresh.
        let Ok(place) = std::fs::read_to_string(format!("{path}/wchan")) else {
            return;
        };
        let place = place.trim();
        if EPOLL.iter().any(|poll| place.contains(poll)) {
            self.seen.insert(tid);
        }
        if thread.may_be && !self.seen.contains(&tid) {
            return;
        }
        let state = match place {
            "" | "0" => runs(&path, thread.has_place).then_some(LoopState::Works),
            place => {
                thread.has_place = true;
                of_place(place, self.seen.contains(&tid))
            }
        };
        let Some(state) = state else { return };
        let kind = self.kinds.entry(thread.name.clone()).or_default();
        kind.looks += 1;
        kind.new_looks += 1;
        kind.new_works += u64::from(state == LoopState::Works);
        kind.new_blocked += u64::from(state == LoopState::Blocked);
    }

    /// Takes what the scheduler counted since the look before.
    fn take_counts(&mut self) {
        for kind in self.kinds.values_mut() {
            (kind.threads, kind.run_nanos) = (0, 0);
        }
        for (tid, thread) in &mut self.threads {
            if thread.may_be && !self.seen.contains(tid) {
                continue;
            }
            let kind = self.kinds.entry(thread.name.clone()).or_default();
            kind.threads += 1;
            let Some(now) = run_counts(thread.pid, *tid) else {
                continue;
            };
            kind.has_counts = true;
            if let Some(before) = thread.counts.replace(now) {
                let run = now.run_nanos.saturating_sub(before.run_nanos);
                kind.run_nanos += run;
                kind.counts.run_nanos += run;
                kind.counts.delay_nanos += now.delay_nanos.saturating_sub(before.delay_nanos);
            }
        }
    }

    /// Tells how much the loops work, and which share is blocked: of each kind of loop, for those that
    /// take requests may be blocked while others wait.
    pub(super) fn give(&mut self, now: Time, reading: &mut Reading) {
        self.take_counts();
        let passed = self.last.replace(now).map(|last| now.since(last));
        for (name, kind) in &mut self.kinds {
            let of = Entity::new().with(Label::Pool, name);
            kind.give(&of, passed, reading);
        }
    }
}

impl LoopKind {
    fn give(&mut self, of: &Entity, passed: Option<Duration>, reading: &mut Reading) {
        let mut add = |kind, value| reading.add(kind, of.clone(), value);
        let looks = super::count(self.new_looks);
        let share = |seen: u64| super::count(seen) / looks;
        add(SignalKind::EventLoopThreads, super::count(self.threads));
        let ran = passed.filter(|passed| self.has_counts && self.threads > 0 && !passed.is_zero());
        let ran = ran.map(|passed| {
            let run = Duration::from_nanos(self.run_nanos).as_secs_f64();
            run / passed.as_secs_f64() / super::count(self.threads)
        });
        if self.has_counts {
            let seconds = |nanos| Duration::from_nanos(nanos).as_secs_f64();
            add(SignalKind::EventLoopCpu, seconds(self.counts.run_nanos));
            add(
                SignalKind::EventLoopRunDelay,
                seconds(self.counts.delay_nanos),
            );
        }
        if self.new_looks > 0 {
            let blocked = share(self.new_blocked);
            let busy = ran.unwrap_or_else(|| share(self.new_works));
            add(SignalKind::EventLoopBlocked, blocked);
            add(SignalKind::EventLoopLooks, super::count(self.looks));
            add(SignalKind::EventLoopUse, (busy + blocked).min(1.0));
        }
        (self.new_looks, self.new_works, self.new_blocked) = (0, 0, 0);
    }
}

fn name_of(task: &Task) -> Option<String> {
    let path = format!("/proc/{}/task/{}/comm", task.pid, task.tid);
    let name = std::fs::read_to_string(path).ok()?;
    Some(name.trim_end().to_owned())
}

/// Whether a thread without a place in the kernel runs or waits for a core. One that just began to sleep
/// or to run has none either.
fn runs(path: &str, has_place: bool) -> bool {
    let stat = std::fs::read_to_string(format!("{path}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    match state {
        Some('R') => true,
        Some('S' | 'D') => has_place,
        _ => false,
    }
}

/// `run delay slices`, in nanoseconds but the last.
fn run_counts(pid: i32, tid: i32) -> Option<RunCounts> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/schedstat")).ok()?;
    let mut numbers = text.split_ascii_whitespace();
    Some(RunCounts {
        run_nanos: numbers.next()?.parse().ok()?,
        delay_nanos: numbers.next()?.parse().ok()?,
    })
}

/// What a thread does that sleeps at this place in the kernel; `None` if somebody stopped it. Clients with a timeout wait
/// for their answer in poll, where a loop that has an epoll never waits for events.
fn of_place(place: &str, has_epoll: bool) -> Option<LoopState> {
    let has = |places: &[&str]| places.iter().any(|one| place.contains(one));
    let waits = if has_epoll { EPOLL } else { POLLS };
    match (has(STOPS), has(waits)) {
        (true, _) => None,
        (_, true) => Some(LoopState::Waits),
        _ => Some(LoopState::Blocked),
    }
}

/// An epoll of the process watches one of these sockets.
fn watches(pid: i32, sockets: &BTreeSet<u64>) -> bool {
    let Ok(files) = Process::new(pid).and_then(|process| process.fd()) else {
        return false;
    };
    let mut polls = Vec::new();
    let mut own = BTreeSet::new();
    for file in files.flatten() {
        match file.target {
            FDTarget::AnonInode(name) if name.contains("eventpoll") => polls.push(file.fd),
            FDTarget::Socket(inode) if sockets.contains(&inode) => {
                own.insert(file.fd);
            }
            _ => {}
        }
    }
    let watched = |poll: i32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/fdinfo/{poll}"));
        text.is_ok_and(|text| watched_in(&text).any(|file| own.contains(&file)))
    };
    !own.is_empty() && polls.into_iter().any(watched)
}

/// The files that an epoll watches: `tfd:        6 events:       19 data: ...`.
fn watched_in(text: &str) -> impl Iterator<Item = i32> {
    text.lines().filter_map(|line| {
        let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
        words.next()?.parse().ok()
    })
}

fn begins(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.starts_with(known))
}

#[cfg(test)]
mod tests;
