//! Whether the first of users who all began at once were quicker than any later one, and not by chance.
//!
//! Users in loops who begin at once wait for each other from the first moment on where something serves few at once:
//! only the first of them waits for nothing, and none is as quick later on. Times that merely vary have a quickest one,
//! too. How far apart their quickest ones are shows how much quicker the next may be. Nor are all users the first: where each
//! of them was quick once, something else made them so. Nor is it a turn that is waited for when the head of an answer has
//! come: a server that writes head and body apart waits for the caller to acknowledge the head, which is done at once only
//! for the first on a connection.

use loadline_metrics::Histogram;

use super::input::number;
use super::view::RequestKind;

/// Fewer later requests do not show how far apart quick ones are.
const LATER_MIN: u64 = 60;
/// So many of the quickest later ones show it, a tenth of them at most.
const QUICKEST_REQUESTS_MAX: u64 = 10;
/// A step down from the quickest later one that is so many times the usual one comes by chance once in 1,000 times; and
/// then it may come at any time of the run.
const USUAL_STEPS_MIN: f64 = 7.0;

/// Of users who wait for each other so many are quick at first, as a share of all: those that are served at once, and the
/// next ones.
const QUICK_USERS_SHARE_MAX: f64 = 0.85;

/// Users in loops who all began at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct UsersInLoops {
    pub(super) count: f64,
    /// From the first to the last byte of an answer, on average, ms.
    pub(super) receiving_ms: f64,
}

impl UsersInLoops {
    /// They waited for each other from the first moment on: some of the first were quicker than any later one.
    pub(super) fn are_waiting(self, kinds: &[RequestKind<'_>]) -> bool {
        let quick: f64 = kinds.iter().map(quick_at_first).sum();
        let mut kinds = kinds.iter();
        quick < QUICK_USERS_SHARE_MAX * self.count
            && kinds.any(|kind| self.is_quicker_than_by_chance(kind))
    }

    /// The quickest request of all is quicker than the quickest later one by more than chance makes it.
    pub(super) fn is_quicker_than_by_chance(self, kind: &RequestKind<'_>) -> bool {
        let later = kind.later.min().map(|later| later - self.receiving_ms);
        let quickest = kind.all.min().zip(later);
        let Some((first, later)) = quickest.filter(|(first, later)| *first > 0.0 && first < later)
        else {
            return false;
        };
        usual_step(&kind.later).is_some_and(|step| (later / first).ln() >= USUAL_STEPS_MIN * step)
    }
}

/// So many requests of a kind are nearer to its quickest one than to the quickest later one.
fn quick_at_first(kind: &RequestKind<'_>) -> f64 {
    let quickest = kind.all.min().zip(kind.later.min());
    quickest.map_or(0.0, |(first, later)| {
        number(
            kind.all
                .count_where(|ms| ms * ms <= first * later && ms < later),
        )
    })
}

/// By how much the quickest of so many times is quicker than the next, on average: the difference of the logarithms. In
/// the tail of a law the next ones are nearer by a half, a third, a fourth of it.
fn usual_step(times: &Histogram) -> Option<f64> {
    let count = times.count();
    if count < LATER_MIN {
        return None;
    }
    let ranks = (count / 10).min(QUICKEST_REQUESTS_MAX);
    let parts: f64 = (1..ranks).map(|rank| 1.0 / number(rank)).sum();
    let last = times.percentile(number(ranks - 1) / number(count - 1))?;
    let first = times.min().filter(|first| *first > 0.0)?;
    Some((last / first).ln() / parts)
}

#[cfg(test)]
mod tests {
    use loadline_units::random::Random;

    use super::*;

    fn one_user(receiving_ms: f64) -> UsersInLoops {
        UsersInLoops {
            count: 1.0,
            receiving_ms,
        }
    }

    fn is_told(first: &[f64], later: &[f64]) -> bool {
        let mut all = Histogram::from_values(first);
        all.merge(&Histogram::from_values(later));
        one_user(0.0).is_quicker_than_by_chance(&RequestKind {
            all: &all,
            later: Histogram::from_values(later),
        })
    }

