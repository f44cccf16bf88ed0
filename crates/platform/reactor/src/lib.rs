//! A worker's event loop: sockets, nanosecond timers and wake-ups.
//!
//! A [`Reactor`] belongs to one thread. It waits for sockets ([`TcpStream`]) and timers
//! ([`Timer`]) and says which tasks to poll; it never decides what a task does. The same
//! [`ReactorHandle`] runs on a simulated backend ([`sim`]) with a virtual clock, in-memory sockets and a
//! seeded order of wake-ups, so tests of the engine and of protocols need neither time nor ports.
//!
//! Elsewhere: virtual users (`vu`), who starts them and when (`engine`).

mod budget;
mod clock;
mod handle;
mod peer_policy;
mod poller;
mod reactor;
mod run_delay;
pub mod sim;
mod socket;
mod tasks;
mod timer;
mod timers;
mod wake;
mod worker_progress;
mod yield_now;

pub use clock::MonotonicClock;
pub use handle::ReactorHandle;
pub use peer_policy::PeerPolicy;
pub use reactor::{Reactor, WaitSpan};
pub use run_delay::RunDelay;
pub use socket::TcpStream;
pub use timer::{Sleep, Timer};
pub use wake::{Registration, RemoteWaker, TaskId};
pub use worker_progress::{CallId, TaskSnapshot, WorkerProgress};
pub use yield_now::yield_now;
