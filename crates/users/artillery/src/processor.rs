//! Processors: JavaScript functions that a flow calls.
//!
//! As in Artillery, all users of a worker share one instance of the module. An endless call
//! receives jobs, runs each as a promise, and reports its result, so a function that waits does
//! not delay others. Each user has its own context, whose variables are passed as JSON. Without a
//! processor there is no JavaScript runtime.

mod files;
mod node;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Poll, Waker};

use loadline_js::{
    Builtins, Call, Exports, Program, ProgramError, ScriptTimer, Stacks, Vm, VmOptions,
};
use loadline_reactor::ReactorHandle;
use loadline_units::{Clock, Time};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::console::Console;

/// A compiled processor.
pub(crate) struct Processor {
    program: Arc<Program>,
    /// The names it exports, so that a missing function is found before the run.
    names: BTreeSet<String>,
    folder: String,
    env: serde_json::Map<String, Value>,
}

/// Why a processor cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessorError {
    /// It has a syntax error, or imports something that does not exist.
    #[error("{}", .0.join("\n"))]
    Program(Vec<String>),
    /// Its init code threw.
    #[error("{0}")]
    Init(String),
}

/// The modules of Node that are provided.
const MODULES: [&str; 13] = [
    "crypto",
    "path",
    "util",
    "assert",
    "fs",
    "buffer",
    "events",
    "os",
    "querystring",
    "process",
    "timers",
    "timers/promises",
    "url",
];

impl Processor {
    /// Reads and compiles a file with its imports, and runs its init code once.
    ///
    /// # Errors
    /// [`ProcessorError`].
    pub(crate) fn load(
        path: &Path,
        env: &serde_json::Map<String, Value>,
        console: &Arc<dyn Console>,
    ) -> Result<Self, ProcessorError> {
        let mut builtins = Builtins::new();
        for name in MODULES {
            for specifier in [name.to_owned(), format!("node:{name}")] {
                builtins.add(specifier, move |ctx| {
                    let module = ctx.global().get("__node")?.get(name)?;
                    let mut exports = Exports::new();
                    if module.is_object() || module.is_function() {
                        for key in module.keys()? {
                            exports.add(key.to_text(), module.get(&key)?);
                        }
                        exports.set_default(module);
                    }
                    Ok(exports)
                });
            }
        }
        let entry = files::url_of(path);
        let program =
            Program::build(&entry, Arc::new(files::FileLoader), builtins).map_err(|errors| {
                ProcessorError::Program(errors.iter().map(ProgramError::to_string).collect())
            })?;
        let folder = path
            .parent()
            .unwrap_or(Path::new("/"))
            .display()
            .to_string();
        let mut processor = Self {
            program: Arc::new(program),
            names: BTreeSet::new(),
            folder,
            env: env.clone(),
        };
        let (vm, exports) = processor.instance(&VmOptions::default(), console)?;
        let keys = |value: &loadline_js::Value| -> Vec<String> {
            let keys = value.keys().unwrap_or_default();
            keys.iter().map(|key| key.to_text()).collect()
        };
        processor.names.extend(keys(&exports));
        if let Ok(default) = exports.get("default")
            && default.is_object()
        {
            processor.names.extend(keys(&default));
        }
        drop(exports);
        drop(vm);
        Ok(processor)
    }

    /// Whether it has a function with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// A runtime in which its init code has run, and its exports.
    fn instance(
        &self,
        options: &VmOptions,
        console: &Arc<dyn Console>,
    ) -> Result<(Vm, loadline_js::Value), ProcessorError> {
        let failed = |error: loadline_js::Exception| ProcessorError::Init(error.message());
        let vm = Vm::new(options).map_err(|error| ProcessorError::Init(error.to_string()))?;
        node::install(vm.ctx(), &self.folder, &self.env, console.clone()).map_err(failed)?;
        let mut call = vm
            .start_program(&self.program)
            .map_err(|error| ProcessorError::Init(error.to_string()))?;
        // Init code waits only for time slices and promises, so it is polled in a loop.
        let mut turns = 0;
        loop {
            if let Poll::Ready(result) =
                call.poll(&mut std::task::Context::from_waker(Waker::noop()))
            {
                let exports = result.map_err(|error| ProcessorError::Init(error.headline()))?;
                drop(call);
                return Ok((vm, exports));
            }
            turns += 1;
            if turns > 100_000 {
                return Err(ProcessorError::Init(
                    "the processor's top-level code never ends".to_owned(),
                ));
            }
        }
    }

    /// Starts it on a worker.
    ///
    /// # Errors
    /// [`ProcessorError`].
    pub(crate) fn start(
        &self,
        handle: &ReactorHandle,
        console: &Arc<dyn Console>,
    ) -> Result<Rc<RunningProcessor>, ProcessorError> {
        let options = VmOptions {
            timer: Rc::new(ReactorTimer(handle.clone())),
            stacks: Stacks::default(),
            random_seed: Some(crate::random::from_system().next()),
            ..VmOptions::default()
        };
        let (vm, exports) = self.instance(&options, console)?;
        let running = Rc::new(RunningProcessor::default());
        let call = node::start(&vm, &exports, &running)
            .map_err(|error| ProcessorError::Init(error.message()))?;
        drop(exports);
        let own = Rc::downgrade(&running);
        let mut kept = Some((call, vm));
        handle.spawn(poll_fn(move |cx| {
            let Some((call, _)) = &mut kept else {
                return Poll::Ready(());
            };
            let Poll::Ready(result) = Call::poll(call, cx) else {
                return Poll::Pending;
            };
            kept = None;
            if let (Some(running), Err(error)) = (own.upgrade(), result) {
                running.die(error.headline());
            }
            Poll::Ready(())
        }));
        Ok(running)
    }
}

