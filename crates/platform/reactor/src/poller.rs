//! The kernel side: epoll, edge-triggered, each socket registered once for both directions.

mod old_kernel;

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rustix::event::{Timespec, epoll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;

/// The last known readiness of a socket, and the tasks that wait for it.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    readable: Cell<bool>,
    writable: Cell<bool>,
    /// The peer ended or broke the stream: a read always returns at once.
    ended: Cell<bool>,
    reader: RefCell<Option<Waker>>,
    writer: RefCell<Option<Waker>>,
}

impl Readiness {
    pub(crate) fn is_readable(&self) -> bool {
        self.readable.get()
    }

    pub(crate) fn is_writable(&self) -> bool {
        self.writable.get()
    }

    /// The socket was empty: wait for the next edge.
    pub(crate) fn clear_readable(&self) {
        self.readable.set(self.ended.get());
    }

    /// The socket was full: wait for the next edge.
    pub(crate) fn clear_writable(&self) {
        self.writable.set(false);
    }

    pub(crate) fn set_readable(&self) {
        set_side(&self.readable, &self.reader);
    }

    /// No further edge will come for reads.
    pub(crate) fn set_ended(&self) {
        self.ended.set(true);
    }

    pub(crate) fn set_writable(&self) {
        set_side(&self.writable, &self.writer);
    }

    pub(crate) fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<()> {
        poll_side(&self.readable, &self.reader, cx)
    }

    pub(crate) fn poll_writable(&self, cx: &mut Context<'_>) -> Poll<()> {
        poll_side(&self.writable, &self.writer, cx)
    }
}

/// Wakes the waiting task. There is none if the side was ready already: each event reports both
/// sides, and most concern only one.
fn set_side(ready: &Cell<bool>, side: &RefCell<Option<Waker>>) {
    if !ready.replace(true)
        && let Some(waker) = side.borrow().as_ref()
    {
        waker.wake_by_ref();
    }
}

/// Keeps the waker between waits, so a task that waits repeatedly clones it once.
fn poll_side(ready: &Cell<bool>, side: &RefCell<Option<Waker>>, cx: &mut Context<'_>) -> Poll<()> {
    if ready.get() {
        return Poll::Ready(());
    }
    let mut kept = side.borrow_mut();
    match kept.as_mut() {
        Some(waker) if waker.will_wake(cx.waker()) => {}
        _ => *kept = Some(cx.waker().clone()),
    }
    Poll::Pending
}

/// Marks the events of the eventfd.
const EVENTFD_KEY: u64 = u64::MAX;
/// How many events are taken from the kernel at once.
const EVENTS_PER_WAIT: usize = 256;

/// An epoll instance and its sockets.
pub(crate) struct Poller {
    epoll: OwnedFd,
    events: RefCell<Vec<epoll::Event>>,
    sockets: RefCell<Sockets>,
    /// The kernel has no epoll that waits with nanosecond precision.
    old_kernel: Cell<bool>,
}

/// The registered sockets by slot. The generation distinguishes a late event of a closed socket
/// from an event of the next socket in its slot.
#[derive(Debug, Default)]
struct Sockets {
    slots: Vec<(u32, Option<Rc<Readiness>>)>,
    free: Vec<u32>,
}

