//! Hosts scripts: QuickJS with coroutines, modules, TypeScript and limits.
//!
//! A [`Program`] is a script with everything it imports, compiled once. A [`Realm`] is one
//! JavaScript runtime; a [`Vm`] is one virtual user in it. A realm has one user, or several
//! that share its built-in objects. A [`Call`] into a script runs in a coroutine: a native
//! function blocks with [`Ctx::block_on`], and the worker's thread runs other users
//! meanwhile. Scripts can call what was made with [`Ctx::function`], [`Ctx::class`] and
//! [`Builtins`]. Native functions fail with an [`Exception`], calls with a [`JsError`].
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
//! The modules are layers; each uses only those after it in this list: `call`, `vm`,
//! `modules` (linking), `realm` (users and their state), `event_loop`, `coroutine`,
//! `program` (compiling), `builtin`, `quickjs` (values and native functions), then `ffi`,
//! `frames`, `lend` and `stack`, which use nothing here.
//!
//! The crate knows nothing of k6, HTTP or metrics. Unsafe code is here because QuickJS is C
//! and coroutines switch stacks; every block says why it is sound.

#![expect(
    unsafe_code,
    reason = "QuickJS is a C library; coroutines switch stacks"
)]

mod builtin;
mod call;
mod coroutine;
mod event_loop;
mod ffi;
mod frames;
mod globals;
mod lend;
mod modules;
mod program;
mod quickjs;
mod realm;
mod stack;
mod vm;

pub use builtin::{Builtins, Exports};
pub use call::{Call, Interrupter};
pub use coroutine::ScriptTimer;
pub use event_loop::StoppedTimer;
pub use frames::Frame;
pub use globals::CallbackRefusal;
pub use lend::{LentType, NoLentType};
pub use program::{
    CodeError, CodeTrust, ForeignCode, Loader, MapFault, MissingImport, ModuleKind, Program,
    ProgramError, ProgramErrorKind, ProgramFile, SourceFile, UsedName,
};
pub use quickjs::{
    Args, Atom, Attributes, Class, Ctx, ErrorClass, ErrorKind, Exception, Interrupted, IntoJs,
    JsError, Key, PromiseState, Resolver, Template, TemplateBuilder, Text, Value, inspect,
};
pub use stack::{DEFAULT_STACK_SIZE, Stacks};
pub use vm::{DEFAULT_SLICE, Realm, Vm, VmError, VmOptions};
