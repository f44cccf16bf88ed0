//! What of a script is not turned over, and why.

use loadline_text::{Message, ngrinder};

/// Something that the written script does not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The line of the source, from 1.
    pub line: u32,
    /// That line's text, shortened.
    pub source: String,
    /// Why.
    pub reason: LossReason,
}

/// Why something is not turned over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossReason {
    /// A class, method or property that k6 has nothing for.
    NoCounterpart(String),
    /// A name that is nowhere defined in the script.
    UnknownName(String),
    /// A statement of a form that is not read.
    Unread,
    /// Nested too deeply.
    TooDeep,
    /// A body of several parts.
    Multipart,
    /// Files are read before the run only.
    FileInRun,
    /// No virtual user is told that it ends.
    ThreadEnd,
    /// It runs once for each virtual user, not once for a process.
    ForEachUser,
    /// A count that threads share: each virtual user has its own.
    SharedCount,
    /// Classes beside the one with the tests.
    OtherClass,
}

impl LossReason {
    /// The reason, for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NoCounterpart(name) => ngrinder::no_counterpart(name),
            Self::UnknownName(name) => ngrinder::unknown_name(name),
            Self::Unread => ngrinder::unread(),
            Self::TooDeep => ngrinder::too_deep(),
            Self::Multipart => ngrinder::multipart(),
            Self::FileInRun => ngrinder::file_in_run(),
            Self::ThreadEnd => ngrinder::thread_end(),
            Self::ForEachUser => ngrinder::for_each_user(),
            Self::SharedCount => ngrinder::shared_count(),
            Self::OtherClass => ngrinder::other_class(),
        }
    }
}

/// Where reading or turning over something stopped, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) line: u32,
    pub(crate) reason: LossReason,
}

impl Mistake {
    pub(crate) fn new(line: u32, reason: LossReason) -> Self {
        Self { line, reason }
    }

    pub(crate) fn unread(line: u32) -> Self {
        Self::new(line, LossReason::Unread)
    }

    pub(crate) fn no_counterpart(line: u32, name: impl Into<String>) -> Self {
        Self::new(line, LossReason::NoCounterpart(name.into()))
    }
}
