//! `report`: a stored run, or a result file, as one file for people or programs.

mod files;

use std::path::Path;

use clap::ValueEnum;
use loadline_record::Series;
use loadline_report::capacity;
use loadline_report::comparison::{self, ComparisonFacts, file::ComparisonFile};
use loadline_report::document::html::EmbeddedFile;
use loadline_report::document::{ReportDocument, html, junit, markdown};
use loadline_report::run::{VerdictFacts, document, export};
use loadline_session::RunResult;
use loadline_session::reported::{self, ComparisonResult};
use loadline_text::{Catalog, Exit, Lang, problem, report};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::launch::recording::RecordingFlags;
use crate::launch::repeat;
use crate::refusal::Refusal;
use crate::stored::{Stored, local_time};

/// Write a report of a run as one HTML file: verdict, goals, results, charts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline report                               # the latest run: report-NAME.html
  loadline report k3f9 --lang ko -o report.html
  loadline report latest --against base         # what changed
  loadline report latest --format junit -o junit.xml
  loadline report capacity.json                 # what capacity --export wrote
  loadline report study.yaml                    # of loadline tune study.yaml
  loadline report summary.json                  # of k6 run --summary-export
  loadline report samples.json                  # of k6 run --out json=samples.json, also .gz
  loadline report result.json                   # of artillery run --output

The HTML file needs no network and no script, and prints on paper.
")]
pub(crate) struct ReportArgs {
    /// The run: its number, the beginning of its name, a tag, latest; or a result file (.json) of
    /// loadline capacity, k6 or Artillery, or the file of a study
    #[arg(default_value = "latest")]
    run: String,
    /// Compare it with this run, or all runs with this tag, and report the comparison
    #[arg(long, value_name = "BASE")]
    against: Option<String>,
    /// In what form
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    format: ReportFormat,
    /// Where to write it; - is standard output [default: report-NAME.html for HTML, else standard
    /// output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
}

/// Writes the report that was asked for when the run was started, `run --report FILE`.
///
/// # Errors
/// The run is not kept, or the file cannot be written.
pub(super) fn write_asked(
    context: &mut Context,
    flags: &RecordingFlags,
    run: &AskedReport<'_>,
) -> Result<(), Refusal> {
    let (Some(file), Some(kept)) = (&flags.report, &run.outcome.kept) else {
        return Ok(());
    };
    let args = ReportArgs {
        run: kept.name.clone(),
        against: None,
        format: ReportFormat::Html,
        output: Some(repeat::numbered(file, run.series)),
        store: StoreArgs {
            store: flags.store.clone(),
            lang: Some(run.lang),
        },
    };
    args.report(context).map(|_| ())
}

/// A run whose report was asked for when it was started.
pub(super) struct AskedReport<'a> {
    pub(super) outcome: &'a RunResult,
    /// Its place among repetitions.
    pub(super) series: Option<&'a Series>,
    pub(super) lang: Lang,
}

/// In what form a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// One page that needs nothing else
    Html,
    /// Numbers for programs
    Json,
    /// For merge requests and wikis
    Markdown,
    /// One test case a goal
    Junit,
}

/// Something reported, in all forms.
struct Reported {
    name: String,
    document: ReportDocument,
    json: String,
    seconds: f64,
}

impl ReportArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.report(context);
        ended(context, self.store.lang, result)
    }

    fn report(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        let path = Path::new(&self.run);
        let is_file = path.extension().is_some_and(|end| end == "json")
            || context.working_dir.join(path).is_file();
        let reported = match (&self.against, is_file) {
            (Some(base), _) => self.compared(context, base, &catalog)?,
            (None, true) => files::read(context, &self.run, &catalog)?,
            (None, false) => self.stored(context, &catalog)?,
        };
        let text = match self.format {
            ReportFormat::Html => page(&reported, &catalog),
            ReportFormat::Json => reported.json,
            ReportFormat::Markdown => markdown::text(&reported.document, &catalog),
            ReportFormat::Junit => junit::xml(&reported.document, reported.seconds),
        };
        let named = format!("report-{}.html", reported.name);
        let path = match (&self.output, self.format) {
            (Some(path), _) => path.as_str(),
            (None, ReportFormat::Html) => named.as_str(),
            (None, _) => "-",
        };
        if path == "-" {
            context.out(&text);
            return Ok(Exit::Success);
        }
        std::fs::write(context.working_dir.join(path), text)
            .map_err(|error| Refusal::other(problem::write_failed(path, error)))?;
        let said = catalog.text(&report::written(path));
        context.err(&format!("loadline: {said}\n"));
        Ok(Exit::Success)
    }

    fn stored(&self, context: &Context, catalog: &Catalog) -> Result<Reported, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let row = stored.find(&self.run)?;
        let run = reported::read(&stored.store, row, stored.now_ms);
        let run = run.map_err(|error| stored.refusal(error))?;
        let facts = VerdictFacts {
            started: local_time(run.tested.started_ms, "%Y-%m-%d %H:%M:%S %:z"),
        };
        let name = run.tested.name.clone();
        let found = capacity::document::of_run(&run, &facts.started, catalog);
        if let Some((document, file)) = found {
            return Ok(Reported {
                document,
                json: file.to_json(),
                seconds: run.summary.run.duration.as_secs_f64(),
                name,
            });
        }
        Ok(Reported {
            document: document(&run, &facts, catalog),
            json: format!("{:#}\n", export::json(&run)),
            seconds: run.summary.run.duration.as_secs_f64(),
            name,
        })
    }
}

impl ReportArgs {
    fn compared(
        &self,
        context: &Context,
        base: &str,
        catalog: &Catalog,
    ) -> Result<Reported, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let compared = ComparisonResult::read(&stored.store, base, &self.run, stored.now_ms);
        let compared = compared.map_err(|error| stored.refusal(error))?;
        let facts = ComparisonFacts {
            before: base.to_owned(),
            after: self.run.clone(),
            caveats: compared.caveats,
            moved: compared.moved,
            limits: compared.limits,
        };
        let (comparison, settings) = (&compared.comparison, &compared.settings);
        let runs = compared.runs.as_ref().map(|(a, b)| (a, b));
        let file = ComparisonFile::new(comparison, &facts, settings, None);
        Ok(Reported {
            document: comparison::document::document(comparison, &facts, settings, runs, catalog),
            json: format!("{}\n", file.to_json()),
            seconds: 0.0,
            name: format!("{}-{base}", self.run),
        })
    }
}

fn page(reported: &Reported, catalog: &Catalog) -> String {
    let file = EmbeddedFile {
        name: format!("{}.json", reported.name),
        media_type: "application/json",
        text: reported.json.clone(),
    };
    html::page(&reported.document, &[file], catalog)
}
