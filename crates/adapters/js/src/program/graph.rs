//! Reads a script and, from import to import, every file it needs; says at once all that is
//! missing or does not parse.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::bundle::{BundleMap, MapFault};
use super::depth::{self, NESTING_MAX, Nesting};
use super::error::{ProgramError, ProgramErrorKind};
use super::link::{Import, Link};
use super::loader::{Loader, SourceFile};
use super::scan::{self, Request, RequestKind, Scan};
use super::source_map::SourceMap;
use super::{compile, typescript};
use crate::builtin::Builtins;

/// A file that was read and scanned, but not compiled yet.
pub(super) struct ScannedFile {
    pub(super) scan: Scan,
    /// What is compiled: the text itself, or TypeScript with its types removed.
    pub(super) code: String,
    pub(super) nesting: Nesting,
    pub(super) map: Option<SourceMap>,
    pub(super) bundle: Option<BundleMap>,
    pub(super) source: Arc<str>,
    pub(super) links: HashMap<String, Link>,
}

impl ScannedFile {
    /// An error of the compiler, moved to where it is in the original source.
    pub(super) fn locate(&self, url: &str, error: compile::CompileError) -> ProgramError {
        let (mut line, mut column) = (error.line, error.column);
        if let Some(place) = self.map.as_ref().and_then(|m| m.original(line, column)) {
            (line, column) = place;
        }
        let kind = ProgramErrorKind::Syntax;
        ProgramError {
            kind,
            file: url.to_owned(),
            line,
            column,
            message: error.message,
        }
    }
}

