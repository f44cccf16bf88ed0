use super::*;

#[test]
fn a_loop_that_sleeps_outside_of_its_poll_is_blocked() {
    assert_eq!(of_place("do_epoll_wait", true), Some(LoopState::Waits));
    assert_eq!(of_place("ep_poll", true), Some(LoopState::Waits));
    assert_eq!(of_place("futex_do_wait", true), Some(LoopState::Blocked));
    assert_eq!(
        of_place("hrtimer_nanosleep", true),
        Some(LoopState::Blocked)
    );
    assert_eq!(
        of_place("poll_schedule_timeout", true),
        Some(LoopState::Blocked),
        "a client that waits for one answer"
    );
    assert_eq!(
        of_place("poll_schedule_timeout", false),
        Some(LoopState::Waits)
    );
    assert_eq!(
        of_place("do_signal_stop", true),
        None,
        "somebody stopped it"
    );
}

#[test]
fn a_loop_is_known_by_the_socket_its_epoll_watches() {
    let text = "pos:\t0\nflags:\t02\nmnt_id:\t15\n\
        tfd:        6 events:       19 data:                6  pos:0 ino:1a2b sdev:8\n\
        tfd:       11 events: 80000019 data:                b  pos:0 ino:1a2c sdev:8\n";
    assert_eq!(watched_in(text).collect::<Vec<_>>(), [6, 11]);
}

/// Whether the loop of this program of Python is told as blocked before, and after, its sockets are known.
fn is_seen_blocked(blocks: &str) -> (bool, bool) {
    let program = format!(
        "import select, socket, time\n\
        server = socket.create_server(('127.0.0.1', 0))\n\
        poll = select.epoll()\n\
        poll.register(server, select.EPOLLIN)\n\
        print('ready', flush=True)\n\
        {blocks}"
    );
    let mut child = std::process::Command::new("python3")
        .args(["-c", &program])
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
    let is_sleeping = || {
        let place = std::fs::read_to_string(format!("/proc/{pid}/wchan")).unwrap_or_default();
        !matches!(place.trim(), "" | "0")
    };
    while !is_sleeping() {
        std::thread::yield_now();
    }
    let is_blocked = |loops: &mut EventLoops| {
        let mut reading = Reading::default();
        loops.glance();
        loops.give(Time::from_nanos(1), &mut reading);
        value(&reading, SignalKind::EventLoopBlocked) > 0.0
    };
    let mut loops = EventLoops::default();
    loops.refresh(&[pid], &BTreeSet::new());
    let before = is_blocked(&mut loops);
    let mut sockets = super::super::sockets::Sockets::default();
    sockets.read_tables(pid, &BTreeSet::new());
    loops.refresh(&[pid], &sockets.listening_numbers());
    let after = is_blocked(&mut loops);
    child.kill().unwrap();
    child.wait().unwrap();
    (before, after)
}

/// Blocked from the first look on, so that it is never seen to wait for events.
#[test]
fn a_loop_of_python_that_is_always_blocked_is_seen() {
    let may_serve_one_at_a_time = (false, true);
    assert_eq!(is_seen_blocked("time.sleep(60)"), may_serve_one_at_a_time);
}

/// Seen: clients with a timeout wait for their answer in poll, and the loop that they stopped was said to wait for events.
#[test]
fn a_loop_that_waits_for_one_answer_is_blocked() {
    let call = "client = socket.create_connection(server.getsockname())\n\
        client.settimeout(60)\n\
        client.recv(1)";
    assert_eq!(is_seen_blocked(call), (false, true));
}

fn value(reading: &Reading, kind: SignalKind) -> f64 {
    let found = reading.values.iter().find(|(known, _, _)| *known == kind);
    found.map_or(f64::NAN, |(_, _, value)| *value)
}

fn kind(threads: u64) -> LoopKind {
    LoopKind {
        threads,
        has_counts: true,
        run_nanos: 70_000_000,
        looks: 50,
        new_looks: 20,
        ..LoopKind::default()
    }
}

/// Seen: "the event loop is blocked, busy 100 %" of loops that used 0.07 of a core, while others used all.
#[test]
fn a_loop_that_waits_for_a_core_is_neither_busy_nor_blocked() {
    let mut waits_for_core = LoopKind {
        new_works: 18,
        counts: RunCounts {
            run_nanos: 70_000_000,
            delay_nanos: 800_000_000,
        },
        ..kind(1)
    };
    let mut reading = Reading::default();
    let second = Some(Duration::from_secs(1));
    waits_for_core.give(&Entity::new(), second, &mut reading);
    let of = |kind| value(&reading, kind);
    assert!((of(SignalKind::EventLoopUse) - 0.07).abs() < 1e-9);
    assert!(of(SignalKind::EventLoopBlocked).abs() < 1e-9);
    assert!((of(SignalKind::EventLoopRunDelay) - 0.8).abs() < 1e-9);
    assert!((of(SignalKind::EventLoopLooks) - 50.0).abs() < 1e-9);
}

#[test]
fn a_share_is_of_the_looks_since_the_last_and_none_without_looks() {
    let mut blocked = LoopKind {
        new_blocked: 5,
        ..kind(1)
    };
    let second = Some(Duration::from_secs(1));
    let mut reading = Reading::default();
    blocked.give(&Entity::new(), second, &mut reading);
    let blocked_share = value(&reading, SignalKind::EventLoopBlocked);
    assert!((blocked_share - 0.25).abs() < 1e-9);
    assert!((value(&reading, SignalKind::EventLoopUse) - 0.32).abs() < 1e-9);
    let mut reading = Reading::default();
    blocked.give(&Entity::new(), second, &mut reading);
    assert!(!reading.has(SignalKind::EventLoopBlocked));
    let mut hidden = LoopKind {
        has_counts: false,
        new_works: 10,
        ..kind(2)
    };
    let mut reading = Reading::default();
    hidden.give(&Entity::new(), second, &mut reading);
    assert!((value(&reading, SignalKind::EventLoopUse) - 0.5).abs() < 1e-9);
}

#[test]
fn glances_get_rarer_with_many_loops() {
    let with = |number: i32| {
        let mut loops = EventLoops::default();
        for tid in 0..number {
            let thread = LoopThread {
                pid: 1,
                name: "reactor-http".to_owned(),
                may_be: false,
                has_place: false,
                counts: None,
            };
            loops.threads.insert(tid, thread);
        }
        loops.glance_pause()
    };
    assert_eq!(with(0), None);
    assert_eq!(with(1), Some(Duration::from_millis(50)));
    assert_eq!(with(200), Some(Duration::from_millis(100)));
}

#[test]
fn names_are_those_the_kernel_keeps() {
    for name in ["reactor-http-ep", "nioEventLoopGro", "vert.x-eventloo"] {
        assert!(begins(name, NAMES), "{name}");
    }
    assert!(!begins("http-nio-8080-e", NAMES));
    assert!(NAMES.iter().all(|name| name.len() <= 15));
}
