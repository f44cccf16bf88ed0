//! `runs`: the stored runs, and what a person does with them.

mod elsewhere;
mod export;

use std::collections::BTreeMap;

use loadline_record::Redactor;
use loadline_report::runs::{self as report, TableFormat};
use loadline_store::{RunEnd, RunRow, StoredRunState};
use loadline_text::{Catalog, Exit, records};

use super::show::ShowArgs;
use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::launch::recording;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// A day, in milliseconds.
const DAY_MS: f64 = 86_400_000.0;

/// List stored runs; tag, note, remove and export them
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  loadline runs                          # the latest first
  loadline runs --table --tag pool       # the table of an experiment: settings, TPS, p95, notes
  loadline runs --table --format csv > table.csv
  loadline runs set base pool=20 heap=   # what was set, written down later; heap is taken away
  loadline runs tag latest base          # give a run a name of its own
  loadline runs note base 'before the fix'
  loadline runs export base --format csv > base.csv
  loadline runs rm --older-than 30d      # runs without tag and note

A run is named by its number, the beginning of its name, a tag, latest, or latest~1.
"
)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    command: Option<RunsCommand>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Settings, TPS, p95 and notes, oldest first
    #[arg(long)]
    table: bool,
    /// The table as text, csv (plain numbers) or markdown
    #[arg(long, value_name = "FORM", requires = "table", value_enum)]
    format: Option<Form>,
    /// Rows of the table that were measured elsewhere, as CSV, repeatable: VUs, TPS, mean, p95,
    /// errors, note; other columns are settings
    #[arg(long, value_name = "FILE", requires = "table")]
    with: Vec<String>,
    /// Only runs with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Only runs of this test
    #[arg(long, value_name = "TEXT")]
    test: Option<String>,
    /// At most so many, the latest
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// As JSON, one line a run
    #[arg(long, conflicts_with = "table")]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// How the table is written.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Form {
    Text,
    Csv,
    #[value(alias = "md")]
    Markdown,
}

impl From<Form> for TableFormat {
    fn from(form: Form) -> Self {
        match form {
            Form::Text => Self::Text,
            Form::Csv => Self::Csv,
            Form::Markdown => Self::Markdown,
        }
    }
}

