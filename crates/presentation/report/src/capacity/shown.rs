//! What `show` prints of a kept answer.

use loadline_text::{Catalog, capacity, grouped, millis, significant};

use super::document;
use super::file::{CapacityFile, LineInFile};
use super::goal::AskedLoad;
use super::kept::{self, outcome_of, purpose};
use super::words::{Words, peak_rate};
use crate::grid::{Grid, Side};
use crate::table::Table;

/// What a kept answer says: the three points, and a line a level.
#[must_use]
pub fn text(file: &CapacityFile, catalog: &Catalog) -> String {
    let unit = file.load_unit();
    let load = |load: f64| super::load(load, unit, catalog);
    let say = |message| catalog.text(&message);
    let mut points = Table::default();
    let said = document::verdict(file, catalog);
    points.list(
        say(capacity::note_judged(file.objective.join(", "))),
        vec![format!("{}: {}", said.word, said.text)],
    );
    let not_seen = || say(capacity::not_seen());
    let line = file.line.as_ref().map(|line| {
        let requests = significant(line.requests_per_second);
        say(capacity::line(
            load(line.load),
            requests,
            grouped(line.held_s, 0),
        ))
    });
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    let likely = file.line.as_ref().and_then(LineInFile::likely_line);
    let mut lines = vec![line.unwrap_or_else(|| say(capacity::no_line()))];
    lines.extend(likely.map(|likely| likely.row(words)));
    points.list(say(capacity::row_line()), lines);
    let knee = file.knee.as_ref().map(|knee| kept::knee(knee, words));
    points.list(
        say(capacity::row_knee()),
        vec![knee.unwrap_or_else(not_seen)],
    );
    let peak = file.peak.as_ref().map(|peak| {
        say(capacity::peak(
            peak_rate(&peak.throughput()),
            load(peak.load),
        ))
    });
    points.list(
        say(capacity::row_peak()),
        vec![peak.unwrap_or_else(not_seen)],
    );
    if let Some(asked) = AskedLoad::of_file(file, words) {
        points.list(say(capacity::row_goal()), vec![asked.row(words)]);
    }
    if let Some(limit) = &file.limit {
        points.list(
            say(capacity::row_limit()),
            super::limit_lines(limit, unit, catalog),
        );
    }
    let mut grid = Grid::default();
    for (head, side) in [
        (capacity::column_load(), Side::Right),
        (capacity::column_why(), Side::Left),
        (capacity::column_rate(), Side::Right),
    ] {
        grid.column(say(head), side);
    }
    grid.column("p95".to_owned(), Side::Right);
    grid.column(say(capacity::column_held()), Side::Right);
    grid.column(say(capacity::column_outcome()), Side::Left);
    for step in &file.steps {
        grid.row(vec![
            load(step.load),
            purpose(&step.why, catalog),
            significant(step.throughput),
            step.p95_ms.map_or_else(String::new, millis),
            format!("{} s", grouped(step.held_s, 0)),
            outcome_of(step, catalog),
        ]);
    }
    format!("{}\n{}", points.render(), grid.render())
}
