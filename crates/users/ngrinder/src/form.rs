//! The inner form that scripts of both languages are read into.

use crate::loss::Mistake;

/// An expression.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) line: u32,
    /// How many expressions lie in each other: bounded, because they are walked by recursion.
    pub(crate) height: u16,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Template(Vec<TemplatePart>),
    Regex(String),
    Name(String),
    List(Vec<Expr>),
    Map(Vec<MapEntry>),
    Member {
        receiver: Box<Expr>,
        name: String,
        is_safe: bool,
    },
    Index {
        receiver: Box<Expr>,
        index: Box<Expr>,
    },
    /// `text[from:to]` of Python.
    Slice {
        receiver: Box<Expr>,
        from: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Arg>,
    },
    New {
        class: String,
        args: Vec<Arg>,
    },
    Unary {
        operator: &'static str,
        value: Box<Expr>,
    },
    /// `i++` and its kin.
    Step {
        operator: &'static str,
        is_prefix: bool,
        target: Box<Expr>,
    },
    Binary {
        operator: &'static str,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Choice {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Closure(Closure),
    Cast {
        class: String,
        value: Box<Expr>,
    },
    Range {
        from: Box<Expr>,
        to: Box<Expr>,
        is_open: bool,
    },
    Assign {
        operator: &'static str,
        target: Box<Expr>,
        value: Box<Expr>,
    },
}

#[derive(Debug, Clone)]
pub(crate) enum TemplatePart {
    Text(String),
    Value(Expr),
}

#[derive(Debug, Clone)]
pub(crate) struct MapEntry {
    pub(crate) key: Expr,
    pub(crate) value: Expr,
}

#[derive(Debug, Clone)]
pub(crate) struct Arg {
    /// `HTTPRequest(url="...")`.
    pub(crate) name: Option<String>,
    pub(crate) value: Expr,
}

#[derive(Debug, Clone)]
pub(crate) struct Closure {
    pub(crate) params: Vec<Param>,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) class: Option<String>,
    pub(crate) default: Option<Expr>,
}

/// A statement.
#[derive(Debug, Clone)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) line: u32,
}

#[derive(Debug, Clone)]
pub(crate) enum StmtKind {
    Let {
        name: String,
        class: Option<String>,
        value: Option<Expr>,
    },
    Expr(Expr),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    ForEach {
        names: Vec<String>,
        iterable: Expr,
        body: Vec<Stmt>,
    },
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        steps: Vec<Expr>,
        body: Vec<Stmt>,
    },
    Switch {
        subject: Expr,
        cases: Vec<SwitchCase>,
    },
    Try {
        body: Vec<Stmt>,
        error: Option<String>,
        handler: Vec<Stmt>,
        finally: Vec<Stmt>,
    },
    Return(Option<Expr>),
    Throw(Option<Expr>),
    Assert {
        condition: Expr,
        message: Option<Expr>,
    },
    Break,
    Continue,
    Block(Vec<Stmt>),
    /// A statement that could not be read.
    Unread(Mistake),
}

#[derive(Debug, Clone)]
pub(crate) struct SwitchCase {
    /// None for `default`.
    pub(crate) value: Option<Expr>,
    pub(crate) body: Vec<Stmt>,
}

/// A method, or a function beside the class.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) line: u32,
}

impl Function {
    pub(crate) fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|one| one.name == name)
    }

    pub(crate) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.annotation(name).is_some())
    }

    pub(crate) fn is_test(&self) -> bool {
        self.has_any(&["Test"])
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Annotation {
    pub(crate) name: String,
    /// The number in its parentheses.
    pub(crate) number: Option<u32>,
}

/// A script, read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) imports: Vec<String>,
    /// The class with the tests.
    pub(crate) class: Option<String>,
    /// Annotations of the class with the tests.
    pub(crate) annotations: Vec<Annotation>,
    /// What stands outside of functions, in its order: fields of the class, or statements of a module.
    pub(crate) body: Vec<Stmt>,
    pub(crate) functions: Vec<Function>,
    /// A function gives back its last value.
    pub(crate) gives_last: bool,
}

impl Program {
    /// The bodies of all functions, and what stands outside of them.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Vec<Stmt>> {
        let functions = self.functions.iter().map(|one| &one.body);
        std::iter::once(&self.body).chain(functions)
    }
}

