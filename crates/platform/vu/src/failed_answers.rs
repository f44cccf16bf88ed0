//! What failed requests were answered: status and the words of the body, counted.
//!
//! Each worker counts in a table of its own, so that workers do not wait for each other;
//! only failed requests are counted. A table holds a bounded number of texts: a target that
//! puts a number into each answer costs no more than one that does not.

mod words;

use std::sync::{Mutex, PoisonError};

use loadline_units::WorkerId;

pub use words::words;

/// Texts kept by each worker; what comes after them is counted by its status.
const MOST_TEXTS: usize = 20;
/// Bytes of a body that are looked at.
const LOOKED_AT: usize = 4096;
/// Tables; workers beyond share them.
const TABLE_COUNT: usize = 64;

/// The tables of all workers.
#[derive(Debug)]
pub struct FailedAnswers {
    tables: Vec<Mutex<Vec<Kind>>>,
}

/// A status with a text, and how often both came.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    status: u16,
    text: String,
    count: u64,
}

impl Default for FailedAnswers {
    fn default() -> Self {
        Self {
            tables: (0..TABLE_COUNT).map(|_| Mutex::default()).collect(),
        }
    }
}

impl FailedAnswers {
    /// The bytes of a body that are worth keeping for [`FailedAnswers::count`].
    pub const WORTH_KEEPING: usize = LOOKED_AT;

    /// Counts an answer of this status that a request of `worker` failed by.
    pub fn count(&self, worker: WorkerId, status: u16, text: &str) {
        // Pages are titled `502 Bad Gateway`; the status is told before the text anyway.
        let text = text.strip_prefix(&status.to_string()).unwrap_or(text);
        let text = text.trim_start();
        let table = &self.tables[worker.index() % TABLE_COUNT];
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        let place = table
            .iter()
            .position(|kind| kind.status == status && kind.text == text);
        if let Some(place) = place {
            table[place].count += 1;
            return;
        }
        let text = if table.len() < MOST_TEXTS { text } else { "" };
        match table
            .iter_mut()
            .find(|kind| kind.status == status && kind.text == text)
        {
            Some(kind) => kind.count += 1,
            None => table.push(Kind {
                status,
                text: text.to_owned(),
                count: 1,
            }),
        }
    }

    /// Status, text and count of all that have a text, the most frequent first.
    #[must_use]
    pub fn all(&self) -> Vec<(u16, String, u64)> {
        let mut all: Vec<Kind> = Vec::new();
        for table in &self.tables {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            for kind in table.iter().filter(|kind| !kind.text.is_empty()) {
                let same = all
                    .iter_mut()
                    .find(|known| known.status == kind.status && known.text == kind.text);
                match same {
                    Some(known) => known.count += kind.count,
                    None => all.push(kind.clone()),
                }
            }
        }
        all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
        all.truncate(MOST_TEXTS);
        all.into_iter()
            .map(|kind| (kind.status, kind.text, kind.count))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_count_for_themselves_and_are_told_together() {
        let answers = FailedAnswers::default();
        for _ in 0..3 {
            answers.count(WorkerId(0), 503, "pool_timeout");
        }
        answers.count(WorkerId(1), 503, "pool_timeout");
        answers.count(WorkerId(1), 500, "500 oops");
        let all = answers.all();
        assert_eq!(all[0], (503, "pool_timeout".to_owned(), 4));
        assert_eq!(all[1], (500, "oops".to_owned(), 1));
    }

    #[test]
    fn texts_that_never_repeat_fill_no_memory() {
        let answers = FailedAnswers::default();
        for n in 0..10_000 {
            answers.count(WorkerId(0), 500, &format!("request {n} failed"));
        }
        assert_eq!(answers.all().len(), MOST_TEXTS);
        let table = answers.tables[0].lock().unwrap();
        assert_eq!(
            table.len(),
            MOST_TEXTS + 1,
            "the rest is told by its status"
        );
    }
}
