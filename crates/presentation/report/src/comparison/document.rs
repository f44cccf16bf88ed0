//! A comparison as a document: what changed first, then the tables, then both runs in charts
//! with the same axes.

use loadline_analysis::compare::{
    Comparison, ComparisonSettings, Difference, Endpoint, Finding, Measure,
};
use loadline_text::{Catalog, Message, grouped, percent, records, report};

use super::limits::SideLimit;
use super::rows::ComparedRow;
use super::{ComparisonFacts, Page, caveats, is_shown, measure};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartSeries, DocumentBlock, DocumentCause, DocumentFigure,
    DocumentRow, DocumentSection, DocumentTable, DocumentVerdict, ReportDocument, SeriesShape,
    StatementClass, TimeAxis, printable,
};
use crate::explanation::verdict;
use crate::run::{ReportedRun, TimelineWindow};

/// The comparison; with the two runs, if each side is one.
#[must_use]
pub fn document(
    comparison: &Comparison,
    facts: &ComparisonFacts,
    settings: &ComparisonSettings,
    runs: Option<(&ReportedRun, &ReportedRun)>,
    catalog: &Catalog,
) -> ReportDocument {
    let writer = Writer {
        comparison,
        facts,
        page: Page::new(settings, catalog),
    };
    let mut sections = writer.tables();
    sections.extend(writer.limits());
    sections.extend(runs.map(|(before, after)| writer.charts(before, after)));
    sections.push(writer.method());
    ReportDocument {
        kind: "comparison",
        lang: catalog.lang().tag(),
        title: printable::line(&writer.title()),
        facts: Vec::new(),
        verdict: writer.verdict(),
        figures: writer.figures(),
        goals: Vec::new(),
        cause: writer.cause(),
        sections,
    }
}

struct Writer<'a> {
    comparison: &'a Comparison,
    facts: &'a ComparisonFacts,
    page: Page<'a>,
}

