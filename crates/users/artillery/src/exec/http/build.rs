//! Makes the request of a request step, and the request that follows a redirect.

use bytes::Bytes;
use loadline_net::form::{FilePart, Multipart};
use loadline_net::{Request, Response, Url};
use serde_json::Value;

use super::cookies::set_cookies;
use crate::exec::hooks;
use crate::model::{FormField, HttpRequest, RequestBody};
use crate::template::TemplateValue;
use crate::text::to_text;
use crate::vu::{FlowFailure, Vu};

/// got's `Accept-Encoding` when answers may be compressed.
const ACCEPT_ENCODING: &str = "gzip, deflate, br";

/// got's name, where the file's own headers take the place of Artillery's.
const USER_AGENT: &str = "got (https://github.com/sindresorhus/got)";

/// A request that is ready to be sent.
pub(crate) struct PreparedRequest {
    pub(crate) request: Request,
    /// Its rendered URL.
    pub(crate) url_text: String,
    /// Its rendered name.
    pub(crate) name: Option<String>,
    /// Its JSON body.
    pub(crate) json: Option<Value>,
    /// A `cookie` header set in the file.
    pub(crate) cookie_header: Option<String>,
    /// It sets cookies itself, which switches the jar on for it alone.
    pub(crate) sets_cookies: bool,
}

/// Renders a request.
///
/// # Errors
/// The reason why the user fails before anything is sent.
pub(crate) fn build(vu: &Vu, spec: &HttpRequest) -> Result<PreparedRequest, FlowFailure> {
    let (url_text, name, json, fields, cookies, mut request) = {
        let vars = vu.vars.borrow();
        let scope = vu.scope(&vars);
        let render = |template: &TemplateValue| template.render(&scope);
        let config = &vu.shared.test.script.config;
        let url_text = match spec.url.as_ref().map(|url| url.render_text(&scope)) {
            Some(path) if path.starts_with('/') => format!("{}{path}", config.target),
            url_text => url_text.unwrap_or_default(),
        };
        let name = spec.name.as_ref().map(|name| name.render_text(&scope));
        let url_text = match spec.query.as_ref().and_then(render) {
            Some(Value::Object(query)) => with_query(&url_text, &query),
            _ => url_text,
        };
        if !url_text.starts_with("http") {
            return Err(FlowFailure::new(format!("Invalid URL - {url_text}")));
        }
        let url = url_of(&url_text).ok_or_else(|| FlowFailure::new("ERR_INVALID_URL"))?;
        let mut request = request_to(&spec.method, url);
        let mut fields = header_fields(&config.default_headers, &spec.headers, &render)?;
        let json = body(vu, spec, &mut request, &mut fields, &render)?;
        let pairs = |pairs: &[(String, TemplateValue)]| -> Vec<(String, String)> {
            pairs
                .iter()
                .map(|(name, template)| (name.clone(), template.render_text(&scope)))
                .collect()
        };
        let defaults = config.default_cookies.as_deref();
        let mut cookies = defaults.map(pairs).unwrap_or_default();
        for (name, value) in pairs(&spec.cookies) {
            cookies.retain(|(other, _)| *other != name);
            cookies.push((name, value));
        }
        if let Some((user, password)) = &spec.auth {
            let part = |template: &Option<TemplateValue>| {
                template
                    .as_ref()
                    .map(|t| t.render_text(&scope))
                    .unwrap_or_default()
            };
            add_basic(&mut fields, &part(user), &part(password));
        }
        (url_text, name, json, fields, cookies, request)
    };
    let has = |name: &str| fields.iter().any(|(other, _)| other == name);
    if spec.gzip && !has("accept-encoding") {
        request.add_field("accept-encoding", ACCEPT_ENCODING);
    }
    if let Some(tracing) = &vu.shared.test.script.config.tracing {
        request.add_field("traceparent", traceparent(vu, tracing));
    }
    let cookie_header = fields
        .iter()
        .find(|(name, _)| name == "cookie")
        .map(|(_, value)| value.clone());
    let (keeps, names_itself) = (has("connection"), has("user-agent"));
    for (name, value) in fields {
        request.add_field(name, value);
    }
    if !keeps {
        request.add_field("connection", "keep-alive");
    }
    if !names_itself {
        request.add_field("user-agent", USER_AGENT);
    }
    let sets_cookies = !cookies.is_empty();
    if sets_cookies {
        set_cookies(vu, &request.url().clone(), cookies);
    }
    loadline_net::set_basic(&mut request);
    Ok(PreparedRequest {
        request,
        url_text,
        name,
        json,
        cookie_header,
        sets_cookies,
    })
}

