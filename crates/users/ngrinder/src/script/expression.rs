//! Expressions.

use super::Turn;
use super::code::{Code, Rank, key, member, quoted, template_text};
use super::facts::{self, ValueKind};
use super::helpers::Helper;
use crate::form::{Closure, Expr, ExprKind, MapEntry, StmtKind, TemplatePart};
use crate::loss::{LossReason, Mistake};

impl Turn<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<Code, Mistake> {
        match &expr.kind {
            ExprKind::Null => Ok(Code::atom("null")),
            ExprKind::Bool(value) => Ok(Code::atom(value.to_string())),
            ExprKind::Number(number) => Ok(Code::atom(number.trim_end_matches('.'))),
            ExprKind::Text(text) => Ok(Code::atom(quoted(text))),
            ExprKind::Template(parts) => self.template(parts),
            ExprKind::Regex(pattern) => Ok(Code::atom(quoted(pattern))),
            ExprKind::Name(name) => self.name(name, expr.line),
            ExprKind::List(items) => self.list(items),
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Member {
                receiver,
                name,
                is_safe,
            } => self.property(expr, receiver, name, *is_safe),
            ExprKind::Index { receiver, index } => self.indexed(receiver, index),
            ExprKind::Slice { receiver, from, to } => {
                self.sliced(receiver, from.as_deref(), to.as_deref())
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::New { class, args } => self.created(expr, class, args),
            ExprKind::Unary { operator, value } => {
                let value = self.expr(value)?.at(Rank::Unary);
                // `--1` is another operator.
                let blank = if value.starts_with(['-', '+']) {
                    " "
                } else {
                    ""
                };
                Ok(Code::new(format!("{operator}{blank}{value}"), Rank::Unary))
            }
            ExprKind::Step {
                operator,
                is_prefix,
                target,
            } => {
                let target = self.target(target)?;
                let (before, after) = if *is_prefix {
                    (*operator, "")
                } else {
                    ("", *operator)
                };
                Ok(Code::new(format!("{before}{target}{after}"), Rank::Unary))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => self.binary(operator, left, right),
            ExprKind::Choice {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(condition)?.at(Rank::Or);
                let then = self.expr(then)?.at(Rank::Choice);
                let otherwise = self.expr(otherwise)?.at(Rank::Choice);
                let text = format!("{condition} ? {then} : {otherwise}");
                Ok(Code::new(text, Rank::Choice))
            }
            ExprKind::Closure(closure) => self.closure(closure, true),
            ExprKind::Cast { class, value } => self.cast(class, value),
            ExprKind::Range { from, to, is_open } => {
                let from = self.expr(from)?.text;
                let to = self.range_end(to, *is_open)?;
                let range = self.help(Helper::Range);
                Ok(Code::atom(format!("{range}({from}, {to})")))
            }
            ExprKind::Assign {
                operator,
                target,
                value,
            } => {
                let target = self.target(target)?;
                let value = self.expr(value)?.at(Rank::Assign);
                Ok(Code::new(
                    format!("{target} {operator} {value}"),
                    Rank::Assign,
                ))
            }
        }
    }

    fn indexed(&mut self, receiver: &Expr, index: &Expr) -> Result<Code, Mistake> {
        let receiver = self.expr(receiver)?.receiver();
        let is_from_end = matches!(index.kind, ExprKind::Unary { operator: "-", .. });
        if let ExprKind::Text(name) = &index.kind {
            return Ok(Code::atom(format!("{receiver}{}", member(name))));
        }
        let index = self.expr(index)?.text;
        Ok(Code::atom(if is_from_end {
            format!("{receiver}.at({index})")
        } else {
            format!("{receiver}[{index}]")
        }))
    }

    fn sliced(
        &mut self,
        receiver: &Expr,
        from: Option<&Expr>,
        to: Option<&Expr>,
    ) -> Result<Code, Mistake> {
        let receiver = self.expr(receiver)?.receiver();
        let from = match from {
            Some(from) => self.expr(from)?.text,
            None => "0".to_owned(),
        };
        let to = match to {
            Some(to) => format!(", {}", self.expr(to)?.text),
            None => String::new(),
        };
        Ok(Code::atom(format!("{receiver}.slice({from}{to})")))
    }

    /// The first number that no longer belongs to a range.
    pub(super) fn range_end(&mut self, to: &Expr, is_open: bool) -> Result<String, Mistake> {
        if let (ExprKind::Number(number), false) = (&to.kind, is_open)
            && let Ok(number) = number.parse::<i32>()
        {
            return Ok(i64::from(number).saturating_add(1).to_string());
        }
        let to = self.expr(to)?.at(Rank::Add);
        Ok(if is_open { to } else { format!("{to} + 1") })
    }

    fn template(&mut self, parts: &[TemplatePart]) -> Result<Code, Mistake> {
        let mut text = "`".to_owned();
        for part in parts {
            match part {
                TemplatePart::Text(part) => text.push_str(&template_text(part)),
                TemplatePart::Value(value) => {
                    let value = self.expr(value)?.text;
                    if value.bytes().all(|byte| byte.is_ascii_digit()) {
                        text.push_str(&value);
                    } else {
                        text.push_str(&format!("${{{value}}}"));
                    }
                }
            }
        }
        text.push('`');
        Ok(Code::atom(text))
    }

    fn name(&mut self, name: &str, line: u32) -> Result<Code, Mistake> {
        if let Some(variable) = self.names.variable(name) {
            return Ok(Code::atom(variable));
        }
        if name == "self" {
            self.uses_self = true;
            return Ok(Code::atom("self"));
        }
        if let Some(function) = self.names.function(name) {
            return Ok(Code::atom(function));
        }
        Err(Mistake::new(line, LossReason::UnknownName(name.to_owned())))
    }

    fn list(&mut self, items: &[Expr]) -> Result<Code, Mistake> {
        if !items.is_empty() && items.iter().all(facts::is_pair) {
            return self.pairs(items);
        }
        let mut texts = Vec::new();
        for item in items {
            texts.push(self.expr(item)?.at(Rank::Assign));
        }
        Ok(Code::atom(format!("[{}]", texts.join(", "))))
    }

    /// Names with values as an object; a name that stands twice has both values.
    fn pairs(&mut self, items: &[Expr]) -> Result<Code, Mistake> {
        let mut entries: Vec<(String, Vec<String>)> = Vec::new();
        for (name, value) in items.iter().filter_map(facts::pair) {
            let name = self.key(name)?;
            let value = self.expr(value)?.at(Rank::Assign);
            match entries.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => values.push(value),
                None => entries.push((name, vec![value])),
            }
        }
        let texts = entries.into_iter().map(|(name, values)| match &*values {
            [value] => format!("{name}: {value}"),
            values => format!("{name}: [{}]", values.join(", ")),
        });
        let texts: Vec<String> = texts.collect();
        Ok(Code::atom(format!("{{ {} }}", texts.join(", "))))
    }

