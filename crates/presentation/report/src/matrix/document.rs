//! The matrix as a document: what breaks first, the table, the picture, and what each row came to.

use loadline_text::{Catalog, Message, matrix, rounds, significant};

use super::words::Words;
use super::{MatrixReport, MatrixRow};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, DocumentBlock, DocumentFigure, DocumentRow,
    DocumentSection, DocumentVerdict, ReportDocument, SeriesShape, StatementClass, printable,
};
use crate::filled_column::FilledColumn;

/// The matrix as a document.
#[must_use]
pub fn document(report: &MatrixReport, catalog: &Catalog) -> ReportDocument {
    let writer = Writer {
        report,
        words: Words {
            catalog,
            is_quick: report.quick,
        },
    };
    let sections = [
        Some(writer.table()),
        writer.chart(),
        writer.details(),
        Some(writer.glossary()),
    ];
    let text = |message: &Message| catalog.text(message);
    let mut facts = vec![
        text(&matrix::fact_rows(report.rows.len())),
        printable::line(&report.objective.join(", ")),
    ];
    if report.quick {
        facts.push(text(&matrix::fact_quick()));
    }
    ReportDocument {
        kind: "matrix",
        lang: catalog.lang().tag(),
        title: printable::line(&format!("{}: {}", text(&matrix::title()), report.test)),
        facts,
        verdict: DocumentVerdict {
            class: report.class(),
            word: text(&match report.class() {
                StatementClass::Good => rounds::word_met(),
                StatementClass::Bad => rounds::word_missed(),
                StatementClass::Doubtful => rounds::word_unknown(),
                StatementClass::Neutral => rounds::word_no_goal(),
            }),
            text: printable::line(&report.headline(catalog)),
            details: report
                .notes(catalog)
                .iter()
                .map(|note| printable::line(note))
                .collect(),
        },
        figures: writer.figures(),
        goals: Vec::new(),
        cause: None,
        sections: sections.into_iter().flatten().collect(),
    }
}

struct Writer<'a> {
    report: &'a MatrixReport,
    words: Words<'a>,
}

impl Writer<'_> {
    /// What the row that breaks first carries.
    fn figures(&self) -> Vec<DocumentFigure> {
        let first = self.report.rows.first();
        let figure = first.and_then(|row| {
            Some(DocumentFigure {
                label: self.words.name(row),
                value: significant(row.carried()?),
                unit: "/s".to_owned(),
                note: self.words.headroom(row).unwrap_or_default(),
            })
        });
        figure.into_iter().collect()
    }

    fn section(
        &self,
        id: &'static str,
        title: &Message,
        blocks: Vec<DocumentBlock>,
    ) -> DocumentSection {
        DocumentSection {
            id,
            title: self.words.text(title),
            note: String::new(),
            blocks,
        }
    }

    fn table(&self) -> DocumentSection {
        let columns = self.words.columns(self.report);
        let blocks = vec![DocumentBlock::Table(FilledColumn::table(&columns))];
        self.section("matrix", &matrix::heading_matrix(), blocks)
    }

    fn chart(&self) -> Option<DocumentSection> {
        let series = |role, name: Message, value: &dyn Fn(&MatrixRow) -> Option<f64>| {
            let rows = self.report.rows.iter().enumerate();
            ChartSeries {
                role,
                name: self.words.text(&name),
                shape: SeriesShape::Bars,
                points: rows
                    .map(|(place, row)| ((place + 1) as f64, value(row)))
                    .collect(),
            }
        };
        let all = [
            series("rate", matrix::series_capacity(), &MatrixRow::carried),
            series("planned", matrix::series_planned(), &|row| row.planned),
        ];
        let axis = |label, most| ChartAxis {
            label,
            kind: AxisKind::Linear,
            most,
        };
        let marks = self.report.rows.iter().enumerate();
        let chart = Chart {
            id: "matrix-capacity",
            title: self.words.text(&matrix::chart_capacity()),
            caption: String::new(),
            x: axis(
                self.words.text(&matrix::column_row()),
                Some((self.report.rows.len() + 1) as f64),
            ),
            y: axis(self.words.text(&matrix::axis_rate()), None),
            series: all.into_iter().filter(ChartSeries::has_values).collect(),
            marks: marks
                .map(|(place, row)| ChartMark {
                    at: (place + 1) as f64,
                    label: self.words.name(row),
                })
                .collect(),
            heat: None,
        };
        let blocks = vec![DocumentBlock::Chart(chart.clone())];
        (!chart.is_empty()).then(|| self.section("charts", &matrix::chart_capacity(), blocks))
    }

    fn details(&self) -> Option<DocumentSection> {
        let blocks = self.report.rows.iter().filter_map(|row| {
            let name = self.words.name(row);
            let rows: Vec<DocumentRow> = (self.words.details(row).into_iter())
                .map(|(label, lines)| {
                    let lines = lines.iter().map(|line| printable::line(line)).collect();
                    DocumentRow::neutral(printable::line(&format!("{name}: {label}")), lines)
                })
                .collect();
            (!rows.is_empty()).then_some(DocumentBlock::Rows { rows })
        });
        let blocks: Vec<DocumentBlock> = blocks.collect();
        (!blocks.is_empty()).then(|| self.section("told", &matrix::heading_details(), blocks))
    }

    /// The words of the table, where they stand.
    fn glossary(&self) -> DocumentSection {
        let rows = [
            (matrix::column_smoke(), matrix::term_smoke_is()),
            (matrix::column_load(), matrix::term_load_is()),
            (matrix::column_stress(), matrix::term_stress_is()),
            (matrix::column_capacity(), matrix::term_capacity_is()),
            (matrix::column_knee(), matrix::term_knee_is()),
            (matrix::column_soak(), matrix::term_soak_is()),
            (matrix::column_headroom(), matrix::term_headroom_is()),
        ];
        let text = |message: &Message| self.words.text(message);
        let rows = rows
            .iter()
            .map(|(term, meaning)| DocumentRow::neutral(text(term), vec![text(meaning)]));
        let blocks = vec![DocumentBlock::Rows {
            rows: rows.collect(),
        }];
        self.section("words", &matrix::heading_words(), blocks)
    }
}
