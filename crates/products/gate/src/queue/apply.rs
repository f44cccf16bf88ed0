//! The state machine: what each command does, and who is let in because of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

use super::audit::{Audit, AuditAction, AuditRecord, Replays};
use super::bucket::Bucket;
use super::clock::{QueueClock, QueueTime};
use super::command::{Command, Reply};
use super::idempotency::IdempotencyRecords;
use super::line::{Line, LineSnapshot};
use super::people::{People, Person, Redemption, Stage};
use super::policy::{CapacitySource, Policy, QueueMode};
use super::state::{Event, VisitorState};
use super::visitor_id::VisitorId;
use admission::{AdmissionNumber, Codes};
use losses::LostNumbers;

mod admission;
mod control;
mod losses;

/// A second between two looks, when something may end by time alone.
const TICK_INTERVAL_MAX: Duration = Duration::from_secs(1);
/// Between two looks while people are let in.
const TICK_INTERVAL_MIN: Duration = Duration::from_millis(50);
/// The longest step that queue time makes: blocks and passes end on time if it is looked at so
/// often.
const TIME_STEP_MAX: Duration = Duration::from_secs(2);
/// How many people a command may do something to that it does not name: a million who never
/// came back must not keep everybody waiting while they are passed over. The next tick goes on.
const UNNAMED_PEOPLE_MAX: u32 = 10_000;
const SMALL_BUDGET: u32 = 10;

/// A queue.
#[derive(Debug, Clone)]
pub struct Queue {
    /// Everything but the line, as a snapshot keeps it.
    rest: Rest,
    line: Line,
    lost: LostNumbers,
    replays: Replays,
    /// The version of the rules that the present command was written under.
    version: u32,
    /// How many more people the present command may pass over, or end.
    budget: u32,
    /// What happened since [`Queue::take_events`].
    events: Vec<Event>,
}

/// What a queue knows besides its line.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
struct Rest {
    policy: Policy,
    figure: Option<CapacitySource>,
    /// Grows with each change of the rules.
    version: u64,
    clock: QueueClock,
    bucket: Bucket,
    people: People,
    blocked: BTreeMap<VisitorId, Block>,
    bypass: BTreeMap<VisitorId, Option<QueueTime>>,
    once: IdempotencyRecords,
    audit: Audit,
    totals: QueueTotals,
}

#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
struct Block {
    until: Option<QueueTime>,
    reason: String,
}

/// What happened since the queue was made; each only grows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueTotals {
    /// Tickets given out.
    pub joined: u64,
    /// Turns given: by rate, by hand, by the bypass list, in mode open.
    pub admitted: u64,
    /// Of those, by hand.
    pub admitted_by_hand: u64,
    /// Of those, past the line.
    pub bypassed: u64,
    /// Turns taken.
    pub claimed: u64,
    /// Turns not taken in time.
    pub no_shows: u64,
    /// Waiters passed over because they were not there.
    pub passed_over: u64,
    /// Of those, back in time.
    pub returned: u64,
    /// Waiters who gave up.
    pub left: u64,
    /// Sessions that the service said were over.
    pub completed: u64,
    /// Sessions that ended by time.
    pub expired: u64,
    /// Refused for want of room.
    pub full: u64,
}

