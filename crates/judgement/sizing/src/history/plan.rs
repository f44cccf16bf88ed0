//! Converts log results to inputs for a plan and for a mock.

use std::collections::BTreeSet;
use std::fmt::Write;

use loadline_text::{Catalog, plan};

use super::summary::{EndpointLoad, TrafficHistory};
use crate::feature::Feature;

/// The highest number of endpoints that become features, and their smallest share.
const FEATURES_MAX: usize = 30;
const LEAST_SHARE: f64 = 0.001;
/// The shares at which a distribution is recorded.
const PERCENTILE_SHARES: [f64; 14] = [
    0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 1.0,
];

impl TrafficHistory {
    /// The relevant endpoints as features, with shares that add up to one, and example paths of
    /// each.
    #[must_use]
    pub fn features(&self) -> Vec<(Feature, Vec<String>)> {
        let kept: Vec<&EndpointLoad> = self.kept().collect();
        let all: u64 = kept.iter().map(|endpoint| endpoint.requests).sum();
        let mut names = BTreeSet::new();
        let each = kept.iter().map(|endpoint| {
            let mut name = name_of(endpoint);
            while !names.insert(name.clone()) {
                name.push_str("-2");
            }
            let feature = Feature {
                name,
                method: endpoint.method.to_owned(),
                path: endpoint.template.clone(),
                body: None,
                share: Some(endpoint.requests as f64 / all as f64),
                per_user: None,
                rate: None,
                p95: None,
                errors: None,
            };
            (feature, endpoint.samples.clone())
        });
        each.collect()
    }

    fn kept(&self) -> impl Iterator<Item = &EndpointLoad> {
        self.endpoints
            .iter()
            .filter(|endpoint| endpoint.share >= LEAST_SHARE && endpoint.method != "OTHER")
            .take(FEATURES_MAX)
    }

    /// A file for `loadline mock`: each endpoint with its recorded times and failures; `None` if
    /// no line has a duration.
    #[must_use]
    pub fn mock_file(&self, catalog: &Catalog) -> Option<String> {
        let by = catalog.text(&plan::mock_written_by());
        let mut text = format!("# {by}\nroutes:\n");
        let mut any = false;
        for endpoint in self.kept().filter(|endpoint| !endpoint.took.is_empty()) {
            any = true;
            let points = endpoint
                .took
                .percentiles(&PERCENTILE_SHARES)
                .unwrap_or_default();
            let points: Vec<String> = PERCENTILE_SHARES
                .iter()
                .zip(points)
                .map(|(share, ms)| format!("[{share}, {ms:.3}]"))
                .collect();
            let status = endpoint.usual_failure.unwrap_or(503);
            let failed = 100.0 * endpoint.statuses[5] as f64 / endpoint.requests as f64;
            let _ = write!(
                text,
                "  - method: {}\n    path: {}\n    latency: {{recorded: [{}]}}\n    errors: {{share: {failed:.4}%, status: {status}}}\n",
                endpoint.method,
                serde_json::Value::from(endpoint.template.as_str()),
                points.join(", ")
            );
        }
        any.then_some(text)
    }
}

/// `get-deers-id` of `GET /deers/{id}`.
fn name_of(endpoint: &EndpointLoad) -> String {
    let mut name = endpoint.method.to_ascii_lowercase();
    for part in endpoint.template.split('/').filter(|part| !part.is_empty()) {
        let plain: String = part
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_')
            .take(40)
            .collect();
        if !plain.is_empty() {
            name.push('-');
            name.push_str(&plain);
        }
    }
    name
}
