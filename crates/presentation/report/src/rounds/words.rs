//! Cells and words that the terminal's table and the page share.

use loadline_text::{Catalog, Message, counted, latency, percent, records, rounds, significant};

use super::{FigureRange, GoalState, Round, RoundCapacity, RoundReport};
use crate::filled_column::FilledColumn;

/// Requests per second.
pub(super) fn rate(value: f64) -> String {
    format!("{}/s", significant(value))
}

/// What is to be read in one language.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) catalog: &'a Catalog,
}

/// Which columns a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableWidth {
    /// Figures alone: sentences stand elsewhere.
    Figures,
    /// Sentences, too.
    Whole,
}

impl Words<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    /// A time or two.
    pub(super) fn range(&self, span: FigureRange) -> String {
        if span.is_bound() {
            return format!("≥ {}", latency(span.low));
        }
        if (span.high - span.low).abs() < 1e-9 {
            return latency(span.low);
        }
        self.text(&rounds::from_to(latency(span.low), latency(span.high)))
    }

    pub(super) fn capacity(&self, found: RoundCapacity) -> String {
        let middle = rate(found.middle);
        match found.high {
            Some(high) if high > found.low => {
                let (low, high) = (significant(found.low), significant(high));
                self.text(&rounds::capacity_within(middle, low, high))
            }
            Some(_) => middle,
            None => self.text(&rounds::capacity_at_least(middle)),
        }
    }

    /// Its best estimate alone, where that is more than a lower bound.
    pub(super) fn bound(&self, found: RoundCapacity) -> String {
        if found.is_bound() {
            return self.capacity(found);
        }
        rate(found.middle)
    }

    pub(super) fn name(&self, round: &Round) -> String {
        if round.is_rejected {
            return self.text(&rounds::rejected_round(&round.name));
        }
        round.name.clone()
    }

    fn goal(&self, state: Option<GoalState>) -> String {
        match state {
            None => String::new(),
            Some(GoalState::Met) => self.text(&rounds::word_met()),
            Some(GoalState::Missed) => self.text(&rounds::word_missed()),
            Some(GoalState::Unknown) => "–".to_owned(),
        }
    }

    /// The columns that have any cell.
    pub(super) fn columns(&self, story: &RoundReport, width: TableWidth) -> Vec<FilledColumn> {
        let column = |head: String, is_number, cell: &dyn Fn(&Round) -> String| FilledColumn {
            head,
            is_number,
            cells: story.rounds.iter().map(cell).collect(),
        };
        let words =
            |head: &Message, cell: &dyn Fn(&Round) -> String| column(self.text(head), false, cell);
        let number =
            |head: &Message, cell: &dyn Fn(&Round) -> String| column(self.text(head), true, cell);
        let is_whole = width == TableWidth::Whole;
        let mut columns = vec![words(&rounds::column_round(), &|round| self.name(round))];
        if is_whole {
            columns.push(words(&rounds::column_change(), &|round| {
                round.change.clone()
            }));
        }
        columns.push(words(&rounds::column_commit(), &|round| {
            round.commit.clone()
        }));
        let cell_of = |value: Option<&String>| value.cloned().unwrap_or_default();
        for name in story.settings() {
            columns.push(column(name.to_owned(), true, &|round| {
                cell_of(round.settings.get(name))
            }));
        }
        let shown =
            |value: Option<f64>, show: fn(f64) -> String| value.map_or_else(String::new, show);
        let span =
            |value: Option<FigureRange>| value.map_or_else(String::new, |value| self.range(value));
        columns.push(number(&records::runs_column_vus(), &|round| {
            shown(round.figures.users, counted)
        }));
        columns.push(number(&records::runs_column_rate(), &|round| {
            shown(round.figures.rate, rate)
        }));
        columns.push(number(&records::runs_column_mean(), &|round| {
            span(round.figures.mean_ms)
        }));
        columns.push(number(&records::runs_column_p95(), &|round| {
            span(round.figures.p95_ms)
        }));
        columns.push(number(&records::runs_column_errors(), &|round| {
            shown(round.figures.errors, percent)
        }));
        columns.push(number(&rounds::column_capacity(), &|round| {
            (round.figures.capacity).map_or_else(String::new, |found| self.capacity(found))
        }));
        columns.push(number(&rounds::column_knee(), &|round| {
            shown(round.figures.knee, rate)
        }));
        columns.push(number(&rounds::column_peak(), &|round| {
            shown(round.figures.peak, rate)
        }));
        for name in story.names_of(|round| &round.also) {
            columns.push(column(name.to_owned(), true, &|round| {
                cell_of(round.also.get(name))
            }));
        }
        // Short words that are not to be broken, as numbers are.
        columns.push(number(&rounds::column_goal(), &|round| {
            self.goal(story.goal_state(round))
        }));
        if is_whole {
            columns.push(words(&rounds::column_limit(), &|round| round.limit.clone()));
            columns.push(words(&rounds::column_costs(), &|round| {
                round.costs.join("; ")
            }));
        }
        columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
        columns
    }

    /// What is told of a round beside its figures: a label with its lines.
    pub(super) fn details(&self, round: &Round, width: TableWidth) -> Vec<(String, Vec<String>)> {
        let one = |text: &String| {
            (!text.is_empty())
                .then(|| text.clone())
                .into_iter()
                .collect()
        };
        let mut rows = Vec::new();
        if width == TableWidth::Figures {
            rows.push((rounds::column_change(), one(&round.change)));
            rows.push((rounds::column_limit(), one(&round.limit)));
            rows.push((rounds::column_costs(), round.costs.clone()));
        }
        rows.push((records::runs_column_verdict(), one(&round.doubt)));
        rows.push((rounds::label_rejected(), round.rejected.clone()));
        let compared = round.compared.iter();
        let compared = compared.map(|with| self.text(&rounds::against(&with.with, &with.said)));
        rows.push((rounds::label_compared(), compared.collect()));
        rows.into_iter()
            .filter(|(_, lines): &(Message, Vec<String>)| !lines.is_empty())
            .map(|(label, lines)| (self.text(&label), lines))
            .collect()
    }

    /// What the reader should know of all of it.
    pub(super) fn notes(&self, story: &RoundReport) -> Vec<String> {
        let stored = story.rounds.iter().filter(|round| !round.runs.is_empty());
        let single =
            stored.filter(|round| round.runs.len() == 1 && round.figures.capacity.is_none());
        let single: Vec<&str> = single.map(|round| round.name.as_str()).collect();
        let mut notes = Vec::new();
        if single.len() > 1 {
            notes.push(self.text(&rounds::note_not_repeated(single.join(", "))));
        }
        let typed: Vec<&str> = (story.rounds.iter())
            .filter(|round| round.runs.is_empty())
            .map(|round| round.name.as_str())
            .collect();
        if !typed.is_empty() && typed.len() < story.rounds.len() {
            notes.push(self.text(&rounds::note_typed(typed.join(", "))));
        }
        if typed.len() == story.rounds.len() {
            notes.push(self.text(&rounds::note_all_typed()));
        }
        notes
    }
}
