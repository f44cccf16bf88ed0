//! JSON text to values, made for answers of servers: objects of one kind come by the
//! dozen, so their keys are compared as bytes with those of the kinds seen last and the
//! object is made in one step, without looking its keys up.
//!
//! It takes text that is right. Whatever it stumbles over is given to QuickJS, which
//! parses it again and knows what to say of it.

mod kinds;

use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::inner::Inner;
use crate::native::guard_to;
use crate::value::Value;
use kinds::Kind;

pub(crate) use kinds::Kinds;

/// Arrays and objects within each other; deeper ones are left to QuickJS.
const DEEPEST: u32 = 256;

/// Class of plain objects in QuickJS.
const PLAIN_OBJECT: ffi::JSClassID = 1;

/// Writable, enumerable, configurable.
const ORDINARY: i32 = 7;

/// Why the parser gave up.
enum Stop {
    /// The text is not simple enough, or wrong.
    Unclear,
    /// QuickJS has an exception pending.
    Thrown,
}

/// The value of a JSON text; `None` when QuickJS has to look at it. An exception mark
/// when one is pending.
pub(crate) fn parse(inner: &Rc<Inner>, text: &[u8]) -> Option<JSValue> {
    let text = std::str::from_utf8(text).ok()?;
    let mut parser = Parser {
        inner,
        text: text.as_bytes(),
        at: 0,
        values: Vec::new(),
        keys: Vec::new(),
    };
    let parsed = parser.whole();
    for value in std::mem::take(&mut parser.values) {
        // SAFETY: left over from where it stopped; the vector owned each.
        unsafe { ffi::JS_FreeValueRT(inner.rt, value) };
    }
    match parsed {
        Ok(value) => Some(value),
        Err(Stop::Thrown) => Some(JSValue::EXCEPTION),
        Err(Stop::Unclear) => None,
    }
}

struct Parser<'a> {
    inner: &'a Rc<Inner>,
    /// Valid UTF-8.
    text: &'a [u8],
    at: usize,
    /// Values of the arrays and objects that have begun, owned.
    values: Vec<JSValue>,
    /// Keys of the objects that have begun, without their quotes.
    keys: Vec<&'a [u8]>,
}

impl<'a> Parser<'a> {
    fn whole(&mut self) -> Result<JSValue, Stop> {
        let value = self.value(0)?;
        self.skip_space();
        if self.at == self.text.len() {
            return Ok(value);
        }
        self.values.push(value); // to be freed
        Err(Stop::Unclear)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        self.skip_space();
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(Stop::Unclear)
    }

