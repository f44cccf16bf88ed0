//! A fast `JSON.parse` for the bodies of HTTP responses.
//!
//! A response often holds many objects with the same keys. The parser remembers the key
//! lists it saw last ([`Shapes`]), compares new keys with them as bytes, and makes the
//! object in one step instead of looking up each key.
//!
//! It only handles valid, simple JSON. It gives up on everything else, and QuickJS parses
//! the text again; what is wrong is worded by [`mistake`].

mod mistake;
mod shapes;

use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::quickjs::callback::{guard_to, with_ctx};
use crate::quickjs::handles::{ErrorClass, Exception, Runtime, Shape, Value};

/// Deepest nesting of arrays and objects; QuickJS parses deeper ones.
const NESTING_MAX: u32 = 256;

/// Class of plain objects in QuickJS.
const PLAIN_OBJECT: ffi::JSClassID = 1;

/// Writable, enumerable, configurable.
const PLAIN_PROPERTY_FLAGS: i32 = 7;

/// Why the parser gave up.
enum Failure {
    /// The text is invalid or not simple enough.
    Unsupported,
    /// QuickJS has an exception pending.
    Exception,
}

/// The value of a JSON text, or `JSValue::EXCEPTION` when one is pending; `None` when
/// QuickJS has to parse it.
pub(crate) fn parse(runtime: &Rc<Runtime>, text: &[u8]) -> Option<JSValue> {
    let text = std::str::from_utf8(text).ok()?;
    let mut parser = Parser {
        runtime,
        text: text.as_bytes(),
        at: 0,
        values: Vec::new(),
        keys: Vec::new(),
    };
    let parsed = parser.whole();
    for value in std::mem::take(&mut parser.values) {
        // SAFETY: left over when parsing failed; the vector owned each.
        unsafe { ffi::JS_FreeValueRT(runtime.rt, value) };
    }
    match parsed {
        Ok(value) => Some(value),
        Err(Failure::Exception) => Some(JSValue::EXCEPTION),
        Err(Failure::Unsupported) => None,
    }
}

struct Parser<'a> {
    runtime: &'a Rc<Runtime>,
    /// Valid UTF-8.
    text: &'a [u8],
    at: usize,
    /// Values of the arrays and objects not yet closed, owned.
    values: Vec<JSValue>,
    /// Keys of the objects not yet closed, without their quotes.
    keys: Vec<&'a [u8]>,
}

