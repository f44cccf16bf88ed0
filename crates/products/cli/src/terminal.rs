//! The terminal of this process: keys taken from it, its screen taken and given back.
//!
//! Both come back before the words of a panic, whichever thread it strikes.

pub(crate) mod ansi;
pub(crate) mod keys;
pub(crate) mod screen;
mod shown;
mod size;

use std::sync::Once;

pub(crate) use size::{TerminalSize, size};

/// Has keys and screen given back before a panic speaks.
fn restore_on_panic() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            keys::restore();
            screen::restore();
            before(info);
        }));
    });
}
