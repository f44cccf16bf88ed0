//! A load plan as a document: every figure with its formula.

use loadline_sizing::{FigureUnit, LoadPlan, NoteKind, PlanFigure};
use loadline_text::{Catalog, plan, report};

use crate::document::{
    DocumentBlock, DocumentFigure, DocumentSection, DocumentTable, DocumentVerdict, ReportDocument,
    StatementClass, printable,
};

/// The figures that matter most, by their names, in order.
const FIRST: [&str; 4] = ["peak-rate", "mean-rate", "users-peak-1", "users-peak"];
/// How many are shown large.
const LARGE_FIGURES_MAX: usize = 4;

/// The plan.
#[must_use]
pub fn document(load: &LoadPlan, name: &str, catalog: &Catalog) -> ReportDocument {
    let mut sections = Vec::new();
    if !load.figures.is_empty() {
        let title = catalog.text(&plan::heading_load());
        sections.push(section("load", title, &load.figures, catalog));
    }
    for block in &load.blocks {
        let instances = FigureUnit::Count.show(block.instances);
        let title = catalog.text(&plan::heading_settings(instances));
        let mut section = section("settings", title, &block.figures, catalog);
        section.blocks.push(DocumentBlock::Source {
            text: super::paste(block, catalog),
        });
        sections.push(section);
    }
    let inputs = load.inputs.written.iter();
    let inputs = inputs.map(|(name, text)| printable::line(&format!("{name} {text}")));
    let (word, text) = match large(load).first() {
        Some(figure) => (figure.shown(), catalog.text(&figure.label)),
        None => ("–".to_owned(), catalog.text(&report::plan_nothing())),
    };
    ReportDocument {
        kind: "plan",
        lang: catalog.lang().tag(),
        title: printable::line(name),
        facts: inputs.collect(),
        verdict: DocumentVerdict {
            class: StatementClass::Neutral,
            word,
            text,
            details: large(load)
                .first()
                .map(|figure| figure.formula.clone())
                .into_iter()
                .chain(load.settings_missing.iter().map(|said| catalog.text(said)))
                .collect(),
        },
        // The verdict is the first of them.
        figures: large(load)
            .into_iter()
            .skip(1)
            .map(|figure| DocumentFigure {
                label: catalog.text(&figure.label),
                value: figure.shown(),
                unit: String::new(),
                note: figure.formula.clone(),
            })
            .collect(),
        goals: Vec::new(),
        cause: None,
        sections,
    }
}

/// The figures to show large.
fn large(load: &LoadPlan) -> Vec<&PlanFigure> {
    let named = |name: &&str| load.figures.iter().find(|figure| figure.id == *name);
    let mut first: Vec<&PlanFigure> = FIRST.iter().filter_map(named).collect();
    let rest = load
        .figures
        .iter()
        .filter(|figure| !FIRST.contains(&figure.id.as_str()));
    first.extend(rest);
    first.truncate(LARGE_FIGURES_MAX);
    first
}

fn section(
    id: &'static str,
    title: String,
    figures: &[PlanFigure],
    catalog: &Catalog,
) -> DocumentSection {
    let mut table = DocumentTable::new(String::new());
    table.words(catalog.text(&report::column_figure()));
    table.numbers(catalog.text(&report::column_value()));
    table.words(catalog.text(&report::column_formula()));
    table.words(catalog.text(&report::column_notes()));
    for figure in figures {
        let notes = figure.notes.iter().map(|note| {
            let kind = match note.kind {
                NoteKind::Assumes => plan::label_assumes(),
                NoteKind::Doubts => plan::label_doubts(),
            };
            format!("{}: {}", catalog.text(&kind), catalog.text(&note.text))
        });
        let source = figure.source.map(|source| format!("[{source}]"));
        let notes: Vec<String> = notes.chain(source).collect();
        table.rows.push(vec![
            catalog.text(&figure.label),
            figure.shown(),
            figure.formula.clone(),
            notes.join(" "),
        ]);
    }
    DocumentSection {
        id,
        title,
        note: String::new(),
        blocks: vec![DocumentBlock::Table(table.without_empty_columns())],
    }
}
