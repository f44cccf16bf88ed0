//! A study as a document: the setting to take first, what to paste, what each knob does, every
//! setting and every trial.

use loadline_analysis::tuning::answer::{EffectFinding, StudyEnd, StudyOutcome};
use loadline_record::LimitVerdict;
use loadline_text::{Catalog, Message, grouped, percent, report, significant, tune};

use super::words::Words;
use super::{StudyReport, StudyTrial, purpose, rounded};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartSeries, DocumentBlock, DocumentFigure, DocumentGoal,
    DocumentRow, DocumentSection, DocumentTable, DocumentVerdict, ReportDocument, SeriesShape,
    StatementClass, printable,
};
use crate::explanation::verdict;
use crate::run::RunProgress;
use crate::runs;

/// What only the caller knows of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyFacts {
    /// When it began, as its reader's clock shows it; may be empty.
    pub started: String,
    /// Whether it goes on.
    pub progress: RunProgress,
}

/// The study as a document.
#[must_use]
pub fn document(study: &StudyReport, facts: &StudyFacts, catalog: &Catalog) -> ReportDocument {
    let writer = Writer {
        study,
        facts,
        catalog,
    };
    let sections = [
        writer.paste(),
        writer.effects(),
        Some(writer.settings()),
        Some(writer.trials()),
    ];
    let goal = writer.text(tune::fact_goal(&study.goal));
    let shown = [facts.started.clone(), goal, writer.knobs()];
    ReportDocument {
        kind: "tuning",
        lang: catalog.lang().tag(),
        title: printable::line(&study.name),
        facts: shown
            .iter()
            .filter(|fact| !fact.is_empty())
            .map(|fact| printable::line(fact))
            .collect(),
        verdict: writer.verdict(),
        figures: writer.figures(),
        goals: vec![writer.goal()],
        cause: writer
            .limit()
            .map(|limit| verdict::document_cause(limit, catalog)),
        sections: sections.into_iter().flatten().collect(),
    }
}

