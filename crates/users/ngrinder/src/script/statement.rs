//! Statements.

use super::code::{Code, Lines, Rank, indent};
use super::facts::{self, ValueKind};
use super::{Place, Turn};
use crate::form::{Expr, ExprKind, Stmt, StmtKind, SwitchCase};
use crate::loss::{LossReason, Mistake};

impl Turn<'_> {
    /// `{`, the statements, `}`; `gives` whether the last value is given back.
    pub(super) fn block(&mut self, body: &[Stmt], gives: bool) -> String {
        let mut lines = Lines::default();
        let scope = self.names.depth();
        self.names.open();
        self.depth += 1;
        self.statements(body, gives, &mut lines);
        self.depth -= 1;
        self.names.close_to(scope);
        if lines.text.is_empty() {
            return "{}".to_owned();
        }
        format!("{{\n{}{}}}", lines.text, indent(self.depth))
    }

    pub(super) fn statements(&mut self, body: &[Stmt], gives: bool, lines: &mut Lines) {
        for (at, stmt) in body.iter().enumerate() {
            let is_last = at + 1 == body.len();
            self.statement(stmt, gives && is_last, lines);
        }
    }

    fn statement(&mut self, stmt: &Stmt, gives: bool, lines: &mut Lines) {
        let (scope, depth, place) = (self.names.depth(), self.depth, self.place);
        let losses = self.losses.len();
        match self.statement_text(stmt, gives) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => {
                self.note_shared_count(losses, &text, lines);
                lines.push(depth, &text);
            }
            Err(mistake) => {
                self.names.close_to(scope);
                self.depth = depth;
                self.place = place;
                self.losses.truncate(losses);
                // The name is there for those who use it; what it should be, the comment tells.
                if let StmtKind::Let { name, .. } = &stmt.kind {
                    let name = self.names.declare(name);
                    lines.push(depth, &format!("let {name};"));
                }
                for line in self.lose(&mistake) {
                    lines.push(depth, &line);
                }
            }
        }
    }

    /// A count that is another's in k6 is told before its line.
    fn note_shared_count(&self, losses: usize, text: &str, lines: &mut Lines) {
        let mut noted = self.losses.iter().skip(losses);
        let shared = noted.find(|loss| loss.reason == LossReason::SharedCount);
        if let Some(loss) = shared.filter(|_| !text.contains('\n')) {
            let comment = self.catalog.text(&loss.reason.message());
            lines.push(self.depth, &format!("// {comment}"));
        }
    }

    fn statement_text(&mut self, stmt: &Stmt, gives: bool) -> Result<String, Mistake> {
        match &stmt.kind {
            StmtKind::Let { name, class, value } => {
                self.declaration(name, class.as_deref(), value.as_ref())
            }
            StmtKind::Expr(expr) => self.expression_statement(expr, gives),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(condition)?.text;
                let mut text = format!("if ({condition}) {}", self.block(then, gives));
                match otherwise.as_slice() {
                    [] => {}
                    [only] if matches!(only.kind, StmtKind::If { .. }) => {
                        let rest = self.statement_text(only, gives)?;
                        text.push_str(&format!(" else {rest}"));
                    }
                    body => text.push_str(&format!(" else {}", self.block(body, gives))),
                }
                Ok(text)
            }
            StmtKind::While { condition, body } => {
                let condition = self.expr(condition)?.text;
                Ok(format!("while ({condition}) {}", self.block(body, false)))
            }
            StmtKind::ForEach {
                names,
                iterable,
                body,
            } => self.for_each(names, iterable, body),
            StmtKind::For {
                init,
                condition,
                steps,
                body,
            } => self.for_loop(init, condition.as_ref(), steps, body),
            StmtKind::Switch { subject, cases } => self.switch(subject, cases),
            StmtKind::Try {
                body,
                error,
                handler,
                finally,
            } => {
                let mut text = format!("try {}", self.block(body, false));
                if let Some(error) = error {
                    let scope = self.names.depth();
                    self.names.open();
                    let error = self.names.declare(error);
                    text.push_str(&format!(" catch ({error}) {}", self.block(handler, false)));
                    self.names.close_to(scope);
                }
                if !finally.is_empty() || error.is_none() {
                    text.push_str(&format!(" finally {}", self.block(finally, false)));
                }
                Ok(text)
            }
            StmtKind::Return(None) => Ok("return;".to_owned()),
            StmtKind::Return(Some(value)) => Ok(format!("return {};", self.expr(value)?.text)),
            StmtKind::Throw(value) => self.thrown(value.as_ref()),
            StmtKind::Assert { condition, message } => {
                self.assert_statement(condition, message.as_ref())
            }
            StmtKind::Break => Ok("break;".to_owned()),
            StmtKind::Continue => Ok("continue;".to_owned()),
            StmtKind::Block(body) => Ok(self.block(body, false)),
            StmtKind::Unread(mistake) => Err(mistake.clone()),
        }
    }

    fn declaration(
        &mut self,
        name: &str,
        class: Option<&str>,
        value: Option<&Expr>,
    ) -> Result<String, Mistake> {
        if self.is_needless(name, value) {
            return Ok(String::new());
        }
        let kind = self.facts.kind_of_name(name);
        let code = match value {
            Some(value) => Some(self.assigned_value(name, value)?),
            // A number that nobody sets is 0 in Groovy.
            None if matches!(class, Some("int" | "long" | "double")) => Some("0".to_owned()),
            None => None,
        };
        let is_in_function = self.names.depth() > 0;
        let is_constant =
            value.is_some() && self.facts.is_constant(name) && kind != Some(ValueKind::Count);
        let word = if is_constant { "const" } else { "let" };
        let name = if is_in_function {
            self.names.declare(name)
        } else {
            self.names.declare_global(name)
        };
        Ok(match code {
            Some(code) => format!("{word} {name} = {code};"),
            None => format!("let {name};"),
        })
    }

    /// A list of names with values is an object, also while nothing is in it.
    fn assigned_value(&mut self, name: &str, value: &Expr) -> Result<String, Mistake> {
        let is_list = matches!(&value.kind, ExprKind::List(items) if items.is_empty())
            || matches!(&value.kind, ExprKind::New { class, args } if args.is_empty() && class.contains("List"));
        let is_pairs = self.facts.kind_of_name(name) == Some(ValueKind::Pairs);
        if is_list && is_pairs {
            return Ok("{}".to_owned());
        }
        Ok(self.expr(value)?.at(Rank::Assign))
    }

    /// Whether nothing of it is needed in k6: a test's number and name, a source of random numbers.
    pub(super) fn is_needless(&self, name: &str, value: Option<&Expr>) -> bool {
        let kind = self.facts.kind_of_name(name);
        let of_value = value.and_then(|value| self.facts.kind(value));
        let is_needless = |kind| matches!(kind, Some(ValueKind::Test | ValueKind::Needless));
        let is_literal_time = facts_random(value);
        is_needless(kind) && (value.is_none() || is_needless(of_value) || is_literal_time)
    }

    fn expression_statement(&mut self, expr: &Expr, gives: bool) -> Result<String, Mistake> {
        if self.is_assertion(expr) {
            return self.assertion(expr);
        }
        if let ExprKind::Assign { target, value, .. } = &expr.kind {
            if self.is_setting(target) {
                return self.set(target, value);
            }
            if let Some(name) = facts::variable(target) {
                if self.is_needless(name, Some(value)) {
                    return Ok(String::new());
                }
                return self.assignment(expr, name, value);
            }
        }
        if let ExprKind::Call { callee, args } = &expr.kind
            && let ExprKind::Member { receiver, name, .. } = &callee.kind
            && let Some(text) = self.setter(receiver, name, args)?
        {
            return Ok(text);
        }
        let code = self.expr(expr)?;
        let is_value = !matches!(expr.kind, ExprKind::Assign { .. } | ExprKind::Step { .. });
        if gives && is_value && !code.text.starts_with("console.") {
            return Ok(format!("return {};", code.text));
        }
        Ok(format!("{};", statement_code(code)))
    }

    fn assignment(&mut self, whole: &Expr, name: &str, value: &Expr) -> Result<String, Mistake> {
        let ExprKind::Assign {
            operator, target, ..
        } = &whole.kind
        else {
            return Err(Mistake::unread(whole.line));
        };
        let value = self.assigned_value(name, value)?;
        // A module of Python has no declarations.
        let is_new =
            matches!(target.kind, ExprKind::Name(_)) && self.names.variable(name).is_none();
        if is_new && self.names.depth() == 0 {
            let is_once = self.facts.is_assigned_once(name);
            let name = self.names.declare_global(name);
            let word = if is_once { "const" } else { "let" };
            return Ok(format!("{word} {name} = {value};"));
        }
        let target = self.target(target)?;
        Ok(format!("{target} {operator} {value};"))
    }

    fn for_each(
        &mut self,
        names: &[String],
        iterable: &Expr,
        body: &[Stmt],
    ) -> Result<String, Mistake> {
        let scope = self.names.depth();
        if let Some((from, to)) = self.counted(iterable)? {
            self.names.open();
            let name = names.first().map_or("index", String::as_str);
            let name = self.names.declare(name);
            let block = self.block(body, false);
            self.names.close_to(scope);
            return Ok(format!(
                "for (let {name} = {from}; {name} < {to}; {name} += 1) {block}"
            ));
        }
        let enumerated = match &iterable.kind {
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Name(name), [list]) if name == "enumerate" => Some(&list.value),
                _ => None,
            },
            _ => None,
        };
        let kind = self.facts.kind(iterable);
        let all = match enumerated {
            Some(list) => format!("{}.entries()", self.expr(list)?.receiver()),
            None if matches!(kind, Some(ValueKind::Map)) => {
                format!("Object.keys({})", self.expr(iterable)?.text)
            }
            None => self.expr(iterable)?.at(Rank::Assign),
        };
        self.names.open();
        let declared: Vec<String> = names.iter().map(|name| self.names.declare(name)).collect();
        let declared = match declared.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let block = self.block(body, false);
        self.names.close_to(scope);
        Ok(format!("for (const {declared} of {all}) {block}"))
    }

    /// The ends of `1..3` and of `range(3)`, the second excluded.
    fn counted(&mut self, iterable: &Expr) -> Result<Option<(String, String)>, Mistake> {
        match &iterable.kind {
            ExprKind::Range { from, to, is_open } => {
                let from = self.expr(from)?.text;
                Ok(Some((from, self.range_end(to, *is_open)?)))
            }
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Name(name), [to]) if name == "range" || name == "xrange" => {
                    let to = self.expr(&to.value)?.at(Rank::Add);
                    Ok(Some(("0".to_owned(), to)))
                }
                (ExprKind::Name(name), [from, to]) if name == "range" || name == "xrange" => {
                    let from = self.expr(&from.value)?.text;
                    let to = self.expr(&to.value)?.at(Rank::Add);
                    Ok(Some((from, to)))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn for_loop(
        &mut self,
        init: &[Stmt],
        condition: Option<&Expr>,
        steps: &[Expr],
        body: &[Stmt],
    ) -> Result<String, Mistake> {
        let scope = self.names.depth();
        self.names.open();
        let init = match init.first() {
            Some(stmt) => self.statement_text(stmt, false)?,
            None => ";".to_owned(),
        };
        let condition = match condition {
            Some(condition) => self.expr(condition)?.text,
            None => String::new(),
        };
        let mut texts = Vec::new();
        for step in steps {
            texts.push(self.expr(step)?.text);
        }
        let block = self.block(body, false);
        self.names.close_to(scope);
        Ok(format!(
            "for ({init} {condition}; {}) {block}",
            texts.join(", ")
        ))
    }

    fn switch(&mut self, subject: &Expr, cases: &[SwitchCase]) -> Result<String, Mistake> {
        let subject = self.expr(subject)?.text;
        let scope = self.names.depth();
        self.names.open();
        let mut lines = Lines::default();
        self.depth += 1;
        for case in cases {
            let head = match &case.value {
                Some(value) => format!("case {}:", self.expr(value)?.text),
                None => "default:".to_owned(),
            };
            lines.push(self.depth, &head);
            self.depth += 1;
            self.statements(&case.body, false, &mut lines);
            self.depth -= 1;
        }
        self.depth -= 1;
        self.names.close_to(scope);
        Ok(format!(
            "switch ({subject}) {{\n{}{}}}",
            lines.text,
            indent(self.depth)
        ))
    }

    /// A function with its parameters and its body.
    pub(super) fn function(&mut self, at: usize, place: Place, gives: bool) -> String {
        let program = self.program;
        let function = &program.functions[at];
        let scope = self.names.depth();
        self.place = place;
        self.names.open();
        let mut params = Vec::new();
        for param in &function.params {
            let name = self.names.declare(&param.name);
            let default = param.default.as_ref().map(|value| self.expr(value));
            params.push(match default {
                Some(Ok(value)) => format!("{name} = {}", value.text),
                _ => name,
            });
        }
        let body = self.block(&function.body, gives);
        self.names.close_to(scope);
        let name = self
            .names
            .function(&function.name)
            .unwrap_or(&function.name);
        format!("function {name}({}) {body}\n", params.join(", "))
    }
}

/// An expression as a statement: an object or a function would be read as a block.
fn statement_code(code: Code) -> String {
    let text = code.text;
    if text.starts_with('{') || text.starts_with("function") {
        return format!("({text})");
    }
    text
}

/// `Random()` of Jython, and Java's with a seed.
fn facts_random(value: Option<&Expr>) -> bool {
    match value.map(|value| &value.kind) {
        Some(ExprKind::New { class, .. }) => class.ends_with("Random"),
        Some(ExprKind::Call { callee, .. }) => {
            matches!(&callee.kind, ExprKind::Name(name) if name == "Random")
        }
        _ => false,
    }
}
