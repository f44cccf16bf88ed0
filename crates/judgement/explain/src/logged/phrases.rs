//! What programs and libraries write when something limits them: one table, by stack.
//!
//! A row is recognised in the words of its stack, at its level or above; each has a line as it is written,
//! which the tests read back, and a list of harmless lines with the same words is read as nothing. Rows are
//! asked in their order: what says why comes before what follows from it (a pool that cannot connect says
//! that the database is away before it says that no connection is free).

mod called;
mod called_refused;
mod target;

use loadline_record::signals::LineLevel;

use super::super::finding::RuleId;
use called::{AWAY, LOCKS, POOLS, REFUSED, RETRIES, SESSIONS, SLOW};
use called_refused::CALLS_REFUSED;
use target::{DOOR, MEMORY, THREADS};

/// Who writes so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum LogStack {
    Java,
    Node,
    Python,
    Go,
    DotNet,
    Rust,
    Nginx,
    Postgres,
    Mysql,
    Redis,
    /// The operating system.
    Kernel,
    /// Several write the same.
    Any,
}

/// One way of saying one thing.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct LogPhrase {
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's tests read it"))]
    pub(super) stack: LogStack,
    /// All of them stand in the line, in lower case.
    words: &'static [&'static str],
    /// None of them does.
    without: &'static [&'static str],
    /// The finding it speaks for.
    pub(super) shows: RuleId,
    /// A line below says nothing; one without a level may.
    pub(super) level: LineLevel,
    /// Once is enough to be told.
    pub(super) is_decisive: bool,
    /// As it is written.
    #[cfg_attr(not(test), expect(dead_code, reason = "the table's tests read it"))]
    pub(super) sample: &'static str,
}

impl LogPhrase {
    const fn without(mut self, words: &'static [&'static str]) -> Self {
        self.without = words;
        self
    }

    const fn decisive(mut self) -> Self {
        self.is_decisive = true;
        self
    }

    const fn from(mut self, level: LineLevel) -> Self {
        self.level = level;
        self
    }

    fn is_in(&self, text: &str) -> bool {
        self.words.iter().all(|word| text.contains(word))
            && !self.without.iter().any(|word| text.contains(word))
    }
}

const fn row(
    stack: LogStack,
    shows: RuleId,
    words: &'static [&'static str],
    sample: &'static str,
) -> LogPhrase {
    LogPhrase {
        stack,
        words,
        without: &[],
        shows,
        level: LineLevel::Warn,
        is_decisive: false,
        sample,
    }
}

/// Settings that are told, and advice to a user: no event.
const HARMLESS: &[&str] = &[
    "=false",
    "\":false",
    ": false",
    " set to ",
    "policy",
    "is configured with",
    "please try again",
    "please retry",
    "try again later",
    "self-test",
    "health check passed",
];

/// What a line says, by its words alone.
pub(super) fn phrase_of(text: &str) -> Option<&'static LogPhrase> {
    let text = text.to_lowercase();
    if HARMLESS.iter().any(|word| text.contains(word)) {
        return None;
    }
    tables().find(|phrase| phrase.is_in(&text))
}

/// All rows, in their order.
pub(super) fn tables() -> impl Iterator<Item = &'static LogPhrase> {
    [
        MEMORY,
        SESSIONS,
        LOCKS,
        AWAY,
        POOLS,
        DOOR,
        THREADS,
        SLOW,
        RETRIES,
        CALLS_REFUSED,
        REFUSED,
    ]
    .into_iter()
    .flatten()
}
