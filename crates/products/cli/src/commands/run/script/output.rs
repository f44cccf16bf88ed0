//! What a script's run prints beside its log: k6's banner and summary, our verdict.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use loadline_k6::IsolationReason;
use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6_options::flags::SummaryMode;
use loadline_k6_options::values::Segment;
use loadline_outputs::OutputConfig;
use loadline_record::{ArrivalProcess, Redactor, Series};
use loadline_report::{accounting, arrivals, health, k6 as report, url, verdict, warm_up};
use loadline_session::RunResult;
use loadline_session::k6::K6Test;
use loadline_testplan::Plan;
use loadline_text::{Dialect, Exit, grouped, messages};

use super::{Script, banner};
use crate::context::Context;
use crate::launch::{outputs, recording, repeat};

/// What a summary is made of, beside the totals.
pub(super) struct SummaryFacts<'a> {
    /// What `handleSummary` asked to be written.
    pub(super) written: Option<Vec<loadline_k6::SummaryFile>>,
    /// The data that `handleSummary` was given, as it left it.
    pub(super) left: Option<serde_json::Value>,
    pub(super) options: &'a report::SummaryOptions,
    /// The script's text.
    pub(super) source: &'a str,
    /// The run's place among repetitions.
    pub(super) series: Option<&'a Series>,
}

impl Script {
    /// What is about to happen, as k6 lists it.
    pub(super) fn banner(&self, context: &Context, test: &K6Test) -> String {
        let plan = &test.test.plan;
        let count = plan.scenarios.len();
        let segment = test.options.execution_segment.as_ref();
        let share = segment.map_or(100.0, Segment::percent);
        let mut text = format!(
            "\n     execution: local\n        script: {}\n        output: {}\n\n     scenarios: ({share:.2}%) {count} scenario{}, {} max VUs, {} max duration (incl. graceful stop):\n",
            self.name,
            outputs(&test.out, &context.env),
            if count == 1 { "" } else { "s" },
            plan.possible_vus(),
            loadline_units::duration::go_string(plan.latest_end()),
        );
        for scenario in &plan.scenarios {
            let shape = banner::description(scenario);
            text.push_str(&format!("              * {}: {shape}\n", scenario.name));
        }
        text.push('\n');
        text
    }

    /// The verdict, then what was not counted, the generator's signs when it was the
    /// bottleneck, and why users had runtimes of their own. Secrets are masked.
    pub(super) fn verdict(
        &self,
        context: &Context,
        outcome: &RunResult,
        exit: Exit,
        apart: Option<&IsolationReason>,
    ) -> Vec<String> {
        let (summary, catalog) = (&outcome.summary, &self.catalog);
        let code = exit.code(Dialect::K6);
        let mut lines = vec![verdict::of_script(summary, exit, code, catalog)];
        lines.extend(verdict::unsaid(summary, catalog));
        lines.extend(outcome.warm_up.as_ref().map(|w| warm_up::line(w, catalog)));
        if let Some(process @ ArrivalProcess::Poisson { .. }) = summary.run.arrivals {
            lines.push(arrivals::line(process, catalog));
        }
        lines.extend(accounting::lines(summary, catalog));
        lines.extend(url::mixed_line(summary, catalog));
        if let Some((count, why)) = self.log.losses() {
            let lost = messages::log_lost(grouped(count as f64, 0), why);
            lines.push(catalog.text(&lost));
        }
        let run = &summary.run;
        if outcome.began && !run.generator.limits(run.duration).is_empty() {
            lines.extend(health::lines_alone(run, catalog));
        } else {
            lines.extend(health::untold_line(run, catalog));
        }
        let apart = match apart {
            None | Some(IsolationReason::Requested) => None,
            Some(IsolationReason::InitCode { place }) => Some(messages::apart_init_code(place)),
            Some(IsolationReason::Source { place }) => Some(messages::apart_source(place)),
            Some(IsolationReason::Run { place }) => Some(messages::apart_run(place)),
        };
        lines.extend(apart.map(|message| catalog.text(&message)));
        let redactor = self.redactor(context);
        lines.iter().map(|line| redactor.text(line)).collect()
    }

    fn redactor(&self, context: &Context) -> Redactor {
        recording::redactor(
            &context.env,
            &self.parsed.run.env,
            &self.flags.recording.keep_env,
        )
    }

    /// What outputs lost, and how the run ended. A log in a file may be on the very disk that is
    /// full: what was lost is reported at the terminal too.
    pub(super) fn log_end(&self, context: &mut Context, outcome: &RunResult, entries: Vec<Entry>) {
        for line in outputs::loss_lines(&outcome.outputs, &self.catalog) {
            if !self.log.is_seen() && !context.is_k6() {
                context.err(&format!("loadline: {line}\n"));
            }
            self.log.log(Entry::new(LogLevel::Warning, line));
        }
        for entry in entries {
            self.log
                .log_failure(entry.sourced(self.runtime.version.logs_source()));
        }
    }

