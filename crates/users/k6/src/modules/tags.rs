//! Tags that scripts give: which values they may have, and what k6 says of others.

use loadline_js::{Exception, Value};

/// A script's object of tags; values must be plain.
pub(super) fn tags_of(object: &Value) -> Result<Vec<(String, String)>, Exception> {
    let mut tags = Vec::new();
    for key in object.keys()? {
        let value = object.get(&key)?;
        if value.is_nullish() {
            continue;
        }
        if value.is_object() {
            return Err(Exception::type_error(format!(
                "invalid value for tag '{}': only string, boolean and number types are accepted",
                key.to_text()
            )));
        }
        tags.push((key.to_text(), value.to_text()?));
    }
    Ok(tags)
}

/// Whether a value can be a tag's: text, a number or a boolean.
pub(super) fn is_plain(value: &Value) -> bool {
    value.is_string() || value.is_number() || value.is_bool()
}

/// The text of a tag's value, or why it cannot be one.
pub(super) fn tag_text(key: &str, value: &Value) -> Result<String, String> {
    if !is_plain(value) {
        return Err(format!(
            "invalid value for metric tag '{key}': only String, Boolean and Number types are accepted as a metric tag values"
        ));
    }
    value.to_text().map_err(|error| error.message())
}
