//! The story as a document: what it came to, the table to paste into a wiki, the picture, and what is told of each round.

use loadline_text::{Catalog, Message, records, rounds, significant};

use super::words::{TableWidth, Words};
use super::{GoalState, Round, RoundCapacity, RoundReport, StoryEnd, headline, scale_out};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, DocumentBlock, DocumentFigure,
    DocumentGoal, DocumentRow, DocumentSection, DocumentVerdict, ReportDocument, SeriesShape,
    printable,
};
use crate::filled_column::FilledColumn;

/// The story as a document.
#[must_use]
pub fn document(story: &RoundReport, catalog: &Catalog) -> ReportDocument {
    let writer = Writer {
        story,
        catalog,
        words: Words { catalog },
    };
    let sections = [
        Some(writer.table()),
        writer.charts(),
        writer.details(),
        writer.next(),
    ];
    let title = if story.title.is_empty() {
        writer.text(&rounds::title())
    } else {
        story.title.clone()
    };
    ReportDocument {
        kind: "rounds",
        lang: catalog.lang().tag(),
        title: printable::line(&title),
        facts: vec![writer.text(&rounds::fact_rounds(story.rounds.len()))],
        verdict: writer.verdict(),
        figures: writer.figures(),
        goals: writer.goals(),
        cause: None,
        sections: sections.into_iter().flatten().collect(),
    }
}

struct Writer<'a> {
    story: &'a RoundReport,
    catalog: &'a Catalog,
    words: Words<'a>,
}

