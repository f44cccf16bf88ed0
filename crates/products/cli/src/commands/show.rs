//! `show`: a stored run as it was summed up when it ended, or up to where it was cut off.

use std::collections::BTreeMap;

use loadline_report::capacity::file::CapacityFile;
use loadline_report::document::printable;
use loadline_report::{arrivals, capacity, facts, health, k6, runs as report, url};
use loadline_session::explanation;
use loadline_sizing::PlanFile;
use loadline_store::{RunEnd, RunInfo, StoredRun, StoredRunState};
use loadline_text::{Catalog, Dialect, Exit, messages, modules, records, significant};
use loadline_units::Bytes;

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::{Stored, local_time};

/// Show a stored run as it was summed up
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline show                # the latest
  loadline show k3f9           # by the beginning of its name
  loadline show base --events
")]
pub(crate) struct ShowArgs {
    /// The run: its number, the beginning of its name, a tag, latest, latest~1
    #[arg(default_value = "latest")]
    run: String,
    /// What happened during the run, too
    #[arg(long)]
    events: bool,
    /// The test's source instead, as it was run, secrets left out
    #[arg(long)]
    source: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// What a run takes in the store.
#[derive(Debug, Clone, Copy)]
struct StoredSize {
    /// Bytes.
    size: u64,
    windows: u64,
}

impl ShowArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.show(context);
        ended(context, self.store.lang, result)
    }

    fn show(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let row = stored.find(&self.run)?;
        let size = stored.store.size(&row);
        let (size, windows) = size.map_err(|error| stored.refusal(error))?;
        let run = stored.store.read(row);
        let run = run.map_err(|error| stored.refusal(error))?;
        if self.source {
            context.out(run.about.source.as_deref().unwrap_or_default());
            return Ok(Exit::Success);
        }
        let signals = stored.store.signals(&run.row);
        let signals = signals.map_err(|error| stored.refusal(error))?;
        let target = signals.map(|signals| signals.setup()).unwrap_or_default();
        let found = run.capacity_found();
        let found = found.and_then(|found| CapacityFile::parse(&found.to_string()).ok());
        let found = match found {
            Some(file) => {
                let limit = explanation::limit(&stored.store, run.row.clone());
                let limit = limit.map_err(|error| stored.refusal(error))?;
                Some(file.explained(Some(limit)))
            }
            None => None,
        };
        let summary = match &found {
            Some(capacity) => capacity::shown::text(capacity, &context.catalog(self.store.lang)),
            None => self.summary(context, &run),
        };
        let text =
            self.head(context, &run, &target, StoredSize { size, windows }) + "\n" + &summary;
        // Names may be a target's words.
        context.out(&printable::lines(&text, usize::MAX));
        let unjudged = run.unjudged();
        if !unjudged.is_empty() {
            let said = records::show_unjudged(unjudged.join(", "));
            let text = context.catalog(self.store.lang).text(&said);
            context.out(&format!("{}\n", printable::lines(&text, usize::MAX)));
        }
        if self.events {
            for event in &run.events {
                let time = local_time(event.wall_ms, "%H:%M:%S%.3f");
                let detail = match &event.detail {
                    serde_json::Value::Null => String::new(),
                    detail => format!("  {detail}"),
                };
                context.out(&format!("{time}  {}{detail}\n", event.kind));
            }
        }
        Ok(Exit::Success)
    }

    fn head(
        &self,
        context: &Context,
        run: &StoredRun,
        target: &BTreeMap<String, String>,
        StoredSize { size, windows }: StoredSize,
    ) -> String {
        let catalog = context.catalog(self.store.lang);
        let text = |message| catalog.text(&message);
        let (row, about) = (&run.row, &run.about);
        let machine = &about.environment;
        let pairs = |(name, value): (&String, &String)| format!("{name}={value}");
        let settings: Vec<String> = row.settings.iter().map(pairs).collect();
        let target: Vec<String> = target.iter().map(pairs).collect();
        let series = about.series.as_ref().map_or_else(String::new, |series| {
            text(records::show_series_is(
                series.number,
                series.of,
                &series.id,
            ))
        });
        let rows = [
            (records::show_test(), row.test.clone()),
            (
                records::show_started(),
                local_time(row.started_ms, "%Y-%m-%d %H:%M:%S %Z"),
            ),
            (records::show_verdict(), judged(run, &catalog)),
            (records::show_settings(), settings.join(", ")),
            (records::show_note(), row.note.clone()),
            (records::show_tags(), row.tags.join(", ")),
            (records::show_series(), series),
            (records::show_segment(), row.segment.clone()),
            (records::show_plan(), planned(about, &catalog)),
            (messages::row_arrivals(), arrived(run, &catalog)),
            (messages::row_generator(), short_generator(run, &catalog)),
            (records::show_merged(), about.merged_from.join(", ")),
            (
                records::show_machine(),
                text(records::show_machine_is(
                    &machine.host,
                    &machine.kernel,
                    machine.usable_cpus,
                    machine.cpus,
                )),
            ),
            (records::show_target(), target.join("\n")),
            (modules::show_modules(), modules_of(about)),
            (records::show_hash(), row.hash.chars().take(16).collect()),
            (
                records::show_size(),
                text(records::show_size_is(
                    Bytes(size),
                    run.series.len(),
                    windows,
                )),
            ),
        ];
        let title = text(records::show_run(&row.name, row.number));
        report::facts(&title, &rows, &catalog)
    }

    fn summary(&self, context: &Context, run: &StoredRun) -> String {
        let catalog = context.catalog(self.store.lang);
        let summary = run.summary();
        // Artillery's own summary is printed while its files run; k6's has no words for it.
        if ["url", "artillery"].contains(&run.row.kind.as_str()) {
            let exit = url::exit(&summary.verdict());
            let end = match &run.end {
                None if run.row.state == StoredRunState::Running => url::ProgramEnding::Running,
                None if run.row.verdict == "interrupted" => url::ProgramEnding::Killed,
                _ if run.row.kind == "url" => {
                    url::ProgramEnding::Code(exit.code(Dialect::Loadline))
                }
                _ => url::ProgramEnding::Untold,
            };
            let facts = url::RunFacts {
                target: &run.row.test,
                warm_up: run.end.as_ref().and_then(|end| end.warm_up.as_ref()),
                end,
            };
            return url::text(&summary, facts, &catalog);
        }
        let options = k6::SummaryOptions {
            no_color: true,
            ..k6::SummaryOptions::default()
        };
        k6::text(&summary, k6::SummaryDetail::Compact, &options)
    }
}