impl Writer<'_> {
    fn text(&self, message: &Message) -> String {
        self.page.text(message)
    }

    fn title(&self) -> String {
        let side = |name: &str, runs: usize| match runs {
            1 => name.to_owned(),
            _ => self.text(&records::compare_side(name, runs)),
        };
        let runs = self.comparison.runs;
        let (before, after) = (
            side(&self.facts.before, runs.0),
            side(&self.facts.after, runs.1),
        );
        self.text(&records::compare_title(before, after))
    }

    fn all(&self) -> impl Iterator<Item = &Endpoint> {
        std::iter::once(&self.comparison.whole).chain(&self.comparison.endpoints)
    }

    fn verdict(&self) -> DocumentVerdict {
        let changed = self.all().any(|endpoint| {
            let is_told_otherwise =
                endpoint.mended_errors().is_some() || !endpoint.gained_fields().is_empty();
            !endpoint.changed.is_empty() && !is_told_otherwise
        });
        let fell = self.fell();
        let of_whole = self.comparison.whole.differences.iter();
        let named = |wanted: fn(&Finding) -> bool| -> Vec<String> {
            let found = of_whole
                .clone()
                .filter(|d| is_shown(d) && wanted(&d.finding));
            // That errors fell is told with both shares.
            let is_told = |d: &Difference| {
                d.measure == Measure::Errors && self.comparison.whole.mended_errors().is_some()
            };
            found
                .filter(|d| !is_told(d))
                .map(|d| self.text(&measure(d.measure)))
                .collect()
        };
        let worse = named(|finding| matches!(finding, Finding::Worse));
        let better = named(|finding| matches!(finding, Finding::Better));
        let better: Vec<String> = fell.into_iter().chain(better).collect();
        let same = named(|finding| matches!(finding, Finding::NoLargerThan { .. }));
        let unknown = named(|finding| matches!(finding, Finding::CannotTell { .. }));
        let is_speed_same = of_whole.clone().any(|found| {
            let is_share = matches!(
                found.measure,
                Measure::Errors | Measure::Checks | Measure::Dropped
            );
            !is_share && matches!(found.finding, Finding::NoLargerThan { .. })
        });
        let (class, word, text) = if changed {
            (
                StatementClass::Bad,
                report::word_changed(),
                report::compare_changed(),
            )
        } else if !worse.is_empty() {
            let text = report::compare_worse(worse.join(", "));
            (StatementClass::Bad, report::word_worse(), text)
        } else if !better.is_empty() {
            let text = report::compare_better(better.join(", "));
            (StatementClass::Good, report::word_better(), text)
        } else if same.is_empty() {
            (
                StatementClass::Doubtful,
                report::word_cannot_tell(),
                report::compare_cannot(),
            )
        } else {
            let (class, word) = if is_speed_same || unknown.is_empty() {
                (StatementClass::Neutral, report::word_same())
            } else {
                // Errors alone being alike says nothing of how fast it is.
                (StatementClass::Doubtful, report::word_cannot_tell())
            };
            let same = same.join(", ");
            let text = if unknown.is_empty() {
                report::compare_same(same)
            } else {
                report::compare_same_partly(same, unknown.join(", "))
            };
            (class, word, text)
        };
        let caveats = self.facts.caveats.iter();
        let details = caveats.flat_map(|c| caveats::lines(c, self.facts, self.page.catalog));
        let names = [&self.facts.before, &self.facts.after];
        let cold = names.into_iter().zip(self.comparison.cold);
        let cold = cold.filter_map(|(name, cold)| {
            let message = super::cold_run(name, cold?);
            Some(self.text(&message))
        });
        let stages = self.comparison.stages;
        let stages = stages.map(|stages| self.text(&records::compare_stages(stages)));
        let details = details.chain(cold).chain(stages);
        DocumentVerdict {
            class,
            word: self.text(&word),
            text: self.text(&text),
            details: details.map(|line| printable::line(&line)).collect(),
        }
    }

    /// Which requests fail less often; nothing of single endpoints where all requests do.
    fn fell(&self) -> Vec<String> {
        if let Some(fell) = self.page.errors_fell(&self.comparison.whole) {
            return vec![fell];
        }
        let fell = self.comparison.endpoints.iter().filter_map(|endpoint| {
            let fell = self.page.errors_fell(endpoint)?;
            Some(format!("{fell} ({})", endpoint.name))
        });
        fell.collect()
    }

    fn figures(&self) -> Vec<DocumentFigure> {
        let wanted = [Measure::Rate, Measure::P95, Measure::Errors];
        let found = |of: Measure| -> Option<&Difference> {
            let mut all = self.comparison.whole.differences.iter();
            all.find(|difference| difference.measure == of && is_shown(difference))
        };
        let shown = |of: &Difference| {
            let row = ComparedRow::new(of, &self.page);
            DocumentFigure {
                label: row.label,
                value: format!("{} → {}", row.before, row.after),
                unit: String::new(),
                note: row.finding,
            }
        };
        let mut figures: Vec<DocumentFigure> =
            wanted.into_iter().filter_map(found).map(shown).collect();
        // What keeps all of them from being told is told once.
        for place in (1..figures.len()).rev() {
            if !figures[place].note.is_empty() && figures[place].note == figures[place - 1].note {
                figures[place].note = self.text(&report::same_as_before());
            }
        }
        figures
    }

    fn tables(&self) -> Vec<DocumentSection> {
        let mut changed = Vec::new();
        let mut tables = Vec::new();
        for endpoint in self.all() {
            if !endpoint.changed.is_empty() {
                let said = self.page.changes(endpoint);
                changed.extend(said.lines().map(|line| printable::line(line.trim())));
            }
            if !endpoint.differences.is_empty() {
                tables.push(DocumentBlock::Table(self.table(endpoint)));
            }
        }
        for (names, message) in [
            (
                &self.comparison.only_before,
                records::compare_only_before as fn(String) -> Message,
            ),
            (&self.comparison.only_after, records::compare_only_after),
        ] {
            if !names.is_empty() {
                changed.push(printable::line(&self.text(&message(names.join(", ")))));
            }
        }
        let section = |id, title: Message, blocks| DocumentSection {
            id,
            title: self.text(&title),
            note: String::new(),
            blocks,
        };
        let mut sections = Vec::new();
        if !changed.is_empty() {
            let lines = vec![DocumentBlock::Text { lines: changed }];
            sections.push(section("changed", report::section_changed(), lines));
        }
        sections.push(section(
            "differences",
            report::section_differences(),
            tables,
        ));
        sections
    }

    /// What limits the two sides.
    fn limits(&self) -> Option<DocumentSection> {
        let (before, after) = self.facts.limits.shown()?;
        let catalog = self.page.catalog;
        let moved = verdict::moved(before.verdict, after.verdict, catalog);
        let sides = [(&self.facts.before, before), (&self.facts.after, after)];
        let rows = sides.map(|(name, side)| {
            let text = printable::line(&side.text(catalog));
            DocumentRow::neutral(printable::line(name), vec![text])
        });
        Some(DocumentSection {
            id: "limits",
            title: self.text(&records::compare_limit()),
            note: String::new(),
            blocks: vec![
                DocumentBlock::Text { lines: vec![moved] },
                DocumentBlock::Rows {
                    rows: rows.into_iter().collect(),
                },
            ],
        })
    }

    /// What limits the second side.
    fn cause(&self) -> Option<DocumentCause> {
        let side = SideLimit::new(&self.facts.limits.after)?;
        Some(verdict::document_cause(side.verdict, self.page.catalog))
    }

    fn table(&self, endpoint: &Endpoint) -> DocumentTable {
        let mut table = DocumentTable::new(printable::line(&self.page.name(endpoint)));
        table.words(self.text(&report::column_measure()));
        table.numbers(self.text(&report::column_before()));
        table.numbers(self.text(&report::column_after()));
        table.words(self.text(&report::column_result()));
        let mut told: Option<String> = None;
        for row in ComparedRow::all(endpoint, &self.page) {
            let is_told = !row.finding.is_empty() && told.as_ref() == Some(&row.finding);
            let finding = if is_told {
                self.text(&report::same_as_before())
            } else {
                row.finding.clone()
            };
            let cells = vec![row.label, row.before, row.after, finding];
            table.rows.push(cells);
            told = Some(row.finding);
        }
        table
    }

    fn charts(&self, before: &ReportedRun, after: &ReportedRun) -> DocumentSection {
        let rate = |window: &TimelineWindow| {
            (window.covered >= 0.2).then(|| window.requests / window.covered)
        };
        let p95 = |window: &TimelineWindow| window.durations.percentile(0.95);
        let chart = |id,
                     title: Message,
                     label: Message,
                     kind,
                     of: &dyn Fn(&TimelineWindow) -> Option<f64>| {
            let side = |role, name: &str, shape, run: &ReportedRun| ChartSeries {
                role,
                name: printable::line(name),
                shape,
                points: run.timeline.windows.iter().map(|w| (w.at, of(w))).collect(),
            };
            DocumentBlock::Chart(Chart {
                id,
                title: self.text(&title),
                caption: self.text(&report::caption_windows(
                    before.timeline.step.max(after.timeline.step),
                    format!(
                        "{} / {}",
                        grouped(self.comparison.requests.0, 0),
                        grouped(self.comparison.requests.1, 0)
                    ),
                )),
                x: ChartAxis {
                    label: self.text(&report::axis_time()),
                    kind: AxisKind::Time(TimeAxis { from_ms: 0 }),
                    most: None,
                },
                y: ChartAxis {
                    label: self.text(&label),
                    kind,
                    most: None,
                },
                series: vec![
                    side("plan", &self.facts.before, SeriesShape::Dashed, before),
                    side("p95", &self.facts.after, SeriesShape::Line, after),
                ],
                marks: Vec::new(),
                heat: None,
            })
        };
        DocumentSection {
            id: "time",
            title: self.text(&report::section_time()),
            note: self.text(&report::note_same_axes()),
            blocks: vec![
                chart(
                    "rate",
                    report::chart_rate(),
                    report::axis_rate(),
                    AxisKind::Linear,
                    &rate,
                ),
                chart(
                    "latency",
                    report::chart_p95(),
                    report::axis_latency_log(),
                    AxisKind::Log,
                    &p95,
                ),
            ],
        }
    }

    fn method(&self) -> DocumentSection {
        let comparison = self.comparison;
        let said = records::compare_method(
            grouped(comparison.requests.0, 0),
            comparison.seconds.0,
            grouped(comparison.requests.1, 0),
            comparison.seconds.1,
            comparison.intervals,
            percent(comparison.whole_confidence(self.page.settings)),
        );
        let of_endpoints = super::endpoints_method(comparison, self.page.settings);
        let lines = std::iter::once(&said).chain(&of_endpoints);
        let lines = lines.map(|message| self.text(message)).collect();
        DocumentSection {
            id: "method",
            title: self.text(&report::section_method()),
            note: String::new(),
            blocks: vec![DocumentBlock::Text { lines }],
        }
    }
}
