//! What a JavaScript file imports, exports and is, read from its syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, AwaitExpression, CallExpression, Expression,
    ForOfStatement, Function, ObjectPropertyKind, Program, PropertyKey,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

use super::link::ModuleKind;

/// What the syntax of a file shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) kind: ModuleKind,
    pub(crate) requests: Vec<Request>,
    /// Names a CommonJS file visibly exports; empty for modules.
    pub(crate) exports: BTreeSet<String>,
    /// Names a module exports by its own text; empty for CommonJS.
    pub(crate) offered: BTreeSet<String>,
    pub(crate) uses_import_meta: bool,
}

/// One specifier a file asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) specifier: String,
    pub(crate) kind: RequestKind,
    /// Names imported from it, with line and column of each.
    pub(crate) names: BTreeMap<String, (u32, u32)>,
    /// Line and column of the statement that asks.
    pub(crate) statement: (u32, u32),
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Import,
    Require,
}

/// Why a file does not parse.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ScanError {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
}

/// Scans a file of JavaScript.
pub(crate) fn scan(text: &str) -> Result<Scan, ScanError> {
    let allocator = Allocator::default();
    // A file is a module by its syntax. Without import and export, top-level `await` makes
    // it one, and only parsing it as a module shows that `await` is not a name there.
    let script = Parser::new(&allocator, text, SourceType::unambiguous()).parse();
    let failed = script.panicked || script.diagnostics.has_errors();
    let parsed = if script.module_record.has_module_syntax && !failed {
        script
    } else {
        let module = Parser::new(&allocator, text, SourceType::mjs()).parse();
        let is_module = !module.panicked
            && !module.diagnostics.has_errors()
            && (module.module_record.has_module_syntax || awaits_at_top(&module.program));
        if is_module {
            module
        } else {
            Parser::new(&allocator, text, SourceType::cjs()).parse()
        }
    };
    if parsed.panicked || parsed.diagnostics.has_errors() {
        let first = parsed.diagnostics.into_vec().into_iter().next();
        let offset = first
            .as_ref()
            .and_then(|d| d.labels.first())
            .map_or(0, |l| l.offset());
        let (line, column) = position(text, offset);
        let message = first.map_or_else(|| "invalid syntax".to_owned(), |d| d.message.to_string());
        return Err(ScanError {
            line,
            column,
            message,
        });
    }
    let record = &parsed.module_record;
    let is_module = parsed.program.source_type.is_module();
    let mut requests = Vec::new();
    for (specifier, places) in &record.requested_modules {
        let Some(place) = places.first() else {
            continue;
        };
        let (line, column) = position(text, place.span.start);
        requests.push(Request {
            specifier: specifier.to_string(),
            kind: RequestKind::Import,
            names: imported_names(text, record, specifier),
            statement: position(text, place.statement_span.start),
            line,
            column,
        });
    }
    requests.sort_by_key(|request| (request.line, request.column));
    let scoping = SemanticBuilder::new()
        .build(&parsed.program)
        .semantic
        .into_scoping();
    let mut visitor = CommonJsVisitor {
        scoping: &scoping,
        text,
        requests,
        exports: BTreeSet::new(),
    };
    visitor.visit_program(&parsed.program);
    let CommonJsVisitor {
        requests, exports, ..
    } = visitor;
    Ok(Scan {
        kind: if is_module {
            ModuleKind::Esm
        } else {
            ModuleKind::CommonJs
        },
        requests,
        exports: if is_module { BTreeSet::new() } else { exports },
        offered: record
            .exported_bindings
            .keys()
            .map(ToString::to_string)
            .collect(),
        uses_import_meta: !record.import_metas.is_empty(),
    })
}

