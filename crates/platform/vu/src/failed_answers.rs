//! What failed requests were answered: status and the words of the body, counted.
//!
//! Each worker counts in a table of its own, so that workers do not wait for each other;
//! only failed requests are counted. A table holds a bounded number of texts: a target that
//! puts a number into each answer costs no more than one that does not.

use std::sync::{Mutex, PoisonError};

use loadline_units::WorkerId;
use loadline_units::printable::is_hidden;

/// Texts kept by each worker; what comes after them is counted by its status.
const MOST_TEXTS: usize = 20;
/// The most characters of a text.
const LONGEST: usize = 60;
/// Bytes of a body that are looked at.
const LOOKED_AT: usize = 4096;
/// Tables; workers beyond share them.
const TABLES: usize = 64;
/// Where services put the words of an error, the most telling first.
const KEYS: [&str; 6] = ["error", "code", "message", "detail", "title", "reason"];

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
            tables: (0..TABLES).map(|_| Mutex::default()).collect(),
        }
    }
}

impl FailedAnswers {
    /// The bytes of a body that are worth keeping for [`FailedAnswers::count`].
    pub const WORTH_KEEPING: usize = LOOKED_AT;

    /// Counts an answer of this status that a request of `worker` failed by.
    pub fn count(&self, worker: WorkerId, status: u16, text: &str) {
        let table = &self.tables[worker.index() % TABLES];
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

/// The words of a body: of JSON the text that names the error, of plain text its first line;
/// empty for pages and anything else.
#[must_use]
pub fn words(body: &[u8]) -> String {
    let body = &body[..body.len().min(LOOKED_AT)];
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.starts_with('<') || text.contains('\0') {
        return String::new();
    }
    let found = match text.starts_with(['{', '[']) {
        true => named(text).unwrap_or_default(),
        false => text.lines().next().unwrap_or_default(),
    };
    let plain = found.split_whitespace().collect::<Vec<_>>().join(" ");
    let printable = plain.chars().filter(|c| !is_hidden(*c));
    printable.take(LONGEST).collect()
}

/// The text after the first of the usual keys, wherever in the JSON it stands. The body may
/// be cut, so it is not parsed as a whole.
fn named(json: &str) -> Option<&str> {
    KEYS.iter().find_map(|key| {
        let quoted = format!("\"{key}\"");
        let after = &json[json.find(&quoted)? + quoted.len()..];
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let value = value.strip_prefix('"')?;
        let end = value.find('"')?;
        Some(&value[..end]).filter(|text| !text.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_error_are_found_in_what_services_answer() {
        for (body, expected) in [
            (
                r#"{"error":"pool_timeout","waited_ms":500}"#,
                "pool_timeout",
            ),
            (
                r#"{"status":503, "message": "no connection"}"#,
                "no connection",
            ),
            (r#"{"error":{"code":"E7","text":"x"}}"#, "E7"),
            ("upstream timed out\nat 10:02", "upstream timed out"),
            ("  spaced \t out ", "spaced out"),
            ("<html><body>502</body></html>", ""),
            ("{}", ""),
            ("", ""),
        ] {
            assert_eq!(words(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(words(&[b'x'; 5000]).len(), LONGEST);
        assert_eq!(words(&[0xff, 0, 1]), "");
    }

    #[test]
    fn workers_count_for_themselves_and_are_told_together() {
        let answers = FailedAnswers::default();
        for _ in 0..3 {
            answers.count(WorkerId(0), 503, "pool_timeout");
        }
        answers.count(WorkerId(1), 503, "pool_timeout");
        answers.count(WorkerId(1), 500, "oops");
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
