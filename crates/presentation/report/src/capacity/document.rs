//! What a search came to, as a document: the line first, then the three points, the curve and
//! every level.

mod curve;

use loadline_analysis::capacity::Answer;
use loadline_text::{
    Catalog, Message, capacity, grouped, latency, messages, millis, percent, report, significant,
};

use super::CapacityFacts;
use super::file::{CapacityFile, LineInFile, SoakInFile, TestInFile};
use super::goal::AskedLoad;
use super::kept::{self, SoakWords, outcome_of, purpose, soak_told};
use super::laws::TableLaws;
use super::likely::LikelyLine;
use super::verdict::{faults_of, wrong_there};
use super::words::{Words, peak_rate, rate};
use crate::document::{
    DocumentBlock, DocumentFigure, DocumentGoal, DocumentRow, DocumentSection, DocumentTable,
    DocumentVerdict, ReportDocument, StatementClass, printable,
};
use crate::explanation::verdict as explained;
use crate::run::{ReportedRun, findings, setup};

/// A fresh answer, with what its file does not hold.
#[must_use]
pub fn of_answer(
    answer: &Answer,
    facts: &CapacityFacts,
    name: &str,
    catalog: &Catalog,
) -> ReportDocument {
    let test = TestInFile {
        name: name.to_owned(),
        ..TestInFile::default()
    };
    let file = CapacityFile::new(answer, test, serde_json::Value::Null);
    let mut file = file.explained(facts.limit.clone());
    file.target.clone_from(&facts.target);
    file.goal = facts.goal;
    let mut document = of_file(&file, "", catalog);
    document.verdict.text = printable::line(&super::verdict(answer, catalog));
    let words = Words {
        unit: answer.unit,
        terms: &answer.terms,
        catalog,
    };
    let mut rows = Vec::new();
    let mut add = |label: Message, lines: Vec<String>| {
        let lines = lines.iter().map(|line| printable::line(line)).collect();
        rows.push(DocumentRow::neutral(catalog.text(&label), lines));
    };
    if answer.line.is_some() {
        add(capacity::row_usl(), vec![super::usl_line(answer, words)]);
    }
    add(capacity::row_note(), super::notes(answer, words));
    document.sections.extend(notes(rows, catalog));
    document
}

/// What is said beside the levels; nothing where there is nothing to say.
fn notes(mut rows: Vec<DocumentRow>, catalog: &Catalog) -> Option<DocumentSection> {
    rows.retain(|row| !row.values.is_empty());
    (!rows.is_empty()).then(|| DocumentSection {
        id: "notes",
        title: catalog.text(&report::section_notes()),
        note: String::new(),
        blocks: vec![DocumentBlock::Rows { rows }],
    })
}

/// The answer of a stored search, as a document and as a file, explained by its record; `None` of any other run.
#[must_use]
pub fn of_run(
    run: &ReportedRun,
    started: &str,
    catalog: &Catalog,
) -> Option<(ReportDocument, CapacityFile)> {
    let file = CapacityFile::parse(&run.capacity_found()?.to_string()).ok()?;
    let mut file = file.explained(run.limit.clone());
    file.target.clone_from(&run.tested.target);
    let mut document = of_file(&file, started, catalog);
    if let Some((explanation, sources)) = run.shown_explanation() {
        let findings = findings(explanation, sources, catalog);
        document.sections.push(findings);
    }
    Some((document, file))
}

/// A stored or exported answer; `started` is when it began, as its reader's clock shows it.
#[must_use]
pub fn of_file(file: &CapacityFile, started: &str, catalog: &Catalog) -> ReportDocument {
    let writer = Writer { file, catalog };
    let facts = [
        started.to_owned(),
        catalog.text(&capacity::note_judged(file.objective.join(", "))),
        file.test.scenario.clone().unwrap_or_default(),
    ];
    let sections = [writer.curve(), writer.points(), writer.levels()];
    ReportDocument {
        kind: "capacity",
        lang: catalog.lang().tag(),
        title: printable::line(&file.test.name),
        facts: facts
            .iter()
            .filter(|fact| !fact.is_empty())
            .map(|fact| printable::line(fact))
            .collect(),
        verdict: writer.verdict(),
        figures: writer.figures(),
        goals: writer.goal().into_iter().collect(),
        cause: file
            .limit
            .as_ref()
            .map(|limit| explained::document_cause(limit, catalog)),
        sections: sections
            .into_iter()
            .chain(writer.laws_of_table())
            .chain(setup(&file.target, catalog))
            .collect(),
    }
}

