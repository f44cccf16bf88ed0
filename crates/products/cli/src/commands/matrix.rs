//! `matrix`: each API alone and the user's flow, each with smoke, load, stress, break point and soak, in one table.
//!
//! `experiment::matrix` says which test comes next, the search of `capacity` holds every load, [`journal`] keeps
//! what ended, `report::matrix` shows what it came to.

mod args;
mod before;
mod cells;
mod journal;
mod planned;
mod ready;
mod rows;
mod under_way;

use loadline_experiment::matrix::{MatrixSettings, ROW_SECONDS_MIN};
use loadline_report::document::markdown;
use loadline_report::matrix::{self as report, MATRIX_VERSION, MatrixReport, MatrixRow};
use loadline_text::{Catalog, Dialect, Exit, matrix, problem};
use loadline_units::duration::go_string;

use super::capacity::SearchInterrupts;
use super::run;
use crate::context::Context;
use crate::launch::announcement::{self, AnnouncedTest};
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::problems;
use crate::launch::recording;
use crate::launch::test_kind::Place;
use crate::refusal::Refusal;
use crate::stored::written_report::{ReportFormat, Reported};
pub(crate) use args::MatrixArgs;
use args::{MatrixFormat, MatrixLine};
use before::AnnouncedMatrix;
use cells::CellRunner;
use journal::MatrixJournal;
use ready::{digest, ready};
use rows::RowSources;
use under_way::MatrixRun;

/// Tests as `args` say; gives the exit code.
pub(crate) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let folder = context.working_dir.clone();
    let place = Place {
        folder: &folder,
        is_k6: false,
    };
    let args = problems::with_negative_values(args.iter().cloned());
    match MatrixLine::new(&args, place) {
        Ok(line) => finish(context, &line),
        Err(error) => super::usage(context, &error, &known_flags()),
    }
}

/// The flags of a matrix of URLs.
fn known_flags() -> KnownFlags {
    let [url, _] = run::own_commands();
    KnownFlags::of_search(&MatrixArgs::command(), &url)
}

impl MatrixArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let folder = context.working_dir.clone();
        let place = Place {
            folder: &folder,
            is_k6: false,
        };
        let line = MatrixLine::plain(self, place);
        finish(context, &line)
    }
}

/// What is wrong with arguments of `matrix`, if anything is.
#[cfg(test)]
pub(crate) fn mistake_of(args: &[String]) -> Option<String> {
    let place = Place {
        folder: std::path::Path::new("."),
        is_k6: false,
    };
    match MatrixLine::new(args, place) {
        Ok(line) => {
            let first = line
                .rest
                .words
                .first()
                .filter(|_| line.kind != args::SourceKind::List);
            let url = "http://127.0.0.1/".to_owned();
            let test = std::iter::once(first.cloned().unwrap_or(url));
            run::mistake_of(&test.chain(line.rest.flags).collect::<Vec<_>>())
        }
        Err(error) => Some(error.to_string()),
    }
}

fn finish(context: &mut Context, line: &MatrixLine) -> u8 {
    let exit = test_all(context, line).unwrap_or_else(|refusal| {
        let catalog = context.catalog(None);
        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
        refusal.exit
    });
    exit.code(Dialect::Loadline)
}

