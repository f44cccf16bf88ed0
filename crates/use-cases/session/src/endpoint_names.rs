//! What requests are told apart by: method and route. A name that the test gives stays as it is.

use std::collections::BTreeMap;

use loadline_metrics::MetricValue;
use loadline_sizing::history::routes;
use loadline_store::{SeriesDef, StoredRun};

/// The kind of runs of Artillery files.
pub(crate) const ARTILLERY: &str = "artillery";

/// Where a name that the test gives has the method before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodBefore {
    /// Before addresses alone.
    Addresses,
    /// Before all, as what targets show of themselves.
    All,
}

/// The endpoint of each series of a run; `None` for those of no request.
pub(crate) fn of_series(run: &StoredRun, before: MethodBefore) -> Vec<Option<String>> {
    // An Artillery file names its target once: its addresses are paths.
    let has_paths = run.row.kind == ARTILLERY;
    let is_address = |name: &str| {
        // `/orders (checkout)` is a name that the file gives.
        let is_path = has_paths && name.starts_with('/') && !name.ends_with(')');
        is_path || name.contains("://")
    };
    let mut requests: BTreeMap<&str, u64> = BTreeMap::new();
    for (id, def) in (0_u32..).zip(&run.series) {
        let Some(name) = given(def).filter(|name| is_address(name)) else {
            continue;
        };
        let of = requests.entry(name).or_default();
        if let ("http_reqs", Some(MetricValue::Counter(Some(sum)))) =
            (def.metric.as_str(), run.totals.get(&id))
        {
            *of += whole(sum.value());
        }
    }
    let routes = routes(requests);
    let names = run.series.iter().map(|def| {
        let name = given(def)?;
        let route = routes.get(name).map_or(name, String::as_str);
        let is_before = routes.contains_key(name) || before == MethodBefore::All;
        let method = tag(def, "method").filter(|_| is_before);
        Some(match method {
            Some(method) => format!("{method} {route}"),
            None => route.to_owned(),
        })
    });
    names.collect()
}

/// The name of a request as it was sent, else its address.
pub(crate) fn given(def: &SeriesDef) -> Option<&str> {
    tag(def, "name").or_else(|| tag(def, "url"))
}

pub(crate) fn tag<'a>(def: &'a SeriesDef, key: &str) -> Option<&'a str> {
    let found = def.tags.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| value.as_str())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count; the cast saturates"
)]
fn whole(count: f64) -> u64 {
    count as u64
}
