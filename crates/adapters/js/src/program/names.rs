//! What the files of a program take from their surroundings: globals, modules, and members of both.
//!
//! Only what the text plainly shows counts: `crypto.subtle`, `require('fs').writeFile`, names taken out of an
//! object. A name that a file asks for with `typeof` counts as one that it can do without, and a member that
//! some file sets as one of its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, AssignmentTarget, BindingPattern, Expression, IdentifierReference, ImportDeclaration,
    ImportDeclarationSpecifier, PropertyKey, StaticMemberExpression, UnaryExpression,
    UnaryOperator, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_semantic::{Scoping, SemanticBuilder, SymbolId};
use oxc_span::{GetSpan, SourceType};

use super::depth::{self, Nesting};
use super::link::{Link, ModuleKind};
use super::scan::position;
use super::{Program, typescript};

/// Parameters of a wrapped CommonJS file.
const OF_FILE: [&str; 6] = [
    "exports",
    "module",
    "require",
    "arguments",
    "__filename",
    "__dirname",
];

/// Names below a global or a module that are followed: `fs.promises.readFile` has two.
const NAME_DEPTH_MAX: usize = 2;

/// A file of a program, as it is compiled.
#[derive(Debug)]
pub struct ProgramFile<'p> {
    /// Its URL.
    pub url: &'p str,
    /// Whether it is a module.
    pub kind: ModuleKind,
    /// Its JavaScript: the text itself, or TypeScript with its types removed.
    pub code: Cow<'p, str>,
    /// Whether `code` is not the text of the file.
    pub is_typescript: bool,
    /// What its specifiers lead to, as URLs; built-in and missing modules are left out.
    pub links: BTreeMap<&'p str, &'p str>,
}

/// A name that a file uses and does not declare.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsedName {
    /// URL of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The module it is taken from, as the file names it; `None` for a global.
    pub module: Option<String>,
    /// The name and the members read of it: `crypto` and `subtle`. Empty for a module as such.
    pub path: Vec<String>,
}

impl Program {
    /// Its files, in the order of their URLs.
    #[must_use]
    pub fn files(&self) -> Vec<ProgramFile<'_>> {
        let sorted: BTreeMap<_, _> = self.modules.iter().collect();
        let files = sorted.into_iter().map(|(url, module)| {
            let is_typescript = module.map.is_some();
            let stripped = is_typescript.then(|| {
                let nesting = Nesting::of(&module.source);
                depth::with_stack_for(nesting, || typescript::strip(url, &module.source))
            });
            let code = match stripped {
                Some(Ok(Ok((code, _)))) => Cow::Owned(code),
                // It was stripped when the program was made.
                Some(Ok(Err(_)) | Err(_)) | None => Cow::Borrowed(&*module.source),
            };
            let links = module.links.iter().filter_map(|(specifier, link)| {
                let Link::File(target) = link else {
                    return None;
                };
                Some((specifier.as_str(), target.as_str()))
            });
            ProgramFile {
                url,
                kind: module.kind,
                code,
                is_typescript,
                links: links.collect(),
            }
        });
        files.collect()
    }

    /// The names its files use and do not declare, in the order of their places.
    #[must_use]
    pub fn names_used(&self) -> Vec<UsedName> {
        let files = self.files();
        let mut used = Vec::new();
        let mut set = BTreeSet::new();
        for file in &files {
            let found = of_file(file);
            set.extend(found.set);
            used.extend(found.used.into_iter().map(|(offset, place)| {
                let (line, column) = position(&file.code, offset);
                let map = self.modules[file.url].map.as_ref();
                let original = map.and_then(|map| map.original(line, column));
                let (line, column) = original.unwrap_or((line, column));
                UsedName {
                    file: file.url.to_owned(),
                    line,
                    column,
                    module: place.module,
                    path: place.path,
                }
            }));
        }
        used.retain(|name| {
            !set.iter()
                .any(|set| set.module == name.module && name.path.starts_with(&set.path))
        });
        used.sort();
        used
    }
}

/// A global, a module, or a member of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    module: Option<String>,
    path: Vec<String>,
}

impl Place {
    fn member(mut self, name: &str) -> Self {
        let names = self.path.len() - usize::from(self.module.is_none());
        if names < NAME_DEPTH_MAX {
            self.path.push(name.to_owned());
        }
        self
    }
}

