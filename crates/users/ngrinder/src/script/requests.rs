//! Requests: what is sent, and how k6 is asked to send it.

use super::Turn;
use super::code::{Code, Rank, quoted};
use super::facts::ValueKind;
use super::helpers::Helper;
use crate::form::{Arg, Expr, ExprKind};
use crate::loss::{LossReason, Mistake};

/// What nGrinder says of a body whose type no header names, since 3.5.
const DEFAULT_TYPE: &str = "'Content-Type': 'application/json; charset=UTF-8'";

/// A request as a script writes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestCall<'e> {
    pub(super) receiver: &'e Expr,
    pub(super) method: &'e str,
    pub(super) args: &'e [Arg],
    pub(super) line: u32,
}

impl RequestCall<'_> {
    fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PUT" | "PATCH" | "OPTIONS")
    }
}

impl Turn<'_> {
    pub(super) fn request(&mut self, call: RequestCall<'_>) -> Result<Code, Mistake> {
        self.import("http");
        let given: Vec<&Expr> = call.args.iter().map(|arg| &arg.value).collect();
        let (url, rest) = match given.split_first() {
            Some((url, rest)) => (Some(*url), rest),
            None => (None, &[][..]),
        };
        let (data, headers) = self.data_and_headers(&call, rest);
        let url = self.url(call.receiver, url)?;
        let own = headers.filter(|headers| !self.facts.is_always_empty(headers));
        let headers = self.headers(call.receiver, own)?;
        let data = data.filter(|data| !self.facts.is_always_empty(data));
        let (url, body) = self.url_and_body(&call, url, data, headers.as_deref())?;
        let is_untyped = body.is_some()
            && !self.facts.is_old_client
            && !self.facts.may_name_type(own)
            && !self.is_pairs_body(&call);
        let params = self.params(&call, headers, is_untyped);
        let function = match call.method {
            "DELETE" => "del".to_owned(),
            method => method.to_lowercase(),
        };
        let takes_body = call.has_body() || call.method == "DELETE";
        let mut args = vec![url];
        if takes_body && (body.is_some() || params.is_some()) {
            args.push(body.unwrap_or_else(|| "null".to_owned()));
        }
        args.extend(params);
        Ok(Code::atom(format!("http.{function}({})", args.join(", "))))
    }

    /// The old client's DELETE takes headers behind its URL, and its HEAD and GET fields; the new one's all take fields.
    fn data_and_headers<'e>(
        &self,
        call: &RequestCall<'_>,
        rest: &[&'e Expr],
    ) -> (Option<&'e Expr>, Option<&'e Expr>) {
        if self.facts.is_old_client && call.method == "DELETE" && rest.len() == 1 {
            return (None, rest.first().copied());
        }
        (rest.first().copied(), rest.get(1).copied())
    }

    fn url(&mut self, receiver: &Expr, url: Option<&Expr>) -> Result<String, Mistake> {
        let base = self.base_url(receiver);
        match url {
            None => Ok(format!("{}.url", self.expr(receiver)?.receiver())),
            Some(url) => {
                let Some(base) = base else {
                    return Ok(self.expr(url)?.text);
                };
                match &url.kind {
                    ExprKind::Text(path) if path.contains("://") => Ok(quoted(path)),
                    ExprKind::Text(path) if path.starts_with('/') => {
                        Ok(quoted(&format!("{}{path}", origin(&base))))
                    }
                    _ => {
                        let path = self.expr(url)?.at(Rank::Add);
                        Ok(format!("{} + {path}", quoted(origin(&base))))
                    }
                }
            }
        }
    }

    /// The URL that a request of Jython was made with.
    fn base_url(&self, receiver: &Expr) -> Option<String> {
        let name = super::facts::variable(receiver)?;
        let mut found = None;
        for body in self.program.bodies() {
            crate::form::visit_statements(body, &mut |stmt| {
                let value = match &stmt.kind {
                    crate::form::StmtKind::Let {
                        name: made,
                        value: Some(value),
                        ..
                    } if made == name => Some(value),
                    crate::form::StmtKind::Expr(expr) => match &expr.kind {
                        ExprKind::Assign { target, value, .. }
                            if super::facts::variable(target) == Some(name) =>
                        {
                            Some(&**value)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(url) = value.and_then(url_arg) {
                    found = Some(url);
                }
            });
        }
        found
    }

    /// The headers that are sent; None where there are none.
    fn headers(&mut self, receiver: &Expr, own: Option<&Expr>) -> Result<Option<String>, Mistake> {
        if let Some(own) = own {
            return Ok(Some(self.expr(own)?.at(Rank::Assign)));
        }
        if !self.facts.sets_headers {
            return Ok(None);
        }
        let receiver = self.expr(receiver)?.receiver();
        Ok(Some(format!("{receiver}.headers")))
    }

    fn url_and_body(
        &mut self,
        call: &RequestCall<'_>,
        url: String,
        data: Option<&Expr>,
        headers: Option<&str>,
    ) -> Result<(String, Option<String>), Mistake> {
        let Some(data) = data else {
            return Ok((url, None));
        };
        let kind = self.facts.kind(data);
        if is_multipart(data) {
            return Err(Mistake::new(call.line, LossReason::Multipart));
        }
        let is_field = kind == Some(ValueKind::Pairs) && call.method == "PATCH";
        if !call.has_body() || is_field {
            let data = self.expr(data)?.text;
            let with_query = self.help(Helper::WithQuery);
            return Ok((format!("{with_query}({url}, {data})"), None));
        }
        let text = self.expr(data)?.at(Rank::Assign);
        let is_new = !self.facts.is_old_client;
        let body = match kind {
            Some(ValueKind::Text | ValueKind::Pairs) => text,
            Some(ValueKind::Map) if is_new && !self.facts.names_form => {
                format!("JSON.stringify({text})")
            }
            _ if is_new => {
                let body_from = self.help(Helper::BodyFrom);
                format!("{body_from}({text}, {})", headers.unwrap_or("{}"))
            }
            _ => text,
        };
        Ok((url, Some(body)))
    }

    /// The last argument: headers, the name of the test, the timeout.
    fn params(
        &mut self,
        call: &RequestCall<'_>,
        headers: Option<String>,
        is_untyped: bool,
    ) -> Option<String> {
        let mut entries = Vec::new();
        match headers {
            Some(headers) if is_untyped => {
                entries.push(format!("headers: {{ {DEFAULT_TYPE}, ...{headers} }}"));
            }
            None if is_untyped => entries.push(format!("headers: {{ {DEFAULT_TYPE} }}")),
            Some(headers) => entries.push(if headers == "headers" {
                headers
            } else {
                format!("headers: {headers}")
            }),
            None => {}
        }
        if let Some(test) = self.facts.test_of_request(call.receiver, call.method) {
            entries.push(format!("tags: {{ name: {} }}", quoted(test)));
        }
        if self.facts.sets_timeout {
            entries.push("timeout".to_owned());
        }
        (!entries.is_empty()).then(|| format!("{{ {} }}", entries.join(", ")))
    }

    fn is_pairs_body(&self, call: &RequestCall<'_>) -> bool {
        let data = call.args.get(1).map(|arg| &arg.value);
        data.is_some_and(|data| self.facts.kind(data) == Some(ValueKind::Pairs))
    }
}

/// Scheme, host and port.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find('/').map_or(url.len(), |at| host + at);
    &url[..end]
}

/// The literal URL in `HTTPRequest(url="...")`, also inside of `wrap(...)`.
fn url_arg(value: &Expr) -> Option<String> {
    let ExprKind::Call { args, .. } = &value.kind else {
        return None;
    };
    let named = args.iter().find(|arg| arg.name.as_deref() == Some("url"));
    match named.map(|arg| &arg.value.kind) {
        Some(ExprKind::Text(url)) => Some(url.clone()),
        Some(_) => None,
        None => args.first().and_then(|arg| url_arg(&arg.value)),
    }
}

fn is_multipart(data: &Expr) -> bool {
    let mut is_there = false;
    let mut rest = vec![data];
    while let Some(expr) = rest.pop() {
        let name = match &expr.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => name.as_str(),
            ExprKind::New { class, .. } => class.as_str(),
            _ => "",
        };
        is_there |= name.contains("Multipart") || name.contains("mpFormDataEncode");
        rest.extend(expr.kind.children());
    }
    is_there
}
