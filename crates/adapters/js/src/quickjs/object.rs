//! Objects with host data, classes of them, and templates for objects that are made
//! by the thousand.

use std::any::Any;
use std::rc::Rc;

use crate::ffi::{self, JSValue};
use crate::quickjs::callback::{guard, with_ctx};
use crate::quickjs::cell::{cell_of, finalize, mark};
use crate::quickjs::handles::{Args, Content, Ctx, Exception, Value};
use crate::quickjs::{Attributes, IntoJs, Key};

impl Value {
    /// Whether it is an object of the host's, with data of its own.
    #[must_use]
    pub fn is_host_object(&self) -> bool {
        cell_of(self.raw(), self.runtime().object_class)
            .is_some_and(|cell| matches!(cell.content, Content::Object(_)))
    }

    /// The host data of the object, if it has some of type `T`.
    #[must_use]
    pub fn host<T: Any>(&self) -> Option<Rc<T>> {
        let cell = cell_of(self.raw(), self.runtime().object_class)?;
        match &cell.content {
            Content::Object(data) => Rc::clone(data).downcast().ok(),
            Content::Function(..) | Content::Empty => None,
        }
    }

    /// A value stored inside a host object where scripts cannot see it.
    #[must_use]
    pub fn slot(&self, index: usize) -> Option<Self> {
        let cell = cell_of(self.raw(), self.runtime().object_class)?;
        Some(Self::adopt(
            self.runtime(),
            cell.slot(self.runtime().ctx, index)?,
        ))
    }

    /// Stores a value inside a host object: kept alive by it, invisible to scripts,
    /// visible to the garbage collector. No effect on other objects.
    pub fn set_slot(&self, index: usize, value: Self) {
        value.raw_in(self.runtime());
        if let Some(cell) = cell_of(self.raw(), self.runtime().object_class) {
            cell.set_slot(index, value);
        }
    }

    /// Lets go of the value in a slot, which is `undefined` from then on.
    pub fn clear_slot(&self, index: usize) {
        if self.slot(index).is_some() {
            self.set_slot(index, Ctx::from_runtime(self.runtime()).undefined());
        }
    }

    /// Adds a method that scripts see as a built-in one (not enumerable).
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn method<R: IntoJs>(
        &self,
        name: &str,
        length: u32,
        body: impl Fn(&Ctx, &Args<'_>) -> Result<R, Exception> + 'static,
    ) -> Result<(), Exception> {
        let function = Ctx::from_runtime(self.runtime()).function(name, length, body)?;
        self.define(name, function, Attributes::HIDDEN)
    }

    /// Adds a read-only accessor.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn getter<R: IntoJs>(
        &self,
        name: &str,
        body: impl Fn(&Ctx, &Args<'_>) -> Result<R, Exception> + 'static,
    ) -> Result<(), Exception> {
        let function = Ctx::from_runtime(self.runtime()).function(name, 0, body)?;
        self.define_accessor(name, Some(&function), None)
    }

    /// Adds an accessor that can be read and written.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn accessor<R: IntoJs>(
        &self,
        name: &str,
        get: impl Fn(&Ctx, &Args<'_>) -> Result<R, Exception> + 'static,
        set: impl Fn(&Ctx, &Args<'_>) -> Result<(), Exception> + 'static,
    ) -> Result<(), Exception> {
        let ctx = Ctx::from_runtime(self.runtime());
        let (get, set) = (ctx.function(name, 0, get)?, ctx.function(name, 1, set)?);
        self.define_accessor(name, Some(&get), Some(&set))
    }

    /// Defines an own property whose value is computed when it is first read; after
    /// that it is a plain property. `make` must not touch this property itself.
    ///
    /// # Errors
    ///
    /// A `TypeError` when the property exists.
    pub fn lazy(
        &self,
        key: impl Key,
        make: impl Fn(&Ctx, &Self) -> Result<Self, Exception> + 'static,
    ) -> Result<(), Exception> {
        let runtime = self.runtime();
        let which = {
            let mut lazy = runtime.lazy.borrow_mut();
            lazy.push(Rc::new(make));
            lazy.len() - 1
        };
        let code = key.with(runtime, |atom| {
            // QuickJS aborts on a second definition, so look for an own property first.
            // SAFETY: self owns the value, the key its atom.
            unsafe {
                match ffi::JS_GetOwnProperty(runtime.ctx, std::ptr::null_mut(), self.raw(), atom) {
                    0 => ffi::csrc::host_define_lazy(runtime.ctx, self.raw(), atom, which),
                    other => -other.abs(),
                }
            }
        });
        if code > 0 {
            Ok(())
        } else {
            Err(Exception::type_error("the property exists already"))
        }
    }
}

impl Ctx {
    /// An object of prototype `proto` that carries `data`.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn host_object<T: Any>(&self, proto: &Value, data: Rc<T>) -> Result<Value, Exception> {
        let runtime = self.runtime();
        let proto = proto.raw_in(runtime);
        // SAFETY: the prototype is alive and the class registered for runtime.
        let object = runtime.check(unsafe {
            ffi::JS_NewObjectProtoClass(runtime.ctx, proto, runtime.object_class)
        })?;
        self.attach(&object, data);
        Ok(object)
    }

    fn attach(&self, object: &Value, data: Rc<dyn Any>) {
        let cell = self
            .runtime()
            .cells
            .insert(Content::Object(data), Vec::new());
        // SAFETY: the object is of our class and its finalizer frees the cell.
        unsafe { ffi::JS_SetOpaque(object.raw(), cell.cast()) };
    }

    /// A class: a constructor function whose objects carry `T`, and its prototype, to
    /// which methods are added with [`Value::method`].
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn class<T: Any>(
        &self,
        name: &str,
        length: u32,
        construct: impl Fn(&Self, &Args<'_>) -> Result<T, Exception> + 'static,
    ) -> Result<Class, Exception> {
        let shown = name.to_owned();
        let constructor = self.constructor(name, length, move |ctx, args| {
            if !args.is_new() {
                let message = format!("Class constructor {shown} cannot be invoked without 'new'");
                return Err(Exception::type_error(message));
            }
            let proto = args.this().get("prototype")?;
            let data = construct(ctx, args)?;
            ctx.host_object(&proto, Rc::new(data))
        })?;
        let prototype = self.object()?;
        prototype.define("constructor", &constructor, Attributes::HIDDEN)?;
        constructor.define("prototype", &prototype, Attributes::NONE)?;
        Ok(Class {
            constructor,
            prototype,
        })
    }

    /// A template for objects with the same properties in the same order.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn template(&self, proto: Option<&Value>) -> Result<TemplateBuilder, Exception> {
        let runtime = self.runtime();
        let proto = match proto {
            Some(proto) => proto.clone(),
            None => self.object()?.prototype()?,
        };
        // SAFETY: the prototype is alive and the class registered for runtime.
        let model = runtime.check(unsafe {
            ffi::JS_NewObjectProtoClass(runtime.ctx, proto.raw_in(runtime), runtime.object_class)
        })?;
        Ok(TemplateBuilder { model, values: 0 })
    }
}

/// A class made by [`Ctx::class`].
#[derive(Clone)]
pub struct Class {
    /// The constructor function.
    pub constructor: Value,
    /// The prototype of its objects.
    pub prototype: Value,
}

/// Collects the properties of a [`Template`].
pub struct TemplateBuilder {
    model: Value,
    values: usize,
}

impl TemplateBuilder {
    /// A property whose value is given for each object.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn value(mut self, name: &str) -> Result<Self, Exception> {
        self.model.define(name, (), Attributes::ALL)?;
        self.values += 1;
        Ok(self)
    }

