//! `k6 deps`: what a script imports, and which program it needs to run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use loadline_js::{Loader, Program, SourceFile};

use crate::error::LoadError;
use crate::modules;
use crate::paths::{FileRoot, path_of};
use crate::sources::{FileLoader, RemoteLoader, RemoteModules, ScriptFile, locate_file};

/// What a script depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptImports {
    /// `k6` and its extensions, each with the versions that will do (`*`: any).
    pub build: BTreeMap<String, String>,
    /// Files by URL, and modules of k6 by name.
    pub imports: BTreeSet<String>,
}

impl ScriptImports {
    /// Extensions that neither k6 nor loadline has built in.
    pub fn extensions(&self) -> impl Iterator<Item = &str> {
        let built_in = modules::builtins();
        let extensions = self.build.keys().filter(|name| name.starts_with("k6/x/"));
        extensions
            .filter(move |name| !built_in.contains(name))
            .map(String::as_str)
    }
}

/// Reads what the script at `script`, seen from `working_dir`, imports, and what that imports
/// in turn. Nothing of it runs.
///
/// # Errors
/// [`LoadError`]: a file cannot be read, does not parse, or imports what is not there.
pub fn dependencies(
    script: &str,
    working_dir: &Path,
    modules: RemoteModules,
) -> Result<ScriptImports, LoadError> {
    let ScriptFile {
        entry,
        source,
        folder,
    } = locate_file(script, working_dir)?;
    let modules = modules.for_typed_file(&path_of(&entry));
    let trust = modules.trust.clone();
    let files = FileLoader {
        entry: Some((entry.clone(), source)),
        remote: RemoteLoader::new(modules, folder),
        root: FileRoot::default(),
        trust,
    };
    let loader = Arc::new(ExtensionLoader { files });
    let program =
        Program::build(&entry, loader, modules::builtins()).map_err(LoadError::Program)?;
    let mut build = BTreeMap::from([("k6".to_owned(), ANY.to_owned())]);
    let mut imports = BTreeSet::new();
    for (url, _, text) in program.sources() {
        let name = url.strip_prefix(EXTENSION).unwrap_or(url);
        imports.insert(name.to_owned());
        for (name, versions) in asked_for(text) {
            build.insert(name, versions);
        }
    }
    imports.extend(program.builtins_used().map(str::to_owned));
    for name in imports.iter().filter(|name| name.starts_with("k6/x/")) {
        build.entry(name.clone()).or_insert_with(|| ANY.to_owned());
    }
    Ok(ScriptImports { build, imports })
}

/// Versions that will do when a script names none.
const ANY: &str = "*";
/// The scheme under which extensions are met.
const EXTENSION: &str = "extension:";

/// Loads as a run does, but for extensions, of which only the names are wanted.
struct ExtensionLoader {
    files: FileLoader,
}

impl Loader for ExtensionLoader {
    fn is_commonjs_strict(&self) -> bool {
        self.files.is_commonjs_strict()
    }

    fn resolve(&self, specifier: &str, referrer: &str) -> Result<String, String> {
        if specifier.starts_with("k6/x/") {
            return Ok(format!("{EXTENSION}{specifier}"));
        }
        self.files.resolve(specifier, referrer)
    }

    fn load(&self, url: &str) -> Result<SourceFile, String> {
        if url.starts_with(EXTENSION) {
            return Ok(SourceFile {
                text: String::new(),
                typescript: false,
            });
        }
        self.files.load(url)
    }
}

/// What the directives at the top of a file ask for: `"use k6 >= 1.0"`,
/// `"use k6 with k6/x/sql >= 0.3"`.
fn asked_for(text: &str) -> Vec<(String, String)> {
    let mut asked = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return asked;
        };
        let Some((directive, after)) = rest[1..].split_once(quote) else {
            return asked;
        };
        rest = after;
        let words: Vec<&str> = directive.split_whitespace().collect();
        match words.as_slice() {
            ["use", "k6", "with", name, versions @ ..] => {
                asked.push(((*name).to_owned(), constraint(versions)));
            }
            ["use", "k6", versions @ ..] => asked.push(("k6".to_owned(), constraint(versions))),
            _ => {}
        }
    }
}

fn constraint(words: &[&str]) -> String {
    match words.concat() {
        text if text.is_empty() => ANY.to_owned(),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_name_versions() {
        let text = "// a test\n'use k6 >= 1.0.0';\n\"use k6 with k6/x/sql >= 0.3\"\n'use strict';\nimport 'x'";
        let expected = [("k6", ">=1.0.0"), ("k6/x/sql", ">=0.3")];
        let expected = expected.map(|(name, versions)| (name.to_owned(), versions.to_owned()));
        assert_eq!(asked_for(text), expected);
        assert_eq!(asked_for("let a = 'use k6 > 1'"), []);
    }

    #[test]
    fn modules_and_extensions_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let script = "import http from 'k6/http'; import sql from 'k6/x/sql'; import './a.js';
            import sse from 'k6/x/sse'; export default function () {}";
        std::fs::write(folder.path().join("main.js"), script).unwrap();
        std::fs::write(folder.path().join("a.js"), "import 'k6/html';").unwrap();
        let modules = RemoteModules::none(|| std::time::UNIX_EPOCH);
        let found = dependencies("main.js", folder.path(), modules).unwrap();
        let here = folder.path().display();
        let expected = [
            format!("file://{here}/a.js"),
            format!("file://{here}/main.js"),
            "k6/html".to_owned(),
            "k6/http".to_owned(),
            "k6/x/sql".to_owned(),
            "k6/x/sse".to_owned(),
        ];
        assert_eq!(found.imports, BTreeSet::from(expected));
        assert_eq!(found.extensions().collect::<Vec<_>>(), ["k6/x/sql"]);
    }
}
