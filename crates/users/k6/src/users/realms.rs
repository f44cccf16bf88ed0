//! The realms of one worker: who shares a realm with whom.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Realm, VmOptions};
use loadline_units::VuId;

use super::vm::{UserVm, new_realm, run_init};
use crate::error::LoadError;
use crate::host::{IsolationReason, TestShared, WorkerNetwork};

/// The realms of one worker's users.
pub(crate) struct WorkerRealms {
    network: Rc<WorkerNetwork>,
    options: VmOptions,
    /// The realm that new users enter, and how many have entered it.
    open: RefCell<Option<(Realm, usize)>>,
}

/// Most users of one realm. While its garbage is collected, none of them runs.
const REALM_USERS_MAX: usize = 64;

impl WorkerRealms {
    pub(super) fn new(network: WorkerNetwork, options: VmOptions) -> Self {
        Self {
            network: Rc::new(network),
            options,
            open: RefCell::default(),
        }
    }

    /// A user in a realm with others, its init code not yet run.
    fn user_among_others(&self, shared: &Arc<TestShared>, id: VuId) -> Result<UserVm, LoadError> {
        let mut open = self.open.borrow_mut();
        let (realm, entered) = match open.take() {
            Some((realm, entered)) if entered < REALM_USERS_MAX => (realm, entered),
            _ => (new_realm(shared, &self.options)?, 0),
        };
        let user = UserVm::enter(&realm, shared, id, &self.options);
        *open = Some((realm, entered + 1));
        Ok(user)
    }

    /// Lets no more users into the open realm.
    fn close_realm(&self) {
        self.open.take();
    }

    /// A user in a realm of its own. Its init code has run.
    pub(crate) fn user_alone(
        &self,
        shared: &Arc<TestShared>,
        id: VuId,
    ) -> Result<(UserVm, loadline_js::Value), LoadError> {
        let user = UserVm::alone(shared, id, &self.options)?;
        user.vm.ctx().set_host(self.network.clone());
        let exports = run_init(&user)?;
        Ok((user, exports))
    }

    /// A user in a shared realm where the script allows it. Its init code has run.
    pub(super) fn user(
        &self,
        shared: &Arc<TestShared>,
        id: VuId,
    ) -> Result<(UserVm, loadline_js::Value), LoadError> {
        if !shared.sharing.is_allowed() {
            return self.user_alone(shared, id);
        }
        let user = self.user_among_others(shared, id)?;
        user.vm.ctx().set_host(self.network.clone());
        let initialised = run_init(&user);
        let Some(place) = user.vm.shared_write() else {
            return Ok((user, initialised?));
        };
        // Its init code did more than that of the user which was watched.
        shared.sharing.end(IsolationReason::Run { place });
        self.close_realm();
        drop(initialised);
        drop(user);
        self.user_alone(shared, id)
    }
}