    /// A property computed from the object when it is first read.
    ///
    /// # Errors
    ///
    /// A `TypeError` when the name was used before.
    pub fn lazy(
        self,
        name: &str,
        make: impl Fn(&Ctx, &Value) -> Result<Value, Exception> + 'static,
    ) -> Result<Self, Exception> {
        self.model.lazy(name, make)?;
        Ok(self)
    }

    /// The finished template.
    #[must_use]
    pub fn build(self) -> Template {
        Template {
            model: self.model,
            values: self.values,
        }
    }
}

/// Makes objects of one hidden class in one step. Keep it in the host state.
#[derive(Clone)]
pub struct Template {
    model: Value,
    values: usize,
}

impl Template {
    /// A new object with `data` and with `values` in the order of the template's value
    /// properties.
    ///
    /// # Errors
    ///
    /// Out of memory.
    ///
    /// # Panics
    ///
    /// When the number of values is not the template's.
    pub fn object<T: Any>(&self, data: Rc<T>, values: Vec<Value>) -> Result<Value, Exception> {
        assert_eq!(
            values.len(),
            self.values,
            "one value for each value property"
        );
        let runtime = self.model.runtime();
        let mut raw: Vec<JSValue> = values
            .into_iter()
            .map(|value| {
                value.raw_in(runtime);
                value.into_raw()
            })
            .collect();
        let count = i32::try_from(raw.len()).expect("templates have few properties");
        // SAFETY: the values are given away, the model is alive and of the same class.
        let object = runtime.check(unsafe {
            ffi::csrc::host_new_like(
                runtime.ctx,
                self.model.raw(),
                runtime.object_class,
                count,
                raw.as_mut_ptr(),
            )
        })?;
        Ctx::from_runtime(runtime).attach(&object, data);
        Ok(object)
    }
}

/// Registers the class of objects with host data.
///
/// # Safety
///
/// `rt` must be a live runtime.
pub(crate) unsafe fn register(rt: *mut ffi::JSRuntime) -> ffi::JSClassID {
    let definition = ffi::JSClassDef {
        class_name: c"Object".as_ptr(),
        finalizer: Some(finalize),
        gc_mark: Some(mark),
        call: None,
        exotic: std::ptr::null_mut(),
    };
    let mut id = 0;
    // SAFETY: rt is alive; the definition is copied.
    unsafe {
        ffi::JS_NewClassID(rt, &raw mut id);
        ffi::JS_NewClass(rt, id, &raw const definition);
    }
    id
}

/// Computes a lazy property for QuickJS; called from host.c.
///
/// # Safety
///
/// Called by `host_autoinit` only.
#[unsafe(no_mangle)]
unsafe extern "C" fn host_lazy_property(
    ctx: *mut ffi::JSContext,
    object: JSValue,
    which: usize,
) -> JSValue {
    // SAFETY: QuickJS calls it in a runtime of ours with an object it keeps alive.
    unsafe {
        with_ctx(ctx, |ctx| {
            let runtime = ctx.runtime();
            let make = runtime.lazy.borrow().get(which).map(Rc::clone);
            let Some(make) = make else {
                return JSValue::UNDEFINED;
            };
            let object = Value::borrow_raw(runtime, object);
            // The object is half changed until this returns: no other user may run.
            let _no_suspension = runtime.call_status().forbid_suspension();
            guard(runtime, || make(ctx, &object))
        })
    }
}
