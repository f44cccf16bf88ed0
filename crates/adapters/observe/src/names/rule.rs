//! One row of a table: a metric, and the signal it is.

use std::borrow::Cow;

use loadline_record::signals::{Label, SignalKind};
use loadline_units::PathPart;

use super::setup::Family;
use crate::exposition::Sample;

/// How samples of one signal are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Sum,
    Max,
    /// The number of samples.
    Count,
}

/// How a metric is late that tells of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LateValue {
    /// A mean of a minute, dated by its beginning.
    MinuteBeginning,
    /// ... by its end.
    MinuteEnd,
    /// It is so all the time.
    Constant,
}

/// A metric and the signal it is.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) metric: &'static str,
    pub(super) kind: SignalKind,
    pub(super) scale: f64,
    only: &'static [(&'static str, &'static str)],
    pub(super) named: &'static [(&'static str, Label)],
    /// The labels of an operation's method and route.
    pub(super) operation: Option<(&'static str, &'static str)>,
    pub(super) join: Join,
    /// Zero stands for "none".
    pub(super) is_positive: bool,
    /// It holds only where such metrics are not on the page.
    pub(super) unless: Option<Family>,
    /// Its values are of the past.
    pub(super) late: Option<LateValue>,
}

impl Rule {
    /// A row without conditions.
    pub(super) const fn new(metric: &'static str, kind: SignalKind) -> Self {
        Self {
            metric,
            kind,
            scale: 1.0,
            only: &[],
            named: &[],
            operation: None,
            join: Join::Sum,
            is_positive: false,
            unless: None,
            late: None,
        }
    }

    /// Only samples with these labels. `!x` stands for any value but `x`, `x*` for all that
    /// begin with `x`, `x|y` for either.
    pub(super) const fn only(self, only: &'static [(&'static str, &'static str)]) -> Self {
        Self { only, ..self }
    }

    /// Labels that name what it is about; of several for one name the first that has a value.
    pub(super) const fn named(self, named: &'static [(&'static str, Label)]) -> Self {
        Self { named, ..self }
    }

    pub(super) const fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    pub(super) const fn operation(self, method: &'static str, route: &'static str) -> Self {
        let operation = Some((method, route));
        Self { operation, ..self }
    }

    pub(super) const fn largest(self) -> Self {
        let join = Join::Max;
        Self { join, ..self }
    }

    pub(super) const fn counted(self) -> Self {
        let join = Join::Count;
        Self { join, ..self }
    }

    pub(super) const fn positive(self) -> Self {
        Self {
            is_positive: true,
            ..self
        }
    }

    pub(super) const fn unless(self, family: Family) -> Self {
        let unless = Some(family);
        Self { unless, ..self }
    }

    pub(super) const fn late(self, late: LateValue) -> Self {
        let late = Some(late);
        Self { late, ..self }
    }

    /// Whether a sample has the labels asked for.
    pub(super) fn holds(&self, sample: &Sample<'_>) -> bool {
        let mut only = self.only.iter();
        only.all(|(label, wanted)| fits(sample.label(label), wanted))
    }
}

fn fits(value: &str, wanted: &str) -> bool {
    if let Some(other) = wanted.strip_prefix('!') {
        return value != other;
    }
    match wanted.strip_suffix('*') {
        Some(beginning) => value.starts_with(beginning),
        None => wanted.split('|').any(|one| value == one),
    }
}

/// A label's value in our words: which part of a heap was collected.
pub(super) fn plain(label: Label, value: &str) -> &str {
    let is_generation = label == Label::Generation;
    match value {
        "end of minor GC" | "end of concurrent GC pause" | "incremental" if is_generation => {
            "minor"
        }
        "end of major GC" if is_generation => "major",
        _ => value,
    }
}

/// A route as a template: parts that are numbers or other identifiers stand for all such, for a label of raw
/// paths would have a series for each of a million things.
pub(super) fn route(path: &str) -> Cow<'_, str> {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    if !path.split('/').any(is_identifier) {
        return Cow::Borrowed(path);
    }
    let parts = path
        .split('/')
        .map(|part| if is_identifier(part) { "{id}" } else { part });
    Cow::Owned(parts.collect::<Vec<_>>().join("/"))
}

fn is_identifier(part: &str) -> bool {
    PathPart::new(part.as_bytes()) == PathPart::Identifier
}

/// Whether a kind says how much of a pool of connections or threads is used.
pub(super) fn is_of_pool(kind: SignalKind) -> bool {
    is_of_workers(kind)
        || matches!(
            kind,
            SignalKind::PoolActive | SignalKind::PoolMax | SignalKind::PoolPending
        )
}

/// Whether a kind is about threads that serve requests.
pub(super) fn is_of_workers(kind: SignalKind) -> bool {
    matches!(
        kind,
        SignalKind::WorkersBusy | SignalKind::WorkersMax | SignalKind::WorkersQueue
    )
}