/// The files met so far.
pub(super) struct Graph<'a> {
    loader: &'a dyn Loader,
    builtins: &'a Builtins,
    pub(super) files: HashMap<String, ScannedFile>,
    pub(super) order: Vec<String>,
    pub(super) imported: HashMap<String, BTreeSet<String>>,
    pub(super) builtin_imports: BTreeMap<String, BTreeSet<String>>,
    pub(super) imports: Vec<Import>,
    pub(super) map_faults: Vec<MapFault>,
    pub(super) errors: Vec<ProgramError>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(loader: &'a dyn Loader, builtins: &'a Builtins) -> Self {
        Self {
            loader,
            builtins,
            files: HashMap::new(),
            order: Vec::new(),
            imported: HashMap::new(),
            builtin_imports: BTreeMap::new(),
            imports: Vec::new(),
            map_faults: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Reads the script at URL `entry` and all that it imports.
    pub(super) fn collect(&mut self, entry: &str) {
        match self.loader.load(entry) {
            Err(message) => {
                self.errors.push(ProgramError::whole(
                    ProgramErrorKind::Module,
                    entry,
                    message,
                ));
            }
            Ok(source) => {
                let mut queue = VecDeque::from([(entry.to_owned(), source)]);
                let mut seen = BTreeSet::from([entry.to_owned()]);
                while let Some((url, source)) = queue.pop_front() {
                    self.add(url, source, &mut queue, &mut seen);
                }
            }
        }
    }

    fn add(
        &mut self,
        url: String,
        source: SourceFile,
        queue: &mut VecDeque<(String, SourceFile)>,
        seen: &mut BTreeSet<String>,
    ) {
        self.order.push(url.clone());
        let text: Arc<str> = source.text.into();
        let parsed = match Parsed::of(&url, &text, source.typescript) {
            Ok(parsed) => parsed,
            Err(errors) => return self.errors.extend(errors),
        };
        let Parsed {
            code,
            nesting,
            map,
            scan,
        } = parsed;
        let loader = self.loader;
        let read = |at: &str| loader.load(at).map(|source| source.text);
        let bundle = match BundleMap::read(&url, &text, read) {
            Some(Ok(bundle)) => Some(bundle),
            Some(Err(fault)) => {
                self.map_faults.push(fault);
                None
            }
            None => None,
        };
        let mut links = HashMap::with_capacity(scan.requests.len());
        for request in &scan.requests {
            let link = match self.link(&url, request, queue, seen) {
                Ok(link) => link,
                Err(message) if request.kind == RequestKind::Require => Link::Missing(message),
                Err(message) => {
                    let (mut line, mut column) = (request.line, request.column);
                    if let Some(place) = map
                        .as_ref()
                        .and_then(|m: &SourceMap| m.original(line, column))
                    {
                        (line, column) = place;
                    }
                    let kind = ProgramErrorKind::Module;
                    self.errors.push(ProgramError {
                        kind,
                        file: url.clone(),
                        line,
                        column,
                        message,
                    });
                    continue;
                }
            };
            if request.kind == RequestKind::Import {
                self.imports
                    .extend(import(&url, request, &link, map.as_ref()));
            }
            links.insert(request.specifier.clone(), link);
        }
        self.files.insert(
            url,
            ScannedFile {
                scan,
                code,
                nesting,
                map,
                bundle,
                source: text,
                links,
            },
        );
    }

    /// Resolves one request, queues its file when it is new, and notes the names it
    /// imports.
    fn link(
        &mut self,
        referrer: &str,
        request: &Request,
        queue: &mut VecDeque<(String, SourceFile)>,
        seen: &mut BTreeSet<String>,
    ) -> Result<Link, String> {
        let specifier = &request.specifier;
        if self.builtins.contains(specifier) {
            let names = self.builtin_imports.entry(specifier.clone()).or_default();
            names.extend(request.names.keys().cloned());
            return Ok(Link::Builtin(specifier.clone()));
        }
        let target = self.loader.resolve(specifier, referrer)?;
        if !seen.contains(&target) {
            let source = self.loader.load(&target)?;
            seen.insert(target.clone());
            queue.push_back((target.clone(), source));
        }
        let names = self.imported.entry(target.clone()).or_default();
        names.extend(request.names.keys().cloned());
        Ok(Link::File(target))
    }
}

/// A file as its parsers read it.
struct Parsed {
    code: String,
    nesting: Nesting,
    map: Option<SourceMap>,
    scan: Scan,
}

impl Parsed {
    fn of(url: &str, text: &str, is_typescript: bool) -> Result<Self, Vec<ProgramError>> {
        let nesting = checked_nesting(url, text)?;
        let no_stack = |error: depth::StackError| {
            let error = error.to_string();
            vec![ProgramError::whole(ProgramErrorKind::Host, url, error)]
        };
        let (code, map) = if is_typescript {
            let stripped = depth::with_stack_for(nesting, || typescript::strip(url, text));
            let (code, map) = stripped.map_err(no_stack)??;
            (code, Some(map))
        } else {
            (text.to_owned(), None)
        };
        let nesting = if is_typescript {
            checked_nesting(url, &code)?
        } else {
            nesting
        };
        let scanned = depth::with_stack_for(nesting, || scan::scan(&code)).map_err(no_stack)?;
        let scan = scanned.map_err(|error| {
            vec![ProgramError {
                kind: ProgramErrorKind::Syntax,
                file: url.to_owned(),
                line: error.line,
                column: error.column,
                message: error.message,
            }]
        })?;
        Ok(Self {
            code,
            nesting,
            map,
            scan,
        })
    }
}

fn checked_nesting(url: &str, text: &str) -> Result<Nesting, Vec<ProgramError>> {
    let nesting = Nesting::of(text);
    if nesting.levels <= NESTING_MAX {
        return Ok(nesting);
    }
    let offset = u32::try_from(nesting.offset).unwrap_or(u32::MAX);
    let (line, column) = scan::position(text, offset);
    Err(vec![ProgramError {
        kind: ProgramErrorKind::Syntax,
        file: url.to_owned(),
        line,
        column,
        message: format!("code is nested more than {NESTING_MAX} levels deep"),
    }])
}

/// What a request imports, at the places of the original source.
fn import(file: &str, request: &Request, link: &Link, map: Option<&SourceMap>) -> Option<Import> {
    let (module, is_builtin) = match link {
        Link::Builtin(name) => (name, true),
        Link::File(url) => (url, false),
        Link::Missing(_) => return None,
    };
    let original = |(line, column): (u32, u32)| {
        let place = map.and_then(|map| map.original(line, column));
        place.unwrap_or((line, column))
    };
    let names = request.names.iter();
    Some(Import {
        file: file.to_owned(),
        specifier: request.specifier.clone(),
        module: module.clone(),
        is_builtin,
        statement: original(request.statement),
        names: names
            .map(|(name, place)| (name.clone(), original(*place)))
            .collect(),
    })
}
