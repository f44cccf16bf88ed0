//! Methods of values: texts, lists, maps, answers, random numbers.

use super::Turn;
use super::code::{Code, Rank, member};
use super::facts::{self, ValueKind};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::{LossReason, Mistake};

/// Methods that have another name in JavaScript, or the same.
const RENAMED_METHODS: [(&str, &str); 36] = [
    ("toLowerCase", "toLowerCase"),
    ("toUpperCase", "toUpperCase"),
    ("lower", "toLowerCase"),
    ("upper", "toUpperCase"),
    ("trim", "trim"),
    ("strip", "trim"),
    ("startsWith", "startsWith"),
    ("startswith", "startsWith"),
    ("endsWith", "endsWith"),
    ("endswith", "endsWith"),
    ("indexOf", "indexOf"),
    ("lastIndexOf", "lastIndexOf"),
    ("substring", "substring"),
    ("charAt", "charAt"),
    ("concat", "concat"),
    ("contains", "includes"),
    ("replace", "replaceAll"),
    ("padLeft", "padStart"),
    ("padRight", "padEnd"),
    ("push", "push"),
    ("pop", "pop"),
    ("reverse", "reverse"),
    ("each", "forEach"),
    ("forEach", "forEach"),
    ("eachWithIndex", "forEach"),
    ("collect", "map"),
    ("findAll", "filter"),
    ("any", "some"),
    ("every", "every"),
    ("toFixed", "toFixed"),
    ("sort", "sort"),
    ("map", "map"),
    ("filter", "filter"),
    ("includes", "includes"),
    ("subList", "slice"),
    ("test", "test"),
];

/// Methods that give what they are called of.
const IDENTITY_METHODS: [&str; 12] = [
    "getBytes",
    "toArray",
    "toList",
    "encode",
    "decode",
    "asImmutable",
    "flush",
    "asList",
    "normalize",
    "copy",
    "stream",
    "unique",
];

