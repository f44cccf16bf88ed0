//! Hosts scripts: QuickJS with coroutines, modules, TypeScript and limits.
//!
//! A [`Program`] is a script with everything it imports, compiled once. A [`Realm`] is a
//! runtime, a [`Vm`] one virtual user's side of it: alone in it, or one of several that
//! have its built-in objects in common. A [`Call`] into it runs in a coroutine:
//! native functions block with [`Ctx::block_on`] and the worker's thread goes on with
//! other users. What scripts can call is made of [`Ctx::function`], [`Ctx::class`] and
//! [`Builtins`]; what those fail with is an [`Exception`], what a call fails with a
//! [`JsError`].
//!
//! ```
//! use std::task::{Context, Poll, Waker};
//! use loadline_js::{Vm, VmOptions};
//!
//! let vm = Vm::new(&VmOptions::default()).unwrap();
//! let double = vm.ctx().eval("(x) => x * 2", "example.js").unwrap();
//! let mut call = vm.start_function(&double, vec![vm.ctx().number(21.0)]).unwrap();
//! match call.poll(&mut Context::from_waker(Waker::noop())) {
//!     Poll::Ready(result) => assert_eq!(result.unwrap().as_f64(), Some(42.0)),
//!     Poll::Pending => unreachable!("it waits for nothing"),
//! }
//! ```
//!
//! It knows nothing of k6, HTTP or metrics. Unsafe code is here because QuickJS is C and
//! coroutines switch stacks; every block says why it is sound.

#![expect(
    unsafe_code,
    reason = "QuickJS is a C library; coroutines switch stacks"
)]

mod atom;
mod barrier;
mod buffer;
mod builtin;
mod call;
mod cell;
mod convert;
mod ctx;
mod event_loop;
mod exception;
mod ffi;
mod frames;
mod globals;
mod inner;
mod inspect;
mod json;
mod lend;
mod modules;
mod native;
mod object;
mod program;
mod promise;
mod stack;
mod user;
mod value;
mod vm;

pub use atom::{Atom, Key};
pub use builtin::{Builtins, Exports};
pub use call::{Call, Interrupter};
pub use convert::IntoJs;
pub use ctx::Ctx;
pub use event_loop::{StoppedTimer, Timer};
pub use exception::{ErrorClass, ErrorKind, Exception, Interrupted, JsError};
pub use frames::Frame;
pub use inspect::inspect;
pub use lend::{Lend, Nothing};
pub use native::Args;
pub use object::{Class, Template, TemplateBuilder};
pub use program::{Loader, ModuleKind, Program, ProgramError, ProgramErrorKind, Source};
pub use promise::{PromiseState, Resolver};
pub use stack::{DEFAULT_STACK_SIZE, Stacks};
pub use value::{Attributes, Text, Value};
pub use vm::{DEFAULT_SLICE, Realm, Vm, VmError, VmOptions};
