//! What was found in a file, in words.

use loadline_artillery::ArtilleryFactory;
use loadline_artillery::finding::{Diagnostic, DiagnosticKind, Severity};
use loadline_artillery::load::{LoadResult, LoadedTest};
use loadline_artillery::phrase::Phrase;
use loadline_text::{Catalog, Message, grouped, lint, phrase};
use loadline_units::duration::go_string;

use super::phrases;

/// A line for each finding.
pub(super) fn text(loaded: &LoadResult, strict: bool, catalog: &Catalog) -> String {
    let mut out = String::new();
    for finding in &loaded.findings {
        out.push_str(&catalog.text(&line(loaded, finding, strict, catalog)));
        out.push('\n');
    }
    out
}

/// What the phases add up to, and how many keys are known.
pub(super) fn sum(loaded: &LoadResult, test: &LoadedTest, catalog: &Catalog) -> String {
    let length = go_string(test.sum.length);
    let users = grouped(test.sum.users, 0);
    let sum = match test.sum.requests {
        Some(requests) => lint::phases_sum(length, users, grouped(requests, 0)),
        None => lint::phases_sum_open(length, users),
    };
    let keys = lint::compat_keys(loaded.keys.0, loaded.keys.1);
    format!("{}\n{}\n", catalog.text(&sum), catalog.text(&keys))
}

/// What is said of a processor: where it runs if it uses what loadline's interpreter lacks, and functions
/// that it does not have.
pub(super) fn processor(
    loaded: &LoadResult,
    factory: &ArtilleryFactory,
    catalog: &Catalog,
) -> String {
    let mut out = String::new();
    for finding in factory.unknown_functions() {
        out.push_str(&catalog.text(&line(loaded, &finding, false, catalog)));
        out.push('\n');
    }
    if let Some(notice) = factory.processor_notice() {
        let words = match &notice.node {
            Some(version) => lint::processor_in_node(version, &notice.name, &notice.place),
            None => lint::processor_without_node(&notice.name, &notice.place),
        };
        out.push_str(&format!("loadline: {}\n", catalog.text(&words)));
    }
    out
}

fn line(loaded: &LoadResult, finding: &Diagnostic, strict: bool, catalog: &Catalog) -> Message {
    let file = loaded.files.get(usize::from(finding.mark.file));
    let file = file.map(String::as_str).unwrap_or_default();
    let place = format!("{file}:{}", finding.mark);
    let words = catalog.text(&words(&finding.kind, catalog));
    match finding.kind.severity() {
        Severity::Error => lint::lint_error(place, words),
        Severity::Warning if strict => lint::lint_error(place, words),
        Severity::Warning => lint::lint_warning(place, words),
        Severity::Note => lint::lint_note(place, words),
    }
}

/// The key that stands for the whole file.
const THE_FILE: &str = "the file";

/// Where a key stands, as people say it.
fn scope(under: &str, catalog: &Catalog) -> String {
    match under {
        "file" => catalog.text(&phrase::the_file()),
        key => key.to_owned(),
    }
}

fn no_target(environments: &[String]) -> Message {
    if environments.is_empty() {
        return lint::lint_no_target();
    }
    lint::lint_no_environment(environments.join(", "))
}

fn unknown_environment(name: &str, environments: &[String]) -> Message {
    if environments.is_empty() {
        return lint::lint_unknown_environment(name);
    }
    lint::lint_other_environments(name, environments.join(", "))
}

