//! What an Artillery run leaves behind and asks for: its record, its notices, a yes.

use std::collections::{BTreeMap, BTreeSet};

use loadline_observe::SourceAddress;
use loadline_store::RecorderConfig;
use sha2::{Digest, Sha256};

use super::args::ArtilleryArgs;
use crate::context::Context;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::observation;
use crate::launch::recording::{self, RecordingFlags, TestFacts};
use crate::launch::shared_targets::SharedTargetFlags;
use crate::refusal::Refusal;

/// Flags of ours for it.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct RecordArgs {
    /// Setting of the target, written down with the run, repeatable: --set threads.max=20
    #[arg(long = "set", value_parser = setting, value_name = "NAME=VALUE")]
    settings: Vec<(String, String)>,
    /// Where runs are kept [default: loadline/runs.db in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<String>,
    /// Keep nothing of this run
    #[arg(long, conflicts_with = "store")]
    pub(super) no_store: bool,
    /// Environment variable whose value is kept with the run, repeatable
    #[arg(long, value_name = "NAME")]
    keep_env: Vec<String>,
    /// Go on behind the rows that former runs used, where each is used once (order: unique)
    #[arg(long = "continue")]
    pub(super) goes_on: bool,
    /// Where signals of the target come from during the run, repeatable:
    /// http://HOST:PORT/actuator/prometheus, port:8080, pid:1234, postgres://USER@HOST/DB,
    /// redis://HOST, otlp:PORT, log:FILE, command:COMMAND
    #[arg(long, value_parser = observation::source, value_name = "SOURCE")]
    observe: Vec<SourceAddress>,
    /// Post start, expected load, end and verdict to a URL, as Slack's webhooks take it
    #[arg(long, value_name = "URL")]
    notify: Option<String>,
    /// Load targets that loadline.yaml lists as shared without being asked
    #[arg(short = 'y', long)]
    yes: bool,
}

fn setting(text: &str) -> Result<(String, String), String> {
    recording::setting(text).ok_or_else(|| "no setting".to_owned())
}

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
