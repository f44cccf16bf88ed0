//! What a script sets: headers, timeouts, the success of a test; and what k6 does by itself.

use super::Turn;
use super::code::Rank;
use super::facts::{self, ValueKind};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::Mistake;

/// Setters that are statements of their own.
const SETTING_METHODS: [&str; 12] = [
    "record",
    "setDelayReports",
    "setFollowRedirects",
    "setVersionPolicy",
    "setSuccess",
    "setConnectionTimeout",
    "setSocketTimeout",
    "setTimeout",
    "setHeaders",
    "setUrl",
    "report",
    "discardAllCookies",
];

impl Turn<'_> {
    /// What is written in another way than as an expression.
    pub(super) fn is_special(&self, expr: &Expr) -> bool {
        if self.is_assertion(expr) {
            return true;
        }
        match &expr.kind {
            ExprKind::Assign { target, value, .. } => {
                self.is_setting(target)
                    || facts::variable(target)
                        .is_some_and(|name| self.is_needless(name, Some(value)))
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Member { name, .. } => SETTING_METHODS.contains(&name.as_str()),
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn is_setting(&self, target: &Expr) -> bool {
        let ExprKind::Member { receiver, name, .. } = &target.kind else {
            return false;
        };
        if facts::variable(target).is_some() {
            return false;
        }
        let is_defaults = self.facts.kind(receiver) == Some(ValueKind::Needless)
            || super::calls::path(receiver).is_some_and(|path| {
                path.ends_with("connectionDefaults") || path.contains("statistics")
            })
            || facts::method_call(receiver, "getForLastTest").is_some()
            || facts::method_call(receiver, "getForCurrentTest").is_some();
        let known = [
            "delayReports",
            "success",
            "timeout",
            "followRedirects",
            "useCookies",
        ];
        is_defaults || (known.contains(&name.as_str()) && self.names_statistics(receiver))
    }

    fn names_statistics(&self, receiver: &Expr) -> bool {
        super::calls::path(receiver).is_some_and(|path| path.contains("statistics"))
    }

    /// `grinder.statistics.forLastTest.success = 0`, `connectionDefaults.timeout = 6000`.
    pub(super) fn set(&mut self, target: &Expr, value: &Expr) -> Result<String, Mistake> {
        let ExprKind::Member { name, .. } = &target.kind else {
            return Err(Mistake::unread(target.line));
        };
        self.set_named(name, value, target.line)
    }

    fn set_named(&mut self, name: &str, value: &Expr, line: u32) -> Result<String, Mistake> {
        match name {
            "delayReports" | "followRedirects" => Ok(String::new()),
            "success" => self.success(value),
            "timeout" => Ok(format!("timeout = {};", self.expr(value)?.at(Rank::Assign))),
            _ => Err(Mistake::no_counterpart(line, name)),
        }
    }

    /// Methods that set something, or that k6 does by itself.
    pub(super) fn setter(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[Arg],
    ) -> Result<Option<String>, Mistake> {
        let Some(first) = args.first().map(|arg| &arg.value) else {
            let is_done = name == "report" || name == "reset" || name == "discardAllCookies";
            return Ok(is_done.then(String::new));
        };
        match name {
            "record" if self.facts.kind(receiver) == Some(ValueKind::Test) => {
                Ok(Some(String::new()))
            }
            "discardAllCookies" => Ok(Some(String::new())),
            "setDelayReports" | "setFollowRedirects" | "setVersionPolicy" => {
                Ok(Some(String::new()))
            }
            "setSuccess" => self.success(first).map(Some),
            "setConnectionTimeout" | "setSocketTimeout" | "setTimeout" => {
                self.set_named("timeout", first, receiver.line).map(Some)
            }
            "setHeaders" if !self.facts.sets_headers => Ok(Some(String::new())),
            "addCookies" if self.facts.is_always_empty(first) => Ok(Some(String::new())),
            "each" if self.facts.is_always_empty(receiver) => Ok(Some(String::new())),
            "setHeaders" => {
                let receiver = self.expr(receiver)?.receiver();
                let is_literal = matches!(first.kind, ExprKind::List(_) | ExprKind::Map(_));
                let headers = match &first.kind {
                    ExprKind::List(items) if items.is_empty() => "{}".to_owned(),
                    _ => self.expr(first)?.at(Rank::Assign),
                };
                // nGrinder copies them here, too.
                let headers = if is_literal {
                    headers
                } else {
                    format!("{{ ...{headers} }}")
                };
                Ok(Some(format!("{receiver}.headers = {headers};")))
            }
            "setUrl" => {
                let receiver = self.expr(receiver)?.receiver();
                let url = self.expr(first)?.at(Rank::Assign);
                Ok(Some(format!("{receiver}.url = {url};")))
            }
            _ => Ok(None),
        }
    }
}
