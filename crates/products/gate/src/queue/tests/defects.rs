//! One test for each defect found in the waiting rooms before this one, under its number.
//! C5, C6, C7 and C13 are about streams, connections and tokens: `crate::http`, `crate::tokens`.

use super::{Room, policy, wid};
use crate::queue::people::Redemption;
use crate::queue::{AdmissionRate, IdempotencyKey, PolicyError};
use crate::queue::{
    AdmitTarget, AuditAction, Command, Event, Policy, QueueMode, Reply, VisitorState,
};
use std::time::Duration;

fn seconds(s: u64) -> Duration {
    Duration::from_secs(s)
}

/// A queue that lets nobody in, with ten waiting.
fn ten_waiting() -> Room {
    let mut room = Room::new(Policy {
        mode: QueueMode::Hold,
        ..policy(10.0, 100)
    });
    for n in 0..10 {
        room.join(n);
    }
    room
}

#[test]
fn c01_joining_again_keeps_the_place() {
    let mut room = ten_waiting();
    let before = room.stands(3);
    for _ in 0..20 {
        assert_eq!(room.join(3), Reply::State(before.clone()));
    }
    assert_eq!(before, VisitorState::Waiting { seq: 4, ahead: 3 });
}

#[test]
fn c02_a_queue_that_nobody_new_joins_stays() {
    let mut room = ten_waiting();
    let all: Vec<u64> = (0..10).collect();
    room.pass(seconds(30 * 60), &all);
    for n in 0..10 {
        assert_eq!(
            room.stands(n),
            VisitorState::Waiting {
                seq: n + 1,
                ahead: n
            }
        );
    }
}

#[test]
fn c03_who_holds_nothing_is_told_so_and_not_that_he_is_first() {
    let mut room = ten_waiting();
    assert_eq!(room.stands(99), VisitorState::Gone);
    room.apply(Command::Leave { wid: wid(5) });
    assert_eq!(room.stands(5), VisitorState::Gone);
}

#[test]
fn c04_who_is_let_in_is_ready_in_the_same_step() {
    let mut room = ten_waiting();
    room.queue.take_events();
    room.set(policy(10.0, 100));
    room.pass(seconds(2), &[]);
    let told: Vec<Event> = room.queue.take_events();
    for n in 0..10 {
        assert!(told.contains(&Event::Ready(wid(n))), "{n}");
        assert!(matches!(room.stands(n), VisitorState::Ready { .. }), "{n}");
    }
}

#[test]
fn c05_who_was_not_listening_when_let_in_is_still_ready_until_the_lease_ends() {
    let mut room = ten_waiting();
    room.set(policy(10.0, 100));
    room.pass(seconds(2), &[]);
    room.queue.take_events(); // nobody heard them
    room.pass(seconds(80), &[]);
    assert!(matches!(
        room.claim(0),
        Reply::State(VisitorState::Inside { .. })
    ));
}

/// What is told is a state, never a difference: hearing it twice or not at all changes nothing.
#[test]
fn c08_a_command_heard_twice_does_nothing_the_second_time() {
    let mut room = ten_waiting();
    room.apply(Command::Leave { wid: wid(2) });
    let once = room.stands(9);
    room.apply(Command::Leave { wid: wid(2) });
    assert_eq!(room.stands(9), once);
    assert_eq!(once, VisitorState::Waiting { seq: 10, ahead: 8 });
}

#[test]
fn c09_rules_that_cannot_be_meant_are_refused_before_anybody_is_let_in() {
    let unlimited = Policy {
        rate: None,
        cap: None,
        ..Policy::default()
    };
    assert_eq!(unlimited.check(), Err(PolicyError::Unlimited));
    let never = Policy {
        claim_within: Duration::ZERO,
        ..Policy::default()
    };
    assert!(
        never
            .check()
            .unwrap_err()
            .to_string()
            .starts_with("claim_within_s is 0 s")
    );
    assert_eq!(AdmissionRate::per_second(f64::NAN), None);
}

/// Neither the time a gate believes it is nor the id of a person decides the order.
#[test]
fn c10_a_clock_that_jumps_changes_no_order() {
    let mut room = Room::new(Policy {
        mode: QueueMode::Hold,
        ..policy(10.0, 100)
    });
    room.join(900);
    room.at_ms -= 300_000;
    room.join(1);
    room.at_ms += 600_000;
    room.join(500);
    assert_eq!(
        [900, 1, 500].map(|n| room.seq(n)),
        [Some(1), Some(2), Some(3)]
    );
}

