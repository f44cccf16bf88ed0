//! Waits on kernels without `epoll_pwait2`: Linux before 5.11, and some emulators.
//!
//! `epoll_wait` has a resolution of milliseconds. `ppoll` has nanoseconds and reports when the
//! epoll instance has events, which are then taken without waiting. That costs one more system
//! call per wait.

#![expect(unsafe_code, reason = "rustix takes events by epoll_pwait2 only")]

use std::io;

use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::Errno;

use super::EVENTS_PER_WAIT;

/// Waits up to `timeout` (without limit if `None`), and puts the events into `events`.
pub(crate) fn wait(
    epoll: &OwnedFd,
    events: &mut Vec<epoll::Event>,
    timeout: Option<&Timespec>,
) -> io::Result<()> {
    match poll(&mut [PollFd::new(epoll, PollFlags::IN)], timeout) {
        Ok(0) | Err(Errno::INTR) => Ok(()),
        Ok(_) => take(epoll, events),
        Err(error) => Err(error.into()),
    }
}

fn take(epoll: &OwnedFd, events: &mut Vec<epoll::Event>) -> io::Result<()> {
    let mut taken = [libc::epoll_event { events: 0, u64: 0 }; EVENTS_PER_WAIT];
    let most = libc::c_int::try_from(EVENTS_PER_WAIT).expect("a small number");
    // SAFETY: the descriptor is open, and there is room for as many events as are asked for.
    let count = unsafe { libc::epoll_wait(epoll.as_raw_fd(), taken.as_mut_ptr(), most, 0) };
    let Ok(count) = usize::try_from(count) else {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            _ => Err(error),
        };
    };
    events.extend(taken[..count].iter().map(|event| epoll::Event {
        flags: epoll::EventFlags::from_bits_retain(event.events),
        data: epoll::EventData::new_u64(event.u64),
    }));
    Ok(())
}
