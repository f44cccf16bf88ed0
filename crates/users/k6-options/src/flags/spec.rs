//! The description of a flag.

use crate::version::K6Version;

/// A flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagSpec {
    /// Its name, without dashes.
    pub name: &'static str,
    /// Its one-letter form.
    pub short: Option<char>,
    /// What its value is.
    pub kind: FlagKind,
    /// The placeholder of its value in a usage text; empty for switches.
    pub value_name: &'static str,
    /// The default value, as a usage text shows it; empty for none.
    pub default: &'static str,
    /// The value when the flag is given without one. Such a flag takes a value only after
    /// `=`.
    pub bare: Option<&'static str>,
    /// What it does, in a few words.
    pub help: &'static str,
    /// Where it belongs.
    pub group: FlagGroup,
    /// What it does in loadline.
    pub status: FlagStatus,
    /// What to use instead, if k6 is about to drop it.
    pub deprecated: Option<&'static str>,
    /// The only version of k6 that has it; `None` for all.
    pub only: Option<K6Version>,
}

/// What a flag's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagKind {
    /// On or off; given alone it is on.
    Switch,
    /// A whole number.
    Int,
    /// A length of time with units.
    Duration,
    /// A text; the last one given counts.
    Text,
    /// Texts between commas; all that are given count.
    List,
    /// A text each time it is given; all count.
    Repeated,
}

/// Where a flag belongs, in the order of a usage text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagGroup {
    /// What load there is.
    Load,
    /// How requests are sent.
    Http,
    /// What is measured, judged and shown.
    Results,
    /// How scripts run.
    Script,
    /// The program itself.
    Program,
}

/// What a flag does in loadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagStatus {
    /// It does what it does in k6.
    Supported,
    /// It is accepted and changes nothing.
    NoEffect {
        /// Why nothing.
        why: &'static str,
        /// Values that ask for nothing.
        harmless: &'static [&'static str],
    },
}

impl FlagSpec {
    /// Its name as messages show it: `-u, --vus`.
    #[must_use]
    pub fn shown(&self) -> String {
        match self.short {
            Some(short) => format!("-{short}, --{}", self.name),
            None => format!("--{}", self.name),
        }
    }
}