    fn value(&mut self, depth: u32) -> Result<JSValue, Stop> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", JSValue::bool(true)),
            Some(b'f') => self.word(b"false", JSValue::bool(false)),
            Some(b'n') => self.word(b"null", JSValue::NULL),
            _ => Err(Stop::Unclear),
        }
    }

    fn word(&mut self, word: &[u8], value: JSValue) -> Result<JSValue, Stop> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            return Ok(value);
        }
        Err(Stop::Unclear)
    }

    /// Whether the list goes on, at a comma, or ends, at `end`.
    fn goes_on(&mut self, end: u8) -> Result<bool, Stop> {
        self.skip_space();
        let next = self.peek();
        self.at += 1;
        match next {
            Some(b',') => Ok(true),
            Some(byte) if byte == end => Ok(false),
            _ => Err(Stop::Unclear),
        }
    }

    fn array(&mut self, depth: u32) -> Result<JSValue, Stop> {
        if depth == DEEPEST {
            return Err(Stop::Unclear);
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
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        let count = i32::try_from(self.values.len() - first).map_err(|_| Stop::Unclear)?;
        // SAFETY: the values from `first` on are owned and given away.
        let array =
            unsafe { ffi::JS_NewArrayFrom(self.inner.ctx, count, self.values[first..].as_ptr()) };
        self.values.truncate(first);
        made(array)
    }

    fn object(&mut self, depth: u32) -> Result<JSValue, Stop> {
        if depth == DEEPEST {
            return Err(Stop::Unclear);
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
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        let object = self.made_object(first, first_key);
        self.values.truncate(first);
        self.keys.truncate(first_key);
        object
    }

    /// The object of the values from `first` on, which it takes over.
    fn made_object(&mut self, first: usize, first_key: usize) -> Result<JSValue, Stop> {
        let ctx = self.inner.ctx;
        let keys = &self.keys[first_key..];
        if keys.is_empty() {
            // SAFETY: the context is alive.
            return made(unsafe { ffi::JS_NewObject(ctx) });
        }
        let kind = match self.inner.json.find(keys) {
            Some(kind) => kind,
            None => match self.new_kind(keys)? {
                Some(kind) => kind,
                // A key twice: the last value counts.
                None => return self.slow_object(first, first_key),
            },
        };
        let count = i32::try_from(keys.len()).map_err(|_| Stop::Unclear)?;
        // SAFETY: as many values as the model has properties; they are given away.
        made(unsafe {
            ffi::host_new_like(
                ctx,
                kind.model.raw(),
                PLAIN_OBJECT,
                count,
                self.values[first..].as_mut_ptr(),
            )
        })
    }

    /// The kind of objects with these keys, remembered; `None` when one is there twice.
    fn new_kind(&self, keys: &[&[u8]]) -> Result<Option<Rc<Kind>>, Stop> {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(None);
        }
        // SAFETY: the context is alive; the result is owned by the Value.
        let model = made(unsafe { ffi::JS_NewObject(self.inner.ctx) })?;
        let model = Value::adopt(self.inner, model);
        for key in keys {
            self.define(model.raw(), key, JSValue::UNDEFINED)?;
        }
        self.inner.json.keep(Kind {
            keys: keys.iter().map(|key| (*key).into()).collect(),
            model,
        });
        Ok(self.inner.json.find(keys))
    }

    fn slow_object(&mut self, first: usize, first_key: usize) -> Result<JSValue, Stop> {
        // SAFETY: the context is alive; the result is owned by the Value.
        let object = made(unsafe { ffi::JS_NewObject(self.inner.ctx) })?;
        let object = Value::adopt(self.inner, object);
        for index in 0..self.keys.len() - first_key {
            let value = std::mem::replace(&mut self.values[first + index], JSValue::UNDEFINED);
            self.define(object.raw(), self.keys[first_key + index], value)?;
        }
        Ok(object.into_raw())
    }

    /// Gives `object` a property; takes `value` over.
    fn define(&self, object: JSValue, key: &[u8], value: JSValue) -> Result<(), Stop> {
        let ctx = self.inner.ctx;
        // SAFETY: pointer and length describe the key; the atom is freed after use.
        let code = unsafe {
            let atom = ffi::JS_NewAtomLen(ctx, key.as_ptr().cast(), key.len());
            let code = ffi::JS_DefinePropertyValue(ctx, object, atom, value, ORDINARY);
            ffi::JS_FreeAtom(ctx, atom);
            code
        };
        if code < 0 { Err(Stop::Thrown) } else { Ok(()) }
    }

    /// A key without escapes.
    fn key(&mut self) -> Result<&'a [u8], Stop> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\' | 0..0x20) | None => return Err(Stop::Unclear),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    fn string(&mut self) -> Result<JSValue, Stop> {
        self.at += 1;
        let start = self.at;
        let rest = &self.text[start..];
        let end = memchr::memchr2(b'"', b'\\', rest).ok_or(Stop::Unclear)?;
        if rest[end] == b'\\' {
            return self.escaped_string(start);
        }
        if rest[..end].iter().any(|byte| *byte < 0x20) {
            return Err(Stop::Unclear);
        }
        self.at = start + end + 1;
        // SAFETY: pointer and length describe the text.
        made(unsafe { ffi::JS_NewStringLen(self.inner.ctx, rest.as_ptr().cast(), end) })
    }

    /// A string with escapes, from behind its quote.
    fn escaped_string(&mut self, start: usize) -> Result<JSValue, Stop> {
        self.at = start;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let from = self.at;
            while !matches!(self.peek(), Some(b'"' | b'\\' | 0..0x20) | None) {
                self.at += 1;
            }
            let plain = std::str::from_utf8(&self.text[from..self.at]);
            units.extend(plain.map_err(|_| Stop::Unclear)?.encode_utf16());
            let next = self.peek();
            self.at += 1;
            match next {
                Some(b'"') => break,
                Some(b'\\') => {
                    let unit = self.escape()?;
                    units.push(unit);
                }
                _ => return Err(Stop::Unclear),
            }
        }
        // SAFETY: pointer and length describe the units.
        made(unsafe { ffi::JS_NewStringUTF16(self.inner.ctx, units.as_ptr(), units.len()) })
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<u16, Stop> {
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
                let digits = self.text.get(self.at..self.at + 4).ok_or(Stop::Unclear)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(Stop::Unclear);
                }
                self.at += 4;
                let digits = std::str::from_utf8(digits).map_err(|_| Stop::Unclear)?;
                return u16::from_str_radix(digits, 16).map_err(|_| Stop::Unclear);
            }
            _ => return Err(Stop::Unclear),
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

    fn number(&mut self) -> Result<JSValue, Stop> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let leads_with_zero = self.peek() == Some(b'0');
        let whole = self.digits();
        if whole == 0 || (leads_with_zero && whole > 1) {
            return Err(Stop::Unclear);
        }
        let mut is_whole = true;
        if self.peek() == Some(b'.') {
            self.at += 1;
            is_whole = false;
            if self.digits() == 0 {
                return Err(Stop::Unclear);
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            is_whole = false;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(Stop::Unclear);
            }
        }
        let text = &self.text[start..self.at];
        if is_whole && whole <= 9 && !(negative && leads_with_zero) {
            let magnitude = text[usize::from(negative)..]
                .iter()
                .fold(0_i32, |sum, digit| sum * 10 + i32::from(digit - b'0'));
            return Ok(JSValue::int(if negative { -magnitude } else { magnitude }));
        }
        let text = std::str::from_utf8(text).map_err(|_| Stop::Unclear)?;
        let number: f64 = text.parse().map_err(|_| Stop::Unclear)?;
        Ok(number_value(number))
    }
}

/// A number as QuickJS keeps it: whole ones in 32 bits apart.
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

fn made(value: JSValue) -> Result<JSValue, Stop> {
    if value.is_exception() {
        Err(Stop::Thrown)
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
        crate::inner::with_ctx(ctx, |of_rust| {
            let inner = of_rust.inner();
            let parsed = guard_to(inner, Some(JSValue::EXCEPTION), || Ok(parse(inner, bytes)));
            parsed.unwrap_or_else(|| ffi::JS_ParseJSON(ctx, text, len, c"<input>".as_ptr()))
        })
    }
}
