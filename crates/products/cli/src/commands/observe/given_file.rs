//! Files that name sources already: Grafana's data sources, and a Spring configuration.

use std::collections::BTreeMap;

use loadline_observe::SourceAddress;
use loadline_text::{Message, observe, problem};

use super::{grafana, spring};
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

/// A source that a file names.
#[derive(Debug)]
pub(super) struct GivenSource {
    pub(super) address: SourceAddress,
    /// As `loadline.yaml` names it: secrets stay variables of the environment.
    pub(super) named: String,
}

/// What files give.
#[derive(Debug, Default)]
pub(super) struct GivenSources {
    pub(super) sources: Vec<GivenSource>,
    /// What is left out, and why.
    pub(super) left_out: Vec<Message>,
}

impl GivenSources {
    /// Adds a source, named as the file has it: `${NAME}` is filled from the environment, or from `secrets`, which
    /// the file has in plain text or as a default.
    pub(super) fn add(
        &mut self,
        named: &str,
        environment: &BTreeMap<String, String>,
        secrets: &BTreeMap<String, String>,
    ) {
        let mut known = secrets.clone();
        known.extend(environment.clone());
        let is_new = |name: &str| !environment.contains_key(name) && secrets.contains_key(name);
        match observation::filled(named, &known) {
            Err(name) => self.left_out.push(observe::init_unset(named, name)),
            Ok(whole) => match whole.parse() {
                Ok(address) => {
                    let exported = secrets.keys().filter(|name| is_new(name));
                    let exported = exported.filter(|name| named.contains(&format!("${{{name}}}")));
                    let exported = exported.map(observe::init_export);
                    self.left_out.extend(exported);
                    self.sources.push(GivenSource {
                        address,
                        named: named.to_owned(),
                    });
                }
                Err(_) => self.left_out.push(observe::init_unread(named)),
            },
        }
    }
}

/// Reads files, each by what it holds.
///
/// # Errors
/// A file that cannot be read, or that names nothing.
pub(super) fn read(files: &[String], context: &Context) -> Result<GivenSources, Refusal> {
    let mut given = GivenSources::default();
    for file in files {
        let path = context.working_dir.join(file);
        let text = std::fs::read_to_string(path)
            .map_err(|error| Refusal::config(problem::file_unreadable(file, error.to_string())))?;
        let before = given.sources.len() + given.left_out.len();
        let documents = if file.ends_with(".properties") {
            spring::properties(&text)
        } else {
            spring::yaml(&text)
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
