//! Threads that run event loops, and whether they wait for events or for something else.
//!
//! A loop waits for events in one system call. A loop that sleeps anywhere else is stopped by a
//! call that blocks, and everything that is due on it waits too.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{Entity, Label, SignalKind};
use procfs::process::{FDTarget, ProcState, Process, Task};

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
/// Places in the kernel where a thread waits for events.
const POLLS: &[&str] = &["epoll", "ep_poll", "poll_schedule", "do_select"];
/// Most threads that are looked at.
const THREADS_MAX: usize = 256;

/// What a loop does at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoopState {
    Waits,
    Works,
    Blocked,
}

/// The event loops of a process and all below it.
#[derive(Debug, Default)]
pub(super) struct EventLoops {
    /// First threads of programs that may run a loop, and are known to.
    seen: BTreeSet<i32>,
}

impl EventLoops {
    /// Looks anew which processes wait for connections in an epoll: one that is blocked all the time is
    /// never seen to wait for events.
    pub(super) fn refresh(&mut self, members: &[i32], listening: &BTreeSet<u64>) {
        for pid in members {
            let process = Process::new(*pid);
            let stat = process.and_then(|process| process.stat());
            let may_be = stat.is_ok_and(|stat| begins(&stat.comm, INTERPRETERS));
            if may_be && !self.seen.contains(pid) && watches(*pid, listening) {
                self.seen.insert(*pid);
            }
        }
    }

    /// Tells which share of the loops works, and which is blocked: of each kind of loop, for those that
    /// take requests may be blocked while others wait.
    pub(super) fn give(&mut self, members: &[i32], reading: &mut Reading) {
        let processes = members.iter().filter_map(|pid| Process::new(*pid).ok());
        let tasks = processes.filter_map(|process| process.tasks().ok());
        let states = tasks.flatten().flatten();
        let states = states.filter_map(|task| self.state(&task));
        let mut loops: BTreeMap<String, Vec<LoopState>> = BTreeMap::new();
        for (name, state) in states.take(THREADS_MAX) {
            loops.entry(name).or_default().push(state);
        }
        for (name, states) in loops {
            let of = Entity::new().with(Label::Pool, &name);
            let busy = share(&states, &[LoopState::Works, LoopState::Blocked]);
            reading.add(SignalKind::EventLoopUse, of.clone(), busy);
            let blocked = share(&states, &[LoopState::Blocked]);
            reading.add(SignalKind::EventLoopBlocked, of, blocked);
        }
    }

    /// `None` for a thread that is no event loop, or whose place in the kernel cannot be read.
    fn state(&mut self, task: &Task) -> Option<(String, LoopState)> {
        let stat = task.stat().ok()?;
        let is_first = task.pid == task.tid;
        let may_be = is_first && begins(&stat.comm, INTERPRETERS);
        let is_main = is_first && PROGRAMS.contains(&stat.comm.as_str());
        if !may_be && !is_main && !begins(&stat.comm, NAMES) {
            return None;
        }
        let place = std::fs::read_to_string(format!("/proc/{}/task/{}/wchan", task.pid, task.tid));
        let place = place.ok()?;
        if may_be && EPOLL.iter().any(|poll| place.contains(poll)) {
            self.seen.insert(task.tid);
        }
        if may_be && !self.seen.contains(&task.tid) {
            return None;
        }
        let state = read(stat.state().ok()?, place.trim())?;
        Some((stat.comm, state))
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

fn share(states: &[LoopState], wanted: &[LoopState]) -> f64 {
    let count = states.iter().filter(|state| wanted.contains(state)).count();
    let number = |count: usize| super::count(u64::try_from(count).unwrap_or(u64::MAX));
    number(count) / number(states.len()).max(1.0)
}

fn begins(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.starts_with(known))
}

fn read(state: ProcState, place: &str) -> Option<LoopState> {
    match state {
        ProcState::Running => Some(LoopState::Works),
        ProcState::Sleeping | ProcState::Waiting => {
            // The kernel says `0` of a thread that runs, or of all when it keeps this to itself.
            let is_known = !matches!(place, "" | "0");
            let polls = POLLS.iter().any(|poll| place.contains(poll));
            is_known.then_some(if polls {
                LoopState::Waits
            } else {
                LoopState::Blocked
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_sleeps_outside_of_its_poll_is_blocked() {
        let sleeps = |place| read(ProcState::Sleeping, place);
        assert_eq!(sleeps("do_epoll_wait"), Some(LoopState::Waits));
        assert_eq!(sleeps("ep_poll"), Some(LoopState::Waits));
        assert_eq!(sleeps("futex_do_wait"), Some(LoopState::Blocked));
        assert_eq!(sleeps("hrtimer_nanosleep"), Some(LoopState::Blocked));
        assert_eq!(sleeps("0"), None, "the kernel does not say");
        assert_eq!(read(ProcState::Running, "0"), Some(LoopState::Works));
    }

    #[test]
    fn a_loop_is_known_by_the_socket_its_epoll_watches() {
        let text = "pos:\t0\nflags:\t02\nmnt_id:\t15\n\
            tfd:        6 events:       19 data:                6  pos:0 ino:1a2b sdev:8\n\
            tfd:       11 events: 80000019 data:                b  pos:0 ino:1a2c sdev:8\n";
        assert_eq!(watched_in(text).collect::<Vec<_>>(), [6, 11]);
    }

    /// Blocked from the first look on, so that it is never seen to wait for events.
    #[test]
    fn a_loop_of_python_that_is_always_blocked_is_seen() {
        let program = "import select, socket, time\n\
            server = socket.create_server(('127.0.0.1', 0))\n\
            poll = select.epoll()\n\
            poll.register(server, select.EPOLLIN)\n\
            print('ready', flush=True)\n\
            time.sleep(60)";
        let mut child = std::process::Command::new("python3")
            .args(["-c", program])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(
            &mut std::io::BufReader::new(child.stdout.take().unwrap()),
            &mut line,
        )
        .unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let is_blocked = |loops: &mut EventLoops| {
            let mut reading = Reading::default();
            loops.give(&[pid], &mut reading);
            reading.has(SignalKind::EventLoopBlocked)
        };
        let mut loops = EventLoops::default();
        assert!(
            !is_blocked(&mut loops),
            "it may serve one request at a time"
        );
        loops.refresh(&[pid], &super::super::sockets::listening_numbers(pid));
        let found = is_blocked(&mut loops);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found);
    }

    #[test]
    fn a_share_is_of_the_loops_of_one_kind() {
        let states = [LoopState::Blocked, LoopState::Waits, LoopState::Works];
        let blocked = share(&states, &[LoopState::Blocked]);
        assert!((blocked - 1.0 / 3.0).abs() < 1e-9);
        let busy = share(&states, &[LoopState::Works, LoopState::Blocked]);
        assert!((busy - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn names_are_those_the_kernel_keeps() {
        for name in ["reactor-http-ep", "nioEventLoopGro", "vert.x-eventloo"] {
            assert!(begins(name, NAMES), "{name}");
        }
        assert!(!begins("http-nio-8080-e", NAMES));
        assert!(NAMES.iter().all(|name| name.len() <= 15));
    }
}
