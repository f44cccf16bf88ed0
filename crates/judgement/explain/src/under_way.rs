//! How many requests are under way, and in what: by Little's law a rate times a time.
//!
//! Those that callers have under way are the whole; what a resource's users and waiters are of it is the
//! resource's part. Requests that wait behind them for what those keep busy, such as threads and
//! connections, are charged to it.

use loadline_record::signals::{Entity, SignalKind};

use super::input::share;
use super::measured::Measured;
use super::view::RunView;

/// An account is closed from this share on.
pub(super) const CLOSED_SHARE_MIN: f64 = 0.8;
/// Holders of a resource are in something for most of the time from this share on.
const MOSTLY_SHARE_MIN: f64 = 0.5;
/// A loop that is used so much, and computes with this much of a core, has no time left.
const BUSY_LOOP_SHARE_MIN: f64 = 0.9;
const BUSY_LOOP_CORES_MIN: f64 = 0.8;
/// A part that exceeds the whole by more than this factor belongs to somebody else, too.
const EXCESS_FACTOR_MAX: f64 = 1.25;
/// ... and by more than so many requests: small numbers are noisy.
const EXCESS_REQUESTS_MIN: f64 = 1.5;

/// What a finding accounts for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Account {
    /// This share of the requests that callers have under way, 0 to 1.
    Share(f64),
    /// At least this share: those that wait for a connection or a thread are not seen.
    AtLeast(f64),
    /// More requests than there are: what was measured is not of this target alone.
    Exceeds,
    /// It cannot be told.
    Unknown,
}

impl Account {
    /// The share, if it is known.
    pub(super) const fn share(self) -> Option<f64> {
        match self {
            Self::Share(share) | Self::AtLeast(share) => Some(share),
            Self::Exceeds | Self::Unknown => None,
        }
    }
}

/// Requests under way, on average: as callers see them, and by what they are in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UnderWay {
    /// All, as callers see them.
    pub(super) callers: f64,
    /// Inside the target, as it counts them.
    pub(super) inside: Option<f64>,
    /// Before the target while all that take requests there are busy.
    pub(super) queued_before: f64,
    pub(super) pool_used: f64,
    pool_pending: f64,
    sessions: Option<f64>,
    pub(super) locked: f64,
    statements: f64,
    pub(super) outside: f64,
    pub(super) core_wait: f64,
    pub(super) storage: f64,
    pub(super) message: f64,
    /// Who waits for a connection is seen.
    pub(super) sees_pools: bool,
    /// Who waits for a thread is seen.
    pub(super) sees_threads: bool,
}

/// The one loop of a target is busy all the time, with computing.
fn is_computing(view: &RunView<'_>, measured: &Measured) -> bool {
    let any = Entity::new();
    let busy = view.largest(SignalKind::EventLoopUse, &any);
    let used = measured.cpu.as_ref().map(|cpu| cpu.used);
    busy.is_some_and(|busy| busy >= BUSY_LOOP_SHARE_MIN)
        && used.is_some_and(|used| used >= BUSY_LOOP_CORES_MIN)
}

impl UnderWay {
    pub(super) fn new(view: &RunView<'_>, measured: &Measured) -> Self {
        let callers = view.callers.under_way;
        let workers = measured.workers.as_ref();
        let inside = workers
            .map(|workers| workers.usage.used)
            .or_else(|| Some(measured.server_time? * measured.rate));
        let before = inside.map_or(0.0, |inside| (callers - inside).max(0.0));
        let all_busy = workers.is_some_and(|workers| workers.is_queued_for);
        let outside = measured.outside.as_ref();
        let traced = measured.traced.as_ref();
        // Traces show who waits for a connection where the pool itself is not seen.
        let waits_are_traced = traced.is_some_and(|traced| traced.pool > 0.0);
        let (pool_used, pool_pending) = match traced {
            Some(traced) if measured.pools.is_empty() => (
                (traced.sql + traced.held) * view.callers.ended,
                traced.pool * view.callers.ended,
            ),
            _ => (
                measured.held_connections(),
                measured.pools.iter().map(|pool| pool.pending).sum(),
            ),
        };
        Self {
            callers,
            inside,
            queued_before: if all_busy { before } else { 0.0 },
            pool_used,
            pool_pending,
            sessions: measured.sessions.active,
            locked: measured.sessions.lock.unwrap_or(0.0),
            // While a loop computes for others, or a thread waits for a core, the answer of a statement is not read: its
            // span goes on.
            statements: if measured.are_statements_traced_alone()
                && (is_computing(view, measured) || measured.is_short_of_cores())
            {
                0.0
            } else {
                measured.statement_time
            },
            outside: outside.map_or(0.0, |outside| outside.mean * outside.calls),
            core_wait: measured.run_delay.unwrap_or(0.0),
            storage: view
                .largest(SignalKind::StorageWaiters, &Entity::new())
                .unwrap_or(0.0),
            message: traced.map_or(0.0, |traced| traced.message * measured.rate),
            sees_pools: !measured.pools.is_empty() || waits_are_traced,
            sees_threads: workers.is_some(),
        }
    }

    /// Those in the database: at work, or in statements where its sessions are not seen.
    pub(super) fn database(&self) -> f64 {
        self.sessions.unwrap_or(self.statements)
    }

    /// So many use a resource, and those who wait for a connection or a thread meanwhile: behind
    /// holders who are in it for most of their time.
    pub(super) fn with_those_behind(&self, users: f64) -> f64 {
        let mut all = users;
        if users >= MOSTLY_SHARE_MIN * self.pool_used && self.pool_used > 0.0 {
            all = all.max(self.pool_used) + self.pool_pending;
        }
        let threads = self.inside.unwrap_or(0.0);
        if all >= MOSTLY_SHARE_MIN * threads {
            all += self.queued_before;
        }
        all
    }

    /// Requests inside the target of which it is seen what they are in.
    pub(super) fn seen_of_threads(&self) -> f64 {
        let pool = self.pool_used.max(self.database()) + self.pool_pending;
        pool.max(self.outside) + self.core_wait + self.storage + self.message
    }

    /// All but those in something else than computing.
    pub(super) fn computing(&self) -> f64 {
        let database = self.database().max(self.locked);
        let on_a_core = (self.pool_used - database - self.outside).max(0.0);
        let pending = self.pool_pending * (1.0 - share(on_a_core, self.pool_used));
        let elsewhere = database + self.outside + pending + self.storage + self.message;
        (self.callers - elsewhere).max(0.0)
    }

    /// The part of those who use a resource of the target's own. More than there are have been given up by
    /// their callers, and are worked on still.
    pub(super) fn own(&self, requests: f64) -> Account {
        if self.callers > 0.0 {
            Account::Share((requests / self.callers).min(1.0))
        } else {
            Account::Unknown
        }
    }

    /// The same; where threads are not seen, requests may wait for one of those that wait for this.
    pub(super) fn behind_threads(&self, account: Account) -> Account {
        match account {
            Account::Share(share) if !self.sees_threads && share < CLOSED_SHARE_MIN => {
                Account::AtLeast(share)
            }
            account => account,
        }
    }

    /// The part of those who use a resource that others may use, too, such as a database.
    pub(super) fn shared(&self, users: f64) -> Account {
        let is_more = users > EXCESS_FACTOR_MAX * self.callers;
        if is_more && users - self.callers > EXCESS_REQUESTS_MIN {
            return Account::Exceeds;
        }
        match self.own(self.with_those_behind(users)) {
            Account::Share(share) if !self.sees_pools => Account::AtLeast(share),
            account => self.behind_threads(account),
        }
    }
}
