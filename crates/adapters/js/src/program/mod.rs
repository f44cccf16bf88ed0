//! A [`Program`]: every source file of a script, resolved, checked and compiled once,
//! shared by all virtual users.
//!
//! Building it reports all missing modules and syntax errors at once, before anything
//! runs. Where modules come from is the caller's [`Loader`].

mod bundle;
mod compile;
mod depth;
mod error;
mod graph;
mod imports;
mod link;
mod loader;
mod names;
mod scan;
mod sharing;
mod source_map;
mod trust;
mod typescript;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::builtin::Builtins;
use crate::frames::Frame;
use bundle::BundleMap;
pub use bundle::MapFault;
pub use error::{ProgramError, ProgramErrorKind};
use graph::Graph;

use link::Import;
pub(crate) use link::Link;
pub use link::{MissingImport, ModuleKind};
pub use loader::{Loader, SourceFile};
pub use names::{ProgramFile, UsedName};
use source_map::SourceMap;
pub use trust::{CodeError, CodeTrust, ForeignCode};

/// One compiled file.
pub(crate) struct Module {
    pub(crate) kind: ModuleKind,
    pub(crate) bytecode: Arc<[u8]>,
    pub(crate) links: HashMap<String, Link>,
    /// Names it exports: as found in its text (CommonJS), and as others import them.
    pub(crate) names: BTreeSet<String>,
    /// Names that its text exports, if it is a module.
    offered: BTreeSet<String>,
    pub(crate) uses_import_meta: bool,
    /// Where a function in it changes what users share.
    change: Option<(u32, u32)>,
    map: Option<SourceMap>,
    bundle: Option<BundleMap>,
    source: Arc<str>,
}

/// A script with all it imports, ready to run in any number of runtimes.
pub struct Program {
    entry: String,
    pub(crate) modules: HashMap<String, Module>,
    /// Names imported from each built-in module.
    pub(crate) builtin_imports: BTreeMap<String, BTreeSet<String>>,
    imports: Vec<Import>,
    map_faults: Vec<MapFault>,
    pub(crate) builtins: Builtins,
    pub(crate) loader: Arc<dyn Loader>,
}

impl Program {
    /// Loads, checks and compiles the script at URL `entry` and all it imports.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in the order of the files met.
    pub fn build(
        entry: &str,
        loader: Arc<dyn Loader>,
        builtins: Builtins,
    ) -> Result<Self, Vec<ProgramError>> {
        let mut graph = Graph::new(&*loader, &builtins);
        graph.collect(entry);
        let Graph {
            files,
            order,
            imported,
            builtin_imports,
            imports,
            map_faults,
            mut errors,
            ..
        } = graph;
        let mut modules = HashMap::with_capacity(files.len());
        let mut files = files;
        let compiler = compile::Compiler::new(loader.is_commonjs_strict())
            .map_err(|message| vec![ProgramError::whole(ProgramErrorKind::Host, entry, message)])?;
        for url in order {
            let Some(file) = files.remove(&url) else {
                continue;
            };
            let compiling = compile::Source {
                url: &url,
                code: &file.code,
                kind: file.scan.kind,
                nesting: file.nesting,
            };
            match compiler.compile(&compiling) {
                Err(error) => errors.push(file.locate(&url, error)),
                Ok(bytecode) => {
                    let change = sharing::first_change(&compiling, &builtins);
                    let change = change.map(|offset| scan::position(&file.code, offset));
                    let mut names = file.scan.exports;
                    names.extend(imported.get(&url).into_iter().flatten().cloned());
                    let module = Module {
                        kind: file.scan.kind,
                        bytecode: bytecode.into(),
                        links: file.links,
                        names,
                        offered: file.scan.offered,
                        uses_import_meta: file.scan.uses_import_meta,
                        change,
                        map: file.map,
                        bundle: file.bundle,
                        source: file.source,
                    };
                    modules.insert(url, module);
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            entry: entry.to_owned(),
            modules,
            builtin_imports,
            imports,
            map_faults,
            builtins,
            loader,
        })
    }

    /// Source maps that its files name and that cannot be used.
    #[must_use]
    pub fn map_faults(&self) -> &[MapFault] {
        &self.map_faults
    }

    /// URL of the script itself.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// URL, kind and original text of every file, in no particular order.
    pub fn sources(&self) -> impl Iterator<Item = (&str, ModuleKind, &str)> {
        self.modules
            .iter()
            .map(|(url, module)| (url.as_str(), module.kind, &*module.source))
    }

    /// Where a function of it visibly changes built-in objects, the global object or a
    /// built-in module, as `file:line:column`; the first in the order of file names.
    #[must_use]
    pub fn changes_built_ins(&self) -> Option<String> {
        let changes = self.modules.iter().filter_map(|(url, module)| {
            let (line, column) = module.change?;
            let original = module
                .map
                .as_ref()
                .and_then(|map| map.original(line, column));
            let (line, column) = original.unwrap_or((line, column));
            Some((url, line, column))
        });
        let (url, line, column) = changes.min()?;
        Some(format!("{url}:{line}:{column}"))
    }

    /// The built-in modules its files import or require.
    pub fn builtins_used(&self) -> impl Iterator<Item = &str> {
        self.builtin_imports.keys().map(String::as_str)
    }

    /// Converts the position of a frame from compiled code to the original source.
    pub(crate) fn map_frame(&self, frame: &mut Frame) {
        let Some(module) = self.modules.get(&frame.file) else {
            return;
        };
        if module.kind == ModuleKind::CommonJs && frame.line == 1 {
            let prefix = u32::try_from(compile::COMMONJS_PREFIX.len()).expect("a short text");
            frame.column = frame.column.saturating_sub(prefix).max(1);
        }
        if let Some((line, column)) = module
            .map
            .as_ref()
            .and_then(|m| m.original(frame.line, frame.column))
        {
            (frame.line, frame.column) = (line, column);
        }
    }

    /// Converts the position of a frame from a bundle to the file it was made of.
    pub(crate) fn unbundle_frame(&self, frame: &mut Frame) {
        let module = self.modules.get(&frame.file);
        let bundle = module.and_then(|module| module.bundle.as_ref());
        let original = bundle.and_then(|map| map.original(frame.line, frame.column));
        if let Some((file, line, column)) = original {
            (frame.line, frame.column) = (line, column);
            frame.file = file.to_owned();
        }
    }
}

#[cfg(test)]
mod tests;