    /// Seen: "LIMITED, by something that is not seen" of targets whose times vary, whatever the number of users.
    #[test]
    fn times_that_vary_have_a_quickest_one() {
        let lognormal = |spread: f64| move |random: &Random| (4.0 + spread * random.normal()).exp();
        assert_is_not_told("lognormal, 0.5", lognormal(0.53));
        assert_is_not_told("lognormal, 1.1", lognormal(1.1));
        assert_is_not_told("uniform", |random| 10.0 + 290.0 * random.unit());
        assert_is_not_told("exponential", |random| -50.0 * (1.0 - random.unit()).ln());
        assert_is_not_told("two humps", |random| {
            let (least, spread) = if random.unit() < 0.8 {
                (200.0, 50.0)
            } else {
                (20.0, 5.0)
            };
            least + spread * random.unit()
        });
    }

    fn assert_is_not_told(name: &str, law: impl Fn(&Random) -> f64) {
        for count in [80, 600, 6_000] {
            let told = (0..300).filter(|seed| {
                let random = Random::new(*seed);
                let times: Vec<f64> = (0..count).map(|_| law(&random)).collect();
                let (first, later) = times.split_at(count / 6);
                is_told(first, later)
            });
            let told = told.count();
            assert!(told <= 3, "{name}, {count}: {told} of 300");
        }
    }

    fn is_wave(first: &[f64], later: &[f64], users: f64) -> bool {
        let mut all = Histogram::from_values(first);
        all.merge(&Histogram::from_values(later));
        let later = Histogram::from_values(later);
        let users = UsersInLoops {
            count: users,
            receiving_ms: 0.0,
        };
        users.are_waiting(&[RequestKind { all: &all, later }])
    }

    /// Seen: "LIMITED at 75.7 requests/s: the target serves about 2 at once" of five users and a server that writes head and
    /// body apart: but for the first on a connection, each answer waited 40 ms for the caller to acknowledge its head.
    #[test]
    fn users_who_are_all_quick_at_first_do_not_wait_for_each_other() {
        let random = Random::new(3);
        for users in [2, 3, 5, 10, 50] {
            let first: Vec<f64> = (0..users).map(|_| 22.0 + 4.0 * random.unit()).collect();
            let later: Vec<f64> = (0..700).map(|_| 62.0 + 8.0 * random.unit()).collect();
            assert!(!is_wave(&first, &later, f64::from(users)), "{users}");
            // As long as all take as if they were served one after the other, or two at once.
            for at_once in [1, 2] {
                let in_turn = |at: i32| 22.0 * f64::from(1 + at / at_once) + random.unit();
                let first: Vec<f64> = (0..users).map(in_turn).collect();
                let each = 22.0 * f64::from(users) / f64::from(at_once);
                let later: Vec<f64> = (0..700).map(|_| each + 2.0 * random.unit()).collect();
                let is_slower = each >= 1.4 * 22.0;
                assert_eq!(
                    is_wave(&first, &later, f64::from(users)),
                    is_slower,
                    "{users}"
                );
            }
        }
    }

    #[test]
    fn what_is_waited_for_between_head_and_body_is_no_turn() {
        let random = Random::new(9);
        let law = || -20.0 * (1.0 - random.unit()).ln() + 5.0;
        let first: Vec<f64> = (0..5).map(|_| law()).collect();
        let later: Vec<f64> = (0..700).map(|_| law() + 40.0).collect();
        let mut all = Histogram::from_values(&first);
        all.merge(&Histogram::from_values(&later));
        let later = Histogram::from_values(&later);
        let kind = RequestKind { all: &all, later };
        assert!(one_user(0.0).is_quicker_than_by_chance(&kind));
        assert!(!one_user(39.7).is_quicker_than_by_chance(&kind));
    }

    #[test]
    fn the_first_of_a_queue_is_quicker_than_any_later_one() {
        let random = Random::new(7);
        // Twenty users, four served at once for 20 ms each.
        let first: Vec<f64> = (0..20).map(|at| 20.0 * f64::from(1 + at / 4)).collect();
        let later: Vec<f64> = (0..600).map(|_| 100.0 + 3.0 * random.normal()).collect();
        assert!(is_told(&first, &later));
    }
}
