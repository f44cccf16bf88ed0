//! Statements of Groovy.

use super::{MODIFIER_KEYWORDS, Parser, is_class_name};
use crate::form::{Arg, Expr, ExprKind, Stmt, StmtKind, SwitchCase};
use crate::loss::Mistake;
use crate::tokens::Token;

impl Parser {
    /// Up to the `}`, which is passed.
    pub(super) fn statements_to_brace(&mut self) -> Result<Vec<Stmt>, Mistake> {
        let mut read = Vec::new();
        while !self.cursor.eat_symbol("}") {
            if self.cursor.is_end() {
                return Err(Mistake::unread(self.cursor.line()));
            }
            if !self.cursor.eat_symbol(";") {
                read.push(self.statement_or_unread());
            }
        }
        Ok(read)
    }

    pub(super) fn statement_or_unread(&mut self) -> Stmt {
        let line = self.cursor.line();
        let begin = self.cursor.position();
        let budget = self.cursor.budget();
        match self.statement() {
            Ok(stmt) if self.at_statement_end() => stmt,
            result => {
                let mistake = result.err().unwrap_or(Mistake::unread(line));
                self.cursor.restore(budget);
                self.cursor.go_to(begin);
                self.skip_statement();
                let reason = mistake.reason;
                let kind = StmtKind::Unread(Mistake::new(line, reason));
                Stmt { kind, line }
            }
        }
    }

    fn at_statement_end(&self) -> bool {
        let cursor = &self.cursor;
        let ends = cursor.is_symbol(";") || cursor.is_symbol("}") || cursor.is_end();
        ends || cursor.begins_line() || cursor.is_behind("}")
    }

