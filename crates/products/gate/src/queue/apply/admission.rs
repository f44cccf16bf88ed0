//! The way in: join, be seen, be let in, claim, leave, and what ends by time.

use std::time::Duration;

use super::Queue;
use crate::queue::audit::AuditAction;
use crate::queue::command::{IdempotencyKey, Reply};
use crate::queue::people::{Person, Redemption, Stage};
use crate::queue::policy::QueueMode;
use crate::queue::state::{Event, VisitorState};
use crate::queue::visitor_id::VisitorId;

/// How many are let in by one command, also in mode open; the rest by the next.
const ADMISSIONS_PER_COMMAND_MAX: u32 = 10_000;

/// How many admissions of one number codes are made for, those after lost answers included.
const LEASES_MAX: u32 = 5;

/// What a second code does to the session of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codes {
    /// Nobody sees whether both are in use: a second one is for a lost answer only.
    OfOneAdmission,
    /// It ends it.
    NewestCounts,
}

/// Which admission of which ticket a code is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AdmissionNumber {
    pub(super) seq: u64,
    pub(super) lease: u32,
}

impl Queue {
    pub(super) fn join(&mut self, wid: VisitorId) -> Reply {
        match self.state(wid) {
            VisitorState::Gone => {}
            state @ VisitorState::Blocked { .. } => return Reply::State(state),
            _ => {
                self.saw(wid);
                if let Some(seq) = self.line.find(wid) {
                    self.line.see(seq, Some(self.now()));
                }
                return Reply::State(self.state(wid));
            }
        }
        let mode = self.rest.policy.mode;
        if matches!(mode, QueueMode::Closed | QueueMode::Drain) {
            return Reply::NoNewTickets;
        }
        if self.is_allowed(wid) {
            return self.pass_by(wid);
        }
        // Who did not claim may come back once, with the number.
        let returning = self
            .rest
            .people
            .get(wid)
            .is_some_and(|p| p.stage == Stage::NoShow);
        if returning && let Some(before) = self.rest.people.remove(wid) {
            let person = Person {
                stage: Stage::Returned,
                ..before
            };
            self.put(wid, person);
            return Reply::State(self.state(wid));
        }
        if self.waiting() >= self.rest.policy.max_waiting {
            self.rest.totals.full += 1;
            return Reply::Full;
        }
        match self.line.join(wid, self.now()) {
            Some(_) => {
                self.rest.totals.joined += 1;
                Reply::Joined(self.state(wid))
            }
            None => {
                self.rest.totals.full += 1;
                Reply::Full
            }
        }
    }

    /// Lets in somebody of the bypass list, past line, rate and cap.
    pub(super) fn pass_by(&mut self, wid: VisitorId) -> Reply {
        let Some(seq) = self.line.pass_by(wid) else {
            return Reply::Full;
        };
        self.rest.totals.joined += 1;
        self.rest.totals.bypassed += 1;
        let person = Person::waiting_outside(seq, Stage::Returned, self.now());
        self.make_ready(
            wid,
            Person {
                bypass: true,
                ..person
            },
        );
        Reply::Joined(self.state(wid))
    }

    /// A heartbeat of a visitor who is no longer in the line.
    pub(super) fn saw(&mut self, wid: VisitorId) {
        let Some(person) = self.rest.people.get(wid) else {
            return;
        };
        match person.stage {
            Stage::Inside => {
                let deadline = (self.now() + self.rest.policy.idle).min(person.ends);
                self.rest.people.keep_until(wid, deadline);
            }
            Stage::Away => {
                let person = Person {
                    stage: Stage::Returned,
                    ..person.clone()
                };
                self.rest.totals.returned += 1;
                self.put(wid, person);
            }
            Stage::Ready | Stage::Returned | Stage::NoShow => {}
        }
    }

