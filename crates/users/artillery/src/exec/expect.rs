//! Expectations: the checks of the `expect` plugin, and its output.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::exec::answer::Answer;
use crate::model::{ExpectFormat, ExpectPlugin, Expectation, HttpRequest};
use crate::record::{CommonMetrics, Sample};
use crate::template::TemplateValue;
use crate::text::{Path, to_number, to_text};
use crate::vu::{FlowFailure, Vu};

/// A checked expectation.
struct Result {
    ok: bool,
    kind: String,
    expected: String,
    got: String,
}

/// What was expected, as the plugin shows it.
pub(crate) struct ExpectedText<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) json: Option<&'a Value>,
}

/// Checks a request's expectations.
///
/// # Errors
/// A failed expectation, if the plugin reports those as errors.
pub(crate) fn check(
    vu: &Vu,
    plugin: ExpectPlugin,
    request: &HttpRequest,
    asked: &ExpectedText<'_>,
    status: u16,
    answer: &Answer<'_>,
) -> std::result::Result<(), FlowFailure> {
    let default = [Expectation::StatusCode(fixed(200))];
    let expectations = if request.expect.is_empty() && plugin.default_200 {
        &default[..]
    } else {
        &request.expect[..]
    };
    let body = Body::new(answer);
    let results: Vec<Result> = expectations
        .iter()
        .map(|expectation| one(vu, expectation, status, answer, &body))
        .collect();
    for result in &results {
        let (known, word) = if result.ok {
            (CommonMetrics::ExpectOk, "ok")
        } else {
            (CommonMetrics::ExpectFailed, "failed")
        };
        vu.outbox.known(known, 1.0);
        vu.outbox
            .count(format!("plugins.expect.{word}.{}", result.kind), 1.0);
        vu.outbox.push(Sample::Check(result.ok));
    }
    if !results.is_empty() {
        vu.shared.expectations_judged.store(true, Ordering::Relaxed);
    }
    print(vu, plugin.format, asked, &results, answer);
    if results.iter().all(|result| result.ok) {
        return Ok(());
    }
    vu.shared.expectation_failed.store(true, Ordering::Relaxed);
    if plugin.failures_are_errors {
        let name = asked
            .name
            .filter(|_| plugin.only_names)
            .unwrap_or(asked.url);
        return Err(FlowFailure::new(format!(
            "Failed expectations for request {name}"
        )));
    }
    Ok(())
}

fn fixed(value: i32) -> TemplateValue {
    TemplateValue::new(&Value::from(value), &crate::functions::Functions::default())
}

/// The body as the plugin treats it.
enum Body<'a> {
    Parsed(&'a Value),
    /// Its type is JSON, but it cannot be parsed.
    Broken,
    Text(&'a str),
}

impl<'a> Body<'a> {
    fn new(answer: &'a Answer<'_>) -> Self {
        let kind = answer.header("content-type").unwrap_or_default();
        if !is_json(&kind) {
            return Self::Text(answer.body);
        }
        match answer.json() {
            Some(value) => Self::Parsed(value),
            None => Self::Broken,
        }
    }

    fn object(&self) -> Option<&'a Value> {
        match self {
            Self::Parsed(value) if value.is_object() || value.is_array() => Some(value),
            _ => None,
        }
    }
}

fn is_json(content_type: &str) -> bool {
    [
        "application/json",
        "application/problem+json",
        "application/ld+json",
    ]
    .iter()
    .any(|kind| content_type.contains(kind))
}

