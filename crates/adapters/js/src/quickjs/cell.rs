//! Rust data inside the JavaScript heap: one [`HostCell`] per native function or host
//! object, all of them listed so that they can be emptied before the runtime goes.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;

use crate::ffi;
use crate::quickjs::callback::{contain, runtime_of};
use crate::quickjs::handles::{Cells, Content, HostCell, Value};

impl Cells {
    /// Moves a cell to the heap and lists it; the finalizer of the object it is given
    /// to frees it.
    pub(crate) fn insert(&self, content: Content, slots: Vec<ffi::JSValue>) -> *mut HostCell {
        let cell = Box::into_raw(Box::new(HostCell {
            content,
            slots: RefCell::new(slots),
            place: Cell::new(0),
        }));
        let mut places = self.places.borrow_mut();
        let place = self.free.borrow_mut().pop().unwrap_or_else(|| {
            places.push(None);
            places.len() - 1
        });
        places[place] = Some(cell);
        // SAFETY: just made, there is no other reference.
        unsafe { (*cell).place.set(place) };
        cell
    }

    /// Takes `cell` off the list and back as a box.
    ///
    /// # Safety
    ///
    /// `cell` came from [`insert`](Self::insert) of this list and was not removed yet.
    pub(crate) unsafe fn remove(&self, cell: *mut HostCell) -> Box<HostCell> {
        // SAFETY: by contract.
        let cell = unsafe { Box::from_raw(cell) };
        self.places.borrow_mut()[cell.place.get()] = None;
        self.free.borrow_mut().push(cell.place.get());
        cell
    }

    /// Empties every cell; the cells themselves stay with their objects.
    pub(crate) fn clear(&self, rt: *mut ffi::JSRuntime) {
        let mut place = 0;
        loop {
            // Dropping content may finalize other objects, so look again each time.
            let cell = match self.places.borrow().get(place) {
                None => break,
                Some(cell) => *cell,
            };
            place += 1;
            if let Some(cell) = cell {
                // SAFETY: listed cells are alive, and no native function runs while the
                // owner of the runtime is dropped, so nobody else looks inside.
                let (content, slots) = unsafe {
                    let cell = &mut *cell;
                    (
                        std::mem::replace(&mut cell.content, Content::Empty),
                        cell.slots.take(),
                    )
                };
                free_all(rt, slots);
                drop(content);
            }
        }
    }
}

impl HostCell {
    /// The value in slot `index`, owned by the caller; `None` when never set.
    pub(crate) fn slot(&self, ctx: *mut ffi::JSContext, index: usize) -> Option<ffi::JSValue> {
        let raw = *self.slots.borrow().get(index)?;
        // SAFETY: slots own their values.
        Some(unsafe { ffi::JS_DupValue(ctx, raw) })
    }

    /// Puts `value` into slot `index`.
    pub(crate) fn set_slot(&self, index: usize, value: Value) {
        let (rt, raw) = (value.runtime().rt, value.into_raw());
        let old = {
            let mut slots = self.slots.borrow_mut();
            while slots.len() <= index {
                slots.push(ffi::JSValue::UNDEFINED);
            }
            std::mem::replace(&mut slots[index], raw)
        };
        // SAFETY: the slot owned the old value.
        unsafe { ffi::JS_FreeValueRT(rt, old) };
    }
}

fn free_all(rt: *mut ffi::JSRuntime, values: Vec<ffi::JSValue>) {
    for value in values {
        // SAFETY: the vector owned each value.
        unsafe { ffi::JS_FreeValueRT(rt, value) };
    }
}

/// The cell of an object of class `class`.
pub(crate) fn cell_of<'a>(value: ffi::JSValue, class: ffi::JSClassID) -> Option<&'a HostCell> {
    // SAFETY: objects of our classes carry a cell or null; the caller holds the object.
    unsafe {
        ffi::JS_GetOpaque(value, class)
            .cast::<HostCell>()
            .cast_const()
            .as_ref()
    }
}

/// Finalizer of both host classes.
///
/// # Safety
///
/// Called by QuickJS only.
pub(crate) unsafe extern "C" fn finalize(rt: *mut ffi::JSRuntime, value: ffi::JSValue) {
    // SAFETY: QuickJS passes an object of one of our classes that nobody can reach.
    unsafe {
        let runtime = runtime_of(rt);
        let opaque = ffi::JS_GetOpaque(value, ffi::JS_GetClassID(value));
        if !opaque.is_null() {
            // Dropping the content runs arbitrary code.
            contain(runtime, (), || {
                let cell = runtime.cells.remove(opaque.cast());
                free_all(rt, cell.slots.take());
            });
        }
    }
}

/// Marks the slots of both host classes for the cycle collector.
///
/// # Safety
///
/// Called by QuickJS only.
pub(crate) unsafe extern "C" fn mark(
    rt: *mut ffi::JSRuntime,
    value: ffi::JSValue,
    mark: ffi::MarkFunc,
) {
    // SAFETY: QuickJS passes a live object of one of our classes. Slots are never
    // borrowed across a call into QuickJS, so the borrow cannot fail.
    unsafe {
        let opaque: *mut c_void = ffi::JS_GetOpaque(value, ffi::JS_GetClassID(value));
        if let Some(cell) = opaque.cast::<HostCell>().cast_const().as_ref() {
            for slot in cell.slots.borrow().iter() {
                ffi::JS_MarkValue(rt, *slot, mark);
            }
        }
    }
}
