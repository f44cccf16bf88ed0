//! What a script says of its names, wherever it says it: k6 scripts have no types.

use std::collections::{BTreeMap, BTreeSet};

pub(super) use super::kinds::{PAIR_CLASSES, ValueKind, is_pair, method_call, pair, variable};
use super::kinds::{is_empty, is_own, kind_of_class, literal_type, test_name};
use crate::form::{
    Arg, Expr, ExprKind, Program, Stmt, StmtKind, TemplatePart, visit_expressions, visit_statements,
};

/// Methods of requests.
pub(super) const REQUEST_METHODS: [&str; 7] =
    ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/// Methods that change what they are called of.
const CHANGING_METHODS: [&str; 8] = [
    "put",
    "add",
    "putAll",
    "addAll",
    "append",
    "extend",
    "update",
    "leftShift",
];

#[derive(Debug, Default)]
pub(super) struct Facts {
    kinds: BTreeMap<String, ValueKind>,
    /// The name of the test in a variable.
    tests: BTreeMap<String, String>,
    /// The test that a method is counted as.
    tests_of_methods: BTreeMap<String, String>,
    /// The test that requests of a variable are counted as; `name.GET` for those of one method.
    tests_of_requests: BTreeMap<String, String>,
    /// Names that are assigned after they were made, or changed.
    assigned: BTreeMap<String, usize>,
    changed: BTreeSet<String>,
    /// Names that began empty.
    empty: BTreeSet<String>,
    /// Whether any request has headers that all its calls send.
    pub(super) sets_headers: bool,
    /// What headers are set to.
    header_names: BTreeSet<String>,
    /// Whether literal headers of requests name the type of a body.
    types_headers: bool,
    pub(super) sets_timeout: bool,
    pub(super) names_content_type: bool,
    pub(super) names_form: bool,
    pub(super) follows_redirects: bool,
    pub(super) has_https: bool,
    /// HTTPClient and net.grinder.plugin.http, before nGrinder 3.5.
    pub(super) is_old_client: bool,
}

impl Facts {
    pub(super) fn new(program: &Program) -> Self {
        let mut facts = Self {
            is_old_client: is_old_client(program),
            ..Self::default()
        };
        for function in &program.functions {
            for param in &function.params {
                let kind = param.class.as_deref().and_then(kind_of_class);
                facts.note_kind(&param.name, kind);
            }
        }
        // Twice: a response that is used before the line that tells of its request.
        for body in program.bodies().chain(program.bodies()) {
            visit_statements(body, &mut |stmt| facts.note_statement(stmt));
        }
        for body in program.bodies() {
            visit_expressions(body, &mut |expr| facts.note_expression(expr));
        }
        let mut names = facts.header_names.iter();
        facts.sets_headers |= names.any(|name| !facts.is_empty_name(name));
        facts
    }

    fn note_kind(&mut self, name: &str, kind: Option<ValueKind>) {
        if let Some(kind) = kind {
            self.kinds.entry(name.to_owned()).or_insert(kind);
        }
    }

