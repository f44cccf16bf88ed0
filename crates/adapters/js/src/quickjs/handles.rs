//! The handles of QuickJS. They refer to each other, so they are declared in one file: a
//! [`Runtime`] owns what Rust stores inside it, which holds [`Value`]s, and each of these holds
//! the runtime. What they do stands in the files named after them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use loadline_reactor::{CallId, WorkerProgress};
use rustc_hash::FxHashMap;

use super::hooks::HostHooks;
use crate::ffi::{self, JSValue};

pub(crate) struct Runtime {
    pub(crate) rt: *mut ffi::JSRuntime,
    pub(crate) ctx: *mut ffi::JSContext,
    /// Class of native functions and class of objects with host data.
    pub(super) function_class: ffi::JSClassID,
    pub(super) object_class: ffi::JSClassID,
    pub(super) cells: Cells,
    pub(super) lazy: RefCell<Vec<LazyProperty>>,
    /// What `JSON.parse` remembers.
    pub(super) json: Shapes,
    pub(super) interned: RefCell<FxHashMap<(usize, usize), ffi::JSAtom>>,
    pub(crate) hooks: Box<dyn HostHooks>,
    /// Errors are worded as Node's.
    pub(super) is_node_worded: Cell<bool>,
    /// What the worker does, for its watchdog; `None` outside a worker.
    pub(crate) progress: Option<Arc<WorkerProgress>>,
}

/// Access to one JavaScript runtime. Borrowed from a [`Vm`](crate::Vm) or passed to
/// native functions.
#[repr(transparent)]
pub struct Ctx(pub(super) Rc<Runtime>);

/// An owned JavaScript value of one runtime. Cloning counts a reference, dropping
/// releases it.
///
/// # Panics
///
/// Methods that take another value panic when it belongs to another runtime.
pub struct Value {
    pub(super) raw: JSValue,
    pub(super) runtime: Rc<Runtime>,
}

/// An exception in native code. Returned, it is thrown in the calling script; dropped, it
/// is caught.
pub struct Exception(pub(super) ExceptionKind);

pub(super) enum ExceptionKind {
    /// A value that was thrown, or that is to be.
    Thrown(Value),
    /// An error that is created when it is thrown.
    New(ErrorClass, String),
    /// The user is being interrupted; no script can catch it.
    Interrupted,
    /// The host cannot go on with this call; no script can catch it.
    Fatal(String),
}

/// Built-in error classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// `Error`
    Error,
    /// `TypeError`
    Type,
    /// `RangeError`
    Range,
    /// `ReferenceError`
    Reference,
    /// `SyntaxError`
    Syntax,
}

pub(crate) type NativeBody = Box<dyn Fn(&Ctx, &Args<'_>) -> Result<Value, Exception>>;

/// What a native function was called with.
pub struct Args<'a> {
    pub(super) runtime: &'a Rc<Runtime>,
    pub(super) cell: &'a HostCell,
    pub(super) this: JSValue,
    pub(super) values: &'a [JSValue],
    pub(super) is_new: bool,
}

/// What a cell holds.
pub(crate) enum Content {
    /// A native function, and its number for the watchdog.
    Function(NativeBody, CallId),
    Object(Rc<dyn Any>),
    /// After tear-down.
    Empty,
}

pub(crate) struct HostCell {
    pub(crate) content: Content,
    /// Values the object keeps alive where the collector can see them.
    pub(super) slots: RefCell<Vec<ffi::JSValue>>,
    pub(super) place: Cell<usize>,
}

/// All live cells of a runtime. Places are reused.
#[derive(Default)]
pub(crate) struct Cells {
    pub(super) places: RefCell<Vec<Option<*mut HostCell>>>,
    pub(super) free: RefCell<Vec<usize>>,
}

/// Computes a property when it is first read; gets the object.
pub(crate) type LazyProperty = Rc<dyn Fn(&Ctx, &Value) -> Result<Value, Exception>>;

/// The keys of an object as they stand in the text, and a model object whose values are
/// undefined.
pub(super) struct Shape {
    pub(super) keys: Box<[Box<[u8]>]>,
    pub(super) model: Value,
}

/// The shapes one runtime has seen.
#[derive(Default)]
pub(super) struct Shapes {
    pub(super) slots: RefCell<Vec<Slot>>,
}

#[derive(Default)]
pub(super) struct Slot {
    pub(super) shapes: Vec<Rc<Shape>>,
    /// The one replaced next.
    pub(super) oldest: usize,
}