    fn key(&mut self, expr: &Expr) -> Result<String, Mistake> {
        Ok(match &expr.kind {
            ExprKind::Text(text) => key(text),
            _ => format!("[{}]", self.expr(expr)?.text),
        })
    }

    pub(super) fn map(&mut self, entries: &[MapEntry]) -> Result<Code, Mistake> {
        let mut texts = Vec::new();
        for entry in entries {
            let name = self.key(&entry.key)?;
            let value = self.expr(&entry.value)?.at(Rank::Assign);
            texts.push(format!("{name}: {value}"));
        }
        if texts.is_empty() {
            return Ok(Code::atom("{}"));
        }
        Ok(Code::atom(format!("{{ {} }}", texts.join(", "))))
    }

    /// What may stand left of `=`.
    pub(super) fn target(&mut self, expr: &Expr) -> Result<String, Mistake> {
        match &expr.kind {
            ExprKind::Member { receiver, name, .. } if facts::variable(expr).is_none() => {
                let receiver = self.expr(receiver)?.receiver();
                Ok(format!("{receiver}{}", member(name)))
            }
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => {
                Ok(self.expr(expr)?.text)
            }
            _ => Err(Mistake::unread(expr.line)),
        }
    }

    fn cast(&mut self, class: &str, value: &Expr) -> Result<Code, Mistake> {
        let code = match &value.kind {
            // `[] as NVPair[]`
            ExprKind::List(items) if items.is_empty() && class.contains("NVPair") => {
                return Ok(Code::atom("{}"));
            }
            _ => self.expr(value)?,
        };
        Ok(match class {
            "int" | "long" | "Integer" | "Long" => Code::atom(format!("Math.trunc({})", code.text)),
            "String" if self.facts.kind(value) != Some(ValueKind::Text) => {
                Code::atom(format!("String({})", code.text))
            }
            _ => code,
        })
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr) -> Result<Code, Mistake> {
        match operator {
            "in" => return self.is_in(left, right),
            "<<" => return self.added(left, right),
            "==~" => {
                let pattern = self.expr(right)?.text;
                let text = self.expr(left)?.text;
                return Ok(Code::atom(format!(
                    "new RegExp(`^(?:${{{pattern}}})$`).test({text})"
                )));
            }
            "=~" | "<=>" | "**" | "|" | "&" => {
                return Err(Mistake::no_counterpart(left.line, operator));
            }
            _ => {}
        }
        let (written, rank) = match operator {
            "||" => ("||", Rank::Or),
            "&&" => ("&&", Rank::And),
            "==" | "===" | "!=" | "!==" => {
                let is_null = [left, right]
                    .iter()
                    .any(|side| matches!(side.kind, ExprKind::Null));
                let is_equal = operator.starts_with('=');
                let written = match (is_equal, is_null) {
                    (true, false) => "===",
                    (false, false) => "!==",
                    (true, true) => "==",
                    (false, true) => "!=",
                };
                (written, Rank::Equal)
            }
            "<" | "<=" | ">" | ">=" => (operator, Rank::Compare),
            "+" | "-" => (operator, Rank::Add),
            _ => (operator, Rank::Multiply),
        };
        // Of one rank, what stands left is worked out first; a choice or a `||` beside a `&&` is put in parentheses.
        let left = self.expr(left)?.at(rank);
        let tighter = match rank {
            Rank::Or => Rank::And,
            Rank::And => Rank::Equal,
            Rank::Equal => Rank::Compare,
            Rank::Compare => Rank::Add,
            Rank::Add => Rank::Multiply,
            _ => Rank::Unary,
        };
        let right = self.expr(right)?.at(tighter);
        Ok(Code::new(format!("{left} {written} {right}"), rank))
    }

