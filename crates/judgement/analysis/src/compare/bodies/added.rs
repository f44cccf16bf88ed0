//! Fields that were added: most of them clients may leave unread, and some tell that the answer is none.

use loadline_record::bodies::{BodySample, FieldKinds, FieldSample};

/// Words in names of fields that tell of a failure where there is something in them.
const OF_FAILURE: [&str; 38] = [
    "abort",
    "aborted",
    "cause",
    "degraded",
    "denied",
    "deprecated",
    "detail",
    "err",
    "error",
    "errors",
    "exception",
    "exceptions",
    "expired",
    "fail",
    "failed",
    "failure",
    "failures",
    "fallback",
    "fault",
    "incomplete",
    "invalid",
    "maintenance",
    "message",
    "messages",
    "missing",
    "msg",
    "outdated",
    "partial",
    "problem",
    "problems",
    "reason",
    "retry",
    "stack",
    "stacktrace",
    "stale",
    "timeout",
    "truncated",
    "unavailable",
];
/// The same, of lists of them.
const OF_WARNINGS: [&str; 4] = ["trace", "traceback", "warning", "warnings"];
/// Words in names of fields that tell of a failure where they are false, zero or null.
const OF_SUCCESS: [&str; 9] = [
    "available",
    "complete",
    "completed",
    "healthy",
    "ok",
    "succeeded",
    "success",
    "successful",
    "valid",
];
/// Texts that tell of a failure in whatever field: such as `status`.
const FAILURE_TEXTS: [&str; 20] = [
    "abort",
    "aborted",
    "degraded",
    "denied",
    "down",
    "error",
    "expired",
    "fail",
    "failed",
    "failure",
    "fallback",
    "fatal",
    "invalid",
    "ko",
    "partial",
    "rejected",
    "stale",
    "timeout",
    "unavailable",
    "unhealthy",
];
/// What is in a field where nothing failed.
const EMPTY_KINDS: FieldKinds = FieldKinds::NULL
    .and(FieldKinds::FALSE)
    .and(FieldKinds::ZERO)
    .and(FieldKinds::EMPTY_TEXT)
    .and(FieldKinds::EMPTY_LIST)
    .and(FieldKinds::EMPTY_OBJECT);
const NO_SUCCESS: FieldKinds = FieldKinds::NULL
    .and(FieldKinds::FALSE)
    .and(FieldKinds::ZERO);

/// Whether a field that was added, or anything in it, tells of answers that failed.
pub(super) fn is_sign_of_failure(after: &[&BodySample], path: &str) -> bool {
    let fields = after.iter().flat_map(|sample| &sample.fields);
    let mut within = fields.filter(|(place, _)| {
        let rest = place.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    });
    within.any(|(place, field)| is_of_failure(place, field))
}

fn is_of_failure(path: &str, field: &FieldSample) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    let words = words_of(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let kinds = || field.kinds.keys();
    let tells =
        (has(&OF_FAILURE) || has(&OF_WARNINGS)) && kinds().any(|kinds| !kinds.is_only(EMPTY_KINDS));
    let denies = has(&OF_SUCCESS) && kinds().any(|kinds| kinds.has(NO_SUCCESS));
    tells || denies || FAILURE_TEXTS.iter().any(|text| field.has_text(text))
}

/// The words of `retryAfter`, `retry_after` and `RETRY-AFTER`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_lower {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        for name in ["retryAfter", "retry_after", "RETRY-AFTER", "$retry:after[]"] {
            let words: Vec<String> = words_of(name)
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect();
            assert_eq!(words, ["retry", "after"], "{name}");
        }
    }
}