fn test_all(context: &mut Context, line: &MatrixLine) -> Result<Exit, Refusal> {
    let own = &line.own;
    let catalog = context.catalog(None);
    own.report.as_deref().map(ReportFormat::asked).transpose()?;
    if let Some(path) = &own.report {
        run::check_writable(&context.working_dir.join(path), path)?;
    }
    let known = known_flags();
    let mut sources = RowSources::gather(context, line, &known, &catalog)?;
    let of_plan = planned::set(context, &mut sources, own, &catalog)?;
    let plan_terms = [of_plan.terms, std::mem::take(&mut sources.terms)].concat();
    let is_usual = own.slo.is_empty() && plan_terms.is_empty();
    let terms = own.terms(plan_terms, &catalog)?;
    let pace = pace(line, sources.rows.len(), &catalog)?;
    let ready = ready(context, &sources, &known)?;
    let objective: Vec<String> = terms.iter().map(ToString::to_string).collect();
    let hash = digest(line, &sources, &ready.hashes, &objective);
    let new_id = format!("matrix-{}", recording::run_name());
    let journal = ready
        .store
        .as_ref()
        .map(|store| MatrixJournal::open(store, &hash, own.fresh, &new_id))
        .transpose()?;
    let id = journal
        .as_ref()
        .map_or(new_id, |journal| journal.id.clone());
    let report = MatrixReport {
        id: id.clone(),
        objective,
        ..untested(line, &sources)
    };
    let mut run = MatrixRun {
        sources: &sources,
        spent: vec![0.0; report.rows.len()],
        is_warm: vec![false; report.rows.len()],
        report,
        pace,
        journal,
        is_quiet: ready.is_quiet,
    };
    run.resume();
    let announced = AnnouncedMatrix {
        sources: &sources,
        terms: &terms,
        is_usual,
        pace,
        hosts: &ready.hosts,
        id: run.journal.as_ref().map(|_| id.as_str()),
        unmatched: &of_plan.unmatched,
    };
    context.err(&announced.text(&catalog));
    let (made, left) = run.counts();
    if made > 0 {
        let said = matrix::before_resumed(made, made + left);
        context.err(&format!("{}\n", catalog.text(&said)));
    }
    let texts: Vec<&str> = ready.texts.iter().map(String::as_str).collect();
    let test = AnnouncedTest {
        name: &run.report.test,
        plan: &ready.plan,
        texts: &texts,
    };
    let notices = announcement::begin(context, &ready.announce, &test, &catalog)?;
    let runner = CellRunner {
        catalog: &catalog,
        known: &known,
        terms: &terms,
        interrupts: SearchInterrupts::watch()?,
        spacing: own.spacing(),
        warmup: own.warmup,
        highest: own.max_rate.map(loadline_units::Rate::as_per_second),
        most_users: own.max_vus.map(u64::from),
        id: &id,
    };
    run.run(context, &runner, &catalog)?;
    let report = run.report.sorted();
    if let Some(notices) = notices {
        notices.end(context, &report.headline(&catalog), &catalog);
    }
    print(context, own, &report, &catalog)?;
    Ok(report.exit())
}

/// All rows, before the first test.
fn untested(line: &MatrixLine, sources: &RowSources) -> MatrixReport {
    let rows = sources.rows.iter();
    MatrixReport {
        loadline_matrix: MATRIX_VERSION,
        id: String::new(),
        test: line.rest.words.join(" "),
        objective: Vec::new(),
        quick: line.own.quick,
        complete: false,
        rows: rows
            .map(|row| MatrixRow::new(&row.name, row.kind, row.planned))
            .collect(),
    }
}

fn print(
    context: &mut Context,
    own: &MatrixArgs,
    report: &MatrixReport,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let document = || report::document::document(report, catalog);
    context.out(&match own.format.unwrap_or_default() {
        MatrixFormat::Text => report::text(report, catalog),
        MatrixFormat::Markdown => markdown::text(&document(), catalog),
        MatrixFormat::Json => report.to_json(),
    });
    let Some(path) = own.report.as_deref() else {
        return Ok(());
    };
    let reported = Reported {
        name: report.id.clone(),
        document: document(),
        json: report.to_json(),
        seconds: 0.0,
    };
    reported.write(context, ReportFormat::asked(path)?, Some(path), catalog)
}

/// How long tests take.
fn pace(line: &MatrixLine, rows: usize, catalog: &Catalog) -> Result<MatrixSettings, Refusal> {
    let each = line
        .own
        .row_budget
        .map(|each| each * u32::try_from(rows).unwrap_or(u32::MAX));
    let budget = line.own.budget.or(each).map(|budget| budget.as_secs_f64());
    let pace = MatrixSettings::new(rows, budget, line.own.quick);
    if let Some(budget) = line.own.budget
        && pace.row_seconds < ROW_SECONDS_MIN
    {
        let least = std::time::Duration::from_secs_f64(ROW_SECONDS_MIN * rows as f64);
        let shown = |time| catalog.length(&go_string(time));
        let refused = problem::matrix_budget(shown(budget), rows, shown(least));
        return Err(Refusal::config(refused));
    }
    Ok(pace)
}
