//! Tickets in order of arrival, let in at a steady rate.
//!
//! Tickets are numbers, so the whole queue is three numbers however long it is.
//! Admission that nobody waits for is lost: an empty queue saves nothing up for
//! the next rush.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Admitted,
    /// Position in the queue, 1 is next.
    Waiting(u64),
    /// No such ticket was given out.
    Unknown,
}

/// The queue.
#[derive(Debug)]
pub(crate) struct WaitingRoom {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    joined: u64,
    admitted: u64,
    /// Up to here admissions are counted.
    counted_to: Instant,
}

impl WaitingRoom {
    pub(crate) fn new(now: Instant) -> Self {
        let state = State {
            joined: 0,
            admitted: 0,
            counted_to: now,
        };
        Self {
            state: Mutex::new(state),
        }
    }

    /// Gives out the next ticket.
    pub(crate) fn join(&self, per_second: u32, now: Instant) -> (u64, Standing) {
        self.with(per_second, now, |state| {
            state.joined += 1;
            (state.joined, state.standing(state.joined))
        })
    }

    /// Where `ticket` stands.
    pub(crate) fn standing(&self, ticket: u64, per_second: u32, now: Instant) -> Standing {
        self.with(per_second, now, |state| state.standing(ticket))
    }

    fn with<T>(&self, per_second: u32, now: Instant, then: impl FnOnce(&mut State) -> T) -> T {
        // The numbers are consistent after each statement, so also after a panic elsewhere.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.admit(per_second, now);
        then(&mut state)
    }
}

impl State {
    fn admit(&mut self, per_second: u32, now: Instant) {
        let waiting = self.joined - self.admitted;
        if waiting == 0 || per_second == 0 {
            self.counted_to = now;
            return;
        }
        let gap = Duration::from_secs(1) / per_second;
        let due = now.saturating_duration_since(self.counted_to).as_nanos() / gap.as_nanos();
        let due = u64::try_from(due).unwrap_or(u64::MAX);
        if due >= waiting {
            self.admitted = self.joined;
            self.counted_to = now;
        } else {
            self.admitted += due;
            // What is left of a gap stays for the next ticket; `due` is below `waiting`.
            self.counted_to += gap * u32::try_from(due).unwrap_or(u32::MAX);
        }
    }

    fn standing(&self, ticket: u64) -> Standing {
        match ticket {
            0 => Standing::Unknown,
            _ if ticket > self.joined => Standing::Unknown,
            _ if ticket <= self.admitted => Standing::Admitted,
            _ => Standing::Waiting(ticket - self.admitted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Standing, WaitingRoom};
    use std::time::Duration;
    use tokio::time::Instant;

    const ADMISSIONS_PER_SECOND: u32 = 10;

    #[test]
    fn tickets_are_let_in_by_order_at_the_rate() {
        let start = Instant::now();
        let room = WaitingRoom::new(start);
        for ticket in 1..=5 {
            assert_eq!(
                room.join(ADMISSIONS_PER_SECOND, start),
                (ticket, Standing::Waiting(ticket))
            );
        }

        let later = start + Duration::from_millis(250);
        assert_eq!(
            room.standing(2, ADMISSIONS_PER_SECOND, later),
            Standing::Admitted
        );
        assert_eq!(
            room.standing(3, ADMISSIONS_PER_SECOND, later),
            Standing::Waiting(1)
        );
        let later = start + Duration::from_millis(300);
        assert_eq!(
            room.standing(3, ADMISSIONS_PER_SECOND, later),
            Standing::Admitted,
            "the half gap was kept"
        );
    }

    #[test]
    fn an_empty_queue_saves_nothing_up() {
        let start = Instant::now();
        let room = WaitingRoom::new(start);

        let later = start + Duration::from_secs(60);

        assert_eq!(
            room.join(ADMISSIONS_PER_SECOND, later),
            (1, Standing::Waiting(1))
        );
        let next = later + Duration::from_millis(99);
        assert_eq!(
            room.standing(1, ADMISSIONS_PER_SECOND, next),
            Standing::Waiting(1)
        );
    }

    #[test]
    fn at_rate_zero_nobody_gets_in_and_no_unknown_ticket_does() {
        let start = Instant::now();
        let room = WaitingRoom::new(start);
        room.join(0, start);
        let later = start + Duration::from_secs(3600);

        assert_eq!(room.standing(1, 0, later), Standing::Waiting(1));
        assert_eq!(
            room.standing(2, ADMISSIONS_PER_SECOND, later),
            Standing::Unknown
        );
        assert_eq!(
            room.standing(0, ADMISSIONS_PER_SECOND, later),
            Standing::Unknown
        );
    }
}
