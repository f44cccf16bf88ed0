//! What people with a key do: let in by hand, block, allow, change the rules.

use std::time::Duration;

use super::{Block, Queue};
use crate::queue::audit::Deed;
use crate::queue::command::{OnceKey, Outcome, WhomToAdmit};
use crate::queue::people::{Person, Stage};
use crate::queue::policy::{Figure, Policy};
use crate::queue::standing::{Event, Standing};
use crate::queue::wid::Wid;

impl Queue {
    pub(super) fn admit_by_hand(
        &mut self,
        at_ms: u64,
        whom: WhomToAdmit,
        force: bool,
        (once, actor): (OnceKey, &str),
    ) -> Outcome {
        if let Some(answer) = self.rest.once.answer(once) {
            return Outcome::Count(answer);
        }
        let (count, deed) = match whom {
            WhomToAdmit::First(asked) => {
                let mut admitted = 0;
                while admitted < asked && (force || self.has_room()) && self.admit_next() {
                    admitted += 1;
                }
                (
                    admitted,
                    Deed::AdmittedCount {
                        asked,
                        admitted,
                        force,
                    },
                )
            }
            WhomToAdmit::These(wids) => {
                let asked = wids.len() as u64;
                let may = |queue: &mut Self, wid: &Wid| {
                    (force || queue.has_room()) && queue.admit_one(*wid)
                };
                let admitted: Vec<Wid> = wids.into_iter().filter(|wid| may(self, wid)).collect();
                let count = admitted.len() as u64;
                (
                    count,
                    Deed::AdmittedPeople {
                        asked,
                        admitted,
                        force,
                    },
                )
            }
        };
        self.rest.totals.admitted_by_hand += count;
        self.note(at_ms, actor, deed);
        self.rest.once.keep(once, count, self.now());
        Outcome::Count(count)
    }

    /// Gives one person a turn, wherever he waits; whether he got one.
    fn admit_one(&mut self, wid: Wid) -> bool {
        let now = self.now();
        if let Some(seq) = self.line.remove(wid) {
            self.make_ready(wid, Person::waiting_outside(seq, Stage::Overdue, now));
            return true;
        }
        let passed = self.rest.people.get(wid);
        let waits = passed.is_some_and(|p| matches!(p.stage, Stage::Overdue | Stage::Away));
        if waits && let Some(person) = self.rest.people.remove(wid) {
            self.make_ready(wid, person);
        }
        waits
    }

    pub(super) fn block(
        &mut self,
        at_ms: u64,
        wid: Wid,
        (length, reason): (Option<Duration>, String),
        actor: &str,
    ) -> Outcome {
        let until = length.map(|length| self.now() + length);
        self.line.remove(wid);
        self.rest.people.remove(wid);
        self.rest.blocked.insert(
            wid,
            Block {
                until,
                reason: reason.clone(),
            },
        );
        let now = self.now();
        self.rest
            .blocked
            .retain(|_, block| block.until.is_none_or(|until| until > now));
        self.events.push(Event::Changed(wid));
        self.note(
            at_ms,
            actor,
            Deed::Blocked {
                wid,
                length,
                reason,
            },
        );
        Outcome::Stands(self.standing(wid))
    }

    pub(super) fn unblock(&mut self, at_ms: u64, wid: Wid, actor: &str) -> Outcome {
        let was = self.rest.blocked.remove(&wid).is_some();
        if was {
            self.note(at_ms, actor, Deed::Unblocked { wid });
            self.events.push(Event::Changed(wid));
        }
        Outcome::Count(u64::from(was))
    }

    pub(super) fn allow(
        &mut self,
        at_ms: u64,
        wid: Wid,
        length: Option<Duration>,
        actor: &str,
    ) -> Outcome {
        let until = length.map(|length| self.now() + length);
        let now = self.now();
        self.rest
            .bypass
            .retain(|_, until| until.is_none_or(|until| until > now));
        self.rest.bypass.insert(wid, until);
        self.note(at_ms, actor, Deed::Bypass { wid, length });
        if matches!(
            self.standing(wid),
            Standing::Waiting { .. } | Standing::Away { .. }
        ) && self.admit_one(wid)
        {
            self.rest.totals.bypassed += 1;
        }
        Outcome::Stands(self.standing(wid))
    }

    pub(super) fn end_bypass(&mut self, at_ms: u64, wid: Wid, actor: &str) -> Outcome {
        let was = self.rest.bypass.remove(&wid).is_some();
        if was {
            self.note(at_ms, actor, Deed::BypassEnded { wid });
        }
        Outcome::Count(u64::from(was))
    }

    pub(super) fn configure(
        &mut self,
        at_ms: u64,
        (policy, figure): (Policy, Option<Figure>),
        expected: Option<u64>,
        actor: &str,
    ) -> Outcome {
        if expected.is_some_and(|expected| expected != self.rest.version) {
            return Outcome::OtherVersion(self.rest.version);
        }
        self.note(
            at_ms,
            actor,
            Deed::Configured {
                mode: policy.mode,
                rate_per_s: policy.rate.map(crate::queue::AdmissionRate::as_per_second),
                cap: policy.cap,
                run: figure.as_ref().map(|figure| figure.run.clone()),
            },
        );
        self.rest.policy = policy;
        self.rest.figure = figure;
        self.rest.version += 1;
        // A lower rate must not spend a burst saved up at the higher one.
        if let Some(rate) = self.rest.policy.rate {
            self.rest.bucket.refill(rate, 0);
        }
        self.events.push(Event::Rules);
        Outcome::Version(self.rest.version)
    }

    pub(super) fn is_allowed(&self, wid: Wid) -> bool {
        let until = self.rest.bypass.get(&wid);
        until.is_some_and(|until| until.is_none_or(|until| until > self.now()))
    }

    pub(super) fn is_blocked(&self, wid: Wid) -> bool {
        matches!(self.standing(wid), Standing::Blocked { .. })
    }
}
