//! Calls: requests, functions of the script, and what both languages bring along.

use super::code::{Code, Rank, member, quoted};
use super::facts::{self, REQUEST_METHODS, ValueKind};
use super::requests::RequestCall;
use super::{Place, Turn};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::{LossReason, Mistake};

impl Turn<'_> {
    pub(super) fn call(
        &mut self,
        expr: &Expr,
        callee: &Expr,
        args: &[Arg],
    ) -> Result<Code, Mistake> {
        match &callee.kind {
            ExprKind::Member {
                receiver,
                name,
                is_safe,
            } => self.method(expr, receiver, name, *is_safe, args),
            ExprKind::Name(name) => self.function_call(expr, name, args),
            _ => {
                let function = self.expr(callee)?.receiver();
                let args = self.args(args)?;
                Ok(Code::atom(format!("{function}({args})")))
            }
        }
    }

    pub(super) fn args(&mut self, args: &[Arg]) -> Result<String, Mistake> {
        let mut texts = Vec::new();
        for arg in args {
            texts.push(self.expr(&arg.value)?.at(Rank::Assign));
        }
        Ok(texts.join(", "))
    }

    fn method(
        &mut self,
        expr: &Expr,
        receiver: &Expr,
        name: &str,
        is_safe: bool,
        args: &[Arg],
    ) -> Result<Code, Mistake> {
        let line = expr.line;
        if REQUEST_METHODS.contains(&name) {
            return self.request(RequestCall {
                receiver,
                method: name,
                args,
                line,
            });
        }
        if is_own(receiver) && self.names.function(name).is_some() {
            return self.own_function(name, args);
        }
        if is_grinder(receiver) {
            return self.grinder(name, args, line);
        }
        if let Some(path) = path(receiver) {
            let is_variable = self.names.variable(first_of(&path)).is_some();
            let class = path.rsplit('.').next().unwrap_or_default();
            if Some(class) == self.program.class.as_deref() {
                return self.own_function(name, args);
            }
            if !is_variable && let Some(code) = self.class_call(class, name, args, line)? {
                return Ok(code);
            }
        }
        self.value_method(receiver, name, is_safe, args, line)
    }

    fn own_function(&mut self, name: &str, args: &[Arg]) -> Result<Code, Mistake> {
        let args = self.args(args)?;
        let function = self.names.function(name).unwrap_or(name);
        Ok(Code::atom(format!("{function}({args})")))
    }

    fn function_call(&mut self, expr: &Expr, name: &str, args: &[Arg]) -> Result<Code, Mistake> {
        if self.names.function(name).is_some() {
            return self.own_function(name, args);
        }
        if let Some(variable) = self.names.variable(name).map(str::to_owned) {
            let args = self.args(args)?;
            return Ok(Code::atom(format!("{variable}({args})")));
        }
        // In Python a class is called as a function is.
        if let Some(code) = self.class_value(name, args, expr.line)? {
            return Ok(code);
        }
        let first = args.first().map(|arg| &arg.value);
        match (name, first) {
            ("println" | "print", _) => {
                let args = self.args(args)?;
                Ok(Code::atom(format!("console.log({args})")))
            }
            ("sleep", Some(ms)) => self.sleep(ms),
            ("nvs" | "list" | "tuple", Some(value)) => self.expr(value),
            ("any", Some(list)) => self.random_item(list),
            ("len", Some(value)) => self.size(value),
            ("str" | "unicode", Some(value)) => self.wrapped("String", value),
            ("int" | "long", Some(value)) => {
                let value = self.expr(value)?.text;
                Ok(Code::atom(format!("parseInt({value}, 10)")))
            }
            ("float", Some(value)) => self.wrapped("Number", value),
            ("range" | "xrange", Some(first)) => {
                let (from, to) = match args.get(1) {
                    Some(to) => (self.expr(first)?.text, self.expr(&to.value)?.text),
                    None => ("0".to_owned(), self.expr(first)?.text),
                };
                let range = self.help(super::helpers::Helper::Range);
                Ok(Code::atom(format!("{range}({from}, {to})")))
            }
            _ => Err(Mistake::new(
                expr.line,
                LossReason::UnknownName(name.to_owned()),
            )),
        }
    }

    pub(super) fn wrapped(&mut self, function: &str, value: &Expr) -> Result<Code, Mistake> {
        let value = self.expr(value)?.text;
        Ok(Code::atom(format!("{function}({value})")))
    }

    /// A pause, whose length is in milliseconds.
    pub(super) fn sleep(&mut self, ms: &Expr) -> Result<Code, Mistake> {
        self.import("sleep");
        if let ExprKind::Number(number) = &ms.kind
            && let Ok(ms) = number.parse::<f64>()
        {
            return Ok(Code::atom(format!("sleep({})", ms / 1000.0)));
        }
        let ms = self.expr(ms)?.at(Rank::Multiply);
        Ok(Code::atom(format!("sleep({ms} / 1000)")))
    }

    pub(super) fn size(&mut self, value: &Expr) -> Result<Code, Mistake> {
        let kind = self.facts.kind(value);
        let value = self.expr(value)?;
        if matches!(kind, Some(ValueKind::Map | ValueKind::Pairs)) {
            let map = value.text;
            return Ok(Code::atom(format!("Object.keys({map}).length")));
        }
        Ok(Code::atom(format!("{}.length", value.receiver())))
    }

    /// A method of `grinder`.
    fn grinder(&mut self, name: &str, args: &[Arg], line: u32) -> Result<Code, Mistake> {
        match (name, args) {
            ("sleep", [ms, ..]) => self.sleep(&ms.value),
            _ => match name.strip_prefix("get") {
                Some(number) if args.is_empty() => {
                    let mut chars = number.chars();
                    let first = chars.next().map(|char| char.to_ascii_lowercase());
                    let number: String = first.into_iter().chain(chars).collect();
                    self.grinder_value(&number, line)
                }
                _ => Err(Mistake::no_counterpart(line, format!("grinder.{name}"))),
            },
        }
    }

    /// `grinder.threadNumber` and its kin: all virtual users are threads of one process.
    pub(super) fn grinder_value(&mut self, name: &str, line: u32) -> Result<Code, Mistake> {
        match name {
            "threadNumber" | "threadUniqId" => {
                self.import("exec");
                Ok(Code::new("exec.vu.idInTest - 1", Rank::Add))
            }
            "processNumber" | "agentNumber" => Ok(Code::atom("0")),
            "runNumber" => Ok(Code::atom("__ITER")),
            _ => Err(Mistake::no_counterpart(line, format!("grinder.{name}"))),
        }
    }

    pub(super) fn property(
        &mut self,
        expr: &Expr,
        receiver: &Expr,
        name: &str,
        is_safe: bool,
    ) -> Result<Code, Mistake> {
        let line = expr.line;
        if is_own(receiver) {
            return self.own_property(receiver, name, line);
        }
        if is_grinder(receiver) {
            return self.grinder_value(name, line);
        }
        if let Some(path) = path(receiver)
            && self.names.variable(first_of(&path)).is_none()
        {
            let class = path.rsplit('.').next().unwrap_or_default();
            if Some(class) == self.program.class.as_deref()
                && let Some(field) = self.names.global(name)
            {
                return Ok(Code::atom(field));
            }
            return self.class_constant(class, name, line);
        }
        let kind = self.facts.kind(receiver);
        let is_response = kind == Some(ValueKind::Response);
        let may_be_response =
            is_response || (kind.is_none() && facts::variable(receiver).is_some());
        if let Some(code) = self.read_file(receiver, name, line)? {
            return Ok(code);
        }
        let dot = if is_safe { "?" } else { "" };
        let property = match name {
            "statusCode" if kind != Some(ValueKind::Json) => ".status".to_owned(),
            "bodyText" | "bodyBytes" => ".body".to_owned(),
            "text" if may_be_response => ".body".to_owned(),
            "data" | "body" if is_response => ".body".to_owned(),
            "bytes" => return self.expr(receiver),
            "time" if is_date(receiver) => return Ok(Code::atom("Date.now()")),
            "class" => return Err(Mistake::no_counterpart(line, "class")),
            _ => member(name),
        };
        let receiver = self.expr(receiver)?.receiver();
        let dot = if property.starts_with('[') && is_safe {
            "?."
        } else {
            dot
        };
        Ok(Code::atom(format!("{receiver}{dot}{property}")))
    }

    /// `this.x` of Groovy is a variable of the module, `self.x` of Python a property.
    fn own_property(&mut self, receiver: &Expr, name: &str, line: u32) -> Result<Code, Mistake> {
        if matches!(&receiver.kind, ExprKind::Name(own) if own == "self") {
            self.uses_self = true;
            return Ok(Code::atom(format!("self{}", member(name))));
        }
        match self.names.global(name) {
            Some(field) => Ok(Code::atom(field)),
            None => Err(Mistake::new(line, LossReason::UnknownName(name.to_owned()))),
        }
    }

    /// `new File("name").text` and its kin: k6 reads files before the run.
    pub(super) fn read_file(
        &mut self,
        receiver: &Expr,
        name: &str,
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let ExprKind::New { class, args } = &receiver.kind else {
            return Ok(None);
        };
        let is_read = matches!(name, "text" | "getText" | "readLines");
        let ("File", true, [file]) = (class.as_str(), is_read, args.as_slice()) else {
            return Ok(None);
        };
        if self.place != Place::Start {
            return Err(Mistake::new(line, LossReason::FileInRun));
        }
        let file = self.expr(&file.value)?.text;
        let lines = if name == "readLines" {
            ".trimEnd().split(/\\r?\\n/)"
        } else {
            ""
        };
        Ok(Some(Code::atom(format!("open({file}){lines}"))))
    }

    /// A text with `{}` in the places of values, as loggers have it.
    pub(super) fn logged(&mut self, args: &[Arg]) -> Result<String, Mistake> {
        let Some((first, rest)) = args.split_first() else {
            return Ok(String::new());
        };
        let ExprKind::Text(pattern) = &first.value.kind else {
            return self.args(args);
        };
        let mut parts = pattern.split("{}");
        let mut text = super::code::template_text(parts.next().unwrap_or_default());
        let mut values = rest.iter();
        if rest.is_empty() {
            return Ok(quoted(pattern));
        }
        for part in parts {
            match values.next() {
                Some(value) => text.push_str(&format!("${{{}}}", self.expr(&value.value)?.text)),
                None => text.push_str("{}"),
            }
            text.push_str(&super::code::template_text(part));
        }
        Ok(format!("`{text}`"))
    }
}

fn is_own(receiver: &Expr) -> bool {
    matches!(&receiver.kind, ExprKind::Name(name) if name == "this" || name == "self")
}

fn is_date(receiver: &Expr) -> bool {
    matches!(&receiver.kind, ExprKind::New { class, args } if class == "Date" && args.is_empty())
}

/// `grinder`, `Grinder.grinder`, `net.grinder.script.Grinder.grinder`.
fn is_grinder(receiver: &Expr) -> bool {
    path(receiver).is_some_and(|path| path == "grinder" || path.ends_with("Grinder.grinder"))
}

/// Names with points between them.
pub(super) fn path(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Member { receiver, name, .. } => Some(format!("{}.{name}", path(receiver)?)),
        _ => None,
    }
}

fn first_of(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// Whether it is the name of a class: `Assert`, `org.junit.Assert`.
pub(super) fn is_class(expr: &Expr) -> bool {
    let path = path(expr);
    let last = path.as_deref().and_then(|path| path.rsplit('.').next());
    last.is_some_and(|last| last.starts_with(char::is_uppercase))
}
