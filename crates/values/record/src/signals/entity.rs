//! What a signal is about.

use std::collections::BTreeMap;
use std::fmt;

use super::cut;

/// A part of the name of what a signal is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// The service, as its telemetry names it.
    Service,
    /// One instance of the service: a process, pod or container.
    Instance,
    /// The machine.
    Host,
    /// A pool of connections or threads.
    Pool,
    /// A collector of garbage.
    Collector,
    /// `minor` or `major`: which part of a heap was collected.
    Generation,
    /// An operation of the service: method and route.
    Operation,
    /// A database.
    Database,
    /// A statement without its literals.
    Statement,
    /// The database's number of a statement.
    StatementId,
    /// What a session of a database waits for.
    Wait,
    /// The server that a call goes to.
    Peer,
    /// A group of consumers and its topic.
    Consumer,
    /// A line of a log without its numbers and names.
    Line,
    /// The level of a line of a log, by [`LineLevel::name`](super::LineLevel::name); none where its form tells none.
    Level,
    /// A network interface.
    Interface,
    /// A program that uses a database: its name there and where it comes from.
    Client,
    /// `target` or `others`: whose sessions of a database these are, where that is known.
    Owner,
    /// `tail`: only the slowest requests; others: `typical`.
    Band,
}

impl Label {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Instance => "instance",
            Self::Host => "host",
            Self::Pool => "pool",
            Self::Collector => "collector",
            Self::Generation => "generation",
            Self::Operation => "operation",
            Self::Database => "database",
            Self::Statement => "statement",
            Self::StatementId => "statement-id",
            Self::Wait => "wait",
            Self::Peer => "peer",
            Self::Consumer => "consumer",
            Self::Line => "line",
            Self::Level => "level",
            Self::Interface => "interface",
            Self::Client => "client",
            Self::Owner => "owner",
            Self::Band => "band",
        }
    }
}

/// What a signal is about: labels with values.
#[derive(
    Debug,
    Clone,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
pub struct Entity(BTreeMap<Label, String>);

impl Entity {
    /// Without labels: the only one of its kind.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a label; an empty value takes it away.
    #[must_use]
    pub fn with(mut self, label: Label, value: &str) -> Self {
        if value.is_empty() {
            self.0.remove(&label);
        } else {
            self.0.insert(label, cut(value));
        }
        self
    }

    /// The value of a label.
    #[must_use]
    pub fn get(&self, label: Label) -> Option<&str> {
        self.0.get(&label).map(String::as_str)
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = (Label, &str)> {
        self.0.iter().map(|(label, value)| (*label, value.as_str()))
    }

    /// Whether every label that both have has the same value.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        self.labels()
            .all(|(label, value)| other.get(label).is_none_or(|theirs| theirs == value))
    }

    pub(super) fn redacted(&self, redact: impl Fn(&str) -> String) -> Self {
        let labels = self.0.iter();
        Self(labels.map(|(label, text)| (*label, redact(text))).collect())
    }
}

impl fmt::Display for Entity {
    /// `pool=main, instance=a`; empty without labels.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (label, value)) in self.labels().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{}={value}", label.name())?;
        }
        Ok(())
    }
}
