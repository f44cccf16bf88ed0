//! How much one command does, and under which version of the rules.

use super::{Room, policy, wid};
use crate::queue::{Command, Policy, QueueMode, Reply, VisitorState};
use std::time::Duration;

fn seconds(s: u64) -> Duration {
    Duration::from_secs(s)
}

/// Gates of the version before do the same with the same entry, so what they wrote stays as
/// it was.
#[test]
fn a_command_is_done_under_the_rules_it_was_written_under() {
    let mut room = Room::new(policy(10.0, 100));
    room.join(1);
    room.pass(seconds(1), &[1]);
    room.claim(1);
    let VisitorState::Inside { seq, lease, .. } = room.stands(1) else {
        panic!("{:?}", room.stands(1));
    };
    let redeem = Command::Redeem {
        wid: wid(1),
        seq,
        lease,
        actor: String::new(),
    };
    room.apply(redeem);
    let mut queue = room.queue.clone();
    let again = queue.apply_under(1, room.at_ms, Command::Claim { wid: wid(1) });
    assert!(matches!(again, Reply::NotReady(_)), "{again:?}");
    let again = queue.apply_under(2, room.at_ms, Command::Claim { wid: wid(1) });
    assert!(matches!(again, Reply::State(_)), "{again:?}");
}

/// A million who joined and never came back stand before one who is there. They are passed
/// over a part at a time, so that other queues and other calls go on.
#[test]
fn many_ghosts_are_passed_over_in_bounded_steps() {
    const GHOST_COUNT: u64 = 50_000;
    let mut room = Room::new(Policy {
        mode: QueueMode::Hold,
        ..policy(100.0, 10)
    });
    for n in 0..GHOST_COUNT {
        room.join(n);
    }
    room.pass(seconds(120), &[]);
    room.join(GHOST_COUNT);
    room.set(policy(100.0, 10));
    let mut steps = 0;
    while room.stands(GHOST_COUNT).name() != "ready" {
        let before = room.queue.totals().passed_over;
        room.at_ms += 50;
        assert_eq!(room.queue.due_in(), Some(Duration::from_millis(50)));
        room.apply(Command::Tick);
        let passed = room.queue.totals().passed_over - before;
        assert!(passed <= 10_000, "{passed}");
        steps += 1;
    }
    assert!((5..=6).contains(&steps), "{steps}");
    // Their kept places end in steps as well.
    let mut ended = 0;
    room.at_ms += 1_900;
    for _ in 0..200 {
        let before = room.queue.passed().2;
        room.at_ms += 1_900;
        room.apply(Command::Tick);
        let now = before - room.queue.passed().2;
        assert!(now <= 10_000, "{now}");
        ended += now;
    }
    assert_eq!(ended, GHOST_COUNT);
}

/// Nobody waits and nobody is inside; the block still ends when it should.
#[test]
fn a_block_ends_in_time_in_a_queue_without_people() {
    let mut room = Room::new(policy(10.0, 10));
    room.apply(Command::Block {
        wid: wid(1),
        length: Some(seconds(60)),
        reason: String::new(),
        actor: "key-1".to_owned(),
    });
    let mut passed = Duration::ZERO;
    while let Some(due) = room.queue.due_in() {
        passed += due;
        room.at_ms += u64::try_from(due.as_millis()).unwrap();
        room.apply(Command::Tick);
    }
    assert_eq!(passed, seconds(60));
    assert_eq!(room.stands(1), VisitorState::Gone);
}
