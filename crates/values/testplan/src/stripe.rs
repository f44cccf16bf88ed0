//! Divides a test into parts that several generators run.
//!
//! Numbered things (users, iterations, starts) are dealt out in *stripes*. In a cycle as long as
//! the parts' common denominator, each part gets as many numbers as its share, spread as evenly
//! as possible, larger parts first. So parts that start together make exactly the load of the
//! whole, start by start, and no number belongs to two parts.
//!
//! The numbers are dealt as in k6 (its execution segments), so parts may be run by either
//! program.

/// The longest cycle that is accepted; a longer one is surely a mistake.
const LONGEST_CYCLE: u64 = 1_000_000;

/// The numbers that belong to one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripe {
    /// The part's numbers within the first cycle, ascending; at least one.
    places: Vec<u64>,
    cycle: u64,
}

/// All parts of a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripes {
    parts: Vec<Stripe>,
}

/// Why a test cannot be divided like this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StripeError {
    /// The parts do not make up the whole.
    #[error("the parts do not add up to the whole")]
    NotTheWhole,
    /// A part is empty.
    #[error("a part is empty")]
    Empty,
    /// The parts' common denominator is too large.
    #[error("the parts' common denominator exceeds 1,000,000")]
    TooFine,
}

impl Stripes {
    /// Parts with these lengths (numerator, denominator), in order; their sum must be 1.
    ///
    /// # Errors
    /// [`StripeError`].
    pub fn new(lengths: &[(u64, u64)]) -> Result<Self, StripeError> {
        let mut cycle = 1_u64;
        for (top, bottom) in lengths {
            if *top == 0 || *bottom == 0 {
                return Err(StripeError::Empty);
            }
            let bottom = bottom / common(*top, *bottom);
            cycle = (cycle / common(cycle, bottom))
                .checked_mul(bottom)
                .filter(|cycle| *cycle <= LONGEST_CYCLE)
                .ok_or(StripeError::TooFine)?;
        }
        let counts: Vec<u64> = lengths
            .iter()
            .map(|(top, bottom)| u128::from(*top) * u128::from(cycle) / u128::from(*bottom))
            .map(|count| u64::try_from(count).unwrap_or(u64::MAX))
            .collect();
        let sum = counts.iter().try_fold(0_u64, |sum, n| sum.checked_add(*n));
        if sum != Some(cycle) {
            return Err(StripeError::NotTheWhole);
        }
        Ok(Self::dealt(&counts, cycle))
    }

    /// Deals the numbers of a cycle: each number goes to the first part, in order of size, that
    /// has had less than its share so far.
    fn dealt(counts: &[u64], cycle: u64) -> Self {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|part| std::cmp::Reverse(counts[*part])); // stable: equals in order
        let mut places: Vec<Vec<u64>> = vec![Vec::new(); counts.len()];
        for number in 0..cycle {
            let due = order.iter().find(|part| {
                let had = places[**part].len() as u64;
                // number / cycle ≥ had / count
                number * counts[**part] >= had * cycle
            });
            if let Some(part) = due {
                places[*part].push(number);
            }
        }
        let parts = places.into_iter();
        Self {
            parts: parts.map(|places| Stripe { places, cycle }).collect(),
        }
    }

    /// A part.
    #[must_use]
    pub fn part(&self, index: usize) -> Option<&Stripe> {
        self.parts.get(index)
    }

    /// The parts for things that belong to `value` numbered ones: iterations that users share are
    /// dealt in proportion to each part's users. `None` for a part without users.
    #[must_use]
    pub fn by_shares_of(&self, value: u64, index: usize) -> Option<Stripe> {
        let of_part = |part: &Stripe| part.scale(value);
        let own = of_part(self.parts.get(index)?);
        if value == 0 || own == 0 {
            return None;
        }
        let shares: Vec<(u64, u64)> = self
            .parts
            .iter()
            .map(|part| (of_part(part), value))
            .filter(|(top, _)| *top > 0)
            .collect();
        let before = self.parts[..index].iter();
        let place = before.filter(|part| of_part(part) > 0).count();
        Self::new(&shares).ok()?.parts.get(place).cloned()
    }
}

