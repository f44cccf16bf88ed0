//! Parts of a metric, named as `metric{tag:value,…}`.
//!
//! A sub-metric takes the samples whose tags include all it lists. Which sub-metrics a
//! series feeds is worked out once, when the merger first sees the series.

use crate::kind::MetricId;
use crate::registry::Registry;
use crate::tags::{TagSetId, TagSets};

/// A sub-metric's position in the run's [`Submetrics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubmetricId(pub(crate) u32);

impl SubmetricId {
    /// The position as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a metric's or sub-metric's name cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmetricError {
    /// One of `{` and `}` is missing.
    #[error("`{name}` lacks one of its braces")]
    Unmatched {
        /// The name as written.
        name: String,
    },
    /// `}` comes before `{`.
    #[error("`{name}` closes its brace before opening it")]
    ClosedBeforeOpened {
        /// The name as written.
        name: String,
    },
    /// Something follows `}`.
    #[error("`{name}` goes on after its closing brace")]
    NotLast {
        /// The name as written.
        name: String,
    },
    /// A tag lacks its value.
    #[error("`{tag}` is not `tag:value`")]
    MalformedTag {
        /// The tag as written.
        tag: String,
    },
    /// The metric does not exist.
    #[error("there is no metric `{name}`")]
    UnknownMetric {
        /// The name as written, with its tags.
        name: String,
        /// The metric that was probably meant.
        nearest: Option<String>,
    },
}

/// The metric, also one of the script, whose name is nearly this.
fn nearest(name: &str, registry: &Registry) -> Option<String> {
    let known = registry.all();
    let known = known.iter().map(|(_, metric)| &*metric.name);
    loadline_units::nearest(name, known).map(str::to_owned)
}

/// A part of a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submetric {
    /// Its name as shown: `http_req_duration{expected_response:true}`.
    pub name: String,
    /// The metric it is part of.
    pub metric: MetricId,
    /// Tags a sample must have, ordered by key.
    pub tags: Vec<(String, String)>,
}

/// Splits `metric{tag:value,…}` into the metric's name and the text in the braces.
///
/// # Errors
/// [`SubmetricError`], by k6's rules: braces come in one pair, `}` is last, and each
/// part between commas has a `:` with something after it.
pub fn parse_metric_name(name: &str) -> Result<(&str, Option<&str>), SubmetricError> {
    let (open, close) = match (name.find('{'), name.rfind('}')) {
        (None, None) => return Ok((name, None)),
        (Some(open), Some(close)) => (open, close),
        _ => return Err(SubmetricError::Unmatched { name: name.into() }),
    };
    if close < open {
        return Err(SubmetricError::ClosedBeforeOpened { name: name.into() });
    }
    if close + 1 != name.len() {
        return Err(SubmetricError::NotLast { name: name.into() });
    }
    let inner = &name[open + 1..close];
    for tag in inner.split(',') {
        if tag
            .split_once(':')
            .is_none_or(|(_, value)| value.is_empty())
        {
            return Err(SubmetricError::MalformedTag { tag: tag.into() });
        }
    }
    Ok((&name[..open], Some(inner)))
}

/// The tags in the braces; the first `:` parts key and value, space and quotes around
/// either are dropped, and the last of two equal keys counts.
fn parse_tags(inner: &str) -> Vec<(String, String)> {
    let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let mut tags: Vec<(String, String)> = Vec::new();
    for tag in inner.split(',') {
        let (key, value) = tag.split_once(':').unwrap_or((tag, ""));
        let (key, value) = (bare(key), bare(value));
        match tags.iter_mut().find(|(k, _)| *k == key) {
            Some(pair) => pair.1 = value,
            None => tags.push((key, value)),
        }
    }
    tags.sort_unstable();
    tags
}

/// The sub-metrics a run keeps totals of.
#[derive(Debug, Clone, Default)]
pub struct Submetrics {
    all: Vec<Submetric>,
}

