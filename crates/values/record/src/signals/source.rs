//! Where signals came from, and what was read of the target's settings.

use super::cut;
use super::entity::Entity;
use super::kind::SignalKind;
use super::note::SourceNote;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A page in the text format of Prometheus.
    Page,
    /// A Prometheus server, asked by PromQL.
    Prometheus,
    /// Processes and cgroups of this machine.
    Process,
    /// `PostgreSQL`.
    Postgres,
    /// `MySQL` or `MariaDB`.
    Mysql,
    /// Redis.
    Redis,
    /// Traces and metrics received over OTLP.
    Otlp,
    /// Lines of logs.
    Logs,
    /// Another host's `loadline observe --listen`.
    Remote,
    /// A kind that this version does not know.
    #[serde(other)]
    Other,
}

/// How a source fared during a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceStatus {
    /// As the user named it, without secrets.
    pub name: String,
    /// What it is.
    pub kind: SourceKind,
    /// How often it answered.
    pub answered: u64,
    /// The times in which it failed.
    #[serde(default)]
    pub failures: Vec<SourceFailure>,
    /// What it could tell and does not.
    #[serde(default)]
    pub missing: Vec<MissingSignal>,
    /// What is to be known of its figures before they are believed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SourceNote>,
}

/// The most failures and missing signals of a source.
const MOST_ENTRIES: usize = 100;

impl SourceStatus {
    /// A source that has not answered yet.
    #[must_use]
    pub fn new(name: &str, kind: SourceKind) -> Self {
        Self {
            name: cut(name),
            kind,
            answered: 0,
            failures: Vec::new(),
            missing: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Records an answer, which ends a failure.
    pub fn answered(&mut self, at_ms: u64) {
        self.answered += 1;
        if let Some(open) = self.failures.last_mut().filter(|last| last.to_ms.is_none()) {
            open.to_ms = Some(at_ms);
        }
    }

    /// Records a failure; one of the same error that is still going on gets longer.
    pub fn failed(&mut self, at_ms: u64, error: &str) {
        let error = cut(error);
        if let Some(open) = self.failures.last_mut().filter(|last| last.to_ms.is_none()) {
            open.attempts += 1;
            if open.error == error {
                return;
            }
            open.to_ms = Some(at_ms);
        }
        if self.failures.len() < MOST_ENTRIES {
            self.failures.push(SourceFailure {
                error,
                from_ms: at_ms,
                to_ms: None,
                attempts: 1,
            });
        }
    }

    /// Records what it could tell and does not, once.
    pub fn lacks(&mut self, missing: MissingSignal) {
        if self.missing.len() < MOST_ENTRIES && !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }

    /// Records what is to be known of its figures, once.
    pub fn remark(&mut self, note: SourceNote) {
        if self.notes.len() < MOST_ENTRIES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn redact(&mut self, redact: impl Fn(&str) -> String) {
        self.name = redact(&self.name);
        for failure in &mut self.failures {
            failure.error = redact(&failure.error);
        }
    }
}

/// A time in which a source failed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceFailure {
    /// What went wrong.
    pub error: String,
    /// From when, ms since the run's start.
    pub from_ms: u64,
    /// Until when; `None` if it still failed at the end.
    pub to_ms: Option<u64>,
    /// How often it was tried in vain.
    pub attempts: u64,
}

/// A signal that a source could give and does not.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MissingSignal {
    /// Which, by its name in files.
    pub signal: String,
    /// The exact setting, flag or statement that turns it on.
    pub setting: String,
}

impl MissingSignal {
    /// A signal and what turns it on.
    #[must_use]
    pub fn new(kind: SignalKind, setting: &str) -> Self {
        Self {
            signal: kind.name().to_owned(),
            setting: cut(setting),
        }
    }
}

/// A setting of the target or its host, as read: a version, a flag, a size.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TargetSetting {
    /// Its name: `host.cores`, `jvm.version`, `jvm.collector`, `jvm.flags`, `postgres.max_connections`, ...
    pub name: String,
    /// What it was.
    pub value: String,
    /// Whose it is.
    #[serde(default)]
    pub entity: Entity,
}

impl TargetSetting {
    /// A setting with its value.
    #[must_use]
    pub fn new(name: &str, value: &str, entity: Entity) -> Self {
        Self {
            name: cut(name),
            value: cut(value),
            entity,
        }
    }
}
