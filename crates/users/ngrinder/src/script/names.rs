//! Names of variables and functions: those that JavaScript or k6 have already get another.

use std::collections::{BTreeMap, BTreeSet};

use crate::form::{Program, StmtKind};

/// Words of JavaScript, and what the written script declares itself.
const TAKEN_NAMES: [&str; 73] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "http",
    "check",
    "group",
    "sleep",
    "exec",
    "encoding",
    "options",
    "setup",
    "teardown",
    "handleSummary",
    "open",
    "console",
    "crypto",
    "JSON",
    "Math",
    "Object",
    "Number",
    "String",
    "Array",
    "Date",
    "isStarted",
    "timeout",
    "addCookie",
    "self",
];

/// What further helpers of the written script are called.
const HELPER_NAMES: [&str; 6] = [
    "attempt",
    "isDue",
    "withQuery",
    "bodyFrom",
    "range",
    "anyOf",
];

#[derive(Debug)]
pub(super) struct Names {
    /// Variables and functions of the module.
    globals: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
    /// The names that the module uses.
    used: BTreeSet<String>,
    /// Variables of functions, the innermost block last.
    scopes: Vec<BTreeMap<String, String>>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Self {
        let mut names = Self {
            globals: BTreeMap::new(),
            functions: BTreeMap::new(),
            used: BTreeSet::new(),
            scopes: Vec::new(),
        };
        for function in &program.functions {
            let name = names.free(&function.name);
            names.used.insert(name.clone());
            names.functions.insert(function.name.clone(), name);
        }
        for stmt in &program.body {
            if let StmtKind::Let { name, .. } = &stmt.kind {
                names.declare_global(name);
            }
        }
        names
    }

    pub(super) fn declare_global(&mut self, name: &str) -> String {
        if let Some(known) = self.globals.get(name) {
            return known.clone();
        }
        let free = self.free(name);
        self.used.insert(free.clone());
        self.globals.insert(name.to_owned(), free.clone());
        free
    }

    /// The name itself, or with as many underscores behind it as it needs.
    fn free(&self, name: &str) -> String {
        let mut free: String = name
            .chars()
            .map(|char| {
                if char.is_alphanumeric() || char == '$' {
                    char
                } else {
                    '_'
                }
            })
            .collect();
        if !free.starts_with(|char: char| char.is_alphabetic() || char == '_' || char == '$') {
            free.insert(0, '_');
        }
        while TAKEN_NAMES.contains(&free.as_str())
            || HELPER_NAMES.contains(&free.as_str())
            || self.used.contains(&free)
        {
            free.push('_');
        }
        free
    }

    pub(super) fn function(&self, name: &str) -> Option<&str> {
        self.functions.get(name).map(String::as_str)
    }

    pub(super) fn global(&self, name: &str) -> Option<&str> {
        self.globals.get(name).map(String::as_str)
    }

    /// A variable that can be seen from here.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.or_else(|| self.globals.get(name)).map(String::as_str)
    }

    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    /// Leaves blocks until so many are open.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.scopes.truncate(depth);
    }

    /// A variable of the innermost block; of the module where there is none.
    pub(super) fn declare(&mut self, name: &str) -> String {
        let free = self.free(name);
        let Some(scope) = self.scopes.last_mut() else {
            return self.declare_global(name);
        };
        scope.insert(name.to_owned(), free.clone());
        free
    }
}
