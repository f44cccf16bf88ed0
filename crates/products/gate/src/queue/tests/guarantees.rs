//! F1 to F7 over random lives. The same judges look at both stores in `crate::storage::tests`.

use super::wid;
use super::witness::{CROWD_SIZE, Life, Seen1, Step, everybody, life, live, rules};
use crate::queue::{AuditAction, Command, Policy, Queue, Reply, VisitorState};
use proptest::prelude::*;

type Verdict = Result<(), TestCaseError>;

/// What the judges remember of a life.
pub(crate) struct Judge {
    per_s: f64,
    cap: u64,
    turns: Vec<u64>,
    keys: Vec<u8>,
    last: u64,
}

impl Judge {
    pub(crate) fn new(policy: &Policy) -> Self {
        Self {
            per_s: policy
                .rate
                .map_or(f64::INFINITY, crate::queue::AdmissionRate::as_per_second),
            cap: policy.cap.unwrap_or(u64::MAX),
            turns: Vec::new(),
            keys: Vec::new(),
            last: 0,
        }
    }

    pub(crate) fn all(&mut self, queue: &Queue, seen: &Seen1) -> Verdict {
        f1(seen)?;
        f2(seen)?;
        f3(queue, seen)?;
        self.f4(queue, seen)?;
        f5(seen)?;
        self.f6(queue, seen)?;
        self.f7(seen)?;
        rank(seen)
    }

    fn f4(&mut self, queue: &Queue, seen: &Seen1) -> Verdict {
        let (ready, inside, _) = queue.passed();
        prop_assert!(
            ready + inside <= self.cap,
            "{} + {} > {}",
            ready,
            inside,
            self.cap
        );
        if !matches!(seen.step, Step::AdmitThis(..) | Step::AdmitFirst(..)) {
            self.turns.extend(seen.let_in.iter().map(|_| seen.at_ms));
        }
        for (i, from) in self.turns.iter().enumerate() {
            let window = (seen.at_ms - from) as f64 / 1000.0;
            let count = (self.turns.len() - i) as f64;
            let most = self.per_s * window + self.per_s.max(1.0);
            prop_assert!(
                count <= most + 1e-6,
                "{} turns in {} s at {}/s",
                count,
                window,
                self.per_s
            );
        }
        Ok(())
    }

    fn f6(&mut self, queue: &Queue, seen: &Seen1) -> Verdict {
        let (Step::AdmitFirst(_, key) | Step::AdmitThis(_, key)) = seen.step else {
            return Ok(());
        };
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
        let by_hand = |action: &AuditAction| {
            matches!(
                action,
                AuditAction::AdmittedCount { .. } | AuditAction::AdmittedPeople { .. }
            )
        };
        let on_record = queue
            .audit()
            .filter(|audited| by_hand(&audited.action))
            .count();
        prop_assert_eq!(on_record, self.keys.len());
        Ok(())
    }

    fn f7(&mut self, seen: &Seen1) -> Verdict {
        if let Reply::Joined(state) = &seen.outcome {
            let seq = state.seq().unwrap();
            prop_assert!(seq > self.last, "{} after {}", seq, self.last);
            self.last = seq;
        }
        Ok(())
    }
}

/// Numbers of those let in by the queue itself, not by hand.
fn let_in_by_turn(seen: &Seen1) -> Vec<u64> {
    if matches!(seen.step, Step::AdmitThis(..)) {
        return Vec::new();
    }
    let number = |n: u64| {
        seen.let_in
            .contains(&wid(n))
            .then(|| seen.after[&n].seq())
            .flatten()
    };
    (0..CROWD_SIZE).filter_map(number).collect()
}

fn f1(seen: &Seen1) -> Verdict {
    for n in 0..CROWD_SIZE {
        if let (Some(before), Some(after)) = (seen.before[&n].seq(), seen.after[&n].seq()) {
            prop_assert_eq!(before, after, "{} in {:?}", n, seen.step);
        }
    }
    Ok(())
}

fn f2(seen: &Seen1) -> Verdict {
    let highest = let_in_by_turn(seen).into_iter().max().unwrap_or(0);
    for state in seen.after.values() {
        if let VisitorState::Waiting { seq, .. } = state {
            prop_assert!(
                *seq > highest,
                "{} was passed by {} in {:?}",
                seq,
                highest,
                seen.step
            );
        }
    }
    Ok(())
}

fn f3(queue: &Queue, seen: &Seen1) -> Verdict {
    let mut numbers: Vec<u64> = seen.after.values().filter_map(VisitorState::seq).collect();
    numbers.sort_unstable();
    prop_assert!(numbers.is_sorted_by(|a, b| a < b), "{:?}", numbers);
    let count = |name| seen.after.values().filter(|s| s.name() == name).count() as u64;
    prop_assert_eq!(queue.waiting(), count("waiting"));
    prop_assert_eq!(
        queue.passed(),
        (count("ready"), count("inside"), count("away"))
    );
    prop_assert!(queue.is_in_one_place(), "in the line and past it");
    Ok(())
}

