//! Reads the underlying source of a stream.

use loadline_js::{Exception, Value};

use super::stream::Stream;

/// Whether k6 takes a value for an object: those that Go sees as a map, which excludes
/// what Go has other types for.
pub(super) fn is_plain(value: &Value) -> bool {
    value.is_object()
        && !value.is_function()
        && !value.is_array()
        && !value.is_date()
        && !value.is_map()
        && !value.is_set()
        && !value.is_proxy()
        && !value.is_promise()
        && !value.is_array_buffer()
        && !value.is_typed_array()
        && Stream::from_object(value.clone()).is_none()
}

/// Whether a source says that it is one of bytes; the only type there is.
pub(super) fn is_of_bytes(source: &Value) -> Result<bool, Exception> {
    let kind = source.get("type")?;
    if kind.is_undefined() {
        return Ok(false);
    }
    if kind.to_text()? == "bytes" {
        return Ok(true);
    }
    Err(Exception::type_error("invalid underlying source type"))
}