#[derive(Debug, clap::Subcommand)]
enum RunsCommand {
    /// Show a stored run as it was summed up
    Show(ShowArgs),
    /// Give a run tags, or take them away
    Tag {
        /// The run
        run: String,
        /// Tags to add
        tags: Vec<String>,
        /// Tag to take away, repeatable
        #[arg(long, value_name = "TAG")]
        remove: Vec<String>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Replace a run's note
    Note {
        /// The run
        run: String,
        /// The words; none removes the note
        #[arg(default_value = "")]
        text: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Change the settings of the target that are written down with a run
    Set {
        /// The run
        run: String,
        /// threads.max=20; without a value the setting is taken away
        #[arg(required = true, value_parser = setting, value_name = "NAME=VALUE")]
        settings: Vec<(String, String)>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Remove runs
    Rm(RemoveArgs),
    /// Write a run's windows as JSON lines or CSV
    Export(export::ExportArgs),
}

#[derive(Debug, clap::Args)]
struct RemoveArgs {
    /// The runs
    #[arg(required_unless_present_any = ["older_than", "keep_last"])]
    runs: Vec<String>,
    /// Runs older than this, such as 30d; those with a tag or a note stay
    #[arg(long, value_name = "TIME", value_parser = age)]
    older_than: Option<f64>,
    /// All but the latest N; those with a tag or a note stay
    #[arg(long, value_name = "N")]
    keep_last: Option<usize>,
    /// Say how many, and remove none
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    store: StoreArgs,
}

fn setting(text: &str) -> Result<(String, String), String> {
    recording::setting(text).ok_or_else(|| "no setting".to_owned())
}

/// An age in milliseconds: `30d`, or a time as elsewhere.
fn age(text: &str) -> Result<f64, String> {
    if let Some(days) = text
        .strip_suffix('d')
        .and_then(|days| days.parse::<f64>().ok())
    {
        return Ok(days * DAY_MS);
    }
    let time = loadline_units::parse_duration(text).map_err(|error| error.to_string())?;
    Ok(time.as_secs_f64() * 1000.0)
}

impl RunsArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let Some(command) = self.command else {
            let result = self.list.exec(context);
            return ended(context, self.list.store.lang, result);
        };
        match command {
            RunsCommand::Show(args) => args.exec(context),
            RunsCommand::Tag {
                run,
                tags,
                remove,
                store,
            } => {
                let result = change(context, &store, &run, |stored, row| {
                    let done = stored.store.tag(row, &tags, &remove);
                    done.map_err(|error| stored.refusal(error))
                });
                ended(context, store.lang, result)
            }
            RunsCommand::Note { run, text, store } => {
                let result = change(context, &store, &run, |stored, row| {
                    let done = stored.store.note(row, &Redactor::default().text(&text));
                    done.map_err(|error| stored.refusal(error))
                });
                ended(context, store.lang, result)
            }
            RunsCommand::Set {
                run,
                settings,
                store,
            } => {
                let result = change(context, &store, &run, |stored, row| {
                    let done = stored.store.set(row, &changed(row, settings));
                    done.map_err(|error| stored.refusal(error))
                });
                ended(context, store.lang, result)
            }
            RunsCommand::Rm(args) => {
                let result = args.exec(context);
                ended(context, args.store.lang, result)
            }
            RunsCommand::Export(args) => {
                let result = args.exec(context);
                ended(context, args.store.lang, result)
            }
        }
    }
}

/// A run's settings with these changes; an empty value takes one away.
fn changed(row: &RunRow, changes: Vec<(String, String)>) -> BTreeMap<String, String> {
    let mut settings = row.settings.clone();
    for (name, value) in changes {
        if value.is_empty() {
            settings.remove(&name);
            continue;
        }
        settings.insert(name, value);
    }
    let masked = Redactor::default().json(serde_json::json!(settings));
    serde_json::from_value(masked).unwrap_or_default()
}

fn change(
    context: &mut Context,
    store: &StoreArgs,
    run: &str,
    change: impl FnOnce(&Stored, &RunRow) -> Result<(), Refusal>,
) -> Result<Exit, Refusal> {
    let stored = Stored::open_to_change(context, store.store.as_deref())?;
    let row = stored.find(run)?;
    change(&stored, &row)?;
    let row = stored.find(&row.name)?;
    let catalog = context.catalog(store.lang);
    context.out(&report::list(&[stored.line(row)?], &catalog));
    Ok(Exit::Success)
}

impl ListArgs {
    fn exec(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let mut rows = match &self.tag {
            Some(tag) => stored.store.tagged(tag, stored.now_ms),
            None => stored.store.runs(stored.now_ms),
        }
        .map_err(|error| stored.refusal(error))?;
        if let Some(test) = &self.test {
            rows.retain(|row| row.test.contains(test.as_str()));
        }
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        let catalog = context.catalog(self.store.lang);
        let lines = |rows: Vec<RunRow>| -> Result<Vec<_>, Refusal> {
            rows.into_iter().map(|row| stored.line(row)).collect()
        };
        let text = if self.json {
            let lines = rows.iter().map(|row| {
                let end = stored.end(row)?;
                Ok(json_line(row, end.as_ref()))
            });
            lines.collect::<Result<String, Refusal>>()?
        } else if self.table {
            rows.reverse();
            let mut all = lines(rows)?;
            for file in &self.with {
                all.extend(elsewhere::lines(context, file, &catalog)?);
            }
            report::table(
                &all,
                self.format
                    .map_or_else(TableFormat::default, TableFormat::from),
                &catalog,
            )
        } else {
            report::list(&lines(rows)?, &catalog)
        };
        context.out(&text);
        Ok(Exit::Success)
    }
}

/// A run for programs.
fn json_line(row: &RunRow, end: Option<&RunEnd>) -> String {
    let mut value = serde_json::json!({
        "number": row.number, "name": row.name, "started_ms": row.started_ms,
        "kind": row.kind, "test": row.test, "hash": row.hash, "verdict": row.verdict,
        "segment": row.segment, "series": row.series, "series_number": row.series_number,
        "seconds": row.seconds, "requests": row.requests, "rate": row.rate,
        "mean_ms": row.mean_ms, "p95_ms": row.p95_ms, "errors": row.errors, "vus": row.vus,
        "settings": row.settings, "tags": row.tags, "note": row.note,
    });
    if let Some(end) = end {
        value["shortfalls"] = serde_json::json!(end.detail.shortfalls);
        value["goals"] = serde_json::json!(end.detail.goals);
        value["drops"] = serde_json::json!(end.run.generator.drops);
        value["mean_at_least"] = end.lower_bounds.mean.into();
        value["p95_at_least"] = end.lower_bounds.p95.into();
    }
    format!("{value}\n")
}

impl RemoveArgs {
    fn exec(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let mut stored = Stored::open_to_change(context, self.store.store.as_deref())?;
        let catalog = context.catalog(self.store.lang);
        let mut chosen = self.chosen(&stored)?;
        for row in chosen
            .iter()
            .filter(|row| row.state == StoredRunState::Running)
        {
            let text = catalog.text(&records::runs_still_running(&row.name));
            context.err(&format!("{text}\n"));
        }
        chosen.retain(|row| row.state != StoredRunState::Running);
        let said = if self.dry_run {
            records::runs_would_remove(chosen.len())
        } else {
            let removed = stored.store.remove(&chosen);
            let shrunk = removed.and_then(|()| {
                if chosen.is_empty() {
                    Ok(())
                } else {
                    stored.store.shrink()
                }
            });
            // Another run may be writing: the space is then used again later.
            match shrunk {
                Ok(()) | Err(loadline_store::StoreError::Locked) => {}
                Err(error) => return Err(stored.refusal(error)),
            }
            records::runs_removed(chosen.len())
        };
        print(context, &catalog, &said);
        Ok(Exit::Success)
    }

    fn chosen(&self, stored: &Stored) -> Result<Vec<RunRow>, Refusal> {
        let mut chosen: Vec<RunRow> = Vec::new();
        for reference in &self.runs {
            chosen.push(stored.find(reference)?);
        }
        if self.older_than.is_none() && self.keep_last.is_none() {
            chosen.dedup_by_key(|row| row.number);
            return Ok(chosen);
        }
        let all = stored.store.runs(stored.now_ms);
        let all = all.map_err(|error| stored.refusal(error))?;
        let is_old = |row: &RunRow| {
            let age = (stored.now_ms - row.started_ms) as f64;
            self.older_than.is_none_or(|limit| age > limit)
        };
        let latest = self.keep_last.unwrap_or(0);
        let spared = |row: &RunRow| !row.tags.is_empty() || !row.note.is_empty();
        let old = all.into_iter().skip(latest);
        chosen.extend(old.filter(|row| is_old(row) && !spared(row)));
        Ok(chosen)
    }
}

fn print(context: &mut Context, catalog: &Catalog, message: &loadline_text::Message) {
    let text = catalog.text(message);
    context.out(&format!("{text}\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_in_days_or_a_time() {
        assert_eq!(age("30d"), Ok(30.0 * DAY_MS));
        assert_eq!(age("2h"), Ok(7_200_000.0));
        assert!(age("soon").is_err());
    }
}
