//! What changed in bodies, in words.

use loadline_analysis::compare::{BodyChange, BodyState};
use loadline_text::{Catalog, Message, grouped, records, tune};

/// Names of states in files and journals.
const NAMES: [(BodyState, &str); 22] = [
    (BodyState::Added, "added"),
    (BodyState::New, "new"),
    (BodyState::Missing, "missing"),
    (BodyState::Null, "null"),
    (BodyState::Empty, "empty"),
    (BodyState::Zero, "zero"),
    (BodyState::Blank, "blank"),
    (BodyState::True, "true"),
    (BodyState::False, "false"),
    (BodyState::Number, "number"),
    (BodyState::Text, "text"),
    (BodyState::Flag, "boolean"),
    (BodyState::List, "list"),
    (BodyState::Object, "object"),
    (BodyState::Filled, "filled"),
    (BodyState::OtherText, "other-text"),
    (BodyState::JsonBody, "json-body"),
    (BodyState::TextBody, "text-body"),
    (BodyState::EmptyBody, "empty-body"),
    (BodyState::BinaryBody, "binary-body"),
    (BodyState::OtherWords, "other-words"),
    (BodyState::NewWords, "new-words"),
];

/// The name of a state.
pub(crate) fn name(state: BodyState) -> &'static str {
    let found = NAMES.iter().find(|(known, _)| *known == state);
    found.map_or("other", |(_, name)| name)
}

/// What is so of the bodies that are counted: of a state by its name.
pub(crate) fn what(state: &str, field: &str) -> Message {
    match state {
        "added" => records::body_added(field),
        "new" => records::body_new(field),
        "missing" => records::body_missing(field),
        "null" => records::body_null(field),
        "empty" => records::body_empty(field),
        "zero" => records::body_zero(field),
        "blank" => records::body_blank(field),
        "true" => records::body_true(field),
        "false" => records::body_false(field),
        "number" => records::body_number(field),
        "text" => records::body_text(field),
        "boolean" => records::body_flag(field),
        "list" => records::body_list(field),
        "object" => records::body_object(field),
        "filled" => records::body_filled(field),
        "json-body" => records::body_is_json(),
        "text-body" => records::body_is_text(),
        "empty-body" => records::body_is_empty(),
        "binary-body" => records::body_is_binary(),
        _ => records::body_other_text(field),
    }
}

/// A change in one line of a comparison; `say` puts a phrase in words.
pub(crate) fn line(change: &BodyChange, say: impl Fn(&Message) -> String) -> Message {
    let count = |value: f64| grouped(value, 0);
    let (before, after) = (change.before, change.after);
    match change.state {
        BodyState::OtherWords => records::compare_other_words(
            count(before.count),
            count(before.of),
            count(after.count),
            count(after.of),
        ),
        BodyState::NewWords => {
            records::compare_new_words(count(after.count), count(after.of), count(before.of))
        }
        state => records::compare_changed_body(
            say(&what(name(state), &change.field)),
            count(after.count),
            count(after.of),
            count(before.count),
            count(before.of),
        ),
    }
}

/// What stands in the answers of a trial that is not in those of the current settings.
pub(crate) fn of_trial(endpoint: &str, change: &BodyChange) -> Message {
    let count = |value: f64| grouped(value, 0);
    let (before, after) = (change.before, change.after);
    match change.state {
        BodyState::OtherWords => tune::reason_answers_words(
            endpoint,
            count(before.count),
            count(before.of),
            count(after.count),
            count(after.of),
        ),
        BodyState::NewWords => tune::reason_answers_new_words(
            endpoint,
            count(after.count),
            count(after.of),
            count(before.of),
        ),
        // Kept in the journal, which has no language: `empty items`.
        state => tune::reason_answers_body(
            endpoint,
            format!("{} {}", name(state), change.field),
            count(after.count),
            count(after.of),
            count(before.count),
            count(before.of),
        ),
    }
}

/// What is said of bodies, put in words.
pub(crate) fn trial_in_words(cause: &Message, catalog: &Catalog) -> Option<Message> {
    let arg = |wanted: &str| {
        let mut args = cause.args();
        let found = args.find_map(|(name, value)| (name == wanted).then_some(value));
        found.unwrap_or_default()
    };
    let (state, field) = arg("state").split_once(' ')?;
    let what = catalog.text(&what(state, field));
    Some(tune::reason_answers_body(
        arg("endpoint"),
        what,
        arg("after"),
        arg("bodies"),
        arg("before"),
        arg("earlier"),
    ))
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::BodyCount;
    use loadline_text::Lang;

    use super::*;

    fn change(state: BodyState) -> BodyChange {
        BodyChange {
            field: "items[].price".to_owned(),
            state,
            before: BodyCount {
                count: 0.0,
                of: 60.0,
            },
            after: BodyCount {
                count: 20.0,
                of: 20.0,
            },
        }
    }

    /// A journal has no language: what it keeps is put in words of either.
    #[test]
    fn why_a_trial_does_not_count_is_said_in_both_languages_and_each_state_has_words() {
        let cause = of_trial("GET /a", &change(BodyState::Zero));
        let said = |lang| {
            let catalog = Catalog::new(lang);
            let message = trial_in_words(&cause, &catalog).unwrap();
            catalog.text(&message)
        };
        assert_eq!(
            said(Lang::En),
            "GET /a: field `items[].price` is zero in 20 of 20 sampled answers, with the current settings in 0 of 60"
        );
        assert_eq!(
            said(Lang::Ko),
            "GET /a: 표본 응답 20개 중 20개에서 필드 `items[].price` 값이 0 (현재 설정에서는 60개 중 0개)"
        );
        let catalog = Catalog::new(Lang::En);
        let lines = NAMES.map(|(state, name)| {
            assert_ne!(name, "other");
            catalog.text(&line(&change(state), |phrase| catalog.text(phrase)))
        });
        let mut different = lines.to_vec();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), NAMES.len(), "{lines:#?}");
    }
}
