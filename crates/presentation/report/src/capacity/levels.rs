//! The levels of a search: a table, and one line for each as it ends.

use loadline_analysis::capacity::{Answer, Purpose, Step, Unit};
use loadline_analysis::slo::Term;
use loadline_text::{Catalog, Message, capacity, latency, percent, significant};

use super::words::{Words, rate};
use crate::grid::{Grid, Side};

/// All levels, in the order they were held.
pub(super) fn steps(answer: &Answer, words: Words<'_>) -> String {
    let mut grid = Grid::default();
    for (head, side) in heads(words) {
        grid.column(head, side);
    }
    for step in &answer.steps {
        grid.row(cells(step, words));
    }
    grid.render()
}

fn heads(words: Words<'_>) -> Vec<(String, Side)> {
    let head = |message: Message| words.text(&message);
    let plain = |text: &str| text.to_owned();
    vec![
        (head(capacity::column_load()), Side::Right),
        (head(capacity::column_why()), Side::Left),
        (head(capacity::column_rate()), Side::Right),
        (head(capacity::column_requests()), Side::Right),
        (head(loadline_text::messages::column_mean()), Side::Right),
        (plain("p50"), Side::Right),
        (plain("p95"), Side::Right),
        (plain("p99"), Side::Right),
        (head(loadline_text::messages::row_errors()), Side::Right),
        (head(capacity::column_in_flight()), Side::Right),
        (head(capacity::column_cpu()), Side::Right),
        (head(capacity::column_held()), Side::Right),
        (head(capacity::column_outcome()), Side::Left),
    ]
}

fn cells(step: &Step, words: Words<'_>) -> Vec<String> {
    let at = |share: f64| {
        step.durations
            .percentile(share)
            .map_or_else(String::new, latency)
    };
    vec![
        words.load(step.load),
        words.purpose(step.purpose),
        significant(step.throughput.middle),
        significant(step.requests),
        step.durations.mean().map_or_else(String::new, latency),
        at(0.5),
        at(0.95),
        at(0.99),
        percent(step.errors),
        significant(step.in_flight),
        step.target_cpu.map_or_else(String::new, percent),
        format!("{} s", step.held),
        words.outcome(step),
    ]
}

/// A level as it ends, in one line; `asked` are the unit of loads and the objective.
#[must_use]
pub fn step_row(step: &Step, unit: Unit, terms: &[Term], catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms,
        catalog,
    };
    let p95 = step
        .durations
        .percentile(0.95)
        .map_or_else(|| "–".to_owned(), latency);
    format!(
        "{:>9}  {:>9}  p95 {:>9}  {:>8}  {}",
        words.load(step.load),
        rate(step.throughput.middle),
        p95,
        percent(step.errors),
        words.outcome(step)
    )
}

/// That a level begins, in one line.
#[must_use]
pub fn holding(load: f64, purpose: Purpose, unit: Unit, catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    words.text(&capacity::holding(words.load(load), words.purpose(purpose)))
}

/// Why a level is held.
#[must_use]
pub fn purpose(purpose: Purpose, catalog: &Catalog) -> String {
    let words = Words {
        unit: Unit::Rate,
        terms: &[],
        catalog,
    };
    words.purpose(purpose)
}

/// An estimated load in its unit.
#[must_use]
pub fn about(load: f64, unit: Unit, catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    words.about(load)
}

/// A load in its unit.
#[must_use]
pub fn load(load: f64, unit: Unit, catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    words.load(load)
}
