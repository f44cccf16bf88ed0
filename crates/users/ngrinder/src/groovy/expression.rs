//! Expressions of Groovy.

use super::{GROOVY_KEYWORDS, Parser, is_class_name};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::Mistake;
use crate::tokens::Token;

/// Operators of two sides, those that bind least first.
const OPERATORS_BY_PRECEDENCE: [&[&str]; 8] = [
    &["||"],
    &["&&"],
    &["|", "&"],
    &["==", "!=", "===", "!==", "=~", "==~", "<=>"],
    &["<", "<=", ">", ">=", "in", "instanceof", "as"],
    &["<<"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// These go on from the line before.
const CONTINUE_LINE: [&str; 3] = ["&&", "||", "=="];

const ASSIGNMENT_OPERATORS: [&str; 6] = ["=", "+=", "-=", "*=", "/=", "%="];

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Expr, Mistake> {
        self.cursor.enter()?;
        let left = self.choice()?;
        let line = self.cursor.line();
        let assign = ASSIGNMENT_OPERATORS
            .iter()
            .find(|one| self.cursor.is_symbol(one));
        let read = match assign {
            Some(operator) if !self.cursor.begins_line() => {
                self.cursor.advance();
                let kind = ExprKind::Assign {
                    operator,
                    target: Box::new(left),
                    value: Box::new(self.expression()?),
                };
                self.cursor.expr(kind, line)?
            }
            _ => left,
        };
        self.cursor.leave();
        Ok(read)
    }

    fn choice(&mut self) -> Result<Expr, Mistake> {
        let condition = self.operators(0)?;
        let line = condition.line;
        if self.cursor.eat_symbol("?:") {
            let kind = ExprKind::Binary {
                operator: "||",
                left: Box::new(condition),
                right: Box::new(self.nested_choice()?),
            };
            return self.cursor.expr(kind, line);
        }
        if !self.cursor.eat_symbol("?") {
            return Ok(condition);
        }
        let then = self.nested_choice()?;
        self.cursor.expect_symbol(":")?;
        let kind = ExprKind::Choice {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(self.nested_choice()?),
        };
        self.cursor.expr(kind, line)
    }

    fn nested_choice(&mut self) -> Result<Expr, Mistake> {
        self.cursor.enter()?;
        let read = self.choice()?;
        self.cursor.leave();
        Ok(read)
    }

    fn operators(&mut self, level: usize) -> Result<Expr, Mistake> {
        let Some(operators) = OPERATORS_BY_PRECEDENCE.get(level) else {
            return self.unary();
        };
        let mut left = self.operators(level + 1)?;
        loop {
            if level == OPERATORS_BY_PRECEDENCE.len() - 3 && self.range_follows() {
                left = self.range(left)?;
            }
            let Some(operator) = self.operator(operators) else {
                return Ok(left);
            };
            let line = self.cursor.line();
            self.cursor.advance();
            let kind = match operator {
                "as" | "instanceof" => {
                    let class = self.class_name()?;
                    if operator == "instanceof" {
                        return Err(Mistake::no_counterpart(line, "instanceof"));
                    }
                    ExprKind::Cast {
                        class,
                        value: Box::new(left),
                    }
                }
                _ => ExprKind::Binary {
                    operator,
                    left: Box::new(left),
                    right: Box::new(self.operators(level + 1)?),
                },
            };
            left = self.cursor.expr(kind, line)?;
        }
    }

    fn operator(&self, operators: &[&'static str]) -> Option<&'static str> {
        let found = operators.iter().find(|operator| match self.cursor.peek() {
            Token::Symbol(symbol) => symbol == *operator,
            Token::Name(name) => name == *operator,
            _ => false,
        })?;
        let goes_on = !self.cursor.begins_line() || CONTINUE_LINE.contains(found);
        goes_on.then_some(*found)
    }

    fn range_follows(&self) -> bool {
        self.cursor.is_symbol("..") || self.cursor.is_symbol("..<")
    }

    fn range(&mut self, from: Expr) -> Result<Expr, Mistake> {
        let line = from.line;
        let is_open = self.cursor.is_symbol("..<");
        self.cursor.advance();
        let kind = ExprKind::Range {
            from: Box::new(from),
            to: Box::new(self.operators(OPERATORS_BY_PRECEDENCE.len() - 2)?),
            is_open,
        };
        self.cursor.expr(kind, line)
    }

    fn unary(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let operator = ["!", "-", "+", "++", "--"]
            .into_iter()
            .find(|one| self.cursor.is_symbol(one));
        if let Some(operator) = operator {
            self.cursor.enter()?;
            self.cursor.advance();
            let value = Box::new(self.unary()?);
            self.cursor.leave();
            let kind = match operator {
                "++" | "--" => ExprKind::Step {
                    operator,
                    is_prefix: true,
                    target: value,
                },
                _ => ExprKind::Unary { operator, value },
            };
            return self.cursor.expr(kind, line);
        }
        if let Some(class) = self.cast() {
            self.cursor.enter()?;
            let value = Box::new(self.unary()?);
            self.cursor.leave();
            return self.cursor.expr(ExprKind::Cast { class, value }, line);
        }
        self.postfix()
    }

    /// `(Type)` before a value; passed, if it is there.
    fn cast(&mut self) -> Option<String> {
        let begin = self.cursor.position();
        let class = self.cursor.eat_symbol("(").then(|| self.class_name().ok());
        let class = class.flatten().filter(|name| is_class_name(name));
        let is_closed = class.is_some() && self.cursor.eat_symbol(")");
        let is_value = match self.cursor.peek() {
            Token::Name(name) => !GROOVY_KEYWORDS.contains(&name.as_str()),
            Token::Number(_) | Token::Text(_) | Token::Template(_) => true,
            Token::Symbol(symbol) => matches!(*symbol, "(" | "["),
            _ => false,
        };
        if is_closed && is_value && !self.cursor.begins_line() {
            return class;
        }
        self.cursor.go_to(begin);
        None
    }

    /// A class with what stands in its `<...>` and its `[]`.
    pub(super) fn class_name(&mut self) -> Result<String, Mistake> {
        let mut name = self.cursor.dotted_name()?;
        if self.cursor.is_symbol("<") {
            name.push_str(&self.generics()?);
        }
        while self.cursor.is_symbol("[") && self.cursor.is_symbol_at(1, "]") {
            self.cursor.advance();
            self.cursor.advance();
            name.push_str("[]");
        }
        Ok(name)
    }

    fn generics(&mut self) -> Result<String, Mistake> {
        let mut text = String::new();
        let mut depth = 0_usize;
        loop {
            let line = self.cursor.line();
            match self.cursor.advance() {
                Token::Symbol(symbol @ ("<" | "<<")) => {
                    depth += symbol.len();
                    text.push_str(symbol);
                }
                Token::Symbol(symbol @ (">" | ">>>")) => {
                    depth = depth.saturating_sub(symbol.len());
                    text.push_str(symbol);
                }
                Token::Symbol(symbol @ ("," | "." | "?" | "[" | "]")) => text.push_str(symbol),
                Token::Name(name) => text.push_str(&name),
                _ => return Err(Mistake::unread(line)),
            }
            if depth == 0 {
                return Ok(text);
            }
        }
    }

    fn postfix(&mut self) -> Result<Expr, Mistake> {
        let mut value = self.primary()?;
        loop {
            let line = self.cursor.line();
            let begins_line = self.cursor.begins_line();
            let Token::Symbol(symbol) = *self.cursor.peek() else {
                return Ok(value);
            };
            let kind = match symbol {
                "." | "?." | "*." => {
                    self.cursor.advance();
                    if symbol == "*." {
                        return Err(Mistake::no_counterpart(line, "*."));
                    }
                    ExprKind::Member {
                        receiver: Box::new(value),
                        name: self.member_name()?,
                        is_safe: symbol == "?.",
                    }
                }
                "(" if !begins_line => {
                    self.cursor.advance();
                    let mut args = self.args(")")?;
                    if self.cursor.is_symbol("{") && !self.cursor.begins_line() {
                        let value = self.closure()?;
                        args.push(Arg { name: None, value });
                    }
                    ExprKind::Call {
                        callee: Box::new(value),
                        args,
                    }
                }
                "{" if !begins_line && takes_closure(&value) => {
                    let closure = self.closure()?;
                    ExprKind::Call {
                        callee: Box::new(value),
                        args: vec![Arg {
                            name: None,
                            value: closure,
                        }],
                    }
                }
                "[" if !begins_line && !self.cursor.follows_blank() => {
                    self.cursor.advance();
                    let index = Box::new(self.expression()?);
                    self.cursor.expect_symbol("]")?;
                    ExprKind::Index {
                        receiver: Box::new(value),
                        index,
                    }
                }
                "++" | "--" if !begins_line => {
                    self.cursor.advance();
                    ExprKind::Step {
                        operator: symbol,
                        is_prefix: false,
                        target: Box::new(value),
                    }
                }
                _ => return Ok(value),
            };
            value = self.cursor.expr(kind, line)?;
        }
    }

    fn member_name(&mut self) -> Result<String, Mistake> {
        let line = self.cursor.line();
        match self.cursor.advance() {
            Token::Name(name) | Token::Text(name) => Ok(name),
            _ => Err(Mistake::unread(line)),
        }
    }

    /// What stands between parentheses, or in a call without them up to the line's end.
    pub(super) fn args(&mut self, end: &str) -> Result<Vec<Arg>, Mistake> {
        let mut args = Vec::new();
        while !self.cursor.eat_symbol(end) {
            let name = self.arg_name();
            let value = self.expression()?;
            args.push(Arg { name, value });
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol(end)?;
                break;
            }
        }
        Ok(args)
    }

    pub(super) fn arg_name(&mut self) -> Option<String> {
        let Token::Name(name) = self.cursor.peek().clone() else {
            return None;
        };
        if !self.cursor.is_symbol_at(1, ":") {
            return None;
        }
        self.cursor.advance();
        self.cursor.advance();
        Some(name)
    }

    fn primary(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let kind = match self.cursor.peek().clone() {
            Token::Number(number) => {
                self.cursor.advance();
                ExprKind::Number(number)
            }
            Token::Text(text) => {
                self.cursor.advance();
                ExprKind::Text(text)
            }
            Token::Regex(text) => {
                self.cursor.advance();
                ExprKind::Regex(text)
            }
            Token::Template(parts) => {
                self.cursor.advance();
                self.template(parts)?
            }
            Token::Name(name) => return self.named(&name),
            Token::Symbol("(") => {
                self.cursor.advance();
                let inner = self.expression()?;
                self.cursor.expect_symbol(")")?;
                return Ok(inner);
            }
            Token::Symbol("[") => {
                self.cursor.advance();
                self.list_or_map()?
            }
            Token::Symbol("{") => return self.closure(),
            _ => return Err(Mistake::unread(line)),
        };
        self.cursor.expr(kind, line)
    }

    fn named(&mut self, name: &str) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        if GROOVY_KEYWORDS.contains(&name) {
            return Err(Mistake::unread(line));
        }
        self.cursor.advance();
        let kind = match name {
            "null" => ExprKind::Null,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "new" => return self.created(),
            _ => ExprKind::Name(name.to_owned()),
        };
        self.cursor.expr(kind, line)
    }

    /// After `new`.
    fn created(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let class = self.class_name()?;
        let kind = if self.cursor.eat_symbol("[") {
            let size = self.expression()?;
            self.cursor.expect_symbol("]")?;
            ExprKind::New {
                class: format!("{class}[]"),
                args: vec![Arg {
                    name: None,
                    value: size,
                }],
            }
        } else if class.ends_with("[]") && self.cursor.eat_symbol("{") {
            // `new String[] { "a", "b" }` of Java.
            let items = self.args("}")?;
            ExprKind::List(items.into_iter().map(|item| item.value).collect())
        } else {
            self.cursor.expect_symbol("(")?;
            let args = self.args(")")?;
            if self.cursor.is_symbol("{") && !self.cursor.begins_line() {
                return Err(Mistake::no_counterpart(line, class));
            }
            ExprKind::New { class, args }
        };
        self.cursor.expr(kind, line)
    }
}

/// Whether a `{` behind it on its line is an argument.
fn takes_closure(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Name(_) | ExprKind::Member { .. })
}