    pub(super) fn leave(&mut self, wid: VisitorId) -> Reply {
        let waited = self.line.remove(wid).is_some();
        let person = self.rest.people.remove(wid);
        let waited = waited || person.as_ref().is_some_and(|p| p.stage == Stage::Returned);
        if waited {
            self.rest.totals.left += 1;
        }
        if person.is_some_and(|p| p.stage == Stage::Inside) {
            self.rest.totals.completed += 1;
        }
        Reply::State(self.state(wid))
    }

    pub(super) fn claim(&mut self, wid: VisitorId, codes: Codes) -> Reply {
        let state = self.state(wid);
        if let VisitorState::Inside { code_left, .. } = state {
            return match code_left {
                Some(_) => Reply::State(state),
                None => self.renew_code(wid, codes),
            };
        }
        let ready = self
            .rest
            .people
            .get(wid)
            .filter(|p| p.stage == Stage::Ready);
        let (VisitorState::Ready { .. }, Some(person)) = (&state, ready) else {
            return Reply::NotReady(state);
        };
        let now = self.now();
        let policy = &self.rest.policy;
        let ends = now + policy.absolute;
        let person = Person {
            stage: Stage::Inside,
            deadline: (now + policy.idle.max(policy.code_life)).min(ends),
            ends,
            code_until: now + policy.code_life,
            redemption: Redemption::No,
            ..person.clone()
        };
        self.put(wid, person);
        self.rest.totals.claimed += 1;
        Reply::State(self.state(wid))
    }

    /// Gives a visitor inside another code. One that was never exchanged did not reach the
    /// service: the answer with it was lost, or the browser slept. After one that was exchanged
    /// just now the service's answer may have been lost: then it is another admission of the
    /// same place, and the first code is over.
    fn renew_code(&mut self, wid: VisitorId, codes: Codes) -> Reply {
        let (now, life) = (self.now(), self.rest.policy.code_life);
        let Some(person) = self.rest.people.get(wid).cloned() else {
            return Reply::NotReady(self.state(wid));
        };
        let was_exchanged = person.redemption != Redemption::No;
        let may_be_lost = now < person.code_until && person.lease < LEASES_MAX;
        if was_exchanged && !(codes == Codes::NewestCounts || self.version >= 2 && may_be_lost) {
            return Reply::NotReady(self.state(wid));
        }
        let code_until = (now + life).min(person.ends);
        let person = Person {
            code_until,
            deadline: person.deadline.max(code_until),
            lease: person.lease + u32::from(was_exchanged),
            redemption: Redemption::No,
            ..person
        };
        self.put(wid, person);
        Reply::State(self.state(wid))
    }

    pub(super) fn redeem(
        &mut self,
        at_ms: u64,
        wid: VisitorId,
        number: AdmissionNumber,
        once: Option<IdempotencyKey>,
        actor: &str,
    ) -> Reply {
        let now = self.now();
        let person = self.rest.people.get(wid);
        let AdmissionNumber { seq, lease } = number;
        let same = person.filter(|p| (p.seq, p.lease, p.stage) == (seq, lease, Stage::Inside));
        let Some(person) = same else {
            return Reply::CodeOver;
        };
        let absolute_left = person.ends.since(now);
        match (person.redemption, once) {
            (Redemption::No, _) => {}
            // The answer to the first call was lost on its way.
            (Redemption::By(first), Some(key)) if first == key => {
                return Reply::Redeemed { absolute_left };
            }
            _ => {
                self.note(at_ms, actor, AuditAction::CodeReplayed { wid });
                return Reply::AlreadyRedeemed;
            }
        }
        if person.code_until <= now || self.is_blocked(wid) {
            return Reply::CodeOver;
        }
        let redemption = once.map_or(Redemption::Once, Redemption::By);
        self.rest.people.set_redeemed(wid, redemption);
        self.saw(wid);
        Reply::Redeemed { absolute_left }
    }

    pub(super) fn complete(&mut self, wids: &[VisitorId]) -> Reply {
        let mut ended = 0;
        for wid in wids {
            if self
                .rest
                .people
                .get(*wid)
                .is_some_and(|p| p.stage == Stage::Inside)
            {
                self.rest.people.remove(*wid);
                self.events.push(Event::Changed(*wid));
                ended += 1;
            }
        }
        self.rest.totals.completed += ended;
        Reply::Count(ended)
    }

