//! Visitors whose number was passed and who still count: ready, inside, away, returned.
//!
//! Each of them has one deadline, and is in one stage only. There are about as many as
//! the service holds, so ordered maps do.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

use super::clock::QueueTime;
use super::command::IdempotencyKey;
use super::visitor_id::VisitorId;

/// What somebody whose number was passed is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Stage {
    /// May claim until the deadline. Holds a place inside.
    Ready,
    /// Is inside, until the deadline unless seen. Holds a place inside.
    Inside,
    /// Was not there when its turn came; keeps its number until the deadline.
    Away,
    /// Was away and is back: is served before everybody with a higher number.
    Returned,
    /// Did not claim; may come back once, until the deadline.
    NoShow,
}

/// Whether a one-time code was exchanged. Snapshots written before `By` existed hold a
/// boolean here, which reads as the first two variants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Redemption {
    /// Not yet.
    #[default]
    No,
    /// Yes, by a call without an idempotency key: every further call is a replay.
    Once,
    /// Yes, by a call with this key: the same call again gets the same answer.
    By(IdempotencyKey),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Person {
    pub(super) seq: u64,
    pub(super) stage: Stage,
    /// When the turn was given; ready only.
    pub(super) since: QueueTime,
    pub(super) deadline: QueueTime,
    /// When the session ends even if it is in use. Inside only.
    pub(super) ends: QueueTime,
    /// Which admission of this number it is, from 1: a code is made of it.
    pub(super) lease: u32,
    /// Until when the one-time code may be exchanged. Inside only.
    pub(super) code_until: QueueTime,
    /// Whether the code was exchanged, and by which call.
    pub(super) redemption: Redemption,
    /// Came past the line: by the bypass list.
    pub(super) bypass: bool,
}

impl Person {
    pub(super) fn waiting_outside(seq: u64, stage: Stage, deadline: QueueTime) -> Self {
        Self {
            seq,
            stage,
            since: QueueTime::default(),
            deadline,
            ends: QueueTime::default(),
            lease: 0,
            code_until: QueueTime::default(),
            redemption: Redemption::No,
            bypass: false,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct People {
    all: BTreeMap<VisitorId, Person>,
    deadlines: BTreeSet<(QueueTime, VisitorId)>,
    /// Numbers of those who are back, lowest first.
    returned: Vec<(u64, VisitorId)>,
    ready: u64,
    inside: u64,
    away: u64,
}

impl People {
    pub(super) fn get(&self, wid: VisitorId) -> Option<&Person> {
        self.all.get(&wid)
    }

    /// Inserts or replaces a visitor.
    pub(super) fn put(&mut self, wid: VisitorId, person: Person) {
        self.remove(wid);
        // Who is back waits without a deadline, like those in the line.
        if person.stage != Stage::Returned {
            self.deadlines.insert((person.deadline, wid));
        }
        match person.stage {
            Stage::Ready => self.ready += 1,
            Stage::Inside => self.inside += 1,
            Stage::Away => self.away += 1,
            Stage::Returned => {
                let at = self.returned.partition_point(|(seq, _)| *seq < person.seq);
                self.returned.insert(at, (person.seq, wid));
            }
            Stage::NoShow => {}
        }
        self.all.insert(wid, person);
    }

    pub(super) fn remove(&mut self, wid: VisitorId) -> Option<Person> {
        let person = self.all.remove(&wid)?;
        self.deadlines.remove(&(person.deadline, wid));
        match person.stage {
            Stage::Ready => self.ready -= 1,
            Stage::Inside => self.inside -= 1,
            Stage::Away => self.away -= 1,
            Stage::Returned => {
                let at = self.returned.partition_point(|(seq, _)| *seq < person.seq);
                self.returned.remove(at);
            }
            Stage::NoShow => {}
        }
        Some(person)
    }

    /// Sets when a session ends unless seen again.
    pub(super) fn keep_until(&mut self, wid: VisitorId, deadline: QueueTime) {
        if let Some(person) = self.all.get_mut(&wid) {
            self.deadlines.remove(&(person.deadline, wid));
            person.deadline = deadline;
            self.deadlines.insert((deadline, wid));
        }
    }

    pub(super) fn set_redeemed(&mut self, wid: VisitorId, redemption: Redemption) {
        if let Some(person) = self.all.get_mut(&wid) {
            person.redemption = redemption;
        }
    }

    /// Whether somebody's deadline is over.
    pub(super) fn is_due(&self, now: QueueTime) -> bool {
        self.deadlines
            .first()
            .is_some_and(|(deadline, _)| *deadline <= now)
    }

    /// Takes out the first whose deadline is over.
    pub(super) fn pop_due(&mut self, now: QueueTime) -> Option<(VisitorId, Person)> {
        let (deadline, wid) = *self.deadlines.first()?;
        if deadline > now {
            return None;
        }
        self.remove(wid).map(|person| (wid, person))
    }

    /// The lowest number among those who are back.
    pub(super) fn first_returned(&self) -> Option<VisitorId> {
        self.returned.first().map(|(_, wid)| *wid)
    }

    /// How many are back with a number below `seq`.
    pub(super) fn returned_before(&self, seq: u64) -> u64 {
        self.returned.partition_point(|(other, _)| *other < seq) as u64
    }

    pub(super) fn returned(&self) -> u64 {
        self.returned.len() as u64
    }

    /// How many hold a place inside.
    pub(super) fn holding(&self) -> u64 {
        self.ready + self.inside
    }

    pub(super) fn ready(&self) -> u64 {
        self.ready
    }

    pub(super) fn inside(&self) -> u64 {
        self.inside
    }

    pub(super) fn away(&self) -> u64 {
        self.away
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Everybody, for tests that check each.
    #[cfg(test)]
    pub(super) fn wids(&self) -> impl Iterator<Item = VisitorId> {
        self.all.keys().copied()
    }
}
