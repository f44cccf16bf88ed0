//! How answers compare with those before, in words.

use std::collections::BTreeMap;

use loadline_record::{
    AnswerComparison, AnswerDifference, DifferenceKind, UncomparedKind, UncomparedPart,
};
use loadline_text::{Catalog, Message, answers, grouped};

use crate::document::{DocumentBlock, DocumentGoal, DocumentSection, DocumentTable, printable};

/// Fewer common requests than this share of those before are told.
const FEW_SHARE_MAX: f64 = 0.5;

/// A difference in words, without its endpoint.
#[must_use]
pub fn difference(found: &AnswerDifference) -> Message {
    let (path, was, is) = (&found.path, &found.was, &found.is);
    match found.kind {
        DifferenceKind::Status => answers::answers_status(was, is),
        DifferenceKind::MediaType => answers::answers_media_type(was, is),
        DifferenceKind::Location => answers::answers_location(was, is),
        DifferenceKind::Value => answers::answers_value(path, was, is),
        DifferenceKind::Form => answers::answers_form(path, was, is),
        DifferenceKind::Missing => answers::answers_missing(path, was),
        DifferenceKind::Added => answers::answers_added(path, is),
        DifferenceKind::Length => answers::answers_length(path, was, is),
        DifferenceKind::Order => answers::answers_order(path, was, is),
        DifferenceKind::Line => answers::answers_line(path, was, is),
        DifferenceKind::Binary => answers::answers_binary(was, is),
    }
}

/// The endpoint of a difference and where it lies: `GET /apps: $.items[3].rating: was 4.5, is 4`.
#[must_use]
pub fn sentence(found: &AnswerDifference, catalog: &Catalog) -> String {
    let told = catalog.text(&difference(found));
    let endpoint = endpoint(&found.method, &found.endpoint);
    printable::line(&catalog.text(&answers::answers_of_endpoint(endpoint, told)))
}

fn endpoint(method: &str, name: &str) -> String {
    if name.starts_with(method) {
        return name.to_owned();
    }
    format!("{method} {name}")
}

fn count(count: u64) -> String {
    grouped(count as f64, 0)
}

/// The first sentence: whether answers are the same.
#[must_use]
pub fn headline(compared: &AnswerComparison, catalog: &Catalog) -> String {
    let reference = printable::line(&compared.reference);
    catalog.text(&if compared.compared == 0 {
        answers::answers_none(reference, count(compared.not_seen), count(compared.new))
    } else if compared.differing == 0 {
        answers::answers_same(reference, count(compared.compared))
    } else {
        answers::answers_differ(
            reference,
            count(compared.differing),
            count(compared.compared),
        )
    })
}

/// All that is told of a comparison, a line each.
#[must_use]
pub fn lines(compared: &AnswerComparison, catalog: &Catalog) -> Vec<String> {
    let mut lines = vec![headline(compared, catalog)];
    let differences = compared.differences.iter();
    lines.extend(differences.map(|found| format!("  {}", with_notes(found, catalog))));
    lines.extend(
        notes(compared, catalog)
            .into_iter()
            .map(|note| format!("  {note}")),
    );
    lines
}

/// A difference, in how many requests, and whether it may be none.
fn with_notes(found: &AnswerDifference, catalog: &Catalog) -> String {
    let mut notes = Vec::new();
    if found.compared > 1 {
        let (differing, compared) = (count(found.differing), count(found.compared));
        notes.push(answers::answers_of_requests(differing, compared));
    }
    if found.seen_once {
        notes.push(answers::answers_seen_once());
    }
    let told = sentence(found, catalog);
    if notes.is_empty() {
        return told;
    }
    let notes: Vec<String> = notes.iter().map(|note| catalog.text(note)).collect();
    format!("{told} ({})", notes.join("; "))
}

/// What was compared how well, and what was not.
fn notes(compared: &AnswerComparison, catalog: &Catalog) -> Vec<String> {
    let mut notes = Vec::new();
    let before = compared.compared + compared.not_seen;
    if compared.compared > 0 && (compared.compared as f64) < FEW_SHARE_MAX * before as f64 {
        let (few, before) = (count(compared.compared), count(before));
        notes.push(catalog.text(&answers::answers_few(few, before)));
    }
    if compared.seen_once + compared.not_seen + compared.new > 0 && compared.compared > 0 {
        notes.push(catalog.text(&answers::answers_counts(
            count(compared.seen_once),
            count(compared.not_seen),
            count(compared.new),
        )));
    }
    if compared.cut > 0 {
        notes.push(catalog.text(&answers::answers_cut(count(compared.cut))));
    }
    let mut by_endpoint: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in &compared.uncompared {
        let endpoint = endpoint(&part.method, &part.endpoint);
        by_endpoint
            .entry(endpoint)
            .or_default()
            .push(uncompared(part, catalog));
    }
    notes.extend(by_endpoint.into_iter().map(|(endpoint, parts)| {
        let told = answers::answers_uncompared(endpoint, parts.join(", "));
        printable::line(&catalog.text(&told))
    }));
    notes
}

/// A part that was not compared.
fn uncompared(part: &UncomparedPart, catalog: &Catalog) -> String {
    let path = &part.path;
    catalog.text(&match part.part {
        UncomparedKind::Value => return path.clone(),
        UncomparedKind::Order => answers::answers_part_order(path),
        UncomparedKind::Elements => answers::answers_part_elements(path),
        UncomparedKind::Presence => answers::answers_part_presence(path),
        UncomparedKind::Line => answers::answers_part_line(path),
        UncomparedKind::Rest => answers::answers_part_rest(path),
        UncomparedKind::Binary => answers::answers_part_binary(),
        UncomparedKind::Location => answers::answers_part_location(),
        UncomparedKind::MediaType => answers::answers_part_media_type(),
    })
}

/// The comparison as a goal of the run.
pub(crate) fn goal(compared: &AnswerComparison, catalog: &Catalog) -> DocumentGoal {
    let is_met = compared.are_same();
    let first = compared.differences.first();
    let observed = match first {
        Some(found) => sentence(found, catalog),
        None if compared.compared == 0 => headline(compared, catalog),
        None => catalog.text(&answers::answers_goal_found(
            count(compared.differing),
            count(compared.compared),
        )),
    };
    let reference = printable::line(&compared.reference);
    DocumentGoal {
        goal: catalog.text(&answers::answers_goal(reference)),
        observed,
        met: Some(is_met),
        word: catalog.text(&if is_met {
            loadline_text::report::word_met()
        } else {
            loadline_text::report::word_missed()
        }),
    }
}

/// The comparison as a part of a report.
pub(crate) fn section(compared: &AnswerComparison, catalog: &Catalog) -> DocumentSection {
    let mut table = DocumentTable::new(String::new());
    table.words(catalog.text(&loadline_text::report::column_endpoint()));
    table.words(catalog.text(&answers::answers_column_difference()));
    table.rows = compared
        .differences
        .iter()
        .map(|found| {
            vec![
                printable::line(&endpoint(&found.method, &found.endpoint)),
                printable::line(&catalog.text(&difference(found))),
            ]
        })
        .collect();
    let mut blocks = Vec::new();
    if !table.rows.is_empty() {
        blocks.push(DocumentBlock::Table(table));
    }
    let notes = notes(compared, catalog);
    if !notes.is_empty() {
        blocks.push(DocumentBlock::Text { lines: notes });
    }
    DocumentSection {
        id: "answers",
        title: catalog.text(&answers::answers_section()),
        note: headline(compared, catalog),
        blocks,
    }
}
