//! What a JavaScript operation can fail with, inside a call ([`Exception`]) and as the
//! result of one ([`JsError`]).

use std::fmt;
use std::rc::Rc;

use crate::ffi;
use crate::frames::{self, Frame};
use crate::quickjs::handles::{Ctx, ErrorClass, Exception, ExceptionKind, Runtime, Value};

/// A blocking operation ended because its user is being stopped. Return it on
/// (`?` works) so that the script ends too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

impl From<Interrupted> for Exception {
    fn from(_: Interrupted) -> Self {
        Self(ExceptionKind::Interrupted)
    }
}

impl Exception {
    /// `new Error(message)`
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Error, message)
    }

    /// `new TypeError(message)`
    pub fn type_error(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Type, message)
    }

    /// `new RangeError(message)`
    pub fn range_error(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Range, message)
    }

    /// A new error of a built-in class.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self(ExceptionKind::New(class, message.into()))
    }

    /// Any value, as `throw value` does.
    #[must_use]
    pub const fn thrown(value: Value) -> Self {
        Self(ExceptionKind::Thrown(value))
    }

    /// Ends the whole call; no script can catch it.
    pub fn fatal(message: impl Into<String>) -> Self {
        Self(ExceptionKind::Fatal(message.into()))
    }

    /// Whether scripts cannot catch it: the user is interrupted or the host gave up.
    #[must_use]
    pub fn is_uncatchable(&self) -> bool {
        match &self.0 {
            // SAFETY: the value is owned.
            ExceptionKind::Thrown(value) => unsafe { ffi::JS_IsUncatchableError(value.raw()) },
            ExceptionKind::New(..) => false,
            ExceptionKind::Interrupted | ExceptionKind::Fatal(_) => true,
        }
    }

    /// The value a `catch` clause would see.
    ///
    /// # Errors
    ///
    /// Gives itself back when no script may see it.
    pub fn into_value(self, ctx: &Ctx) -> Result<Value, Self> {
        if self.is_uncatchable() {
            return Err(self);
        }
        match self.0 {
            ExceptionKind::Thrown(value) => Ok(value),
            ExceptionKind::New(class, message) => {
                Ok(new_error(ctx.runtime(), class.number(), &message))
            }
            other => Err(Self(other)),
        }
    }

    /// `Name: message` as `String(error)` gives it, without position.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.0 {
            ExceptionKind::Thrown(value) => describe(value).text(),
            ExceptionKind::New(class, message) => format!("{}: {message}", class.name()),
            ExceptionKind::Interrupted => "interrupted".to_owned(),
            ExceptionKind::Fatal(message) => message.clone(),
        }
    }

    /// Makes it QuickJS's pending exception; returns its exception mark.
    pub(crate) fn throw(self, runtime: &Rc<Runtime>) -> ffi::JSValue {
        let value = match self.0 {
            ExceptionKind::Thrown(value) => {
                value.raw_in(runtime);
                value
            }
            ExceptionKind::New(class, message) => new_error(runtime, class.number(), &message),
            ExceptionKind::Interrupted => uncatchable(runtime, "interrupted"),
            ExceptionKind::Fatal(message) => {
                let value = uncatchable(runtime, &message);
                runtime.call_status().fail(message);
                value
            }
        };
        // SAFETY: the value is given away.
        unsafe { ffi::JS_Throw(runtime.ctx, value.into_raw()) }
    }

    /// The result of a call that ended with it.
    pub(crate) fn into_error(self, runtime: &Rc<Runtime>) -> JsError {
        let status = runtime.call_status();
        let fatal = status.fatal.take();
        let interrupted = status.interrupted.get();
        let (mut described, value) = match self.0 {
            ExceptionKind::Thrown(value) => (describe(&value), Some(value)),
            ExceptionKind::New(class, message) => {
                let value = new_error(runtime, class.number(), &message);
                (describe(&value), Some(value))
            }
            ExceptionKind::Interrupted => (ErrorText::plain("InternalError", "interrupted"), None),
            ExceptionKind::Fatal(message) => (ErrorText::plain("InternalError", &message), None),
        };
        let uncatchable = value.as_ref().is_none_or(|value| {
            // SAFETY: the value is owned.
            unsafe { ffi::JS_IsUncatchableError(value.raw()) }
        });
        if let (true, Some(message)) = (uncatchable, &fatal) {
            described.message.clone_from(message);
        }
        let kind = match (uncatchable, fatal) {
            (true, Some(_)) => ErrorKind::Fatal,
            (true, None) if interrupted => ErrorKind::Interrupted,
            (true, None) => ErrorKind::Fatal,
            (false, _) => ErrorKind::Exception,
        };
        let mut frames = frames::parse(&described.stack);
        runtime.hooks.map_frames(&mut frames);
        runtime.hooks.unbundle_frames(&mut frames);
        JsError {
            kind,
            name: described.name,
            message: described.message,
            frames,
            value,
        }
    }
}