/// The verdict's word, and under it what became of load, checks and requests.
fn judged(run: &StoredRun, catalog: &Catalog) -> String {
    let mut lines = vec![report::word(&run.row.verdict, catalog)];
    if run.end.is_some() {
        lines.extend(facts::lines(&run.summary(), &[], catalog));
    }
    lines.join("\n")
}

/// How starts were spaced; empty without load at a rate, and of a run that was cut off.
fn arrived(run: &StoredRun, catalog: &Catalog) -> String {
    let process = end_of_script(run).and_then(|end| end.run.arrivals);
    process.map_or_else(String::new, |process| arrivals::line(process, catalog))
}

/// What the generator ran short of; empty if it did not, and of a run that was cut off.
fn short_generator(run: &StoredRun, catalog: &Catalog) -> String {
    let ended = end_of_script(run).map(|end| &end.run);
    let short = ended.filter(|run| !run.generator.limits(run.duration).is_empty());
    let lines = short.map(|run| health::lines(run, catalog));
    lines.unwrap_or_default().join("\n")
}

/// How a script's run ended. The summaries of other runs have these rows of their own.
fn end_of_script(run: &StoredRun) -> Option<&RunEnd> {
    let is_script = !["url", "artillery"].contains(&run.row.kind.as_str());
    run.end.as_ref().filter(|_| is_script)
}

/// The modules a test imports from the web, one a line.
fn modules_of(about: &RunInfo) -> String {
    let lines = about.modules.iter().map(|module| {
        let sha256: String = module.sha256.chars().take(12).collect();
        format!("{} {sha256} ({})", module.url, module.origin)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The plan a run was made from, in a few words; empty without one.
fn planned(about: &RunInfo, catalog: &Catalog) -> String {
    let plan = about.plan.clone();
    let Some(plan) = plan.and_then(|plan| serde_json::from_value::<PlanFile>(plan).ok()) else {
        return String::new();
    };
    catalog.text(&records::show_plan_is(
        significant(plan.peak_rate),
        significant(plan.mean_rate),
        significant(plan.peak_users),
    ))
}
