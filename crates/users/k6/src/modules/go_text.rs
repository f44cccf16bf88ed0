//! Script values as Go prints them, for messages and forms.

use loadline_js::{Exception, Value};

/// `fmt.Sprintf("%v", value)` of what a script handed over.
pub(crate) fn shown(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok("<nil>".to_owned());
    }
    if !value.is_object() || value.is_function() || value.is_date() {
        return value.to_text();
    }
    if value.is_array() {
        let parts: Result<Vec<_>, _> = value.elements()?.iter().map(shown).collect();
        return Ok(format!("[{}]", parts?.join(" ")));
    }
    let mut pairs = Vec::new();
    for key in value.keys()? {
        pairs.push(format!("{}:{}", key.to_text(), shown(&value.get(&key)?)?));
    }
    pairs.sort_unstable();
    Ok(format!("map[{}]", pairs.join(" ")))
}

/// `fmt.Sprintf("%#v", value)` of what a script handed over.
pub(crate) fn shown_as_code(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok("interface {}(nil)".to_owned());
    }
    if value.is_string() {
        return Ok(format!("{:?}", value.to_text()?));
    }
    if value.is_array() {
        let parts: Result<Vec<_>, _> = value.elements()?.iter().map(shown_as_code).collect();
        return Ok(format!("[]interface {{}}{{{}}}", parts?.join(", ")));
    }
    if !value.is_object() || value.is_function() || value.is_date() {
        return value.to_text();
    }
    let mut pairs = Vec::new();
    for key in value.keys()? {
        let shown = shown_as_code(&value.get(&key)?)?;
        pairs.push(format!("{:?}:{shown}", key.to_text()));
    }
    pairs.sort_unstable();
    Ok(format!("map[string]interface {{}}{{{}}}", pairs.join(", ")))
}

/// The Go type k6 names when it cannot use a value.
pub(crate) fn type_name(value: &Value) -> &'static str {
    if value.is_nullish() {
        "<nil>"
    } else if value.is_bool() {
        "bool"
    } else if let Some(number) = value.as_f64() {
        if number.fract() == 0.0 {
            "int64"
        } else {
            "float64"
        }
    } else if value.is_string() {
        "string"
    } else if value.is_array() {
        "[]interface {}"
    } else if value.is_function() {
        "func(sobek.FunctionCall) sobek.Value"
    } else if value.is_date() {
        "time.Time"
    } else if value.is_map() {
        "[][2]interface {}"
    } else if value.is_set() {
        "[]interface {}"
    } else if value.is_promise() {
        "*sobek.Promise"
    } else {
        "map[string]interface {}"
    }
}