impl ExprKind {
    /// The expressions in it, without those in the bodies of closures.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match self {
            Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Regex(_)
            | Self::Name(_)
            | Self::Closure(_) => Vec::new(),
            Self::Template(parts) => {
                let values = parts.iter().filter_map(|part| match part {
                    TemplatePart::Value(value) => Some(value),
                    TemplatePart::Text(_) => None,
                });
                values.collect()
            }
            Self::List(items) => items.iter().collect(),
            Self::Map(entries) => entries.iter().flat_map(|e| [&e.key, &e.value]).collect(),
            Self::Member { receiver, .. } => vec![receiver],
            Self::Index { receiver, index } => vec![receiver, index],
            Self::Slice { receiver, from, to } => {
                let ends = [from, to].into_iter().flatten();
                std::iter::once(receiver)
                    .chain(ends)
                    .map(|one| &**one)
                    .collect()
            }
            Self::Call { callee, args } => {
                let args = args.iter().map(|arg| &arg.value);
                std::iter::once(&**callee).chain(args).collect()
            }
            Self::New { args, .. } => args.iter().map(|arg| &arg.value).collect(),
            Self::Unary { value, .. } | Self::Cast { value, .. } => vec![value],
            Self::Step { target, .. } => vec![target],
            Self::Binary { left, right, .. } => vec![left, right],
            Self::Choice {
                condition,
                then,
                otherwise,
            } => vec![condition, then, otherwise],
            Self::Range { from, to, .. } => vec![from, to],
            Self::Assign { target, value, .. } => vec![target, value],
        }
    }
}

impl Stmt {
    /// The expressions of the statement itself.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Let { value, .. } => value.iter().collect(),
            StmtKind::Expr(value) => vec![value],
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => vec![condition],
            StmtKind::ForEach { iterable, .. } => vec![iterable],
            StmtKind::For {
                condition, steps, ..
            } => condition.iter().chain(steps).collect(),
            StmtKind::Switch { subject, cases } => {
                let values = cases.iter().filter_map(|case| case.value.as_ref());
                std::iter::once(subject).chain(values).collect()
            }
            StmtKind::Return(value) | StmtKind::Throw(value) => value.iter().collect(),
            StmtKind::Assert { condition, message } => {
                std::iter::once(condition).chain(message).collect()
            }
            StmtKind::Try { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Block(_)
            | StmtKind::Unread(_) => Vec::new(),
        }
    }

    /// The blocks in it.
    pub(crate) fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match &self.kind {
            StmtKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            StmtKind::While { body, .. }
            | StmtKind::ForEach { body, .. }
            | StmtKind::Block(body) => vec![body],
            StmtKind::For { init, body, .. } => vec![init, body],
            StmtKind::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
            StmtKind::Try {
                body,
                handler,
                finally,
                ..
            } => vec![body, handler, finally],
            _ => Vec::new(),
        }
    }
}

/// Shows every statement, also those in closures.
pub(crate) fn visit_statements<'p>(body: &'p [Stmt], visit: &mut dyn FnMut(&'p Stmt)) {
    for stmt in body {
        visit(stmt);
        for expr in stmt.expressions() {
            visit_closures(expr, visit);
        }
        for block in stmt.blocks() {
            visit_statements(block, visit);
        }
    }
}

fn visit_closures<'p>(expr: &'p Expr, visit: &mut dyn FnMut(&'p Stmt)) {
    if let ExprKind::Closure(closure) = &expr.kind {
        visit_statements(&closure.body, visit);
    }
    for child in expr.kind.children() {
        visit_closures(child, visit);
    }
}

/// Shows every expression, the outer ones first, also those in closures.
pub(crate) fn visit_expressions<'p>(body: &'p [Stmt], visit: &mut dyn FnMut(&'p Expr)) {
    visit_statements(body, &mut |stmt| {
        for expr in stmt.expressions() {
            visit_expression(expr, visit);
        }
    });
}

fn visit_expression<'p>(expr: &'p Expr, visit: &mut dyn FnMut(&'p Expr)) {
    visit(expr);
    for child in expr.kind.children() {
        visit_expression(child, visit);
    }
}
