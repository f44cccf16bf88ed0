//! What limits a run, as a part of its report.

use loadline_explain::{Explanation, FindingRole};
use loadline_record::signals::SourceStatus;
use loadline_text::{Catalog, explain, report, significant};

use crate::document::{DocumentBlock, DocumentFinding, DocumentRow, DocumentSection, printable};
use crate::explanation::{self, FindingText, loads};

/// The answer, the findings, and what is not known.
#[must_use]
pub fn section(
    explanation: &Explanation,
    sources: &[SourceStatus],
    catalog: &Catalog,
) -> DocumentSection {
    let shown = |texts: Vec<String>| {
        let lines = texts.iter().flat_map(|text| text.lines());
        lines.map(|line| printable::line(line.trim())).collect()
    };
    let mut blocks = vec![DocumentBlock::Text {
        lines: vec![printable::line(&explanation::answer(explanation, catalog))],
    }];
    blocks.extend(explanation.findings.iter().map(|finding| {
        let said = FindingText::new(finding, catalog);
        let rows = said
            .rows
            .into_iter()
            .map(|(label, lines)| DocumentRow::neutral(catalog.text(&label), shown(lines)));
        DocumentBlock::Finding(DocumentFinding {
            head: said.head,
            is_limit: finding.role == FindingRole::Limit,
            text: printable::line(&said.statement),
            rows: rows.collect(),
        })
    }));
    let ceilings = explanation.ceilings.iter().map(|ceiling| {
        let part = explanation::part(ceiling.part, catalog);
        catalog.text(&explain::ceiling_is(part, significant(ceiling.rate)))
    });
    let missing = explanation
        .missing
        .iter()
        .map(|missing| catalog.text(&missing.text));
    let rows = [
        (
            explain::row_objective(),
            loads::objectives(explanation, catalog),
        ),
        (explain::row_levels(), loads::levels(explanation, catalog)),
        (
            explain::row_endpoints(),
            loads::endpoints(explanation, catalog),
        ),
        (
            explain::row_statements(),
            explanation::statements_apart(explanation, catalog),
        ),
        (explain::row_ceilings(), ceilings.collect::<Vec<_>>()),
        (explain::row_missing(), missing.collect()),
        (
            explain::row_sources(),
            explanation::sources(sources, catalog),
        ),
    ];
    let rows = rows.into_iter().filter(|(_, lines)| !lines.is_empty());
    let rows = rows.map(|(label, lines)| DocumentRow::neutral(catalog.text(&label), shown(lines)));
    blocks.push(DocumentBlock::Rows {
        rows: rows.collect(),
    });
    DocumentSection {
        id: "findings",
        title: catalog.text(&report::section_findings()),
        note: String::new(),
        blocks,
    }
}
