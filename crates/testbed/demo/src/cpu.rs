//! Burns CPU time.
//!
//! CPU time of the thread, not time on the wall: a thread that the generator
//! crowds out must still do all of its work, or the target would look faster the
//! harder it is pressed.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::Duration;

/// Arithmetic between two looks at the clock, which is a system call: some tens of µs.
const ROUNDS_PER_LOOK: u64 = 20_000;

/// CPU time that the calling thread has used.
pub(crate) fn thread_time() -> Duration {
    cpu_time(ClockId::ThreadCPUTime)
}

/// CPU time that the process has used.
pub(crate) fn process_time() -> Duration {
    cpu_time(ClockId::ProcessCPUTime)
}

fn cpu_time(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(now.tv_nsec).unwrap_or(0))
}

/// Computes until `clock` has advanced by `work`.
pub(crate) fn burn(work: Duration, clock: impl Fn() -> Duration) {
    let end = clock() + work;
    let mut value = 1_u64;
    while clock() < end {
        for round in 0..ROUNDS_PER_LOOK {
            value = black_box(
                value
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(round),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{burn, thread_time};
    use std::cell::Cell;
    use std::time::Duration;

    #[test]
    fn work_ends_when_the_clock_says_so() {
        let looks = Cell::new(0);

        burn(Duration::from_millis(10), || {
            looks.set(looks.get() + 1);
            Duration::from_millis(looks.get())
        });

        assert_eq!(
            looks.get(),
            11,
            "the start, then each millisecond up to the tenth"
        );
    }

    #[test]
    fn work_costs_cpu_time_of_this_thread() {
        let before = thread_time();
        burn(Duration::from_millis(2), thread_time);
        assert!(thread_time() - before >= Duration::from_millis(2));
    }
}
