//! Keys that change a run under way: what they mean, and the terminal that gives them.
//!
//! The terminal hands over each key at once and unseen while a [`Keyboard`] is held; its
//! own settings come back when it is dropped, and before the words of a panic.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use crossbeam_channel::{Receiver, never, unbounded};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// Begin nothing new, or go on.
    Pause,
    /// More load.
    More,
    /// Less load.
    Less,
    /// End in good order.
    Stop,
    /// End at once.
    Abort,
    /// What do keys do?
    Help,
    /// The other language.
    Language,
}

/// What bytes from the terminal mean; what no key of ours is, is passed over, also the
/// rest of an escape sequence (arrows and the like).
pub(crate) fn decode(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            0x1b => {
                // `ESC [ ... letter` or `ESC O letter`.
                let mut next = rest.next();
                if matches!(next, Some(b'[' | b'O')) {
                    next = rest.find(|b| (0x40..=0x7e).contains(b));
                }
                let _ = next;
            }
            b'p' | b'P' | b'h' | b' ' => keys.push(Key::Pause),
            b'+' | b'=' => keys.push(Key::More),
            b'-' | b'_' => keys.push(Key::Less),
            b'q' => keys.push(Key::Stop),
            b'Q' => keys.push(Key::Abort),
            b'?' => keys.push(Key::Help),
            b'l' => keys.push(Key::Language),
            _ => {}
        }
    }
    keys
}

/// Stands for no key in a terminal's settings.
const NO_KEY: u8 = 0;

/// The terminal's own settings, as long as ours hold.
static OWN_SETTINGS: Mutex<Option<Termios>> = Mutex::new(None);

/// The terminal, giving keys one by one.
#[derive(Debug)]
pub(crate) struct Keyboard {
    keys: Receiver<Key>,
    /// Whether any key can come.
    pub(crate) is_held: bool,
}

impl Keyboard {
    /// No terminal: no key ever comes.
    pub(crate) fn none() -> Self {
        Self {
            keys: never(),
            is_held: false,
        }
    }

    /// The terminal at standard input. None of its keys come when it has other things to
    /// do: another process in front, or settings it does not give.
    pub(crate) fn of_stdin() -> Self {
        let stdin = io::stdin();
        // Changing a terminal from behind stops the process that does it.
        let in_front = tcgetpgrp(&stdin).is_ok_and(|group| group == rustix::process::getpgrp());
        let Some(own) = tcgetattr(&stdin).ok().filter(|_| in_front) else {
            return Self::none();
        };
        let mut ours = own.clone();
        // Signals stay: Ctrl-C is the terminal's business.
        ours.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        // A run that Ctrl-Z stopped would leave its target waiting and its screen behind.
        ours.special_codes[SpecialCodeIndex::VSUSP] = NO_KEY;
        ours.special_codes[SpecialCodeIndex::VMIN] = 1;
        ours.special_codes[SpecialCodeIndex::VTIME] = 0;
        *lock() = Some(own);
        super::restore_on_panic();
        if tcsetattr(&stdin, OptionalActions::Now, &ours).is_err() {
            *lock() = None;
            return Self::none();
        }
        let (sender, keys) = unbounded();
        // It waits for keys until the process ends.
        let reader = std::thread::Builder::new().name("keys".to_owned());
        let spawned = reader.spawn(move || {
            let mut buffer = [0; 64];
            while let Ok(count) = io::stdin().lock().read(&mut buffer) {
                let keys = decode(&buffer[..count]);
                if count == 0 || keys.into_iter().any(|key| sender.send(key).is_err()) {
                    return;
                }
            }
        });
        match spawned {
            Ok(_) => Self {
                keys,
                is_held: true,
            },
            Err(_) => Self::none(), // a run goes on without keys
        }
    }

    /// Keys as they come.
    pub(crate) fn keys(&self) -> &Receiver<Key> {
        &self.keys
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        restore();
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Termios>> {
    OWN_SETTINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the terminal its own settings back.
pub(super) fn restore() {
    if let Some(own) = lock().take() {
        // A terminal that went away needs none.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_means_what_the_help_line_says() {
        assert_eq!(
            decode(b"ph+-qQ?l"),
            [
                Key::Pause,
                Key::Pause,
                Key::More,
                Key::Less,
                Key::Stop,
                Key::Abort,
                Key::Help,
                Key::Language
            ]
        );
    }

    #[test]
    fn escape_sequences_and_other_letters_mean_nothing() {
        assert_eq!(decode(b"\x1b[A\x1bOP\x1b[15~xyz\r\n"), []);
        assert_eq!(decode(b"\x1b[Aq"), [Key::Stop], "what follows counts");
        assert_eq!(decode("한+".as_bytes()), [Key::More]);
    }
}
