//! Lines from many threads to standard output and standard error, without making any of them wait.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded};
use loadline_artillery::Console;
use loadline_report::document::printable;

use crate::context::Context;
use crate::terminal::screen::{self, StandardStream};

/// Texts that may wait to be printed; more are dropped and counted.
const QUEUED_TEXTS_MAX: usize = 65_536;

/// Prints texts in the order they come, on a thread of its own.
pub(crate) struct Printer {
    thread: Mutex<Option<JoinHandle<()>>>,
    sender: Sender<Line>,
    lost: AtomicU64,
}

/// A text, and whether it goes to standard error.
struct Line {
    text: String,
    is_error: bool,
}

impl Line {
    fn out(text: String) -> Self {
        Self {
            text,
            is_error: false,
        }
    }
}

impl Printer {
    /// Starts the thread. Without one nothing is printed, and all is counted as lost. At a
    /// terminal nothing of what a target sent moves the cursor.
    pub(crate) fn start(context: &Context) -> Self {
        let is_shown = context.stdout_is_tty || context.stderr_is_tty;
        let (sender, receiver) = bounded::<Line>(QUEUED_TEXTS_MAX);
        let print = move || {
            for Line { text, is_error } in receiver {
                if text.is_empty() {
                    return;
                }
                let stream = if is_error {
                    StandardStream::Err
                } else {
                    StandardStream::Out
                };
                let text = if is_shown {
                    printable::lines(&text, usize::MAX)
                } else {
                    text
                };
                screen::write_now(stream, &text);
            }
        };
        let thread = std::thread::Builder::new()
            .name("printer".to_owned())
            .spawn(print);
        Self {
            sender,
            thread: Mutex::new(thread.ok()),
            lost: AtomicU64::new(0),
        }
    }

    /// Prints a text of our own, waiting for room if need be.
    pub(crate) fn print_own(&self, text: String) {
        if !text.is_empty() && self.sender.send(Line::out(text)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all is printed; how many texts were lost.
    pub(crate) fn finish(&self) -> u64 {
        // An empty text is the end. Without a thread there is nobody to tell.
        let _ = self.sender.send(Line::out(String::new()));
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        self.lost.load(Ordering::Relaxed)
    }
}

impl Console for Printer {
    fn print(&self, text: String) {
        if !text.is_empty() && self.sender.try_send(Line::out(text)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn print_error(&self, text: String) {
        let is_error = true;
        if !text.is_empty() && self.sender.try_send(Line { text, is_error }).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}
