//! Classes of Java, of nGrinder and of Python's library: what is made of them, and their static methods.

use super::Turn;
use super::code::{Code, Rank, quoted};
use super::facts::{PAIR_CLASSES, pair};
use super::helpers::Helper;
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::{LossReason, Mistake};

impl Turn<'_> {
    /// `new Class(...)`.
    pub(super) fn created(
        &mut self,
        expr: &Expr,
        class: &str,
        args: &[Arg],
    ) -> Result<Code, Mistake> {
        let bare = class.split('<').next().unwrap_or_default();
        let bare = bare.rsplit('.').next().unwrap_or_default();
        if let Some((name, value)) = pair(expr) {
            let name = self.expr(name)?.text;
            let value = self.expr(value)?.at(Rank::Assign);
            return Ok(Code::atom(format!("{{ [{name}]: {value} }}")));
        }
        if class == "byte[]" {
            return Ok(Code::atom("''"));
        }
        if class.ends_with("[]") {
            let is_pairs = PAIR_CLASSES.iter().any(|one| class.contains(one));
            return Ok(Code::atom(if is_pairs { "{}" } else { "[]" }));
        }
        let made = self.class_value(bare, args, expr.line)?;
        made.ok_or_else(|| Mistake::no_counterpart(expr.line, format!("new {bare}")))
    }

    /// What a class makes of its arguments, with `new` or without.
    pub(super) fn class_value(
        &mut self,
        class: &str,
        args: &[Arg],
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let first = args.first().map(|arg| &arg.value);
        Ok(Some(match (class, first) {
            ("HTTPRequest", _) => self.request_value(args)?,
            ("Cookie", Some(_)) => self.cookie(args, line)?,
            ("ArrayList" | "LinkedList" | "HashSet" | "JSONArray", None) => {
                // A list of names with values is an object here, and stands where one is declared.
                Code::atom("[]")
            }
            ("ArrayList" | "LinkedList" | "HashSet", Some(items)) => match &items.kind {
                ExprKind::Number(_) => Code::atom("[]"),
                _ => Code::atom(format!("[...{}]", self.expr(items)?.at(Rank::Assign))),
            },
            (
                "HashMap" | "LinkedHashMap" | "TreeMap" | "ConcurrentHashMap" | "JSONObject"
                | "dict",
                None,
            ) => Code::atom("{}"),
            ("HashMap" | "LinkedHashMap" | "TreeMap", Some(map)) => {
                Code::atom(format!("{{ ...{} }}", self.expr(map)?.at(Rank::Assign)))
            }
            ("JSONObject" | "JSONArray", Some(text)) => self.parsed(text)?,
            ("JsonBuilder", Some(value)) => self.expr(value)?,
            ("AtomicInteger" | "AtomicLong", first) => match first {
                Some(first) => self.expr(first)?,
                None => Code::atom("0"),
            },
            ("StringBuilder" | "StringBuffer", None) => Code::atom("''"),
            ("String" | "StringBuilder" | "StringBuffer" | "URL" | "URI", Some(text)) => {
                self.expr(text)?
            }
            ("Integer" | "Long", Some(number)) => self.expr(number)?,
            ("NVPair", Some(_)) => return Ok(None),
            _ => return Ok(None),
        }))
    }

    /// A request is an object with the headers that all its calls send.
    fn request_value(&mut self, args: &[Arg]) -> Result<Code, Mistake> {
        let named = |name: &str| args.iter().find(|arg| arg.name.as_deref() == Some(name));
        let mut entries = Vec::new();
        let url = named("url").or(args.first().filter(|arg| arg.name.is_none()));
        if let Some(url) = url {
            entries.push(format!("url: {}", self.expr(&url.value)?.at(Rank::Assign)));
        }
        let headers = match named("headers") {
            Some(headers) => self.expr(&headers.value)?.at(Rank::Assign),
            None => "{}".to_owned(),
        };
        entries.push(format!("headers: {headers}"));
        Ok(Code::atom(format!("{{ {} }}", entries.join(", "))))
    }

    /// Both clients': name, value, host, path, seconds or date of its end, and whether it needs TLS.
    fn cookie(&mut self, args: &[Arg], line: u32) -> Result<Code, Mistake> {
        let [name, value, domain, path, rest @ ..] = args else {
            return Err(Mistake::no_counterpart(line, "Cookie"));
        };
        let mut entries = Vec::new();
        for (key, arg) in [
            ("name", name),
            ("value", value),
            ("domain", domain),
            ("path", path),
        ] {
            entries.push(format!(
                "{key}: {}",
                self.expr(&arg.value)?.at(Rank::Assign)
            ));
        }
        // A date is far away in all templates.
        if let Some(seconds) = rest.first()
            && matches!(seconds.value.kind, ExprKind::Number(_) | ExprKind::Name(_))
        {
            entries.push(format!(
                "maxAge: {}",
                self.expr(&seconds.value)?.at(Rank::Assign)
            ));
        }
        Ok(Code::atom(format!("{{ {} }}", entries.join(", "))))
    }

    /// A static method; None where no class of this name is known.
    pub(super) fn class_call(
        &mut self,
        class: &str,
        name: &str,
        args: &[Arg],
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let values: Vec<&Expr> = args.iter().map(|arg| &arg.value).collect();
        let known = self.java_call(class, name, &values, line)?;
        let known = match known {
            Some(code) => Some(code),
            None => self.tool_call(class, name, args, &values)?,
        };
        if known.is_none() && class.starts_with(char::is_uppercase) {
            return Err(Mistake::no_counterpart(line, format!("{class}.{name}")));
        }
        Ok(known)
    }

    fn java_call(
        &mut self,
        class: &str,
        name: &str,
        values: &[&Expr],
        line: u32,
    ) -> Result<Option<Code>, Mistake> {
        let code = match (class, name, values) {
            ("Integer" | "Long", "parseInt" | "parseLong" | "valueOf", [text, ..]) => {
                Code::atom(format!("parseInt({}, 10)", self.expr(text)?.text))
            }
            ("Double" | "Float", _, [text]) => self.wrapped("Number", text)?,
            ("Boolean", "parseBoolean" | "valueOf", [text]) => {
                let text = self.expr(text)?.at(Rank::Compare);
                Code::new(format!("{text} === 'true'"), Rank::Equal)
            }
            ("String" | "Integer" | "Long", "valueOf" | "toString", [value]) => {
                self.wrapped("String", value)?
            }
            ("String", "format", [pattern, rest @ ..]) => match &pattern.kind {
                ExprKind::Text(pattern) if !pattern.contains("%%") => {
                    let pattern = pattern.replace("%d", "%s");
                    if pattern.matches('%').count() != pattern.matches("%s").count() {
                        return Err(Mistake::no_counterpart(line, "String.format"));
                    }
                    self.formatted(&pattern, rest, "%s", line)?
                }
                _ => return Err(Mistake::no_counterpart(line, "String.format")),
            },
            ("String", "join", [between, list]) => {
                let between = self.expr(between)?.text;
                Code::atom(format!("{}.join({between})", self.expr(list)?.receiver()))
            }
            (
                "Math",
                "random" | "floor" | "ceil" | "round" | "abs" | "max" | "min" | "pow",
                values,
            ) => {
                let mut texts = Vec::new();
                for value in values {
                    texts.push(self.expr(value)?.at(Rank::Assign));
                }
                Code::atom(format!("Math.{name}({})", texts.join(", ")))
            }
            ("System", "currentTimeMillis", []) => Code::atom("Date.now()"),
            ("System", "nanoTime", []) => Code::new("Date.now() * 1e6", Rank::Multiply),
            ("System", "getenv" | "getProperty", [name]) => self.setting(name, None)?,
            ("System", "getProperty", [name, default]) => self.setting(name, Some(default))?,
            ("Thread", "sleep", [ms]) | ("MILLISECONDS", "sleep", [ms]) => self.sleep(ms)?,
            ("SECONDS" | "time", "sleep", [seconds]) => {
                self.import("sleep");
                self.wrapped("sleep", seconds)?
            }
            ("time", "time", []) => Code::new("Date.now() / 1000", Rank::Multiply),
            ("UUID", "randomUUID", []) | ("uuid", "uuid4" | "uuid1", []) => {
                Code::atom("crypto.randomUUID()")
            }
            ("URLEncoder", "encode", [text, ..]) | ("urllib", "quote_plus", [text]) => {
                let text = self.expr(text)?.text;
                Code::atom(format!("encodeURIComponent({text}).replace(/%20/g, '+')"))
            }
            ("urllib", "quote", [text]) => self.wrapped("encodeURIComponent", text)?,
            ("URLDecoder", "decode", [text, ..]) => self.wrapped("decodeURIComponent", text)?,
            ("JsonOutput", "toJson" | "prettyPrint", [value]) | ("json", "dumps", [value, ..]) => {
                self.wrapped("JSON.stringify", value)?
            }
            ("json", "loads", [text]) => self.parsed(text)?,
            ("Arrays", "asList", values) => {
                let mut texts = Vec::new();
                for value in values {
                    texts.push(self.expr(value)?.at(Rank::Assign));
                }
                Code::atom(format!("[{}]", texts.join(", ")))
            }
            ("Codecs", "base64Encode", [text]) => {
                self.import("encoding");
                self.wrapped("encoding.b64encode", text)?
            }
            ("Codecs", "mpFormDataEncode", _) | ("MultipartEntityBuilder", _, _) => {
                return Err(Mistake::new(line, LossReason::Multipart));
            }
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    /// Of nGrinder's own classes.
    fn tool_call(
        &mut self,
        class: &str,
        name: &str,
        args: &[Arg],
        values: &[&Expr],
    ) -> Result<Option<Code>, Mistake> {
        let code = match (class, name, values) {
            ("logger" | "log", level @ ("info" | "debug" | "warn" | "error" | "trace"), _) => {
                let text = self.logged(args)?;
                let level = if matches!(level, "trace" | "info") {
                    "log"
                } else {
                    level
                };
                Code::atom(format!("console.{level}({text})"))
            }
            ("GrinderUtils", "getThreadUniqId", []) => {
                return self.grinder_value("threadNumber", 0).map(Some);
            }
            ("GrinderUtils", "getAgentCount" | "getProcessCount", []) => Code::atom("1"),
            ("GrinderUtils", "any", [list]) => self.random_item(list)?,
            ("GrinderUtils", "nvs", [map]) => self.expr(map)?,
            ("GrinderUtils", name, values) if name.starts_with("getParam") => {
                let default = values.first().map(|value| self.expr(value)).transpose()?;
                match default {
                    Some(default) => {
                        let text = format!("__ENV.param || {}", default.at(Rank::And));
                        Code::new(text, Rank::Or)
                    }
                    None if name == "getParam" => Code::new("__ENV.param || ''", Rank::Or),
                    None => Code::atom("Number(__ENV.param || 0)"),
                }
            }
            ("CookieManager", "addCookies", [cookies]) => {
                let cookies = self.expr(cookies)?.receiver();
                self.import("http");
                Code::atom(format!(
                    "{cookies}.forEach({})",
                    self.help(Helper::AddCookie)
                ))
            }
            ("CookieManager" | "CookieModule", "addCookie", [cookie, ..]) => {
                let cookie = self.expr(cookie)?.text;
                self.import("http");
                Code::atom(format!("{}({cookie})", self.help(Helper::AddCookie)))
            }
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    pub(super) fn class_constant(
        &mut self,
        class: &str,
        name: &str,
        line: u32,
    ) -> Result<Code, Mistake> {
        Ok(match (class, name) {
            ("Integer", "MAX_VALUE") => Code::atom("2147483647"),
            ("logger", "info" | "output" | "debug" | "warn" | "error") => Code::atom("console.log"),
            ("environ", name) => Code::atom(format!("__ENV[{}]", quoted(name))),
            _ => return Err(Mistake::no_counterpart(line, format!("{class}.{name}"))),
        })
    }
}
