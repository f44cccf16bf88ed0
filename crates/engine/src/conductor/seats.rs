//! The seats of one scenario: who sits where, who is on the way out.
//!
//! Seats are numbered from 0. Raising the target fills the lowest empty seats;
//! lowering it empties the highest first, as k6's ramping-vus does. A user told to
//! leave keeps its seat until it is back, and stays if the target rises again first.

use crate::command::{SeatNumber, UserRef};

/// What the conductor is to tell a worker about a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Fill this seat from the pool.
    Fill(SeatNumber),
    /// Ask this user to leave after its iteration.
    Unseat(UserRef),
    /// Tell this user to stay after all.
    Keep(UserRef),
}

/// One scenario's seats.
#[derive(Debug, Default)]
pub(super) struct Seats {
    seats: Vec<Seat>,
    target: u64,
    /// Users seated and not yet back, those without a number included.
    seated: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct Seat {
    user: Option<UserRef>,
    leaving: bool,
}

impl Seats {
    /// Sets how many seats are to be filled; the moves come in the order to make them.
    pub(super) fn aim(&mut self, target: u64) -> Vec<Move> {
        let mut moves = Vec::new();
        for number in (target..self.target).rev() {
            let seat = self.seat_mut(number);
            if let Some(user) = seat.user
                && !seat.leaving
            {
                seat.leaving = true;
                moves.push(Move::Unseat(user));
            }
        }
        self.target = target;
        for number in 0..target {
            let seat = self.seat_mut(number);
            match seat.user {
                None => moves.push(Move::Fill(number)),
                Some(user) if seat.leaving => {
                    seat.leaving = false;
                    moves.push(Move::Keep(user));
                }
                Some(_) => {}
            }
        }
        moves
    }

    /// The seats to fill are those of the target that are empty.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    pub(super) fn fill(&mut self, number: SeatNumber, user: UserRef) {
        let seat = self.seat_mut(number);
        seat.user = Some(user);
        seat.leaving = false;
        self.seated += 1;
    }

    /// A user was seated without a number.
    pub(super) fn extra_seated(&mut self) {
        self.seated += 1;
    }

    /// A user came back from its seat. True: the seat should be filled again.
    pub(super) fn returned(&mut self, number: SeatNumber) -> bool {
        self.seated = self.seated.saturating_sub(1);
        let Ok(index) = usize::try_from(number) else {
            return false;
        };
        let Some(seat) = self.seats.get_mut(index) else {
            return false;
        };
        seat.user = None;
        let was_leaving = std::mem::replace(&mut seat.leaving, false);
        was_leaving && number < self.target
    }

    pub(super) fn seated(&self) -> u64 {
        self.seated
    }

    /// The users that are on the way out of seats from `limit` up.
    pub(super) fn leaving_from(&self, limit: u64) -> impl Iterator<Item = UserRef> {
        let first = usize::try_from(limit).unwrap_or(usize::MAX);
        let seats = self.seats.get(first..).unwrap_or_default();
        seats
            .iter()
            .filter(|seat| seat.leaving)
            .filter_map(|seat| seat.user)
    }

    fn seat_mut(&mut self, number: SeatNumber) -> &mut Seat {
        let index = usize::try_from(number).expect("fewer than 2^32 users fit in memory");
        if self.seats.len() <= index {
            self.seats.resize(index + 1, Seat::default());
        }
        &mut self.seats[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_units::WorkerId;

    fn user(slot: u32) -> UserRef {
        UserRef {
            worker: WorkerId(0),
            slot,
        }
    }

    fn filled(count: u32) -> Seats {
        let mut seats = Seats::default();
        seats.aim(u64::from(count));
        for slot in 0..count {
            seats.fill(u64::from(slot), user(slot));
        }
        seats
    }

    #[test]
    fn ramping_down_empties_the_highest_seats_first() {
        let mut seats = filled(3);
        assert_eq!(seats.aim(1), [Move::Unseat(user(2)), Move::Unseat(user(1))]);
    }

    #[test]
    fn ramping_up_again_keeps_who_has_not_left_yet() {
        let mut seats = filled(2);
        seats.aim(0);
        seats.returned(1);
        assert_eq!(seats.aim(2), [Move::Keep(user(0)), Move::Fill(1)]);
    }

    #[test]
    fn only_who_is_leaving_from_a_seat_above_the_limit_is_cut() {
        let mut seats = filled(4);
        seats.aim(1);
        assert_eq!(
            seats.leaving_from(2).collect::<Vec<_>>(),
            [user(2), user(3)]
        );
        seats.aim(4);
        assert_eq!(seats.leaving_from(2).count(), 0, "they were told to stay");
    }

    #[test]
    fn a_user_that_left_although_it_was_to_stay_leaves_a_seat_to_fill() {
        let mut seats = filled(1);
        seats.aim(0);
        assert!(!seats.returned(0), "nobody wants the seat");
        assert_eq!(seats.seated(), 0);
    }
}
