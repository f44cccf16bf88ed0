//! Sources that files name.

use std::collections::BTreeMap;

use loadline_observe::SourceAddress;
use loadline_text::{Message, observe};

use crate::launch::observation;

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
