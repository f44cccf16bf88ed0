//! What `setup()` returned, as JSON text. Each user parses it once, before its first iteration.

use std::sync::{Arc, Mutex};

use loadline_js::Value;

use super::lock::lock;
use crate::go_json;

/// The set-up data of a run.
#[derive(Debug, Default)]
pub(crate) struct SetupData(Mutex<Option<Arc<str>>>);

impl SetupData {
    /// Stores what `setup()` returned, or was given in its place; `None` means `undefined`.
    pub(crate) fn set(&self, json: Option<String>) {
        *lock(&self.0) = json.map(Arc::from);
    }

    /// The JSON text; `None` when there was no set-up or it returned nothing.
    pub(crate) fn json(&self) -> Option<Arc<str>> {
        lock(&self.0).clone()
    }
}

/// The JSON text of what `setup()` returned, or why it has none.
pub(crate) fn setup_text(value: &Value) -> Result<Option<String>, String> {
    if value.is_undefined() {
        return Ok(None);
    }
    let json = go_json::json_of(value)
        .map_err(|reason| format!("error marshaling setup() data to JSON: {reason}"))?;
    Ok(Some(json.to_string()))
}

#[cfg(test)]
mod tests {
    use loadline_js::{Vm, VmOptions};

    use super::*;

    #[test]
    fn nothing_returned_is_no_text_and_null_is_one() {
        let vm = Vm::new(&VmOptions::default()).expect("memory");
        let text = |source| setup_text(&vm.ctx().eval(source, "test.js").expect("a value"));
        assert_eq!(text("undefined"), Ok(None));
        assert_eq!(text("null"), Ok(Some("null".to_owned())));
        assert_eq!(
            text("({ call: () => 1 })").expect_err("a function"),
            "error marshaling setup() data to JSON: json: unsupported type: func(sobek.FunctionCall) sobek.Value"
        );
    }
}