impl<'a> Parser<'a> {
    fn whole(&mut self) -> Result<JSValue, Failure> {
        let value = self.value(0)?;
        self.skip_space();
        if self.at == self.text.len() {
            return Ok(value);
        }
        self.values.push(value); // to be freed
        Err(Failure::Unsupported)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Failure> {
        self.skip_space();
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(Failure::Unsupported)
    }

    fn value(&mut self, depth: u32) -> Result<JSValue, Failure> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", JSValue::bool(true)),
            Some(b'f') => self.word(b"false", JSValue::bool(false)),
            Some(b'n') => self.word(b"null", JSValue::NULL),
            _ => Err(Failure::Unsupported),
        }
    }

    fn word(&mut self, word: &[u8], value: JSValue) -> Result<JSValue, Failure> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            return Ok(value);
        }
        Err(Failure::Unsupported)
    }

    /// Whether the list has another item (after a comma) or ends (at `end`).
    fn has_next(&mut self, end: u8) -> Result<bool, Failure> {
        self.skip_space();
        let next = self.peek();
        self.at += 1;
        match next {
            Some(b',') => Ok(true),
            Some(byte) if byte == end => Ok(false),
            _ => Err(Failure::Unsupported),
        }
    }

    fn array(&mut self, depth: u32) -> Result<JSValue, Failure> {
        if depth == NESTING_MAX {
            return Err(Failure::Unsupported);
        }
        self.at += 1;
        let first = self.values.len();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
        } else {
            loop {
                let value = self.value(depth + 1)?;
                self.values.push(value);
                if !self.has_next(b']')? {
                    break;
                }
            }
        }
        let count = i32::try_from(self.values.len() - first).map_err(|_| Failure::Unsupported)?;
        // SAFETY: the values from `first` on are owned and given away.
        let array =
            unsafe { ffi::JS_NewArrayFrom(self.runtime.ctx, count, self.values[first..].as_ptr()) };
        self.values.truncate(first);
        checked(array)
    }

    fn object(&mut self, depth: u32) -> Result<JSValue, Failure> {
        if depth == NESTING_MAX {
            return Err(Failure::Unsupported);
        }
        self.at += 1;
        let (first, first_key) = (self.values.len(), self.keys.len());
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                let key = self.key()?;
                self.keys.push(key);
                self.expect(b':')?;
                let value = self.value(depth + 1)?;
                self.values.push(value);
                if !self.has_next(b'}')? {
                    break;
                }
            }
        }
        let object = self.build_object(first, first_key);
        self.values.truncate(first);
        self.keys.truncate(first_key);
        object
    }

    /// Makes an object of the values from `first` on, which it takes over.
    fn build_object(&mut self, first: usize, first_key: usize) -> Result<JSValue, Failure> {
        let ctx = self.runtime.ctx;
        let keys = &self.keys[first_key..];
        if keys.is_empty() {
            // SAFETY: the context is alive.
            return checked(unsafe { ffi::JS_NewObject(ctx) });
        }
        let shape = match self.runtime.json.find(keys) {
            Some(shape) => shape,
            None => match self.new_shape(keys)? {
                Some(shape) => shape,
                // A duplicate key: the last value counts.
                None => return self.slow_object(first, first_key),
            },
        };
        let count = i32::try_from(keys.len()).map_err(|_| Failure::Unsupported)?;
        // SAFETY: as many values as the model has properties; they are given away.
        checked(unsafe {
            ffi::csrc::host_new_like(
                ctx,
                shape.model.raw(),
                PLAIN_OBJECT,
                count,
                self.values[first..].as_mut_ptr(),
            )
        })
    }

    /// Remembers the shape with these keys; `None` when a key is there twice.
    fn new_shape(&self, keys: &[&[u8]]) -> Result<Option<Rc<Shape>>, Failure> {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(None);
        }
        // SAFETY: the context is alive; the result is owned by the Value.
        let model = checked(unsafe { ffi::JS_NewObject(self.runtime.ctx) })?;
        let model = Value::adopt(self.runtime, model);
        for key in keys {
            self.define(model.raw(), key, JSValue::UNDEFINED)?;
        }
        self.runtime.json.add(Shape {
            keys: keys.iter().map(|key| (*key).into()).collect(),
            model,
        });
        Ok(self.runtime.json.find(keys))
    }

    fn slow_object(&mut self, first: usize, first_key: usize) -> Result<JSValue, Failure> {
        // SAFETY: the context is alive; the result is owned by the Value.
        let object = checked(unsafe { ffi::JS_NewObject(self.runtime.ctx) })?;
        let object = Value::adopt(self.runtime, object);
        for index in 0..self.keys.len() - first_key {
            let value = std::mem::replace(&mut self.values[first + index], JSValue::UNDEFINED);
            self.define(object.raw(), self.keys[first_key + index], value)?;
        }
        Ok(object.into_raw())
    }

    /// Gives `object` a property; takes `value` over.
    fn define(&self, object: JSValue, key: &[u8], value: JSValue) -> Result<(), Failure> {
        let ctx = self.runtime.ctx;
        // SAFETY: pointer and length describe the key; the atom is freed after use.
        let code = unsafe {
            let atom = ffi::JS_NewAtomLen(ctx, key.as_ptr().cast(), key.len());
            let code = ffi::JS_DefinePropertyValue(ctx, object, atom, value, PLAIN_PROPERTY_FLAGS);
            ffi::JS_FreeAtom(ctx, atom);
            code
        };
        if code < 0 {
            Err(Failure::Exception)
        } else {
            Ok(())
        }
    }

    /// A key without escapes.
    fn key(&mut self) -> Result<&'a [u8], Failure> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\' | 0..0x20) | None => return Err(Failure::Unsupported),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    fn string(&mut self) -> Result<JSValue, Failure> {
        self.at += 1;
        let start = self.at;
        let rest = &self.text[start..];
        let end = memchr::memchr2(b'"', b'\\', rest).ok_or(Failure::Unsupported)?;
        if rest[end] == b'\\' {
            return self.escaped_string(start);
        }
        if rest[..end].iter().any(|byte| *byte < 0x20) {
            return Err(Failure::Unsupported);
        }
        self.at = start + end + 1;
        // SAFETY: pointer and length describe the text.
        checked(unsafe { ffi::JS_NewStringLen(self.runtime.ctx, rest.as_ptr().cast(), end) })
    }

    /// A string with escapes, from after its opening quote.
    fn escaped_string(&mut self, start: usize) -> Result<JSValue, Failure> {
        self.at = start;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let from = self.at;
            while !matches!(self.peek(), Some(b'"' | b'\\' | 0..0x20) | None) {
                self.at += 1;
            }
            let plain = std::str::from_utf8(&self.text[from..self.at]);
            units.extend(plain.map_err(|_| Failure::Unsupported)?.encode_utf16());
            let next = self.peek();
            self.at += 1;
            match next {
                Some(b'"') => break,
                Some(b'\\') => {
                    let unit = self.escape()?;
                    units.push(unit);
                }
                _ => return Err(Failure::Unsupported),
            }
        }
        // SAFETY: pointer and length describe the units.
        checked(unsafe { ffi::JS_NewStringUTF16(self.runtime.ctx, units.as_ptr(), units.len()) })
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<u16, Failure> {
        let letter = self.peek();
        self.at += 1;
        let byte = match letter {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(same @ (b'"' | b'\\' | b'/')) => same,
            Some(b'u') => {
                let digits = self
                    .text
                    .get(self.at..self.at + 4)
                    .ok_or(Failure::Unsupported)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(Failure::Unsupported);
                }
                self.at += 4;
                let digits = std::str::from_utf8(digits).map_err(|_| Failure::Unsupported)?;
                return u16::from_str_radix(digits, 16).map_err(|_| Failure::Unsupported);
            }
            _ => return Err(Failure::Unsupported),
        };
        Ok(u16::from(byte))
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - from
    }

    fn number(&mut self) -> Result<JSValue, Failure> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let leads_with_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (leads_with_zero && whole > 1) {
            return Err(Failure::Unsupported);
        }
        let mut is_whole = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            is_whole = false;
            if self.digits() == 0 {
                return Err(Failure::Unsupported);
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            is_whole = false;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(Failure::Unsupported);
            }
        }
        let text = &self.text[start..self.at];
        if is_whole && whole <= 9 && !(negative && leads_with_zero) {
            let magnitude = text[usize::from(negative)..]
                .iter()
                .fold(0_i32, |sum, digit| sum * 10 + i32::from(digit - b'0'));
            return Ok(JSValue::int(if negative { -magnitude } else { magnitude }));
        }
        let text = std::str::from_utf8(text).map_err(|_| Failure::Unsupported)?;
        let number: f64 = text.parse().map_err(|_| Failure::Unsupported)?;
        Ok(number_value(number))
    }
}