impl Submetrics {
    /// Adds the sub-metric called `name` unless one with the same metric and tags is
    /// there. `None` when `name` has no braces and thus means the whole metric.
    ///
    /// # Errors
    /// [`SubmetricError`] for a malformed name or a metric that does not exist.
    ///
    /// # Panics
    /// After 2^32 sub-metrics.
    pub fn add(
        &mut self,
        name: &str,
        registry: &Registry,
    ) -> Result<(MetricId, Option<SubmetricId>), SubmetricError> {
        let (metric_name, inner) = parse_metric_name(name)?;
        let metric = registry
            .find(metric_name)
            .ok_or_else(|| SubmetricError::UnknownMetric {
                name: name.into(),
                nearest: nearest(metric_name, registry),
            })?;
        let Some(inner) = inner else {
            return Ok((metric, None));
        };
        let tags = parse_tags(inner);
        let same = |s: &Submetric| s.metric == metric && s.tags == tags;
        let place = self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(Submetric {
                name: format!("{metric_name}{{{}}}", inner.trim()),
                metric,
                tags,
            });
            self.all.len() - 1
        });
        let id = SubmetricId(u32::try_from(place).expect("fewer than 2^32 sub-metrics"));
        Ok((metric, Some(id)))
    }

    /// What `id` stands for.
    ///
    /// # Panics
    /// When `id` belongs to another run.
    #[must_use]
    pub fn get(&self, id: SubmetricId) -> &Submetric {
        &self.all[id.index()]
    }

    /// All of them, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SubmetricId, &Submetric)> {
        (0..).map(SubmetricId).zip(&self.all)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The tags any sub-metric names, which folding must spare.
    pub fn named_tags(&self) -> impl Iterator<Item = (&str, &str)> {
        let tags = self.all.iter().flat_map(|s| &s.tags);
        tags.map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The sub-metrics that a series of `metric` with these tags feeds.
    pub(crate) fn fed_by(
        &self,
        metric: MetricId,
        set: TagSetId,
        tags: &TagSets,
    ) -> Box<[SubmetricId]> {
        let has = |(key, value): &(String, String)| tags.get(set, key) == Some(value.as_str());
        self.iter()
            .filter(|(_, s)| s.metric == metric && s.tags.iter().all(has))
            .map(|(id, _)| id)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use proptest::prelude::*;

    #[test]
    fn names_are_read_as_k6_reads_them() {
        let mut submetrics = Submetrics::default();
        let registry = Registry::new();
        let names = [
            "http_req_duration{expected_response:true}",
            "http_req_duration{ name : \"a:b\" , group: ::one::two }",
            "http_req_duration{expected_response:'true'}",
            "http_reqs{group:::setup}",
        ];
        let ids = names.map(|n| submetrics.add(n, &registry).unwrap().1.unwrap());
        assert_eq!(ids[0], ids[2], "equal tags are one sub-metric");
        assert_eq!(submetrics.len(), 3);
        assert_eq!(
            submetrics.get(ids[1]).tags,
            [
                ("group".to_owned(), "::one::two".to_owned()),
                ("name".to_owned(), "a:b".to_owned())
            ]
        );
        assert_eq!(submetrics.get(ids[3]).tags[0].1, "::setup");
        assert_eq!(
            submetrics.get(ids[1]).name,
            "http_req_duration{name : \"a:b\" , group: ::one::two}"
        );
        assert_eq!(
            submetrics.add("http_reqs", &registry),
            Ok((builtin::HTTP_REQS, None))
        );
    }

    #[test]
    fn malformed_names_say_what_is_wrong() {
        let error = |name| {
            Submetrics::default()
                .add(name, &Registry::new())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            error("http_reqs{a:b"),
            "`http_reqs{a:b` lacks one of its braces"
        );
        assert_eq!(
            error("http_reqs}a:b{"),
            "`http_reqs}a:b{` closes its brace before opening it"
        );
        assert_eq!(
            error("http_reqs{a:b}x"),
            "`http_reqs{a:b}x` goes on after its closing brace"
        );
        assert_eq!(error("http_reqs{a:b,c}"), "`c` is not `tag:value`");
        assert_eq!(error("http_reqs{}"), "`` is not `tag:value`");
        assert_eq!(error("nope{a:b}"), "there is no metric `nope{a:b}`");
    }

    /// Seen: a threshold on `http_req_durations` got no nearest name.
    #[test]
    fn a_metric_that_is_misspelt_has_the_one_that_was_meant() {
        let meant = |name: &str| match Submetrics::default().add(name, &Registry::new()) {
            Err(SubmetricError::UnknownMetric { nearest, .. }) => nearest,
            _ => None,
        };
        let duration = Some("http_req_duration".to_owned());
        assert_eq!(meant("http_req_durations"), duration);
        assert_eq!(meant("http_req_durations{status:200}"), duration);
        assert_eq!(meant("orders"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_a_panic(name in ".{0,40}") {
            let _ = Submetrics::default().add(&name, &Registry::new());
        }
    }
}
