//! Finds a processor's modules: files beside it, and installed packages.

use std::path::{Path, PathBuf};

use loadline_js::{CodeError, CodeTrust, Loader, SourceFile};

/// A processor's files, and the packages they import.
pub(super) struct FileLoader {
    /// Whose files hold code.
    pub(super) trust: CodeTrust,
}

/// A processor's files alone: modules of Node and packages are left to what runs them.
pub(super) struct OwnFileLoader(pub(super) FileLoader);

/// Where packages are installed.
const PACKAGES: &str = "node_modules";
/// What names a package for the files below it.
const PACKAGE_FILE: &str = "package.json";
/// URLs of what is left out.
const OTHERS: &str = "other:";

impl Loader for OwnFileLoader {
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        if specifier.starts_with(['.', '/']) {
            return self.0.resolve(specifier, referrer);
        }
        Ok(format!("{OTHERS}{specifier}"))
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        if url.starts_with(OTHERS) {
            return Ok(SourceFile {
                text: String::new(),
                typescript: false,
            });
        }
        self.0.load(url)
    }
}

/// The `file://` URL of a path.
pub(super) fn url_of(path: &Path) -> String {
    format!("file://{}", clean(path).display())
}

/// The path of a `file://` URL.
pub(super) fn path_of(url: &str) -> PathBuf {
    PathBuf::from(url.strip_prefix("file://").unwrap_or(url))
}

/// A path without `.` and `..`.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(clean.pop()),
            std::path::Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

/// Whether packages that a file may find in its folder or above are of those whose code runs. Node finds
/// them by itself, also for what a package tries and does without.
///
/// # Errors
/// They are somebody else's, in words for the user.
pub(super) fn check_packages(file: &Path, trust: &CodeTrust) -> Result<(), String> {
    for folder in clean(file).ancestors().skip(1) {
        for name in [PACKAGES, PACKAGE_FILE] {
            trust.check(&folder.join(name))?;
        }
    }
    Ok(())
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new("/"));
    folder.display().to_string()
}

/// The file for a path, completed as Node does.
fn completed(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    for ending in ["js", "cjs", "mjs", "ts", "json"] {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        let with = PathBuf::from(name);
        if with.is_file() {
            return Some(with);
        }
    }
    // TypeScript names a file by what it is compiled to.
    if path.extension().is_some_and(|ending| ending == "js") {
        let source = path.with_extension("ts");
        return source.is_file().then_some(source);
    }
    if !path.is_dir() {
        return None;
    }
    let package = std::fs::read_to_string(path.join("package.json")).unwrap_or_default();
    let package: serde_json::Value = serde_json::from_str(&package).unwrap_or_default();
    let main = package["main"].as_str().unwrap_or("index.js");
    completed(&path.join(main))
}

impl Loader for FileLoader {
    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        let from = path_of(referrer);
        let folder = from.parent().unwrap_or(Path::new("/"));
        if specifier.starts_with('.') || specifier.starts_with('/') {
            let path = clean(&folder.join(specifier));
            return completed(&path)
                .map(|path| url_of(&path))
                .ok_or_else(|| format!("there is no file {}", path.display()));
        }
        for folder in folder.ancestors() {
            let packages = folder.join(PACKAGES);
            if let Some(path) = completed(&packages.join(specifier)) {
                // Links in it may lead to files of anybody.
                self.trust.check(&packages)?;
                return Ok(url_of(&path));
            }
        }
        Err(format!(
            "module `{specifier}` is not installed, and loadline has nothing in its place"
        ))
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        let path = path_of(url);
        let path = completed(&path).unwrap_or(path);
        let bytes = self.trust.read(&path).map_err(|error| match error {
            CodeError::Io(error) => format!("{}: {error}", path.display()),
            CodeError::Foreign(words) => words,
        })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let ending = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        let text = if ending == "json" {
            format!("module.exports = {text};")
        } else {
            text
        };
        Ok(SourceFile {
            text,
            typescript: ending == "ts",
        })
    }
}
