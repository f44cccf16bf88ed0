//! Assertions: a check, and the end of the test where it fails.

use super::code::{Code, Rank, quoted};
use super::facts::{self, ValueKind};
use super::{Place, Turn};
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::Mistake;

/// Characters of a check's name.
const NAME_MAX: usize = 80;

const ASSERTION_NAMES: [&str; 9] = [
    "assertThat",
    "assertEquals",
    "assertNotEquals",
    "assertTrue",
    "assertFalse",
    "assertNull",
    "assertNotNull",
    "assertSame",
    "fail",
];

/// A condition on `value`, and how it is read aloud.
struct Condition {
    code: String,
    phrase: String,
}

/// An assertion: what is looked at, and what must hold.
struct Assertion<'e> {
    subject: Option<&'e Expr>,
    condition: Condition,
    message: Option<&'e Expr>,
}

impl Turn<'_> {
    /// Whether a call is an assertion of JUnit's or Hamcrest's.
    pub(super) fn is_assertion(&self, expr: &Expr) -> bool {
        self.assertion_name(expr).is_some()
    }

    fn assertion_name<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let ExprKind::Call { callee, .. } = &expr.kind else {
            return None;
        };
        let name = match &callee.kind {
            ExprKind::Name(name) if self.names.function(name).is_none() => name,
            ExprKind::Member { receiver, name, .. } if super::calls::is_class(receiver) => name,
            _ => return None,
        };
        ASSERTION_NAMES.contains(&name.as_str()).then_some(name)
    }

    /// The check in the place of an assertion.
    pub(super) fn assertion(&mut self, expr: &Expr) -> Result<String, Mistake> {
        let name = self.assertion_name(expr).unwrap_or_default().to_owned();
        let ExprKind::Call { args, .. } = &expr.kind else {
            return Err(Mistake::unread(expr.line));
        };
        let args: Vec<&Expr> = args.iter().map(|arg: &Arg| &arg.value).collect();
        let assertion = self.assertion_from(&name, &args, expr.line)?;
        self.check(&assertion)
    }

    fn assertion_from<'e>(
        &mut self,
        name: &str,
        args: &[&'e Expr],
        line: u32,
    ) -> Result<Assertion<'e>, Mistake> {
        // JUnit's message stands first.
        let wanted = match name {
            "assertThat" | "assertEquals" | "assertNotEquals" | "assertSame" => 2,
            "fail" => 0,
            _ => 1,
        };
        let (message, args) = match args.split_first() {
            Some((message, rest)) if args.len() == wanted + 1 => (Some(*message), rest),
            _ => (None, args),
        };
        let (subject, condition) = match (name, args) {
            ("assertThat", [actual, matcher]) => (Some(*actual), self.matcher(matcher)?),
            ("assertEquals" | "assertSame", [expected, actual]) => {
                (Some(*actual), self.equal(expected, true)?)
            }
            ("assertNotEquals", [expected, actual]) => {
                (Some(*actual), self.equal(expected, false)?)
            }
            ("assertTrue", [actual]) => return self.truth(actual, message),
            ("assertFalse", [actual]) => {
                let condition = Condition {
                    code: "!value".to_owned(),
                    phrase: "is false".to_owned(),
                };
                (Some(*actual), condition)
            }
            ("assertNull", [actual]) => (Some(*actual), null(true)),
            ("assertNotNull", [actual]) => (Some(*actual), null(false)),
            ("fail", []) => {
                let condition = Condition {
                    code: "false".to_owned(),
                    phrase: "does not fail".to_owned(),
                };
                (None, condition)
            }
            _ => return Err(Mistake::no_counterpart(line, name)),
        };
        Ok(Assertion {
            subject,
            condition,
            message,
        })
    }

    /// `assertTrue(status == 200)` looks at the status; anything else is looked at as a whole.
    fn truth<'e>(
        &mut self,
        actual: &'e Expr,
        message: Option<&'e Expr>,
    ) -> Result<Assertion<'e>, Mistake> {
        if let ExprKind::Binary {
            operator: "==",
            left,
            right,
        } = &actual.kind
        {
            return Ok(Assertion {
                subject: Some(left),
                condition: self.equal(right, true)?,
                message,
            });
        }
        let is_contained = facts::method_call(actual, "contains");
        if let Some((text, [part])) = is_contained {
            return Ok(Assertion {
                subject: Some(text),
                condition: self.includes(&part.value)?,
                message,
            });
        }
        Ok(Assertion {
            subject: Some(actual),
            condition: Condition {
                code: "value".to_owned(),
                phrase: "holds".to_owned(),
            },
            message,
        })
    }

    /// `assert condition : message`, of both languages.
    pub(super) fn assert_statement(
        &mut self,
        condition: &Expr,
        message: Option<&Expr>,
    ) -> Result<String, Mistake> {
        let assertion = self.truth(condition, message)?;
        self.check(&assertion)
    }

    /// The success of a test, set by hand.
    pub(super) fn success(&mut self, value: &Expr) -> Result<String, Mistake> {
        self.import("check");
        self.has_checks = true;
        let value = match &value.kind {
            ExprKind::Number(number) => (number != "0").to_string(),
            _ => self.expr(value)?.at(Rank::Assign),
        };
        Ok(format!(
            "check({value}, {{ 'the test is a success': (value) => value }});"
        ))
    }

    fn check(&mut self, assertion: &Assertion<'_>) -> Result<String, Mistake> {
        self.import("check");
        self.has_checks = true;
        let condition = &assertion.condition;
        let (subject, phrase, code) = match assertion.subject {
            None => (
                "null".to_owned(),
                condition.phrase.clone(),
                format!("() => {}", condition.code),
            ),
            Some(subject) => {
                let (subject, of) = self.subject(subject)?;
                (
                    subject,
                    format!("{of} {}", condition.phrase),
                    format!("(value) => {}", condition.code),
                )
            }
        };
        let (subject, code) = as_status(subject, code);
        let name = match assertion.message.map(|message| &message.kind) {
            Some(ExprKind::Text(text)) => text.clone(),
            _ => phrase,
        };
        let name: String = name.chars().take(NAME_MAX).collect();
        let call = format!("check({subject}, {{ {}: {code} }})", quoted(&name));
        Ok(match self.place {
            Place::Test => format!("if (!{call}) return;"),
            _ => format!("if (!{call}) throw new Error({});", quoted(&name)),
        })
    }

    /// What a check looks at, and what it is called.
    fn subject(&mut self, subject: &Expr) -> Result<(String, String), Mistake> {
        let code = self.expr(subject)?.at(Rank::Assign);
        let name = if code.ends_with(".status") {
            "status".to_owned()
        } else if code.ends_with(".body") {
            "body".to_owned()
        } else {
            code.replace(['\n', '`'], " ")
        };
        Ok((code, name))
    }

    fn equal(&mut self, expected: &Expr, is_equal: bool) -> Result<Condition, Mistake> {
        if matches!(expected.kind, ExprKind::Null) {
            return Ok(null(is_equal));
        }
        let phrase = phrase_of(expected);
        let expected = self.expr(expected)?.at(Rank::Compare);
        let (sign, word) = if is_equal {
            ("===", "is")
        } else {
            ("!==", "is not")
        };
        Ok(Condition {
            phrase: format!("{word} {}", phrase.unwrap_or_else(|| expected.clone())),
            code: format!("value {sign} {expected}"),
        })
    }

    fn includes(&mut self, part: &Expr) -> Result<Condition, Mistake> {
        let phrase = phrase_of(part);
        let part = self.expr(part)?.text;
        Ok(Condition {
            phrase: format!("contains {}", phrase.unwrap_or_else(|| part.clone())),
            code: format!("value.includes({part})"),
        })
    }

    fn matcher(&mut self, matcher: &Expr) -> Result<Condition, Mistake> {
        let ExprKind::Call { callee, args } = &matcher.kind else {
            return self.equal(matcher, true);
        };
        let (name, receiver) = match &callee.kind {
            ExprKind::Name(name) => (name.as_str(), None),
            ExprKind::Member { receiver, name, .. } => (name.as_str(), Some(receiver)),
            _ => return Err(Mistake::unread(matcher.line)),
        };
        let args: Vec<&Expr> = args.iter().map(|arg| &arg.value).collect();
        match (name, args.as_slice()) {
            ("is" | "equalTo", [value]) if is_matcher(value) => self.matcher(value),
            ("is" | "equalTo", [value]) => self.equal(value, true),
            ("not", [value]) if is_matcher(value) => {
                let inner = self.matcher(value)?;
                Ok(Condition {
                    code: format!("!({})", inner.code),
                    phrase: format!("not: {}", inner.phrase),
                })
            }
            ("not", [value]) => self.equal(value, false),
            ("containsString" | "hasItem", [part]) => self.includes(part),
            ("startsWith" | "endsWith", [part]) => {
                let part = self.expr(part)?.text;
                Ok(Condition {
                    code: format!("value.{name}({part})"),
                    phrase: format!("{name} {part}"),
                })
            }
            ("greaterThan", [bound]) => self.compared(">", bound),
            ("greaterThanOrEqualTo", [bound]) => self.compared(">=", bound),
            ("lessThan", [bound]) => self.compared("<", bound),
            ("lessThanOrEqualTo", [bound]) => self.compared("<=", bound),
            ("nullValue", []) => Ok(null(true)),
            ("notNullValue", []) => Ok(null(false)),
            ("anyOf", matchers) => self.joined(matchers, "||", "or"),
            ("allOf", matchers) => self.joined(matchers, "&&", "and"),
            ("or", [other]) => {
                let first = receiver.ok_or(Mistake::no_counterpart(matcher.line, name))?;
                let ExprKind::Call { args, .. } = &first.kind else {
                    return Err(Mistake::no_counterpart(matcher.line, name));
                };
                let first = args
                    .first()
                    .ok_or(Mistake::no_counterpart(matcher.line, name))?;
                self.joined(&[&first.value, other], "||", "or")
            }
            ("isOneOf" | "oneOf" | "isIn", values) if !values.is_empty() => {
                let is_list =
                    values.len() == 1 && self.facts.kind(values[0]) == Some(ValueKind::List);
                let mut texts = Vec::new();
                for value in values {
                    texts.push(self.expr(value)?.at(Rank::Assign));
                }
                let all = texts.join(", ");
                let list = if is_list {
                    all.clone()
                } else {
                    format!("[{all}]")
                };
                Ok(Condition {
                    code: format!("{list}.includes(value)"),
                    phrase: format!("is one of {all}"),
                })
            }
            _ => Err(Mistake::no_counterpart(matcher.line, name)),
        }
    }

    fn compared(&mut self, sign: &str, bound: &Expr) -> Result<Condition, Mistake> {
        let bound = self.expr(bound)?.at(Rank::Add);
        Ok(Condition {
            code: format!("value {sign} {bound}"),
            phrase: format!("{sign} {bound}"),
        })
    }

    fn joined(&mut self, matchers: &[&Expr], sign: &str, word: &str) -> Result<Condition, Mistake> {
        let mut codes = Vec::new();
        let mut phrases = Vec::new();
        for matcher in matchers {
            let one = self.matcher(matcher)?;
            codes.push(format!("({})", one.code));
            phrases.push(one.phrase);
        }
        if codes.is_empty() {
            return Err(Mistake::no_counterpart(0, sign));
        }
        Ok(Condition {
            code: codes.join(&format!(" {sign} ")),
            phrase: phrases.join(&format!(" {word} ")),
        })
    }

    /// The text of an error that a script throws.
    pub(super) fn thrown(&mut self, value: Option<&Expr>) -> Result<String, Mistake> {
        let Some(value) = value else {
            return Ok("throw new Error('the test failed');".to_owned());
        };
        let message = match &value.kind {
            ExprKind::New { args, .. } | ExprKind::Call { args, .. } => args.first(),
            _ => return Ok(format!("throw {};", self.expr(value)?.text)),
        };
        let message = match message {
            Some(message) => self.expr(&message.value)?,
            None => Code::atom("'the test failed'"),
        };
        Ok(format!("throw new Error({});", message.text))
    }
}