/// Every change of a state has its reason; nobody is lost on the way.
fn f5(seen: &Seen1) -> Verdict {
    for n in 0..CROWD_SIZE {
        let of_him = match seen.step {
            Step::Leave(m)
            | Step::Block(m)
            | Step::Complete(m)
            | Step::Claim(m)
            | Step::Join(m) => m == n,
            _ => false,
        };
        let (before, after) = (&seen.before[&n], &seen.after[&n]);
        let time_over = match before {
            VisitorState::Ready { left, .. } | VisitorState::Away { left, .. } => {
                left.as_millis() <= 1_000
            }
            VisitorState::Inside { idle_left, .. } => idle_left.as_millis() <= 1_000,
            _ => false,
        };
        let allowed = match (before.name(), after.name()) {
            (a, b) if a == b => true,
            ("waiting", "ready" | "away") | ("away", "waiting" | "ready") => true,
            ("blocked" | "gone", _) => true,
            ("ready", "inside") => matches!(seen.step, Step::Claim(m) if m == n),
            ("ready" | "inside" | "away", "gone") => time_over || of_him,
            ("waiting", "gone") => of_him,
            (_, "blocked") => of_him,
            // Away and over while the very command was his: he joined anew.
            (_, "waiting") => time_over && of_him,
            _ => false,
        };
        prop_assert!(
            allowed,
            "{}: {:?} -> {:?} in {:?}",
            n,
            before,
            after,
            seen.step
        );
        if let (Step::Claim(m), VisitorState::Ready { .. }) = (&seen.step, before) {
            let inside = matches!(after, VisitorState::Inside { .. });
            prop_assert!(
                *m != n || inside,
                "a claim in time was refused: {:?}",
                seen.outcome
            );
        }
    }
    Ok(())
}

fn rank(seen: &Seen1) -> Verdict {
    let waits = |s: &&VisitorState| matches!(s, VisitorState::Waiting { .. });
    let waiting: Vec<u64> = seen
        .after
        .values()
        .filter(waits)
        .filter_map(VisitorState::seq)
        .collect();
    for state in seen.after.values() {
        if let VisitorState::Waiting { seq, ahead } = state {
            let lower = waiting.iter().filter(|other| *other < seq).count() as u64;
            prop_assert_eq!(*ahead, lower, "number {}", seq);
        }
    }
    Ok(())
}

/// Lives a life under a judge.
fn judged(
    Life { rate, cap, steps }: Life,
    mut judge: impl FnMut(&mut Judge, &Queue, &Seen1) -> Verdict,
) -> Verdict {
    let policy = rules(rate, cap);
    let mut judging = Judge::new(&policy);
    live(
        &mut Queue::new(policy.clone()),
        &policy,
        steps,
        |queue, seen| judge(&mut judging, queue, &seen),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn f1_a_tickets_number_never_changes(life in life()) {
        judged(life, |_, _, seen| f1(seen))?;
    }

    #[test]
    fn f2_turns_are_given_in_the_order_of_numbers(life in life()) {
        judged(life, |_, _, seen| f2(seen))?;
    }

    #[test]
    fn f3_one_person_is_in_one_place_and_no_number_is_given_twice(life in life()) {
        judged(life, |_, queue, seen| f3(queue, seen))?;
    }

    #[test]
    fn f4_rate_and_cap_hold_together(life in life()) {
        judged(life, |judge, queue, seen| judge.f4(queue, seen))?;
    }

    #[test]
    fn f5_no_turn_is_lost_before_its_lease_ends(life in life()) {
        judged(life, |_, _, seen| f5(seen))?;
    }

    #[test]
    fn f6_what_is_done_by_hand_is_on_record_once(life in life()) {
        judged(life, |judge, queue, seen| judge.f6(queue, seen))?;
    }

    #[test]
    fn f7_numbers_follow_the_order_of_arrival(life in life()) {
        judged(life, |judge, _, seen| judge.f7(seen))?;
    }

    #[test]
    fn the_place_told_is_how_many_wait_with_a_lower_number(life in life()) {
        judged(life, |_, _, seen| rank(seen))?;
    }

    #[test]
    fn a_queue_thawed_goes_on_as_if_nothing_had_been(Life { rate, cap, steps } in life(), cut in 0..120_usize) {
        let policy = rules(rate, cap);
        let mut whole = Queue::new(policy.clone());
        let mut thawed: Option<Queue> = None;
        let mut looked = 0;
        live(&mut whole, &policy, steps, |queue, seen| {
            // The same command, to the one that was frozen and thawed.
            if let Some(thawed) = &mut thawed {
                let command = match seen.step {
                    Step::Pass(_) => Command::Tick,
                    ref step => super::witness::command_of(thawed, &policy, step),
                };
                thawed.apply(seen.at_ms, command);
                prop_assert_eq!(everybody(thawed), everybody(queue));
            } else if looked >= cut {
                let bytes = postcard::to_allocvec(&queue.freeze()).unwrap();
                thawed = Some(Queue::thaw(postcard::from_bytes(&bytes).unwrap()));
            }
            looked += 1;
            Ok(())
        })?;
        if let Some(thawed) = thawed {
            prop_assert!(thawed.freeze() == whole.freeze());
        }
    }
}
