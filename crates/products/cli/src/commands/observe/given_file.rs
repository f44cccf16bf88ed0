//! Files that name sources already: Grafana's data sources, and a Spring configuration.

use loadline_observe::SourceAddress;
use loadline_text::{observe, problem};

use super::given_sources::GivenSources;
use super::{grafana, settings, spring};
use crate::context::Context;
use crate::launch::observation;
use crate::refusal::Refusal;

/// Ends of the names of such files.
const ENDS: [&str; 3] = [".yml", ".yaml", ".properties"];

/// A source, or a file that names some.
#[derive(Debug, Clone)]
pub(super) enum Given {
    Source(SourceAddress),
    File(String),
}

/// Reads what was typed: what begins like a source is one.
pub(super) fn given(text: &str) -> Result<Given, String> {
    let is_file = ENDS.iter().any(|end| text.ends_with(end));
    match observation::source(text) {
        Ok(source) => Ok(Given::Source(source)),
        Err(_) if is_file && !text.contains("://") => Ok(Given::File(text.to_owned())),
        Err(error) => Err(error),
    }
}

/// Reads files, each by what it holds.
///
/// # Errors
/// A file that cannot be read, or that names nothing.
pub(super) fn read(files: &[String], context: &Context) -> Result<GivenSources, Refusal> {
    let mut given = GivenSources::default();
    for file in files {
        let text = context
            .read_text(file)
            .map_err(|error| Refusal::unread(file, &error))?;
        let before = given.sources.len() + given.left_out.len();
        let documents = if file.ends_with(".properties") {
            settings::properties(&text)
        } else {
            settings::yaml(&text)
                .map_err(|reason| Refusal::config(problem::file_unreadable(file, reason)))?
        };
        let is_grafana = documents
            .iter()
            .any(|one| one.contains_key("datasources[0].type"));
        if is_grafana {
            grafana::add(&documents, &context.env, &mut given);
        } else {
            spring::add(&documents, &context.env, &mut given);
        }
        if given.sources.len() + given.left_out.len() == before {
            given.left_out.push(observe::init_nothing_in(file));
        }
    }
    Ok(given)
}
