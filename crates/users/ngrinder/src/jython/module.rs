//! What a module of Python is made of: imports, functions, the class whose objects are threads.

use super::Parser;
use crate::form::{Annotation, Expr, ExprKind, Function, Param, Program, Stmt, StmtKind};
use crate::loss::{LossReason, Mistake};
use crate::tokens::Token;

/// The class that nGrinder makes one of for each thread.
const RUNNER_CLASS: &str = "TestRunner";

impl Parser {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        while !self.cursor.is_end() {
            let passed = matches!(
                self.cursor.peek(),
                Token::LineEnd | Token::Indent | Token::Dedent
            );
            if passed || self.cursor.eat_symbol(";") {
                if passed {
                    self.cursor.advance();
                }
                continue;
            }
            let begin = self.cursor.position();
            let budget = self.cursor.budget();
            let line = self.cursor.line();
            if let Err(mistake) = self.top_level(&mut program) {
                self.cursor.restore(budget);
                self.cursor.go_to(begin);
                self.skip_statement();
                let kind = StmtKind::Unread(Mistake::new(line, mistake.reason));
                program.body.push(Stmt { kind, line });
            }
        }
        program
    }

    fn top_level(&mut self, program: &mut Program) -> Result<(), Mistake> {
        if self.cursor.eat_word("def") {
            let function = self.function()?;
            program.functions.push(function);
            return Ok(());
        }
        if self.cursor.is_word("class") {
            return self.class(program);
        }
        if let Some(mut names) = self.imports()? {
            program.imports.append(&mut names);
            return Ok(());
        }
        self.statement_or_unread(&mut program.body);
        Ok(())
    }

    /// `import a.b` and `from a.b import c, d`, as full names.
    fn imports(&mut self) -> Result<Option<Vec<String>>, Mistake> {
        if self.cursor.eat_word("import") {
            let mut names = Vec::new();
            loop {
                names.push(self.cursor.dotted_name()?);
                if self.cursor.eat_word("as") {
                    self.cursor.expect_name()?;
                }
                if !self.cursor.eat_symbol(",") {
                    return Ok(Some(names));
                }
            }
        }
        if !self.cursor.eat_word("from") {
            return Ok(None);
        }
        let from = self.cursor.dotted_name()?;
        if !self.cursor.eat_word("import") {
            return Err(Mistake::unread(self.cursor.line()));
        }
        let has_bracket = self.cursor.eat_symbol("(");
        let mut names = Vec::new();
        loop {
            if self.cursor.eat_symbol("*") {
                names.push(format!("{from}.*"));
            } else {
                names.push(format!("{from}.{}", self.cursor.expect_name()?));
            }
            if self.cursor.eat_word("as") {
                self.cursor.expect_name()?;
            }
            if !self.cursor.eat_symbol(",") {
                break;
            }
        }
        if has_bracket {
            self.cursor.expect_symbol(")")?;
        }
        Ok(Some(names))
    }

    fn class(&mut self, program: &mut Program) -> Result<(), Mistake> {
        let line = self.cursor.line();
        self.cursor.advance();
        let name = self.cursor.expect_name()?;
        if name != RUNNER_CLASS {
            return Err(Mistake::new(line, LossReason::OtherClass));
        }
        program.class = Some(name);
        if self.cursor.eat_symbol("(") {
            while !self.cursor.eat_symbol(")") {
                if self.cursor.is_end() {
                    return Err(Mistake::unread(line));
                }
                self.cursor.advance();
            }
        }
        self.cursor.expect_symbol(":")?;
        if *self.cursor.peek() == Token::LineEnd {
            self.cursor.advance();
        }
        if self.cursor.advance() != Token::Indent {
            return Err(Mistake::unread(line));
        }
        while !matches!(self.cursor.peek(), Token::Dedent | Token::End) {
            if self.cursor.eat_word("def") {
                let mut function = self.function()?;
                name_runner_method(&mut function);
                program.functions.push(function);
            } else if *self.cursor.peek() == Token::LineEnd {
                self.cursor.advance();
            } else {
                self.statement_or_unread(&mut program.body);
            }
        }
        self.cursor.advance();
        Ok(())
    }

    /// After its `def`.
    fn function(&mut self) -> Result<Function, Mistake> {
        let line = self.cursor.line();
        let name = self.cursor.expect_name()?;
        self.cursor.expect_symbol("(")?;
        let mut params = Vec::new();
        while !self.cursor.eat_symbol(")") {
            let name = self.cursor.expect_name()?;
            let has_default = self.cursor.eat_symbol("=");
            let default = has_default.then(|| self.expression()).transpose()?;
            params.push(Param {
                name,
                class: None,
                default,
            });
            if !self.cursor.eat_symbol(",") {
                self.cursor.expect_symbol(")")?;
                break;
            }
        }
        self.globals.clear();
        let mut body = self.block()?;
        let params_known = params.iter().map(|one| one.name.clone());
        declare(
            &mut body,
            params_known.chain(self.globals.drain(..)).collect(),
        );
        let annotations = Vec::new();
        Ok(Function {
            name,
            params,
            annotations,
            body,
            line,
        })
    }
}

/// Methods of the class that nGrinder calls: made, run, ended.
fn name_runner_method(function: &mut Function) {
    if function
        .params
        .first()
        .is_some_and(|one| one.name == "self")
    {
        function.params.remove(0);
    }
    let (name, annotation) = match function.name.as_str() {
        "__call__" => ("run", "Test"),
        "__init__" => ("beforeThread", "BeforeThread"),
        "__del__" => ("afterThread", "AfterThread"),
        _ => return,
    };
    function.name = name.to_owned();
    let name = annotation.to_owned();
    function.annotations.push(Annotation { name, number: None });
}

/// Python has no declarations: a name that a function assigns is its own, from the first assignment on.
fn declare(body: &mut Vec<Stmt>, mut known: Vec<String>) {
    let mut hoisted = Vec::new();
    for stmt in body.iter_mut() {
        if let Some((name, value)) = assigned(stmt) {
            if !known.contains(&name) {
                known.push(name.clone());
                let value = Some(value.clone());
                let class = None;
                stmt.kind = StmtKind::Let { name, class, value };
            }
            continue;
        }
        for block in stmt.blocks() {
            crate::form::visit_statements(block, &mut |inner| {
                if let Some((name, _)) = assigned(inner)
                    && !known.contains(&name)
                {
                    known.push(name.clone());
                    hoisted.push((name, inner.line));
                }
            });
        }
    }
    for (name, line) in hoisted.into_iter().rev() {
        let kind = StmtKind::Let {
            name,
            class: None,
            value: None,
        };
        body.insert(0, Stmt { kind, line });
    }
}

/// `name = value`.
fn assigned(stmt: &Stmt) -> Option<(String, &Expr)> {
    let StmtKind::Expr(expr) = &stmt.kind else {
        return None;
    };
    match &expr.kind {
        ExprKind::Assign {
            operator: "=",
            target,
            value,
        } => match &target.kind {
            ExprKind::Name(name) => Some((name.clone(), value)),
            _ => None,
        },
        _ => None,
    }
}