    fn note_statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, class, value } => {
                let declared = class.as_deref().and_then(kind_of_class);
                self.note_kind(name, declared);
                if let Some(value) = value {
                    self.note_value(name, value);
                }
            }
            StmtKind::Expr(expr) => {
                if let ExprKind::Assign { target, value, .. } = &expr.kind
                    && let Some(name) = variable(target)
                {
                    self.note_value(name, value);
                }
            }
            _ => {}
        }
    }

    fn note_value(&mut self, name: &str, value: &Expr) {
        self.note_kind(name, self.kind(value));
        if is_empty(value) {
            self.empty.insert(name.to_owned());
        } else {
            self.changed.insert(name.to_owned());
        }
        if let Some(test) = test_name(value, name) {
            self.tests.insert(name.to_owned(), test);
        }
        if let Some((test, _)) = method_call(value, "wrap")
            && let Some(test) = variable(test).and_then(|test| self.tests.get(test))
        {
            self.tests_of_requests.insert(name.to_owned(), test.clone());
            self.note_kind(name, Some(ValueKind::Request));
        }
    }

    fn note_expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(text) => self.note_text(text),
            ExprKind::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Text(text) = part {
                        self.note_text(text);
                    }
                }
            }
            ExprKind::Assign { target, .. } => self.note_assignment(target, expr),
            ExprKind::Step { target, .. } => {
                // A step is as good as two assignments.
                self.count_assignments(target, 2);
            }
            ExprKind::Binary {
                operator: "<<",
                left,
                right,
            } => self.note_addition(left, right),
            ExprKind::Call { callee, args } => self.note_call(callee, args),
            _ => {}
        }
    }

    fn note_text(&mut self, text: &str) {
        self.names_content_type |= text.eq_ignore_ascii_case("content-type");
        self.names_form |= text.contains("x-www-form-urlencoded");
        self.has_https |= text.starts_with("https://");
    }

    fn note_assignment(&mut self, target: &Expr, whole: &Expr) {
        match &target.kind {
            ExprKind::Index { receiver, .. } => self.note_change(receiver),
            ExprKind::Member { receiver, name, .. } => {
                self.note_change(receiver);
                self.sets_timeout |= name == "timeout" && !is_own(receiver);
                let is_on = |value: &Expr| {
                    !matches!(&value.kind, ExprKind::Bool(false))
                        && !matches!(&value.kind, ExprKind::Number(number) if number == "0")
                };
                if let ExprKind::Assign { value, .. } = &whole.kind {
                    self.follows_redirects |= name == "followRedirects" && is_on(value);
                }
            }
            _ => {}
        }
        self.count_assignments(target, 1);
    }

    fn count_assignments(&mut self, target: &Expr, count: usize) {
        if let Some(name) = variable(target) {
            *self.assigned.entry(name.to_owned()).or_default() += count;
        }
    }

    fn note_change(&mut self, receiver: &Expr) {
        let name = variable(receiver).map(str::to_owned);
        self.changed.extend(name);
    }

    fn note_addition(&mut self, receiver: &Expr, added: &Expr) {
        self.note_change(receiver);
        if is_pair(added)
            && let Some(name) = variable(receiver)
        {
            self.kinds.insert(name.to_owned(), ValueKind::Pairs);
        }
    }

    fn note_call(&mut self, callee: &Expr, args: &[Arg]) {
        let ExprKind::Member { receiver, name, .. } = &callee.kind else {
            self.note_headers_of(callee, args);
            return;
        };
        if CHANGING_METHODS.contains(&name.as_str()) {
            match args {
                [added] => self.note_addition(receiver, &added.value),
                _ => self.note_change(receiver),
            }
        }
        match name.as_str() {
            "setHeaders" => match args.first().and_then(|arg| variable(&arg.value)) {
                Some(name) => {
                    self.header_names.insert(name.to_owned());
                }
                None => {
                    self.sets_headers = true;
                    let named = args.first().and_then(|arg| literal_type(&arg.value));
                    self.types_headers |= named.unwrap_or(true);
                }
            },
            "addHeader" => {
                self.sets_headers = true;
                self.types_headers = true;
            }
            "setConnectionTimeout" | "setSocketTimeout" | "setTimeout" => self.sets_timeout = true,
            "setFollowRedirects" => self.follows_redirects = true,
            "record" => self.note_record(receiver, args),
            _ => {}
        }
    }

    /// `HTTPRequest(url=..., headers=...)`.
    fn note_headers_of(&mut self, callee: &Expr, args: &[Arg]) {
        let is_request = variable(callee) == Some("HTTPRequest");
        let has_headers = args
            .iter()
            .any(|arg| arg.name.as_deref() == Some("headers"));
        self.sets_headers |= is_request && has_headers;
    }

    /// `test.record(this, "method")`, `test.record(request)`, `test1.record(TestRunner.__call__)`.
    fn note_record(&mut self, receiver: &Expr, args: &[Arg]) {
        let test = variable(receiver).and_then(|name| self.tests.get(name));
        let (Some(test), Some(first)) = (test.cloned(), args.first()) else {
            return;
        };
        let second = args.get(1).and_then(|arg| match &arg.value.kind {
            ExprKind::Text(text) => Some(text.clone()),
            _ => None,
        });
        match (&first.value.kind, second) {
            (ExprKind::Name(name), Some(method)) if name == "this" || name == "self" => {
                self.tests_of_methods.insert(method, test);
            }
            (ExprKind::Name(request), Some(method)) => {
                let name = format!("{request}.{method}");
                self.tests_of_requests.insert(name, test);
            }
            (ExprKind::Name(request), None) => {
                self.tests_of_requests.insert(request.clone(), test);
            }
            (ExprKind::Member { name, .. }, None) => {
                let name = if name == "__call__" { "run" } else { name };
                self.tests_of_methods.insert(name.to_owned(), test);
            }
            _ => {}
        }
    }

    /// What a value is, where the script shows it.
    pub(super) fn kind(&self, expr: &Expr) -> Option<ValueKind> {
        match &expr.kind {
            ExprKind::Text(_) | ExprKind::Template(_) => Some(ValueKind::Text),
            ExprKind::List(items) if !items.is_empty() && items.iter().all(is_pair) => {
                Some(ValueKind::Pairs)
            }
            ExprKind::List(_) | ExprKind::Range { .. } => Some(ValueKind::List),
            ExprKind::Map(_) => Some(ValueKind::Map),
            ExprKind::New { class, .. } => kind_of_class(class),
            ExprKind::Cast { class, value } => kind_of_class(class).or_else(|| self.kind(value)),
            ExprKind::Binary {
                operator: "+",
                left,
                right,
            } => {
                let is_text = |side| self.kind(side) == Some(ValueKind::Text);
                (is_text(left) || is_text(right)).then_some(ValueKind::Text)
            }
            ExprKind::Name(name) => self.kinds.get(name).copied(),
            ExprKind::Member { receiver, name, .. } => match variable(expr) {
                Some(name) => self.kinds.get(name).copied(),
                None if name == "bytes" => Some(ValueKind::Text),
                None => self.kind(receiver).filter(|kind| *kind == ValueKind::Json),
            },
            ExprKind::Index { receiver, .. } => {
                self.kind(receiver).filter(|kind| *kind == ValueKind::Json)
            }
            ExprKind::Call { callee, .. } => self.kind_of_call(callee),
            _ => None,
        }
    }

    fn kind_of_call(&self, callee: &Expr) -> Option<ValueKind> {
        let (receiver, name) = match &callee.kind {
            ExprKind::Member { receiver, name, .. } => (Some(receiver), name.as_str()),
            ExprKind::Name(name) => (None, name.as_str()),
            _ => return None,
        };
        match name {
            name if REQUEST_METHODS.contains(&name) => Some(ValueKind::Response),
            "parseText" | "json" | "loads" | "getBody" => Some(ValueKind::Json),
            "getBytes" | "toString" | "toJson" | "dumps" | "getText" | "getBodyText" | "encode"
            | "toPrettyString" | "trim" | "substring" => Some(ValueKind::Text),
            "nvs" => Some(ValueKind::Pairs),
            "getConnectionDefaults" | "getThreadHTTPClientContext" | "current" => {
                Some(ValueKind::Needless)
            }
            "HTTPRequest" | "Test" | "Random" => kind_of_class(name),
            "wrap" => Some(ValueKind::Request),
            "toArray" => receiver.and_then(|receiver| self.kind(receiver)),
            "get" | "getAt" | "getJSONObject" => {
                let kind = receiver.and_then(|receiver| self.kind(receiver));
                kind.filter(|kind| *kind == ValueKind::Json)
            }
            _ => None,
        }
    }

    pub(super) fn kind_of_name(&self, name: &str) -> Option<ValueKind> {
        self.kinds.get(name).copied()
    }

    pub(super) fn test_of_method(&self, method: &str) -> Option<&str> {
        self.tests_of_methods.get(method).map(String::as_str)
    }

    pub(super) fn test_of_request(&self, request: &Expr, method: &str) -> Option<&str> {
        let name = variable(request)?;
        let of_method = self.tests_of_requests.get(&format!("{name}.{method}"));
        let test = of_method.or_else(|| self.tests_of_requests.get(name));
        test.map(String::as_str)
    }

    /// Whether a name stays what it was made.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        !self.assigned.contains_key(name)
    }

    /// The same of a name whose first assignment declares it, as in Python.
    pub(super) fn is_assigned_once(&self, name: &str) -> bool {
        self.assigned.get(name).is_none_or(|count| *count == 1)
    }

    /// Whether the headers of a call may name the type of its body: those of its own, or those of its request.
    pub(super) fn may_name_type(&self, own: Option<&Expr>) -> bool {
        let named = match own {
            Some(own) => literal_type(own),
            None if self.header_names.is_empty() => Some(self.types_headers),
            None => None,
        };
        self.names_content_type && named.unwrap_or(true)
    }

    /// Whether there is never anything in it.
    pub(super) fn is_always_empty(&self, expr: &Expr) -> bool {
        let name = variable(expr);
        name.is_some_and(|name| self.is_empty_name(name)) || is_empty(expr)
    }

    fn is_empty_name(&self, name: &str) -> bool {
        self.empty.contains(name) && !self.changed.contains(name)
    }
}

fn is_old_client(program: &Program) -> bool {
    let imports = |start: &str| program.imports.iter().any(|one| one.starts_with(start));
    !imports("org.ngrinder.http") && (imports("net.grinder.plugin.http") || imports("HTTPClient"))
}
