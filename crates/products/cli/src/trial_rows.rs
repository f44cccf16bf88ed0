//! Rows that may be used once only, in loads of one command: each goes on where the one before ended.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use loadline_artillery::ArtilleryFactory;
use loadline_artillery::load::LoadedTest;
use loadline_text::problem;

use crate::refusal::Refusal;

/// How far the loads of this command have used the rows of each file.
#[derive(Default)]
pub(crate) struct TrialRows(RefCell<Used>);

#[derive(Default)]
struct Used {
    rows: BTreeMap<PathBuf, u64>,
    /// What the newest load takes rows from, and the folder of its test.
    newest: Option<(PathBuf, Arc<ArtilleryFactory>)>,
}

impl TrialRows {
    /// Leaves out of `test` what earlier loads have used.
    ///
    /// # Errors
    /// A file has no rows left.
    pub(crate) fn go_on(&self, test: &LoadedTest) -> Result<(), Refusal> {
        let mut used = self.0.borrow_mut();
        if let Some((folder, factory)) = used.newest.take() {
            for usage in factory.row_usage() {
                used.rows.insert(folder.join(usage.path), usage.used);
            }
        }
        for payload in &test.payloads {
            let Some(usage) = payload.usage() else {
                continue;
            };
            let Some(rows) = used.rows.get(&test.folder.join(&usage.path)) else {
                continue;
            };
            payload.skip(*rows);
            if payload.left() == 0 {
                return Err(Refusal::config(problem::rows_used_by_loads(
                    usage.path, usage.rows,
                )));
            }
        }
        Ok(())
    }

    /// The next load goes on behind that of `factory`.
    pub(crate) fn follow(&self, folder: PathBuf, factory: Arc<ArtilleryFactory>) {
        self.0.borrow_mut().newest = Some((folder, factory));
    }
}