#[test]
fn c11_nobody_who_went_away_is_let_in_and_who_comes_back_keeps_the_number() {
    let mut room = ten_waiting();
    let there = [0, 1, 2, 5, 6, 7, 8, 9]; // 3 and 4 closed the page
    room.pass(seconds(100), &there);
    room.set(policy(1_000.0, 4));
    room.see(&there);
    room.pass(seconds(1), &there);
    let ready: Vec<u64> = (0..10)
        .filter(|n| matches!(room.stands(*n), VisitorState::Ready { .. }))
        .collect();
    assert_eq!(ready, [0, 1, 2, 5], "turns go to those who are there");
    assert!(matches!(room.stands(3), VisitorState::Away { seq: 4, .. }));

    room.see(&[3]);
    assert_eq!(room.stands(3), VisitorState::Waiting { seq: 4, ahead: 0 });
    room.apply(Command::Leave { wid: wid(0) });
    assert!(
        matches!(room.stands(3), VisitorState::Ready { seq: 4, .. }),
        "before 6, who is behind"
    );
    room.pass(seconds(301), &[]);
    assert_eq!(room.stands(4), VisitorState::Gone, "the grace is over");
}

/// Guards against waiters passed over because a gate died with the signs of life it had heard.
#[test]
fn c11_nobody_is_passed_over_for_signs_of_life_that_a_dead_gate_kept() {
    let mut room = Room::new(Policy {
        away_after: seconds(10),
        ..policy(1.0, 1)
    });
    for n in 0..4 {
        room.join(n);
    }
    room.apply(Command::Leave { wid: wid(1) });
    room.apply(Command::Away { wid: wid(2) });
    // A gate dies every second, before it tells who was seen.
    for _ in 0..20 {
        room.pass(seconds(1), &[]);
        room.apply(Command::GateStarted);
    }
    room.claim(0);
    room.apply(Command::Complete { wids: vec![wid(0)] });
    room.pass(seconds(1), &[]);

    assert!(matches!(room.stands(3), VisitorState::Ready { seq: 4, .. }));
    assert!(
        matches!(room.stands(2), VisitorState::Away { .. }),
        "he said so"
    );
    assert_eq!(room.stands(1), VisitorState::Gone);
}

#[test]
fn c11_a_turn_not_taken_is_given_back_and_can_be_had_once_more() {
    let mut room = Room::new(policy(10.0, 1));
    assert!(matches!(
        room.join(1),
        Reply::Joined(VisitorState::Waiting { .. })
    ));
    room.join(2);
    room.pass(seconds(1), &[1, 2]);
    assert!(matches!(room.stands(1), VisitorState::Ready { .. }));
    room.pass(seconds(91), &[2]);
    assert_eq!(room.stands(1), VisitorState::Gone);
    assert!(
        matches!(room.stands(2), VisitorState::Ready { .. }),
        "the place went on"
    );

    assert_eq!(
        room.join(1),
        Reply::State(VisitorState::Waiting { seq: 1, ahead: 0 })
    );
    room.apply(Command::Leave { wid: wid(2) });
    assert!(matches!(room.stands(1), VisitorState::Ready { seq: 1, .. }));
    room.pass(seconds(91), &[]);
    assert!(
        matches!(room.join(1), Reply::Joined(_)),
        "the second time a new ticket"
    );
    assert_eq!(room.seq(1), Some(3));
}

#[test]
fn c12_a_rate_alone_never_fills_the_service_beyond_its_cap() {
    let mut room = Room::new(policy(100.0, 25));
    for n in 0..1_000 {
        room.join(n);
    }
    let all: Vec<u64> = (0..1_000).collect();
    for _ in 0..60 {
        room.pass(seconds(1), &all);
        let (ready, inside, _) = room.queue.passed();
        assert!(ready + inside <= 25);
        (0..1_000).for_each(|n| {
            room.claim(n);
        });
    }
    assert_eq!(room.queue.passed(), (0, 25, 0));
    room.apply(Command::Complete {
        wids: (0..5).map(wid).collect(),
    });
    assert_eq!(
        room.queue.passed(),
        (5, 20, 0),
        "a place that is free is given at once"
    );
}