struct ReactorTimer(ReactorHandle);

impl Clock for ReactorTimer {
    fn now(&self) -> Time {
        self.0.now()
    }
}

impl ScriptTimer for ReactorTimer {
    fn sleep_until(&self, at: Time) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(self.0.sleep_until(at))
    }
}

/// A processor on a worker.
#[derive(Default)]
pub(crate) struct RunningProcessor {
    jobs: RefCell<VecDeque<String>>,
    /// Wakes the loop that takes jobs.
    taker: RefCell<Option<Waker>>,
    waiting: RefCell<FxHashMap<u64, Waiting>>,
    next_id: Cell<u64>,
    /// The code of an uncaught exception that ended it.
    dead: RefCell<Option<String>>,
    /// Who hears what a user's functions tell outside of calls.
    listeners: RefCell<FxHashMap<String, TellCallback>>,
}

/// Hears what a function tells while no call of it is under way: events, messages to send.
pub(crate) type TellCallback = Rc<dyn Fn(&Value)>;

#[derive(Default)]
struct Waiting {
    waker: Option<Waker>,
    reply: Option<String>,
}

/// A call of a function.
pub(crate) struct Job<'j> {
    pub(crate) kind: &'static str,
    pub(crate) names: Vec<String>,
    pub(crate) vu: &'j str,
    pub(crate) vars: Value,
    pub(crate) more: Value,
}

impl RunningProcessor {
    /// Calls functions one after the other; returns the result that the loop reports.
    ///
    /// # Errors
    /// The message of an uncaught exception.
    pub(crate) async fn call(&self, job: Job<'_>) -> Result<Value, String> {
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        let mut text = json!({"id": id, "kind": job.kind, "names": job.names, "vu": job.vu, "uid": job.vu, "vars": job.vars});
        if let (Value::Object(whole), Value::Object(more)) = (&mut text, job.more) {
            whole.extend(more);
        }
        self.waiting.borrow_mut().insert(id, Waiting::default());
        self.push(text.to_string());
        let reply = poll_fn(|cx| {
            if let Some(message) = &*self.dead.borrow() {
                return Poll::Ready(Err(message.clone()));
            }
            let mut waiting = self.waiting.borrow_mut();
            let Some(place) = waiting.get_mut(&id) else {
                return Poll::Ready(Err("the call is gone".to_owned()));
            };
            match place.reply.take() {
                Some(reply) => {
                    waiting.remove(&id);
                    Poll::Ready(Ok(reply))
                }
                None => {
                    place.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await?;
        serde_json::from_str(&reply).map_err(|error| error.to_string())
    }

    /// Deletes a user's context.
    pub(crate) fn forget(&self, vu: &str) {
        self.listeners.borrow_mut().remove(vu);
        self.push(json!({"kind": "end", "vu": vu}).to_string());
    }

    /// From here on `callback` hears what the user's functions tell.
    pub(crate) fn listen(&self, vu: &str, callback: impl FnOnce() -> TellCallback) {
        let mut listeners = self.listeners.borrow_mut();
        if !listeners.contains_key(vu) {
            listeners.insert(vu.to_owned(), callback());
        }
    }

    fn tell(&self, vu: &str, text: &str) {
        let listener = self.listeners.borrow().get(vu).cloned();
        if let (Some(listener), Ok(told)) = (listener, serde_json::from_str(text)) {
            listener(&told);
        }
    }

    /// Gives the loop a job that has no reply.
    pub(crate) fn notify(&self, job: &Value) {
        self.push(job.to_string());
    }

    fn push(&self, job: String) {
        self.jobs.borrow_mut().push_back(job);
        if let Some(taker) = self.taker.borrow_mut().take() {
            taker.wake();
        }
    }

    /// The next job, for the loop.
    fn next(self: &Rc<Self>) -> impl Future<Output = String> + 'static {
        let own = self.clone();
        poll_fn(move |cx| match own.jobs.borrow_mut().pop_front() {
            Some(job) => Poll::Ready(job),
            None => {
                *own.taker.borrow_mut() = Some(cx.waker().clone());
                Poll::Pending
            }
        })
    }

    /// Takes the result of a job.
    fn done(&self, id: u64, reply: String) {
        if let Some(place) = self.waiting.borrow_mut().get_mut(&id) {
            place.reply = Some(reply);
            if let Some(waker) = place.waker.take() {
                waker.wake();
            }
        }
    }

    fn die(&self, message: String) {
        *self.dead.borrow_mut() = Some(message);
        for (_, place) in self.waiting.borrow_mut().iter_mut() {
            if let Some(waker) = place.waker.take() {
                waker.wake();
            }
        }
    }
}
