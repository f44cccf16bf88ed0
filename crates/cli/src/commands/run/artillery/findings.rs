//! What was found in a file, in words.

use loadline_artillery::finding::{Finding, FindingKind, Severity};
use loadline_artillery::load::{Loaded, Test};
use loadline_text::{Catalog, Message, grouped, messages};
use loadline_units::duration::go_string;

/// A line for each finding.
pub(super) fn text(loaded: &Loaded, strict: bool, catalog: &Catalog) -> String {
    let mut out = String::new();
    for finding in &loaded.findings {
        out.push_str(&catalog.text(&line(loaded, finding, strict, catalog)));
        out.push('\n');
    }
    out
}

/// What the phases add up to, and how many keys are known.
pub(super) fn sum(loaded: &Loaded, test: &Test, catalog: &Catalog) -> String {
    let length = go_string(test.sum.length);
    let users = grouped(test.sum.users, 0);
    let sum = match test.sum.requests {
        Some(requests) => messages::phases_sum(length, users, grouped(requests, 0)),
        None => messages::phases_sum_open(length, users),
    };
    let keys = messages::compat_keys(loaded.keys.0, loaded.keys.1);
    format!("{}\n{}\n", catalog.text(&sum), catalog.text(&keys))
}

fn line(loaded: &Loaded, finding: &Finding, strict: bool, catalog: &Catalog) -> Message {
    let file = loaded.files.get(usize::from(finding.mark.file));
    let file = file.map(String::as_str).unwrap_or_default();
    let place = format!("{file}:{}", finding.mark);
    let words = catalog.text(&words(&finding.kind));
    match finding.kind.severity() {
        Severity::Error => messages::lint_error(place, words),
        Severity::Warning if strict => messages::lint_error(place, words),
        Severity::Warning => messages::lint_warning(place, words),
        Severity::Note => messages::lint_note(place, words),
    }
}

fn words(kind: &FindingKind) -> Message {
    use FindingKind as F;
    match kind {
        F::Syntax { reason } => messages::lint_syntax(reason),
        F::WrongType {
            key,
            expected,
            found,
        } => messages::lint_wrong_type(key, expected, found),
        F::Missing { key, place } => messages::lint_missing(key, place),
        F::BadValue { key, value, reason } => messages::lint_bad_value(key, value, reason),
        F::BadCondition { key, value, reason } => messages::lint_bad_condition(key, value, reason),
        F::Unreadable { path, reason } => messages::lint_unreadable(path, reason),
        F::NoTarget => messages::lint_no_target(),
        F::NoScenarios => messages::lint_no_scenarios(),
        F::Refused { what, reason } => messages::lint_refused(what, reason),
        F::Misplaced {
            key,
            under,
            belongs,
        } => messages::lint_misplaced(key, under, belongs),
        F::UnknownKey { key, under } => messages::lint_unknown_key(key, under),
        F::NeverSet { variable } => messages::lint_never_set(variable),
        F::SetLater { variable, line } => messages::lint_set_later(variable, line),
        F::CaptureUnused { variable } => messages::lint_capture_unused(variable),
        F::RandomIds {
            path,
            field,
            method,
        } => messages::lint_random_ids(path, field, method),
        F::ThinkFraction { value } => messages::lint_think_fraction(value),
        F::CountZero => messages::lint_count_zero(),
        F::Ignored { key, reason } => messages::lint_ignored(key, reason),
        F::UnknownEnvironment { name } => messages::lint_unknown_environment(name),
        F::UnknownFunction { name } => messages::lint_unknown_function(name),
        F::LengthMismatch { planned, expected } => {
            messages::lint_length_mismatch(planned, expected)
        }
        F::TooFewRows { path, rows, needed } => messages::lint_too_few_rows(path, rows, needed),
    }
}
