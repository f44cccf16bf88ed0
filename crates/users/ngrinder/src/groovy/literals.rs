//! Lists, maps, texts with values and closures of Groovy.

use super::{Parser, lexer};
use crate::form::{Closure, Expr, ExprKind, MapEntry, Param, TemplatePart};
use crate::loss::Mistake;
use crate::tokens::{Cursor, TextPart};

impl Parser {
    pub(super) fn template(&mut self, parts: Vec<TextPart>) -> Result<ExprKind, Mistake> {
        let mut read = Vec::new();
        for part in parts {
            read.push(match part {
                TextPart::Text(text) => TemplatePart::Text(text),
                TextPart::Code { source, line } => {
                    self.cursor.enter()?;
                    let lexemes = lexer::lexemes(&source, line)?;
                    let mut inner = Self {
                        cursor: Cursor::new(lexemes, self.cursor.depth()),
                    };
                    let value = inner.expression()?;
                    if !inner.cursor.is_end() {
                        return Err(Mistake::unread(line));
                    }
                    self.cursor.leave();
                    TemplatePart::Value(value)
                }
            });
        }
        Ok(ExprKind::Template(read))
    }

    /// After its `[`.
    pub(super) fn list_or_map(&mut self) -> Result<ExprKind, Mistake> {
        if self.cursor.eat_symbol(":") {
            self.cursor.expect_symbol("]")?;
            return Ok(ExprKind::Map(Vec::new()));
        }
        let mut items = Vec::new();
        let mut entries = Vec::new();
        while !self.cursor.eat_symbol("]") {
            let line = self.cursor.line();
            let key = match self.arg_name() {
                Some(name) => Some(self.cursor.expr(ExprKind::Text(name), line)?),
                None => {
                    let value = self.expression()?;
                    if self.cursor.eat_symbol(":") {
                        Some(value)
                    } else {
                        items.push(value);
                        None
                    }
                }
            };
            if let Some(key) = key {
                let value = self.expression()?;
                entries.push(MapEntry { key, value });
            }
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol("]")?;
                break;
            }
        }
        match (items.is_empty(), entries.is_empty()) {
            (_, true) => Ok(ExprKind::List(items)),
            (true, false) => Ok(ExprKind::Map(entries)),
            (false, false) => Err(Mistake::unread(self.cursor.line())),
        }
    }

    pub(super) fn closure(&mut self) -> Result<Expr, Mistake> {
        let line = self.cursor.line();
        self.cursor.enter()?;
        let before = self.cursor.begin_closure();
        self.cursor.expect_symbol("{")?;
        let params = self.closure_params();
        let body = self.statements_to_brace()?;
        let closure = self
            .cursor
            .expr(ExprKind::Closure(Closure { params, body }), line)?;
        self.cursor.end_closure(before);
        self.cursor.leave();
        Ok(closure)
    }

    /// `a, b ->` or `String a ->`; nothing is passed where there is no arrow.
    fn closure_params(&mut self) -> Vec<Param> {
        let begin = self.cursor.position();
        let mut params = Vec::new();
        while !self.cursor.eat_symbol("->") {
            let first = self.class_name();
            let second = self.cursor.name_if_there();
            let Ok(first) = first else {
                self.cursor.go_to(begin);
                return Vec::new();
            };
            let (class, name) = match second {
                Some(second) => (Some(first), second),
                None => (None, first),
            };
            let default = None;
            params.push(Param {
                name,
                class,
                default,
            });
            if !self.cursor.eat_symbol(",") && !self.cursor.is_symbol("->") {
                self.cursor.go_to(begin);
                return Vec::new();
            }
        }
        params
    }
}
