//! What people with a key do: let in by hand, block, allow, change the rules.

use std::time::Duration;

use super::{Block, Queue};
use crate::queue::audit::AuditAction;
use crate::queue::command::{AdmitTarget, IdempotencyKey, Reply};
use crate::queue::people::{Person, Stage};
use crate::queue::policy::{CapacitySource, Policy};
use crate::queue::state::{Event, VisitorState};
use crate::queue::visitor_id::VisitorId;

impl Queue {
    pub(super) fn admit_by_hand(
        &mut self,
        at_ms: u64,
        target: AdmitTarget,
        force: bool,
        once: IdempotencyKey,
        actor: &str,
    ) -> Reply {
        if let Some(answer) = self.rest.once.answer(once) {
            return Reply::Count(answer);
        }
        let (count, action) = match target {
            AdmitTarget::First(asked) => {
                let mut admitted = 0;
                while admitted < asked && (force || self.has_room()) && self.admit_next() {
                    admitted += 1;
                    if !self.spend() {
                        break;
                    }
                }
                (
                    admitted,
                    AuditAction::AdmittedCount {
                        asked,
                        admitted,
                        force,
                    },
                )
            }
            AdmitTarget::These(wids) => {
                let asked = wids.len() as u64;
                let may = |queue: &mut Self, wid: &VisitorId| {
                    (force || queue.has_room()) && queue.admit_one(*wid)
                };
                let admitted: Vec<VisitorId> =
                    wids.into_iter().filter(|wid| may(self, wid)).collect();
                let count = admitted.len() as u64;
                (
                    count,
                    AuditAction::AdmittedPeople {
                        asked,
                        admitted,
                        force,
                    },
                )
            }
        };
        self.rest.totals.admitted_by_hand += count;
        self.note(at_ms, actor, action);
        self.rest.once.keep(once, count, self.now());
        Reply::Count(count)
    }

    /// Whether somebody waits who could be let in by hand.
    #[must_use]
    pub fn may_admit(&self, force: bool) -> bool {
        self.waiting() > 0 && (force || self.has_room())
    }

    /// Gives one waiting visitor a turn; `false` when the visitor does not wait.
    fn admit_one(&mut self, wid: VisitorId) -> bool {
        let now = self.now();
        if let Some(seq) = self.line.remove(wid) {
            self.make_ready(wid, Person::waiting_outside(seq, Stage::Returned, now));
            return true;
        }
        let passed = self.rest.people.get(wid);
        let waits = passed.is_some_and(|p| matches!(p.stage, Stage::Returned | Stage::Away));
        if waits && let Some(person) = self.rest.people.remove(wid) {
            self.make_ready(wid, person);
        }
        waits
    }

    pub(super) fn block(
        &mut self,
        at_ms: u64,
        wid: VisitorId,
        length: Option<Duration>,
        reason: String,
        actor: &str,
    ) -> Reply {
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
            AuditAction::Blocked {
                wid,
                length,
                reason,
            },
        );
        Reply::State(self.state(wid))
    }

    pub(super) fn unblock(&mut self, at_ms: u64, wid: VisitorId, actor: &str) -> Reply {
        let was = self.rest.blocked.remove(&wid).is_some();
        if was {
            self.note(at_ms, actor, AuditAction::Unblocked { wid });
            self.events.push(Event::Changed(wid));
        }
        Reply::Count(u64::from(was))
    }

    pub(super) fn allow(
        &mut self,
        at_ms: u64,
        wid: VisitorId,
        length: Option<Duration>,
        actor: &str,
    ) -> Reply {
        let until = length.map(|length| self.now() + length);
        let now = self.now();
        self.rest
            .bypass
            .retain(|_, until| until.is_none_or(|until| until > now));
        self.rest.bypass.insert(wid, until);
        self.note(at_ms, actor, AuditAction::Bypass { wid, length });
        if matches!(
            self.state(wid),
            VisitorState::Waiting { .. } | VisitorState::Away { .. }
        ) && self.admit_one(wid)
        {
            self.rest.totals.bypassed += 1;
        }
        Reply::State(self.state(wid))
    }

    pub(super) fn end_bypass(&mut self, at_ms: u64, wid: VisitorId, actor: &str) -> Reply {
        let was = self.rest.bypass.remove(&wid).is_some();
        if was {
            self.note(at_ms, actor, AuditAction::BypassEnded { wid });
        }
        Reply::Count(u64::from(was))
    }

    pub(super) fn configure(
        &mut self,
        at_ms: u64,
        policy: Policy,
        figure: Option<CapacitySource>,
        expected: Option<u64>,
        actor: &str,
    ) -> Reply {
        if expected.is_some_and(|expected| expected != self.rest.version) {
            return Reply::OtherVersion(self.rest.version);
        }
        let run = figure.as_ref().map(|figure| figure.run.clone());
        let action = if self.version < 3 {
            AuditAction::Configured {
                mode: policy.mode,
                rate_per_s: policy.rate.map(crate::queue::AdmissionRate::as_per_second),
                cap: policy.cap,
                run,
            }
        } else {
            AuditAction::RulesChanged {
                before: Box::new(self.rest.policy.clone()),
                after: Box::new(policy.clone()),
                run,
            }
        };
        let is_news = policy != self.rest.policy || figure != self.rest.figure;
        if is_news || self.version < 3 {
            self.note(at_ms, actor, action);
        }
        self.rest.policy = policy;
        self.rest.figure = figure;
        self.rest.version += 1;
        // A lower rate must not spend a burst saved up at the higher one.
        if let Some(rate) = self.rest.policy.rate {
            self.rest.bucket.refill(rate, 0);
        }
        self.events.push(Event::Rules);
        Reply::Version(self.rest.version)
    }

    pub(super) fn is_allowed(&self, wid: VisitorId) -> bool {
        let until = self.rest.bypass.get(&wid);
        until.is_some_and(|until| until.is_none_or(|until| until > self.now()))
    }

    pub(super) fn is_blocked(&self, wid: VisitorId) -> bool {
        matches!(self.state(wid), VisitorState::Blocked { .. })
    }
}
