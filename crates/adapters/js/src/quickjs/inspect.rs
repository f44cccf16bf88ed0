//! A value as text for a person, in the form `console.log` of k6 prints it.

use crate::quickjs::{Exception, Value};

/// Deepest nesting shown.
const NESTING_MAX: usize = 32;

/// Shows a value: strings and symbols as they are, objects as
/// `{ a: 1, b: [ 1, { c: null } ] }`.
///
/// # Errors
///
/// What a getter of the value threw.
pub fn inspect(value: &Value) -> Result<String, Exception> {
    let mut out = String::new();
    if value.is_object() {
        show(value, &mut Vec::new(), &mut out)?;
    } else {
        out = primitive(value)?;
    }
    Ok(out)
}

fn show(value: &Value, path: &mut Vec<Value>, out: &mut String) -> Result<(), Exception> {
    if value.is_undefined() {
        // Within an object k6 shows it as JSON would if it could.
        out.push_str("null");
        return Ok(());
    }
    if !value.is_object() {
        let text = primitive(value)?;
        if value.is_string() || value.is_symbol() {
            push_quoted(&text, out);
        } else {
            out.push_str(&text);
        }
        return Ok(());
    }
    if path.len() >= NESTING_MAX || path.iter().any(|outer| outer.strict_equals(value)) {
        out.push_str("[Circular]");
        return Ok(());
    }
    path.push(value.clone());
    show_object(value, path, out)?;
    path.pop();
    Ok(())
}

fn primitive(value: &Value) -> Result<String, Exception> {
    if value.is_symbol() {
        return value.get("description")?.to_text();
    }
    value.to_text()
}

/// Quoted but not escaped, as k6 does.
fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

fn show_object(value: &Value, path: &mut Vec<Value>, out: &mut String) -> Result<(), Exception> {
    if value.is_function() {
        out.push_str("[object Function]");
    } else if value.is_error() {
        out.push_str(&value.to_text()?);
    } else if value.is_date() {
        match value.call_method("toISOString", &[]) {
            Ok(text) => push_quoted(&text.to_text()?, out),
            Err(_) => out.push_str("\"Invalid Date\""),
        }
    } else if value.is_array_buffer() {
        show_array_buffer(value, out);
    } else if value.is_typed_array() {
        show_typed_array(value, out)?;
    } else if value.is_array() {
        show_array(value, path, out)?;
    } else {
        show_plain(value, path, out)?;
    }
    Ok(())
}

fn show_array_buffer(value: &Value, out: &mut String) {
    let bytes = value.to_bytes().unwrap_or_default();
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    out.push_str(&format!(
        "ArrayBuffer {{ [Uint8Contents]: <{}>, byteLength: {} }}",
        hex.join(" "),
        bytes.len()
    ));
}

fn show_typed_array(value: &Value, out: &mut String) -> Result<(), Exception> {
    let name = value.get("constructor")?.get("name")?.to_text()?;
    let items = value.elements()?;
    let shown: Result<Vec<String>, Exception> = items.iter().map(Value::to_text).collect();
    out.push_str(&format!("{name}({}) ", items.len()));
    push_list("[", &shown?, "]", out);
    Ok(())
}

fn show_array(value: &Value, path: &mut Vec<Value>, out: &mut String) -> Result<(), Exception> {
    let mut shown = Vec::new();
    for item in value.elements()? {
        let mut text = String::new();
        show(&item, path, &mut text)?;
        shown.push(text);
    }
    push_list("[", &shown, "]", out);
    Ok(())
}

fn show_plain(value: &Value, path: &mut Vec<Value>, out: &mut String) -> Result<(), Exception> {
    let mut shown = Vec::new();
    for key in value.keys()? {
        let item = value.get(&key)?;
        let mut text = key.to_text();
        text.push_str(": ");
        show(&item, path, &mut text)?;
        shown.push(text);
    }
    push_list("{", &shown, "}", out);
    Ok(())
}

fn push_list(open: &str, items: &[String], close: &str, out: &mut String) {
    out.push_str(open);
    if !items.is_empty() {
        out.push(' ');
        out.push_str(&items.join(", "));
        out.push(' ');
    }
    out.push_str(close);
}