#[test]
fn c12_a_session_ends_without_a_sign_and_at_its_longest() {
    let mut room = Room::new(policy(10.0, 1));
    room.pass(seconds(1), &[]);
    room.at_ms += 1_000;
    room.join(1);
    room.at_ms += 1_000;
    room.join(2);
    room.claim(1);
    room.pass(seconds(3_590), &[1, 2]);
    assert!(
        matches!(room.stands(1), VisitorState::Inside { .. }),
        "seen all the while"
    );
    room.pass(seconds(15), &[1, 2]);
    assert_eq!(room.stands(1), VisitorState::Gone);
    room.claim(2);
    room.pass(seconds(301), &[]);
    assert_eq!(
        room.stands(2),
        VisitorState::Gone,
        "no sign for five minutes"
    );
}

#[test]
fn c14_letting_in_by_hand_again_with_the_same_key_lets_nobody_else_in() {
    let mut room = ten_waiting();
    assert_eq!(room.admit(3, 1), Reply::Count(3));
    assert_eq!(room.admit(3, 1), Reply::Count(3));
    assert_eq!(room.queue.passed(), (3, 0, 0));
    assert_eq!(room.admit(3, 2), Reply::Count(3));
    assert_eq!(room.queue.passed(), (6, 0, 0));
}

#[test]
fn c15_certain_people_are_blocked_let_in_and_allowed_past() {
    let mut room = ten_waiting();
    let actor = || "key-1".to_owned();
    let reason = "bought all tickets".to_owned();
    room.apply(Command::Block {
        wid: wid(1),
        length: Some(seconds(60)),
        reason: reason.clone(),
        actor: actor(),
    });
    assert_eq!(room.join(1), Reply::State(VisitorState::Blocked { reason }));
    assert_eq!(room.stands(9), VisitorState::Waiting { seq: 10, ahead: 8 });
    room.pass(seconds(61), &[]);
    assert!(matches!(
        room.join(1),
        Reply::Joined(VisitorState::Waiting { seq: 11, .. })
    ));

    let these = AdmitTarget::These(vec![wid(7), wid(77)]);
    let by_hand = Command::Admit {
        target: these,
        force: false,
        once: IdempotencyKey([1; 16]),
        actor: actor(),
    };
    assert_eq!(room.apply(by_hand), Reply::Count(1));
    assert!(matches!(room.stands(7), VisitorState::Ready { .. }));

    room.apply(Command::Bypass {
        wid: wid(50),
        length: None,
        actor: actor(),
    });
    assert!(matches!(
        room.join(50),
        Reply::Joined(VisitorState::Ready { .. })
    ));
    let records: Vec<&AuditAction> = room.queue.audit().map(|audited| &audited.action).collect();
    assert!(matches!(
        records[..],
        [
            AuditAction::Bypass { .. },
            AuditAction::AdmittedPeople { .. },
            AuditAction::Blocked { .. }
        ]
    ));
}

#[test]
fn a_code_is_good_once_and_for_its_own_admission_only() {
    let mut room = Room::new(policy(10.0, 5));
    room.join(1);
    room.pass(seconds(1), &[1]);
    let Reply::State(VisitorState::Inside {
        seq,
        lease,
        code_left: Some(_),
        ..
    }) = room.claim(1)
    else {
        panic!("not let in: {:?}", room.stands(1));
    };
    let again = room.claim(1);
    assert!(
        matches!(again, Reply::State(VisitorState::Inside { lease: same, .. }) if same == lease)
    );
    let redeem = |room: &mut Room, seq, lease| {
        room.apply(Command::Redeem {
            wid: wid(1),
            seq,
            lease,
            actor: "key-1".to_owned(),
        })
    };
    assert_eq!(redeem(&mut room, seq, lease + 1), Reply::CodeOver);
    assert!(matches!(
        redeem(&mut room, seq, lease),
        Reply::Redeemed { .. }
    ));
    assert_eq!(redeem(&mut room, seq, lease), Reply::AlreadyRedeemed);
    room.pass(seconds(61), &[1]);
    assert!(matches!(
        room.claim(1),
        Reply::NotReady(VisitorState::Inside {
            code_left: None,
            ..
        })
    ));
}