/// The first line of a kept answer.
pub(super) fn verdict(file: &CapacityFile, catalog: &Catalog) -> DocumentVerdict {
    Writer { file, catalog }.verdict()
}

struct Writer<'a> {
    file: &'a CapacityFile,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    fn load(&self, load: f64) -> String {
        super::load(load, self.file.load_unit(), self.catalog)
    }

    /// Loads and estimates in the unit of the search; terms are in the file as text.
    fn words(&self) -> Words<'_> {
        Words {
            unit: self.file.load_unit(),
            terms: &[],
            catalog: self.catalog,
        }
    }

    /// The estimate of a line that lies below the level that held.
    fn below(&self) -> Option<LikelyLine> {
        let likely = self.file.line.as_ref()?.likely_line()?;
        likely.is_below_held(self.words()).then_some(likely)
    }

    fn verdict(&self) -> DocumentVerdict {
        let line = self.file.line.as_ref();
        let (class, word) = self.class_and_word();
        let is_missed = self.asked().and_then(AskedLoad::is_met) == Some(false);
        let mut class = if is_missed {
            StatementClass::Bad
        } else {
            class
        };
        let judges_checks = (self.file.objective.iter()).any(|term| term.starts_with("checks"));
        let faults = line.map_or_else(Vec::new, |line| faults_of(line.faults, judges_checks));
        let mut text = self.text(self.verdict_sentence());
        if let Some(wrong) = wrong_there(&faults, self.catalog) {
            text = format!("{text}; {wrong}");
            if !is_missed {
                class = StatementClass::Doubtful;
            }
        }
        DocumentVerdict {
            class,
            word: self.text(word),
            text: printable::line(&text),
            details: Vec::new(),
        }
    }

    /// The first word of the verdict, and how good it is.
    fn class_and_word(&self) -> (StatementClass, Message) {
        let line = self.file.line.as_ref();
        let (class, word) = match (line, self.file.end.as_str()) {
            (Some(line), "found" | "at-least-goal") => (
                StatementClass::Good,
                report::word_found(self.load(line.load)),
            ),
            (Some(line), _) => {
                let likely = line.likely_line();
                let is_bound = likely.is_none_or(|likely| !likely.may_be_below_held(self.words()));
                let word = if is_bound {
                    report::word_at_least(self.load(line.load))
                } else {
                    report::word_about(self.words().about(line.load))
                };
                (StatementClass::Doubtful, word)
            }
            (None, "interrupted" | "out-of-time" | "no-sample" | "no-requests") => {
                (StatementClass::Doubtful, report::word_unknown())
            }
            (None, _) => (StatementClass::Bad, report::word_none()),
        };
        let about = |load: f64| report::word_about(self.words().about(load));
        if let Some((_, interpolated, _)) = self.between_levels() {
            return (class, about(interpolated));
        }
        if self.file.hardly_tried().is_some() {
            return (StatementClass::Doubtful, report::word_unknown());
        }
        match self.below() {
            Some(below) => (StatementClass::Doubtful, about(below.likely.middle)),
            None => (class, word),
        }
    }

    /// The line of a table: the level that holds, where the limit is crossed, and the next level.
    fn between_levels(&self) -> Option<(&LineInFile, f64, f64)> {
        let line = self.file.line.as_ref()?;
        Some((line, line.of_table()?, line.beyond?))
    }

    /// That too little was sent at what held.
    fn hardly_tried(&self) -> Option<Message> {
        let sent = self.file.hardly_tried()?;
        let load = self.load(self.file.line.as_ref()?.load);
        let (requests, held) = (grouped(sent.requests, 0), grouped(sent.seconds, 0));
        Some(if self.file.end == "at-least-generator" {
            capacity::verdict_hardly_tried_here(load, requests, held)
        } else {
            capacity::verdict_hardly_tried(load, requests, held)
        })
    }

    /// What the verdict says behind its word.
    fn verdict_sentence(&self) -> Message {
        let terms = self.file.objective.join(", ");
        if let Some((line, _, beyond)) = self.between_levels() {
            return report::capacity_of_table(terms, self.load(line.load), self.load(beyond));
        }
        if let Some(said) = self.hardly_tried() {
            return said;
        }
        match (self.file.line.as_ref(), self.file.end.as_str()) {
            (Some(_), _) if self.below().is_some() => report::capacity_below(terms),
            (Some(line), end) => self.carried(line, end, terms),
            (None, "fails-without-load") => report::capacity_fails(),
            (None, "no-answer") => report::capacity_no_answer(),
            (None, "missed-at-any-load") => report::capacity_any_load(terms),
            (None, "interrupted") => capacity::verdict_interrupted_none(),
            (None, "out-of-time") => report::capacity_unclear(terms),
            (None, "no-sample") => report::capacity_no_sample(terms),
            (None, "no-requests") => report::capacity_no_requests(),
            (None, _) => report::capacity_none(terms),
        }
    }

    /// What is carried, of a search that ended so.
    fn carried(&self, line: &LineInFile, end: &str, terms: String) -> Message {
        let load = self.load(line.load);
        let requests = significant(line.requests_per_second);
        match (line.beyond, end) {
            (Some(beyond), _) => report::capacity_between(load, requests, terms, self.load(beyond)),
            (None, "at-least-generator") => report::capacity_generator(load, requests, terms),
            (None, _) => report::capacity_at_least(load, requests, terms),
        }
    }

    /// The load that was asked for, beside what is carried.
    fn asked(&self) -> Option<AskedLoad> {
        AskedLoad::of_file(self.file, self.words())
    }

    fn goal(&self) -> Option<DocumentGoal> {
        let asked = self.asked()?;
        Some(asked.in_document(&self.file.objective.join(", "), self.words()))
    }

    fn figures(&self) -> Vec<DocumentFigure> {
        let not_seen = || (self.text(capacity::not_seen()), String::new());
        let line = self.file.line.as_ref().map(|line| {
            if let Some(below) = self.below() {
                let note = self.text(report::held_briefly(self.load(line.load)));
                return (below.middle(self.words()), note);
            }
            if let Some((about, beyond)) = line.of_table().zip(line.beyond) {
                let note = report::between_levels(self.load(line.load), self.load(beyond));
                return (self.words().about(about), self.text(note));
            }
            let note = match line.beyond {
                Some(beyond) => self.text(report::too_much_at(self.load(beyond))),
                None => String::new(),
            };
            (self.load(line.load), note)
        });
        let knee = self.file.knee.as_ref().map(|knee| {
            let note = self.text(report::of_peak(percent(knee.share_of_peak)));
            (self.load(knee.load), note)
        });
        let peak = self.file.peak.as_ref().map(|peak| {
            let ends = (significant(peak.low), rate(peak.high));
            let has_range = peak.low < peak.high;
            let note = has_range.then(|| format!("{} – {}", ends.0, ends.1));
            let note = note.unwrap_or_default();
            (rate(peak.throughput), note)
        });
        let rows = [
            (capacity::row_line(), line),
            (capacity::row_knee(), knee),
            (capacity::row_peak(), peak),
        ];
        rows.into_iter()
            .map(|(label, found)| {
                let (value, note) = found.unwrap_or_else(not_seen);
                DocumentFigure {
                    label: self.text(label),
                    value,
                    unit: String::new(),
                    note,
                }
            })
            .collect()
    }

    fn points(&self) -> DocumentSection {
        let mut rows = Vec::new();
        let mut add = |label: Message, value: String| {
            rows.push(DocumentRow::neutral(self.text(label), vec![value]));
        };
        if let Some(line) = &self.file.line {
            let of_table = line.of_table().zip(line.beyond);
            let value = if let Some((about, beyond)) = of_table {
                let between = report::between_levels(self.load(line.load), self.load(beyond));
                format!("{}, {}", self.words().about(about), self.text(between))
            } else if self.file.test.kind == "table" {
                format!("{} ({})", self.load(line.load), rate(line.throughput))
            } else {
                let held = grouped(line.held_s, 0);
                let requests = significant(line.requests_per_second);
                self.text(capacity::line(self.load(line.load), requests, held))
            };
            add(capacity::row_line(), value);
            if let Some(likely) = line.likely_line() {
                add(capacity::row_note(), likely.row(self.words()));
            } else if let Some(load) = line.interpolated.filter(|_| of_table.is_none()) {
                add(
                    capacity::row_note(),
                    self.text(capacity::line_interpolated(self.words().about(load))),
                );
            }
        }
        if let Some(knee) = &self.file.knee {
            add(capacity::row_knee(), kept::knee(knee, self.words()));
        }
        if let Some(peak) = &self.file.peak {
            add(
                capacity::row_peak(),
                self.text(capacity::peak(
                    peak_rate(&peak.throughput()),
                    self.load(peak.load),
                )),
            );
        }
        if let Some(limit) = &self.file.limit {
            let lines = super::limit_lines(limit, self.file.load_unit(), self.catalog);
            let lines = lines.iter().map(|line| printable::line(line)).collect();
            let label = self.text(capacity::row_limit());
            rows.push(DocumentRow::neutral(label, lines));
        }
        let mut add = |label: Message, value: String| {
            rows.push(DocumentRow::neutral(self.text(label), vec![value]));
        };
        let baseline = &self.file.baseline;
        if baseline.load > 0.0 {
            add(
                capacity::row_baseline(),
                self.text(capacity::baseline(
                    latency(baseline.median_ms),
                    latency(baseline.p95_ms),
                    self.load(baseline.load),
                )),
            );
        }
        if let Some(asked) = self.asked() {
            add(capacity::row_goal(), asked.row(self.words()));
        }
        if let Some(soak) = &self.file.soak {
            add(capacity::row_soak(), self.soak(soak));
        }
        DocumentSection {
            id: "points",
            title: self.text(report::section_points()),
            note: String::new(),
            blocks: vec![DocumentBlock::Rows { rows }],
        }
    }

    /// Whether the numbers of a table fit each other, and the curve that fits them: as its text has them.
    fn laws_of_table(&self) -> Option<DocumentSection> {
        let is_table = self.file.test.kind == "table";
        let laws = is_table.then(|| TableLaws::from_file(self.file))?;
        let row = |label: Message, lines| DocumentRow::neutral(self.text(label), lines);
        let rows = vec![
            row(capacity::row_usl(), vec![laws.usl(self.words())]),
            row(capacity::row_note(), laws.littles_law(self.words())),
        ];
        notes(rows, self.catalog)
    }

    /// What the long hold came to; its level's row in the table tells why.
    fn soak(&self, soak: &SoakInFile) -> String {
        let levels = self.file.steps.iter().rev();
        let mut ends = levels.filter(|step| step.why == "soak");
        let end = ends.next().map_or("", |step| step.outcome.as_str());
        let words = SoakWords {
            load: self.load(soak.load),
            held: grouped(soak.held_s, 0),
            holds: soak.holds,
            end,
        };
        soak_told(words, self.catalog)
    }

    fn levels(&self) -> DocumentSection {
        let is_mean_told = self.file.test.kind == "table";
        let mut table = DocumentTable::new(String::new());
        table.numbers(self.text(capacity::column_load()));
        table.words(self.text(capacity::column_outcome()));
        // All of a table was measured, and nothing was held for a purpose.
        if !is_mean_told {
            table.words(self.text(capacity::column_why()));
        }
        table.numbers(self.text(capacity::column_rate()));
        if is_mean_told {
            table.numbers(self.text(messages::column_mean()));
        }
        table.numbers("p50");
        table.numbers("p95");
        table.numbers("p99");
        table.numbers(self.text(report::column_error_rate()));
        table.numbers(self.text(capacity::column_cpu()));
        table.numbers(self.text(capacity::column_held()));
        // What a table does not tell has no column.
        let untold = if is_mean_told { "" } else { "–" };
        let time = |value: Option<f64>| value.map_or_else(|| untold.to_owned(), millis);
        for step in &self.file.steps {
            let mut row = vec![self.load(step.load), outcome_of(step, self.catalog)];
            row.extend((!is_mean_told).then(|| purpose(&step.why, self.catalog)));
            row.push(significant(step.throughput));
            row.extend(is_mean_told.then(|| time(step.mean_ms)));
            row.extend([
                time(step.p50_ms),
                time(step.p95_ms),
                time(step.p99_ms),
                step.errors.map_or_else(String::new, percent),
                step.target_cpu.map_or_else(String::new, percent),
                match step.held_s {
                    0.0 if is_mean_told => String::new(),
                    seconds => format!("{} s", grouped(seconds, 0)),
                },
            ]);
            table.rows.push(row);
        }
        DocumentSection {
            id: "levels",
            title: self.text(report::section_levels()),
            note: String::new(),
            blocks: vec![DocumentBlock::Table(table.without_empty_columns())],
        }
    }
}
