//! Rows of the table that an earlier call of the same program made: all of them together take longer than a call may.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The rows so far, by name, in a file for each program.
pub(crate) struct KeptRows {
    path: PathBuf,
    rows: BTreeMap<String, String>,
}

impl KeptRows {
    /// Those of this program, whatever it was built from.
    pub(crate) fn new() -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let program = std::fs::read(program).expect("this program can be read");
        // FNV-1a of its bytes, eight at a time.
        let hash = program.chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, part| {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3)
        });
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tune-bench");
        std::fs::create_dir_all(&folder).expect("the target directory can be written");
        let path = folder.join(format!("{hash:016x}.json"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
        Self {
            rows: serde_json::from_str(&text).unwrap_or_default(),
            path,
        }
    }

    /// A row, made and kept unless it was.
    pub(crate) fn row(&mut self, name: &str, make: impl FnOnce() -> String) -> String {
        if let Some(row) = self.rows.get(name) {
            return row.clone();
        }
        let row = make();
        self.rows.insert(name.to_owned(), row.clone());
        let text = serde_json::to_string(&self.rows).expect("texts become JSON");
        std::fs::write(&self.path, text).expect("the target directory can be written");
        row
    }
}
