//! Random numbers as Artillery draws them, from [`loadline_units::random`].

use loadline_units::Random;

/// A generator seeded by the system.
///
/// # Panics
/// When the system gives no random numbers.
#[must_use]
pub fn from_system() -> Random {
    Random::new(getrandom::u64().expect("the system's random numbers cannot be read"))
}

/// lodash's `random(low, high)`: a whole number from `low` to `high`, both included; any number
/// in between if either has a fraction.
pub(crate) fn between(random: &Random, low: f64, high: f64) -> f64 {
    let (low, high) = if low > high { (high, low) } else { (low, high) };
    if low.fract() != 0.0 || high.fract() != 0.0 {
        return low + random.unit() * (high - low);
    }
    (low + (random.unit() * (high - low + 1.0)).floor()).min(high)
}

/// A run's id, in Artillery's form: `t`, then 4, 29 and 4 letters and digits that cannot be confused.
#[must_use]
pub fn test_id(random: &Random) -> String {
    const LETTERS: &[u8] = b"3456789abcdefghjkmnpqrtwxyz";
    let part = |length: usize| -> String {
        (0..length)
            .map(|_| char::from(LETTERS[random.below(LETTERS.len())]))
            .collect()
    };
    format!("t{}_{}_{}", part(4), part(29), part(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let random = Random::new(7);
        let drawn: Vec<f64> = (0..1000).map(|_| between(&random, 1.0, 3.0)).collect();
        assert!(
            drawn
                .iter()
                .all(|n| (1.0..=3.0).contains(n) && n.fract() == 0.0)
        );
        for end in [1.0, 2.0, 3.0] {
            assert!(drawn.contains(&end));
        }
    }

    #[test]
    fn ids_of_runs_have_artillerys_form() {
        let id = test_id(&Random::new(1));
        let parts: Vec<usize> = id.split('_').map(str::len).collect();
        assert_eq!((id.starts_with('t'), parts), (true, vec![5, 29, 4]));
    }
}
