//! A case: its folder and what its head says.

use std::path::{Path, PathBuf};

use super::CaseError;

/// An Artillery file to compare.
#[derive(Debug, Clone)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// Hash over all its files.
    pub hash: String,
    /// Arguments of `run`.
    args: Vec<String>,
    /// The exit code it is meant to have.
    pub exit: Option<i32>,
    /// Only the exit code is compared.
    pub only_exit: bool,
    /// Counters whose number is left to chance or time, by the beginning of their names.
    pub loose: Vec<String>,
    /// The server it is run against, a script of its set, in place of the test server.
    server: Option<String>,
}

/// All cases below `root/cases`, by name, those that match one of `filters`.
///
/// # Errors
/// When a file cannot be read.
pub fn discover(root: &Path, filters: &[String]) -> Result<Vec<Case>, CaseError> {
    let folder = root.join("cases");
    let entries = std::fs::read_dir(&folder).map_err(|error| CaseError::file(&folder, error))?;
    let mut cases = Vec::new();
    for entry in entries {
        let path = entry
            .map_err(|error| CaseError::file(&folder, error))?
            .path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir()
            && (filters.is_empty() || filters.iter().any(|filter| name.contains(filter)))
        {
            cases.push(Case::read(name, path)?);
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

impl Case {
    /// The file that holds what Artillery made of it.
    #[must_use]
    pub fn recording(&self) -> PathBuf {
        let name = format!("{}.json", self.name);
        self.set().join("recorded").join(name)
    }

    /// The packages that processors of its set import, where they are installed.
    #[must_use]
    pub fn packages(&self) -> PathBuf {
        self.set().join("node_modules")
    }

    /// The script of the server that it is run against, if it is not the test server.
    pub(super) fn server(&self) -> Option<PathBuf> {
        let name = self.server.as_ref()?;
        Some(self.set().join("servers").join(name))
    }

    fn set(&self) -> &Path {
        self.folder.ancestors().nth(2).unwrap_or(Path::new("."))
    }

    fn read(name: String, folder: PathBuf) -> Result<Self, CaseError> {
        let path = folder.join("test.yml");
        let text = std::fs::read_to_string(&path).map_err(|error| CaseError::file(&path, error))?;
        let mut case = Self {
            hash: hash(&folder)?,
            name,
            folder,
            args: Vec::new(),
            exit: None,
            only_exit: false,
            loose: Vec::new(),
            server: None,
        };
        for line in text.lines().take_while(|line| line.starts_with('#')) {
            let line = line.trim_start_matches('#').trim();
            match line.split_once(": ") {
                Some(("args", rest)) => {
                    case.args = rest.split_whitespace().map(str::to_owned).collect()
                }
                Some(("exit", rest)) => case.exit = rest.trim().parse().ok(),
                Some(("only", "exit")) => case.only_exit = true,
                Some(("server", rest)) => case.server = Some(rest.trim().to_owned()),
                Some(("loose", rest)) => {
                    case.loose = rest.split_whitespace().map(str::to_owned).collect()
                }
                _ => {}
            }
        }
        Ok(case)
    }

    /// Arguments of `run`; those that only loadline knows are left out elsewhere.
    pub(super) fn arguments(&self, is_loadline: bool) -> Vec<String> {
        let mut args = Vec::new();
        let mut rest = self.args.iter();
        while let Some(arg) = rest.next() {
            if arg == "--compat" && !is_loadline {
                rest.next();
            } else {
                args.push(arg.clone());
            }
        }
        args
    }

    pub(super) fn copy_to(&self, folder: &Path) -> Result<(), CaseError> {
        std::fs::create_dir_all(folder).map_err(|error| CaseError::file(folder, error))?;
        for path in files(&self.folder)? {
            let to = folder.join(path.file_name().unwrap_or_default());
            std::fs::copy(&path, to).map_err(|error| CaseError::file(&path, error))?;
        }
        Ok(())
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let entries = std::fs::read_dir(folder).map_err(|error| CaseError::file(folder, error))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn hash(folder: &Path) -> Result<String, CaseError> {
    let mut all = String::new();
    for path in files(folder)? {
        all.push_str(&path.file_name().unwrap_or_default().to_string_lossy());
        let bytes = std::fs::read(&path).map_err(|error| CaseError::file(&path, error))?;
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    Ok(crate::source_hash::hash_of(&[&all]))
}
