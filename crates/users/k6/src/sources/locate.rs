//! Finds the file of a script.

use std::path::{Path, PathBuf};

use loadline_js::SourceFile;

use crate::error::LoadError;
use crate::paths::{clean, url_of};

/// A script in a file: its URL, text and folder.
pub(crate) struct ScriptFile {
    pub(crate) entry: String,
    pub(crate) source: SourceFile,
    pub(crate) folder: PathBuf,
}

/// Reads the script that was written as `script`, seen from `working_dir`.
pub(crate) fn locate_file(script: &str, working_dir: &Path) -> Result<ScriptFile, LoadError> {
    let written = script.strip_prefix("file://").unwrap_or(script);
    let path = clean(&working_dir.join(written));
    let bytes = std::fs::read(&path).map_err(|error| LoadError::File {
        text: unreadable(&path, script, &error),
    })?;
    Ok(ScriptFile {
        entry: url_of(&path),
        source: SourceFile {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            typescript: path.extension().is_some_and(|e| e == "ts"),
        },
        folder: path.parent().unwrap_or(Path::new("/")).to_owned(),
    })
}

/// k6's words for a script that cannot be read.
fn unreadable(path: &Path, written: &str, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => format!(
            "The moduleSpecifier \"{written}\" couldn't be found on local disk. Make sure that you've specified the right path to the file. If you're running k6 using the Docker image make sure you have mounted the local directory (-v /local/path/:/inside/docker/path) containing your script and modules so that they're accessible by k6 from inside of the container, see https://grafana.com/docs/k6/latest/using-k6/modules/#use-modules-with-docker."
        ),
        _ => format!("could not read {}: {error}", path.display()),
    }
}
