//! Reads bytes that scripts pass as a string or a buffer, for `k6/crypto` and `k6/encoding`.

use loadline_js::Value;

/// The bytes of text or of a buffer; why not, in k6's words, for anything else.
pub(super) fn read(value: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = value.as_text() {
        return Ok(text.into_bytes());
    }
    let bytes = if are_bytes(value) {
        value.to_bytes()
    } else {
        None
    };
    bytes.ok_or_else(|| {
        format!(
            "invalid type {}, expected string, []byte or ArrayBuffer",
            go_type(value)
        )
    })
}

/// Of the views of a buffer only those with elements of one byte are bytes in Go.
fn are_bytes(value: &Value) -> bool {
    match element(value) {
        None => !value.is_data_view(),
        Some(element) => element == "uint8",
    }
}

/// Go's type of a typed array's elements.
pub(crate) fn element(value: &Value) -> Option<&'static str> {
    if !value.is_typed_array() {
        return None;
    }
    let named = value.get("constructor").and_then(|class| class.get("name"));
    let name = named.ok().and_then(|name| name.as_text());
    Some(match name.as_deref() {
        Some("Int8Array") => "int8",
        Some("Uint16Array") => "uint16",
        Some("Int16Array") => "int16",
        Some("Uint32Array") => "uint32",
        Some("Int32Array") => "int32",
        Some("Float32Array") => "float32",
        Some("Float64Array") => "float64",
        Some("BigInt64Array") => "int64",
        Some("BigUint64Array") => "uint64",
        _ => "uint8",
    })
}

/// What k6 calls the type of a value.
fn go_type(value: &Value) -> String {
    if let Some(element) = element(value) {
        return format!("[]{element}");
    }
    let name = match value.as_f64() {
        _ if value.is_nullish() => "<nil>",
        _ if value.is_bool() => "bool",
        Some(number) if number.fract() == 0.0 => "int64",
        Some(_) => "float64",
        None if value.is_array() => "[]interface {}",
        None if value.is_function() => "func(sobek.FunctionCall) sobek.Value",
        None => "map[string]interface {}",
    };
    name.to_owned()
}