/// A number as QuickJS stores it: whole numbers in 32 bits as int, others as float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "compared with what it was truncated to"
)]
fn number_value(number: f64) -> JSValue {
    let whole = number as i32;
    if f64::from(whole) == number && (whole != 0 || number.is_sign_positive()) {
        JSValue::int(whole)
    } else {
        JSValue::float(number)
    }
}

fn checked(value: JSValue) -> Result<JSValue, Failure> {
    if value.is_exception() {
        Err(Failure::Exception)
    } else {
        Ok(value)
    }
}

/// `JSON.parse` without a reviver; called from QuickJS.
///
/// # Safety
///
/// Called by QuickJS only, in a runtime of ours; `len` bytes and a NUL at `text`.
#[unsafe(no_mangle)]
unsafe extern "C" fn host_parse_json(
    ctx: *mut ffi::JSContext,
    text: *const std::ffi::c_char,
    len: usize,
) -> JSValue {
    // SAFETY: by contract.
    unsafe {
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), len);
        with_ctx(ctx, |context| {
            let runtime = context.runtime();
            let parsed = guard_to(runtime, Some(JSValue::EXCEPTION), || {
                Ok(parse(runtime, bytes))
            });
            parsed.unwrap_or_else(|| {
                let value = ffi::JS_ParseJSON(ctx, text, len, c"<input>".as_ptr());
                if !value.is_exception() || runtime.is_node_worded.get() {
                    return value;
                }
                let Some(message) = mistake::mistake(bytes) else {
                    return value;
                };
                ffi::JS_FreeValueRT(runtime.rt, ffi::JS_GetException(ctx));
                Exception::new(ErrorClass::Syntax, message).throw(runtime)
            })
        })
    }
}
