//! Which metrics a run has.
//!
//! Shared by all workers: every virtual user's set-up code declares its metrics again,
//! and equal declarations give the same id. Recording never comes here.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap;

use crate::builtin;
use crate::kind::{Kind, MetricId, Origin, ValueType};

/// One metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricDef {
    /// Its name, unique among the names a test can see.
    pub name: Box<str>,
    /// How samples add up.
    pub kind: Kind,
    /// What the numbers are.
    pub contains: ValueType,
    /// Who declared it.
    pub origin: Origin,
}

/// Why a metric could not be declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The name has other characters than letters, digits and `_`, begins with a digit,
    /// or is not 2 to 129 characters long.
    #[error("`{name}` is not a metric name")]
    InvalidName {
        /// The name as given.
        name: String,
    },
    /// The name is taken by a metric of another kind.
    #[error("metric `{name}` is a {existing}, not a {wanted}")]
    OtherKind {
        /// The name.
        name: String,
        /// What it is.
        existing: Kind,
        /// What was asked for.
        wanted: Kind,
    },
    /// The name is taken by a metric of the same kind with other content.
    #[error("metric `{name}` contains {existing} values, not {wanted}")]
    OtherContent {
        /// The name.
        name: String,
        /// What it contains.
        existing: ValueType,
        /// What was asked for.
        wanted: ValueType,
    },
}

impl RegisterError {
    /// The words k6 v1.8 uses for this mistake; never translated.
    #[must_use]
    pub fn k6_text(&self) -> String {
        match self {
            Self::InvalidName { name } => format!(
                "Invalid metric name: '{name}'. Metric names must only include up to 128 ASCII letters, numbers, or underscores and start with a letter or an underscore."
            ),
            Self::OtherKind {
                name,
                existing,
                wanted,
            } => format!(
                "metric '{name}' already exists but with type {existing}, instead of {wanted}"
            ),
            Self::OtherContent {
                name,
                existing,
                wanted,
            } => format!(
                "metric '{name}' already exists but with a value type {existing}, instead of {wanted}"
            ),
        }
    }
}

/// The run's metrics, by id and by name.
pub struct Registry {
    inner: RwLock<Inner>,
}

struct Inner {
    defs: Vec<Arc<MetricDef>>,
    by_name: FxHashMap<Box<str>, MetricId>,
}

impl Registry {
    /// A registry that holds the built-in metrics.
    #[must_use]
    pub fn new() -> Self {
        let mut inner = Inner {
            defs: Vec::new(),
            by_name: FxHashMap::default(),
        };
        for metric in builtin::ALL {
            inner.add(MetricDef {
                name: metric.name.into(),
                kind: metric.kind,
                contains: metric.contains,
                origin: metric.origin,
            });
        }
        Self {
            inner: RwLock::new(inner),
        }
    }

    /// Declares a metric; the same declaration twice gives the same id.
    ///
    /// A name that is built in only here (not in k6) is free for tests: the test's
    /// metric then owns the name, ours stays reachable by its id.
    ///
    /// # Errors
    /// [`RegisterError`] for a malformed name or one taken by a different metric.
    pub fn register(
        &self,
        name: &str,
        kind: Kind,
        contains: ValueType,
    ) -> Result<MetricId, RegisterError> {
        if !is_metric_name(name) {
            return Err(RegisterError::InvalidName {
                name: name.to_owned(),
            });
        }
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let taken = inner
            .by_name
            .get(name)
            .map(|id| (*id, Arc::clone(&inner.defs[id.index()])))
            .filter(|(_, def)| def.origin != Origin::Loadline);
        let Some((id, def)) = taken else {
            return Ok(inner.add(MetricDef {
                name: name.into(),
                kind,
                contains,
                origin: Origin::Test,
            }));
        };
        if def.kind != kind {
            return Err(RegisterError::OtherKind {
                name: name.to_owned(),
                existing: def.kind,
                wanted: kind,
            });
        }
        if def.contains != contains {
            return Err(RegisterError::OtherContent {
                name: name.to_owned(),
                existing: def.contains,
                wanted: contains,
            });
        }
        Ok(id)
    }

    /// The metric that owns `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<MetricId> {
        self.read().by_name.get(name).copied()
    }

    /// What `id` stands for. Ids come from this registry, so it is always there.
    ///
    /// # Panics
    /// When `id` was made by another, larger registry.
    #[must_use]
    pub fn get(&self, id: MetricId) -> Arc<MetricDef> {
        Arc::clone(&self.read().defs[id.index()])
    }

    /// All metrics, in the order of their ids.
    #[must_use]
    pub fn all(&self) -> Vec<(MetricId, Arc<MetricDef>)> {
        (0..)
            .map(MetricId)
            .zip(self.read().defs.iter().map(Arc::clone))
            .collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.read().defs).finish()
    }
}

impl Inner {
    fn add(&mut self, def: MetricDef) -> MetricId {
        let id = MetricId(u32::try_from(self.defs.len()).expect("fewer than 2^32 metrics"));
        self.by_name.insert(def.name.clone(), id);
        self.defs.push(Arc::new(def));
        id
    }
}

/// k6's rule: `^[a-zA-Z_][a-zA-Z0-9_]{1,128}$`.
fn is_metric_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    (2..=129).contains(&bytes.len())
        && !bytes[0].is_ascii_digit()
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_declaration_twice_is_one_metric() {
        let registry = Registry::new();
        let first = registry.register("orders", Kind::Counter, ValueType::Default);
        let second = registry.register("orders", Kind::Counter, ValueType::Default);
        assert_eq!(first, second);
        assert_eq!(registry.find("orders"), first.ok());
    }

    #[test]
    fn a_name_cannot_change_its_kind_or_content() {
        let registry = Registry::new();
        let kind = registry
            .register("http_reqs", Kind::Rate, ValueType::Default)
            .unwrap_err();
        assert_eq!(
            kind.k6_text(),
            "metric 'http_reqs' already exists but with type counter, instead of rate"
        );
        let content = registry
            .register("http_req_duration", Kind::Trend, ValueType::Default)
            .unwrap_err();
        assert_eq!(
            content.k6_text(),
            "metric 'http_req_duration' already exists but with a value type time, instead of default"
        );
    }

    #[test]
    fn names_are_two_to_129_word_characters_without_leading_digit() {
        let registry = Registry::new();
        let longest = "a".repeat(129);
        let too_long = "a".repeat(130);
        for good in ["ab", "_1", longest.as_str()] {
            assert!(
                registry
                    .register(good, Kind::Gauge, ValueType::Time)
                    .is_ok(),
                "{good}"
            );
        }
        for bad in ["", "a", "1a", "a-b", "a b", "é1", too_long.as_str()] {
            assert!(
                registry
                    .register(bad, Kind::Gauge, ValueType::Time)
                    .is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_test_may_use_a_name_that_is_built_in_only_here() {
        let registry = Registry::new();
        let theirs = registry
            .register("start_lag", Kind::Counter, ValueType::Default)
            .unwrap();
        assert_ne!(theirs, builtin::START_LAG);
        assert_eq!(registry.get(builtin::START_LAG).kind, Kind::Trend);
        assert_eq!(registry.find("start_lag"), Some(theirs));
    }
}
