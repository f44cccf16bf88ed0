//! QuickJS in safe Rust: one runtime, its values, and the native functions and objects
//! that live in it.
//!
//! [`Runtime`] owns the C handles. [`Ctx`] is access to it, [`Value`] a reference to
//! something in it, [`Exception`] what an operation in it fails with. These four refer
//! to each other, so they share this module. What a runtime needs from the layer that
//! runs calls in it, it asks through [`HostHooks`].
//!
//! Elsewhere: calls, users and the event loop (`realm`, `coroutine`, `event_loop`).

mod atom;
mod buffer;
mod cell;
mod convert;
mod ctx;
mod exception;
mod hooks;
mod inspect;
mod json;
mod native;
mod object;
mod promise;
mod runtime;
mod value;

pub use atom::{Atom, Key};
pub use convert::IntoJs;
pub use ctx::Ctx;
pub use exception::{ErrorClass, ErrorKind, Exception, Interrupted, JsError};
pub use inspect::inspect;
pub use native::Args;
pub use object::{Class, Template, TemplateBuilder};
pub use promise::{PromiseState, Resolver};
pub use value::{Attributes, Text, Value};

pub(crate) use ctx::{c_string, nul_terminated};
pub(crate) use hooks::{CallStatus, HostHooks};
pub(crate) use native::{contain, guard_to, native_module, panic_message};
pub(crate) use runtime::{Runtime, runtime_of, with_ctx};
