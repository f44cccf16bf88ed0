//! What the numbers of one pool say together.

use std::collections::BTreeMap;

use loadline_record::signals::SignalKind;

use super::words::{Resource, Role};

/// A pool that no table names and that does not call itself one tells so many of its numbers at least: how many are in
/// use, how many there may be, and who is idle or waits.
const ROLES_OF_SHAPE_MIN: usize = 3;

/// The numbers of one pool.
#[derive(Debug, Clone, Default)]
pub(super) struct PoolNumbers(pub(super) BTreeMap<Role, f64>);

impl PoolNumbers {
    fn number(&self, role: Role) -> Option<f64> {
        self.0.get(&role).copied()
    }

    /// It is a pool by what it tells, whatever it is called.
    pub(super) fn has_shape(&self) -> bool {
        let is_whole = self.0.values().all(|value| value.fract() == 0.0);
        let most = self.limit().or_else(|| self.number(Role::Size));
        let waits = self
            .number(Role::Idle)
            .or_else(|| self.number(Role::Pending));
        let in_use = self.number(Role::Active);
        let fits = in_use
            .zip(most)
            .is_some_and(|(used, most)| used <= most && most > 0.0);
        fits && is_whole && waits.is_some() && self.0.len() >= ROLES_OF_SHAPE_MIN
    }

    /// The signals that they are.
    pub(super) fn signals(&self, resource: Resource) -> Vec<(SignalKind, Option<f64>)> {
        if let Some(queue) = self.as_queue() {
            return queue.signals(resource);
        }
        let (active, idle, pending) = (
            self.active(resource),
            self.number(Role::Idle),
            self.number(Role::Pending),
        );
        let most = self.most(active);
        match resource {
            Resource::Connections => vec![
                (SignalKind::PoolActive, active),
                (SignalKind::PoolIdle, idle),
                (SignalKind::PoolPending, pending),
                (SignalKind::PoolMax, most),
            ],
            Resource::Workers => vec![
                (SignalKind::WorkersBusy, active),
                (SignalKind::WorkersQueue, pending),
                (SignalKind::WorkersMax, most),
                (SignalKind::WorkersQueueMax, self.number(Role::QueueMax)),
                (SignalKind::WorkersRefused, self.number(Role::Refused)),
            ],
        }
    }

    fn limit(&self) -> Option<f64> {
        self.number(Role::Max)
            .or_else(|| self.number(Role::Concurrency))
    }

    /// A queue of tasks with a concurrency calls those that run pending, and its size is of those that wait.
    fn as_queue(&self) -> Option<Self> {
        let (most, running) = (self.number(Role::Concurrency)?, self.number(Role::Pending)?);
        let waiting = self.number(Role::Size)?;
        let is_told = self
            .number(Role::Active)
            .or_else(|| self.number(Role::Idle))
            .is_some();
        let own = [
            (Role::Max, most),
            (Role::Active, running),
            (Role::Pending, waiting),
        ];
        (!is_told).then(|| Self(BTreeMap::from(own)))
    }

    /// Those that there are.
    fn open(&self) -> Option<f64> {
        self.number(Role::Open).or_else(|| self.number(Role::Size))
    }

    fn active(&self, resource: Resource) -> Option<f64> {
        let idle = self.number(Role::Idle);
        let taken = |all: Option<f64>| Some((all? - idle?).max(0.0));
        let of_permits = || taken(self.limit().filter(|_| resource == Resource::Workers));
        self.number(Role::Active)
            .or_else(|| taken(self.open()))
            .or_else(of_permits)
    }

    /// The most that there may be, as far as it is told.
    fn most(&self, active: Option<f64>) -> Option<f64> {
        let size = self.number(Role::Size);
        let pending = self.number(Role::Pending);
        // Beside those that there are, the size is what there may be.
        let configured = size.filter(|_| self.number(Role::Open).is_some());
        let is_full = |most: &f64| active.is_some_and(|active| active >= *most);
        match (self.limit().or(configured), self.number(Role::OverflowMax)) {
            (Some(most), _) => Some(most),
            (None, Some(overflow)) => size.map(|size| size + overflow),
            // Without a number of waiters the size is all that is configured, as of SQLAlchemy's pools; beyond it go those
            // of the overflow, of which there is no more while one is free.
            (None, None) if pending.is_none() => match self.number(Role::Overflow) {
                Some(overflow) => size.map(|size| size + overflow.max(0.0)).filter(is_full),
                None => size.filter(|size| active.is_some_and(|active| active <= *size)),
            },
            // Nobody waits while another could be made.
            (None, None) => {
                let is_waited_for = pending.is_some_and(|pending| pending > 0.0);
                let all = || Some(active? + self.number(Role::Idle)?);
                self.open().or_else(all).filter(|_| is_waited_for)
            }
        }
    }
}