/// A check of a status looks at its response, as k6's documents do.
fn as_status(subject: String, code: String) -> (String, String) {
    match subject.strip_suffix(".status") {
        Some(response) => {
            let code = code.replacen("(value)", "(r)", 1);
            let code = replace_word(&code, "value", "r.status");
            (response.to_owned(), code)
        }
        None => (subject, code),
    }
}

/// Each `value` that is a word of its own.
fn replace_word(code: &str, word: &str, other: &str) -> String {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '.' | '\'');
    let mut text = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(word) {
        let (before, found) = rest.split_at(at);
        let after = &found[word.len()..];
        text.push_str(before);
        let is_inside = before.ends_with(is_part)
            || after.starts_with(|char: char| {
                char.is_alphanumeric() || matches!(char, '_' | '$' | '\'')
            });
        text.push_str(if is_inside { word } else { other });
        rest = after;
    }
    text.push_str(rest);
    text
}

fn null(is_null: bool) -> Condition {
    let (sign, phrase) = if is_null {
        ("==", "is null")
    } else {
        ("!=", "is there")
    };
    Condition {
        code: format!("value {sign} null"),
        phrase: phrase.to_owned(),
    }
}

/// A literal, as it is read aloud.
fn phrase_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Text(text) => Some(text.clone()),
        ExprKind::Number(number) => Some(number.clone()),
        _ => None,
    }
}

fn is_matcher(expr: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &expr.kind else {
        return false;
    };
    let name = match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
        _ => return false,
    };
    let known = [
        "is",
        "equalTo",
        "not",
        "containsString",
        "hasItem",
        "startsWith",
        "endsWith",
        "greaterThan",
        "greaterThanOrEqualTo",
        "lessThan",
        "lessThanOrEqualTo",
        "nullValue",
        "notNullValue",
        "anyOf",
        "allOf",
        "isOneOf",
        "oneOf",
        "isIn",
    ];
    known.contains(&name)
}