/// What a file shows.
#[derive(Default)]
struct FileNames {
    /// With the offset of each.
    used: Vec<(u32, Place)>,
    /// Members that it sets.
    set: Vec<Place>,
}

fn of_file(file: &ProgramFile<'_>) -> FileNames {
    let nesting = Nesting::of(&file.code);
    let names = depth::with_stack_for(nesting, || parsed_names(file));
    // Names are looked for to warn of missing ones: it was compiled on such a stack before.
    names.unwrap_or_default()
}

fn parsed_names(file: &ProgramFile<'_>) -> FileNames {
    let allocator = Allocator::default();
    let source_type = match file.kind {
        ModuleKind::Esm => SourceType::mjs(),
        ModuleKind::CommonJs => SourceType::cjs(),
    };
    let parsed = Parser::new(&allocator, &file.code, source_type).parse();
    let scoping = SemanticBuilder::new()
        .build(&parsed.program)
        .semantic
        .into_scoping();
    let mut finder = Finder {
        scoping: &scoping,
        bound: HashMap::new(),
        doubted: BTreeSet::new(),
        found: FileNames {
            used: Vec::new(),
            set: Vec::new(),
        },
    };
    // Functions can use what is only bound below them: the second time all bindings are known.
    finder.visit_program(&parsed.program);
    finder.found.used.clear();
    finder.found.set.clear();
    finder.visit_program(&parsed.program);
    let Finder {
        mut found, doubted, ..
    } = finder;
    found.used.retain(|(_, place)| {
        place.module.is_some()
            || place
                .path
                .first()
                .is_none_or(|name| !doubted.contains(name))
    });
    found
}

struct Finder<'s> {
    scoping: &'s Scoping,
    /// Variables that stand for a module or a member of one.
    bound: HashMap<SymbolId, Place>,
    /// Globals that the file asks for with `typeof`.
    doubted: BTreeSet<String>,
    found: FileNames,
}

impl Finder<'_> {
    fn of_identifier(&self, name: &IdentifierReference<'_>) -> Option<Place> {
        let reference = name.reference_id.get();
        let symbol = reference.and_then(|id| self.scoping.get_reference(id).symbol_id());
        if let Some(symbol) = symbol {
            return self.bound.get(&symbol).cloned();
        }
        let is_of_file = OF_FILE.contains(&name.name.as_str());
        (!is_of_file).then(|| Place {
            module: None,
            path: vec![name.name.to_string()],
        })
    }

    fn place_of(&self, value: &Expression<'_>) -> Option<Place> {
        match value.get_inner_expression() {
            Expression::Identifier(name) => self.of_identifier(name),
            Expression::StaticMemberExpression(member) => self.of_member(member),
            Expression::AwaitExpression(awaited) => self.place_of(&awaited.argument),
            Expression::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(specifier) => Some(module(&specifier.value)),
                _ => None,
            },
            Expression::CallExpression(call) => {
                let Expression::Identifier(callee) = &call.callee else {
                    return None;
                };
                let is_require = callee.name == "require"
                    && callee
                        .reference_id
                        .get()
                        .is_none_or(|id| self.scoping.get_reference(id).symbol_id().is_none());
                match call.arguments.as_slice() {
                    [Argument::StringLiteral(specifier)] if is_require => {
                        Some(module(&specifier.value))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn of_member(&self, member: &StaticMemberExpression<'_>) -> Option<Place> {
        let object = self.place_of(&member.object)?;
        Some(object.member(&member.property.name))
    }

    fn note(&mut self, offset: u32, place: Place) {
        self.found.used.push((offset, place));
    }

    /// Variables that are given a module or what is in one.
    fn bind(&mut self, pattern: &BindingPattern<'_>, place: &Place) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let (Some(symbol), true) = (name.symbol_id.get(), place.module.is_some()) {
                    self.bound.insert(symbol, place.clone());
                }
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let PropertyKey::StaticIdentifier(name) = &property.key else {
                        continue;
                    };
                    let member = place.clone().member(&name.name);
                    self.note(property.span.start, member.clone());
                    self.bind(&property.value, &member);
                }
            }
            BindingPattern::AssignmentPattern(pattern) => self.bind(&pattern.left, place),
            BindingPattern::ArrayPattern(_) => {}
        }
    }
}

