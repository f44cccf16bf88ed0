//! Running an archive: a script with all it reads in one file.
//!
//! The form is k6's: a tar file with `metadata.json` (options, environment, where things
//! were), `data` (the script) and `file/...` (everything else by its path). It may come from
//! anybody: nothing of it is written outside its folder.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

/// An archive laid out in a folder that is gone with it.
pub(super) struct Unpacked {
    /// The script there.
    pub(super) script: String,
    /// The options it was archived with.
    pub(super) options: Value,
    /// Variables it was archived with.
    pub(super) env: BTreeMap<String, String>,
    folder: TempDir,
}

impl Unpacked {
    /// Lays an archive out.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(archive: impl Read) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut archive = tar::Archive::new(archive);
        let (mut metadata, mut data) = (None, None);
        for entry in archive.entries()? {
            let mut entry = entry?;
            if !entry.header().entry_type().is_file() {
                continue; // folders are made as they are needed, links name what is there
            }
            let name = entry.path()?.into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            match name.to_str() {
                Some("metadata.json") => metadata = serde_json::from_slice::<Value>(&bytes).ok(),
                Some("data") => data = Some(bytes),
                _ => put(folder.path(), &name, &bytes)?,
            }
        }
        let (Some(metadata), Some(data)) = (metadata, data) else {
            return Err(io::Error::other("it is no archive of k6's"));
        };
        let filename = metadata["filename"].as_str().unwrap_or_default();
        let inside = filename.strip_prefix("file://").unwrap_or("/script.js");
        let name = PathBuf::from("file").join(inside.trim_start_matches('/'));
        put(folder.path(), &name, &data)?;
        let env = metadata["env"].as_object().into_iter().flatten();
        let env = env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        Ok(Self {
            script: folder.path().join(name).display().to_string(),
            options: metadata["options"].clone(),
            env: env.collect(),
            folder,
        })
    }

    /// Where it was laid out.
    pub(super) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

/// Writes one file below `folder`, and nowhere else whatever its name says.
fn put(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_below = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below {
        return Err(io::Error::other(format!(
            "{} leads out of the archive",
            name.display()
        )));
    }
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, bytes)
}
