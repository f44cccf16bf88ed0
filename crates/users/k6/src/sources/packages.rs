//! npm packages: which file of `node_modules` a bare module name means.
//!
//! The rules are those of Node.js: search the folders from the importing file upwards, read
//! `exports` of `package.json` (conditions in the order written), otherwise `module`, `main`
//! or `index.js`. Modules of Node.js itself (`fs`, `net`) are not found.

use std::path::{Path, PathBuf};

use loadline_js::CodeTrust;
use serde_json::Value;

use crate::paths::clean;

const FOLDER: &str = "node_modules";
/// Conditions of `exports` that hold here.
const CONDITIONS: [&str; 4] = ["import", "module", "require", "default"];
/// Extensions that may be left out.
const ENDINGS: [&str; 5] = ["", ".js", ".mjs", ".cjs", ".ts"];

/// The file that the bare name `specifier` means in a file of `folder`.
///
/// # Errors
/// What is wrong with the package, if it is there, or whose it is; `None` when it is not.
pub(crate) fn find(
    specifier: &str,
    folder: &Path,
    trust: &CodeTrust,
) -> Option<Result<PathBuf, String>> {
    let (name, inside) = split(specifier)?;
    let mut folders = folder.ancestors();
    let packages = folders.find_map(|folder| {
        let packages = folder.join(FOLDER);
        packages.join(name).is_dir().then_some(packages)
    })?;
    // Links in it may lead to files of anybody.
    if let Err(words) = trust.check(&packages) {
        return Some(Err(words));
    }
    let package = packages.join(name);
    Some(file_in(&package, inside).ok_or_else(|| {
        let shown = package.display();
        format!("the package {shown} has no file for \"{specifier}\" (see its package.json)")
    }))
}

/// Completes a path inside a package, where file extensions may be missing.
pub(crate) fn complete(path: &Path) -> Option<PathBuf> {
    let is_inside = path.components().any(|part| part.as_os_str() == FOLDER);
    is_inside.then(|| completed(path)).flatten()
}

/// The name of the package, and the path inside it: `""` or `/sub/path`.
fn split(specifier: &str) -> Option<(&str, &str)> {
    let slashes = specifier.match_indices('/').map(|(at, _)| at);
    let skipped = usize::from(specifier.starts_with('@'));
    let end = slashes.clone().nth(skipped).unwrap_or(specifier.len());
    let (name, inside) = specifier.split_at(end);
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains("..");
    is_name.then_some((name, inside))
}

fn file_in(package: &Path, inside: &str) -> Option<PathBuf> {
    let text = std::fs::read(package.join("package.json")).unwrap_or_default();
    let described: Value = serde_json::from_slice(&text).unwrap_or(Value::Null);
    if let Some(exports) = described.get("exports") {
        let target = exported(exports, &format!(".{inside}"))?;
        let path = clean(&package.join(target));
        return (path.starts_with(package) && path.is_file()).then_some(path);
    }
    if !inside.is_empty() {
        return completed(&clean(&package.join(&inside[1..])));
    }
    let named = ["module", "main"]
        .iter()
        .filter_map(|key| described.get(key)?.as_str());
    let mut candidates = named.chain(std::iter::once("index.js"));
    candidates.find_map(|name| completed(&clean(&package.join(name))))
}

/// What `exports` says for `.` or `./sub/path`.
fn exported(exports: &Value, wanted: &str) -> Option<String> {
    let Value::Object(map) = exports else {
        return target(exports).filter(|_| wanted == ".");
    };
    if !map.keys().any(|key| key.starts_with('.')) {
        return target(exports).filter(|_| wanted == ".");
    }
    if let Some(exact) = map.get(wanted) {
        return target(exact);
    }
    map.iter().find_map(|(key, value)| {
        let (before, after) = key.split_once('*')?;
        let star = wanted.strip_prefix(before)?.strip_suffix(after)?;
        Some(target(value)?.replace('*', star))
    })
}

