//! `report`: a stored run, or a result file, as one file for people or programs.

mod files;

use std::path::Path;

use loadline_report::comparison::{self, ComparisonFacts, file::ComparisonFile};
use loadline_session::reported::ComparisonResult;
use loadline_text::{Catalog, Exit, problem};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;
use crate::stored::written_report::{ReportFormat, Reported};
use crate::typed_shares::CareArgs;

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
  loadline report samples.csv                   # of k6 run --out csv=samples.csv, also .gz
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
    #[command(flatten)]
    care: CareArgs,
    /// In what form [default: as the file ends: .json, .md, .xml; else html]
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
    /// Where to write it; - is standard output [default: report-NAME.html for HTML, else standard
    /// output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
}

impl ReportArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.report(context);
        ended(context, self.store.lang, result)
    }

    fn report(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        let output = self.output.as_deref();
        let format = match (self.format, output) {
            (Some(format), _) => format,
            (None, Some(path)) => ReportFormat::asked(path)?,
            (None, None) => ReportFormat::Html,
        };
        if let Some(flag) = self.care.given().filter(|_| self.against.is_none()) {
            return Err(Refusal::config(problem::option_needs(flag, "--against")));
        }
        let path = Path::new(&self.run);
        let is_file = path
            .extension()
            .is_some_and(|end| end == "json" || end == "csv" || end == "gz")
            || context.working_dir.join(path).is_file();
        let reported = match (&self.against, is_file) {
            (Some(base), _) => self.compared(context, base, &catalog)?,
            (None, true) => files::read(context, &self.run, &catalog)?,
            (None, false) => self.stored(context, &catalog)?,
        };
        reported.write(context, format, output, &catalog)?;
        Ok(Exit::Success)
    }

    fn stored(&self, context: &Context, catalog: &Catalog) -> Result<Reported, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        Reported::from_store(&stored, &self.run, catalog)
    }

    fn compared(
        &self,
        context: &Context,
        base: &str,
        catalog: &Catalog,
    ) -> Result<Reported, Refusal> {
        let asked = self.care.settings(catalog)?;
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let compared =
            ComparisonResult::read(&stored.store, base, &self.run, stored.now_ms, Some(asked));
        let compared = compared.map_err(|error| stored.refusal(error))?;
        if let Some(shared) = &compared.shared {
            return Err(Refusal::shared_runs(shared, base, &self.run));
        }
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