fn module(specifier: &str) -> Place {
    Place {
        module: Some(specifier.to_owned()),
        path: Vec::new(),
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        let whole = module(&import.source.value);
        self.note(import.source.span.start, whole.clone());
        for specifier in import.specifiers.iter().flatten() {
            let (local, place) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    let member = whole.clone().member(&named.imported.name());
                    self.note(named.span.start, member.clone());
                    (&named.local, member)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                    (&default.local, whole.clone())
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                    (&all.local, whole.clone())
                }
            };
            if let Some(symbol) = local.symbol_id.get() {
                self.bound.insert(symbol, place);
            }
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let Some(place) = declarator
            .init
            .as_ref()
            .and_then(|init| self.place_of(init))
        {
            self.bind(&declarator.id, &place);
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if let Some(place) = self.of_identifier(name) {
            self.note(name.span.start, place);
        }
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if let Expression::CallExpression(_) | Expression::ImportExpression(_) = expression
            && let Some(place) = self.place_of(expression)
        {
            // A module that is asked for.
            return self.note(expression.span().start, place);
        }
        walk::walk_expression(self, expression);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        match self.of_member(member) {
            Some(place) => self.note(member.span.start, place),
            None => walk::walk_static_member_expression(self, member),
        }
    }

    fn visit_assignment_target(&mut self, target: &AssignmentTarget<'a>) {
        if let AssignmentTarget::StaticMemberExpression(member) = target
            && let Some(place) = self.of_member(member)
        {
            return self.found.set.push(place);
        }
        walk::walk_assignment_target(self, target);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if let (UnaryOperator::Typeof, Expression::Identifier(name)) =
            (unary.operator, &unary.argument)
        {
            self.doubted.insert(name.name.to_string());
            return;
        }
        walk::walk_unary_expression(self, unary);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Builtins;
    use crate::program::{Loader, SourceFile};

    /// One file; every module it asks for is an empty one.
    struct OneFile(&'static str, bool);

    impl Loader for OneFile {
        fn resolve(&self, specifier: &str, _: &str) -> Result<String, String> {
            Ok(format!("other:{specifier}"))
        }

        fn load(&self, url: &str) -> Result<SourceFile, String> {
            let is_entry = url == "file:///a";
            Ok(SourceFile {
                text: if is_entry { self.0 } else { "" }.to_owned(),
                typescript: is_entry && self.1,
            })
        }
    }

    fn names(text: &'static str, typescript: bool) -> Vec<String> {
        let loader = Arc::new(OneFile(text, typescript));
        let program = Program::build("file:///a", loader, Builtins::new()).unwrap();
        let shown = program.names_used().into_iter().map(|name| {
            let module = name.module.map(|module| format!("{module}!"));
            format!(
                "{}:{} {}{}",
                name.line,
                name.column,
                module.unwrap_or_default(),
                name.path.join(".")
            )
        });
        shown.collect()
    }

    #[test]
    fn globals_and_their_members_are_found_own_names_are_not() {
        assert_eq!(
            names(
                "function f(a) { return a.fetch(b => crypto.subtle.digest(b)); }\nmodule.exports = { f };",
                false
            ),
            ["1:37 crypto.subtle.digest"]
        );
        assert_eq!(
            names("if (typeof fetch === 'function') fetch('x');", false),
            [""; 0]
        );
        assert_eq!(
            names("global.count = 0; console.log(global.count);", false),
            ["1:19 console.log"]
        );
    }

    #[test]
    fn members_of_modules_are_followed_through_variables() {
        assert_eq!(
            names(
                "f();\nfunction f() { fs.promises.readFile('x'); write(); }\nconst fs = require('fs');\nconst { writeFile: write } = fs;",
                false
            ),
            [
                "2:16 fs!promises.readFile",
                "2:43 fs!writeFile",
                "3:12 fs!",
                "4:9 fs!writeFile",
                "4:30 fs!"
            ]
        );
        assert_eq!(
            names(
                "import ax, { get } from 'axios';\nexport const f = () => ax.post(get);",
                false
            ),
            [
                "1:14 axios!get",
                "1:25 axios!",
                "2:24 axios!post",
                "2:32 axios!get"
            ]
        );
    }

    #[test]
    fn types_are_no_names_and_places_are_those_of_the_source() {
        assert_eq!(
            names(
                "type T = Response;\n\nexport function f(r: T): URL { return new URL(r as any); }",
                true
            ),
            ["3:43 URL"]
        );
    }
}
