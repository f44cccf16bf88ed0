//! Finds code that changes what users of a realm share: built-in objects, the global
//! object, built-in modules.
//!
//! Only what the text of a function plainly shows counts. Top-level code is observed when
//! it runs, and the write barrier catches the rest. So this check only spares a run the
//! move from one realm to many; nothing else depends on it.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, CallExpression, Expression,
    Function, IdentifierReference, MemberExpression, SimpleAssignmentTarget, UnaryExpression,
    UnaryOperator, UpdateExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

use super::compile::Source;
use super::depth;
use super::link::ModuleKind;
use crate::builtin::Builtins;

/// Globals that each user has of its own, and the parameters of a wrapped CommonJS file.
const OWN: [&str; 4] = ["__ENV", "exports", "module", "arguments"];

/// Properties of modules such as `k6/execution` that belong to the user that reads them.
const OF_USER: [&str; 2] = ["tags", "metadata"];

/// Names that lead from any value to a built-in object.
const WAYS_UP: [&str; 2] = ["__proto__", "constructor"];

/// Functions that change their first argument.
const CHANGERS: [(&str, &[&str]); 2] = [
    (
        "Object",
        &[
            "assign",
            "defineProperties",
            "defineProperty",
            "freeze",
            "preventExtensions",
            "seal",
            "setPrototypeOf",
        ],
    ),
    (
        "Reflect",
        &[
            "defineProperty",
            "deleteProperty",
            "preventExtensions",
            "set",
            "setPrototypeOf",
        ],
    ),
];

/// The offset of the first such code in a file that parses.
pub(super) fn first_change(source: &Source<'_>, builtins: &Builtins) -> Option<u32> {
    let find = || {
        let is_builtin = |name: &str| builtins.contains(name);
        find_change(source.code, source.kind, &is_builtin)
    };
    // It only spares a run the move to many realms.
    depth::with_stack_for(source.nesting, find).ok().flatten()
}

fn find_change(code: &str, kind: ModuleKind, is_builtin: &dyn Fn(&str) -> bool) -> Option<u32> {
    let allocator = Allocator::default();
    let source_type = match kind {
        ModuleKind::Esm => SourceType::mjs(),
        ModuleKind::CommonJs => SourceType::cjs(),
    };
    let parsed = Parser::new(&allocator, code, source_type).parse();
    let scoping = SemanticBuilder::new()
        .build(&parsed.program)
        .semantic
        .into_scoping();
    let record = &parsed.module_record;
    let imported = record
        .import_entries
        .iter()
        .filter(|entry| is_builtin(entry.module_request.name.as_str()))
        .map(|entry| entry.local_name.name.as_str())
        .collect();
    let mut finder = Finder {
        scoping: &scoping,
        imported,
        depth: 0,
        found: None,
    };
    finder.visit_program(&parsed.program);
    finder.found
}

struct Finder<'s> {
    scoping: &'s Scoping,
    /// Local names of what built-in modules export.
    imported: Vec<&'s str>,
    /// Functions around the present place.
    depth: u32,
    found: Option<u32>,
}

impl Finder<'_> {
    fn note(&mut self, span: Span) {
        if self.depth > 0 && self.found.is_none() {
            self.found = Some(span.start);
        }
    }

    /// Whether a name is not a variable of the file.
    fn is_free(&self, name: &IdentifierReference<'_>) -> bool {
        name.reference_id
            .get()
            .is_none_or(|id| self.scoping.get_reference(id).symbol_id().is_none())
    }

    /// Whether a value is common to users: reached from a global, from what a built-in
    /// module exports, or by way of a prototype.
    fn is_common(&self, value: &Expression<'_>) -> bool {
        match value.get_inner_expression() {
            Expression::Identifier(name) => {
                if self.is_free(name) {
                    return !OWN.contains(&name.name.as_str());
                }
                self.imported.contains(&name.name.as_str())
            }
            Expression::CallExpression(call) => {
                let (object, function) = called(call);
                matches!(object, Some("Object" | "Reflect")) && function == Some("getPrototypeOf")
            }
            other => other
                .as_member_expression()
                .is_some_and(|member| self.is_common_member(member)),
        }
    }

    fn is_common_member(&self, member: &MemberExpression<'_>) -> bool {
        let name = member.static_property_name();
        if name.is_some_and(|name| WAYS_UP.contains(&name)) {
            return true;
        }
        !name.is_some_and(|name| OF_USER.contains(&name)) && self.is_common(member.object())
    }

    /// Whether writing to `member` changes something common: its object is.
    fn writes_common(&self, member: &MemberExpression<'_>) -> bool {
        self.is_common(member.object())
    }

    fn writes_to(&self, target: &SimpleAssignmentTarget<'_>) -> bool {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                self.is_free(name) && !OWN.contains(&name.name.as_str())
            }
            other => other
                .as_member_expression()
                .is_some_and(|member| self.writes_common(member)),
        }
    }
}

