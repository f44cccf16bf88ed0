//! Thresholds that cannot be judged: each with its place in the script, its cause, and what was
//! probably meant. k6's own words follow.

use std::path::Path;

use loadline_k6::ScriptLocation;
use loadline_k6_options::ThresholdMistakes;
use loadline_metrics::threshold::{ThresholdError, corrected};
use loadline_report::problems::of_threshold;
use loadline_text::{Catalog, Location, Problem, problem};

use crate::context::Context;

/// Prints what is wrong with thresholds.
pub(super) fn print_mistakes(
    context: &mut Context,
    mistakes: &ThresholdMistakes,
    places: &[Option<ScriptLocation>],
    catalog: &Catalog,
) {
    for (mistake, place) in mistakes.0.iter().zip(places) {
        let mut said = said(mistake, catalog);
        if let Some(place) = place {
            let file = shown(&place.url, &context.working_dir);
            said = said.at(Location::file(file).line(place.line, place.column));
        }
        context.err(&format!("{}\n", catalog.problem(&said)));
    }
}

/// The mistake, with the condition that was probably meant.
fn said(mistake: &ThresholdError, catalog: &Catalog) -> Problem {
    let plain = of_threshold(mistake);
    match mistake {
        ThresholdError::Expression { metric, text, .. } => match corrected(text) {
            Some(instead) => {
                problem::threshold_corrected(metric, text, catalog.why(&plain), instead)
            }
            None => plain,
        },
        ThresholdError::Metric { .. } | ThresholdError::Unsupported { .. } => plain,
    }
}

/// A file's path as typed from here, or its URL.
fn shown(url: &str, working_dir: &Path) -> String {
    let Some(path) = url.strip_prefix("file://") else {
        return url.to_owned();
    };
    let path = Path::new(path);
    let near = path.strip_prefix(working_dir).unwrap_or(path);
    near.display().to_string()
}
