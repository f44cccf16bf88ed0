//! What a queue does after commands were lost that somebody may know of.

use super::{Room, policy, wid};
use crate::queue::{Command, Policy, Queue, QueueMode, QueueSnapshot, Reply, VisitorState};

/// A queue that lets nobody in, with three waiting, after a loss.
fn after_a_loss() -> Room {
    let mut room = Room::new(Policy {
        mode: QueueMode::Hold,
        ..policy(10.0, 100)
    });
    for n in 0..3 {
        room.join(n);
    }
    room.queue.after_loss();
    room
}

#[test]
fn no_number_is_given_that_may_have_been_given() {
    let mut room = after_a_loss();
    room.join(3);
    let expected = VisitorState::Waiting {
        seq: 10_004,
        ahead: 3,
    };
    assert_eq!(room.stands(3), expected, "and nobody more is ahead");
    room.queue = Queue::thaw(room.queue.freeze());
    assert_eq!(room.stands(3), expected);
    room.join(4);
    assert_eq!(room.seq(4), Some(10_005));
}

#[test]
fn a_ticket_that_the_store_lost_gets_its_old_place_back() {
    let mut room = after_a_loss();
    room.join(3);
    let restore = |room: &mut Room, n, seq| room.apply(Command::Restore { wid: wid(n), seq });
    let fifth = VisitorState::Waiting { seq: 5, ahead: 3 };
    assert_eq!(restore(&mut room, 8, 5), Reply::State(fifth.clone()));
    assert_eq!(restore(&mut room, 8, 5), Reply::State(fifth), "once");
    let fourth = VisitorState::Waiting { seq: 4, ahead: 3 };
    assert_eq!(restore(&mut room, 7, 4), Reply::State(fourth));
    let behind = VisitorState::Waiting {
        seq: 10_004,
        ahead: 5,
    };
    assert_eq!(room.stands(3), behind);
    assert!(room.queue.is_in_one_place());
    // Who shows the same number under another name, or one that was never lost, gets nothing.
    assert_eq!(restore(&mut room, 9, 5), Reply::State(VisitorState::Gone));
    assert_eq!(restore(&mut room, 9, 2), Reply::State(VisitorState::Gone));
    room.queue = Queue::thaw(room.queue.freeze());
    assert_eq!(restore(&mut room, 9, 5), Reply::State(VisitorState::Gone));
}

#[test]
fn a_lost_ticket_whose_number_was_passed_is_the_next() {
    let mut room = after_a_loss();
    room.join(3);
    room.admit(4, 1);
    room.apply(Command::Restore {
        wid: wid(7),
        seq: 4,
    });
    assert_eq!(room.stands(7), VisitorState::Waiting { seq: 4, ahead: 0 });
}

/// Two gates and their store are set back together: nobody knows but the holders of tickets.
#[test]
fn a_ticket_from_beyond_the_last_number_shows_that_the_store_is_an_old_copy() {
    let mut room = after_a_loss();
    room.queue = Queue::thaw(Queue::new(room.queue.policy().0.clone()).freeze());
    room.apply(Command::Restore {
        wid: wid(7),
        seq: 31,
    });
    assert_eq!(room.seq(7), Some(31));
    room.join(1);
    assert_eq!(room.seq(1), Some(10_032));
    assert_eq!(room.stands(1).seq(), Some(10_032));
}

#[test]
fn a_snapshot_from_before_numbers_could_be_lost_is_read() {
    let room = after_a_loss();
    let frozen = Queue::new(room.queue.policy().0.clone()).freeze();
    let mut bytes = postcard::to_allocvec(&frozen).unwrap();
    // No replays, no ranges and no numbers: three empty lists at the end.
    assert_eq!(bytes.split_off(bytes.len() - 1), [0]);
    assert_eq!(QueueSnapshot::read(&bytes).unwrap(), frozen);
    assert_eq!(bytes.split_off(bytes.len() - 2), [0, 0]);
    assert_eq!(QueueSnapshot::read(&bytes).unwrap(), frozen);
}
