//! Ids of tenants, queues and keys: 8 random bytes, written with a letter before.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! declare_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub [u8; 8]);

        impl $name {
            /// Draws a new one.
            ///
            /// # Errors
            /// The system's, when it has no randomness.
            pub fn draw() -> Result<Self, getrandom::Error> {
                let mut bytes = [0; 8];
                getrandom::fill(&mut bytes)?;
                Ok(Self(bytes))
            }

            /// Reads one as it prints.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let digits = text.strip_prefix($prefix)?;
                let lower = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                if digits.len() != 16 || !digits.bytes().all(lower) {
                    return None;
                }
                u64::from_str_radix(digits, 16).ok().map(|number| Self(number.to_be_bytes()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{:016x}"), u64::from_be_bytes(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

declare_id! {
    /// A tenant.
    TenantId, "t_"
}
declare_id! {
    /// A queue.
    QueueId, "q_"
}
declare_id! {
    /// An API key.
    KeyId, "k_"
}
