//! Whether those who hold a resource wait, meanwhile, for something that is full.
//!
//! A place of a pool or an executor that is held as long as a whole request takes that waits for nothing is not held for
//! a deeper queue: its holders wait for nobody. Then the resource itself is the limit, and by Little's law the callers' own
//! numbers say so, too: places = rate × time of a request that waits for nothing.

use loadline_record::signals::{Entity, Label, SignalKind, SignalSeries};

use super::context::RuleContext;
use super::flow::Flow;
use super::input::share;

/// Times that differ by less than this factor are the same.
const EVEN_FACTOR_MAX: f64 = 1.25;
/// Times that grew by this factor are others.
const GROWN_FACTOR_MIN: f64 = 1.5;
/// Threads that are held so many times as long as a request that waits for nothing wait themselves, ...
const WAITING_FACTOR_MIN: f64 = 3.0;
/// ... for what is not seen, where less than this part of them is in what is.
const UNSEEN_PART_MAX: f64 = 0.5;
/// Connections at work in the database, or in traced statements and calls, as a part of those held.
const SEEN_PART_MIN: f64 = 0.8;
/// Traced requests that wait for a connection this share of their time, and so long, s, see that there is none free.
const WAITING_SHARE_MIN: f64 = 0.3;
const WAITING_SECONDS_MIN: f64 = 0.02;

impl RuleContext<'_> {
    /// So many places are held as long as when nobody waits; `None` where it is not known how long that is, or whose
    /// requests hold them. Where the target serves others, too, the callers' share of the places is not known, but they
    /// hold no more than all of them: holds that are quick even so are quick.
    pub(super) fn are_holders_quick(&self, held: f64) -> Option<bool> {
        let alone = self.loss.alone_ms?;
        let hold = share(held, self.measured.carried) * 1000.0;
        let is_quick = hold <= EVEN_FACTOR_MAX * alone;
        match self.flow {
            Flow::Fewer { .. } => None,
            Flow::More { .. } => (is_quick && hold > 0.0).then_some(true),
            Flow::Conserved | Flow::Unknown => (hold > 0.0).then_some(is_quick),
        }
    }

    /// The same of the connections of the main pool. Whose requests hold them is no matter where the pool itself counts how
    /// long each is held.
    pub(super) fn are_connections_quick(&self) -> bool {
        let by_callers = self.are_holders_quick(self.measured.held_connections());
        let is_quick = by_callers.or_else(|| self.are_counted_holds_quick());
        is_quick == Some(true) && !self.do_holds_grow()
    }

    /// `None` where the pool does not count its holds.
    fn are_counted_holds_quick(&self) -> Option<bool> {
        let alone = self.loss.alone_ms?;
        let holds = self.measured.main_pools().map(|pool| pool.hold);
        let holds: Option<Vec<f64>> = holds.collect();
        let longest = holds?.into_iter().reduce(f64::max)?;
        Some(longest * 1000.0 <= EVEN_FACTOR_MAX * alone)
    }

    /// Connections are held longer than at first, when less was asked: what they are held for is not theirs alone. A whole
    /// request that waits for nothing may take as long, where it does more than that.
    fn do_holds_grow(&self) -> bool {
        let growths = self.hold_growths();
        growths.flatten().any(|factor| factor >= GROWN_FACTOR_MIN)
    }

    /// Connections are counted to be held as long as when little was asked: nobody waits for anything while holding one.
    /// False where little never was asked, or a pool does not count how long it lends.
    pub(super) fn are_holds_as_when_quiet(&self) -> bool {
        let is_even = |factor: Option<f64>| factor.is_some_and(|factor| factor <= EVEN_FACTOR_MAX);
        self.view.quiet.is_some() && self.hold_growths().all(is_even)
    }

    /// By which factor connections of each main pool are held longer than at their quickest.
    fn hold_growths(&self) -> impl Iterator<Item = Option<f64>> {
        let (view, signals) = (self.view, &self.view.run.signals);
        self.measured.main_pools().map(|pool| {
            let is_its = |series: &&SignalSeries| series.entity == pool.usage.entity;
            let time = signals.of_kind(SignalKind::PoolHoldTime).find(is_its)?;
            let count = signals.of_kind(SignalKind::PoolHolds).find(is_its)?;
            let (quickest, last) = view.each_at_quickest_and_last(time, count)?;
            Some(share(last, quickest))
        })
    }

    /// The same of busy threads, where one instance has them.
    pub(super) fn are_threads_quick(&self) -> bool {
        let busy = self.view.run.signals.of_kind(SignalKind::WorkersBusy);
        let mut instances = busy.map(|series| series.entity.get(Label::Instance));
        let first = instances.next();
        let is_one = instances.all(|other| Some(other) == first);
        let workers = self.measured.workers.as_ref().filter(|_| is_one);
        workers.is_some_and(|workers| self.are_holders_quick(workers.usage.used) == Some(true))
    }

    /// Busy threads are held much longer than a request takes that waits for nothing, and for most of that time it is not seen
    /// what for: they wait for something that is full.
    pub(super) fn do_threads_wait_for_unseen(&self) -> bool {
        let workers = self.measured.workers.as_ref();
        let busy = workers.map_or(0.0, |workers| workers.usage.used);
        let alone = self.loss.alone_ms.filter(|_| self.flow == Flow::Conserved);
        let is_long = alone.is_some_and(|alone| {
            let hold = share(busy, self.measured.carried) * 1000.0;
            hold >= WAITING_FACTOR_MIN * alone
        });
        is_long && self.under_way.seen_of_threads() < UNSEEN_PART_MAX * busy
    }

    /// Traces show that requests wait for a connection.
    pub(super) fn is_pool_wait_traced(&self) -> bool {
        let traced = self.measured.traced.as_ref();
        traced.is_some_and(|traced| {
            traced.pool >= WAITING_SECONDS_MIN && traced.pool >= WAITING_SHARE_MIN * traced.all
        })
    }

    /// The database has as many sessions in the target's hands as the pool has connections held.
    pub(super) fn are_sessions_the_pools(&self) -> bool {
        let sessions = self.measured.sessions;
        let open = sessions
            .active
            .map(|active| active + sessions.idle_in_transaction.unwrap_or(0.0));
        let held = self.measured.held_connections();
        open.is_some_and(|open| open >= SEEN_PART_MIN * held && held > 0.0)
    }

    /// Who beside the target's page sees that its pool is full: callers, traces, or the database.
    pub(super) fn is_full_pool_confirmed(&self) -> bool {
        self.are_connections_quick() || self.is_pool_wait_traced() || self.are_sessions_the_pools()
    }

    /// Who beside the target's page sees that its threads are all busy, and not computing: callers by how long a request
    /// takes that waits for nothing, the kernel by the CPU they do not use.
    pub(super) fn are_busy_threads_confirmed(&self) -> bool {
        let is_kernel = self
            .view
            .gauge(SignalKind::Threads, &Entity::new())
            .is_some()
            || self.measured.run_delay.is_some();
        self.are_threads_quick() || (is_kernel && self.measured.cpu.is_some())
    }
}
