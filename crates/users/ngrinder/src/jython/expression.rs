//! Expressions of Python.

use super::{PYTHON_KEYWORDS, Parser};
use crate::form::{Arg, Closure, Expr, ExprKind, MapEntry, Param, Stmt, StmtKind, TemplatePart};
use crate::loss::Mistake;
use crate::tokens::Token;

/// Operators of two sides that bind more than comparisons, those that bind least first.
const OPERATORS_BY_PRECEDENCE: [&[&str]; 2] = [&["+", "-"], &["*", "/", "//", "%"]];

impl Parser {
    /// One value, or several with commas between them: a list.
    pub(super) fn values(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let first = self.expression()?;
        if !self.cursor.is_symbol(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.cursor.eat_symbol(",") && self.begins_value() {
            items.push(self.expression()?);
        }
        self.cursor.expr(ExprKind::List(items), line)
    }

    fn begins_value(&self) -> bool {
        match self.cursor.peek() {
            Token::Name(name) => !PYTHON_KEYWORDS.contains(&name.as_str()),
            Token::Number(_) | Token::Text(_) => true,
            Token::Symbol(symbol) => matches!(*symbol, "(" | "[" | "{" | "-" | "+"),
            _ => false,
        }
    }

    pub(super) fn expression(&mut self) -> Result<Expr, Mistake> {
        self.cursor.enter()?;
        let line = self.cursor.line();
        let read = if self.cursor.eat_word("lambda") {
            self.lambda(line)?
        } else {
            let value = self.or_operators()?;
            if self.cursor.eat_word("if") {
                let condition = self.or_operators()?;
                if !self.cursor.eat_word("else") {
                    return Err(Mistake::unread(line));
                }
                let kind = ExprKind::Choice {
                    condition: Box::new(condition),
                    then: Box::new(value),
                    otherwise: Box::new(self.expression()?),
                };
                self.cursor.expr(kind, line)?
            } else {
                value
            }
        };
        self.cursor.leave();
        Ok(read)
    }

    fn lambda(&mut self, line: u32) -> Result<Expr, Mistake> {
        let before = self.cursor.begin_closure();
        let mut params = Vec::new();
        while !self.cursor.eat_symbol(":") {
            let name = self.cursor.expect_name()?;
            params.push(Param {
                name,
                class: None,
                default: None,
            });
            self.cursor.eat_symbol(",");
        }
        let value = self.expression()?;
        let kind = StmtKind::Return(Some(value));
        let body = vec![Stmt { kind, line }];
        let closure = ExprKind::Closure(Closure { params, body });
        let closure = self.cursor.expr(closure, line)?;
        self.cursor.end_closure(before);
        Ok(closure)
    }

    fn or_operators(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.and_operators()?;
        while self.cursor.eat_word("or") {
            let right = self.and_operators()?;
            left = self.binary("||", left, right)?;
        }
        Ok(left)
    }

    fn and_operators(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.not_operator()?;
        while self.cursor.eat_word("and") {
            let right = self.not_operator()?;
            left = self.binary("&&", left, right)?;
        }
        Ok(left)
    }

    fn binary(&mut self, operator: &'static str, left: Expr, right: Expr) -> Result<Expr, Mistake> {
        let line = left.line;
        let kind = ExprKind::Binary {
            operator,
            left: Box::new(left),
            right: Box::new(right),
        };
        self.cursor.expr(kind, line)
    }

    fn not_operator(&mut self) -> Result<Expr, Mistake> {
        if !self.cursor.eat_word("not") {
            return self.comparison();
        }
        self.cursor.enter()?;
        let value = self.not_operator()?;
        self.cursor.leave();
        self.negated(value)
    }

    fn negated(&mut self, value: Expr) -> Result<Expr, Mistake> {
        let line = value.line;
        let kind = ExprKind::Unary {
            operator: "!",
            value: Box::new(value),
        };
        self.cursor.expr(kind, line)
    }

    fn comparison(&mut self) -> Result<Expr, Mistake> {
        let left = self.operators(0)?;
        let symbols = ["==", "!=", "<>", "<=", ">=", "<", ">"];
        let symbol = symbols.into_iter().find(|one| self.cursor.is_symbol(one));
        if let Some(symbol) = symbol {
            self.cursor.advance();
            let right = self.operators(0)?;
            let operator = if symbol == "<>" { "!=" } else { symbol };
            return self.binary(operator, left, right);
        }
        if self.cursor.eat_word("in") {
            let right = self.operators(0)?;
            return self.binary("in", left, right);
        }
        if self.cursor.eat_word("is") {
            let operator = if self.cursor.eat_word("not") {
                "!="
            } else {
                "=="
            };
            let right = self.operators(0)?;
            return self.binary(operator, left, right);
        }
        if self.cursor.eat_word("not") {
            if !self.cursor.eat_word("in") {
                return Err(Mistake::unread(self.cursor.line()));
            }
            let right = self.operators(0)?;
            let inside = self.binary("in", left, right)?;
            return self.negated(inside);
        }
        Ok(left)
    }

    fn operators(&mut self, level: usize) -> Result<Expr, Mistake> {
        let Some(operators) = OPERATORS_BY_PRECEDENCE.get(level) else {
            return self.unary();
        };
        let mut left = self.operators(level + 1)?;
        while let Some(operator) = operators.iter().find(|one| self.cursor.is_symbol(one)) {
            self.cursor.advance();
            let right = self.operators(level + 1)?;
            left = match (*operator, &left.kind) {
                ("%", ExprKind::Text(pattern)) => {
                    let kind = formatted(pattern, right, left.line)?;
                    self.cursor.expr(kind, left.line)?
                }
                ("//", _) => return Err(Mistake::no_counterpart(left.line, "//")),
                _ => self.binary(operator, left, right)?,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let Some(operator) = ["-", "+"]
            .into_iter()
            .find(|one| self.cursor.is_symbol(one))
        else {
            return self.postfix();
        };
        self.cursor.enter()?;
        self.cursor.advance();
        let value = Box::new(self.unary()?);
        self.cursor.leave();
        self.cursor.expr(ExprKind::Unary { operator, value }, line)
    }

    fn postfix(&mut self) -> Result<Expr, Mistake> {
        let mut value = self.primary()?;
        loop {
            let line = self.cursor.line();
            let kind = if self.cursor.eat_symbol(".") {
                ExprKind::Member {
                    receiver: Box::new(value),
                    name: self.cursor.expect_name()?,
                    is_safe: false,
                }
            } else if self.cursor.eat_symbol("(") {
                ExprKind::Call {
                    callee: Box::new(value),
                    args: self.args()?,
                }
            } else if self.cursor.eat_symbol("[") {
                self.index_or_slice(value)?
            } else {
                return Ok(value);
            };
            value = self.cursor.expr(kind, line)?;
        }
    }

    /// After its `[`.
    fn index_or_slice(&mut self, value: Expr) -> Result<ExprKind, Mistake> {
        let receiver = Box::new(value);
        let has_from = !self.cursor.is_symbol(":");
        let from = has_from.then(|| self.expression()).transpose()?;
        if !self.cursor.eat_symbol(":") {
            self.cursor.expect_symbol("]")?;
            let index = Box::new(from.ok_or(Mistake::unread(self.cursor.line()))?);
            return Ok(ExprKind::Index { receiver, index });
        }
        let has_to = !self.cursor.is_symbol("]");
        let to = has_to.then(|| self.expression()).transpose()?;
        self.cursor.expect_symbol("]")?;
        Ok(ExprKind::Slice {
            receiver,
            from: from.map(Box::new),
            to: to.map(Box::new),
        })
    }

    fn args(&mut self) -> Result<Vec<Arg>, Mistake> {
        let mut args = Vec::new();
        while !self.cursor.eat_symbol(")") {
            let name = match self.cursor.peek().clone() {
                Token::Name(name) if self.cursor.is_symbol_at(1, "=") => {
                    self.cursor.advance();
                    self.cursor.advance();
                    Some(name)
                }
                _ => None,
            };
            let value = self.expression()?;
            args.push(Arg { name, value });
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol(")")?;
                break;
            }
        }
        Ok(args)
    }

    fn primary(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        let kind = match self.cursor.advance() {
            Token::Number(number) => ExprKind::Number(number),
            Token::Text(text) => self.joined_texts(text),
            Token::Name(name) if PYTHON_KEYWORDS.contains(&name.as_str()) => {
                return Err(Mistake::unread(line));
            }
            Token::Name(name) => match name.as_str() {
                "None" => ExprKind::Null,
                "True" => ExprKind::Bool(true),
                "False" => ExprKind::Bool(false),
                _ => ExprKind::Name(name),
            },
            Token::Symbol("(") => return self.parenthesized(line),
            Token::Symbol("[") => ExprKind::List(self.items("]")?),
            Token::Symbol("{") => self.dictionary()?,
            _ => return Err(Mistake::unread(line)),
        };
        self.cursor.expr(kind, line)
    }

    /// Texts beside each other are one.
    fn joined_texts(&mut self, mut text: String) -> ExprKind {
        while let Token::Text(next) = self.cursor.peek() {
            text.push_str(next);
            self.cursor.advance();
        }
        ExprKind::Text(text)
    }

    /// `(a)` is a value, `(a,)` and `()` are lists.
    fn parenthesized(&mut self, line: u32) -> Result<Expr, Mistake> {
        if self.cursor.eat_symbol(")") {
            return self.cursor.expr(ExprKind::List(Vec::new()), line);
        }
        let first = self.expression()?;
        if self.cursor.eat_symbol(")") {
            return Ok(first);
        }
        self.cursor.expect_symbol(",")?;
        let mut items = vec![first];
        items.append(&mut self.items(")")?);
        self.cursor.expr(ExprKind::List(items), line)
    }

    fn items(&mut self, end: &str) -> Result<Vec<Expr>, Mistake> {
        let mut items = Vec::new();
        while !self.cursor.eat_symbol(end) {
            items.push(self.expression()?);
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn dictionary(&mut self) -> Result<ExprKind, Mistake> {
        let mut entries = Vec::new();
        while !self.cursor.eat_symbol("}") {
            let key = self.expression()?;
            self.cursor.expect_symbol(":")?;
            let value = self.expression()?;
            entries.push(MapEntry { key, value });
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol("}")?;
                break;
            }
        }
        Ok(ExprKind::Map(entries))
    }
}

/// `'%s of %d' % (a, b)`.
fn formatted(pattern: &str, values: Expr, line: u32) -> Result<ExprKind, Mistake> {
    let mut values = match values.kind {
        ExprKind::List(items) => items,
        _ => vec![values],
    }
    .into_iter();
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '%' => match chars.next() {
                Some('%') => text.push('%'),
                Some('s' | 'd' | 'i' | 'r') => {
                    parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                    let value = values.next().ok_or(Mistake::unread(line))?;
                    parts.push(TemplatePart::Value(value));
                }
                _ => return Err(Mistake::no_counterpart(line, "%")),
            },
            _ => text.push(char),
        }
    }
    parts.push(TemplatePart::Text(text));
    Ok(ExprKind::Template(parts))
}
