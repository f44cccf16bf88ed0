//! Bytes that scripts pass as text or as a buffer, as `k6/crypto` and `k6/encoding` take
//! them.

use loadline_js::Value;

/// The bytes of text or of a buffer; why not, in k6's words, for anything else.
pub(super) fn of(value: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = value.as_text() {
        return Ok(text.into_bytes());
    }
    value.to_bytes().ok_or_else(|| {
        format!(
            "invalid type {}, expected string, []byte or ArrayBuffer",
            go_type(value)
        )
    })
}

/// What k6 calls the type of a value.
fn go_type(value: &Value) -> &'static str {
    match value.as_f64() {
        _ if value.is_nullish() => "<nil>",
        _ if value.is_bool() => "bool",
        Some(number) if number.fract() == 0.0 => "int64",
        Some(_) => "float64",
        None if value.is_array() => "[]interface {}",
        None => "map[string]interface {}",
    }
}
