//! Rows that may be used once only: how far former runs went, kept beside the store.
//!
//! The place is written each second with what the next seconds may take, so that a run that is
//! killed leaves rows out rather than use some twice.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use loadline_artillery::RowUsage;
use loadline_artillery::load::LoadedTest;
use loadline_text::{Catalog, messages, problem};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::store_path;

/// So many seconds' worth of rows are taken for used while a run goes on.
const SECONDS_AHEAD: u64 = 3;

/// How far each file's rows are used.
pub(super) struct RowJournal {
    /// `None`: nothing is kept beyond this command.
    path: Option<PathBuf>,
    /// The file is there and says nothing that can be read: it is left as it is.
    is_broken: bool,
    places: BTreeMap<PathBuf, RowPlace>,
    /// Rows used a second ago.
    before: BTreeMap<PathBuf, u64>,
}

/// How far one file's rows are used, and the last of them, by which the file is known again.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RowPlace {
    used: u64,
    last: Value,
}

impl RowJournal {
    /// What former runs left, beside the store that `named` or the environment says.
    pub(super) fn open(context: &Context, named: Option<&str>, is_off: bool) -> Self {
        let store = store_path(context, named).filter(|_| !is_off);
        let path = store.map(|mut store| {
            store.as_mut_os_string().push(".rows.json");
            store
        });
        let places = match path.as_deref().map(std::fs::read_to_string) {
            Some(Ok(text)) => serde_json::from_str(&text).ok(),
            Some(Err(error)) if error.kind() != ErrorKind::NotFound => None,
            _ => Some(BTreeMap::new()),
        };
        Self {
            path,
            is_broken: places.is_none(),
            places: places.unwrap_or_default(),
            before: BTreeMap::new(),
        }
    }

    /// Leaves out what is used; gives what to say of it.
    ///
    /// # Errors
    /// What former runs left cannot be read; a file is no longer the one that was used, or has no rows left.
    pub(super) fn go_on(
        &self,
        test: &LoadedTest,
        catalog: &Catalog,
    ) -> Result<Vec<String>, Refusal> {
        if let (Some(path), true) = (&self.path, self.is_broken) {
            return Err(Refusal::config(problem::rows_unreadable(path.display())));
        }
        let mut said = Vec::new();
        for payload in &test.payloads {
            let Some(usage) = payload.usage() else {
                continue;
            };
            let Some(place) = self.places.get(&test.folder.join(&usage.path)) else {
                continue;
            };
            // Of a run that was killed, the last row is one that was only set aside.
            let is_same =
                place.last.is_null() || payload.row_at(place.used) == Some(place.last.clone());
            if !is_same && place.used <= usage.rows {
                return Err(Refusal::config(problem::rows_changed(
                    usage.path, place.used,
                )));
            }
            payload.skip(place.used);
            if payload.left() == 0 {
                return Err(Refusal::config(problem::rows_used_up(
                    usage.path, usage.rows,
                )));
            }
            let left = payload.left();
            said.push(catalog.text(&messages::rows_continued(usage.path, place.used + 1, left)));
        }
        Ok(said)
    }

    /// How the next run goes on behind the rows that are used, where some are left.
    pub(super) fn lines_on_unused(&self, usage: &[RowUsage], catalog: &Catalog) -> Vec<String> {
        let left = usage.iter().filter(|usage| usage.used < usage.rows);
        left.map(|usage| {
            let (used, next) = (usage.used, usage.used + 1);
            catalog.text(&match self.path {
                Some(_) => messages::rows_to_continue(&usage.path, used, usage.rows, next),
                None => messages::rows_to_begin_at(&usage.path, used, usage.rows, next),
            })
        })
        .collect()
    }

    /// Writes down how far rows are used when a run is over, and says so if that fails.
    pub(super) fn close(
        &mut self,
        context: &mut Context,
        folder: &Path,
        usage: &[RowUsage],
        catalog: &Catalog,
    ) {
        let written = self.note(folder, usage, false);
        if let (Err(error), Some(path)) = (written, &self.path) {
            let problem = problem::write_failed(path.display(), error);
            context.err(&format!("{}\n", catalog.problem(&problem)));
        }
    }

    /// Writes down how far rows are used; while the run goes on with those of the next seconds.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn note(
        &mut self,
        folder: &Path,
        usage: &[RowUsage],
        goes_on: bool,
    ) -> io::Result<()> {
        for usage in usage {
            let file = folder.join(&usage.path);
            let before = self.before.insert(file.clone(), usage.used);
            let of_a_second = usage.used.saturating_sub(before.unwrap_or_default());
            let ahead = if goes_on {
                SECONDS_AHEAD * of_a_second
            } else {
                0
            };
            let place = RowPlace {
                used: (usage.used + ahead).min(usage.rows),
                last: if goes_on {
                    Value::Null
                } else {
                    usage.last.clone()
                },
            };
            self.places.insert(file, place);
        }
        let Some(path) = self.path.as_ref().filter(|_| !usage.is_empty()) else {
            return Ok(());
        };
        if self.is_broken {
            return Err(ErrorKind::InvalidData.into());
        }
        let written = serde_json::to_string(&self.places)?;
        let beside = path.with_extension("tmp");
        // One left by a write that was cut off goes first; a link that somebody put there is not followed.
        match std::fs::remove_file(&beside) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = std::fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).open(&beside)?;
        file.write_all(written.as_bytes())?;
        std::fs::rename(&beside, path)
    }
}

/// What is to be said of files whose rows ran out.
pub(super) fn short(usage: &[RowUsage], catalog: &Catalog) -> Vec<String> {
    let short = usage.iter().filter(|usage| usage.is_short);
    short
        .map(|usage| {
            catalog.text(&match usage.first {
                0 | 1 => messages::rows_ran_out(&usage.path, usage.rows),
                first => messages::rows_ran_out_from(&usage.path, first, usage.rows),
            })
        })
        .collect()
}
