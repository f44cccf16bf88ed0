//! Something to say, not yet in words.

/// A sentence's key and arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub(crate) key: &'static str,
    pub(crate) args: Vec<(&'static str, String)>,
}

impl Message {
    /// Its key, which never changes: programs may compare it.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.key
    }
}

/// Declares sentences: a function per sentence, and the table the tests read.
macro_rules! declare_messages {
    ($($(#[$doc:meta])* $key:literal => $name:ident($($arg:ident),* $(,)?);)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name($($arg: impl ToString),*) -> $crate::message::Message {
                $crate::message::Message {
                    key: $key,
                    args: vec![$((stringify!($arg), $arg.to_string())),*],
                }
            }
        )*

        /// Key, function, arguments.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str, &[&str])] = &[
            $(($key, stringify!($name), &[$(stringify!($arg)),*]),)*
        ];
    };
}

pub(crate) use declare_messages;
