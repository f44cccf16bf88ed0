//! Threads that serve beside a load, and make room for it.

#![expect(
    unsafe_code,
    reason = "no crate of ours sets the time slice of a thread"
)]

use std::io;

/// Steps of niceness below others: a third of the share of a thread that is not nice, so that pages
/// live on a busy machine.
const NICENESS_STEPS: i32 = 5;
/// There is nothing nicer.
const NICENESS_MAX: i32 = 19;
/// The shortest time slice that Linux gives. A thread that wakes waits no longer for one that runs.
const SLICE_NANOS: u64 = 100_000;

/// The priority of threads that run behind others of their process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackgroundPriority {
    niceness: i32,
}

impl BackgroundPriority {
    /// Behind the calling thread.
    #[must_use]
    pub fn below_this_thread() -> Self {
        Self {
            niceness: (niceness() + NICENESS_STEPS).min(NICENESS_MAX),
        }
    }

    /// Gives it to the calling thread and those that it starts: an ordinary thread whatever it was
    /// before, nice, and in short slices.
    ///
    /// # Errors
    /// The system refuses; the thread runs on as before.
    pub fn apply(self) -> io::Result<()> {
        let size = u32::try_from(size_of::<libc::sched_attr>()).map_err(io::Error::other)?;
        let attributes = libc::sched_attr {
            size,
            sched_policy: libc::SCHED_OTHER.cast_unsigned(),
            sched_flags: 0,
            sched_nice: self.niceness,
            sched_priority: 0,
            // Linux before 6.12 passes it over.
            sched_runtime: SLICE_NANOS,
            sched_deadline: 0,
            sched_period: 0,
        };
        // SAFETY: the structure is whole, and the call does not keep it.
        let answer = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
        match answer {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// How nice the calling thread is.
fn niceness() -> i32 {
    // SAFETY: it reads a number of the calling thread, which is there.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}

#[cfg(test)]
mod tests {
    use super::{BackgroundPriority, NICENESS_MAX, NICENESS_STEPS, niceness};

    #[test]
    fn a_thread_and_those_it_starts_run_behind_their_process() {
        let before = niceness();
        let priority = BackgroundPriority::below_this_thread();
        let inner = move || {
            priority.apply().unwrap();
            niceness()
        };
        let outer = move || [inner(), std::thread::spawn(inner).join().unwrap()];
        let found = std::thread::spawn(outer).join().unwrap();
        assert_eq!(found, [(before + NICENESS_STEPS).min(NICENESS_MAX); 2]);
        assert_eq!(niceness(), before, "others are as they were");
    }
}
