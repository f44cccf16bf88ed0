//! `structuredClone`: copies data, including cycles and shared parts.

use loadline_js::{Ctx, Exception, Value};

/// Objects nested deeper than this are refused before the stack ends.
const NESTING_MAX: usize = 500;

pub(super) fn function(ctx: &Ctx) -> Result<Value, Exception> {
    ctx.function("structuredClone", 1, |ctx, args| {
        let copied = ctx.global().get("Map")?.construct(&[])?;
        Copier { ctx, copied }.copy(&args.get(0), 0)
    })
}

struct Copier<'c> {
    ctx: &'c Ctx,
    /// A `Map` from what was copied to its copy.
    copied: Value,
}

impl Copier<'_> {
    fn copy(&self, value: &Value, depth: usize) -> Result<Value, Exception> {
        if value.is_function() || value.is_symbol() {
            return Err(cannot("functions and symbols are no data"));
        }
        if !value.is_object() {
            return Ok(value.clone());
        }
        if depth > NESTING_MAX {
            return Err(Exception::range_error("structuredClone: nested too deeply"));
        }
        let known = self
            .copied
            .call_method("get", std::slice::from_ref(value))?;
        if known.is_object() {
            return Ok(known);
        }
        if value.is_map() || value.is_set() {
            return self.collection(value, depth);
        }
        if value.is_array_buffer() {
            let bytes = value.to_bytes().unwrap_or_default();
            let copy = self.ctx.array_buffer(bytes)?;
            return self.remember(value, copy);
        }
        if value.is_typed_array() || value.is_data_view() {
            let buffer = self.copy(&value.get("buffer")?, depth + 1)?;
            let length = if value.is_data_view() {
                "byteLength"
            } else {
                "length"
            };
            let parts = [buffer, value.get("byteOffset")?, value.get(length)?];
            let copy = value.get("constructor")?.construct(&parts)?;
            return self.remember(value, copy);
        }
        if value.is_date() {
            let time = value.call_method("getTime", &[])?;
            let copy = self.global("Date")?.construct(&[time])?;
            return self.remember(value, copy);
        }
        if value.is_regexp() {
            let parts = [value.get("source")?, value.get("flags")?];
            let copy = self.global("RegExp")?.construct(&parts)?;
            return self.remember(value, copy);
        }
        if value.is_error() {
            return self.error(value);
        }
        self.plain(value, depth)
    }

    fn global(&self, name: &str) -> Result<Value, Exception> {
        self.ctx.global().get(name)
    }

    fn remember(&self, value: &Value, copy: Value) -> Result<Value, Exception> {
        self.copied
            .call_method("set", &[value.clone(), copy.clone()])?;
        Ok(copy)
    }

    fn plain(&self, value: &Value, depth: usize) -> Result<Value, Exception> {
        let copy = if value.is_array() {
            let copy = self.ctx.array([])?;
            copy.set("length", value.length()?)?;
            copy
        } else {
            self.ctx.object()?
        };
        let copy = self.remember(value, copy)?;
        for key in value.keys()? {
            copy.set(&key, self.copy(&value.get(&key)?, depth + 1)?)?;
        }
        Ok(copy)
    }

    fn collection(&self, value: &Value, depth: usize) -> Result<Value, Exception> {
        let (name, add) = if value.is_map() {
            ("Map", "set")
        } else {
            ("Set", "add")
        };
        let copy = self.global(name)?.construct(&[])?;
        let copy = self.remember(value, copy)?;
        let items = self
            .global("Array")?
            .call_method("from", std::slice::from_ref(value))?;
        for item in items.elements()? {
            let parts = if value.is_map() {
                item.elements()?
            } else {
                vec![item]
            };
            let parts: Result<Vec<Value>, Exception> = parts
                .iter()
                .map(|part| self.copy(part, depth + 1))
                .collect();
            copy.call_method(add, &parts?)?;
        }
        Ok(copy)
    }

    fn error(&self, value: &Value) -> Result<Value, Exception> {
        const KNOWN: [&str; 7] = [
            "Error",
            "EvalError",
            "RangeError",
            "ReferenceError",
            "SyntaxError",
            "TypeError",
            "URIError",
        ];
        let name = value.get("name")?.to_text()?;
        let name = KNOWN
            .iter()
            .find(|known| **known == name)
            .unwrap_or(&"Error");
        let copy = self.global(name)?.construct(&[value.get("message")?])?;
        self.remember(value, copy)
    }
}

fn cannot(reason: &str) -> Exception {
    Exception::error(format!("DataCloneError: {reason}"))
}