impl Queue {
    /// An empty queue under `policy`.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            rest: Rest {
                policy,
                version: 1,
                ..Rest::default()
            },
            line: Line::default(),
            lost: LostNumbers::default(),
            replays: Replays::default(),
            version: u32::MAX,
            budget: u32::MAX,
            events: Vec::new(),
        }
    }

    /// Does `command`, which the store took at `taken_ms` of its clock, under the newest rules.
    pub fn apply(&mut self, taken_ms: u64, command: Command) -> Reply {
        self.apply_under(u32::MAX, taken_ms, command)
    }

    /// As [`Queue::apply`], under the version of the rules that the command was written under.
    pub fn apply_under(&mut self, version: u32, taken_ms: u64, command: Command) -> Reply {
        self.begin(version, taken_ms, &command);
        let about = command.asks_for_state_of();
        let outcome = match command {
            Command::Tick => Reply::Done,
            Command::Join { wid } => self.join(wid),
            Command::Heartbeats(seen) => {
                seen.numbers()
                    .for_each(|seq| self.line.see(seq, Some(self.rest.clock.now())));
                seen.others.iter().for_each(|wid| self.saw(*wid));
                Reply::Done
            }
            Command::GateStarted => {
                self.line.see_all(self.rest.clock.now());
                Reply::Done
            }
            Command::Away { wid } => {
                if let Some(seq) = self.line.find(wid) {
                    self.line.see(seq, None);
                }
                Reply::Done
            }
            Command::Leave { wid } => self.leave(wid),
            Command::Claim { wid } => self.claim(wid, Codes::OfOneAdmission),
            Command::ClaimAgain { wid } => self.claim(wid, Codes::NewestCounts),
            Command::Redeem {
                wid,
                seq,
                lease,
                actor,
            } => self.redeem(taken_ms, wid, AdmissionNumber { seq, lease }, None, &actor),
            Command::RedeemOnce {
                wid,
                seq,
                lease,
                once,
                actor,
            } => self.redeem(
                taken_ms,
                wid,
                AdmissionNumber { seq, lease },
                Some(once),
                &actor,
            ),
            Command::Restore { wid, seq } => self.restore(wid, seq),
            Command::Complete { wids } => self.complete(&wids),
            Command::Admit {
                target,
                force,
                once,
                actor,
            } => self.admit_by_hand(taken_ms, target, force, once, &actor),
            Command::Block {
                wid,
                length,
                reason,
                actor,
            } => self.block(taken_ms, wid, length, reason, &actor),
            Command::Unblock { wid, actor } => self.unblock(taken_ms, wid, &actor),
            Command::Bypass { wid, length, actor } => self.allow(taken_ms, wid, length, &actor),
            Command::EndBypass { wid, actor } => self.end_bypass(taken_ms, wid, &actor),
            Command::Configure {
                policy,
                figure,
                expected,
                actor,
            } => self.configure(
                taken_ms,
                *policy,
                figure.map(|figure| *figure),
                expected,
                &actor,
            ),
        };
        self.admit_who_may();
        // Who joined may be ready by now.
        match (outcome, about) {
            (Reply::Joined(_), Some(wid)) => Reply::Joined(self.state(wid)),
            (Reply::State(_), Some(wid)) => Reply::State(self.state(wid)),
            (outcome, _) => outcome,
        }
    }

    /// Lets time pass up to a command, which is then done.
    fn begin(&mut self, version: u32, taken_ms: u64, command: &Command) {
        let budget = match command {
            _ if version < 2 => u32::MAX,
            Command::Tick | Command::Admit { .. } => UNNAMED_PEOPLE_MAX,
            // Many of the others share an entry.
            _ => SMALL_BUDGET,
        };
        (self.version, self.budget) = (version, budget);
        let passed = self.rest.clock.advance(taken_ms);
        if let Some(rate) = self.rest.policy.rate {
            self.rest.bucket.refill(rate, passed);
        }
        self.end_what_is_due();
        self.budget = budget;
    }

    /// Where somebody stands now.
    #[must_use]
    pub fn state(&self, wid: VisitorId) -> VisitorState {
        if let Some(block) = self.rest.blocked.get(&wid)
            && block.until.is_none_or(|until| until > self.now())
        {
            return VisitorState::Blocked {
                reason: block.reason.clone(),
            };
        }
        if let Some(seq) = self.line.find(wid) {
            let ahead = self.line.ahead(seq) + self.rest.people.returned();
            return VisitorState::Waiting { seq, ahead };
        }
        let Some(person) = self.rest.people.get(wid) else {
            return VisitorState::Gone;
        };
        let seq = person.seq;
        let left = person.deadline.since(self.now());
        match person.stage {
            Stage::Returned => VisitorState::Waiting {
                seq,
                ahead: self.rest.people.returned_before(seq),
            },
            Stage::Away => VisitorState::Away { seq, left },
            Stage::Ready => VisitorState::Ready {
                seq,
                left,
                since: person.since,
            },
            Stage::NoShow => VisitorState::Gone,
            Stage::Inside => {
                let code_left = person.code_until.since(self.now());
                let open = person.redemption == Redemption::No && !code_left.is_zero();
                VisitorState::Inside {
                    seq,
                    lease: person.lease,
                    code_left: open.then_some(code_left),
                    idle_left: left,
                    absolute_left: person.ends.since(self.now()),
                }
            }
        }
    }

    /// Whether somebody is inside whose code was exchanged.
    #[must_use]
    pub fn has_redeemed(&self, wid: VisitorId) -> bool {
        let person = self.rest.people.get(wid);
        person.is_some_and(|p| p.stage == Stage::Inside && p.redemption != Redemption::No)
    }

    /// How soon it must be looked at again; `None` when time alone changes nothing.
    #[must_use]
    pub fn due_in(&self) -> Option<Duration> {
        let waiting = self.waiting();
        if waiting == 0 && self.rest.people.is_empty() {
            return self.has_timed_rules().then_some(TIME_STEP_MAX);
        }
        if self.rest.people.is_due(self.now()) {
            return Some(TICK_INTERVAL_MIN);
        }
        let serves = matches!(self.rest.policy.mode, QueueMode::Auto | QueueMode::Drain);
        if self.rest.policy.mode == QueueMode::Open && waiting > 0 {
            return Some(TICK_INTERVAL_MIN);
        }
        if waiting == 0 || !serves || !self.has_room() {
            return Some(TICK_INTERVAL_MAX);
        }
        let Some(rate) = self.rest.policy.rate else {
            return Some(TICK_INTERVAL_MIN);
        };
        let due = self.rest.bucket.due_in_ms(rate).map(Duration::from_millis);
        Some(
            due.unwrap_or(TICK_INTERVAL_MAX)
                .clamp(TICK_INTERVAL_MIN, TICK_INTERVAL_MAX),
        )
    }

    /// Whether somebody is blocked or may pass the line until a time.
    fn has_timed_rules(&self) -> bool {
        let now = self.now();
        let blocks = self.rest.blocked.values().map(|block| &block.until);
        let mut ends = blocks.chain(self.rest.bypass.values()).flatten();
        ends.any(|until| *until > now)
    }

    /// Takes one from what the present command may still do; `false` when nothing is left.
    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// What happened since the last call, oldest first.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The rules and their version.
    #[must_use]
    pub fn policy(&self) -> (&Policy, u64) {
        (&self.rest.policy, self.rest.version)
    }

    /// Where rate and cap come from, if a run measured them.
    #[must_use]
    pub fn figure(&self) -> Option<&CapacitySource> {
        self.rest.figure.as_ref()
    }

    /// How many wait, those who are back included.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.line.len() + self.rest.people.returned()
    }

    /// How many are ready, inside, away.
    #[must_use]
    pub fn passed(&self) -> (u64, u64, u64) {
        let people = &self.rest.people;
        (people.ready(), people.inside(), people.away())
    }

    /// The last number passed, and the last given out.
    #[must_use]
    pub fn cursor(&self) -> (u64, u64) {
        (self.line.cursor(), self.line.last())
    }

    /// What happened since the queue was made.
    #[must_use]
    pub fn totals(&self) -> QueueTotals {
        self.rest.totals
    }

    /// The last records, newest first.
    pub fn audit(&self) -> impl Iterator<Item = &AuditRecord> {
        self.rest.audit.records().rev()
    }

    /// The last codes that were shown twice, newest first.
    pub fn replays(&self) -> impl Iterator<Item = &AuditRecord> {
        self.replays.records()
    }

    /// Queue time.
    #[must_use]
    pub fn now(&self) -> QueueTime {
        self.rest.clock.now()
    }

    /// Everything a snapshot keeps; [`Queue::thaw`] reads it.
    #[must_use]
    pub fn freeze(&self) -> QueueSnapshot {
        QueueSnapshot {
            rest: self.rest.clone(),
            line: self.line.frozen(),
            lost: self.lost.clone(),
            replays: self.replays.clone(),
        }
    }

    /// A queue as it was when frozen.
    #[must_use]
    pub fn thaw(frozen: QueueSnapshot) -> Self {
        Self {
            rest: frozen.rest,
            line: frozen.line.into(),
            lost: frozen.lost,
            replays: frozen.replays,
            version: u32::MAX,
            budget: u32::MAX,
            events: Vec::new(),
        }
    }

    /// Whether nobody is in the line and past it at once.
    #[cfg(test)]
    pub(crate) fn is_in_one_place(&self) -> bool {
        self.rest
            .people
            .wids()
            .all(|wid| self.line.find(wid).is_none())
    }

    fn note(&mut self, at_ms: u64, actor: &str, action: AuditAction) {
        let is_replay = matches!(action, AuditAction::CodeReplayed { .. });
        let record = AuditRecord {
            at_ms,
            actor: actor.to_owned(),
            action,
        };
        if is_replay && self.version >= 3 {
            self.replays.note(record)
        } else {
            self.rest.audit.note(self.version, record)
        }
    }

    fn put(&mut self, wid: VisitorId, person: Person) {
        self.rest.people.put(wid, person);
    }
}

/// A queue in a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct QueueSnapshot {
    rest: Rest,
    line: LineSnapshot,
    lost: LostNumbers,
    replays: Replays,
}

impl QueueSnapshot {
    /// Reads a snapshot; those of before numbers could be lost, or replays were kept apart, end
    /// earlier.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(bytes: &[u8]) -> Result<Self, postcard::Error> {
        let ((rest, line), more) = postcard::take_from_bytes(bytes)?;
        let (lost, more) = read_part(more)?;
        let (replays, _) = read_part(more)?;
        Ok(Self {
            rest,
            line,
            lost,
            replays,
        })
    }
}

/// The next part of a snapshot, empty where it ends, and what follows.
fn read_part<'a, T: Default + Deserialize<'a>>(
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), postcard::Error> {
    if bytes.is_empty() {
        Ok((T::default(), bytes))
    } else {
        postcard::take_from_bytes(bytes)
    }
}
