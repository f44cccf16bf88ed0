//! QuickJS in safe Rust: one runtime, its values, and the native functions and objects
//! that live in it.
//!
//! [`Runtime`] owns the C handles. [`Ctx`] is access to it, [`Value`] a reference to
//! something in it, [`Exception`] what an operation in it fails with. These four refer
//! to each other: `handles` declares them, each has its methods in a file of its own. What a
//! runtime needs from the layer that runs calls in it, it asks through [`HostHooks`].
//!
//! Elsewhere: calls, users and the event loop (`realm`, `coroutine`, `event_loop`).

mod atom;
mod buffer;
mod callback;
mod cell;
mod convert;
mod ctx;
mod exception;
mod handles;
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
pub use exception::{ErrorKind, Interrupted, JsError};
pub use handles::{Args, Ctx, ErrorClass, Exception, Value};
pub use inspect::inspect;
pub use object::{Class, Template, TemplateBuilder};
pub use promise::{PromiseState, Resolver};
pub use value::{Attributes, Text};

pub(crate) use callback::{contain, guard_to, panic_message, runtime_of, with_ctx};
pub(crate) use ctx::{c_string, nul_terminated};
pub(crate) use handles::Runtime;
pub(crate) use hooks::{CallStatus, HostHooks};
pub(crate) use native::native_module;
