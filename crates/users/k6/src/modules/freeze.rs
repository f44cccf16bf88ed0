//! Objects that scripts may read and not change.

use loadline_js::{Exception, Value};

/// Freezes an object made of JSON and all within it.
pub(super) fn freeze(value: &Value) -> Result<(), Exception> {
    if !value.is_object() {
        return Ok(());
    }
    if value.is_array() {
        for index in 0..value.length()? {
            freeze(&value.at(index)?)?;
        }
    } else {
        for key in value.keys()? {
            freeze(&value.get(&key)?)?;
        }
    }
    value.freeze()
}