/// The file of the first condition that holds.
fn target(value: &Value) -> Option<String> {
    match value {
        Value::String(file) => Some(file.clone()),
        Value::Array(several) => several.iter().find_map(target),
        Value::Object(conditions) => conditions
            .iter()
            .filter(|(condition, _)| CONDITIONS.contains(&condition.as_str()))
            .find_map(|(_, value)| target(value)),
        _ => None,
    }
}

fn completed(path: &Path) -> Option<PathBuf> {
    let with = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let named = ENDINGS.iter().map(|ending| with(ending));
    let mut candidates = named.chain(std::iter::once(path.join("index.js")));
    candidates.find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use loadline_js::ForeignCode;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    fn trust(folders: &[&str]) -> CodeTrust {
        let words = Arc::new(|foreign: &ForeignCode| foreign.path.display().to_string());
        CodeTrust::new([], folders.iter().map(PathBuf::from), words)
    }

    /// Whoever's it is.
    fn found(specifier: &str, folder: &Path) -> Option<Result<PathBuf, String>> {
        find(specifier, folder, &trust(&["/"]))
    }

    #[track_caller]
    fn finds(root: &tempfile::TempDir, specifier: &str, file: &str) {
        let found = found(specifier, &root.path().join("tests/deep"));
        assert_eq!(found, Some(Ok(root.path().join("node_modules").join(file))));
    }

    #[test]
    fn a_package_is_found_from_a_folder_below() {
        let root = tree(&[
            ("node_modules/old/package.json", r#"{"main": "lib/main"}"#),
            ("node_modules/old/lib/main.js", ""),
            ("node_modules/old/util/index.js", ""),
            ("node_modules/plain/index.js", ""),
            (
                "node_modules/@team/both/package.json",
                r#"{"main": "a.cjs", "module": "a.mjs"}"#,
            ),
            ("node_modules/@team/both/a.cjs", ""),
            ("node_modules/@team/both/a.mjs", ""),
        ]);
        finds(&root, "old", "old/lib/main.js");
        finds(&root, "old/util", "old/util/index.js");
        finds(&root, "plain", "plain/index.js");
        finds(&root, "@team/both", "@team/both/a.mjs");
        assert_eq!(found("none", root.path()), None);
    }

    #[test]
    fn exports_say_what_may_be_imported() {
        let exports = r#"{"exports": {
            ".": {"types": "./a.d.ts", "import": "./a.mjs", "require": "./a.cjs"},
            "./sub": "./lib/sub.js",
            "./parts/*": "./lib/*.js"
        }}"#;
        let root = tree(&[
            ("node_modules/p/package.json", exports),
            ("node_modules/p/a.mjs", ""),
            ("node_modules/p/lib/sub.js", ""),
            ("node_modules/p/lib/one.js", ""),
            ("node_modules/p/secret.js", ""),
        ]);
        finds(&root, "p", "p/a.mjs");
        finds(&root, "p/sub", "p/lib/sub.js");
        finds(&root, "p/parts/one", "p/lib/one.js");
        let refusal = found("p/secret.js", root.path()).unwrap().unwrap_err();
        assert!(refusal.contains("package.json"), "{refusal}");
    }

    #[test]
    fn packages_of_somebody_else_are_refused() {
        let root = tree(&[("node_modules/p/index.js", "")]);
        let folder = root.path().join("tests");
        let packages = root.path().join("node_modules").display().to_string();
        assert_eq!(find("p", &folder, &trust(&[])), Some(Err(packages)));
        assert_eq!(find("none", &folder, &trust(&[])), None);
    }

    #[test]
    fn nothing_outside_a_package_is_found_through_it() {
        let root = tree(&[
            (
                "node_modules/p/package.json",
                r#"{"exports": "../../secret.js"}"#,
            ),
            ("secret.js", ""),
        ]);
        assert!(found("p", root.path()).unwrap().is_err());
        assert_eq!(found("../secret.js", root.path()), None);
    }
}