/// The answer with the code was lost, or the browser slept over its end: the visitor is
/// inside, and gets another code until one was exchanged.
#[test]
fn a_code_that_was_never_exchanged_is_renewed() {
    let mut room = Room::new(policy(10.0, 5));
    room.join(1);
    room.pass(seconds(1), &[1]);
    room.claim(1);
    room.pass(seconds(61), &[]);
    assert!(matches!(
        room.stands(1),
        VisitorState::Inside {
            code_left: None,
            ..
        }
    ));
    let Reply::State(VisitorState::Inside {
        seq,
        lease,
        code_left: Some(left),
        ..
    }) = room.claim(1)
    else {
        panic!("locked out: {:?}", room.stands(1));
    };
    assert_eq!(left, Duration::from_secs(60));
    let redeem = |room: &mut Room, key| {
        room.apply(Command::RedeemOnce {
            wid: wid(1),
            seq,
            lease,
            once: IdempotencyKey::from_parts(&[key]),
            actor: "enter".to_owned(),
        })
    };
    for _ in 0..2 {
        let redeemed = redeem(&mut room, "one browser");
        assert!(matches!(redeemed, Reply::Redeemed { .. }), "{redeemed:?}");
    }
    assert_eq!(redeem(&mut room, "another"), Reply::AlreadyRedeemed);
    room.pass(seconds(61), &[1]);
    assert!(matches!(room.claim(1), Reply::NotReady(_)));
    let again = room.apply(Command::ClaimAgain { wid: wid(1) });
    assert!(
        matches!(again, Reply::State(VisitorState::Inside { lease: next, .. }) if next == lease + 1)
    );
}

/// A snapshot of a queue from before codes were redeemed by key.
#[test]
fn a_redemption_reads_what_was_a_boolean() {
    let read = |was: bool| {
        let bytes = postcard::to_allocvec(&was).unwrap();
        postcard::from_bytes::<Redemption>(&bytes).unwrap()
    };
    assert_eq!(
        (read(false), read(true)),
        (Redemption::No, Redemption::Once)
    );
}

#[test]
fn each_mode_does_what_it_says() {
    let mut room = ten_waiting();
    let mode = |room: &mut Room, mode| {
        room.set(Policy {
            mode,
            ..policy(1_000.0, 2)
        })
    };
    room.pass(seconds(5), &[]);
    assert_eq!(room.queue.passed(), (0, 0, 0), "hold");

    mode(&mut room, QueueMode::Closed);
    room.pass(seconds(5), &[]);
    assert_eq!(
        (room.join(20), room.queue.passed()),
        (Reply::NoNewTickets, (0, 0, 0))
    );
    assert!(matches!(
        room.join(3),
        Reply::State(VisitorState::Waiting { .. })
    ));

    mode(&mut room, QueueMode::Drain);
    room.pass(seconds(5), &[]);
    assert_eq!(
        (room.join(20), room.queue.passed()),
        (Reply::NoNewTickets, (2, 0, 0))
    );

    mode(&mut room, QueueMode::Open);
    assert_eq!(
        room.queue.passed(),
        (10, 0, 0),
        "everybody, whatever the cap"
    );
    assert!(matches!(
        room.join(21),
        Reply::Joined(VisitorState::Ready { .. })
    ));
}

#[test]
fn a_full_queue_gives_no_ticket_and_finds_those_given() {
    let mut room = Room::new(Policy {
        mode: QueueMode::Hold,
        max_waiting: 2,
        ..policy(1.0, 1)
    });
    room.join(1);
    room.join(2);
    assert_eq!(room.join(3), Reply::Full);
    assert!(matches!(
        room.join(2),
        Reply::State(VisitorState::Waiting { seq: 2, .. })
    ));
    room.apply(Command::Leave { wid: wid(1) });
    assert!(matches!(
        room.join(3),
        Reply::Joined(VisitorState::Waiting { seq: 3, ahead: 1 })
    ));
}

#[test]
fn an_outage_of_the_store_ends_no_lease_and_saves_up_no_burst() {
    let mut room = Room::new(policy(10.0, 1_000));
    for n in 0..500 {
        room.join(n);
    }
    room.pass(seconds(1), &[]);
    let (before, ..) = room.queue.passed();
    room.at_ms += 600_000; // nothing was written for ten minutes
    room.apply(Command::Tick);
    let (after, ..) = room.queue.passed();
    assert_eq!((before, after), (10, 20), "one second's worth");
    assert!(matches!(
        room.claim(0),
        Reply::State(VisitorState::Inside { .. })
    ));
}

#[test]
fn rules_change_only_from_the_version_they_were_read_at() {
    let mut room = ten_waiting();
    let change = |room: &mut Room, expected| {
        let policy = policy(5.0, 5);
        room.apply(Command::Configure {
            policy: Box::new(policy),
            figure: None,
            expected,
            actor: "a".to_owned(),
        })
    };
    assert_eq!(change(&mut room, Some(1)), Reply::Version(2));
    assert_eq!(change(&mut room, Some(1)), Reply::OtherVersion(2));
}