/// The file's fields; those of the request replace the defaults.
fn header_fields(
    defaults: &[(String, TemplateValue)],
    own: &[(String, TemplateValue)],
    render: &dyn Fn(&TemplateValue) -> Option<Value>,
) -> Result<Vec<(String, String)>, FlowFailure> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for (name, template) in defaults.iter().chain(own) {
        fields.retain(|(other, _)| other != name);
        // A missing value is not sent, a list is several fields, and got refuses null.
        match render(template) {
            None => {}
            Some(Value::Null) => return Err(FlowFailure::new("ERR_GOT_REQUEST_ERROR")),
            Some(Value::Array(items)) => {
                fields.extend(items.iter().map(|item| (name.clone(), to_text(Some(item)))));
            }
            Some(value) => fields.push((name.clone(), to_text(Some(&value)))),
        }
    }
    Ok(fields)
}

/// Parses a URL as browsers (and so got) do if it is not plain.
fn url_of(text: &str) -> Option<Url> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'()*+,;=%".contains(c);
    if text.chars().all(plain) && !text.contains("/../") && !text.contains("/./") {
        return Url::parse(text).ok();
    }
    let normal = url::Url::parse(text).ok()?;
    Url::parse(normal.as_str()).ok()
}

/// Replaces the URL's query, in the form of `URLSearchParams`.
fn with_query(url: &str, query: &serde_json::Map<String, Value>) -> String {
    let (url, fragment) = url
        .split_once('#')
        .map_or((url, None), |(url, fragment)| (url, Some(fragment)));
    let base = url.split('?').next().unwrap_or_default();
    let mut out = format!("{base}?");
    let mut first = true;
    let mut add = |name: &str, value: &Value| {
        if !std::mem::take(&mut first) {
            out.push('&');
        }
        let text = match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => to_text(Some(value)),
            _ => String::new(),
        };
        out.extend(url::form_urlencoded::byte_serialize(name.as_bytes()));
        out.push('=');
        out.extend(url::form_urlencoded::byte_serialize(text.as_bytes()));
    };
    for (name, value) in query {
        match value {
            Value::Array(items) => items.iter().for_each(|item| add(name, item)),
            value => add(name, value),
        }
    }
    match fragment {
        Some(fragment) => format!("{out}#{fragment}"),
        None => out,
    }
}

fn set_type(fields: &mut Vec<(String, String)>, value: impl Into<String>) {
    if !fields.iter().any(|(name, _)| name == "content-type") {
        fields.push(("content-type".to_owned(), value.into()));
    }
}

/// Sets the body. Returns its JSON value, if it is one.
fn body(
    vu: &Vu,
    spec: &HttpRequest,
    request: &mut Request,
    fields: &mut Vec<(String, String)>,
    render: &dyn Fn(&TemplateValue) -> Option<Value>,
) -> Result<Option<Value>, FlowFailure> {
    if !matches!(spec.body, RequestBody::None) && spec.method == "GET" {
        // got rejects a body for methods that usually have none.
        return Err(FlowFailure::new("ERR_GOT_REQUEST_ERROR"));
    }
    match &spec.body {
        RequestBody::None => Ok(None),
        RequestBody::Json(template) => {
            let Some(value) = render(template) else {
                return Ok(None);
            };
            set_type(fields, "application/json");
            request.set_body(Some(Bytes::from(crate::text::json_text(&value))));
            Ok(Some(value))
        }
        RequestBody::Text(template) => {
            match render(template) {
                Some(Value::String(text)) => request.set_body(Some(Bytes::from(text))),
                None | Some(Value::Null) => {}
                // got takes texts alone.
                Some(_) => return Err(FlowFailure::new("ERR_GOT_REQUEST_ERROR")),
            }
            Ok(None)
        }
        RequestBody::Form(pairs) => {
            let mut out = url::form_urlencoded::Serializer::new(String::new());
            for (name, template) in pairs {
                out.append_pair(name, &to_text(render(template).as_ref()));
            }
            set_type(fields, "application/x-www-form-urlencoded");
            request.set_body(Some(Bytes::from(out.finish())));
            Ok(None)
        }
        RequestBody::Multipart(parts) => {
            let random = &vu.local.random;
            let boundary = boundary(random.next(), random.next());
            let mut multipart = Multipart::new(&boundary);
            for (name, field) in parts {
                add_part(vu, &mut multipart, name, field, render)?;
            }
            set_type(fields, format!("multipart/form-data; boundary={boundary}"));
            request.set_body(Some(Bytes::from(multipart.finish())));
            Ok(None)
        }
    }
}

