//! Converts field names in `FieldMask`s to and from JSON's spelling.

/// `foo_bar` as `fooBar`.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut after_underscore = false;
    for c in name.chars() {
        if c != '_' {
            out.push(if after_underscore && c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c
            });
        }
        after_underscore = c == '_';
    }
    out
}

/// `fooBar` as `foo_bar`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether `name` consists of names joined by dots.
pub(crate) fn is_full_name(name: &str) -> bool {
    name.split('.').all(|part| {
        part.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
            && part.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    })
}
