//! Says back what was asked, as JSON with sorted keys.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Map, Value, json};

use super::reply::{self, Reply};
use super::routes::Asked;

pub(super) fn reply(asked: &Asked) -> Reply {
    let mut query: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in &asked.query {
        query.entry(name).or_default().push(value);
    }
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in &asked.headers {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        headers
            .entry(name.to_string())
            .and_modify(|all| *all = format!("{all}, {value}"))
            .or_insert(value);
    }
    let content_type = asked.header("content-type");
    let mut answer = Map::new();
    let body = decode(&asked.body, asked.header("content-encoding"));
    answer.insert("body".into(), json!(String::from_utf8_lossy(&body)));
    answer.insert("form".into(), form(&body, content_type));
    answer.insert("headers".into(), json!(headers));
    answer.insert("json".into(), json(&body, content_type));
    answer.insert("length".into(), json!(asked.body.len()));
    answer.insert("method".into(), json!(asked.method.as_str()));
    answer.insert("multipart".into(), multipart(&body, content_type));
    answer.insert("path".into(), json!(asked.path));
    answer.insert("proto".into(), json!(asked.version));
    answer.insert("query".into(), json!(query));
    reply::json(200, &Value::Object(answer))
}

fn form(body: &[u8], content_type: &str) -> Value {
    if !content_type.starts_with("application/x-www-form-urlencoded") {
        return Value::Null;
    }
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in url::form_urlencoded::parse(body).into_owned() {
        fields.entry(name).or_default().push(value);
    }
    json!(fields)
}

fn json(body: &[u8], content_type: &str) -> Value {
    if content_type.contains("json") {
        serde_json::from_slice(body).unwrap_or_default()
    } else {
        Value::Null
    }
}

/// Undoes the encodings, the last one first; what cannot be undone is shown as it came.
fn decode(body: &[u8], encodings: &str) -> Vec<u8> {
    let mut body = body.to_vec();
    for encoding in encodings.split(',').rev().map(str::trim) {
        let mut plain = Vec::new();
        let result = match encoding {
            "gzip" => flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut plain),
            "deflate" => flate2::read::ZlibDecoder::new(&body[..]).read_to_end(&mut plain),
            "br" => brotli::Decompressor::new(&body[..], 4096).read_to_end(&mut plain),
            "zstd" => zstd::stream::copy_decode(&body[..], &mut plain).map(|()| 0),
            _ => continue,
        };
        if result.is_err() {
            return body;
        }
        body = plain;
    }
    body
}

/// The parts of a multipart body, sorted by name, because senders may order them at will.
fn multipart(body: &[u8], content_type: &str) -> Value {
    let Some((_, boundary)) = content_type
        .split_once("boundary=")
        .filter(|_| content_type.starts_with("multipart/"))
    else {
        return Value::Null;
    };
    let text = String::from_utf8_lossy(body);
    let delimiter = format!("--{}", boundary.trim_matches('"'));
    let mut parts = Vec::new();
    for part in text.split(&delimiter).skip(1) {
        let Some((head, content)) = part.split_once("\r\n\r\n") else {
            continue;
        };
        let line = |name: &str| {
            let prefix = format!("{name}:");
            let found = head
                .lines()
                .find(|line| line.to_ascii_lowercase().starts_with(&prefix));
            found
                .and_then(|line| line.split_once(':'))
                .map(|(_, value)| value.trim().to_owned())
        };
        parts.push(json!({
            "body": content.strip_suffix("\r\n").unwrap_or(content),
            "content_type": line("content-type"),
            "disposition": line("content-disposition"),
        }));
    }
    parts.sort_by_key(|part| part["disposition"].to_string());
    Value::Array(parts)
}
