//! `--observe`: where signals of the target come from, and what is said about it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use loadline_observe::SourceAddress;
use loadline_record::signals::Signals;
use loadline_record::{LimitVerdict, Redactor};
use loadline_report::explanation::verdict;
use loadline_report::sources;
use loadline_session::explanation::{self, EndedExplanation};
use loadline_session::{ObserveRequest, RunResult};
use loadline_text::{Catalog, arguments, explain, latency, problem, records};

use super::recording::{RecordingFlags, command_of_run};
use crate::context::Context;
use crate::found_project;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// So long sources are watched after the load of a run.
const OBSERVED_AFTER: Duration = Duration::from_secs(5);

/// Reads one source, as the command line's library wants it.
pub(crate) fn source(text: &str) -> Result<SourceAddress, String> {
    text.parse().map_err(|_| "no source".to_owned())
}

/// What is observed: the sources typed, and those of `loadline.yaml`.
///
/// # Errors
/// A source in the file cannot be read.
pub(crate) fn request(
    context: &Context,
    typed: &[SourceAddress],
    catalog: &Catalog,
) -> Result<Option<Arc<ObserveRequest>>, Refusal> {
    let project = found_project::load(context, catalog)?;
    let mut addresses = typed.to_vec();
    // As `k6` only what is typed counts.
    let of_project = project.observe.iter().filter(|_| !context.is_k6());
    for text in of_project {
        let whole = filled(text, &context.env).map_err(|name| {
            let text = Redactor::default().text(text);
            Refusal::config(problem::observe_variable(text, name))
        })?;
        let expected = arguments::expected_source();
        let address: SourceAddress = whole.parse().map_err(|_| {
            let text = Redactor::default().text(text);
            Refusal::flag("observe", &text, &expected, catalog)
        })?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    refuse_opened(&addresses)?;
    Ok((!addresses.is_empty()).then(|| {
        Arc::new(ObserveRequest {
            addresses,
            environment: context.env.clone(),
            wall_clock: context.wall_clock,
            after: Duration::ZERO,
        })
    }))
}

/// The same for a run, which watches on for some seconds without load unless that is not wanted: what others use
/// meanwhile is not the run's.
///
/// # Errors
/// A source in the file cannot be read.
pub(crate) fn of_run(
    context: &Context,
    flags: &RecordingFlags,
    catalog: &Catalog,
) -> Result<Option<Arc<ObserveRequest>>, Refusal> {
    let request = request(context, &flags.observe, catalog)?;
    if flags.no_observe_after {
        return Ok(request);
    }
    let watching_on = |request: Arc<ObserveRequest>| {
        Arc::new(ObserveRequest {
            after: OBSERVED_AFTER,
            ..(*request).clone()
        })
    };
    Ok(request.map(watching_on))
}

/// Refuses sources that would listen to everybody, where nobody asked for that.
///
/// # Errors
/// The address that would be open.
pub(crate) fn refuse_opened(sources: &[SourceAddress]) -> Result<(), Refusal> {
    let opened = sources.iter().find_map(SourceAddress::opened);
    opened.map_or(Ok(()), |address| {
        Err(Refusal::config(problem::otlp_open(address)))
    })
}

/// The text with variables of the environment in the place of `${NAME}`: passwords belong in no file.
///
/// # Errors
/// The name of a variable that is not set.
pub(crate) fn filled(text: &str, environment: &BTreeMap<String, String>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        filled.push_str(before);
        filled.push_str(environment.get(name).ok_or(name)?);
        rest = after;
    }
    Ok(filled + rest)
}

/// Prints in one line which sources answered.
pub(crate) fn print_sources(
    context: &mut Context,
    signals: &Signals,
    catalog: &Catalog,
    is_quiet: bool,
) {
    if let Some(line) = sources::line(signals, catalog).filter(|_| !is_quiet) {
        context.err(&format!("loadline: {line}\n"));
    }
}

/// What `explain` says of a run that was kept. A store that cannot be read is told, and costs no more than this.
pub(crate) fn explained(
    context: &mut Context,
    flags: &RecordingFlags,
    outcome: &RunResult,
    catalog: &Catalog,
) -> Option<EndedExplanation> {
    let kept = outcome.kept.as_ref()?;
    if kept.loss.as_ref().is_some_and(|loss| loss.everything) {
        return None;
    }
    let stored = Stored::open(context, flags.store.as_deref());
    let found = stored.and_then(|stored| {
        let found = explanation::ended(&stored.store, stored.find(&kept.name)?);
        found.map_err(|error| stored.refusal(error))
    });
    match found {
        Ok(found) => Some(found),
        Err(refusal) => {
            context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
            None
        }
    }
}

/// What limited it, in one sentence; `None` where no limit is named.
pub(crate) fn limit_sentence(limit: &LimitVerdict, catalog: &Catalog) -> Option<String> {
    // A part that is named is a limit that is known; what only makes requests slow is none.
    limit.cause_part().map(|_| verdict::text(limit, catalog))
}

/// Settings told at the end of a run, at most: `explain` has all of them.
const SETTINGS_TOLD_MAX: usize = 2;

/// Settings that come before others are tuned, a line each.
pub(crate) fn settings_sentences(limit: &LimitVerdict, catalog: &Catalog) -> Vec<String> {
    let all = verdict::settings_first(limit, catalog);
    let more = all.len().saturating_sub(SETTINGS_TOLD_MAX);
    let first = all.into_iter().take(SETTINGS_TOLD_MAX);
    let told = first.map(|line| catalog.text(&records::settings_explained(line)));
    let rest = (more > 0).then(|| catalog.text(&records::settings_explained_more(more)));
    told.chain(rest).collect()
}

/// That the target of a run without a warm-up was cold at first; `None` where nothing says so.
pub(crate) fn cold_sentence(
    flags: &RecordingFlags,
    outcome: &RunResult,
    found: &EndedExplanation,
    catalog: &Catalog,
) -> Option<String> {
    let span = found.warming.filter(|_| outcome.warm_up.is_none())?;
    let (early, late) = (latency(span.early_ms), latency(span.late_ms));
    let command = command_of_run("explain", flags, &outcome.kept.as_ref()?.name);
    Some(catalog.text(&explain::was_cold(early, late, command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_a_missing_one_is_named() {
        let environment = BTreeMap::from([("LOGIN".to_owned(), "ann:s3cret".to_owned())]);
        let filled = |text: &str| filled(text, &environment);
        assert_eq!(filled("port:8080"), Ok("port:8080".to_owned()));
        let login = filled("postgres://${LOGIN}@h/d?a=${LOGIN}");
        assert_eq!(
            login,
            Ok("postgres://ann:s3cret@h/d?a=ann:s3cret".to_owned())
        );
        assert_eq!(filled("redis://${OTHER}@h"), Err("OTHER".to_owned()));
        assert_eq!(filled("command:echo ${"), Ok("command:echo ${".to_owned()));
    }
}
