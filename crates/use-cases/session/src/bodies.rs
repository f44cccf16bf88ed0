//! What a run's bodies have in common: gathered while it goes on, and found again by endpoint when it is compared.

use std::collections::BTreeMap;

use loadline_record::bodies::{BodySample, BodyShape};
use loadline_store::StoredRun;
use loadline_units::PathPart;
use loadline_vu::RunState;

use crate::endpoint_names::{given, tag};

/// Bodies that are read in one second of a run, ...
const BODIES_MAX: usize = 64;
/// ... and bytes of them.
const BYTES_MAX: usize = 512 << 10;
/// Endpoints of a run whose bodies are kept.
const ENDPOINTS_MAX: usize = 200;
/// What stands for an identifier in an address.
const ID: &str = "{id}";

/// What bodies of a run have in common so far.
#[derive(Debug, Default)]
pub(crate) struct GatheredBodies {
    /// By method and name.
    samples: BTreeMap<(String, String), BodySample>,
}

impl GatheredBodies {
    /// Reads the bodies that workers kept since the last call.
    pub(crate) fn take(&mut self, run_state: &RunState) {
        let mut bytes = 0;
        for sampled in run_state.body_samples.take().into_iter().take(BODIES_MAX) {
            bytes += sampled.body.len();
            if bytes > BYTES_MAX {
                return;
            }
            let name = without_ids(&sampled.name);
            let key = (sampled.method, name);
            if self.samples.len() >= ENDPOINTS_MAX && !self.samples.contains_key(&key) {
                continue;
            }
            let shape = BodyShape::new(&sampled.body, sampled.is_cut);
            self.samples.entry(key).or_default().add(&shape);
        }
    }

    /// Begins anew after the warm-up.
    pub(crate) fn restart(&mut self) {
        self.samples.clear();
    }

    /// What is kept of them.
    pub(crate) fn finish(self) -> Vec<BodySample> {
        let samples = self.samples.into_iter();
        let samples = samples.map(|((method, name), sample)| BodySample {
            method,
            name,
            ..sample.common()
        });
        samples.collect()
    }
}

/// A request's name; of an address without its query and what looks like an identifier.
pub(crate) fn without_ids(name: &str) -> String {
    let (head, path) = match name.split_once("://") {
        Some((scheme, rest)) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let length = scheme.len() + "://".len() + host.len();
            name.split_at(length)
        }
        None if name.starts_with('/') => ("", name),
        None => return name.to_owned(),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = path.split('/').map(|part| {
        let is_id = !part.is_empty() && PathPart::new(part.as_bytes()) != PathPart::Name;
        if is_id { ID } else { part }
    });
    format!("{head}{}", parts.collect::<Vec<_>>().join("/"))
}

/// What a stored run's bodies have in common, by endpoint: `names` are the endpoints of its series.
pub(crate) fn by_endpoint(
    run: &StoredRun,
    names: &[Option<String>],
) -> BTreeMap<String, BodySample> {
    let Some(end) = run.end.as_ref().filter(|end| !end.bodies.is_empty()) else {
        return BTreeMap::new();
    };
    let mut endpoints: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for (def, endpoint) in run.series.iter().zip(names) {
        if let (Some(name), Some(endpoint)) = (given(def), endpoint) {
            let method = tag(def, "method").unwrap_or_default();
            endpoints
                .entry((method, without_ids(name)))
                .or_insert(endpoint);
        }
    }
    let mut found: BTreeMap<String, BodySample> = BTreeMap::new();
    for sample in &end.bodies {
        let of = |method| endpoints.get(&(method, sample.name.clone()));
        if let Some(endpoint) = of(sample.method.as_str()).or_else(|| of("")) {
            found
                .entry((*endpoint).to_owned())
                .or_default()
                .merge(sample);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_named_without_ids_and_queries_and_names_stay() {
        for (name, expected) in [
            ("http://a:80/places/7?q=1", "http://a:80/places/{id}"),
            ("http://a:80", "http://a:80"),
            ("http://a?x=1", "http://a"),
            ("/v1/orders/12/items", "/v1/orders/{id}/items"),
            ("place 7", "place 7"),
        ] {
            assert_eq!(without_ids(name), expected, "{name}");
        }
    }
}