    /// k6's summary without secrets; what the script writes itself stays as it is.
    pub(super) fn print_summary(
        &self,
        context: &mut Context,
        outcome: &RunResult,
        facts: SummaryFacts<'_>,
    ) {
        let SummaryFacts {
            written,
            left,
            options,
            source,
            series,
        } = facts;
        let redactor = self.redactor(context);
        let mode = match self.runtime.summary_mode {
            SummaryMode::Compact => Some(report::SummaryDetail::Compact),
            SummaryMode::Full => Some(report::SummaryDetail::Full),
            SummaryMode::Legacy => Some(report::SummaryDetail::Legacy),
            SummaryMode::Disabled => None,
        };
        let Some(mode) = mode else {
            return;
        };
        match written {
            Some(files) => self.write_files(context, files, series),
            // One of several is shown by its verdict.
            None if series.is_some() => {}
            None if context.stdout_is_tty => {
                let shown = report::for_terminal(&outcome.summary);
                context.out(&redactor.text(&report::text(&shown, mode, options)));
            }
            None => {
                let text = report::text(&outcome.summary, mode, options);
                context.out(&redactor.text(&text));
            }
        }
        if let Some(path) = &self.runtime.summary_export {
            let text = if self.runtime.machine_readable && mode != report::SummaryDetail::Legacy {
                let facts = report::MachineFacts {
                    mode,
                    script: source,
                    generated_at: (context.wall_clock)(),
                };
                report::machine_readable_text(&outcome.summary, options, facts)
            } else {
                let tty = Self::tty(context);
                let untouched = || report::handle_summary_data(&outcome.summary, options, tty);
                report::summary_export(&left.unwrap_or_else(untouched))
            };
            let path = repeat::numbered(path, series);
            self.write_file(context, &path, redactor.document(&text).as_bytes());
        }
    }

    fn write_files(
        &self,
        context: &mut Context,
        files: Vec<loadline_k6::SummaryFile>,
        series: Option<&Series>,
    ) {
        for file in files {
            let text = String::from_utf8_lossy(&file.bytes);
            match file.to.as_str() {
                "stdout" => context.out(&text),
                "stderr" => context.err(&text),
                path => {
                    let path = repeat::numbered(path, series);
                    self.write_file(context, &path, &file.bytes);
                }
            }
        }
    }

    fn write_file(&self, context: &Context, path: &str, bytes: &[u8]) {
        let full = context.working_dir.join(Path::new(path));
        if let Err(error) = std::fs::write(&full, bytes) {
            let cause = match error.kind() {
                std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
                _ => error.to_string(),
            };
            let entry = Entry::new(LogLevel::Error, "failed to handle the end-of-test summary");
            self.log.log(entry.with(
                "error",
                format!(
                    "Could not save some summary information:\n\t- could not open '{path}': open {path}: {cause}"
                ),
            ));
        }
    }
}

/// The outputs as k6 lists them.
fn outputs(written: &[String], environment: &BTreeMap<String, String>) -> String {
    let read = written.iter().filter(|out| !out.is_empty());
    let described = read.map(|out| {
        // What cannot be read is refused before load.
        OutputConfig::read(out, environment)
            .map_or_else(|_| out.clone(), |config| config.description())
    });
    let described: Vec<String> = described.collect();
    if described.is_empty() {
        return "-".to_owned();
    }
    described.join(", ")
}

/// What k6's last line about a run needs of its plan.
pub(super) struct PlanShape {
    latest_end: Duration,
    most_vus: u64,
}

impl PlanShape {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            latest_end: plan.latest_end(),
            most_vus: plan.possible_vus(),
        }
    }

    /// k6's last line: `running (09.3s), 00/20 VUs, 202 complete and 109 interrupted iterations`.
    pub(super) fn progress(&self, outcome: &RunResult) -> String {
        let run = &outcome.summary.run;
        let width = self.most_vus.to_string().len();
        format!(
            "\nrunning ({}), {:0width$}/{} VUs, {} complete and {} interrupted iterations\n",
            clock(run.duration.min(self.latest_end), self.latest_end),
            0,
            run.most_vus,
            run.complete_iterations,
            run.interrupted_iterations,
        )
    }
}

/// A time to the tenth of a second, with as many places as the longest it can be.
fn clock(time: Duration, longest: Duration) -> String {
    let tenths = (time.as_millis() + 50) / 100;
    let (minutes, rest) = (tenths / 600, tenths % 600);
    let seconds = format!("{:02}.{}s", rest / 10, rest % 10);
    match longest.as_secs() {
        0..60 => seconds,
        60..3600 => format!("{minutes:02}m{seconds}"),
        _ => format!("{}h{:02}m{seconds}", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_places_of_the_longest() {
        let at =
            |millis, longest| clock(Duration::from_millis(millis), Duration::from_secs(longest));
        assert_eq!(at(9_340, 40), "09.3s");
        assert_eq!(at(9_340, 630), "00m09.3s");
        assert_eq!(at(3_700_000, 7200), "1h01m40.0s");
    }
}
