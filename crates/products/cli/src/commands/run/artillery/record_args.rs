//! Flags of ours for an Artillery file: how it is recorded and announced.

use loadline_observe::SourceAddress;

use crate::launch::{observation, recording};

/// Flags of ours for an Artillery file.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct RecordArgs {
    /// Setting of the target, written down with the run, repeatable: --set threads.max=20
    #[arg(long = "set", value_parser = setting, value_name = "NAME=VALUE")]
    pub(super) settings: Vec<(String, String)>,
    /// Where runs are kept [default: loadline/runs.db in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<String>,
    /// Keep nothing of this run
    #[arg(long, conflicts_with = "store")]
    pub(super) no_store: bool,
    /// Write a report of the run to a file, as loadline report does: HTML, or as it ends (.json, .md, .xml)
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    pub(super) report: Option<String>,
    /// Keep a sample of answers, by request, that later runs can be held to
    #[arg(long, conflicts_with = "no_store")]
    pub(super) save_answers: bool,
    /// Fail (exit code 3) unless answers are as in a run that kept them, or in several (A,B)
    #[arg(long, value_name = "RUN")]
    pub(super) same_answers_as: Option<String>,
    /// Environment variable whose value is kept with the run, repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) keep_env: Vec<String>,
    /// Go on behind the rows that former runs used, where each is used once (order: unique)
    #[arg(long = "continue")]
    pub(super) goes_on: bool,
    /// Where signals of the target come from during the run, repeatable:
    /// http://HOST:PORT/actuator/prometheus, port:8080, pid:1234, postgres://USER@HOST/DB,
    /// redis://HOST, otlp:PORT, log:FILE, command:COMMAND
    #[arg(long, value_parser = observation::source, value_name = "SOURCE")]
    pub(super) observe: Vec<SourceAddress>,
    /// End with the load: sources are watched for 5 s after it otherwise, to tell the target's own work
    /// from that of others
    #[arg(long)]
    pub(super) no_observe_after: bool,
    /// Post start, expected load, end and verdict to a URL, as Slack's webhooks take it
    #[arg(long, value_name = "URL")]
    pub(super) notify: Option<String>,
    /// Load targets that loadline.yaml lists as shared without being asked
    #[arg(short = 'y', long)]
    pub(super) yes: bool,
}

fn setting(text: &str) -> Result<(String, String), String> {
    recording::setting(text).ok_or_else(|| "no setting".to_owned())
}
