//! Loads modules: files on disk, packages of npm, modules of the web.

use std::path::{Path, PathBuf};

use loadline_js::{CodeError, CodeTrust, Loader, SourceFile};

use super::remote::RemoteLoader;
use super::{packages, unavailable};
use crate::paths::{FileRoot, path_of, url_of};

/// Resolves as k6 does: relative paths, `file://` and `https://`; extensions are needed.
#[derive(Debug)]
pub(crate) struct FileLoader {
    /// URL and text of the script itself, which may come from standard input.
    pub(crate) entry: Option<(String, SourceFile)>,
    /// Modules of the web.
    pub(crate) remote: RemoteLoader,
    /// Where files are.
    pub(crate) root: FileRoot,
    /// Whose files hold code.
    pub(crate) trust: CodeTrust,
}

impl Loader for FileLoader {
    /// As in k6.
    fn is_commonjs_strict(&self) -> bool {
        true
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        let url = resolve(specifier, referrer, &self.root, &self.trust)?;
        if url.starts_with("https://") {
            self.remote.imported(&url, referrer);
        }
        Ok(url)
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        if let Some((entry, source)) = &self.entry
            && entry == url
        {
            return Ok(source.clone());
        }
        if url.starts_with("https://") {
            return self.remote.load(url);
        }
        let path = self.root.place(&path_of(url));
        let bytes = self.trust.read(&path).map_err(|error| match error {
            CodeError::Io(_) => not_found(&shown(&path)),
            CodeError::Foreign(words) => words,
        })?;
        Ok(SourceFile {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            typescript: path.extension().is_some_and(|e| e == "ts"),
        })
    }
}

/// The URL that `specifier` names in the file `referrer`.
fn resolve(
    specifier: &str,
    referrer: &str,
    root: &FileRoot,
    trust: &CodeTrust,
) -> Result<String, String> {
    if let Some(reason) = unavailable::reason(specifier) {
        return Err(reason);
    }
    let is_remote = referrer.starts_with("https://");
    if let Some((scheme, _)) = specifier.split_once("://") {
        return match scheme {
            "https" => Ok(without_fragment(specifier).to_owned()),
            "file" if is_remote => Err(format!(
                "origin ({}) not allowed to load local file: {specifier}",
                join_url(referrer, "./").unwrap_or_default()
            )),
            "file" if root.is_archive() => Ok(url_of(&root.place(&path_of(specifier)))),
            "file" => Ok(specifier.to_owned()),
            _ => Err(format!(
                "only supported schemes for imports are file and https, {specifier} has `{scheme}`"
            )),
        };
    }
    let is_path = ["./", "../", "/"]
        .iter()
        .any(|start| specifier.starts_with(start));
    if is_remote {
        return is_path
            .then(|| join_url(referrer, specifier))
            .flatten()
            .ok_or_else(|| not_found(specifier));
    }
    if !is_path {
        // k6 does not support packages.
        let found = packages::find(specifier, directory_of(referrer).as_path(), trust);
        let path = found.unwrap_or_else(|| Err(not_found(specifier)))?;
        if !root.has(&path) {
            return Err(not_found(specifier));
        }
        return Ok(url_of(&path));
    }
    let path = root.place(&directory_of(referrer).join(specifier));
    let path = packages::complete(&path).unwrap_or(path);
    Ok(url_of(&path))
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
    let joined = url::Url::parse(base).ok()?.join(specifier).ok()?;
    Some(without_fragment(joined.as_str()).to_owned())
}

/// The part of a URL that is sent.
fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(specifier: &str, referrer: &str) -> Result<String, String> {
        super::resolve(
            specifier,
            referrer,
            &FileRoot::default(),
            &CodeTrust::default(),
        )
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
        let from_web = "https://example.test/lib/x.js";
        assert_eq!(
            resolve("file:///etc/passwd", from_web).unwrap_err(),
            "origin (https://example.test/lib/) not allowed to load local file: file:///etc/passwd"
        );
        assert!(resolve("lodash", from_web).is_err());
        assert!(
            resolve("lodash", "file:///a.js")
                .unwrap_err()
                .contains("lodash")
        );
    }
}
