//! The one thing that is said first, and what is to be known beside the table.

use loadline_text::{Catalog, matrix, percent};

use super::words::{Words, rate, times};
use super::{MatrixReport, MatrixRow};
use crate::document::StatementClass;

/// What of the capacity load and stress are multiples of where nothing is planned: as `experiment` takes it.
const PLANNED_SHARE: f64 = 0.8;

impl MatrixReport {
    fn words<'a>(&self, catalog: &'a Catalog) -> Words<'a> {
        Words {
            catalog,
            is_quick: self.quick,
        }
    }

    /// What breaks first, in a sentence.
    #[must_use]
    pub fn headline(&self, catalog: &Catalog) -> String {
        let words = self.words(catalog);
        let Some(first) = self.rows.first() else {
            return words.text(&matrix::first_unknown());
        };
        let name = words.name(first);
        if first.went_down() {
            return words.text(&matrix::first_went_down(name));
        }
        if let Some(smoke) = first.smoke.as_ref().filter(|smoke| !smoke.is_ok()) {
            let reason = words.smoke_told(smoke);
            let is_failed = |row: &MatrixRow| row.smoke.as_ref().is_some_and(|s| !s.is_ok());
            let is_all = self.rows.len() > 1 && self.rows.iter().all(is_failed);
            return words.text(&if is_all {
                matrix::first_all_smoke(reason)
            } else {
                matrix::first_smoke(name, reason)
            });
        }
        if first.capacity.is_none() {
            return words.text(&matrix::first_unknown());
        }
        if first.holds_nowhere() {
            return words.text(&matrix::first_nothing(name));
        }
        let Some(line) = first.range() else {
            return words.text(&matrix::first_unknown());
        };
        if line.high.is_none() {
            let carried = words.range(line);
            return words.text(&match words.headroom(first) {
                Some(headroom) => matrix::first_at_least_headroom(name, carried, headroom),
                None => matrix::first_at_least(name, carried),
            });
        }
        let middle = if line.sure {
            rate(line.middle)
        } else {
            words.text(&matrix::capacity_unsure(rate(line.middle)))
        };
        words.text(&match (first.headroom(), first.planned) {
            (Some(headroom), Some(planned)) => {
                matrix::first_headroom(name, middle, times(headroom), rate(planned))
            }
            _ => matrix::first_capacity(name, middle),
        })
    }

    /// How the first line is to be taken.
    pub(super) fn class(&self) -> StatementClass {
        match self.exit_code() {
            0 if self.rows.iter().any(|row| row.headroom().is_some()) => StatementClass::Good,
            0 => StatementClass::Neutral,
            3 | 5 | 6 => StatementClass::Bad,
            _ => StatementClass::Doubtful,
        }
    }

    /// What is to be known beside the table.
    pub(super) fn notes(&self, catalog: &Catalog) -> Vec<String> {
        let words = self.words(catalog);
        let mut notes = Vec::new();
        if !self.complete {
            notes.push(words.text(&matrix::not_complete()));
        }
        let is_of_capacity =
            |row: &&MatrixRow| row.load.as_ref().is_some_and(|cell| cell.of_capacity);
        let rows: Vec<String> = (self.rows.iter())
            .filter(is_of_capacity)
            .map(|row| words.name(row))
            .collect();
        if !rows.is_empty() {
            let share = percent(PLANNED_SHARE);
            notes.push(words.text(&matrix::of_capacity(share, rows.join(", "))));
        }
        if self.quick {
            notes.push(words.text(&matrix::note_quick()));
        }
        notes
    }
}
