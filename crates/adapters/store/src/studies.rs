//! Studies of settings: one row each, with its answer so far as a file of `loadline tune --json`.

use rusqlite::{Row, params};

use crate::error::StoreError;
use crate::owner::Owner;
use crate::runs::{Store, StoredRunState, state};

/// A study in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyRow {
    /// Its name, unique across stores.
    pub name: String,
    /// What its file calls it.
    pub study: String,
    /// When it began, milliseconds since 1970.
    pub begun_ms: i64,
    /// When something last happened, milliseconds since 1970.
    pub changed_ms: i64,
    /// Whether it goes on.
    pub state: StoredRunState,
    /// Its answer so far (`docs/schemas/tuning.schema.json`).
    pub answer: String,
}

const COLUMNS: &str = "name, study, begun_ms, changed_ms, state, owner, answer";

impl Store {
    /// Keeps a study as it is now, in place of what was kept of it. This process is the one that
    /// runs it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn keep_study(&self, study: &StudyRow) -> Result<(), StoreError> {
        let owner = serde_json::to_string(&Owner::current()).unwrap_or_default();
        let state = match study.state {
            StoredRunState::Running => 0,
            StoredRunState::Finished => 1,
            StoredRunState::Interrupted => 2,
        };
        self.connection.execute(
            "INSERT OR REPLACE INTO study (name, study, begun_ms, changed_ms, state, owner, answer)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                study.name,
                study.study,
                study.begun_ms,
                study.changed_ms,
                state,
                owner,
                study.answer
            ],
        )?;
        Ok(())
    }

    /// All studies, newest first. `now_ms` decides which silent studies of other machines count
    /// as interrupted. A store of an older version holds none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn studies(&self, now_ms: i64) -> Result<Vec<StudyRow>, StoreError> {
        let known = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'study'";
        let tables: i64 = self.connection.query_row(known, [], |row| row.get(0))?;
        if tables == 0 {
            return Ok(Vec::new());
        }
        let sql = format!("SELECT {COLUMNS} FROM study ORDER BY begun_ms DESC, name");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut studies = Vec::new();
        while let Some(row) = rows.next()? {
            studies.push(read(row, now_ms)?);
        }
        Ok(studies)
    }

    /// The study of a name.
    ///
    /// # Errors
    /// [`StoreError::NoRun`].
    pub fn study(&self, name: &str, now_ms: i64) -> Result<StudyRow, StoreError> {
        let mut all = self.studies(now_ms)?.into_iter();
        all.find(|study| study.name == name)
            .ok_or_else(|| StoreError::NoRun {
                reference: name.to_owned(),
            })
    }

    /// Removes a study; its trials stay, as runs.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove_study(&self, name: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM study WHERE name = ?1";
        self.connection.execute(sql, params![name])?;
        Ok(())
    }
}

fn read(row: &Row<'_>, now_ms: i64) -> Result<StudyRow, StoreError> {
    let changed_ms = row.get(3)?;
    Ok(StudyRow {
        name: row.get(0)?,
        study: row.get(1)?,
        begun_ms: row.get(2)?,
        changed_ms,
        state: state(row.get(4)?, &row.get::<_, String>(5)?, changed_ms, now_ms),
        answer: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_kept_as_it_is_now_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        Store::prepare(&path).unwrap();
        let store = Store::open_to_change(&path).unwrap();
        let mut study = StudyRow {
            name: "abc".to_owned(),
            study: "pool".to_owned(),
            begun_ms: 5,
            changed_ms: 6,
            state: StoredRunState::Running,
            answer: "{}".to_owned(),
        };
        store.keep_study(&study).unwrap();
        study.answer = "{\"a\":1}".to_owned();
        store.keep_study(&study).unwrap();
        let reader = Store::open(&path).unwrap();
        // This process lives, so the study goes on.
        assert_eq!(reader.studies(7).unwrap(), [study.clone()]);
        study.state = StoredRunState::Finished;
        store.keep_study(&study).unwrap();
        assert_eq!(reader.study("abc", 7).unwrap(), study);
        store.remove_study("abc").unwrap();
        assert!(matches!(
            reader.study("abc", 7),
            Err(StoreError::NoRun { .. })
        ));
    }

    #[test]
    fn a_study_whose_process_is_gone_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        Store::prepare(&path).unwrap();
        let store = Store::open_to_change(&path).unwrap();
        let sql = "INSERT INTO study VALUES ('a', 'b', 1, 2, 0, '', '{}')";
        store.connection.execute(sql, []).unwrap();
        let found = store.study("a", 200_000).unwrap();
        assert_eq!(found.state, StoredRunState::Interrupted);
    }
}
