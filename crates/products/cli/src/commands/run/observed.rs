//! `--observe`: where signals of the target come from, and what is said about it.

use std::sync::Arc;

use loadline_observe::SourceAddress;
use loadline_record::signals::Signals;
use loadline_report::sources;
use loadline_session::ObserveRequest;
use loadline_text::{Catalog, messages, problem};

use super::problems::Refusal;
use crate::context::Context;
use crate::project::Project;

/// Reads one source, as the command line's library wants it.
pub(crate) fn source(text: &str) -> Result<SourceAddress, String> {
    text.parse().map_err(|_| "no source".to_owned())
}

/// What is observed: the sources typed, and those of `loadline.yaml`.
///
/// # Errors
/// A source in the file cannot be read.
pub(crate) fn request(
    context: &Context,
    typed: &[SourceAddress],
    catalog: &Catalog,
) -> Result<Option<Arc<ObserveRequest>>, Refusal> {
    let project = Project::of(&context.working_dir)
        .map_err(|reason| Refusal::config(problem::project_invalid(reason)))?;
    let mut addresses = typed.to_vec();
    // As `k6` only what is typed counts.
    let of_project = project.observe.iter().filter(|_| !context.is_k6());
    for text in of_project {
        let expected = messages::expected_source();
        let address: SourceAddress = text
            .parse()
            .map_err(|_| Refusal::flag("observe", text, &expected, catalog))?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok((!addresses.is_empty()).then(|| {
        Arc::new(ObserveRequest {
            addresses,
            environment: context.env.clone(),
        })
    }))
}

/// Says in one line which sources answered.
pub(crate) fn tell(context: &mut Context, signals: &Signals, catalog: &Catalog, is_quiet: bool) {
    if let Some(line) = sources::line(signals, catalog).filter(|_| !is_quiet) {
        context.err(&format!("loadline: {line}\n"));
    }
}
