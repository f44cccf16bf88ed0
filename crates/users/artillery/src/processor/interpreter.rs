//! A processor in loadline's own interpreter: a runtime for each worker.

use std::future::poll_fn;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Poll, Waker};

use loadline_js::{Builtins, Call, Exports, Program, Stacks, Vm, VmOptions};
use loadline_reactor::ReactorHandle;
use serde_json::{Map, Value};

use super::error::ProcessorError;
use super::running::RunningProcessor;
use super::{CodeLimits, files, shims};
use crate::console::Console;

/// The modules of Node that are provided.
pub(super) const MODULES: [&str; 12] = [
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
];

/// A compiled processor.
pub(super) struct Interpreter {
    program: Arc<Program>,
    folder: String,
    env: Map<String, Value>,
    memory_limit: Option<usize>,
}

impl Interpreter {
    /// Compiles a file with all that it imports.
    ///
    /// # Errors
    /// [`ProcessorError::Program`].
    pub(super) fn compile(
        path: &Path,
        env: &Map<String, Value>,
        limits: &CodeLimits,
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
        let loader = files::FileLoader {
            trust: limits.trust.clone(),
        };
        let program = Program::build(&entry, Arc::new(loader), builtins);
        let program = program.map_err(|errors| ProcessorError::of_program(&errors))?;
        Ok(Self {
            program: Arc::new(program),
            folder: files::folder_of(path),
            env: env.clone(),
            memory_limit: limits.memory,
        })
    }

    /// The names it exports, once its init code has run.
    ///
    /// # Errors
    /// [`ProcessorError`].
    pub(super) fn names(&self, console: &Arc<dyn Console>) -> Result<Vec<String>, ProcessorError> {
        let options = VmOptions {
            memory_limit: self.memory_limit,
            ..VmOptions::default()
        };
        let (_vm, exports) = self.instance(&options, console)?;
        let keys = |value: &loadline_js::Value| -> Vec<String> {
            let keys = value.keys().unwrap_or_default();
            keys.iter().map(|key| key.to_text()).collect()
        };
        let mut names = keys(&exports);
        if let Ok(default) = exports.get("default")
            && default.is_object()
        {
            names.extend(keys(&default));
        }
        Ok(names)
    }

    /// The exports of these names as values, once its init code has run: its own, or those of what it
    /// exports by default.
    ///
    /// # Errors
    /// [`ProcessorError`].
    pub(super) fn values(
        &self,
        names: &[&str],
        console: &Arc<dyn Console>,
    ) -> Result<Map<String, Value>, ProcessorError> {
        let failed = |error: loadline_js::Exception| ProcessorError::Init(error.message());
        let (_vm, exports) = self.instance(&VmOptions::default(), console)?;
        let default = exports.get("default").map_err(failed)?;
        let mut values = Map::new();
        for name in names {
            for from in [&exports, &default] {
                if !from.is_object() {
                    continue;
                }
                let text = from.get(*name).and_then(|value| value.to_json());
                if let Some(text) = text.map_err(failed)? {
                    let value = serde_json::from_str(&text);
                    let value = value.map_err(|error| ProcessorError::Init(error.to_string()))?;
                    values.entry((*name).to_owned()).or_insert(value);
                }
            }
        }
        Ok(values)
    }

    /// A runtime in which its init code has run, and its exports.
    fn instance(
        &self,
        options: &VmOptions,
        console: &Arc<dyn Console>,
    ) -> Result<(Vm, loadline_js::Value), ProcessorError> {
        let vm = surroundings(options, &self.folder, &self.env, console)?;
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
    pub(super) fn start(
        &self,
        handle: &ReactorHandle,
        console: &Arc<dyn Console>,
    ) -> Result<Rc<RunningProcessor>, ProcessorError> {
        let options = VmOptions {
            timer: Rc::new(handle.clone()),
            stacks: Stacks::default(),
            random_seed: Some(crate::random::from_system().next()),
            memory_limit: self.memory_limit,
            ..VmOptions::default()
        };
        let (vm, exports) = self.instance(&options, console)?;
        let running = Rc::new(RunningProcessor::default());
        let call = shims::start(&vm, &exports, &running)
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

/// A runtime with what processors find around them, and no processor.
pub(super) fn surroundings(
    options: &VmOptions,
    folder: &str,
    env: &Map<String, Value>,
    console: &Arc<dyn Console>,
) -> Result<Vm, ProcessorError> {
    let options = VmOptions {
        node_errors: true,
        ..options.clone()
    };
    let vm = Vm::new(&options).map_err(|error| ProcessorError::Init(error.to_string()))?;
    shims::install(vm.ctx(), folder, env, console.clone())
        .map_err(|error| ProcessorError::Init(error.message()))?;
    Ok(vm)
}
