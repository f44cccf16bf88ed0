//! Loads modules: files on disk, modules of the web that are stored beside the script, and
//! loadline's own modules behind well-known URLs.

use std::path::{Path, PathBuf};

use loadline_js::{Loader, SourceFile};

use super::lock_file::{StoredModules, is_typescript};
use super::{jslib, packages, unavailable};
use crate::paths::{clean, path_of, url_of};

/// Resolves as k6 does: relative paths, `file://` and `https://`; extensions are needed.
#[derive(Debug)]
pub(crate) struct FileLoader {
    /// URL and text of the script itself, which may come from standard input.
    pub(crate) entry: Option<(String, SourceFile)>,
    /// Modules of the web.
    pub(crate) vendored: StoredModules,
}

impl Loader for FileLoader {
    /// As in k6.
    fn is_commonjs_strict(&self) -> bool {
        true
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        if let Some(reason) = unavailable::reason(specifier) {
            return Err(reason);
        }
        if specifier.starts_with("file://") {
            return Ok(specifier.to_owned());
        }
        if let Some((scheme, _)) = specifier.split_once("://") {
            return match scheme {
                "https" => Ok(specifier.to_owned()),
                _ => Err(format!(
                    "only supported schemes for imports are file and https, {specifier} has `{scheme}`"
                )),
            };
        }
        if referrer.starts_with("https://") {
            return join_url(referrer, specifier)
                .ok_or_else(|| format!("cannot resolve \"{specifier}\" from {referrer}"));
        }
        if !(specifier.starts_with("./")
            || specifier.starts_with("../")
            || specifier.starts_with('/'))
        {
            // k6 does not support packages.
            let found = packages::find(specifier, directory_of(referrer).as_path());
            let path = found.unwrap_or_else(|| Err(not_found(specifier)))?;
            return Ok(url_of(&path));
        }
        let path = clean(&directory_of(referrer).join(specifier));
        let path = packages::complete(&path).unwrap_or(path);
        Ok(url_of(&path))
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        if let Some((entry, source)) = &self.entry
            && entry == url
        {
            return Ok(source.clone());
        }
        if url.starts_with("https://") {
            return self.load_stored(url);
        }
        let path = path_of(url);
        let bytes = std::fs::read(&path).map_err(|_| not_found(&shown(&path)))?;
        Ok(SourceFile {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            typescript: path.extension().is_some_and(|e| e == "ts"),
        })
    }
}

impl FileLoader {
    /// A stored module takes precedence over our own.
    fn load_stored(&self, url: &str) -> Result<SourceFile, String> {
        let stored = self.vendored.text(url)?;
        let text = stored.or_else(|| jslib::source(url).map(str::to_owned));
        let text = text.ok_or_else(|| {
            format!(
                "{url} is not stored beside the script, and tests do not fetch code while they run; \
                 store it with `loadline vendor SCRIPT`, or save the file next to the script and import it as ./NAME.js"
            )
        })?;
        Ok(SourceFile {
            text,
            typescript: is_typescript(url),
        })
    }
}

/// The folder of the file a `file://` URL names.
fn directory_of(url: &str) -> PathBuf {
    let path = path_of(url);
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

/// k6's words for a module that is not there.
fn not_found(specifier: &str) -> String {
    format!(
        "The moduleSpecifier \"{specifier}\" couldn't be found on local disk. Make sure that you've specified the right path to the file."
    )
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// `specifier` as seen from the file at `base`.
fn join_url(base: &str, specifier: &str) -> Option<String> {
    let (scheme, rest) = base.split_once("://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let directory = Path::new("/").join(path);
    let directory = directory.parent().unwrap_or(Path::new("/")).to_owned();
    let joined = clean(&directory.join(specifier));
    Some(format!("{scheme}://{host}{}", joined.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(specifier: &str, referrer: &str) -> Result<String, String> {
        let vendored = StoredModules::beside(PathBuf::from("/tests"));
        let loader = FileLoader {
            entry: None,
            vendored,
        };
        loader.resolve(specifier, referrer)
    }

    #[test]
    fn relative_specifiers_start_from_the_file_that_names_them() {
        let from = "file:///tests/login/main.js";
        assert_eq!(resolve("./a.js", from).unwrap(), "file:///tests/login/a.js");
        assert_eq!(resolve("../b.ts", from).unwrap(), "file:///tests/b.ts");
        assert_eq!(resolve("/c.js", from).unwrap(), "file:///c.js");
        assert_eq!(
            resolve("../d.js", "https://example.test/lib/1/x.js").unwrap(),
            "https://example.test/lib/d.js"
        );
    }

    #[test]
    fn other_schemes_and_bare_names_are_refused() {
        assert!(resolve("http://x/y.js", "file:///a.js").is_err());
        assert!(
            resolve("lodash", "file:///a.js")
                .unwrap_err()
                .contains("lodash")
        );
    }
}