impl Writer<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn verdict(&self) -> DocumentVerdict {
        let end = StoryEnd::from(self.story);
        DocumentVerdict {
            class: end.class(),
            word: self.text(&end.label()),
            text: printable::line(&end.sentence(self.story, self.catalog)),
            details: headline::way(self.story, self.catalog)
                .into_iter()
                .chain(scale_out::lines(self.story, self.catalog))
                .chain(self.words.notes(self.story))
                .map(|line| printable::line(&line))
                .collect(),
        }
    }

    /// Load and 95th percentile of the last round that was kept, beside those of the first one.
    fn figures(&self) -> Vec<DocumentFigure> {
        let mut kept = self.story.kept();
        let Some(last) = kept.next_back() else {
            return Vec::new();
        };
        let first = kept.next();
        let before = |value: Option<String>| {
            value.map_or_else(String::new, |value| self.text(&rounds::figure_first(value)))
        };
        let shown = |round: &Round| match round.figures.capacity {
            Some(found) => Some(self.words.bound(found)),
            None => round.figures.load().map(super::words::rate),
        };
        let load = last.figures.load().map(|load| DocumentFigure {
            label: self.text(&match last.figures.capacity {
                Some(_) => rounds::column_capacity(),
                None => rounds::figure_load(),
            }),
            value: match last.figures.capacity.filter(RoundCapacity::is_bound) {
                Some(_) => format!("≥ {}", significant(load)),
                None => significant(load),
            },
            unit: "/s".to_owned(),
            note: before(first.and_then(shown)),
        });
        let p95 = last.figures.p95_ms.map(|p95| DocumentFigure {
            label: "p95".to_owned(),
            value: self.words.range(p95),
            unit: String::new(),
            note: before(
                first
                    .and_then(|first| first.figures.p95_ms)
                    .map(|p95| self.words.range(p95)),
            ),
        });
        load.into_iter().chain(p95).collect()
    }

    /// The goal in each round.
    fn goals(&self) -> Vec<DocumentGoal> {
        let goal = |round: &Round| {
            let state = self.story.goal_state(round)?;
            // What a search found is what meets the goal, not the figures of a run beside it.
            let observed = match round.line() {
                Some(found) => {
                    let label = self.text(&rounds::column_capacity());
                    vec![format!("{label} {}", self.words.capacity(found))]
                }
                None => self.observed(round),
            };
            let (met, word) = match state {
                GoalState::Met => (Some(true), rounds::word_met()),
                GoalState::Missed => (Some(false), rounds::word_missed()),
                GoalState::Unknown => (None, rounds::word_unknown()),
            };
            let goal = rounds::goal_of_round(self.story.goal_text(), &round.name);
            Some(DocumentGoal {
                goal: printable::line(&self.text(&goal)),
                observed: observed.join(", "),
                met,
                word: self.text(&word),
            })
        };
        self.story.rounds.iter().filter_map(goal).collect()
    }

    /// The figures by which goals are judged.
    fn observed(&self, round: &Round) -> Vec<String> {
        let figures = &round.figures;
        let mean = figures.mean_ms.map(|mean| {
            let column = records::runs_column_mean();
            format!("{} {}", self.text(&column), self.words.range(mean))
        });
        let p95 = (figures.p95_ms).map(|p95| format!("p95 {}", self.words.range(p95)));
        let errors = (figures.errors)
            .map(|share| self.text(&rounds::observed_errors(loadline_text::percent(share))));
        [mean, p95, errors].into_iter().flatten().collect()
    }

    fn table(&self) -> DocumentSection {
        let columns = self.words.columns(self.story, TableWidth::Whole);
        DocumentSection {
            id: "rounds",
            title: self.text(&rounds::heading_rounds()),
            note: String::new(),
            blocks: vec![DocumentBlock::Table(FilledColumn::table(&columns))],
        }
    }

    fn charts(&self) -> Option<DocumentSection> {
        let charts = [self.loads(), self.times()];
        let blocks: Vec<DocumentBlock> = charts
            .into_iter()
            .filter(|chart| !chart.is_empty())
            .map(DocumentBlock::Chart)
            .collect();
        (!blocks.is_empty()).then(|| DocumentSection {
            id: "charts",
            title: self.text(&rounds::heading_charts()),
            note: String::new(),
            blocks,
        })
    }

    fn chart(
        &self,
        id: &'static str,
        title: &Message,
        y: &Message,
        series: Vec<ChartSeries>,
    ) -> Chart {
        let rounds = self.story.rounds.iter().enumerate();
        let marks = rounds.map(|(place, round)| ChartMark {
            at: (place + 1) as f64,
            label: printable::line(&self.labelled(round)),
        });
        let axis = |label, most| ChartAxis {
            label,
            kind: AxisKind::Linear,
            most,
        };
        Chart {
            id,
            title: self.text(title),
            caption: String::new(),
            x: axis(
                self.text(&rounds::column_round()),
                Some((self.story.rounds.len() + 1) as f64),
            ),
            y: axis(self.text(y), None),
            series: series.into_iter().filter(ChartSeries::has_values).collect(),
            marks: marks.collect(),
            heat: None,
        }
    }

    /// Its name with what it changed.
    fn labelled(&self, round: &Round) -> String {
        if round.change.is_empty() {
            return self.text(&rounds::heading_round(&round.name));
        }
        let (name, change) = (&round.name, &round.change);
        self.text(&rounds::round_with_change(name, change))
    }

    fn series(
        &self,
        role: &'static str,
        name: &Message,
        value: impl Fn(&Round) -> Option<f64>,
    ) -> ChartSeries {
        let rounds = self.story.rounds.iter().enumerate();
        ChartSeries {
            role,
            name: self.text(name),
            shape: SeriesShape::Bars,
            points: rounds
                .map(|(place, round)| ((place + 1) as f64, value(round)))
                .collect(),
        }
    }

    fn loads(&self) -> Chart {
        let load = self.series("rate", &rounds::figure_load(), |round| round.figures.load());
        self.chart(
            "round-load",
            &rounds::chart_load(),
            &rounds::axis_rate(),
            vec![load],
        )
    }

    fn times(&self) -> Chart {
        let p95 = self.series("p95", &rounds::series_p95(), |round| {
            let p95 = round.figures.p95_ms?;
            Some(if p95.is_bound() { p95.low } else { p95.high })
        });
        self.chart(
            "round-p95",
            &rounds::chart_p95(),
            &rounds::axis_ms(),
            vec![p95],
        )
    }

    fn details(&self) -> Option<DocumentSection> {
        let blocks: Vec<DocumentBlock> = (self.story.rounds.iter())
            .filter_map(|round| {
                let rows = self.words.details(round, TableWidth::Whole);
                let heading = self.text(&rounds::heading_round(&round.name));
                let rows: Vec<DocumentRow> = rows
                    .into_iter()
                    .map(|(label, lines)| {
                        let lines = lines.iter().map(|line| printable::line(line)).collect();
                        let label = format!("{heading}: {label}");
                        DocumentRow::neutral(printable::line(&label), lines)
                    })
                    .collect();
                (!rows.is_empty()).then_some(DocumentBlock::Rows { rows })
            })
            .collect();
        (!blocks.is_empty()).then(|| DocumentSection {
            id: "told",
            title: self.text(&rounds::heading_told()),
            note: String::new(),
            blocks,
        })
    }

    fn next(&self) -> Option<DocumentSection> {
        let lines: Vec<String> = (headline::next(self.story, self.catalog).iter())
            .map(|line| printable::line(line))
            .collect();
        (!lines.is_empty()).then(|| DocumentSection {
            id: "next",
            title: self.text(&rounds::heading_next()),
            note: String::new(),
            blocks: vec![DocumentBlock::Text { lines }],
        })
    }
}
