//! Classes of Groovy and what stands around them.

use super::{MODIFIER_KEYWORDS, PRIMITIVE_TYPES, Parser};
use crate::form::{Annotation, Function, Param, Program, Stmt, StmtKind};
use crate::loss::{LossReason, Mistake};
use crate::tokens::Token;

impl Parser {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program {
            gives_last: true,
            ..Program::default()
        };
        while !self.cursor.is_end() {
            if self.cursor.eat_symbol(";") {
                continue;
            }
            let begin = self.cursor.position();
            let budget = self.cursor.budget();
            let line = self.cursor.line();
            if let Err(mistake) = self.top_level(&mut program) {
                self.cursor.restore(budget);
                self.cursor.go_to(begin);
                self.skip_statement();
                let kind = StmtKind::Unread(mistake);
                program.body.push(Stmt { kind, line });
            }
        }
        program
    }

    fn top_level(&mut self, program: &mut Program) -> Result<(), Mistake> {
        if self.cursor.eat_word("package") {
            self.cursor.dotted_name()?;
            return Ok(());
        }
        if self.cursor.eat_word("import") {
            self.cursor.eat_word("static");
            let mut name = self.cursor.dotted_name()?;
            if self.cursor.eat_symbol(".") && self.cursor.eat_symbol("*") {
                name.push_str(".*");
            } else if self.cursor.eat_word("as") {
                self.cursor.expect_name()?;
            }
            program.imports.push(name);
            return Ok(());
        }
        let begin = self.cursor.position();
        let annotations = self.annotations()?;
        self.modifiers();
        let line = self.cursor.line();
        if self.cursor.eat_word("class") {
            return self.class(program, annotations);
        }
        if ["interface", "enum", "trait"]
            .iter()
            .any(|word| self.cursor.is_word(word))
        {
            return Err(Mistake::new(line, LossReason::OtherClass));
        }
        self.cursor.go_to(begin);
        self.member(program)
    }

    fn class(
        &mut self,
        program: &mut Program,
        annotations: Vec<Annotation>,
    ) -> Result<(), Mistake> {
        let line = self.cursor.line();
        let name = self.cursor.expect_name()?;
        while !self.cursor.eat_symbol("{") {
            if self.cursor.is_end() {
                return Err(Mistake::unread(line));
            }
            self.cursor.advance();
        }
        let mut own = Program::default();
        while !self.cursor.eat_symbol("}") {
            if self.cursor.is_end() {
                return Err(Mistake::unread(line));
            }
            if !self.cursor.eat_symbol(";") {
                self.member_or_unread(&mut own);
            }
        }
        let is_runner = annotations.iter().any(|one| one.name == "RunWith");
        let has_tests = own.functions.iter().any(Function::is_test);
        if !is_runner && !has_tests {
            return Err(Mistake::new(line, LossReason::OtherClass));
        }
        if program.functions.iter().any(Function::is_test) {
            return Err(Mistake::new(line, LossReason::OtherClass));
        }
        program.class = Some(name);
        program.annotations = annotations;
        program.body.append(&mut own.body);
        program.functions.append(&mut own.functions);
        Ok(())
    }

    fn member_or_unread(&mut self, own: &mut Program) {
        let begin = self.cursor.position();
        let budget = self.cursor.budget();
        let line = self.cursor.line();
        if let Err(mistake) = self.member(own) {
            self.cursor.restore(budget);
            self.cursor.go_to(begin);
            self.skip_member();
            let kind = StmtKind::Unread(Mistake::new(line, mistake.reason));
            own.body.push(Stmt { kind, line });
        }
    }

    /// Annotations stand on lines of their own, which end no member.
    fn skip_member(&mut self) {
        while self.cursor.is_symbol("@") {
            if self.annotations().is_err() {
                break;
            }
        }
        self.skip_statement();
    }

    fn annotations(&mut self) -> Result<Vec<Annotation>, Mistake> {
        let mut read = Vec::new();
        while self.cursor.eat_symbol("@") {
            let name = self.cursor.dotted_name()?;
            let name = name.rsplit('.').next().unwrap_or_default().to_owned();
            let mut number = None;
            if !self.cursor.begins_line() && self.cursor.eat_symbol("(") {
                let mut depth = 1_u32;
                while depth > 0 {
                    match self.cursor.advance() {
                        Token::Symbol("(") => depth += 1,
                        Token::Symbol(")") => depth -= 1,
                        Token::Number(text) => number = number.or(text.parse().ok()),
                        Token::End => return Err(Mistake::unread(self.cursor.line())),
                        _ => {}
                    }
                }
            }
            read.push(Annotation { name, number });
        }
        Ok(read)
    }

    fn modifiers(&mut self) {
        while matches!(self.cursor.peek(), Token::Name(word) if MODIFIER_KEYWORDS.contains(&word.as_str()))
        {
            self.cursor.advance();
        }
    }

    /// A field or a method; outside of a class a statement, too.
    fn member(&mut self, own: &mut Program) -> Result<(), Mistake> {
        let annotations = self.annotations()?;
        let begin = self.cursor.position();
        let line = self.cursor.line();
        let is_static_block = self.cursor.is_word("static") && self.cursor.is_symbol_at(1, "{");
        if is_static_block {
            self.cursor.advance();
            self.cursor.advance();
            let mut body = self.statements_to_brace()?;
            own.body.append(&mut body);
            return Ok(());
        }
        self.modifiers();
        if ["class", "interface", "enum"]
            .iter()
            .any(|word| self.cursor.is_word(word))
        {
            return Err(Mistake::new(line, LossReason::OtherClass));
        }
        if let Some(name) = self.method_name(begin) {
            let params = self.params()?;
            if self.cursor.eat_word("throws") {
                self.class_name()?;
                while self.cursor.eat_symbol(",") {
                    self.class_name()?;
                }
            }
            self.cursor.expect_symbol("{")?;
            let body = self.statements_to_brace()?;
            own.functions.push(Function {
                name,
                params,
                annotations,
                body,
                line,
            });
            return Ok(());
        }
        self.cursor.go_to(begin);
        own.body.push(self.statement_or_unread());
        Ok(())
    }

    /// `Type name(` or `name(` behind modifiers, passed up to the parenthesis.
    fn method_name(&mut self, begin: usize) -> Option<String> {
        let has_modifier = self.cursor.position() > begin;
        let first = self.class_name().ok()?;
        let (name, has_class) = match self.cursor.peek().clone() {
            Token::Name(name) => {
                self.cursor.advance();
                (name, true)
            }
            Token::Text(name) if self.cursor.is_symbol_at(1, "(") => {
                self.cursor.advance();
                (name, true)
            }
            _ => (first.clone(), false),
        };
        let is_type = PRIMITIVE_TYPES.contains(&first.as_str()) || has_modifier || has_class;
        let is_method = is_type && self.cursor.is_symbol("(") && !self.cursor.begins_line();
        if !is_method || !self.has_body() {
            return None;
        }
        self.cursor.advance();
        Some(name)
    }

    /// Whether a `{` follows the parentheses that begin here.
    fn has_body(&self) -> bool {
        let mut depth = 0_usize;
        let mut ahead = 0;
        loop {
            match self.cursor.peek_at(ahead) {
                Token::Symbol("(") => depth += 1,
                Token::Symbol(")") => depth = depth.saturating_sub(1),
                Token::End => return false,
                _ => {}
            }
            ahead += 1;
            if depth == 0 {
                break;
            }
        }
        let is_throws = matches!(self.cursor.peek_at(ahead), Token::Name(word) if word == "throws");
        is_throws || self.cursor.is_symbol_at(ahead, "{")
    }

    /// After their parenthesis.
    fn params(&mut self) -> Result<Vec<Param>, Mistake> {
        let mut params = Vec::new();
        while !self.cursor.eat_symbol(")") {
            self.modifiers();
            let first = self.class_name()?;
            while self.cursor.eat_symbol(".") {}
            self.cursor.eat_symbol("..");
            self.cursor.eat_symbol(".");
            let (name, class) = match self.cursor.peek().clone() {
                Token::Name(name) => {
                    self.cursor.advance();
                    (name, Some(first))
                }
                _ => (first, None),
            };
            let has_default = self.cursor.eat_symbol("=");
            let default = has_default.then(|| self.expression()).transpose()?;
            params.push(Param {
                name,
                class,
                default,
            });
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol(")")?;
                break;
            }
        }
        Ok(params)
    }
}
