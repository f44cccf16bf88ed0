//! What belongs to one user of a realm: the call in progress, what is pending, host
//! state, module instances. Native code runs for one user at a time, the current one.

use std::any::{Any, TypeId};
use std::rc::Rc;

use super::{HostState, RealmState, User, realm_of};
use crate::quickjs::Runtime;

/// Keeps a user in its realm; takes it out when dropped.
pub(crate) struct Membership {
    pub(crate) user: Rc<User>,
    pub(crate) runtime: Rc<Runtime>,
}

impl Membership {
    pub(crate) fn new(runtime: &Rc<Runtime>, user: Rc<User>) -> Self {
        realm_of(runtime).barrier.enter();
        Self {
            user,
            runtime: Rc::clone(runtime),
        }
    }

    pub(crate) fn realm(&self) -> &RealmState {
        realm_of(&self.runtime)
    }

    /// Lets native code run for this user from now on.
    pub(crate) fn make_current(&self) {
        self.realm().make_current(&self.user);
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let (realm, user) = (self.realm(), &self.user);
        realm.make_current(user);
        drop(user.host.take());
        user.event_loop.clear();
        user.modules.clear(&self.runtime);
        realm.forget_current(user);
        realm.barrier.leave();
    }
}

/// The state of type `T` in `states`, if it was installed.
pub(super) fn find<T: 'static>(states: &HostState) -> Option<Rc<T>> {
    let wanted = TypeId::of::<T>();
    let states = states.borrow();
    let (_, found) = states.iter().find(|(id, _)| *id == wanted)?;
    Rc::clone(found).downcast().ok()
}

/// Installs state; a second of a type replaces the first.
pub(super) fn install<T: Any>(states: &HostState, state: Rc<T>) {
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