fn imported_names(
    text: &str,
    record: &oxc_syntax::module_record::ModuleRecord<'_>,
    specifier: &str,
) -> BTreeMap<String, (u32, u32)> {
    use oxc_syntax::module_record::{ExportImportName, ImportImportName};
    let mut names = BTreeMap::new();
    let mut add = |name: &str, span: Span| {
        names
            .entry(name.to_owned())
            .or_insert_with(|| position(text, span.start));
    };
    for entry in &record.import_entries {
        if entry.module_request.name.as_str() == specifier {
            match &entry.import_name {
                ImportImportName::Name(name) => add(&name.name, name.span),
                ImportImportName::Default(span) => add("default", *span),
                ImportImportName::NamespaceObject => {}
            }
        }
    }
    for entry in &record.indirect_export_entries {
        let from = entry
            .module_request
            .as_ref()
            .map(|request| request.name.as_str());
        if from == Some(specifier)
            && let ExportImportName::Name(name) = &entry.import_name
        {
            add(&name.name, name.span);
        }
    }
    names
}

/// Line and column (from 1, in characters) of a byte offset.
pub(crate) fn position(text: &str, offset: u32) -> (u32, u32) {
    let before = &text[..text.floor_char_boundary((offset as usize).min(text.len()))];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (
        u32::try_from(line).unwrap_or(u32::MAX),
        u32::try_from(column).unwrap_or(u32::MAX),
    )
}

/// Whether `await` is used outside any function.
fn awaits_at_top(program: &Program<'_>) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
            self.0 = true;
        }
        fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
            self.0 |= statement.r#await;
            walk::walk_for_of_statement(self, statement);
        }
        fn visit_function(&mut self, _: &Function<'a>, _: oxc_syntax::scope::ScopeFlags) {}
        fn visit_arrow_function_expression(
            &mut self,
            _: &oxc_ast::ast::ArrowFunctionExpression<'a>,
        ) {
        }
    }
    let mut finder = Finder(false);
    finder.visit_program(program);
    finder.0
}

/// Collects `require("...")` calls and what a CommonJS file visibly exports.
struct CommonJsVisitor<'s> {
    scoping: &'s Scoping,
    text: &'s str,
    requests: Vec<Request>,
    exports: BTreeSet<String>,
}

impl CommonJsVisitor<'_> {
    /// Whether the expression is the free variable `name`.
    fn is_free(&self, expression: &Expression<'_>, name: &str) -> bool {
        let Expression::Identifier(identifier) = expression else {
            return false;
        };
        identifier.name == name
            && identifier
                .reference_id
                .get()
                .is_none_or(|id| self.scoping.get_reference(id).symbol_id().is_none())
    }

    /// Whether the expression is `exports` or `module.exports`.
    fn is_exports(&self, expression: &Expression<'_>) -> bool {
        if self.is_free(expression, "exports") {
            return true;
        }
        matches!(expression, Expression::StaticMemberExpression(member)
            if member.property.name == "exports" && self.is_free(&member.object, "module"))
    }

    fn require(&mut self, specifier: &str, span: Span) {
        if self
            .requests
            .iter()
            .any(|request| request.specifier == specifier)
        {
            return;
        }
        let (line, column) = position(self.text, span.start);
        self.requests.push(Request {
            specifier: specifier.to_owned(),
            kind: RequestKind::Require,
            names: BTreeMap::new(),
            statement: (line, column),
            line,
            column,
        });
    }
}

impl<'a> Visit<'a> for CommonJsVisitor<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if self.is_free(&call.callee, "require")
            && let [Argument::StringLiteral(specifier)] = call.arguments.as_slice()
        {
            self.require(&specifier.value, specifier.span());
        }
        if let Expression::StaticMemberExpression(callee) = &call.callee
            && callee.property.name == "defineProperty"
            && let [target, Argument::StringLiteral(name), ..] = call.arguments.as_slice()
            && target
                .as_expression()
                .is_some_and(|target| self.is_exports(target))
        {
            self.exports.insert(name.value.to_string());
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let AssignmentTarget::StaticMemberExpression(left) = &assignment.left {
            if self.is_exports(&left.object) {
                self.exports.insert(left.property.name.to_string());
            } else if left.property.name == "exports"
                && self.is_free(&left.object, "module")
                && let Expression::ObjectExpression(object) = &assignment.right
            {
                for property in &object.properties {
                    if let ObjectPropertyKind::ObjectProperty(property) = property
                        && let PropertyKey::StaticIdentifier(name) = &property.key
                    {
                        self.exports.insert(name.name.to_string());
                    }
                }
            }
        }
        walk::walk_assignment_expression(self, assignment);
    }
}
