//! A stored run as a file for people or programs: what `report` and `run --report` write.

use clap::ValueEnum;
use loadline_report::capacity;
use loadline_report::document::html::EmbeddedFile;
use loadline_report::document::{ReportDocument, html, junit, markdown};
use loadline_report::run::{VerdictFacts, document, export};
use loadline_session::reported;
use loadline_text::{Catalog, problem, report};

use super::{Stored, local_time};
use crate::context::Context;
use crate::refusal::Refusal;

/// In what form a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One page that needs nothing else
    Html,
    /// Numbers for programs
    Json,
    /// For merge requests and wikis
    Markdown,
    /// One test case a goal
    Junit,
}

/// Endings of forms that people ask for and no report is written in.
const OTHER_FORMS: [&str; 26] = [
    "pdf", "doc", "docx", "odt", "rtf", "ps", "ppt", "pptx", "png", "jpg", "jpeg", "gif", "svg",
    "webp", "csv", "tsv", "xls", "xlsx", "ods", "txt", "yaml", "yml", "zip", "gz", "mht", "mhtml",
];

impl ReportFormat {
    /// The same, before the report is made.
    ///
    /// # Errors
    /// The ending is of a form that none is written in.
    pub(crate) fn asked(path: &str) -> Result<Self, Refusal> {
        let ending = std::path::Path::new(path).extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.filter(|ending| OTHER_FORMS.contains(&ending.as_str())) {
            Some(ending) => Err(Refusal::config(problem::report_ending(path, ending))),
            None => Ok(Self::of_file(path)),
        }
    }

    /// The form that a file's ending names; a page for any other.
    pub(crate) fn of_file(path: &str) -> Self {
        let ending = std::path::Path::new(path).extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("md" | "markdown") => Self::Markdown,
            Some("xml") => Self::Junit,
            _ => Self::Html,
        }
    }
}

/// Something reported, in all forms.
pub(crate) struct Reported {
    pub(crate) name: String,
    pub(crate) document: ReportDocument,
    pub(crate) json: String,
    pub(crate) seconds: f64,
}

impl Reported {
    /// The stored run that `reference` names.
    ///
    /// # Errors
    /// No run matches, several do, or the store cannot be read.
    pub(crate) fn from_store(
        stored: &Stored,
        reference: &str,
        catalog: &Catalog,
    ) -> Result<Self, Refusal> {
        let row = stored.find(reference)?;
        let run = reported::read(&stored.store, row, stored.now_ms);
        let run = run.map_err(|error| stored.refusal(error))?;
        let facts = VerdictFacts {
            started: local_time(run.tested.started_ms, "%Y-%m-%d %H:%M:%S %:z"),
        };
        let found = capacity::document::of_run(&run, &facts.started, catalog);
        let (document, json) = match found {
            Some((document, file)) => (document, file.to_json()),
            None => (
                document(&run, &facts, catalog),
                format!("{:#}\n", export::json(&run)),
            ),
        };
        Ok(Self {
            document,
            json,
            seconds: run.summary.run.duration.as_secs_f64(),
            name: run.tested.name,
        })
    }

    /// Writes it to the file named, `-` for standard output; else HTML beside where one is, and
    /// other forms to standard output.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(
        self,
        context: &mut Context,
        format: ReportFormat,
        output: Option<&str>,
        catalog: &Catalog,
    ) -> Result<(), Refusal> {
        let text = self.text(format, catalog);
        let named = format!("report-{}.html", self.name);
        let path = match (output, format) {
            (Some(path), _) => path,
            (None, ReportFormat::Html) => named.as_str(),
            (None, _) => "-",
        };
        if path == "-" {
            context.out(&text);
            return Ok(());
        }
        std::fs::write(context.working_dir.join(path), text)
            .map_err(|error| Refusal::other(problem::write_failed(path, error)))?;
        let said = catalog.text(&report::written(path));
        context.err(&format!("loadline: {said}\n"));
        Ok(())
    }

    /// Its text in this form.
    pub(crate) fn text(&self, format: ReportFormat, catalog: &Catalog) -> String {
        match format {
            ReportFormat::Html => self.page(catalog),
            ReportFormat::Json => self.json.clone(),
            ReportFormat::Markdown => markdown::text(&self.document, catalog),
            ReportFormat::Junit => junit::xml(&self.document, self.seconds),
        }
    }

    fn page(&self, catalog: &Catalog) -> String {
        let file = EmbeddedFile {
            name: format!("{}.json", self.name),
            media_type: "application/json",
            text: self.json.clone(),
        };
        html::page(&self.document, &[file], catalog)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: a page in HTML, in a file named r.pdf.
    #[test]
    fn a_form_that_is_not_written_is_refused() {
        for path in ["out/r.pdf", "R.PDF", "r.docx", "r.csv", "r.png", "r.txt"] {
            let refusal = ReportFormat::asked(path).unwrap_err();
            assert_eq!(
                refusal.problem.code,
                loadline_text::Code::ReportEnding,
                "{path}"
            );
        }
        for path in [
            "r.html",
            "r.json",
            "report",
            "report.v2",
            "-",
            "/dev/stdout",
        ] {
            assert_eq!(
                ReportFormat::asked(path).unwrap(),
                ReportFormat::of_file(path)
            );
        }
    }

    #[test]
    fn a_files_ending_names_its_form() {
        for (path, format) in [
            ("r.json", ReportFormat::Json),
            ("out/R.JSON", ReportFormat::Json),
            ("r.md", ReportFormat::Markdown),
            ("junit.xml", ReportFormat::Junit),
            ("r.html", ReportFormat::Html),
            ("-", ReportFormat::Html),
            ("report", ReportFormat::Html),
        ] {
            assert_eq!(ReportFormat::of_file(path), format, "{path}");
        }
    }
}
