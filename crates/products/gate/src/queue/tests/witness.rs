//! Random lives of a queue, and a witness that knows the rules and not the code.

use super::{START_MS, wid};
use crate::queue::{
    AdmissionRate, Command, Heartbeats, IdempotencyKey, Policy, Queue, QueueMode, Reply,
    VisitorState,
};
use crate::queue::{AdmitTarget, Event, VisitorId};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many people there are.
pub(crate) const CROWD_SIZE: u64 = 24;

/// What happens next.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Join(u64),
    See(Vec<u64>),
    Away(u64),
    Leave(u64),
    Claim(u64),
    Complete(u64),
    AdmitFirst(u64, u8),
    AdmitThis(u64, u8),
    Block(u64),
    Unblock(u64),
    Mode(QueueMode),
    Pass(u64),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let who = || 0..CROWD_SIZE;
    prop_oneof![
        8 => who().prop_map(Step::Join),
        3 => prop::collection::vec(who(), 0..12).prop_map(Step::See),
        1 => who().prop_map(Step::Away),
        1 => who().prop_map(Step::Leave),
        5 => who().prop_map(Step::Claim),
        2 => who().prop_map(Step::Complete),
        1 => (1..4_u64, any::<u8>()).prop_map(|(n, key)| Step::AdmitFirst(n, key)),
        1 => (who(), any::<u8>()).prop_map(|(n, key)| Step::AdmitThis(n, key)),
        1 => who().prop_map(Step::Block),
        1 => who().prop_map(Step::Unblock),
        1 => prop_oneof![6 => Just(QueueMode::Auto), 1 => Just(QueueMode::Hold), 1 => Just(QueueMode::Drain), 1 => Just(QueueMode::Closed)]
            .prop_map(Step::Mode),
        8 => prop_oneof![1..1_500_u64, Just(20_000)].prop_map(Step::Pass),
    ]
}

/// A life: rate in tenths per second, cap, steps.
/// A queue's rules and what happens to it.
#[derive(Debug, Clone)]
pub(crate) struct Life {
    /// Tenths of admissions a second.
    pub(crate) rate: u32,
    pub(crate) cap: u64,
    pub(crate) steps: Vec<Step>,
}

pub(crate) fn life() -> impl Strategy<Value = Life> {
    let parts = (1..80_u32, 1..6_u64, prop::collection::vec(step(), 1..120));
    parts.prop_map(|(rate, cap, steps)| Life { rate, cap, steps })
}

pub(crate) fn rules(tenths: u32, cap: u64) -> Policy {
    Policy {
        rate: AdmissionRate::per_second(f64::from(tenths) / 10.0),
        cap: Some(cap),
        max_waiting: CROWD_SIZE,
        claim_within: Duration::from_secs(5),
        idle: Duration::from_secs(8),
        absolute: Duration::from_secs(20),
        away_after: Duration::from_secs(10),
        grace: Duration::from_secs(10),
        rejoin_within: Duration::from_secs(4),
        ..Policy::default()
    }
}

/// What one command did, seen from outside.
pub(crate) struct Seen1 {
    pub(crate) step: Step,
    pub(crate) at_ms: u64,
    pub(crate) before: BTreeMap<u64, VisitorState>,
    pub(crate) after: BTreeMap<u64, VisitorState>,
    pub(crate) let_in: Vec<VisitorId>,
    pub(crate) outcome: Reply,
}

/// Lives a life, telling `look` each step.
pub(crate) fn live(
    queue: &mut Queue,
    policy: &Policy,
    steps: Vec<Step>,
    mut look: impl FnMut(&Queue, Seen1) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut at_ms = START_MS;
    for step in steps {
        if let Step::Pass(ms) = step {
            // As gates do: at least one command a second.
            let end = at_ms + ms;
            while at_ms < end {
                at_ms = (at_ms + 1_000).min(end);
                let seen = apply(queue, at_ms, step.clone(), Command::Tick);
                look(queue, seen)?;
            }
            continue;
        }
        let command = command_of(queue, policy, &step);
        let seen = apply(queue, at_ms, step, command);
        look(queue, seen)?;
    }
    Ok(())
}

fn apply(queue: &mut Queue, at_ms: u64, step: Step, command: Command) -> Seen1 {
    queue.take_events();
    let before = everybody(queue);
    let outcome = queue.apply(at_ms, command);
    let let_in = queue
        .take_events()
        .into_iter()
        .filter_map(|event| match event {
            Event::Ready(wid) => Some(wid),
            _ => None,
        });
    Seen1 {
        step,
        at_ms,
        before,
        after: everybody(queue),
        let_in: let_in.collect(),
        outcome,
    }
}

pub(crate) fn everybody(queue: &Queue) -> BTreeMap<u64, VisitorState> {
    (0..CROWD_SIZE).map(|n| (n, queue.state(wid(n)))).collect()
}

pub(crate) fn command_of(queue: &Queue, policy: &Policy, step: &Step) -> Command {
    let actor = || "key-1".to_owned();
    match step {
        Step::Join(n) => Command::Join { wid: wid(*n) },
        Step::Away(n) => Command::Away { wid: wid(*n) },
        Step::Leave(n) => Command::Leave { wid: wid(*n) },
        Step::Claim(n) => Command::Claim { wid: wid(*n) },
        Step::Complete(n) => Command::Complete {
            wids: vec![wid(*n)],
        },
        Step::See(seen) => {
            let number = |n: &u64| match queue.state(wid(*n)) {
                VisitorState::Waiting { seq, .. } => u32::try_from(seq).ok(),
                _ => None,
            };
            let numbers = seen.iter().filter_map(number).collect();
            Command::Heartbeats(Heartbeats::new(
                numbers,
                seen.iter().map(|n| wid(*n)).collect(),
            ))
        }
        Step::AdmitFirst(n, key) => Command::Admit {
            target: AdmitTarget::First(*n),
            force: false,
            once: IdempotencyKey([*key; 16]),
            actor: actor(),
        },
        Step::AdmitThis(n, key) => Command::Admit {
            target: AdmitTarget::These(vec![wid(*n)]),
            force: false,
            once: IdempotencyKey([*key; 16]),
            actor: actor(),
        },
        Step::Block(n) => Command::Block {
            wid: wid(*n),
            length: Some(Duration::from_secs(3)),
            reason: "test".to_owned(),
            actor: actor(),
        },
        Step::Unblock(n) => Command::Unblock {
            wid: wid(*n),
            actor: actor(),
        },
        Step::Mode(mode) => Command::Configure {
            policy: Box::new(Policy {
                mode: *mode,
                ..policy.clone()
            }),
            figure: None,
            expected: None,
            actor: actor(),
        },
        Step::Pass(_) => Command::Tick,
    }
}
