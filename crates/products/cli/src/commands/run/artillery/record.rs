//! What an Artillery run leaves behind and asks for: its record, its notices, a yes.

use std::collections::{BTreeMap, BTreeSet};

use loadline_store::RecorderConfig;
use sha2::{Digest, Sha256};

use super::args::ArtilleryArgs;
use crate::context::Context;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::answers::AnswerFlags;
use crate::launch::recording::{self, RecordingFlags, TestFacts};
use crate::launch::shared_targets::SharedTargetFlags;
use crate::refusal::Refusal;

/// An Artillery test as its record and its neighbours see it.
pub(super) struct RecordedTest {
    pub(super) flags: RecordingFlags,
    pub(super) announce: AnnounceFlags,
    /// What it is called.
    pub(super) name: String,
    pub(super) config: Option<Box<RecorderConfig>>,
    /// In which a shared target may be named.
    pub(super) texts: Vec<String>,
}

impl RecordedTest {
    pub(super) fn new(
        context: &Context,
        args: &ArtilleryArgs,
        environment: &BTreeMap<String, String>,
        inline: Option<&str>,
        plan: Option<serde_json::Value>,
    ) -> Result<Self, Refusal> {
        let own = &args.kept;
        let files = args.files();
        let read = |file: &String| std::fs::read_to_string(context.working_dir.join(file)).ok();
        // Files that cannot be read were refused before.
        let mut texts: Vec<String> = match inline {
            Some(text) => vec![text.to_owned()],
            None => files.iter().filter_map(read).collect(),
        };
        let flags = RecordingFlags {
            store: own.store.clone(),
            off: own.no_store,
            keep_env: own.keep_env.clone(),
            settings: own.settings.iter().cloned().collect(),
            note: args.note.clone().unwrap_or_default(),
            observe: own.observe.clone(),
            no_observe_after: own.no_observe_after,
            tags: Vec::new(),
            report: own.report.clone(),
            answers: AnswerFlags {
                are_saved: own.save_answers,
                same_as: own.same_answers_as.clone(),
            },
        };
        let name = match inline {
            Some(_) => "quick".to_owned(),
            None => files.first().cloned().unwrap_or_default(),
        };
        let config = recording::config(
            context,
            &flags,
            TestFacts {
                kind: "artillery",
                name: name.clone(),
                hash: hash(&texts),
                modules: Vec::new(),
                source: texts.first().cloned(),
                options: serde_json::Value::Null,
                segment: None,
                plan,
                secrets: secrets(context, environment, &texts),
            },
        )?;
        texts.extend(args.target.clone());
        Ok(Self {
            flags,
            announce: AnnounceFlags {
                notify: own.notify.clone(),
                shared: SharedTargetFlags {
                    yes: own.yes,
                    force: args.force,
                },
            },
            name,
            config,
            texts,
        })
    }
}

/// The same wherever the files lie.
fn hash(texts: &[String]) -> String {
    let mut sha = Sha256::new();
    for text in texts {
        sha.update(text.len().to_le_bytes());
        sha.update(text);
    }
    let digest = sha.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Variables that a file of variables adds, and those that the test's files name.
fn secrets(
    context: &Context,
    environment: &BTreeMap<String, String>,
    texts: &[String],
) -> Vec<(String, String)> {
    let words = |text: &'_ str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect()
    };
    let named: BTreeSet<String> = texts.iter().flat_map(|text| words(text)).collect();
    environment
        .iter()
        .filter(|(name, _)| named.contains(*name) || !context.env.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
