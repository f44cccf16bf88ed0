//! A matrix under way: one test after the other, kept as it ends.

use loadline_experiment::matrix::{CellKind, KnownRow, MatrixSettings, cells_left, next_cell};
use loadline_reactor::MonotonicClock;
use loadline_report::matrix::{MatrixReport, MatrixRow, cell_line};
use loadline_text::{Catalog, matrix};
use loadline_units::Clock as _;

use super::before;
use super::cells::{AskedCell, CellRunner};
use super::journal::{EndedCell, MatrixJournal};
use super::rows::RowSources;
use crate::context::Context;
use crate::refusal::Refusal;

/// A matrix under way.
pub(super) struct MatrixRun<'a> {
    pub(super) sources: &'a RowSources,
    /// In the order of the sources.
    pub(super) report: MatrixReport,
    /// What the tests of each row took, seconds.
    pub(super) spent: Vec<f64>,
    /// Which rows' tests were warmed up since this program began: what was killed may find the target restarted.
    pub(super) is_warm: Vec<bool>,
    pub(super) pace: MatrixSettings,
    pub(super) journal: Option<MatrixJournal>,
    pub(super) is_quiet: bool,
}

impl MatrixRun<'_> {
    /// Takes in what ended before.
    pub(super) fn resume(&mut self) {
        let ended = self
            .journal
            .as_mut()
            .map(|journal| std::mem::take(&mut journal.ended));
        for ended in ended.into_iter().flatten() {
            let place = self
                .report
                .rows
                .iter()
                .position(|row| row.name == ended.row);
            if let Some(place) = place {
                self.spent[place] += ended.seconds;
                ended.cell.set(&mut self.report.rows[place]);
            }
        }
    }

    /// How many tests are there, and how many are left.
    pub(super) fn counts(&self) -> (usize, usize) {
        let made = |row: &MatrixRow| {
            let cells = [
                row.smoke.is_some(),
                row.load.is_some(),
                row.stress.is_some(),
                row.capacity.is_some(),
            ];
            cells.iter().filter(|is_made| **is_made).count()
        };
        let made = self.report.rows.iter().map(made).sum();
        (made, cells_left(&self.known()))
    }

    fn known(&self) -> Vec<KnownRow> {
        let rows = self.report.rows.iter().zip(&self.spent);
        rows.map(|(row, spent)| known_row(row, *spent)).collect()
    }

    /// Makes the tests that are left, until none is, or one is interrupted.
    pub(super) fn run(
        &mut self,
        context: &mut Context,
        runner: &CellRunner<'_>,
        catalog: &Catalog,
    ) -> Result<(), Refusal> {
        let clock = MonotonicClock::start();
        loop {
            let known = self.known();
            let Some(next) = next_cell(&known) else {
                self.report.complete = true;
                if let Some(journal) = &mut self.journal {
                    journal.complete()?;
                }
                return Ok(());
            };
            if runner.interrupts.receiver.try_recv().is_ok() {
                return Ok(());
            }
            let times = self.pace.times(self.spent[next.row]);
            let (made, left) = self.counts();
            let name = self.report.rows[next.row].name.clone();
            if !self.is_quiet {
                let said = before::cell(next.kind, &next.loads, times, catalog);
                let said = matrix::cell_begins(made + 1, made + left, &name, said);
                context.err(&format!("{}\n", catalog.text(&said)));
            }
            let asked = AskedCell {
                source: &self.sources.rows[next.row],
                row: &self.report.rows[next.row],
                kind: next.kind,
                loads: &next.loads,
                times,
                base: known[next.row].base(),
            };
            if next.kind != CellKind::Smoke && !std::mem::replace(&mut self.is_warm[next.row], true)
            {
                match runner.warm_up(context, asked.source) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    // What is wrong with one row is told of it; its test says it once more.
                    Err(refusal) => {
                        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                    }
                }
            }
            let began = clock.now();
            let Some(cell) = runner.run(context, &asked)? else {
                return Ok(());
            };
            let seconds = clock.now().since(began).as_secs_f64();
            let ended = EndedCell {
                row: name,
                seconds,
                cell,
            };
            if let Some(journal) = &mut self.journal {
                journal.add(ended.clone())?;
            }
            self.spent[next.row] += seconds;
            let row = &mut self.report.rows[next.row];
            ended.cell.set(row);
            if !self.is_quiet
                && let Some(stops) = cell_line(row, catalog)
            {
                context.err(&format!("{stops}\n"));
            }
        }
    }
}

fn known_row(row: &MatrixRow, spent: f64) -> KnownRow {
    KnownRow {
        planned: row.planned,
        smoke: row.smoke.as_ref().map(|smoke| smoke.is_ok()),
        load: row
            .load
            .as_ref()
            .map(|load| load.carries_first() == Some(true)),
        is_stressed: row.stress.is_some(),
        capacity: row
            .capacity
            .as_ref()
            .map(|_| row.carried().unwrap_or_default()),
        spent,
    }
}