impl Stripe {
    /// How many of the first `count` numbers belong to the part.
    #[must_use]
    pub fn scale(&self, count: u64) -> u64 {
        let whole = (count / self.cycle) * self.places.len() as u64;
        let rest = count % self.cycle;
        whole + self.places.partition_point(|place| *place < rest) as u64
    }

    /// The number of the part's `index`-th thing among all.
    #[must_use]
    pub fn number(&self, index: u64) -> u64 {
        let own = self.places.len() as u64;
        let place = usize::try_from(index % own).unwrap_or(usize::MAX);
        let place = self.places.get(place).copied().unwrap_or_default();
        (index / own)
            .saturating_mul(self.cycle)
            .saturating_add(place)
    }
}

/// The greatest common divisor.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(lengths: &[(u64, u64)]) -> Vec<Vec<u64>> {
        let stripes = Stripes::new(lengths).unwrap();
        stripes.parts.into_iter().map(|part| part.places).collect()
    }

    /// Computed by k6 v1.8: `NewExecutionSegmentSequenceWrapper` of 0,1/3,2/3,1 and others in its
    /// own tests.
    #[test]
    fn numbers_are_dealt_as_k6_deals_them() {
        assert_eq!(places(&[(1, 3), (1, 3), (1, 3)]), [[0], [1], [2]]);
        assert_eq!(places(&[(1, 2), (1, 2)]), [[0], [1]]);
        assert_eq!(
            places(&[(1, 4), (1, 2), (1, 4)]),
            [vec![1], vec![0, 2], vec![3]]
        );
        assert_eq!(places(&[(1, 3), (2, 3)]), [vec![1], vec![0, 2]]);
    }

    #[test]
    fn what_is_no_whole_is_refused() {
        assert_eq!(
            Stripes::new(&[(1, 2), (1, 3)]),
            Err(StripeError::NotTheWhole)
        );
        assert_eq!(Stripes::new(&[(0, 2), (1, 1)]), Err(StripeError::Empty));
        let fine = [(1, 999_983), (999_982, 999_983)];
        assert!(Stripes::new(&fine).is_ok());
        let finer = [(1, 2), (1, 999_983), (999_981, 1_999_966)];
        assert_eq!(Stripes::new(&finer), Err(StripeError::TooFine));
    }

    #[test]
    fn shared_iterations_go_by_users() {
        // 3 users on 2 halves: 2 and 1; iterations are dealt two to one.
        let stripes = Stripes::new(&[(1, 2), (1, 2)]).unwrap();
        let first = stripes.by_shares_of(3, 0).unwrap();
        let second = stripes.by_shares_of(3, 1).unwrap();
        assert_eq!((first.scale(9), second.scale(9)), (6, 3));
        assert_eq!(stripes.by_shares_of(1, 1), None);
    }

    proptest! {
        #[test]
        fn parts_together_are_the_whole_and_share_nothing(
            cuts in proptest::collection::btree_set(1_u64..60, 0..5), count in 0_u64..500,
        ) {
            let mut points: Vec<u64> = cuts.into_iter().collect();
            points.insert(0, 0);
            points.push(60);
            let lengths: Vec<(u64, u64)> = points.windows(2).map(|w| (w[1] - w[0], 60)).collect();
            let stripes = Stripes::new(&lengths).unwrap();
            let sum: u64 = stripes.parts.iter().map(|part| part.scale(count)).sum();
            prop_assert_eq!(sum, count);
            let mut numbers: Vec<u64> = Vec::new();
            for part in &stripes.parts {
                numbers.extend((0..part.scale(count)).map(|index| part.number(index)));
            }
            numbers.sort_unstable();
            prop_assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }
}
