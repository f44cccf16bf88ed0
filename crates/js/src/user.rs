//! What belongs to one user of a realm: the call in progress, what is pending, host
//! state, module instances. Native code runs for one user at a time, the current one.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::call::Running;
use crate::event_loop::EventLoop;
use crate::inner::Inner;
use crate::modules::UserModules;

/// Host state by type.
pub(crate) type HostState = RefCell<Vec<(TypeId, Rc<dyn Any>)>>;

pub(crate) struct User {
    /// Tells its modules from those of other users of the realm.
    pub(crate) number: u64,
    pub(crate) running: Running,
    pub(crate) event_loop: EventLoop,
    pub(crate) modules: UserModules,
    pub(crate) host: HostState,
    /// State of `Math.random` while the user does not run.
    pub(crate) random_state: Cell<u64>,
    /// The message of a panic inside a native function; ends the call.
    pub(crate) panicked: RefCell<Option<String>>,
}

/// Keeps a user in its realm; takes it out when dropped.
pub(crate) struct Membership {
    pub(crate) user: Rc<User>,
    pub(crate) inner: Rc<Inner>,
}

impl Membership {
    pub(crate) fn new(inner: &Rc<Inner>, user: Rc<User>) -> Self {
        inner.barrier.enter();
        Self {
            user,
            inner: Rc::clone(inner),
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let (inner, user) = (&self.inner, &self.user);
        inner.make_current(user);
        drop(user.host.take());
        user.event_loop.clear();
        user.modules.clear(inner);
        inner.forget_current(user);
        inner.barrier.leave();
    }
}

/// The state of type `T` in `states`, if it was installed.
pub(crate) fn find<T: 'static>(states: &HostState) -> Option<Rc<T>> {
    let wanted = TypeId::of::<T>();
    let states = states.borrow();
    let (_, found) = states.iter().find(|(id, _)| *id == wanted)?;
    Rc::clone(found).downcast().ok()
}

/// Installs state; a second of a type replaces the first.
pub(crate) fn install<T: Any>(states: &HostState, state: Rc<T>) {
    let id = TypeId::of::<T>();
    let mut all = states.borrow_mut();
    let replaced = match all.iter_mut().find(|(known, _)| *known == id) {
        Some((_, place)) => Some(std::mem::replace(place, state)),
        None => {
            all.push((id, state));
            None
        }
    };
    drop(all);
    drop(replaced);
}
