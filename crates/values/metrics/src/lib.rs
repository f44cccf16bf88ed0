//! What a run measures, from one sample to a judged total.
//!
//! A worker owns a [`Shard`] and records into it without locks. Once per window it
//! hands over a [`ShardWindow`]; the control plane's [`Merger`] joins the workers'
//! parts into [`Window`]s and keeps the totals that [`threshold`] judges. Trends are
//! [`Histogram`]s whose merge loses nothing.
//!
//! Elsewhere: who records what (`engine`, `k6`, `bare`), how totals are shown
//! (`report`), how windows are stored (`store`).

pub mod builtin;
mod censored;
mod fold;
mod histogram;
mod kind;
mod merger;
mod planned_answers;
mod registry;
mod request;
mod shard;
mod submetric;
mod sum;
mod tags;
mod tap;
pub mod threshold;
mod value;

pub use censored::{Censored, ValueBounds};
pub use fold::{FOLDED, FoldRule};
pub use histogram::{Bucket, Histogram};
pub use kind::{Kind, MetricId, Origin, ValueType};
pub use merger::{LatePart, Merger, SeriesId, SeriesInfo, SeriesValue, Totals, Window};
pub use planned_answers::{MEAN_MISSES_SHARE_MIN, PlannedAnswers};
pub use registry::{MetricDef, RegisterError, Registry};
pub use shard::{SeriesDelta, Shard, ShardWindow, TagSetDef};
pub use submetric::{Submetric, SubmetricError, SubmetricId, Submetrics, parse_metric_name};
pub use sum::Sum;
pub use tags::{TagSetId, TagSets};
pub use tap::{RawPart, TapPool, TapSample};
pub use value::{GaugeValue, MetricValue, RateValue};
