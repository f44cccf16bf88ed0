//! Whether a failure is the generator's: it ran out of something of its own.

use crate::failure::{Cause, Failure};

/// What the generator ran out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// Open files: EMFILE, ENFILE.
    OpenFiles,
    /// Local ports towards one address: EADDRNOTAVAIL.
    Ports,
}

/// The process has as many files open as it may.
const EMFILE: i32 = 24;
/// So has the system.
const ENFILE: i32 = 23;
/// No local address (port) is left.
const EADDRNOTAVAIL: i32 = 99;

impl Failure {
    /// What the generator lacked when it failed, if it was the generator's failure.
    #[must_use]
    pub fn shortage(&self) -> Option<Shortage> {
        match self.cause() {
            Cause::Dial { errno, .. } => match *errno {
                EMFILE | ENFILE => Some(Shortage::OpenFiles),
                EADDRNOTAVAIL => Some(Shortage::Ports),
                _ => None,
            },
            // A look-up needs a socket too, and its library only keeps the text.
            Cause::Lookup(text) if text.contains("os error 24)") => Some(Shortage::OpenFiles),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dial(errno: i32) -> Failure {
        Failure::new(Cause::Dial {
            remote: "127.0.0.1:1".parse().unwrap(),
            errno,
            text: String::new(),
        })
    }

    #[test]
    fn only_what_the_generator_lacks_is_a_shortage() {
        assert_eq!(dial(EMFILE).shortage(), Some(Shortage::OpenFiles));
        assert_eq!(dial(ENFILE).shortage(), Some(Shortage::OpenFiles));
        assert_eq!(dial(EADDRNOTAVAIL).shortage(), Some(Shortage::Ports));
        assert_eq!(dial(113).shortage(), None, "no route: the network's");
        assert_eq!(Failure::new(Cause::Timeout).shortage(), None);
        let lookup = Cause::Lookup("Too many open files (os error 24)".to_owned());
        assert_eq!(Failure::new(lookup).shortage(), Some(Shortage::OpenFiles));
    }

    #[test]
    fn the_numbers_are_the_kernels() {
        let kind = std::io::Error::from_raw_os_error(EADDRNOTAVAIL).kind();
        assert_eq!(kind, std::io::ErrorKind::AddrNotAvailable);
        let text = std::io::Error::from_raw_os_error(EMFILE).to_string();
        assert!(text.contains("Too many open files"), "{text}");
    }
}