struct Writer<'a> {
    study: &'a StudyReport,
    facts: &'a StudyFacts,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    const fn words(&self) -> Words<'_> {
        self.study.words(self.catalog)
    }

    /// A setting as people read it.
    fn setting(&self, levels: &[usize]) -> String {
        printable::line(&self.words().setting(levels))
    }

    fn knobs(&self) -> String {
        let knobs = self.study.knobs.iter();
        let knobs = knobs.map(|knob| format!("{}: {}", knob.name, knob.values.join(", ")));
        knobs.collect::<Vec<_>>().join(" · ")
    }

    fn start(&self) -> Vec<usize> {
        self.study.knobs.iter().map(|knob| knob.now).collect()
    }

    /// The setting to take, where there is one.
    fn taken(&self) -> Option<&[usize]> {
        let answer = &self.study.answer;
        let is_found = matches!(
            answer.outcome,
            StudyOutcome::Better { .. } | StudyOutcome::GoalMet { .. }
        );
        (is_found && self.facts.progress == RunProgress::Ended).then_some(&answer.winner)
    }

    fn outcome(&self) -> (StatementClass, Message) {
        match self.study.answer.outcome {
            StudyOutcome::Better { .. } => (StatementClass::Good, tune::word_better()),
            StudyOutcome::GoalMet { .. } => (StatementClass::Good, tune::word_goal_met()),
            StudyOutcome::GoalMissed => (StatementClass::Bad, tune::word_goal_missed()),
            StudyOutcome::NoDifference { .. } => {
                (StatementClass::Neutral, tune::word_no_difference())
            }
            StudyOutcome::NoneWorks => (StatementClass::Neutral, tune::word_none_works()),
            StudyOutcome::CannotTell { .. } => (StatementClass::Doubtful, tune::word_cannot_tell()),
            StudyOutcome::StartFails => (StatementClass::Bad, tune::word_start_fails()),
            StudyOutcome::LoadTooSmall => (StatementClass::Doubtful, tune::word_load_too_small()),
        }
    }

    fn verdict(&self) -> DocumentVerdict {
        let words = self.words();
        let (class, word, text) = match self.facts.progress {
            RunProgress::Running => {
                let text = match &self.study.now {
                    Some(now) => tune::trial_begins(
                        now.number,
                        self.text(purpose(&now.purpose)),
                        words.setting(&now.setting),
                    ),
                    None => tune::running_between(),
                };
                let word = runs::word("", self.catalog);
                (StatementClass::Neutral, word, self.text(text))
            }
            RunProgress::CutOff => {
                let word = runs::word("interrupted", self.catalog);
                (StatementClass::Doubtful, word, self.text(tune::cut_off()))
            }
            RunProgress::Ended if self.study.answer.end == StudyEnd::Interrupted => {
                let word = runs::word("interrupted", self.catalog);
                (StatementClass::Doubtful, word, words.verdict())
            }
            RunProgress::Ended => {
                let (class, word) = self.outcome();
                (class, self.text(word), words.verdict())
            }
        };
        let details = match self.facts.progress {
            RunProgress::Ended => words.details(),
            RunProgress::Running | RunProgress::CutOff => self.limit_so_far().into_iter().collect(),
        };
        DocumentVerdict {
            class,
            word,
            text: printable::line(&text),
            details: details.iter().map(|line| printable::line(line)).collect(),
        }
    }

    /// What limits with the setting that the answer is about; while the study goes on with that of now.
    fn limit(&self) -> Option<&LimitVerdict> {
        match self.facts.progress {
            RunProgress::Ended => self.study.limit(),
            RunProgress::Running | RunProgress::CutOff => self.study.limit_at_start(),
        }
    }

    /// What limits the target as it is, while the study goes on.
    fn limit_so_far(&self) -> Option<String> {
        let limit = self.limit()?;
        let said = verdict::text(limit, self.catalog);
        Some(self.text(tune::limit_so_far(said)))
    }

    fn figures(&self) -> Vec<DocumentFigure> {
        let study = self.study;
        let counted = study.trials.iter().filter(|trial| trial.rate.is_some());
        let failed = study.trials.iter().filter(|trial| trial.failed).count();
        let counted = counted.count();
        let other = study.trials.iter().filter(|trial| trial.other_answers);
        let other = other.count();
        let invalid = study.trials.len() - counted - failed - other;
        let words = self.words();
        let share = |share: Option<f64>| {
            share.map_or_else(|| "–".to_owned(), |share| words.changes().spread(share))
        };
        let figure = |label, value: String, note: String| {
            // What is not known has no unit.
            let (number, unit) = match value.strip_suffix(" %") {
                Some(number) => (number, "%"),
                None => (value.as_str(), ""),
            };
            DocumentFigure {
                label: self.text(label),
                unit: unit.to_owned(),
                value: number.to_owned(),
                note,
            }
        };
        vec![
            figure(
                tune::figure_trials(),
                study.trials.len().to_string(),
                if other > 0 {
                    self.text(tune::figure_trials_note_other(failed, other, invalid))
                } else {
                    self.text(tune::figure_trials_note(failed, invalid))
                },
            ),
            figure(
                tune::figure_noise(),
                share(study.answer.noise),
                self.text(match study.answer.disturbed {
                    0 => tune::figure_noise_note(),
                    far => tune::figure_noise_note_but(far),
                }),
            ),
            figure(
                tune::figure_detectable(),
                share(study.answer.detectable),
                String::new(),
            ),
            figure(
                tune::figure_trial_time(),
                self.catalog.length(&rounded(study.trial_seconds)),
                String::new(),
            ),
        ]
    }

    fn goal(&self) -> DocumentGoal {
        let (class, word) = self.outcome();
        let is_over = self.facts.progress == RunProgress::Ended;
        let met = match class {
            StatementClass::Good if is_over => Some(true),
            StatementClass::Bad if is_over => Some(false),
            _ => None,
        };
        DocumentGoal {
            goal: printable::line(&self.study.goal),
            observed: self
                .taken()
                .map_or_else(String::new, |taken| self.setting(taken)),
            met,
            word: self.text(if is_over {
                word
            } else {
                report::word_unknown()
            }),
        }
    }

    fn section(
        &self,
        id: &'static str,
        title: Message,
        blocks: Vec<DocumentBlock>,
    ) -> DocumentSection {
        DocumentSection {
            id,
            title: self.text(title),
            note: String::new(),
            blocks,
        }
    }

    fn paste(&self) -> Option<DocumentSection> {
        self.taken()?;
        let rows: Vec<DocumentRow> = self
            .words()
            .pasted()
            .into_iter()
            .map(|(place, text, reason)| {
                let values = [text, reason].map(|line| printable::line(&line));
                DocumentRow::neutral(printable::line(&place), values.to_vec())
            })
            .collect();
        let mut notes = self.words().settings_notes();
        notes.extend(self.words().paste_notes());
        let mut blocks = vec![DocumentBlock::Rows { rows }];
        if !notes.is_empty() {
            let lines = notes.iter().map(|line| printable::line(line)).collect();
            blocks.push(DocumentBlock::Text { lines });
        }
        let section = self.section("paste", tune::section_paste(), blocks);
        let DocumentBlock::Rows { rows } = section.blocks.first()? else {
            return None;
        };
        (!rows.is_empty()).then_some(section)
    }

    fn effects(&self) -> Option<DocumentSection> {
        let words = self.words();
        let answer = &self.study.answer;
        let mut rows: Vec<DocumentRow> = answer
            .effects
            .iter()
            .map(|effect| {
                let class = match effect.finding {
                    EffectFinding::Matters if effect.change.low > 0.0 => StatementClass::Good,
                    EffectFinding::Matters => StatementClass::Bad,
                    EffectFinding::CannotTell => StatementClass::Doubtful,
                    EffectFinding::NoLargerThan { .. } | EffectFinding::NotTried => {
                        StatementClass::Neutral
                    }
                };
                let name = printable::line(&self.study.knobs[effect.knob].name);
                let sentences = words.effect(effect);
                let sentences = sentences.iter().map(|line| printable::line(line));
                DocumentRow::new(name, class, sentences.collect())
            })
            .collect();
        if let Some(found) = &answer.interaction {
            let text = self.text(words.interaction(found));
            let label = self.text(tune::interaction_label());
            rows.push(DocumentRow::neutral(label, vec![printable::line(&text)]));
        }
        let blocks = vec![DocumentBlock::Rows { rows }];
        let is_empty = answer.effects.is_empty();
        let mut section = self.section("effects", tune::section_effects(), blocks);
        section.note = words.effects_notes().join("; ");
        (!is_empty).then_some(section)
    }

    /// Settings in the order they were first tried.
    fn tried(&self) -> Vec<(&[usize], Vec<&StudyTrial>)> {
        let mut all: Vec<(&[usize], Vec<&StudyTrial>)> = Vec::new();
        for trial in &self.study.trials {
            match all
                .iter_mut()
                .find(|(setting, _)| *setting == trial.setting)
            {
                Some((_, trials)) => trials.push(trial),
                None => all.push((&trial.setting, vec![trial])),
            }
        }
        all
    }

    fn settings(&self) -> DocumentSection {
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(tune::column_setting()));
        table.words(self.text(tune::column_state()));
        table.numbers(self.text(tune::column_trials()));
        table.numbers(self.text(tune::column_rate()));
        table.numbers(self.text(tune::column_p95()));
        table.numbers(self.text(tune::column_change()));
        let words = self.words();
        for (setting, trials) in self.tried() {
            let range = |of: fn(&StudyTrial) -> Option<f64>, shown: fn(f64) -> String| {
                let values = trials.iter().filter_map(|trial| of(trial));
                let (low, high) = values
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                        (low.min(value), high.max(value))
                    });
                if low > high {
                    String::new()
                } else if shown(low) == shown(high) {
                    shown(low)
                } else {
                    format!("{} – {}", shown(low), shown(high))
                }
            };
            table.rows.push(vec![
                self.setting(setting),
                self.state(setting),
                trials.len().to_string(),
                range(|trial| trial.rate, significant),
                range(|trial| trial.p95_ms, |p95| grouped(p95, 0)),
                words.difference(setting),
            ]);
        }
        let mut section = self.section(
            "settings",
            tune::section_settings(),
            vec![DocumentBlock::Table(table)],
        );
        section.note = self.text(tune::note_settings());
        section
    }

    /// What a setting is: that of now, the one to take, one that was given up.
    fn state(&self, setting: &[usize]) -> String {
        let mut states = Vec::new();
        if self.taken().is_some_and(|taken| taken == setting) {
            states.push(self.text(tune::state_taken()));
        }
        if setting == self.start() {
            states.push(self.text(tune::state_now()));
        }
        if self
            .study
            .answer
            .failed
            .iter()
            .any(|failed| failed == setting)
        {
            states.push(self.text(tune::state_failed()));
        }
        let others = &self.study.answer.other_answers;
        if others.iter().any(|other| other == setting) {
            states.push(self.text(tune::state_other_answers()));
        }
        states.join(", ")
    }

    fn trials(&self) -> DocumentSection {
        let charts = [
            self.chart(
                "study-rate",
                tune::chart_rate(),
                tune::axis_rate(),
                |trial| trial.rate,
            ),
            self.chart("study-p95", tune::chart_p95(), tune::axis_p95(), |trial| {
                trial.p95_ms
            }),
        ];
        let charts = charts.into_iter().filter(|chart| !chart.is_empty());
        let mut blocks: Vec<DocumentBlock> = charts.map(DocumentBlock::Chart).collect();
        let mut table = DocumentTable::new(String::new());
        table.numbers(self.text(tune::column_number()));
        table.words(self.text(tune::column_why()));
        table.numbers(self.text(tune::column_block()));
        table.words(self.text(tune::column_setting()));
        table.numbers(self.text(tune::column_rate()));
        table.numbers(self.text(tune::column_p95()));
        table.numbers(self.text(tune::column_errors()));
        table.words(self.text(tune::column_limit()));
        table.words(self.text(tune::column_result()));
        table.words(self.text(tune::column_run()));
        for trial in &self.study.trials {
            table.rows.push(vec![
                trial.number.to_string(),
                self.text(purpose(&trial.purpose)),
                (trial.block + 1).to_string(),
                self.setting(&trial.setting),
                trial.rate.map_or_else(String::new, significant),
                trial.p95_ms.map_or_else(String::new, |p95| grouped(p95, 0)),
                trial.errors.map_or_else(String::new, percent),
                printable::line(&trial.limited_by(self.catalog)),
                printable::line(&trial.result(self.catalog)),
                trial.run.clone().unwrap_or_default(),
            ]);
        }
        blocks.push(DocumentBlock::Table(table.without_empty_columns()));
        let mut section = self.section("trials", tune::section_trials(), blocks);
        section.note = self.text(tune::note_trials());
        section
    }

    /// Trials in the order they were run: the current setting, the one to take, all others.
    fn chart(
        &self,
        id: &'static str,
        title: Message,
        axis: Message,
        of: fn(&StudyTrial) -> Option<f64>,
    ) -> Chart {
        let start = self.start();
        let taken = self.taken().filter(|taken| *taken != start.as_slice());
        let series = |role, name, is_of: &dyn Fn(&[usize]) -> bool| ChartSeries {
            role,
            name: self.text(name),
            shape: SeriesShape::Points,
            points: self
                .study
                .trials
                .iter()
                .filter(|trial| is_of(&trial.setting))
                .filter_map(|trial| Some((trial.number as f64, Some(of(trial)?))))
                .collect(),
        };
        let is_start = |setting: &[usize]| setting == start.as_slice();
        let is_taken = |setting: &[usize]| taken == Some(setting);
        let all = vec![
            series("raw", tune::series_others(), &|setting| {
                !is_start(setting) && !is_taken(setting)
            }),
            series("p95", tune::series_now(), &is_start),
            series("rate", tune::series_taken(), &is_taken),
        ];
        let linear = |label| ChartAxis {
            label: self.text(label),
            kind: AxisKind::Linear,
            most: None,
        };
        Chart {
            id,
            title: self.text(title),
            caption: String::new(),
            x: linear(tune::axis_trial()),
            y: linear(axis),
            series: all.into_iter().filter(ChartSeries::has_values).collect(),
            marks: Vec::new(),
            heat: None,
        }
    }
}
