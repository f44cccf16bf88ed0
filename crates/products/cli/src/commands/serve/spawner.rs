//! Starts processes from a thread that is as important as the server's first one.
//!
//! A process has the priority of the thread that starts it. Pages are served behind others; a test that
//! one of them starts is not.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};

/// A command, and where to tell what became of it.
type Ordered = (Command, Sender<io::Result<Child>>);

/// The thread's other end.
#[derive(Clone)]
pub(super) struct Spawner(Sender<Ordered>);

impl Spawner {
    /// Starts the thread, with the priority of the calling one. It ends with the last of its users.
    pub(super) fn start() -> io::Result<Self> {
        let (ordered, orders) = channel::<Ordered>();
        let serve = move || {
            for (mut command, answer) in orders {
                // Nobody waits for the answer when the server ends.
                let _ = answer.send(command.spawn());
            }
        };
        let thread = std::thread::Builder::new().name("spawner".to_owned());
        thread.spawn(serve).map(|_| Self(ordered))
    }

    pub(super) fn spawn(&self, command: Command) -> io::Result<Child> {
        let gone = || io::Error::other("the thread that starts processes ended");
        let (answer, answered) = channel();
        self.0.send((command, answer)).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}
