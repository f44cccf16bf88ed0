//! How k6's summary is shown, and what a script's `handleSummary` is given.

use std::sync::Arc;
use std::time::SystemTime;

use loadline_k6::K6Factory;
use loadline_k6_options::flags::SummaryMode;
use loadline_k6_options::{K6Version, Options, SummarySettings};
use loadline_record::Summary;
use loadline_report::k6 as report;

use super::{K6Request, TestSource};
use crate::outcome::Summarizer;

/// How the summary is shown.
pub(super) fn summary_options(options: &Options, request: &K6Request) -> report::SummaryOptions {
    let settings = SummarySettings::from_options(options);
    report::SummaryOptions {
        trend_stats: settings
            .trend_stats
            .iter()
            .filter_map(|stat| stat.name().parse().ok())
            .collect(),
        time_unit: options
            .summary_time_unit
            .as_deref()
            .and_then(report::TimeUnit::named),
        k6_version: options.version.number(),
        gauges_from_zero: options.version < K6Version::V2,
        colors: request.tty.stdout && !request.runtime.no_color,
        no_color: request.runtime.no_color,
    }
}

/// Gives a script's `handleSummary` its data.
pub(super) struct HandleSummaryData {
    factory: Arc<K6Factory>,
    options: report::SummaryOptions,
    tty: report::Tty,
    machine: Option<Machine>,
}

/// What k6's machine-readable summary has beside the summary.
struct Machine {
    /// Whose metrics are told.
    mode: report::SummaryDetail,
    script: String,
    wall_clock: fn() -> SystemTime,
}

impl HandleSummaryData {
    pub(super) fn new(
        request: &K6Request,
        source: &TestSource,
        factory: Arc<K6Factory>,
        options: report::SummaryOptions,
    ) -> Self {
        Self {
            factory,
            options,
            tty: request.tty,
            machine: machine_of(request, source),
        }
    }
}

/// The next form where it was asked for; the summary's former mode has none.
fn machine_of(request: &K6Request, source: &TestSource) -> Option<Machine> {
    let mode = match request.runtime.summary_mode {
        SummaryMode::Full => report::SummaryDetail::Full,
        SummaryMode::Compact | SummaryMode::Disabled => report::SummaryDetail::Compact,
        SummaryMode::Legacy => return None,
    };
    request.runtime.machine_readable.then(|| Machine {
        mode,
        script: source.text.clone(),
        wall_clock: request.wall_clock,
    })
}

impl Summarizer for HandleSummaryData {
    fn give(&self, summary: &Summary) {
        let data = match &self.machine {
            None => report::handle_summary_data(summary, &self.options, self.tty),
            Some(machine) => {
                let facts = report::MachineFacts {
                    mode: machine.mode,
                    script: &machine.script,
                    generated_at: (machine.wall_clock)(),
                };
                report::machine_readable(summary, &self.options, facts)
            }
        };
        self.factory.give_summary(data.to_string());
    }

    fn setup_data(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.factory.setup_data()?).ok()
    }
}
