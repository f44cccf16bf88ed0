//! What a queue does after commands were lost that somebody may know of.

use super::{Room, policy};
use crate::queue::{Policy, Queue, QueueMode, VisitorState};

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