impl Turn<'_> {
    pub(super) fn value_method(
        &mut self,
        receiver: &Expr,
        name: &str,
        is_safe: bool,
        args: &[Arg],
        line: u32,
    ) -> Result<Code, Mistake> {
        if let ("wrap", [wrapped]) = (name, args) {
            return self.expr(&wrapped.value);
        }
        if let Some(code) = self.random(receiver, name, args)? {
            return Ok(code);
        }
        if let Some(code) = self.read_file(receiver, name, line)? {
            return Ok(code);
        }
        if let Some(code) = self.answer_method(receiver, name, args, line)? {
            return Ok(code);
        }
        if let Some(code) = self.collection_method(receiver, name, args)? {
            return Ok(code);
        }
        if let Some(code) = self.text_method(receiver, name, args, line)? {
            return Ok(code);
        }
        if IDENTITY_METHODS.contains(&name) {
            return self.expr(receiver);
        }
        let receiver = self.expr(receiver)?.receiver();
        let Some((_, renamed)) = RENAMED_METHODS.iter().find(|(known, _)| *known == name) else {
            return Err(Mistake::no_counterpart(line, name));
        };
        let dot = if is_safe { "?." } else { "." };
        let args = self.args(args)?;
        Ok(Code::atom(format!("{receiver}{dot}{renamed}({args})")))
    }

    /// What is asked of an answer, and of JSON.
    fn answer_method(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[Arg],
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let code = match (name, args) {
            ("getStatusCode", []) => format!("{}.status", self.expr(receiver)?.receiver()),
            ("getText" | "getBodyText" | "getBodyBytes" | "getData", _) => {
                format!("{}.body", self.expr(receiver)?.receiver())
            }
            ("json", []) => format!("{}.json()", self.expr(receiver)?.receiver()),
            ("getBody", [converter]) => match &converter.value.kind {
                ExprKind::Closure(closure) => {
                    let converter = self.closure(closure, true)?.receiver();
                    let receiver = self.expr(receiver)?.receiver();
                    format!("{converter}({receiver}.body)")
                }
                _ => return Err(Mistake::no_counterpart(line, name)),
            },
            ("getHeader", [header]) => {
                let receiver = self.expr(receiver)?.receiver();
                match &header.value.kind {
                    ExprKind::Text(header) => {
                        format!("{receiver}.headers{}", member(&canonical(header)))
                    }
                    _ => return Err(Mistake::no_counterpart(line, name)),
                }
            }
            ("getValue", []) if facts::method_call(receiver, "getHeader").is_some() => {
                return self.expr(receiver).map(Some);
            }
            ("parseText" | "parse", [text]) => return self.parsed(&text.value).map(Some),
            ("toJson" | "toPrettyString", []) => {
                format!("JSON.stringify({})", self.expr(receiver)?.text)
            }
            ("toString", []) if self.facts.kind(receiver) == Some(ValueKind::Json) => {
                format!("JSON.stringify({})", self.expr(receiver)?.text)
            }
            (
                "getProperty" | "getInt" | "getLong" | "getDouble" | "getBoolean",
                [name, default],
            ) if self.facts.kind(receiver) != Some(ValueKind::Json) => {
                return self.setting(&name.value, Some(&default.value)).map(Some);
            }
            ("getProperty", [name]) => return self.setting(&name.value, None).map(Some),
            _ => return Ok(None),
        };
        Ok(Some(Code::atom(code)))
    }

    /// The value of a text in JSON; that of an answer's body is asked of the answer.
    pub(super) fn parsed(&mut self, text: &Expr) -> Result<Code, Mistake> {
        let text = self.expr(text)?.text;
        let answer = text.strip_suffix(".body");
        let is_plain = |answer: &&str| !answer.contains([' ', '(']);
        Ok(Code::atom(match answer.filter(is_plain) {
            Some(answer) => format!("{answer}.json()"),
            None => format!("JSON.parse({text})"),
        }))
    }

    /// A property of nGrinder's is a variable of the environment, `-e name=value`.
    pub(super) fn setting(&mut self, name: &Expr, default: Option<&Expr>) -> Result<Code, Mistake> {
        let variable = match &name.kind {
            ExprKind::Text(name) => format!("__ENV{}", member(name)),
            _ => format!("__ENV[{}]", self.expr(name)?.text),
        };
        let Some(default) = default else {
            return Ok(Code::atom(variable));
        };
        let is_number = matches!(default.kind, ExprKind::Number(_));
        let text = format!("{variable} || {}", self.expr(default)?.at(Rank::And));
        Ok(if is_number {
            Code::atom(format!("Number({text})"))
        } else {
            Code::new(text, Rank::Or)
        })
    }

    fn collection_method(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[Arg],
    ) -> Result<Option<Code>, Mistake> {
        let kind = self.facts.kind(receiver);
        let is_map = matches!(kind, Some(ValueKind::Map | ValueKind::Pairs));
        let is_count = kind == Some(ValueKind::Count);
        let values: Vec<&Expr> = args.iter().map(|arg| &arg.value).collect();
        let code = match (name, values.as_slice()) {
            ("get" | "intValue" | "longValue", []) if is_count => {
                return self.expr(receiver).map(Some);
            }
            ("getAndIncrement", []) => {
                self.note_loss(receiver.line, LossReason::SharedCount);
                Code::new(format!("{}++", self.target(receiver)?), Rank::Unary)
            }
            ("incrementAndGet", []) => {
                self.note_loss(receiver.line, LossReason::SharedCount);
                Code::new(format!("++{}", self.target(receiver)?), Rank::Unary)
            }
            ("size" | "length", []) => self.size(receiver)?,
            ("isEmpty", []) => {
                Code::new(format!("{} === 0", self.size(receiver)?.text), Rank::Equal)
            }
            (
                "get" | "getAt" | "getString" | "getInt" | "getJSONObject" | "getJSONArray",
                [key],
            ) => self.item(receiver, key)?,
            ("get" | "getOrDefault", [key, default]) => {
                let item = self.item(receiver, key)?.text;
                let default = self.expr(default)?.at(Rank::And);
                Code::new(format!("{item} || {default}"), Rank::Or)
            }
            ("put", [key, value]) => {
                let item = self.item(receiver, key)?.text;
                let value = self.expr(value)?.at(Rank::Assign);
                Code::new(format!("{item} = {value}"), Rank::Assign)
            }
            ("addHeader", [key, value]) => {
                let headers = format!("{}.headers", self.expr(receiver)?.receiver());
                let key = match &key.kind {
                    ExprKind::Text(key) => member(key),
                    _ => format!("[{}]", self.expr(key)?.text),
                };
                let value = self.expr(value)?.at(Rank::Assign);
                Code::new(format!("{headers}{key} = {value}"), Rank::Assign)
            }
            ("putAll" | "update", [other]) => {
                let (map, other) = (self.expr(receiver)?.text, self.expr(other)?.text);
                Code::atom(format!("Object.assign({map}, {other})"))
            }
            ("add" | "append", [item]) => {
                if kind == Some(ValueKind::Text) {
                    return Ok(None);
                }
                self.added(receiver, item)?
            }
            ("addAll" | "extend", [items]) => {
                let items = self.expr(items)?.at(Rank::Assign);
                let list = self.expr(receiver)?.receiver();
                Code::atom(format!("{list}.push(...{items})"))
            }
            _ => return self.walk_method(receiver, name, &values, is_map),
        };
        Ok(Some(code))
    }

    /// Methods that look at all of a collection.
    fn walk_method(
        &mut self,
        receiver: &Expr,
        name: &str,
        values: &[&Expr],
        is_map: bool,
    ) -> Result<Option<Code>, Mistake> {
        let code = match (name, values) {
            ("containsKey" | "has" | "has_key", [key]) => {
                let key = self.expr(key)?.at(Rank::Add);
                let map = self.expr(receiver)?.at(Rank::Add);
                Code::new(format!("{key} in {map}"), Rank::Compare)
            }
            ("keySet" | "keys", []) => self.wrapped("Object.keys", receiver)?,
            ("values", []) => self.wrapped("Object.values", receiver)?,
            ("entrySet" | "items", []) => self.wrapped("Object.entries", receiver)?,
            ("first", []) => Code::atom(format!("{}[0]", self.expr(receiver)?.receiver())),
            ("last", []) => Code::atom(format!("{}.at(-1)", self.expr(receiver)?.receiver())),
            ("sum", []) => {
                let list = self.expr(receiver)?.receiver();
                Code::atom(format!("{list}.reduce((sum, one) => sum + one, 0)"))
            }
            ("times", [body]) => {
                let count = self.expr(receiver)?.text;
                let range = self.help(super::helpers::Helper::Range);
                let body = self.callback(body)?;
                Code::atom(format!("{range}(0, {count}).forEach({body})"))
            }
            ("each" | "collect" | "findAll" | "any" | "every", [body]) if is_map => {
                self.of_entries(receiver, name, body)?
            }
            ("find" | "each" | "eachWithIndex" | "forEach", [body])
                if matches!(body.kind, ExprKind::Closure(_)) =>
            {
                let list = self.expr(receiver)?.receiver();
                let function = if name == "find" { "find" } else { "forEach" };
                let body = self.callback(body)?;
                Code::atom(format!("{list}.{function}({body})"))
            }
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    fn callback(&mut self, body: &Expr) -> Result<String, Mistake> {
        match &body.kind {
            ExprKind::Closure(closure) => Ok(self.closure(closure, false)?.text),
            _ => Ok(self.expr(body)?.text),
        }
    }

    /// `map.each { key, value -> }`: entries are lists of two.
    fn of_entries(&mut self, map: &Expr, name: &str, body: &Expr) -> Result<Code, Mistake> {
        let ExprKind::Closure(closure) = &body.kind else {
            return Err(Mistake::no_counterpart(body.line, name));
        };
        if closure.params.len() != 2 {
            return Err(Mistake::no_counterpart(body.line, name));
        }
        let renamed = RENAMED_METHODS.iter().find(|(known, _)| *known == name);
        let renamed = renamed.map_or(name, |(_, renamed)| renamed);
        let map = self.expr(map)?.text;
        let closure = self.closure(closure, name != "each")?.text;
        let closure = closure.replacen('(', "([", 1).replacen(") =>", "]) =>", 1);
        Ok(Code::atom(format!(
            "Object.entries({map}).{renamed}({closure})"
        )))
    }

    fn item(&mut self, receiver: &Expr, index: &Expr) -> Result<Code, Mistake> {
        let receiver = self.expr(receiver)?.receiver();
        Ok(Code::atom(match &index.kind {
            ExprKind::Text(name) => format!("{receiver}{}", member(name)),
            _ => format!("{receiver}[{}]", self.expr(index)?.text),
        }))
    }

    fn text_method(
        &mut self,
        receiver: &Expr,
        name: &str,
        args: &[Arg],
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let values: Vec<&Expr> = args.iter().map(|arg| &arg.value).collect();
        let code = match (name, values.as_slice()) {
            ("isBlank", []) => {
                let text = self.expr(receiver)?.receiver();
                Code::new(format!("{text}.trim() === ''"), Rank::Equal)
            }
            ("toString", []) => self.wrapped("String", receiver)?,
            ("toInteger" | "toLong", []) => {
                let text = self.expr(receiver)?.text;
                Code::atom(format!("parseInt({text}, 10)"))
            }
            ("toDouble" | "toFloat" | "toBigDecimal", []) => self.wrapped("Number", receiver)?,
            ("intValue" | "longValue", []) => self.wrapped("Math.trunc", receiver)?,
            ("equals", [other]) => {
                let left = self.expr(receiver)?.at(Rank::Compare);
                let right = self.expr(other)?.at(Rank::Compare);
                Code::new(format!("{left} === {right}"), Rank::Equal)
            }
            ("equalsIgnoreCase", [other]) => {
                let left = self.expr(receiver)?.receiver();
                let right = self.expr(other)?.receiver();
                let text = format!("{left}.toLowerCase() === {right}.toLowerCase()");
                Code::new(text, Rank::Equal)
            }
            ("find", [text]) => {
                let receiver = self.expr(receiver)?.receiver();
                Code::atom(format!("{receiver}.indexOf({})", self.expr(text)?.text))
            }
            ("join", [list]) if self.facts.kind(receiver) == Some(ValueKind::Text) => {
                // Python asks the text between the items.
                let between = self.expr(receiver)?.text;
                let list = self.expr(list)?.receiver();
                Code::atom(format!("{list}.join({between})"))
            }
            ("join", [between]) => {
                let list = self.expr(receiver)?.receiver();
                Code::atom(format!("{list}.join({})", self.expr(between)?.text))
            }
            ("split" | "tokenize", [pattern]) => {
                let text = self.expr(receiver)?.receiver();
                let pattern = self.pattern(pattern)?;
                Code::atom(format!("{text}.split({pattern})"))
            }
            ("replaceAll", [pattern, other]) => {
                let text = self.expr(receiver)?.receiver();
                let pattern = self.expr(pattern)?.text;
                let other = self.expr(other)?.text;
                Code::atom(format!(
                    "{text}.replace(new RegExp({pattern}, 'g'), {other})"
                ))
            }
            ("append", [other]) => {
                let target = self.target(receiver)?;
                let other = self.expr(other)?.at(Rank::Assign);
                Code::new(format!("{target} += {other}"), Rank::Assign)
            }
            ("format", values) => match &receiver.kind {
                ExprKind::Text(pattern) => self.formatted(pattern, values, "{}", line)?,
                _ => return Ok(None),
            },
            ("getTime", []) => match &receiver.kind {
                ExprKind::New { class, args } if class == "Date" && args.is_empty() => {
                    Code::atom("Date.now()")
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    /// Java splits by a pattern.
    fn pattern(&mut self, pattern: &Expr) -> Result<String, Mistake> {
        let text = self.expr(pattern)?.text;
        Ok(match &pattern.kind {
            ExprKind::Text(literal) if literal.contains(['\\', '[', '+', '*', '|']) => {
                format!("new RegExp({text})")
            }
            _ => text,
        })
    }

    /// A text in which values stand in the places of a sign.
    pub(super) fn formatted(
        &mut self,
        pattern: &str,
        values: &[&Expr],
        sign: &str,
        line: u32,
    ) -> Result<Code, Mistake> {
        let parts: Vec<&str> = pattern.split(sign).collect();
        if parts.len() != values.len() + 1 {
            return Err(Mistake::no_counterpart(line, "format"));
        }
        let mut text = super::code::template_text(parts[0]);
        for (value, part) in values.iter().zip(&parts[1..]) {
            text.push_str(&format!("${{{}}}", self.expr(value)?.text));
            text.push_str(&super::code::template_text(part));
        }
        Ok(Code::atom(format!("`{text}`")))
    }
}

/// A header's name as k6 has it in answers: `content-type` is `Content-Type`.
fn canonical(header: &str) -> String {
    let words = header.split('-').map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|char| char.to_ascii_uppercase());
        first
            .into_iter()
            .chain(chars.flat_map(char::to_lowercase))
            .collect()
    });
    words.collect::<Vec<String>>().join("-")
}