impl Poller {
    pub(crate) fn new(eventfd: Option<&OwnedFd>) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        if let Some(eventfd) = eventfd {
            let data = epoll::EventData::new_u64(EVENTFD_KEY);
            epoll::add(&epoll, eventfd, data, epoll::EventFlags::IN)?;
        }
        Ok(Self {
            epoll,
            events: RefCell::new(Vec::with_capacity(EVENTS_PER_WAIT)),
            sockets: RefCell::default(),
            old_kernel: Cell::new(false),
        })
    }

    /// Registers a socket. Pass the returned key to [`Poller::forget`] before it is closed.
    pub(crate) fn register(&self, socket: impl AsFd, ready: Rc<Readiness>) -> io::Result<u64> {
        let mut sockets = self.sockets.borrow_mut();
        let slot = match sockets.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(sockets.slots.len())
                    .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                sockets.slots.push((0, None));
                slot
            }
        };
        let (generation, entry) = &mut sockets.slots[slot as usize];
        let key = u64::from(*generation) << 32 | u64::from(slot);
        *entry = Some(ready);
        let flags = epoll::EventFlags::IN
            | epoll::EventFlags::OUT
            | epoll::EventFlags::RDHUP
            | epoll::EventFlags::ET;
        if let Err(error) = epoll::add(&self.epoll, socket, epoll::EventData::new_u64(key), flags) {
            *entry = None;
            sockets.free.push(slot);
            return Err(error.into());
        }
        Ok(key)
    }

    /// Removes a socket that is about to be closed; closing removes it from epoll.
    pub(crate) fn forget(&self, key: u64) {
        let slot = slot_of(key);
        let mut sockets = self.sockets.borrow_mut();
        let (generation, entry) = &mut sockets.slots[slot];
        *entry = None;
        // The generation's top half is reserved, so that no key equals `EVENTFD_KEY`.
        *generation = (*generation + 1) & 0x7fff_ffff;
        sockets
            .free
            .push(u32::try_from(slot).expect("made from a u32"));
    }

    /// Waits up to `limit` (without limit if `None`). [`Poller::mark_ready`] then processes the
    /// events.
    pub(crate) fn wait(&self, limit: Option<Duration>) -> io::Result<()> {
        let timeout = limit.map(|limit| Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(limit.subsec_nanos()),
        });
        let mut events = self.events.borrow_mut();
        events.clear();
        if !self.old_kernel.get() {
            let room = rustix::buffer::spare_capacity(&mut events);
            match epoll::wait(&self.epoll, room, timeout.as_ref()) {
                Ok(_) | Err(Errno::INTR) => return Ok(()),
                Err(Errno::NOSYS) => self.old_kernel.set(true),
                Err(error) => return Err(error.into()),
            }
        }
        old_kernel::wait(&self.epoll, &mut events, timeout.as_ref())
    }

    /// Marks the sockets that the last wait found ready, and wakes their tasks.
    pub(crate) fn mark_ready(&self) {
        for event in self.events.borrow().iter() {
            self.mark(*event);
        }
    }

    fn mark(&self, event: epoll::Event) {
        let key = event.data.u64();
        if key == EVENTFD_KEY {
            return;
        }
        let sockets = self.sockets.borrow();
        let Some((generation, Some(ready))) = sockets.slots.get(slot_of(key)) else {
            return;
        };
        if u64::from(*generation) != key >> 32 {
            return;
        }
        let flags = event.flags;
        let broken = epoll::EventFlags::ERR | epoll::EventFlags::HUP;
        if flags.intersects(epoll::EventFlags::RDHUP | broken) {
            ready.set_ended();
        }
        if flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::RDHUP | broken) {
            ready.set_readable();
        }
        if flags.intersects(epoll::EventFlags::OUT | broken) {
            ready.set_writable();
        }
    }
}

/// The low half of a key.
fn slot_of(key: u64) -> usize {
    usize::try_from(key & 0xffff_ffff).expect("32 bits fit in usize on every target we build for")
}

#[cfg(test)]
mod tests {
    use loadline_units::Clock;

    use super::*;
    use crate::MonotonicClock;

    #[test]
    fn on_an_old_kernel_a_wait_lasts_as_long_as_asked() {
        let poller = Poller::new(None).unwrap();
        poller.old_kernel.set(true);
        let clock = MonotonicClock::start();
        for micros in [300, 2_500, 700] {
            let limit = Duration::from_micros(micros);
            let begin = clock.now();
            poller.wait(Some(limit)).unwrap();
            let lasted = clock.now().since(begin);
            assert!(lasted >= limit, "{lasted:?}");
        }
    }

    #[test]
    fn on_an_old_kernel_a_wait_of_nothing_ends_and_so_does_one_for_ever_when_a_socket_has_news() {
        let poller = Poller::new(None).unwrap();
        poller.old_kernel.set(true);
        poller.wait(Some(Duration::ZERO)).unwrap();
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let ready = Rc::new(Readiness::default());
        poller.register(&ours, ready.clone()).unwrap();
        drop(theirs);
        poller.wait(None).unwrap();
        assert!(!ready.is_readable());
        poller.mark_ready();
        assert!(ready.is_readable());
    }
}
