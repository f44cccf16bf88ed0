//! A preflight as a document.

use loadline_text::{Catalog, testbed};

use super::PreflightReport;
use super::words::{Words, rate};
use crate::document::{
    DocumentBlock, DocumentSection, DocumentTable, DocumentVerdict, ReportDocument, StatementClass,
    printable,
};

/// The preflight as a document.
#[must_use]
pub fn document(report: &PreflightReport, catalog: &Catalog) -> ReportDocument {
    let words = Words { report, catalog };
    let headline = words.headline();
    // The line for terminals begins with its word.
    let (word, text) = headline.split_once(' ').unwrap_or(("", &headline));
    let mut table = DocumentTable::new(String::new());
    table.columns = words.columns();
    table.rows = words.rows();
    let mut sections = vec![section(
        "parts",
        words.text(&testbed::preflight_section_parts()),
        vec![DocumentBlock::Table(table.without_empty_columns())],
    )];
    let seen = words.seen();
    if !seen.is_empty() {
        sections.push(section(
            "seen",
            words.text(&testbed::preflight_section_seen()),
            vec![DocumentBlock::Text { lines: seen }],
        ));
    }
    let stand_ins = words.stand_ins();
    if !stand_ins.is_empty() {
        let blocks = stand_ins.into_iter().flat_map(|one| {
            [
                DocumentBlock::Text {
                    lines: vec![one.title],
                },
                DocumentBlock::Source { text: one.command },
                DocumentBlock::Text { lines: one.lines },
            ]
        });
        sections.push(section(
            "stand-ins",
            words.text(&testbed::preflight_section_stand_ins()),
            blocks.collect(),
        ));
    }
    let mut lines = vec![words.sources()];
    let seen = report.sources.iter().flat_map(|sources| &sources.lines);
    lines.extend(seen.map(|line| printable::line(line)));
    sections.push(section(
        "sources",
        words.text(&testbed::preflight_section_sources()),
        vec![DocumentBlock::Text { lines }],
    ));
    let class: StatementClass = words.class();
    ReportDocument {
        kind: "preflight",
        lang: catalog.lang().tag(),
        title: printable::line(&words.text(&testbed::preflight_heading(&report.test))),
        facts: vec![format!(
            "{} {}",
            words.text(&testbed::preflight_column_planned()),
            rate(report.bed.planned)
        )],
        verdict: DocumentVerdict {
            class,
            word: word.to_owned(),
            text: text.trim_start().to_owned(),
            details: Vec::new(),
        },
        figures: Vec::new(),
        goals: Vec::new(),
        cause: None,
        sections,
    }
}

fn section(id: &'static str, title: String, blocks: Vec<DocumentBlock>) -> DocumentSection {
    DocumentSection {
        id,
        title,
        note: String::new(),
        blocks,
    }
}
