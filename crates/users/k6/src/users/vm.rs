//! The JavaScript side of a user: its place in a realm, the script's globals, its init code.

use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use loadline_js::{JsError, Program, Realm, Vm, VmOptions};
use loadline_units::VuId;

use super::init_clock::InitClock;
use super::written_back;
use crate::error::{LoadError, aborted_at, trace};
use crate::globals::{REJECTED, install_for_many, install_for_one};
use crate::host::{Host, TestShared};
use crate::mistake::ScriptMistake;

/// A user of a script, its init code not yet run.
pub(crate) struct UserVm {
    pub(crate) vm: Vm,
    pub(crate) host: Rc<Host>,
    pub(crate) clock: Rc<InitClock>,
}

impl UserVm {
    /// A user with a runtime of its own.
    pub(crate) fn alone(
        shared: &Arc<TestShared>,
        vu: VuId,
        options: &VmOptions,
    ) -> Result<Self, LoadError> {
        let realm = Realm::new(options)?;
        let user = Self::enter(&realm, shared, vu, options);
        let ctx = user.vm.ctx();
        install_for_one(ctx, &user.host).map_err(|e| LoadError::Init(e.message()))?;
        Ok(user)
    }

    /// A user of a realm made by [`new_realm`].
    pub(crate) fn enter(
        realm: &Realm,
        shared: &Arc<TestShared>,
        vu: VuId,
        options: &VmOptions,
    ) -> Self {
        let clock = InitClock::over(options.timer.clone());
        let vm = realm.user(clock.clone(), None);
        let host = Rc::new(Host::new(shared.clone(), vu));
        vm.ctx().set_host(host.clone());
        Self { vm, host, clock }
    }
}

/// A runtime with the globals and modules of k6, to be shared by several users.
pub(crate) fn new_realm(shared: &Arc<TestShared>, options: &VmOptions) -> Result<Realm, LoadError> {
    let realm = Realm::new(options)?;
    let maker = UserVm::enter(&realm, shared, VuId::LIFECYCLE, options);
    let ctx = maker.vm.ctx();
    install_for_many(ctx)
        .and_then(|()| ctx.make_builtins(&shared.program))
        .map_err(|e| LoadError::Init(e.message()))?;
    ctx.share();
    drop(maker);
    Ok(realm)
}

/// Runs the init code to its end; gives the object of its exports.
pub(crate) fn run_init(user: &UserVm) -> Result<loadline_js::Value, LoadError> {
    let mut call = user.vm.start_program(&user.host.shared.program)?;
    // Init code waits for nothing but its own timers and time slices, so it is simply
    // polled until it has ended.
    loop {
        if let Poll::Ready(result) = call.poll(&mut Context::from_waker(Waker::noop())) {
            user.clock.end_init();
            let exports = result.map_err(|error| match user.host.aborted.take() {
                Some(reason) => LoadError::Aborted(aborted_at(&reason, &error)),
                None if error.message.starts_with(REJECTED) => LoadError::Rejected(trace(&error)),
                None => match refused_import(&user.host.shared.program, &error) {
                    Some(refused) => refused,
                    None => LoadError::Init(trace(&error)),
                },
            })?;
            written_back::write(user.vm.ctx(), &user.host.shared, &exports)
                .map_err(|error| LoadError::Options(error.message()))?;
            return Ok(exports);
        }
    }
}

/// A name imported from a file that has no such name, in k6's words.
fn refused_import(program: &Program, error: &JsError) -> Option<LoadError> {
    let found = program.refused_import(&error.message)?;
    let (module, name, file) = (&found.module, &found.name, &found.file);
    // k6 tells the statement, a column too far, and where the file begins that is not run.
    let (line, column) = (found.statement.0, found.statement.1 + 1);
    let text = format!(
        "SyntaxError: The requested module \"{module}\" does not provide an export named \"{name}\"\n\tat {file}:{line}:{column}\n\tat {file}:1:1\n",
    );
    let mistake = Box::new(ScriptMistake::from_import(found));
    Some(LoadError::Import { text, mistake })
}