    /// Whether one more fits inside.
    pub(super) fn has_room(&self) -> bool {
        let cap = self.rest.policy.cap;
        cap.is_none_or(|cap| self.rest.people.holding() < cap)
    }

    /// Gives turns as rate and cap allow: to returned visitors first, then to the line.
    pub(super) fn admit_who_may(&mut self) {
        let limited = match self.rest.policy.mode {
            QueueMode::Hold | QueueMode::Closed => return,
            QueueMode::Auto | QueueMode::Drain => true,
            QueueMode::Open => false,
        };
        let mut let_in = 0;
        // The first version let in as many as the cap had room for.
        let at_once = if limited && self.version < 2 {
            u32::MAX
        } else {
            ADMISSIONS_PER_COMMAND_MAX
        };
        while self.waiting() > 0 && self.budget > 0 && let_in < at_once {
            if limited && !self.has_room() {
                return;
            }
            // A token is taken for a person only, and given back to nobody.
            if limited && self.rest.policy.rate.is_some() && !self.rest.bucket.holds_one() {
                return;
            }
            if self.admit_next() {
                let_in += 1;
                if limited && self.rest.policy.rate.is_some() {
                    self.rest.bucket.take();
                }
            }
        }
    }

    /// Gives the next waiter a turn, passing over those who are not there; whether somebody got one.
    pub(super) fn admit_next(&mut self) -> bool {
        let back = self.rest.people.first_returned();
        if let Some(wid) = back
            && let Some(person) = self.rest.people.remove(wid)
        {
            self.make_ready(wid, person);
            return true;
        }
        let now = self.now();
        while let Some(next) = self.line.pop() {
            let unseen = next.last_seen.map(|seen| now.since(seen));
            if unseen.is_some_and(|length| length <= self.rest.policy.away_after) {
                let person = Person::waiting_outside(next.seq, Stage::Returned, now);
                self.make_ready(next.wid, person);
                return true;
            }
            self.rest.totals.passed_over += 1;
            if !self.rest.policy.grace.is_zero() {
                let until = now + self.rest.policy.grace;
                self.put(
                    next.wid,
                    Person::waiting_outside(next.seq, Stage::Away, until),
                );
            }
            self.events.push(Event::Changed(next.wid));
            if !self.spend() {
                return false;
            }
        }
        false
    }

    pub(super) fn make_ready(&mut self, wid: VisitorId, person: Person) {
        let since = self.now();
        let deadline = since + self.rest.policy.claim_within;
        let lease = person.lease + 1;
        self.put(
            wid,
            Person {
                stage: Stage::Ready,
                since,
                deadline,
                lease,
                ..person
            },
        );
        self.rest.totals.admitted += 1;
        self.events.push(Event::Ready(wid));
    }

    /// Ends leases, sessions and kept places whose time is over.
    pub(super) fn end_what_is_due(&mut self) {
        let now = self.now();
        while let Some((wid, person)) = self.rest.people.pop_due(now) {
            self.events.push(Event::Changed(wid));
            match person.stage {
                Stage::Ready => {
                    self.rest.totals.no_shows += 1;
                    self.keep_no_show(wid, person);
                }
                Stage::Inside => self.rest.totals.expired += 1,
                Stage::Away | Stage::NoShow | Stage::Returned => {}
            }
            if !self.spend() {
                return;
            }
        }
    }

    fn keep_no_show(&mut self, wid: VisitorId, person: Person) {
        let again: Duration = self.rest.policy.rejoin_within;
        if person.lease > 1 || again.is_zero() || person.bypass {
            return;
        }
        let deadline = self.now() + again;
        self.put(
            wid,
            Person {
                stage: Stage::NoShow,
                deadline,
                ..person
            },
        );
    }
}
