//! Settings of a file, by their whole names.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The settings of one document, by their whole names: `spring.datasource.url`, `list[0].name`.
pub(super) type Document = BTreeMap<String, String>;

/// Documents of one file, and lists in each, are bounded by the file; its depth by this.
const DEPTH_MAX: usize = 32;

/// Any YAML.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
    Nothing(()),
}

/// The documents of a YAML file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn yaml(text: &str) -> Result<Vec<Document>, String> {
    let mut documents = Vec::new();
    for part in parts(text, "---") {
        if part
            .lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
        {
            continue;
        }
        let value: Value = serde_saphyr::from_str(&part).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().to_owned()
        })?;
        let mut document = Document::new();
        flatten("", &value, 0, &mut document);
        documents.push(document);
    }
    Ok(documents)
}

/// The documents of a properties file.
pub(super) fn properties(text: &str) -> Vec<Document> {
    let documents = parts(text, "#---").into_iter().map(|part| {
        let lines = part.lines().map(str::trim);
        let lines = lines.filter(|line| !line.starts_with(['#', '!']));
        let pairs = lines.filter_map(|line| line.split_once(['=', ':']));
        let pairs = pairs.map(|(key, value)| (plain(key.trim()), value.trim().to_owned()));
        pairs.collect()
    });
    documents.collect()
}

/// The text in parts, before and after each line that is the mark.
fn parts(text: &str, mark: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in text.lines() {
        if line.trim_end() == mark {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    parts
}

fn flatten(at: &str, value: &Value, depth: usize, document: &mut Document) {
    let mut put = |text: String| {
        document.insert(at.to_owned(), text);
    };
    match value {
        Value::Flag(flag) => put(flag.to_string()),
        Value::Whole(number) => put(number.to_string()),
        Value::Number(number) => put(number.to_string()),
        Value::Text(text) => put(text.clone()),
        Value::Nothing(()) => {}
        _ if depth == DEPTH_MAX => {}
        Value::List(all) => {
            for (number, one) in all.iter().enumerate() {
                flatten(&format!("{at}[{number}]"), one, depth + 1, document);
            }
        }
        Value::Map(all) => {
            for (key, one) in all {
                let key = plain(key);
                let at = if at.is_empty() {
                    key
                } else {
                    format!("{at}.{key}")
                };
                flatten(&at, one, depth + 1, document);
            }
        }
    }
}

/// A key as Spring's documentation spells it, where it is one that is read here.
fn plain(key: &str) -> String {
    key.replace("basePath", "base-path")
        .replace("contextPath", "context-path")
}

/// `LOADLINE_SHOP_DB_PASSWORD`, for a source called `Shop DB`.
pub(super) fn variable(name: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(letter).collect();
    format!("LOADLINE_{name}_PASSWORD")
}

/// As a URL holds a user or a password; variables stay.
pub(super) fn encoded(text: &str) -> String {
    if text.contains("${") {
        return text.to_owned();
    }
    let letter = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(letter).collect()
}
