//! The table over repetitions of one test.

use loadline_record::{Run, Series, Summary};
use loadline_text::{Catalog, Message, messages, millis, percent, significant};

use crate::numbers::Numbers;
use crate::table::Table;

/// One run of a series.
#[derive(Debug, Clone, Copy)]
pub struct Repetition<'a> {
    /// Its totals.
    pub summary: &'a Summary,
    /// Its place.
    pub series: &'a Series,
}

/// How a column's numbers are written.
type Written = fn(f64) -> String;

/// A row for each run, then median and range of each column. Percentiles of several runs
/// are never averaged: the median is that of the runs' own. Empty without runs.
#[must_use]
pub fn text(runs: &[Repetition<'_>], catalog: &Catalog) -> String {
    let Some(first) = runs.first() else {
        return String::new();
    };
    let say = |message: Message| catalog.text(&message);
    let (count, of, id) = (runs.len(), first.series.of, &first.series.id);
    let title = if count as u64 == u64::from(of) {
        messages::series_title(count, id)
    } else {
        messages::series_short(count, of, id)
    };
    let columns: [(Message, Written, Vec<Option<f64>>); 3] = [
        (
            messages::series_column_rate(),
            significant,
            each(runs, |n| Some(n.rate_of("http_reqs"))),
        ),
        (
            messages::series_column_p95(),
            millis,
            each(runs, |n| n.p95_ms().map(|p95| p95.at_least)),
        ),
        (
            messages::series_column_errors(),
            percent,
            each(runs, |n| Some(n.errors())),
        ),
    ];
    let mut table = Table::default();
    let mut head: Vec<String> = columns
        .iter()
        .map(|(name, _, _)| catalog.text(name))
        .collect();
    head.push(say(messages::series_column_valid()));
    table.row(say(messages::series_column_run()), head);
    for (place, run) in runs.iter().enumerate() {
        let cells = columns
            .iter()
            .map(|(_, written, values)| values[place].map_or_else(|| "–".to_owned(), written));
        let mut cells: Vec<String> = cells.collect();
        let record = &run.summary.run;
        cells.push(say(valid(record)));
        table.row(run.series.number.to_string(), cells);
    }
    let spread = |f: &dyn Fn(&[f64], Written) -> String| -> Vec<String> {
        let cells = columns.iter().map(|(_, written, values)| {
            let mut known: Vec<f64> = values.iter().flatten().copied().collect();
            known.sort_by(f64::total_cmp);
            if known.is_empty() {
                return "–".to_owned();
            }
            f(&known, *written)
        });
        cells.collect()
    };
    let medians = spread(&|sorted, written| written(median(sorted)));
    table.row(say(messages::series_median()), medians);
    let ranges = spread(&|sorted, written| {
        let least = sorted.first().copied().unwrap_or_default();
        let most = sorted.last().copied().unwrap_or_default();
        format!("{}..{}", written(least), written(most))
    });
    table.row(say(messages::series_range()), ranges);
    format!("{}\n{}", say(title), table.render())
}

/// Whether the generator left a run's verdict as it is, and how much of the run it touched all the same.
fn valid(record: &Run) -> Message {
    if !record.generator_limits().is_empty() {
        return messages::no();
    }
    match record.validity.filter(|found| found.touched > 0) {
        Some(found) => messages::series_valid_touched(found.touched, found.seconds),
        None => messages::yes(),
    }
}

fn each(runs: &[Repetition<'_>], value: impl Fn(Numbers<'_>) -> Option<f64>) -> Vec<Option<f64>> {
    runs.iter().map(|run| value(Numbers(run.summary))).collect()
}

/// The median of sorted numbers, at least one.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assert!((median(&[1.0, 2.0, 4.0, 9.0]) - 3.0).abs() < f64::EPSILON);
        assert!((median(&[1.0, 2.0, 9.0]) - 2.0).abs() < f64::EPSILON);
    }
}
