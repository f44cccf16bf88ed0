//! Random numbers of Java and of Python.

use super::Turn;
use super::code::{Code, Rank};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::Mistake;

impl Turn<'_> {
    /// Of random numbers it is the method that counts, not the object.
    pub(super) fn random(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[Arg],
    ) -> Result<Option<Code>, Mistake> {
        if let Some(path) = super::calls::path(receiver)
            && path == "random"
            && self.names.variable("random").is_none()
        {
            return self.python_random(name, args);
        }
        Ok(Some(match (name, args) {
            ("nextInt" | "nextLong", [bound]) => {
                let bound = self.expr(&bound.value)?.at(Rank::Multiply);
                Code::atom(format!("Math.floor(Math.random() * {bound})"))
            }
            ("nextInt" | "nextLong", [from, to]) => {
                self.random_between(&from.value, &to.value, false)?
            }
            ("nextDouble" | "nextFloat", []) => Code::atom("Math.random()"),
            ("nextBoolean", []) => Code::new("Math.random() < 0.5", Rank::Compare),
            _ => return Ok(None),
        }))
    }

    fn python_random(&mut self, name: &str, args: &[Arg]) -> Result<Option<Code>, Mistake> {
        Ok(Some(match (name, args) {
            ("randint", [from, to]) => self.random_between(&from.value, &to.value, true)?,
            ("randrange", [from, to]) => self.random_between(&from.value, &to.value, false)?,
            ("randrange", [bound]) => {
                let bound = self.expr(&bound.value)?.at(Rank::Multiply);
                Code::atom(format!("Math.floor(Math.random() * {bound})"))
            }
            ("random", []) => Code::atom("Math.random()"),
            ("choice", [list]) => self.random_item(&list.value)?,
            _ => return Ok(None),
        }))
    }

    fn random_between(&mut self, from: &Expr, to: &Expr, is_closed: bool) -> Result<Code, Mistake> {
        let literal = |expr: &Expr| match &expr.kind {
            ExprKind::Number(number) => number.parse::<i64>().ok(),
            _ => None,
        };
        let end = i64::from(is_closed);
        let width = match (literal(from), literal(to)) {
            (Some(from), Some(to)) => (to.saturating_sub(from).saturating_add(end)).to_string(),
            _ => {
                let to = self.expr(to)?.at(Rank::Add);
                let from = self.expr(from)?.at(Rank::Multiply);
                let one = if is_closed { " + 1" } else { "" };
                format!("({to} - {from}{one})")
            }
        };
        let from = self.expr(from)?.at(Rank::Add);
        let text = format!("{from} + Math.floor(Math.random() * {width})");
        Ok(Code::new(text, Rank::Add))
    }

    pub(super) fn random_item(&mut self, list: &Expr) -> Result<Code, Mistake> {
        let any_of = self.help(super::helpers::Helper::AnyOf);
        self.wrapped(any_of, list)
    }
}