/// A boundary as the form-data package makes them: 26 dashes and 24 hexadecimal digits.
fn boundary(random: u64, more: u64) -> String {
    format!("{:->26}{random:016x}{:08x}", "", more >> 32)
}

fn add_part(
    vu: &Vu,
    multipart: &mut Multipart<'_>,
    name: &str,
    field: &FormField,
    render: &dyn Fn(&TemplateValue) -> Option<Value>,
) -> Result<(), FlowFailure> {
    match field {
        FormField::Value(template, None) => {
            multipart.part(name, None, to_text(render(template).as_ref()).as_bytes());
        }
        FormField::Value(template, Some(kind)) => {
            let kind = to_text(render(kind).as_ref());
            let value = to_text(render(template).as_ref());
            multipart.typed_part(name, &kind, value.as_bytes());
        }
        FormField::File(template, kind) => {
            let path = to_text(render(template).as_ref());
            let full = vu.shared.test.folder.join(&path);
            let bytes = vu
                .local
                .files
                .read(&full)
                .map_err(|_| FlowFailure::new("ENOENT"))?;
            let filename = full
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let kind = match kind {
                Some(kind) => to_text(render(kind).as_ref()),
                None => media_type(&filename).to_owned(),
            };
            multipart.part(
                name,
                Some(FilePart {
                    filename: &filename,
                    content_type: &kind,
                }),
                &bytes,
            );
        }
    }
    Ok(())
}

/// The media type of a file by its ending.
fn media_type(name: &str) -> &'static str {
    match name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
        .as_str()
    {
        "txt" | "log" => "text/plain",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "xml" => "application/xml",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        "yml" | "yaml" => "text/yaml",
        _ => "application/octet-stream",
    }
}

fn add_basic(fields: &mut Vec<(String, String)>, user: &str, password: &str) {
    use base64::Engine;
    let text = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
    if !fields.iter().any(|(name, _)| name == "authorization") {
        fields.push(("authorization".to_owned(), format!("Basic {text}")));
    }
}

fn traceparent(vu: &Vu, tracing: &crate::model::Tracing) -> String {
    let random = &vu.local.random;
    let rest = random.hex(32 - tracing.prefix.len());
    let flags = if tracing.sampled { "01" } else { "00" };
    format!("00-{}{rest}-{}-{flags}", tracing.prefix, random.hex(16))
}

/// Node's code for a field that it does not send.
pub(crate) fn refused_field(request: &Request) -> Option<&'static str> {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let is_text = |c: char| matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}');
    request.fields().iter().find_map(|(name, value)| {
        if name.is_empty() || !name.chars().all(is_token) {
            return Some("ERR_INVALID_HTTP_TOKEN");
        }
        (!value.chars().all(is_text)).then_some("ERR_INVALID_CHAR")
    })
}

/// A request as Node makes it: with a length for all methods but those that have no body.
fn request_to(method: &str, url: Url) -> Request {
    let mut request = Request::new(method, url);
    let has_none = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"].contains(&method);
    if !has_none {
        request.expect_length();
    }
    request
}

