//! A report as a document: what is said first, then goals, tables, charts and findings, in
//! the words of one language.
//!
//! Runs, capacity searches, comparisons, plans and the result files of k6 and Artillery become
//! the same [`ReportDocument`]. [`html`], [`markdown`] and [`junit`] write one; the web pages
//! show its JSON. Texts from a target are made [`printable`] when they enter a document;
//! escaping is each writer's task.
//!
//! Elsewhere: what a document of a run says ([`crate::run`]), the numbers themselves (`record`).

mod chart;
pub mod glossary;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod printable;

pub use chart::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, HeatLayer, HeatMap, SeriesShape, TimeAxis,
};

use serde::Serialize;

/// A report in one language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportDocument {
    /// What is reported: `run`, `capacity`, `comparison`, `plan`, `preflight`, `k6`, `artillery`.
    pub kind: &'static str,
    /// The language's tag.
    pub lang: &'static str,
    /// What was tested or planned.
    pub title: String,
    /// Short facts under the title: when, how long, with what.
    pub facts: Vec<String>,
    /// The conclusion.
    pub verdict: DocumentVerdict,
    /// The few numbers that matter most.
    pub figures: Vec<DocumentFigure>,
    /// What was to be met.
    pub goals: Vec<DocumentGoal>,
    /// What limits, as `explain` says it; `None` where nothing was explained.
    pub cause: Option<DocumentCause>,
    /// Everything else, in order.
    pub sections: Vec<DocumentSection>,
}

/// How a statement is to be taken; never shown by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementClass {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// To be taken with care.
    Doubtful,
    /// Neither.
    Neutral,
}

/// The conclusion in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentVerdict {
    /// How it is to be taken.
    pub class: StatementClass,
    /// One word: passed, failed.
    pub word: String,
    /// One sentence.
    pub text: String,
    /// What else there is to say at once.
    pub details: Vec<String>,
}

/// A number that matters, with its unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentFigure {
    /// What it is.
    pub label: String,
    /// The number as it is read.
    pub value: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// What belongs to it; may be empty.
    pub note: String,
}

/// A goal and whether it was met.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentGoal {
    /// As it was written.
    pub goal: String,
    /// What was measured.
    pub observed: String,
    /// Whether it was met; `None` where that cannot be told.
    pub met: Option<bool>,
    /// The result in words.
    pub word: String,
}

/// What limits, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentCause {
    /// `limited`, `slow`, `no-bottleneck`, ...
    pub answer: String,
    /// Where it lies, by its name in files.
    pub part: Option<String>,
    /// The rule that names it.
    pub rule: Option<String>,
    /// `A`, `B` or `C`.
    pub grade: Option<String>,
    /// In one line.
    pub text: String,
    /// What to do, a line each.
    pub advice: Vec<String>,
}

/// A part of a document under a heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentSection {
    /// A name for links, the same in all languages.
    pub id: &'static str,
    /// The heading.
    pub title: String,
    /// What the reader should know of all of it; may be empty.
    pub note: String,
    /// Its contents.
    pub blocks: Vec<DocumentBlock>,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum DocumentBlock {
    /// Sentences.
    Text {
        /// One paragraph each.
        lines: Vec<String>,
    },
    /// Labels with values.
    Rows {
        /// In order.
        rows: Vec<DocumentRow>,
    },
    /// Columns under heads.
    Table(DocumentTable),
    /// A chart.
    Chart(Chart),
    /// A finding with its evidence.
    Finding(DocumentFinding),
    /// Text as it is, such as a file.
    Source {
        /// The text.
        text: String,
    },
}

/// A label with values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentRow {
    /// The label.
    pub label: String,
    /// How the values are to be taken.
    pub class: StatementClass,
    /// One line each.
    pub values: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentTable {
    /// What it shows; may be empty.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<DocumentColumn>,
    /// Its rows, one cell a column.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentColumn {
    /// Its head, with the unit.
    pub head: String,
    /// It holds numbers, which stand to the right.
    pub is_number: bool,
}

/// A finding, with what speaks for and against it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentFinding {
    /// Role and grade.
    pub head: String,
    /// It limits the run now.
    pub is_limit: bool,
    /// The statement.
    pub text: String,
    /// Evidence, contradictions and advice.
    pub rows: Vec<DocumentRow>,
}

impl DocumentTable {
    /// A table without rows.
    #[must_use]
    pub fn new(caption: String) -> Self {
        Self {
            caption,
            columns: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Adds a column of words.
    pub fn words(&mut self, head: impl Into<String>) {
        self.columns.push(DocumentColumn {
            head: head.into(),
            is_number: false,
        });
    }

    /// Adds a column of numbers.
    pub fn numbers(&mut self, head: impl Into<String>) {
        self.columns.push(DocumentColumn {
            head: head.into(),
            is_number: true,
        });
    }

    /// Without the columns that are empty in every row.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        let filled: Vec<bool> = (0..self.columns.len())
            .map(|place| self.rows.iter().any(|row| !row[place].is_empty()))
            .collect();
        let mut kept = filled.iter();
        self.columns.retain(|_| kept.next() == Some(&true));
        for row in &mut self.rows {
            let mut kept = filled.iter();
            row.retain(|_| kept.next() == Some(&true));
        }
        self
    }
}

impl DocumentRow {
    /// A row of one kind or another.
    #[must_use]
    pub fn new(label: String, class: StatementClass, values: Vec<String>) -> Self {
        Self {
            label,
            class,
            values,
        }
    }

    /// A row that says neither good nor bad.
    #[must_use]
    pub fn neutral(label: String, values: Vec<String>) -> Self {
        Self::new(label, StatementClass::Neutral, values)
    }
}
