//! How numbered things are distributed over workers.

/// How many of the numbers 0 to `n` - 1 belong to `worker` if number i belongs to worker i mod
/// `workers`.
///
/// # Panics
/// If there are no workers.
#[must_use]
pub fn share_of(n: u64, worker: u64, workers: u64) -> u64 {
    assert!(workers > 0, "a run has at least one worker");
    n / workers + u64::from(worker < n % workers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_shares_of_all_workers_are_the_whole(n in 0..u64::MAX / 2, workers in 1..64_u64) {
            let sum: u64 = (0..workers).map(|w| share_of(n, w, workers)).sum();
            prop_assert_eq!(sum, n);
        }

        #[test]
        fn a_share_counts_the_numbers_of_one_worker(n in 0..500_u64, workers in 1..9_u64) {
            for worker in 0..workers {
                let counted = (0..n).filter(|i| i % workers == worker).count() as u64;
                prop_assert_eq!(share_of(n, worker, workers), counted);
            }
        }
    }
}
