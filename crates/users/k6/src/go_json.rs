//! A script's value as JSON, the way Go writes what k6 exports.
//!
//! Keys are in order, `undefined` is null, dates are RFC 3339 without trailing zeros, bytes
//! are base64, maps and sets are lists, and functions are refused. `toJSON` methods are not
//! called. Answers of `k6/http` are Go's own values in k6: their methods are left out and
//! their cookies named as Go names them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use loadline_js::{Exception, Value};

/// Deepest nesting; deeper data, or data that contains itself, is refused.
const NESTING_MAX: usize = 500;

/// The value as JSON.
///
/// # Errors
/// Go's words for what JSON has no form for.
pub(crate) fn json_of(value: &Value) -> Result<serde_json::Value, String> {
    nested(value, 0)
}

fn nested(value: &Value, depth: usize) -> Result<serde_json::Value, String> {
    if depth > NESTING_MAX {
        return Err("json: unsupported value: encountered a cycle".to_owned());
    }
    if value.is_nullish() {
        return Ok(serde_json::Value::Null);
    }
    if let Some(bool) = value.as_bool() {
        return Ok(bool.into());
    }
    if let Some(number) = value.as_f64() {
        return number_of(number);
    }
    if let Some(text) = value.as_text() {
        return Ok(text.into());
    }
    if value.is_function() {
        return Err("json: unsupported type: func(sobek.FunctionCall) sobek.Value".to_owned());
    }
    if value.is_object() {
        return object_of(value, depth);
    }
    match value.to_text() {
        Ok(bigint) => serde_json::from_str(&bigint).map_err(|error| error.to_string()),
        // Only a symbol has no text; Go sees its description.
        Err(_) => {
            let description = value
                .get("description")
                .map_err(|error| message_of(&error))?;
            Ok(description.as_text().unwrap_or_default().into())
        }
    }
}

fn number_of(number: f64) -> Result<serde_json::Value, String> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared with what it was truncated to"
    )]
    let whole = number as i64;
    if number.abs() < 9e15 && number.fract() == 0.0 {
        return Ok(whole.into());
    }
    serde_json::Number::from_f64(number)
        .map(Into::into)
        .ok_or_else(|| {
            let shown = match number {
                n if n.is_nan() => "NaN",
                n if n > 0.0 => "+Inf",
                _ => "-Inf",
            };
            format!("json: unsupported value: {shown}")
        })
}

fn object_of(value: &Value, depth: usize) -> Result<serde_json::Value, String> {
    if value.is_date() {
        let text = value.call_method("toISOString", &[]);
        let text = text.and_then(|text| text.to_text());
        return Ok(without_zeros(&text.map_err(|error| message_of(&error))?).into());
    }
    if value.is_byte_array() {
        return Ok(STANDARD.encode(value.to_bytes().unwrap_or_default()).into());
    }
    if value.is_array() || value.is_typed_array() {
        return list_of(value, depth);
    }
    if value.is_map() || value.is_set() {
        let of = if value.is_map() { "entries" } else { "values" };
        let items = value.call_method(of, &[]).and_then(|all| steps_of(&all));
        let items = items.map_err(|error| message_of(&error))?;
        return items.iter().map(|item| nested(item, depth + 1)).collect();
    }
    let is_answer = value.is_host_object();
    let mut entries = Vec::new();
    for key in value.keys().map_err(|error| message_of(&error))? {
        let item = value.get(&key).map_err(|error| message_of(&error))?;
        if is_answer && item.is_function() {
            continue;
        }
        let mut written = nested(&item, depth + 1)?;
        let key = key.to_text();
        if is_answer && key == "cookies" {
            name_cookies(&mut written);
        }
        entries.push((key, written));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(serde_json::Value::Object(entries.into_iter().collect()))
}

fn list_of(list: &Value, depth: usize) -> Result<serde_json::Value, String> {
    let elements = list.elements().map_err(|error| message_of(&error))?;
    elements
        .iter()
        .map(|element| nested(element, depth + 1))
        .collect()
}

/// What an iterator gives until it is done.
fn steps_of(iterator: &Value) -> Result<Vec<Value>, Exception> {
    let mut items = Vec::new();
    loop {
        let step = iterator.call_method("next", &[])?;
        if step.get("done")?.truthy() {
            return Ok(items);
        }
        items.push(step.get("value")?);
    }
}

/// What scripts see of a cookie, and its name in Go.
const COOKIE: [(&str, &str); 8] = [
    ("name", "Name"),
    ("value", "Value"),
    ("domain", "Domain"),
    ("path", "Path"),
    ("http_only", "HTTPOnly"),
    ("secure", "Secure"),
    ("max_age", "MaxAge"),
    ("expires", "Expires"),
];

/// Gives the cookies of an answer, lists by name, the names Go has for their fields.
fn name_cookies(cookies: &mut serde_json::Value) {
    let lists = cookies.as_object_mut().into_iter().flatten();
    for cookie in lists.flat_map(|(_, list)| list.as_array_mut().into_iter().flatten()) {
        let Some(fields) = cookie.as_object_mut() else {
            continue;
        };
        for (seen, name) in COOKIE {
            if let Some(value) = fields.remove(seen) {
                fields.insert(name.to_owned(), value);
            }
        }
    }
}

/// `1970-01-01T00:00:00.500Z` without zeros at the end of the fraction.
fn without_zeros(iso: &str) -> String {
    match iso.strip_suffix('Z').and_then(|text| text.split_once('.')) {
        Some((seconds, fraction)) => {
            let fraction = fraction.trim_end_matches('0');
            let dot = if fraction.is_empty() { "" } else { "." };
            format!("{seconds}{dot}{fraction}Z")
        }
        None => iso.to_owned(),
    }
}

fn message_of(error: &Exception) -> String {
    error.message()
}

#[cfg(test)]
mod tests {
    use loadline_js::{Vm, VmOptions};

    use super::*;

    fn json(source: &str) -> Result<String, String> {
        let vm = Vm::new(&VmOptions::default()).expect("memory");
        let value = vm.ctx().eval(source, "test.js").expect("a value");
        json_of(&value).map(|json| json.to_string())
    }

    #[test]
    fn it_is_written_as_k6_writes_it() {
        let written = json(
            "({ b: undefined, a: [undefined, 1.5, 2, 'x', true], d: new Date(0), e: new Date(1500), n: null })",
        );
        let expected = r#"{"a":[null,1.5,2,"x",true],"b":null,"d":"1970-01-01T00:00:00Z","e":"1970-01-01T00:00:01.5Z","n":null}"#;
        assert_eq!(written.as_deref(), Ok(expected));
    }

    #[test]
    fn bytes_collections_and_symbols_are_what_go_makes_of_them() {
        let written = json(
            "({ b: new Uint8Array([1, 2]), i: new Int16Array([1, -2]), m: new Map([['k', 1]]), s: new Set([3]), y: Symbol('z') })",
        );
        let expected = r#"{"b":"AQI=","i":[1,-2],"m":[["k",1]],"s":[3],"y":"z"}"#;
        assert_eq!(written.as_deref(), Ok(expected));
    }

    #[test]
    fn functions_cycles_and_numbers_json_has_not_are_refused() {
        let refused = json("({ call: () => 1 })").expect_err("a function");
        assert_eq!(
            refused,
            "json: unsupported type: func(sobek.FunctionCall) sobek.Value"
        );
        assert!(json("const a = {}; a.a = a; a").is_err());
        assert!(
            json("({ n: NaN })")
                .expect_err("no number")
                .ends_with("NaN")
        );
    }
}