/// `Object.assign(...)` is `(Some("Object"), Some("assign"))`.
fn called<'c>(call: &'c CallExpression<'_>) -> (Option<&'c str>, Option<&'c str>) {
    let Some(member) = call.callee.as_member_expression() else {
        return (None, None);
    };
    let object = match member.object() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    };
    (object, member.static_property_name())
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: oxc_syntax::scope::ScopeFlags) {
        self.depth += 1;
        walk::walk_function(self, function, flags);
        self.depth -= 1;
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.depth += 1;
        walk::walk_arrow_function_expression(self, function);
        self.depth -= 1;
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let writes = match &assignment.left {
            AssignmentTarget::ArrayAssignmentTarget(_)
            | AssignmentTarget::ObjectAssignmentTarget(_) => false,
            left => left
                .as_simple_assignment_target()
                .is_some_and(|target| self.writes_to(target)),
        };
        if writes {
            self.note(assignment.span());
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        if self.writes_to(&update.argument) {
            self.note(update.span());
        }
        walk::walk_update_expression(self, update);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        let deletes = unary.operator == UnaryOperator::Delete
            && unary
                .argument
                .as_member_expression()
                .is_some_and(|member| self.writes_common(member));
        if deletes {
            self.note(unary.span());
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let (object, function) = called(call);
        let changes = CHANGERS.iter().any(|(of, names)| {
            object == Some(of) && function.is_some_and(|name| names.contains(&name))
        });
        let first = call
            .arguments
            .first()
            .and_then(|first| first.as_expression());
        if changes && first.is_some_and(|first| self.is_common(first)) {
            self.note(call.span());
        }
        walk::walk_call_expression(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(code: &str) -> bool {
        find_change(code, ModuleKind::Esm, &|name| name.starts_with("k6")).is_some()
    }

    #[test]
    fn changes_of_built_in_objects_are_seen() {
        for code in [
            "Array.prototype.last = 1",
            "delete Math.max",
            "globalThis.count++",
            "count = 1",
            "[].__proto__.x = 1",
            "'x'.constructor.prototype.y = 2",
            "Object.defineProperty(Date.prototype, 'x', {})",
            "Object.assign(Math, {})",
            "Object.getPrototypeOf([]).x = 1",
            "http.get = 1",
            "Reflect.set(globalThis, 'x', 1)",
        ] {
            let code = format!("import http from 'k6/http'; function f() {{ {code} }}");
            assert!(changes(&code), "{code}");
        }
    }

    #[test]
    fn changes_of_a_users_own_are_not() {
        for code in [
            "state.x = 1; state[key].y++",
            "lib.x = 1",
            "Old.prototype.speak = 1",
            "Object.assign({}, other)",
            "Object.freeze(state)",
            "__ENV.X = 'y'",
            "exec.vu.tags.x = 'y'",
            "exec.vu.metrics.tags['x'] = 'y'",
            "const p = new Thing(); p.x = 1; delete p.x",
            "arguments[0] = 1",
        ] {
            let code = format!(
                "import lib from './lib.js'; import exec from 'k6/execution'; const state = {{}}; function Old() {{}} class Thing {{}} function f(key, other) {{ {code} }}"
            );
            assert!(!changes(&code), "{code}");
        }
    }

    #[test]
    fn top_level_code_shows_itself_when_it_runs() {
        assert!(!changes(
            "if (!Array.prototype.at) { Array.prototype.at = 1; }"
        ));
    }
}
