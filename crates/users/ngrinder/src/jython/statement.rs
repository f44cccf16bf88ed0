//! Statements of Python.

use super::Parser;
use crate::form::{Arg, Expr, ExprKind, Stmt, StmtKind};
use crate::loss::Mistake;
use crate::tokens::Token;

impl Parser {
    /// `:` and the statements of a block, or those behind it on its line.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>, Mistake> {
        self.cursor.enter()?;
        self.cursor.expect_symbol(":")?;
        let mut body = Vec::new();
        if *self.cursor.peek() == Token::LineEnd {
            self.cursor.advance();
            let line = self.cursor.line();
            if self.cursor.advance() != Token::Indent {
                return Err(Mistake::unread(line));
            }
            while !matches!(self.cursor.peek(), Token::Dedent | Token::End) {
                self.statement_or_unread(&mut body);
            }
            self.cursor.advance();
        } else {
            self.statement_or_unread(&mut body);
            while self.cursor.is_behind(";") && *self.cursor.peek() != Token::LineEnd {
                self.statement_or_unread(&mut body);
            }
        }
        self.cursor.leave();
        Ok(body)
    }

    pub(super) fn statement_or_unread(&mut self, body: &mut Vec<Stmt>) {
        let line = self.cursor.line();
        let begin = self.cursor.position();
        let budget = self.cursor.budget();
        match self.statement() {
            Ok(Some(kind)) => body.push(Stmt { kind, line }),
            Ok(None) => {}
            Err(mistake) => {
                self.cursor.restore(budget);
                self.cursor.go_to(begin);
                self.skip_statement();
                let kind = StmtKind::Unread(Mistake::new(line, mistake.reason));
                body.push(Stmt { kind, line });
            }
        }
    }

    /// Passes a line and the block that belongs to it.
    pub(super) fn skip_statement(&mut self) {
        while !matches!(self.cursor.peek(), Token::LineEnd | Token::End) {
            self.cursor.advance();
        }
        if *self.cursor.peek() == Token::LineEnd {
            self.cursor.advance();
        }
        if *self.cursor.peek() != Token::Indent {
            return;
        }
        let mut depth = 0_usize;
        loop {
            match self.cursor.advance() {
                Token::Indent => depth += 1,
                Token::Dedent => depth -= 1,
                Token::End => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn statement(&mut self) -> Result<Option<StmtKind>, Mistake> {
        if self.cursor.eat_symbol(";") {
            return Ok(None);
        }
        if matches!(self.cursor.peek(), Token::LineEnd | Token::Indent) {
            self.cursor.advance();
            return Ok(None);
        }
        let kind = match self.cursor.peek().clone() {
            Token::Name(word) => match self.keyword(&word)? {
                Some(kind) => return Ok(kind.into_kind()),
                None => self.simple()?,
            },
            _ => self.simple()?,
        };
        self.end_simple()?;
        let is_note = matches!(&kind, StmtKind::Expr(one) if matches!(one.kind, ExprKind::Text(_)));
        Ok((!is_note).then_some(kind))
    }

    /// The end of a statement that has no block.
    fn end_simple(&mut self) -> Result<(), Mistake> {
        match self.cursor.peek() {
            Token::LineEnd => {
                self.cursor.advance();
                Ok(())
            }
            Token::End | Token::Dedent => Ok(()),
            Token::Symbol(";") => {
                self.cursor.advance();
                Ok(())
            }
            _ => Err(Mistake::unread(self.cursor.line())),
        }
    }

    fn keyword(&mut self, word: &str) -> Result<Option<Keyword>, Mistake> {
        let blocks = ["if", "while", "for", "try", "def"];
        if blocks.contains(&word) {
            self.cursor.advance();
            let kind = match word {
                "if" => self.if_statement()?,
                "while" => StmtKind::While {
                    condition: self.expression()?,
                    body: self.block()?,
                },
                "for" => self.for_statement()?,
                "try" => self.try_statement()?,
                _ => return Err(Mistake::unread(self.cursor.line())),
            };
            return Ok(Some(Keyword::Is(kind)));
        }
        let simple = [
            "return", "raise", "assert", "break", "continue", "pass", "global", "print",
        ];
        if !simple.contains(&word) || (word == "print" && self.cursor.is_symbol_at(1, "(")) {
            return Ok(None);
        }
        let line = self.cursor.line();
        self.cursor.advance();
        let kind = match word {
            "return" => Some(StmtKind::Return(self.value_if_there()?)),
            "raise" => Some(StmtKind::Throw(self.value_if_there()?)),
            "assert" => {
                let condition = self.expression()?;
                let has_message = self.cursor.eat_symbol(",");
                let message = has_message.then(|| self.expression()).transpose()?;
                Some(StmtKind::Assert { condition, message })
            }
            "break" => Some(StmtKind::Break),
            "continue" => Some(StmtKind::Continue),
            "print" => Some(self.print(line)?),
            "global" => {
                self.globals.push(self.cursor.expect_name()?);
                while self.cursor.eat_symbol(",") {
                    self.globals.push(self.cursor.expect_name()?);
                }
                None
            }
            _ => None,
        };
        self.end_simple()?;
        Ok(Some(kind.map_or(Keyword::Nothing, Keyword::Is)))
    }

    fn print(&mut self, line: u32) -> Result<StmtKind, Mistake> {
        let value = self.value_if_there()?;
        let name = ExprKind::Name("print".to_owned());
        let callee = Box::new(self.cursor.expr(name, line)?);
        let values = match value {
            Some(Expr {
                kind: ExprKind::List(items),
                ..
            }) => items,
            value => value.into_iter().collect(),
        };
        let args = values.into_iter().map(|value| Arg { name: None, value });
        let kind = ExprKind::Call {
            callee,
            args: args.collect(),
        };
        Ok(StmtKind::Expr(self.cursor.expr(kind, line)?))
    }

    fn value_if_there(&mut self) -> Result<Option<Expr>, Mistake> {
        let is_bare = matches!(
            self.cursor.peek(),
            Token::LineEnd | Token::End | Token::Dedent | Token::Symbol(";")
        );
        (!is_bare).then(|| self.values()).transpose()
    }

    fn if_statement(&mut self) -> Result<StmtKind, Mistake> {
        self.cursor.enter()?;
        let condition = self.expression()?;
        let then = self.block_of_line()?;
        let line = self.cursor.line();
        let otherwise = if self.cursor.eat_word("elif") {
            let kind = self.if_statement()?;
            vec![Stmt { kind, line }]
        } else if self.cursor.eat_word("else") {
            self.block_of_line()?
        } else {
            Vec::new()
        };
        self.cursor.leave();
        Ok(StmtKind::If {
            condition,
            then,
            otherwise,
        })
    }

    /// A block; the end of its line is passed, so that an `else` may follow.
    fn block_of_line(&mut self) -> Result<Vec<Stmt>, Mistake> {
        let body = self.block()?;
        if *self.cursor.peek() == Token::LineEnd {
            self.cursor.advance();
        }
        Ok(body)
    }

    fn for_statement(&mut self) -> Result<StmtKind, Mistake> {
        let mut names = vec![self.cursor.expect_name()?];
        while self.cursor.eat_symbol(",") {
            names.push(self.cursor.expect_name()?);
        }
        if !self.cursor.eat_word("in") {
            return Err(Mistake::unread(self.cursor.line()));
        }
        let iterable = self.values()?;
        let body = self.block_of_line()?;
        Ok(StmtKind::ForEach {
            names,
            iterable,
            body,
        })
    }

    fn try_statement(&mut self) -> Result<StmtKind, Mistake> {
        let body = self.block_of_line()?;
        let mut error = None;
        let mut handler = Vec::new();
        let mut excepts = 0;
        while self.cursor.eat_word("except") {
            excepts += 1;
            if !self.cursor.is_symbol(":") {
                self.expression()?;
                if self.cursor.eat_symbol(",") || self.cursor.eat_word("as") {
                    error = Some(self.cursor.expect_name()?);
                }
            }
            handler = self.block_of_line()?;
            error = error.or(Some("error".to_owned()));
        }
        if excepts > 1 {
            return Err(Mistake::unread(self.cursor.line()));
        }
        let has_finally = self.cursor.eat_word("finally");
        let finally = has_finally.then(|| self.block_of_line()).transpose()?;
        Ok(StmtKind::Try {
            body,
            error,
            handler,
            finally: finally.unwrap_or_default(),
        })
    }

    fn simple(&mut self) -> Result<StmtKind, Mistake> {
        let line = self.cursor.line();
        let target = self.values()?;
        let assigns = ["=", "+=", "-=", "*=", "/=", "%="];
        let Some(operator) = assigns.into_iter().find(|one| self.cursor.is_symbol(one)) else {
            return Ok(StmtKind::Expr(target));
        };
        self.cursor.advance();
        let kind = ExprKind::Assign {
            operator,
            target: Box::new(target),
            value: Box::new(self.values()?),
        };
        Ok(StmtKind::Expr(self.cursor.expr(kind, line)?))
    }
}

/// What a word began: a statement, or nothing that remains (`pass`).
enum Keyword {
    Is(StmtKind),
    Nothing,
}

impl Keyword {
    fn into_kind(self) -> Option<StmtKind> {
        match self {
            Self::Is(kind) => Some(kind),
            Self::Nothing => None,
        }
    }
}