fn one(
    vu: &Vu,
    expectation: &Expectation,
    status: u16,
    answer: &Answer<'_>,
    body: &Body<'_>,
) -> Result {
    let rendered = |template: &TemplateValue| {
        let vars = vu.vars.borrow();
        template.render(&vu.scope(&vars))
    };
    let text = |template: &TemplateValue| to_text(rendered(template).as_ref());
    match expectation {
        Expectation::StatusCode(expected) => {
            let expected = rendered(expected);
            Result {
                ok: is_status(expected.as_ref(), status),
                kind: "statusCode".to_owned(),
                expected: to_text(expected.as_ref()),
                got: status.to_string(),
            }
        }
        Expectation::NotStatusCode(unexpected) => {
            let unexpected = rendered(unexpected);
            Result {
                ok: !is_status(unexpected.as_ref(), status),
                kind: "notStatusCode".to_owned(),
                expected: format!(
                    "Status code different than {}",
                    to_text(unexpected.as_ref())
                ),
                got: status.to_string(),
            }
        }
        Expectation::ContentType(expected) => content_type(&text(expected), answer, body),
        Expectation::HasProperty(path) => property("hasProperty", &text(path), true, body),
        Expectation::NotHasProperty(path) => property("notHasProperty", &text(path), false, body),
        Expectation::Equals(templates) => {
            let values: Vec<String> = templates.iter().map(text).collect();
            Result {
                // An empty result has no single value.
                ok: values
                    .first()
                    .is_some_and(|first| values.iter().all(|value| value == first)),
                kind: "equals".to_owned(),
                expected: "all values to be equal".to_owned(),
                got: values.join(", "),
            }
        }
        Expectation::HasHeader(name) => {
            let name = text(name);
            let ok = answer
                .header_exactly(&name)
                .is_some_and(|value| !value.is_empty());
            Result {
                got: if ok {
                    name.clone()
                } else {
                    format!("response has no {name} header")
                },
                ok,
                kind: "hasHeader".to_owned(),
                expected: name,
            }
        }
        Expectation::HeaderEquals(pair) => header_equals(rendered(pair).as_ref(), answer),
        Expectation::MatchesRegexp(pattern) => {
            let body = match body {
                Body::Parsed(value) => to_text(Some(value)),
                Body::Broken => "null".to_owned(),
                Body::Text(text) => (*text).to_owned(),
            };
            let regex = regress::Regex::new(&text(pattern));
            let ok = regex.is_ok_and(|regex| regex.find(&body).is_some());
            Result {
                ok,
                kind: "matchesRegexp".to_owned(),
                expected: "true".to_owned(),
                got: ok.to_string(),
            }
        }
        Expectation::CdnHit(hit) => cdn_hit(*hit, answer),
    }
}

fn is_status(expected: Option<&Value>, status: u16) -> bool {
    let is = |value: Option<&Value>| (to_number(value) - f64::from(status)).abs() < 0.5;
    match expected {
        Some(Value::Array(items)) => items.iter().any(|item| is(Some(item))),
        value => is(value),
    }
}

fn content_type(expected: &str, answer: &Answer<'_>, body: &Body<'_>) -> Result {
    let found = answer.header("content-type");
    let kind = "contentType".to_owned();
    if expected == "json" {
        let ok = body.object().is_some();
        let got = match (body, &found) {
            _ if ok => "json".to_owned(),
            (Body::Broken, _) => "could not parse response body as JSON".to_owned(),
            (_, found) => format!(
                "content-type is {}",
                found.clone().unwrap_or_else(|| "undefined".to_owned())
            ),
        };
        return Result {
            ok,
            kind,
            expected: expected.to_owned(),
            got,
        };
    }
    Result {
        ok: found
            .as_ref()
            .is_some_and(|found| found.to_lowercase() == expected.to_lowercase()),
        kind,
        expected: expected.to_owned(),
        got: found.unwrap_or_else(|| "content-type header not set".to_owned()),
    }
}

fn property(kind: &str, path: &str, wanted: bool, body: &Body<'_>) -> Result {
    let expected = path.to_owned();
    let kind = kind.to_owned();
    let Some(object) = body.object() else {
        return Result {
            ok: false,
            kind,
            expected,
            got: "response body is not an object".to_owned(),
        };
    };
    let ok = Path::new(path).get(object).is_some() == wanted;
    let word = if wanted { "has no" } else { "has" };
    let got = if ok {
        path.to_owned()
    } else {
        format!("response body {word} {path} property")
    };
    Result {
        ok,
        kind,
        expected,
        got,
    }
}

fn header_equals(pair: Option<&Value>, answer: &Answer<'_>) -> Result {
    let part = |at: usize| pair.and_then(|pair| pair.get(at));
    let name = to_text(part(0));
    let kind = format!("header {name} values equals");
    let expected = match part(1) {
        Some(value) if crate::text::is_true(Some(value)) => to_text(Some(value)),
        _ => String::new(),
    };
    match answer
        .header_exactly(&name)
        .filter(|value| !value.is_empty())
    {
        Some(value) => Result {
            ok: value == expected,
            kind,
            expected,
            got: value,
        },
        None => Result {
            ok: false,
            kind,
            expected: format!("response to have {name} header"),
            got: format!("response has no {name} header"),
        },
    }
}

