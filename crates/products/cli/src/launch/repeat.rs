//! `--repeat N`: one test, run again and again, reported as one.

use loadline_record::Series;
use loadline_report::series::{self, Repetition};
use loadline_session::RunResult;
use loadline_text::{Catalog, Exit, messages};

use super::launch_flags::drawn_word;
use crate::context::Context;

/// A run as it ended.
pub(crate) struct EndedRun {
    /// How the program ends if it is the only one.
    pub(crate) code: u8,
    pub(crate) exit: Exit,
    /// `None` when it was given up.
    pub(crate) outcome: Option<Box<RunResult>>,
}

/// Runs of one test, as they ended.
pub(crate) struct EndedSeries {
    /// The series' id.
    pub(crate) id: String,
    /// That of the first run that did not end well.
    pub(crate) exit: Exit,
    /// What came of each, as far as they began.
    pub(crate) outcomes: Vec<RunResult>,
}

/// Runs a test `count` times by `run`, as [`in_series`] does, and prints the table over all of them.
///
/// # Errors
/// The first one of `run`.
pub(crate) fn times<E>(
    context: &mut Context,
    count: u32,
    catalog: &Catalog,
    run: impl FnMut(&mut Context, Series) -> Result<EndedRun, E>,
) -> Result<Exit, E> {
    let ended = in_series(context, count, catalog, run)?;
    let repetitions: Vec<Repetition<'_>> = ended
        .outcomes
        .iter()
        .filter_map(|outcome| {
            Some(Repetition {
                summary: &outcome.summary,
                series: outcome.series.as_ref()?,
            })
        })
        .collect();
    context.out(&format!("\n{}", series::text(&repetitions, catalog)));
    Ok(ended.exit)
}

/// Runs a test `count` times by `run`, which is given each run's place. Ends with the first run that
/// could not be carried through or was stopped.
///
/// # Errors
/// The first one of `run`.
pub(crate) fn in_series<E>(
    context: &mut Context,
    count: u32,
    catalog: &Catalog,
    mut run: impl FnMut(&mut Context, Series) -> Result<EndedRun, E>,
) -> Result<EndedSeries, E> {
    let id = series_id();
    let mut outcomes = Vec::new();
    let mut exit = Exit::Success;
    for number in 1..=count {
        let title = catalog.text(&messages::series_run(number, count));
        context.out(&format!("{title}\n"));
        let place = Series {
            id: id.clone(),
            number,
            of: count,
        };
        let ended = run(context, place)?;
        if exit == Exit::Success {
            exit = ended.exit;
        }
        let Some(outcome) = ended.outcome else {
            exit = Exit::Interrupted;
            break;
        };
        let is_last = outcome.cause.is_some() || outcome.setup.is_some();
        if ended.exit == Exit::Interrupted {
            exit = Exit::Interrupted;
        }
        if outcome.began {
            outcomes.push(*outcome);
        }
        if is_last {
            break;
        }
    }
    Ok(EndedSeries { id, exit, outcomes })
}

/// A name no other series has.
fn series_id() -> String {
    format!("{:08x}", drawn_word())
}

/// The file a run of a series writes to: `out.json` becomes `out-2.json`.
pub(crate) fn numbered(path: &str, series: Option<&Series>) -> String {
    let Some(series) = series else {
        return path.to_owned();
    };
    let name = std::path::Path::new(path);
    let file = match (name.file_stem(), name.extension()) {
        (Some(stem), Some(extension)) => format!(
            "{}-{}.{}",
            stem.to_string_lossy(),
            series.number,
            extension.to_string_lossy()
        ),
        _ => return format!("{path}-{}", series.number),
    };
    name.with_file_name(file).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_of_a_series_writes_to_a_file_of_its_own() {
        let second = Series {
            id: "a".to_owned(),
            number: 2,
            of: 3,
        };
        assert_eq!(numbered("d/out.json", Some(&second)), "d/out-2.json");
        assert_eq!(numbered("d.e/out", Some(&second)), "d.e/out-2");
        assert_eq!(numbered("out.json", None), "out.json");
    }
}
