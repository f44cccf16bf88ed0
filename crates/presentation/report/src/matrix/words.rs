//! Cells that the terminal's table and the page share, and the reason of each that is not known.

use loadline_explain::BottleneckPart;
use loadline_text::{
    Catalog, Message, grouped, latency, matrix, millis, percent, rounds, significant,
};

use super::{
    CapacityCell, CapacityRange, HeldCell, HeldLevel, KneePoint, MatrixReport, MatrixRow, RowKind,
    SmokeCell,
};
use crate::capacity::{SoakWords, soak_told};
use crate::document::printable;
use crate::explanation::{part, verdict as explained};
use crate::filled_column::FilledColumn;

/// Iterations per second.
pub(super) fn rate(value: f64) -> String {
    format!("{}/s", significant(value))
}

/// A multiple with two significant digits: `1.4`, `2`, `12`.
pub(super) fn times(value: f64) -> String {
    let digits = match value {
        ..1.0 => 2,
        ..10.0 => 1,
        _ => 0,
    };
    let shown = grouped(value, digits);
    match shown.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => shown,
    }
}

/// What is to be read in one language.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) is_quick: bool,
}

impl Words<'_> {
    pub(super) fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    pub(super) fn name(&self, row: &MatrixRow) -> String {
        let name = printable::line(&row.name);
        match row.kind {
            RowKind::Api => name,
            RowKind::Flow => self.text(&matrix::kind_flow(name)),
        }
    }

    pub(super) fn columns(&self, report: &MatrixReport) -> Vec<FilledColumn> {
        let column = |head: Message, is_number, cell: &dyn Fn(&MatrixRow) -> String| FilledColumn {
            head: self.text(&head),
            is_number,
            cells: report.rows.iter().map(cell).collect(),
        };
        let is_planned = report.rows.iter().any(|row| row.planned.is_some());
        let mut columns = vec![column(matrix::column_row(), false, &|row| self.name(row))];
        if is_planned {
            columns.push(column(matrix::column_planned(), true, &|row| {
                row.planned.map_or_else(|| self.not_known(), rate)
            }));
        }
        columns.extend([
            column(matrix::column_smoke(), false, &|row| self.smoke(row)),
            column(matrix::column_p95(), true, &|row| {
                self.of_load(row, |level| level.level.p95_ms.map(latency))
            }),
            column(matrix::column_errors(), true, &|row| {
                self.of_load(row, |level| level.level.errors.map(percent))
            }),
            column(matrix::column_load(), false, &|row| {
                self.held(row, row.load.as_ref())
            }),
            column(matrix::column_stress(), false, &|row| {
                self.held(row, row.stress.as_ref())
            }),
            column(matrix::column_capacity(), true, &|row| self.capacity(row)),
            column(matrix::column_knee(), true, &|row| self.knee(row)),
            column(matrix::column_soak(), false, &|row| self.soak(row)),
        ]);
        if is_planned {
            columns.push(column(matrix::column_headroom(), true, &|row| {
                self.headroom(row).unwrap_or_else(|| self.not_known())
            }));
        }
        columns.push(column(matrix::column_limit(), false, &|row| {
            self.limit(row)
        }));
        columns
    }

    pub(super) fn not_known(&self) -> String {
        self.text(&matrix::word_not_known())
    }

    /// How many times the planned rate a row carries, or carries at least.
    pub(super) fn headroom(&self, row: &MatrixRow) -> Option<String> {
        let times = times(row.headroom()?);
        Some(self.text(&if row.is_bound() {
            matrix::times_at_least(times)
        } else {
            matrix::times(times)
        }))
    }

    pub(super) fn multiple(&self, of: f64) -> String {
        self.text(&matrix::times(times(of)))
    }

    fn smoke(&self, row: &MatrixRow) -> String {
        self.text(&match &row.smoke {
            None => matrix::word_not_yet(),
            Some(smoke) if smoke.is_ok() => matrix::word_ok(),
            Some(_) => matrix::word_failed(),
        })
    }

    fn of_load(&self, row: &MatrixRow, of: impl Fn(&HeldLevel) -> Option<String>) -> String {
        let level = row.planned_level();
        match level {
            Some(level) => of(level).unwrap_or_else(|| self.not_known()),
            None => self.untested(row),
        }
    }

    /// The cell of a test that was not made: still to be, or never.
    fn untested(&self, row: &MatrixRow) -> String {
        let is_over = row.smoke.as_ref().is_some_and(|smoke| !smoke.is_ok());
        let is_last = row.capacity.is_some();
        self.text(&if is_over || is_last {
            matrix::word_not_tried()
        } else {
            matrix::word_not_yet()
        })
    }

    fn held(&self, row: &MatrixRow, cell: Option<&HeldCell>) -> String {
        let Some(cell) = cell.filter(|cell| !cell.levels.is_empty()) else {
            return self.untested(row);
        };
        let levels: Vec<String> = cell.levels.iter().map(|level| self.level(level)).collect();
        levels.join(", ")
    }

    fn level(&self, level: &HeldLevel) -> String {
        let said = self.text(&match level.carried() {
            Some(true) => matrix::word_holds(),
            Some(false) => matrix::word_misses(),
            None => matrix::word_not_known(),
        });
        if (level.times - 1.0).abs() < 1e-9 {
            return said;
        }
        format!("{} {said}", self.multiple(level.times))
    }

    /// A capacity with its range.
    pub(super) fn range(&self, line: CapacityRange) -> String {
        let middle = rate(line.middle);
        let said = match line.high {
            Some(high) if significant(high) != significant(line.low) => {
                let (low, high) = (significant(line.low), significant(high));
                self.text(&rounds::capacity_within(middle, low, high))
            }
            Some(_) => middle,
            None => return self.text(&rounds::capacity_at_least(rate(line.low))),
        };
        if line.sure {
            return said;
        }
        self.text(&matrix::capacity_unsure(said))
    }

    fn capacity(&self, row: &MatrixRow) -> String {
        match &row.capacity {
            None => self.untested(row),
            Some(_) if row.holds_nowhere() => self.text(&matrix::word_none_holds()),
            Some(_) => (row.range()).map_or_else(|| self.not_known(), |line| self.range(line)),
        }
    }

    fn knee(&self, row: &MatrixRow) -> String {
        match &row.capacity {
            None => self.untested(row),
            Some(cell) => cell.knee.map_or_else(|| self.not_known(), knee_range),
        }
    }

    fn soak(&self, row: &MatrixRow) -> String {
        let Some(cell) = &row.capacity else {
            return self.untested(row);
        };
        self.text(&match cell.soak.as_ref().map(|soak| soak.holds) {
            Some(Some(true)) => matrix::word_steady(),
            Some(Some(false)) => matrix::word_drifts(),
            Some(None) => matrix::word_not_known(),
            None => matrix::word_not_tried(),
        })
    }

    /// The part that limits, with the grade of what is known of it.
    fn limit(&self, row: &MatrixRow) -> String {
        let Some(cell) = &row.capacity else {
            return self.untested(row);
        };
        let Some(limit) = &cell.limit else {
            return self.not_known();
        };
        let named = limit.cause_part().and_then(BottleneckPart::named);
        match (named, &limit.grade) {
            (Some(named), Some(grade)) => {
                format!("{} ({grade})", part(named, self.catalog))
            }
            (Some(named), None) => part(named, self.catalog),
            (None, _) if limit.answer == "no-bottleneck" => self.text(&matrix::word_nothing_seen()),
            (None, _) => self.not_known(),
        }
    }

    /// What the one iteration did, or what was wrong with it.
    pub(super) fn smoke_told(&self, smoke: &SmokeCell) -> String {
        if smoke.is_ok() {
            return self.text(&matrix::smoke_ok(smoke.requests, smoke.checks));
        }
        if !smoke.fault.is_empty() {
            return self.text(&matrix::why_fault(printable::line(&smoke.fault)));
        }
        let mut said = Vec::new();
        if smoke.failed > 0 {
            let kinds = smoke.failures.iter();
            let kinds: Vec<String> = kinds
                .map(|kind| self.catalog.words_of_others(kind))
                .collect();
            let kinds = kinds.join(", ");
            said.push(matrix::smoke_failed(smoke.failed, smoke.requests, kinds));
        }
        if smoke.failed_checks > 0 {
            said.push(matrix::smoke_checks(smoke.failed_checks, smoke.checks));
        }
        let kinds = [
            (smoke.redirects > 0, matrix::smoke_redirects()),
            (smoke.broken > 0, matrix::smoke_broken()),
            (smoke.cut > 0, matrix::smoke_cut()),
            (smoke.requests == 0, matrix::smoke_nothing()),
        ];
        said.extend(
            kinds
                .into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, said)| said),
        );
        let said: Vec<String> = said.iter().map(|said| self.text(said)).collect();
        said.join(", ")
    }

    /// Each level of a cell in a line.
    pub(super) fn levels_told(&self, cell: &HeldCell) -> Vec<String> {
        if cell.levels.is_empty() {
            let reason = printable::line(&cell.fault);
            return vec![self.text(&matrix::why_fault(reason))];
        }
        let told = |held: &HeldLevel| {
            let level = &held.level;
            let outcome = match &held.missed {
                Some(missed) => {
                    let value = missed.value.map(|value| {
                        if missed.is_share {
                            percent(value)
                        } else {
                            millis(value)
                        }
                    });
                    let value = value.unwrap_or_else(|| self.not_known());
                    self.text(&matrix::level_misses(&missed.term, value))
                }
                None => crate::capacity::outcome_of(level, self.catalog),
            };
            let p95 = level.p95_ms.map_or_else(|| self.not_known(), latency);
            let errors = level.errors.map_or_else(|| self.not_known(), percent);
            let figures = self.text(&matrix::level_figures(p95, errors));
            let seconds = grouped(level.held_s, 0);
            let said = matrix::level(rate(level.load), times(held.times), seconds, outcome);
            format!("{}; {figures}", self.text(&said))
        };
        cell.levels.iter().map(told).collect()
    }

    /// How the search ended, where that is not simply that it found the line.
    fn end(&self, cell: &CapacityCell) -> Option<String> {
        if !cell.fault.is_empty() {
            return Some(self.text(&matrix::why_fault(printable::line(&cell.fault))));
        }
        let end = match cell.end.as_str() {
            "at-least-generator" => matrix::end_generator(),
            "at-least-test" => matrix::end_test(),
            "at-least-highest" => matrix::end_highest(),
            "out-of-time" => matrix::end_time(),
            "missed-at-any-load" => matrix::end_any_load(),
            "fails-without-load" => matrix::end_fails(),
            "no-sample" | "no-requests" => matrix::end_no_sample(),
            "no-answer" => matrix::end_no_answer(),
            "not-recovered" => matrix::end_not_recovered(),
            _ => return None,
        };
        Some(self.text(&matrix::why_end(self.text(&end))))
    }

    fn capacity_told(&self, row: &MatrixRow, cell: &CapacityCell) -> Vec<String> {
        let none = || self.text(&matrix::word_none_holds());
        let line = if row.holds_nowhere() {
            Some(none())
        } else {
            row.range().map(|line| self.range(line))
        };
        let is_raised = row.range() != cell.line;
        let of_search = match cell.line {
            None if cell.is_nothing() => Some(none()),
            line => line.map(|line| self.range(line)),
        };
        let alone = of_search.filter(|_| is_raised).map(|of_search| {
            let held = rate(row.surely_held());
            self.text(&matrix::capacity_alone(of_search, held))
        });
        let knee = cell.knee.map(|knee| {
            let knee = knee_range(knee);
            format!("{} {knee}", self.text(&matrix::column_knee()))
        });
        let parts: Vec<String> = line.into_iter().chain(knee).collect();
        let first = (!parts.is_empty()).then(|| parts.join("; "));
        let ends = alone.into_iter().chain(self.end(cell));
        first.into_iter().chain(ends).collect()
    }

    fn soak_told(&self, cell: &CapacityCell) -> String {
        let Some(soak) = &cell.soak else {
            return self.text(&if self.is_quick {
                matrix::why_quick()
            } else {
                matrix::why_no_soak()
            });
        };
        let words = SoakWords {
            load: rate(soak.load),
            held: grouped(soak.held_s, 0),
            holds: soak.holds,
            end: &soak.outcome,
        };
        soak_told(words, self.catalog)
    }

    fn limit_told(&self, cell: &CapacityCell) -> Vec<String> {
        let Some(limit) = &cell.limit else {
            return vec![self.text(&loadline_text::capacity::limit_not_stored())];
        };
        let text = explained::text(limit, self.catalog);
        let text = match limit.load {
            Some(at) => self.text(&loadline_text::capacity::limit_at(rate(at), text)),
            None => text,
        };
        let advice = explained::advised(limit, self.catalog).into_iter();
        let advice = advice.map(|line| self.text(&loadline_text::explain::advice_is(line)));
        std::iter::once(text).chain(advice).collect()
    }

    /// What each test of a row came to, and why one was not made.
    pub(super) fn details(&self, row: &MatrixRow) -> Vec<(String, Vec<String>)> {
        let label = |message: Message| self.text(&message);
        let Some(smoke) = &row.smoke else {
            return Vec::new();
        };
        let mut rows = vec![(label(matrix::column_smoke()), vec![self.smoke_told(smoke)])];
        if !smoke.is_ok() {
            rows[0].1.push(self.text(&matrix::why_smoke()));
            return rows;
        }
        let held = |cell: Option<&HeldCell>, why: Option<Message>| match (cell, why) {
            (Some(cell), _) => self.levels_told(cell),
            (None, Some(why)) => vec![self.text(&why)],
            (None, None) => vec![self.text(&matrix::why_not_yet())],
        };
        let is_hopeless = row.planned.is_none()
            && (row.capacity.as_ref()).is_some_and(|cell| cell.line.is_none());
        let of_load = is_hopeless.then(matrix::why_no_capacity);
        let of_stress = match row.load.as_ref().map(HeldCell::carries_first) {
            Some(Some(false)) => Some(matrix::why_load_missed()),
            Some(None) => Some(matrix::why_load_unknown()),
            Some(Some(true)) => None,
            None => is_hopeless.then(matrix::why_no_capacity),
        };
        rows.push((
            label(matrix::column_load()),
            held(row.load.as_ref(), of_load),
        ));
        rows.push((
            label(matrix::column_stress()),
            held(row.stress.as_ref(), of_stress),
        ));
        let Some(cell) = &row.capacity else {
            let why = vec![self.text(&matrix::why_not_yet())];
            rows.push((label(matrix::column_capacity()), why));
            return rows;
        };
        rows.push((
            label(matrix::column_capacity()),
            self.capacity_told(row, cell),
        ));
        rows.push((label(matrix::column_soak()), vec![self.soak_told(cell)]));
        if row.planned.is_none() {
            let why = vec![self.text(&matrix::why_no_plan())];
            rows.push((label(matrix::label_headroom()), why));
        }
        rows.push((label(matrix::label_limit()), self.limit_told(cell)));
        rows
    }
}

/// Between which loads a knee lies.
fn knee_range(knee: KneePoint) -> String {
    match knee.low {
        Some(low) => format!("{} - {}", significant(low), rate(knee.load)),
        None => rate(knee.load),
    }
}