    fn is_in(&mut self, value: &Expr, all: &Expr) -> Result<Code, Mistake> {
        let kind = self.facts.kind(all);
        if let ExprKind::Range { from, to, is_open } = &all.kind {
            let value = self.expr(value)?.at(Rank::Add);
            let from = self.expr(from)?.at(Rank::Add);
            let to = self.expr(to)?.at(Rank::Add);
            let less = if *is_open { "<" } else { "<=" };
            let text = format!("{value} >= {from} && {value} {less} {to}");
            return Ok(Code::new(text, Rank::And));
        }
        let value = self.expr(value)?;
        let all = self.expr(all)?;
        if matches!(kind, Some(ValueKind::Map | ValueKind::Pairs)) {
            let text = format!("{} in {}", value.at(Rank::Add), all.at(Rank::Add));
            return Ok(Code::new(text, Rank::Compare));
        }
        Ok(Code::atom(format!(
            "{}.includes({})",
            all.receiver(),
            value.text
        )))
    }

    /// `list << item`, and `.add(item)`: a name with a value becomes a property.
    pub(super) fn added(&mut self, list: &Expr, item: &Expr) -> Result<Code, Mistake> {
        let receiver = self.expr(list)?.receiver();
        if let Some((name, value)) = facts::pair(item) {
            let name = match &name.kind {
                ExprKind::Text(text) => member(text),
                _ => format!("[{}]", self.expr(name)?.text),
            };
            let value = self.expr(value)?.at(Rank::Assign);
            return Ok(Code::new(
                format!("{receiver}{name} = {value}"),
                Rank::Assign,
            ));
        }
        let item = self.expr(item)?.text;
        Ok(Code::atom(format!("{receiver}.push({item})")))
    }

    /// A function of JavaScript; `gives` whether its last value is what it gives back.
    pub(super) fn closure(&mut self, closure: &Closure, gives: bool) -> Result<Code, Mistake> {
        let depth = self.names.depth();
        self.names.open();
        let mut params = Vec::new();
        for param in &closure.params {
            params.push(self.names.declare(&param.name));
        }
        if closure.params.is_empty() && mentions_it(closure) {
            params.push(self.names.declare("it"));
        }
        let text = self.closure_body(closure, gives);
        self.names.close_to(depth);
        Ok(Code::new(
            format!("({}) => {}", params.join(", "), text?),
            Rank::Assign,
        ))
    }

    fn closure_body(&mut self, closure: &Closure, gives: bool) -> Result<String, Mistake> {
        if let [only] = closure.body.as_slice()
            && let StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) = &only.kind
            && !self.is_special(expr)
        {
            let code = self.expr(expr)?;
            let text = code.at(Rank::Assign);
            // `{` would begin a block.
            return Ok(if text.starts_with('{') {
                format!("({text})")
            } else {
                text
            });
        }
        let place = std::mem::replace(&mut self.place, super::Place::Inside);
        let block = self.block(&closure.body, gives);
        self.place = place;
        Ok(block)
    }
}

/// Whether a closure without parameters uses the one that it has anyway.
fn mentions_it(closure: &Closure) -> bool {
    let mut is_there = false;
    crate::form::visit_expressions(&closure.body, &mut |expr| {
        is_there |= matches!(&expr.kind, ExprKind::Name(name) if name == "it");
    });
    is_there
}