fn cdn_hit(hit: bool, answer: &Answer<'_>) -> Result {
    let words: &[&str] = if hit { &["hit", "stale"] } else { &["miss"] };
    let mut result = Result {
        ok: false,
        kind: "cdnHit".to_owned(),
        expected: format!(
            "a cache header indicating a cache {}",
            if hit { "hit" } else { "miss" }
        ),
        got: "cache status header not found".to_owned(),
    };
    for name in ["cf-cache-status", "x-cache", "x-vercel-cache"] {
        let Some(value) = answer.header(name) else {
            continue;
        };
        let lower = value.to_lowercase();
        if words.iter().any(|word| lower.starts_with(word)) {
            result.ok = true;
            result.got = format!("{name} is {value}");
        }
    }
    result
}

impl Answer<'_> {
    /// A header by its exact name. Node stores names in lower case, so any other name finds
    /// nothing.
    pub(crate) fn header_exactly(&self, name: &str) -> Option<String> {
        if name.chars().any(char::is_uppercase) {
            return None;
        }
        self.header(name)
    }
}

/// The path and query of a URL.
fn path_of(url: &str) -> &str {
    let after = url.split_once("://").map_or(url, |(_, rest)| rest);
    after.find('/').map_or("/", |at| &after[at..])
}

fn print(
    vu: &Vu,
    format: ExpectFormat,
    asked: &ExpectedText<'_>,
    results: &[Result],
    answer: &Answer<'_>,
) {
    let any_failed = results.iter().any(|result| !result.ok);
    match format {
        ExpectFormat::Silent => return,
        ExpectFormat::PrettyError if !any_failed => return,
        ExpectFormat::Json => {
            let shown: Vec<Value> = results
                .iter()
                .map(|result| json!({"ok": result.ok, "expected": result.expected, "type": result.kind, "got": result.got}))
                .collect();
            let line = json!({"name": asked.name, "url": path_of(asked.url), "results": shown});
            return vu.shared.console.print(format!("{line}\n"));
        }
        ExpectFormat::Pretty | ExpectFormat::PrettyError => {}
    }
    if results.is_empty() {
        return;
    }
    let name = asked
        .name
        .map(|name| format!("- {name}"))
        .unwrap_or_default();
    let mut out = format!("* {} {} {name}\n\n", asked.method, path_of(asked.url));
    for result in results {
        let word = if result.ok { "ok" } else { "not ok" };
        out.push_str(&format!("  {word} {} {} \n", result.kind, result.got));
        if !result.ok {
            out.push_str(&format!(
                "  expected: {}\n       got: {}\n",
                result.expected, result.got
            ));
        }
    }
    if any_failed {
        push_exchange(&mut out, vu, asked, answer);
    }
    vu.shared.console.print(out);
}

/// Adds what helps to see the reason: request, headers, the start of the body, variables.
fn push_exchange(out: &mut String, vu: &Vu, asked: &ExpectedText<'_>, answer: &Answer<'_>) {
    out.push_str(&format!("  Request params:\n    {}\n", asked.url));
    let json = asked
        .json
        .map(|json| serde_json::to_string_pretty(json).unwrap_or_default());
    for line in json.as_deref().unwrap_or("\"\"").lines() {
        out.push_str(&format!("    {line}\n"));
    }
    out.push_str("  Headers:\n");
    if let Some(head) = answer.head {
        for (name, value) in head.fields().iter() {
            let name = name.to_lowercase();
            out.push_str(&format!("  {name}: {}\n", String::from_utf8_lossy(value)));
        }
    }
    let body: String = answer.body.chars().take(512).collect();
    out.push_str(&format!("  Body:\n{body}\n  User variables:\n"));
    let vars = vu.vars.borrow();
    let base = vu
        .shared
        .test
        .base
        .iter()
        .filter(|(name, _)| !vars.contains_key(*name));
    for (name, value) in base.chain(vars.iter()) {
        if name != "$env" && name != "$processEnvironment" {
            out.push_str(&format!("    {name}: {}\n", to_text(Some(value))));
        }
    }
}
