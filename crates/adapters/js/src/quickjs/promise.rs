//! Promises seen and made by native code.

use crate::ffi::{self, JSValue};
use crate::quickjs::{Ctx, Exception, Value};

/// The state of a promise.
pub enum PromiseState {
    /// Not settled.
    Pending,
    /// Resolved with this value.
    Fulfilled(Value),
    /// Rejected with this.
    Rejected(Value),
}

impl Value {
    /// The state of a promise; `None` for anything else.
    #[must_use]
    pub fn promise_state(&self) -> Option<PromiseState> {
        let runtime = self.runtime();
        // SAFETY: self owns the value; the result is owned by the caller.
        let (state, result) = unsafe {
            match ffi::JS_PromiseState(runtime.ctx, self.raw()) {
                ffi::PROMISE_PENDING => return Some(PromiseState::Pending),
                state @ (ffi::PROMISE_FULFILLED | ffi::PROMISE_REJECTED) => {
                    (state, ffi::JS_PromiseResult(runtime.ctx, self.raw()))
                }
                _ => return None,
            }
        };
        let result = Self::adopt(runtime, result);
        Some(match state {
            ffi::PROMISE_FULFILLED => PromiseState::Fulfilled(result),
            _ => PromiseState::Rejected(result),
        })
    }

    /// A promise.
    #[must_use]
    pub fn is_promise(&self) -> bool {
        // SAFETY: self owns the value.
        self.is_object() && unsafe { ffi::JS_PromiseState(self.runtime().ctx, self.raw()) >= 0 }
    }

    /// Keeps a rejection of this promise from being reported as unhandled.
    pub fn mark_handled(&self) {
        if self.is_promise() {
            // SAFETY: self owns the value.
            unsafe { ffi::JS_PromiseMarkAsHandled(self.runtime().ctx, self.raw()) };
        }
    }
}

/// Settles a promise made by [`Ctx::promise`].
pub struct Resolver {
    resolve: Value,
    reject: Value,
}

impl Resolver {
    /// The functions that resolve and reject, for those that must keep them where the
    /// collector sees them.
    #[must_use]
    pub fn into_functions(self) -> [Value; 2] {
        [self.resolve, self.reject]
    }

    /// Resolves with a value (or adopts it, when it is a promise).
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn resolve(&self, value: Value) -> Result<(), Exception> {
        self.resolve.invoke(&[value]).map(drop)
    }

    /// Rejects with a reason.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn reject(&self, reason: Value) -> Result<(), Exception> {
        self.reject.invoke(&[reason]).map(drop)
    }

    /// Resolves or rejects; what no script may catch is passed on instead.
    ///
    /// # Errors
    ///
    /// Uncatchable exceptions.
    pub fn settle(&self, ctx: &Ctx, result: Result<Value, Exception>) -> Result<(), Exception> {
        match result {
            Ok(value) => self.resolve(value),
            Err(exception) => self.reject(exception.into_value(ctx)?),
        }
    }
}

impl Ctx {
    /// A new promise and what settles it.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn promise(&self) -> Result<(Value, Resolver), Exception> {
        let runtime = self.runtime();
        let mut functions = [JSValue::UNDEFINED; 2];
        // SAFETY: the array has the two places the function fills.
        let promise = runtime
            .check(unsafe { ffi::JS_NewPromiseCapability(runtime.ctx, functions.as_mut_ptr()) })?;
        let [resolve, reject] = functions.map(|raw| Value::adopt(runtime, raw));
        Ok((promise, Resolver { resolve, reject }))
    }
}