    /// Passes a statement that cannot be read, with all its brackets.
    pub(super) fn skip_statement(&mut self) {
        let mut depth = 0_usize;
        let mut is_first = true;
        loop {
            let begins = self.cursor.begins_line() && !is_first;
            match self.cursor.peek() {
                Token::End => return,
                Token::Symbol(";") if depth == 0 => return,
                // A bracket that is not the statement's own: `}` ends the block around it.
                Token::Symbol("}" | ")" | "]") if depth == 0 && !is_first => return,
                _ if depth == 0 && begins && !self.cursor.is_symbol(".") => return,
                Token::Symbol("{" | "(" | "[") => depth += 1,
                Token::Symbol("}" | ")" | "]") => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_first = false;
            self.cursor.advance();
        }
    }

    fn statement(&mut self) -> Result<Stmt, Mistake> {
        self.cursor.enter()?;
        let line = self.cursor.line();
        let kind = match self.cursor.peek().clone() {
            Token::Symbol("{") => {
                self.cursor.advance();
                StmtKind::Block(self.statements_to_brace()?)
            }
            Token::Name(word) => match self.keyword(&word)? {
                Some(kind) => kind,
                None => self.simple_statement()?,
            },
            _ => self.simple_statement()?,
        };
        self.cursor.leave();
        Ok(Stmt { kind, line })
    }

    fn keyword(&mut self, word: &str) -> Result<Option<StmtKind>, Mistake> {
        let known = [
            "if", "for", "while", "switch", "try", "return", "throw", "assert", "break", "continue",
        ];
        if !known.contains(&word) {
            return Ok(None);
        }
        self.cursor.advance();
        Ok(Some(match word {
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "while" => StmtKind::While {
                condition: self.condition()?,
                body: self.block()?,
            },
            "switch" => self.switch_statement()?,
            "try" => self.try_statement()?,
            "return" => StmtKind::Return(self.value_if_there()?),
            "throw" => StmtKind::Throw(self.value_if_there()?),
            "assert" => {
                let condition = self.expression()?;
                let has_message = self.cursor.eat_symbol(":") || self.cursor.eat_symbol(",");
                let message = has_message.then(|| self.expression()).transpose()?;
                StmtKind::Assert { condition, message }
            }
            "break" => StmtKind::Break,
            _ => StmtKind::Continue,
        }))
    }

    fn value_if_there(&mut self) -> Result<Option<Expr>, Mistake> {
        let is_bare = self.cursor.begins_line()
            || self.cursor.is_symbol(";")
            || self.cursor.is_symbol("}")
            || self.cursor.is_end();
        (!is_bare).then(|| self.expression()).transpose()
    }

    fn condition(&mut self) -> Result<Expr, Mistake> {
        self.cursor.expect_symbol("(")?;
        let condition = self.expression()?;
        self.cursor.expect_symbol(")")?;
        Ok(condition)
    }

    /// A block, or one statement.
    fn block(&mut self) -> Result<Vec<Stmt>, Mistake> {
        if self.cursor.eat_symbol("{") {
            return self.statements_to_brace();
        }
        let stmt = self.statement()?;
        Ok(vec![stmt])
    }

    fn if_statement(&mut self) -> Result<StmtKind, Mistake> {
        let condition = self.condition()?;
        let then = self.block()?;
        let begin = self.cursor.position();
        self.cursor.eat_symbol(";");
        let otherwise = if self.cursor.eat_word("else") {
            self.block()?
        } else {
            self.cursor.go_to(begin);
            Vec::new()
        };
        Ok(StmtKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn for_statement(&mut self) -> Result<StmtKind, Mistake> {
        self.cursor.expect_symbol("(")?;
        let begin = self.cursor.position();
        if let Some(name) = self.loop_name() {
            let iterable = self.expression()?;
            self.cursor.expect_symbol(")")?;
            let body = self.block()?;
            let names = vec![name];
            return Ok(StmtKind::ForEach {
                names,
                iterable,
                body,
            });
        }
        self.cursor.go_to(begin);
        let mut init = Vec::new();
        if !self.cursor.is_symbol(";") {
            let line = self.cursor.line();
            let kind = self.simple_statement()?;
            init.push(Stmt { kind, line });
        }
        self.cursor.expect_symbol(";")?;
        let has_condition = !self.cursor.is_symbol(";");
        let condition = has_condition.then(|| self.expression()).transpose()?;
        self.cursor.expect_symbol(";")?;
        let steps = self.args(")")?.into_iter().map(|arg| arg.value).collect();
        let body = self.block()?;
        Ok(StmtKind::For {
            init,
            condition,
            steps,
            body,
        })
    }

    /// `x in`, `Type x :`, passed.
    fn loop_name(&mut self) -> Option<String> {
        while self.cursor.eat_word("def") || self.cursor.eat_word("final") {}
        let first = self.class_name().ok()?;
        let name = match self.cursor.peek() {
            Token::Name(name) if name != "in" => self.cursor.expect_name().ok()?,
            _ => first,
        };
        let is_loop = self.cursor.eat_word("in") || self.cursor.eat_symbol(":");
        is_loop.then_some(name)
    }

    fn switch_statement(&mut self) -> Result<StmtKind, Mistake> {
        let subject = self.condition()?;
        self.cursor.expect_symbol("{")?;
        let mut cases = Vec::new();
        while !self.cursor.eat_symbol("}") {
            let value = if self.cursor.eat_word("case") {
                Some(self.expression()?)
            } else if self.cursor.eat_word("default") {
                None
            } else {
                return Err(Mistake::unread(self.cursor.line()));
            };
            self.cursor.expect_symbol(":")?;
            let mut body = Vec::new();
            while !self.cursor.is_word("case")
                && !self.cursor.is_word("default")
                && !self.cursor.is_symbol("}")
            {
                if self.cursor.is_end() {
                    return Err(Mistake::unread(self.cursor.line()));
                }
                if !self.cursor.eat_symbol(";") {
                    body.push(self.statement_or_unread());
                }
            }
            cases.push(SwitchCase { value, body });
        }
        Ok(StmtKind::Switch { subject, cases })
    }

    fn try_statement(&mut self) -> Result<StmtKind, Mistake> {
        self.cursor.expect_symbol("{")?;
        let body = self.statements_to_brace()?;
        let mut error = None;
        let mut handler = Vec::new();
        let mut catches = 0;
        while self.cursor.eat_word("catch") {
            catches += 1;
            self.cursor.expect_symbol("(")?;
            let mut name = self.class_name()?;
            while self.cursor.eat_symbol("|") {
                self.class_name()?;
            }
            if matches!(self.cursor.peek(), Token::Name(_)) {
                name = self.cursor.expect_name()?;
            }
            self.cursor.expect_symbol(")")?;
            self.cursor.expect_symbol("{")?;
            error = Some(name);
            handler = self.statements_to_brace()?;
        }
        if catches > 1 {
            // JavaScript catches all kinds of errors in one place.
            return Err(Mistake::unread(self.cursor.line()));
        }
        let finally = if self.cursor.eat_word("finally") {
            self.cursor.expect_symbol("{")?;
            self.statements_to_brace()?
        } else {
            Vec::new()
        };
        Ok(StmtKind::Try {
            body,
            error,
            handler,
            finally,
        })
    }

    /// A declaration, or an expression, or a call without parentheses.
    pub(super) fn simple_statement(&mut self) -> Result<StmtKind, Mistake> {
        if let Some(declared) = self.declaration()? {
            return Ok(declared);
        }
        let value = self.expression()?;
        if !self.begins_bare_arg() || !is_callable(&value) {
            return Ok(StmtKind::Expr(value));
        }
        let line = value.line;
        let mut args = Vec::new();
        loop {
            let value = self.expression()?;
            args.push(Arg { name: None, value });
            if !self.cursor.eat_symbol(",") {
                break;
            }
        }
        let kind = ExprKind::Call {
            callee: Box::new(value),
            args,
        };
        Ok(StmtKind::Expr(self.cursor.expr(kind, line)?))
    }

    /// Whether what follows on the line is the argument of a call: `println "text"`.
    fn begins_bare_arg(&self) -> bool {
        let is_value = match self.cursor.peek() {
            Token::Name(name) => !super::GROOVY_KEYWORDS.contains(&name.as_str()),
            Token::Number(_) | Token::Text(_) | Token::Template(_) => true,
            Token::Symbol(symbol) => *symbol == "[",
            _ => false,
        };
        is_value && !self.cursor.begins_line()
    }

    /// `def x = 1`, `final String x`, `Map<String, String> x = [:]`; nothing is passed where there is none.
    pub(super) fn declaration(&mut self) -> Result<Option<StmtKind>, Mistake> {
        let begin = self.cursor.position();
        let mut has_modifier = false;
        while matches!(self.cursor.peek(), Token::Name(word) if MODIFIER_KEYWORDS.contains(&word.as_str()))
        {
            self.cursor.advance();
            has_modifier = true;
        }
        let first = self.class_name();
        let class = match (first, self.cursor.peek().clone()) {
            (Ok(first), Token::Name(name)) if is_declared(&first) && name != "in" => {
                let is_same_line = !self.cursor.begins_line();
                let is_word = super::GROOVY_KEYWORDS.contains(&name.as_str());
                (is_same_line && !is_word).then_some(first)
            }
            _ => None,
        };
        if class.is_none() {
            self.cursor.go_to(begin);
            if !has_modifier {
                return Ok(None);
            }
            while matches!(self.cursor.peek(), Token::Name(word) if MODIFIER_KEYWORDS.contains(&word.as_str()))
            {
                self.cursor.advance();
            }
        }
        let name = self.cursor.expect_name()?;
        let has_value = !self.cursor.begins_line() && self.cursor.eat_symbol("=");
        let value = has_value.then(|| self.expression()).transpose()?;
        Ok(Some(StmtKind::Let { name, class, value }))
    }
}

/// Whether a class of this name may stand before a variable.
fn is_declared(class: &str) -> bool {
    class.rsplit('.').next().is_some_and(is_class_name)
        || class.split('<').next().is_some_and(is_class_name)
}

fn is_callable(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Name(_) | ExprKind::Member { .. })
}
