//! The whole screen, while a run has it.
//!
//! The other screen of the terminal is used, so that what stood there comes back. What is
//! written to the standard streams meanwhile is held, shown in part, and written once the
//! screen is given back: nothing breaks the picture, and nothing is lost but what is too much
//! to hold, which is counted.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, OnceLock, PoisonError};

use loadline_report::document::printable;

use super::{ansi, shown};

/// Bytes that are held at most.
const HELD_BYTES_MAX: usize = 8 << 20;

/// How often a panic tries to give the screen back, another thread's turn between two.
const RESTORE_TRIES: usize = 10_000;

/// A standard stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandardStream {
    Out,
    Err,
}

/// What was written while the screen was taken.
#[derive(Debug, Default)]
pub(crate) struct Held {
    texts: VecDeque<(StandardStream, String)>,
    bytes: usize,
    /// Lines that were too much, the oldest.
    lost: u64,
}

impl Held {
    fn push(&mut self, stream: StandardStream, text: &str) {
        self.bytes += text.len();
        self.texts.push_back((stream, text.to_owned()));
        while self.bytes > HELD_BYTES_MAX {
            let Some((_, oldest)) = self.texts.pop_front() else {
                return;
            };
            self.bytes -= oldest.len();
            self.lost += oldest.lines().count() as u64;
        }
    }

    /// Lines that were too much to hold.
    pub(crate) const fn lost(&self) -> u64 {
        self.lost
    }

    /// What was written, in order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (StandardStream, &str)> {
        self.texts.iter().map(|(stream, text)| (*stream, &**text))
    }

    /// The last lines, as they can be shown.
    fn last_lines(&self, most: usize) -> Vec<String> {
        let newest = self.texts.iter().rev();
        let lines = newest.flat_map(|(_, text)| text.lines().rev());
        let mut lines: Vec<String> = lines
            .filter(|line| !line.trim().is_empty())
            .take(most)
            .map(printable::line)
            .collect();
        lines.reverse();
        lines
    }
}

/// What is held while the screen is taken; `None` while it is not.
static TAKEN: Mutex<Option<Held>> = Mutex::new(None);

/// Takes the screen; what is to be written to the terminal for it.
pub(crate) fn take() -> Vec<u8> {
    super::restore_on_panic();
    *lock() = Some(Held::default());
    ansi::ENTER.to_vec()
}

/// Whether the screen is taken.
pub(crate) fn is_taken() -> bool {
    lock().is_some()
}

/// Gives the screen back and writes what was held; `lost` words how many lines are missing.
///
/// All of it is written under the lock: a line of another thread comes before or after, never
/// onto the screen that goes away.
pub(crate) fn give_back(lost: impl FnOnce(u64) -> String) {
    let mut taken = lock();
    let Some(held) = taken.take() else {
        return;
    };
    write(StandardStream::Err, ansi::LEAVE);
    if held.lost() > 0 {
        write(StandardStream::Err, lost(held.lost()).as_bytes());
    }
    for (stream, text) in held.texts() {
        write_text(stream, text);
    }
}

/// Writes a text to a stream, or keeps it while the screen is taken.
pub(crate) fn write_or_hold(stream: StandardStream, text: &str) {
    // Under the lock until it is written: the screen is not taken in between.
    let mut taken = lock();
    match &mut *taken {
        Some(held) => held.push(stream, text),
        None => write_text(stream, text),
    }
}

/// Keeps a text while the screen is taken; `false` while it is not.
pub(crate) fn hold(stream: StandardStream, text: &str) -> bool {
    let mut taken = lock();
    let Some(held) = &mut *taken else {
        return false;
    };
    held.push(stream, text);
    true
}

/// Writes a picture; `false`, and nothing is written, when the screen was given back since it was
/// made: it would take the screen, or hide the cursor, for good.
pub(crate) fn draw(picture: &[u8]) -> bool {
    let taken = lock();
    if taken.is_some() {
        write(StandardStream::Err, picture);
    }
    taken.is_some()
}

/// The last lines that are held, without what could move a cursor.
pub(crate) fn last_lines(most: usize) -> Vec<String> {
    lock()
        .as_ref()
        .map_or_else(Vec::new, |held| held.last_lines(most))
}

/// Gives the screen back in a panic. The thread that panics may be the one that holds the lock,
/// so nobody waits for it long.
pub(super) fn restore() {
    for _ in 0..RESTORE_TRIES {
        let Ok(mut taken) = TAKEN.try_lock() else {
            std::thread::yield_now();
            continue;
        };
        let Some(held) = taken.take() else {
            return;
        };
        write(StandardStream::Err, ansi::LEAVE);
        for (_, text) in held.texts() {
            write_text(StandardStream::Err, text);
        }
        return;
    }
}

/// Writes a text from a thread that prints while a test runs, line by line, without a screen.
pub(crate) fn write_now(stream: StandardStream, text: &str) {
    write_text(stream, text);
}

/// Writes a text; to a terminal, without what would steer it.
fn write_text(stream: StandardStream, text: &str) {
    let is_terminal = match stream {
        StandardStream::Out => io::stdout().is_terminal(),
        StandardStream::Err => io::stderr().is_terminal(),
    };
    if is_terminal {
        write(stream, shown::fit(text).as_bytes());
    } else {
        write(stream, text.as_bytes());
    }
}

/// The first error of standard output that is not a reader that went away.
static LOST_OUTPUT: OnceLock<io::Error> = OnceLock::new();

/// Why a part of standard output is lost, if one is: a full disk.
pub(crate) fn lost_output() -> Option<&'static io::Error> {
    LOST_OUTPUT.get()
}

/// A reader or a terminal that went away ends the writing, not the run.
fn write(stream: StandardStream, bytes: &[u8]) {
    let written = match stream {
        StandardStream::Out => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes).and_then(|()| stdout.flush())
        }
        StandardStream::Err => {
            let mut stderr = io::stderr().lock();
            stderr.write_all(bytes).and_then(|()| stderr.flush())
        }
    };
    let is_out = matches!(stream, StandardStream::Out);
    if let Err(error) = written
        && is_out
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        LOST_OUTPUT.get_or_init(|| error);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Held>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_to_hold_is_counted() {
        let mut held = Held::default();
        let line = format!("{}\n", "x".repeat(HELD_BYTES_MAX / 4));
        for _ in 0..5 {
            held.push(StandardStream::Err, &line);
        }
        assert_eq!(held.lost(), 2);
        assert_eq!(held.texts().count(), 3);
    }

    #[test]
    fn lines_are_shown_without_what_moves_a_cursor() {
        let mut held = Held::default();
        held.push(StandardStream::Err, "one\n\ntwo\x1b[2J\n");
        held.push(StandardStream::Out, "three\n");
        assert_eq!(held.last_lines(2), ["two\u{fffd}[2J", "three"]);
    }
}