fn words(kind: &DiagnosticKind, catalog: &Catalog) -> Message {
    use DiagnosticKind as F;
    let piece = |piece| phrases::words(piece, catalog);
    match kind {
        F::Syntax { reason } => lint::lint_syntax(reason),
        F::WrongType {
            key,
            expected,
            found,
        } => wrong_type(key, piece(*expected), *found, piece(*found)),
        F::Missing { key, place } => lint::lint_missing(key, place),
        F::BadValue { key, value, reason } => {
            lint::lint_bad_value(key, value, phrases::reason(reason, catalog))
        }
        F::AlwaysHolds { key, value } => lint::lint_always_holds(key, value),
        F::BadCondition { key, value, reason } => lint::lint_bad_condition(key, value, reason),
        F::Unreadable { path, reason } | F::NoProcessorFile { path, reason } => {
            lint::lint_unreadable(path, reason)
        }
        F::NoTarget { environments } => no_target(environments),
        F::NoScenarios => lint::lint_no_scenarios(),
        F::Refused { what, reason } => lint::lint_refused(what, piece(*reason)),
        F::Misplaced {
            key,
            under,
            belongs,
        } => lint::lint_misplaced(key, under, belongs),
        F::StepInside { key, under } => lint::lint_step_inside(key, under),
        F::UnknownKey {
            key,
            under,
            nearest: Some(nearest),
        } => lint::lint_unknown_key_near(key, scope(under, catalog), *nearest),
        F::UnknownKey { key, under, .. } => lint::lint_unknown_key(key, scope(under, catalog)),
        F::NeverSet { variable } => lint::lint_never_set(variable),
        F::OverUnset { variable, nearest } => over_unset(variable, nearest.as_deref()),
        F::OverOneValue { variable } => lint::lint_over_one_value(variable),
        F::ConditionUnset { variable, nearest } => condition_unset(variable, nearest.as_deref()),
        F::NoRows { path, skips_header } => no_rows(path, *skips_header),
        F::NothingPlanned => lint::lint_nothing_planned(),
        F::SetLater { variable, line } => lint::lint_set_later(variable, line),
        F::CaptureUnused { variable } => lint::lint_capture_unused(variable),
        F::RandomIds {
            path,
            field,
            method,
        } => lint::lint_random_ids(path, field, method),
        F::ThinkFraction { value } => lint::lint_think_fraction(value),
        F::CountZero => lint::lint_count_zero(),
        F::ForeignStep { key } => lint::lint_foreign_step(key),
        F::SeveralVerbs { keys } => lint::lint_several_verbs(keys),
        F::Ignored { key, reason } => lint::lint_ignored(key, piece(*reason)),
        F::UnknownEnvironment { name, environments } => unknown_environment(name, environments),
        F::DigitsLost {
            path,
            field,
            text,
            number,
        } => lint::lint_digits_lost(path, field, text, number),
        F::UnknownFunction { name, nearest } => unknown_function(name, nearest.as_deref()),
        F::NoProcessor { name } => lint::lint_no_processor(name),
        F::Unclosed { text } => lint::lint_unclosed(text),
        F::BadUrl { value } => lint::lint_bad_url(value),
        F::EndlessLoop => lint::lint_endless_loop(),
        F::BadWeight { value } => lint::lint_bad_weight(value),
        F::UnknownMetric { name, nearest } => lint::lint_unknown_metric(name, nearest),
        F::NoPlugin { plugin } => lint::lint_no_plugin(*plugin),
        F::UnknownVerb {
            key,
            nearest: Some(nearest),
        } => lint::lint_unknown_verb_near(key, *nearest),
        F::UnknownVerb { key, .. } => lint::lint_unknown_verb(key),
        F::TooFewColumns {
            path,
            columns,
            fields,
        } => lint::lint_too_few_columns(path, *columns, *fields),
        F::LengthMismatch { planned, expected } => lint::lint_length_mismatch(planned, expected),
        F::FromBehindRows { path, from, rows } => lint::lint_from_behind_rows(path, from, rows),
        F::TooFewRows { path, rows, needed } => lint::lint_too_few_rows(path, rows, needed),
    }
}

/// A function that nothing defines.
fn unknown_function(name: &str, nearest: Option<&str>) -> Message {
    nearest.map_or_else(
        || lint::lint_unknown_function(name),
        |nearest| lint::lint_unknown_function_near(name, nearest),
    )
}

/// A loop over a variable that is never set.
fn over_unset(variable: &str, nearest: Option<&str>) -> Message {
    nearest.map_or_else(
        || lint::lint_over_unset(variable),
        |nearest| lint::lint_over_unset_near(variable, nearest),
    )
}

/// A condition on a variable that is never set.
fn condition_unset(variable: &str, nearest: Option<&str>) -> Message {
    nearest.map_or_else(
        || lint::lint_condition_unset(variable),
        |nearest| lint::lint_condition_unset_near(variable, nearest),
    )
}

/// A payload without rows, or with nothing but a heading.
fn no_rows(path: &str, skips_header: bool) -> Message {
    if skips_header {
        lint::lint_no_rows_heading(path)
    } else {
        lint::lint_no_rows(path)
    }
}

/// A value of another type than the one that stands at `key`.
fn wrong_type(key: &str, expected: String, found: Phrase, said: String) -> Message {
    match found {
        Phrase::Nothing if key == THE_FILE => lint::lint_file_empty(expected),
        _ if key == THE_FILE => lint::lint_file_type(expected, said),
        _ => lint::lint_wrong_type(key, expected, said),
    }
}