/// The request that follows a redirect by got's rules; `None` if the answer is no redirect.
pub(crate) fn redirected(last: &Request, response: &Response) -> Option<Result<Request, String>> {
    let status = response.head.status();
    if !matches!(status, 300..=304 | 307 | 308) {
        return None;
    }
    let location = response.head.fields().get("Location")?;
    let location = String::from_utf8_lossy(location);
    let base = url::Url::parse(&last.url().to_string()).ok();
    let target = base.and_then(|base| base.join(&location).ok());
    let Some(target) = target else {
        return Some(Err("ERR_INVALID_URL".to_owned()));
    };
    let Ok(url) = Url::parse(target.as_str()) else {
        return Some(Err("ERR_INVALID_URL".to_owned()));
    };
    // Unlike browsers, got makes a GET of a POST for `303 See Other` alone.
    let keeps_body = status != 303 || matches!(last.method(), "GET" | "HEAD");
    let method = if keeps_body { last.method() } else { "GET" };
    let other_host = url.host_name() != last.url().host_name() || url.port() != last.url().port();
    let mut next = request_to(method, url);
    for (name, value) in last.fields() {
        let is_secret = other_host
            && ["cookie", "authorization", "host"]
                .iter()
                .any(|secret| name.eq_ignore_ascii_case(secret));
        if !is_secret {
            next.add_field(name.clone(), value.clone());
        }
    }
    if keeps_body {
        next.set_body(last.body().cloned());
    }
    Some(Ok(next))
}

/// The request as functions after it see it.
pub(super) fn asked_of(
    vu: &Vu,
    request: &HttpRequest,
    built: &PreparedRequest,
) -> serde_json::Value {
    let mut asked = request.spec.clone();
    if let serde_json::Value::Object(map) = &mut asked {
        map.insert("url".to_owned(), built.url_text.clone().into());
        map.insert("method".to_owned(), built.request.method().into());
        map.insert("timeout".to_owned(), hooks::timeout_of(vu));
        let uuid = || vu.local.random.uuid().into();
        map.entry("uuid").or_insert_with(uuid);
        // The options of Artillery's client.
        map.insert("followRedirect".to_owned(), request.follow.into());
        map.insert("decompress".to_owned(), request.gzip.into());
        map.insert("throwHttpErrors".to_owned(), false.into());
        map.insert("retry".to_owned(), serde_json::json!({"limit": 0}));
        if let Some(endpoint) = &request.endpoint {
            map.insert("defaultName".to_owned(), endpoint.clone().into());
        }
        if let Some(name) = &built.name {
            map.insert("name".to_owned(), name.clone().into());
        }
        if let Some(json) = &built.json {
            map.insert("json".to_owned(), json.clone());
        }
        let fields = built.request.fields().iter();
        let headers = fields.map(|(name, value)| (name.to_lowercase(), value.clone().into()));
        map.insert(
            "headers".to_owned(),
            serde_json::Value::Object(headers.collect()),
        );
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_query_takes_the_place_of_the_urls_own() {
        let query = json!({"a b": "c&d", "list": [1, 2], "n": null});
        let query = query.as_object().unwrap();
        assert_eq!(
            with_query("http://h/p?x=1", query),
            "http://h/p?a+b=c%26d&list=1&list=2&n="
        );
    }

    #[test]
    fn fields_that_node_refuses_have_its_codes() {
        let refused = |name: &str, value: &str| {
            let mut request = Request::new("GET", Url::parse("http://h/").unwrap());
            request.add_field(name, value);
            refused_field(&request)
        };
        assert_eq!(refused("x-a", "b\u{e9}"), None);
        assert_eq!(refused("x {a}", "b"), Some("ERR_INVALID_HTTP_TOKEN"));
        assert_eq!(refused("x-a", "\u{ac00}"), Some("ERR_INVALID_CHAR"));
    }

    #[test]
    fn urls_with_blanks_and_letters_of_other_scripts_are_encoded() {
        assert_eq!(
            url_of("http://h/a b?q=é").unwrap().to_string(),
            "http://h/a%20b?q=%C3%A9"
        );
        assert_eq!(url_of("http://h").unwrap().host(), "h");
    }
}
