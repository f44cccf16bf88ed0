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

    /// Its arguments by name.
    pub fn args(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.args
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }
}

/// Key, function and arguments of a sentence.
#[cfg(test)]
pub(crate) type Declared = (&'static str, &'static str, &'static [&'static str]);

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

        /// What this module declares.
        #[cfg(test)]
        pub(crate) const ALL: &[$crate::message::Declared] = &[
            $(($key, stringify!($name), &[$(stringify!($arg)),*]),)*
        ];
    };
}

pub(crate) use declare_messages;
