//! Checking thresholds once a script has declared its metrics.

use loadline_metrics::threshold::{ThresholdError, ThresholdSource, Thresholds};
use loadline_metrics::{Registry, Submetrics};

/// Why thresholds are refused: k6 says so of the first and exits with 104.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.k6_text())]
pub struct ThresholdMistakes(pub Vec<ThresholdError>);

impl ThresholdMistakes {
    /// k6's message, or ours where k6 lets the mistake pass.
    #[must_use]
    pub fn k6_text(&self) -> String {
        let first = self.0.first();
        first.map_or_else(String::new, |first| {
            first.k6_text().unwrap_or_else(|| first.to_string())
        })
    }
}

/// Checks a plan's thresholds and adds the sub-metrics they name to `submetrics`.
///
/// With `judged` false (`--no-thresholds`) only the sub-metrics are made, for the
/// summary, and those that cannot be are passed over.
///
/// # Errors
/// [`ThresholdMistakes`], never when they are not judged.
pub fn compile_thresholds(
    sources: &[ThresholdSource],
    judged: bool,
    registry: &Registry,
    submetrics: &mut Submetrics,
) -> Result<Thresholds, ThresholdMistakes> {
    if judged {
        return Thresholds::compile(sources, registry, submetrics).map_err(ThresholdMistakes);
    }
    let shown = sources.iter().map(|source| ThresholdSource {
        metric: source.metric.clone(),
        conditions: Vec::new(),
    });
    let possible: Vec<ThresholdSource> = shown
        .filter(|source| {
            let alone = std::slice::from_ref(source);
            Thresholds::compile(alone, registry, &mut Submetrics::default()).is_ok()
        })
        .collect();
    Thresholds::compile(&possible, registry, submetrics).map_err(ThresholdMistakes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_metrics::threshold::Condition;

    fn source(metric: &str, condition: &str) -> ThresholdSource {
        ThresholdSource {
            metric: metric.into(),
            conditions: vec![Condition {
                text: condition.into(),
                abort_on_fail: false,
                delay_abort: None,
            }],
        }
    }

    #[test]
    fn thresholds_that_are_not_judged_only_make_submetrics() {
        let sources = [source("nosuch", "x"), source("http_reqs{a:b}", "nonsense")];
        let mut submetrics = Submetrics::default();
        let compiled =
            compile_thresholds(&sources, false, &Registry::new(), &mut submetrics).unwrap();
        assert!(compiled.all().is_empty());
        assert_eq!(compiled.subjects().len(), 1);
    }

    #[test]
    fn the_first_mistake_is_told_in_k6s_words() {
        let sources = [source("nosuch", "count>1")];
        let mistakes =
            compile_thresholds(&sources, true, &Registry::new(), &mut Submetrics::default());
        assert_eq!(
            mistakes.unwrap_err().to_string(),
            "invalid threshold defined on nosuch; reason: no metric name \"nosuch\" found"
        );
    }
}