impl Ctx {
    /// What runs now, the innermost first. Costs as much as making an error.
    #[must_use]
    pub fn call_stack(&self) -> Vec<Frame> {
        let runtime = self.runtime();
        let error = new_error(runtime, ErrorClass::Error.number(), "");
        let mut frames = frames::parse(&describe(&error).stack);
        runtime.hooks.map_frames(&mut frames);
        frames
    }
}

fn new_error(runtime: &Rc<Runtime>, class: i32, message: &str) -> Value {
    // SAFETY: pointer and length describe the message.
    let raw = unsafe {
        ffi::csrc::host_new_error(runtime.ctx, class, message.as_ptr().cast(), message.len())
    };
    match runtime.check(raw) {
        Ok(value) => value,
        // Out of memory while making the error: that error is thrown instead.
        Err(Exception(ExceptionKind::Thrown(value))) => value,
        Err(_) => Value::adopt(runtime, ffi::JSValue::UNDEFINED),
    }
}

fn uncatchable(runtime: &Rc<Runtime>, message: &str) -> Value {
    let value = new_error(runtime, ffi::ERROR_INTERNAL, message);
    // SAFETY: the value is owned; marking anything but an error does nothing.
    unsafe { ffi::JS_SetUncatchableError(runtime.ctx, value.raw()) };
    value
}

impl ErrorClass {
    const fn number(self) -> i32 {
        match self {
            Self::Error => ffi::ERROR_PLAIN,
            Self::Type => ffi::ERROR_TYPE,
            Self::Range => ffi::ERROR_RANGE,
            Self::Reference => ffi::ERROR_REFERENCE,
            Self::Syntax => ffi::ERROR_SYNTAX,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Type => "TypeError",
            Self::Range => "RangeError",
            Self::Reference => "ReferenceError",
            Self::Syntax => "SyntaxError",
        }
    }
}

/// Name, message and stack of a thrown value, read without trusting it.
struct ErrorText {
    name: String,
    message: String,
    stack: String,
}

impl ErrorText {
    fn plain(name: &str, message: &str) -> Self {
        Self {
            name: name.to_owned(),
            message: message.to_owned(),
            stack: String::new(),
        }
    }

    fn text(&self) -> String {
        match (self.name.as_str(), self.message.as_str()) {
            ("", message) => message.to_owned(),
            (name, "") => name.to_owned(),
            (name, message) => format!("{name}: {message}"),
        }
    }
}

fn describe(value: &Value) -> ErrorText {
    let text = |key: &str| value.get(key).ok().and_then(|v| v.as_text());
    if value.is_object() {
        let message = text("message");
        if value.is_error() || message.is_some() {
            return ErrorText {
                name: text("name").unwrap_or_else(|| "Error".to_owned()),
                message: message.unwrap_or_default(),
                stack: text("stack").unwrap_or_default(),
            };
        }
        let shown = crate::quickjs::inspect(value).unwrap_or_default();
        return ErrorText {
            name: String::new(),
            message: shown,
            stack: String::new(),
        };
    }
    let message = value.to_text().unwrap_or_else(|_| "Symbol()".to_owned());
    ErrorText {
        name: String::new(),
        message,
        stack: String::new(),
    }
}

impl fmt::Debug for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exception({})", self.message())
    }
}

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The script threw and did not catch.
    Exception,
    /// The user was interrupted.
    Interrupted,
    /// A native function panicked or gave the call up.
    Fatal,
}

/// The error of a failed call, with everything about it as text.
#[derive(Clone)]
pub struct JsError {
    /// Why.
    pub kind: ErrorKind,
    /// The error's class name; empty when what was thrown is no error.
    pub name: String,
    /// The error's message, or the thrown value shown.
    pub message: String,
    /// Where, innermost first; positions are those of the original source.
    pub frames: Vec<Frame>,
    /// What was thrown.
    pub value: Option<Value>,
}

impl JsError {
    /// An error with nothing but a message.
    pub(crate) fn plain(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            name: "Error".to_owned(),
            message: message.into(),
            frames: Vec::new(),
            value: None,
        }
    }

    /// `Name: message`
    #[must_use]
    pub fn headline(&self) -> String {
        match (self.name.as_str(), self.message.as_str()) {
            ("", message) => message.to_owned(),
            (name, "") => name.to_owned(),
            (name, message) => format!("{name}: {message}"),
        }
    }
}

impl fmt::Display for JsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.headline())?;
        for frame in &self.frames {
            write!(f, "\n\tat {frame}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for JsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {self}", self.kind)
    }
}

impl std::error::Error for JsError {}
