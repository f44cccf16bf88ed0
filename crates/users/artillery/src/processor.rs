//! Processors: JavaScript functions that a flow calls.
//!
//! As in Artillery, all users of a worker share one instance of the module. It runs in loadline's own
//! interpreter ([`interpreter`]) when that has everything it uses ([`missing_names`]), else in the system's Node
//! ([`node`]). In both, one loop takes jobs, runs each as a promise, and reports its result, so a function that
//! waits does not delay others. Each user has its own context, whose variables are passed as JSON. Without a
//! processor there is no JavaScript runtime.

mod error;
mod files;
mod interpreter;
mod missing_names;
mod node;
mod running;
mod shims;

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Builtins, CodeTrust, Program, UsedName, VmOptions};
use loadline_reactor::ReactorHandle;
use serde_json::{Map, Value};

use crate::console::Console;
pub use error::ProcessorError;
use interpreter::Interpreter;
use node::NodeProcessor;
pub(crate) use running::{Job, RunningProcessor};

/// A processor that is ready to run.
pub(crate) struct Processor {
    home: Home,
    /// The names it exports, so that a missing function is found before the run.
    names: BTreeSet<String>,
    notice: Option<ProcessorNotice>,
}

/// What code may take, and whose it may be.
#[derive(Debug, Clone, Default)]
pub(crate) struct CodeLimits {
    /// Most bytes that each runtime may take; `None` for no limit.
    pub(crate) memory: Option<usize>,
    /// Whose files hold code.
    pub(crate) trust: CodeTrust,
}

/// Where a processor runs.
enum Home {
    Interpreter(Interpreter),
    Node(NodeProcessor),
}

/// A processor uses what loadline's interpreter does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorNotice {
    /// The first such name: `fetch`, `axios`, `fs.writeFile`.
    pub name: String,
    /// `file:line:column` of it.
    pub place: String,
    /// The version of Node that runs it; `None` if there is no Node.
    pub node: Option<String>,
}

/// Runs a test that is written in JavaScript or TypeScript; gives what it exports.
///
/// # Errors
/// [`ProcessorError`].
pub(crate) fn test_of(
    path: &Path,
    env: &Map<String, Value>,
    console: &Arc<dyn Console>,
    limits: &CodeLimits,
) -> Result<Value, ProcessorError> {
    let names = ["config", "scenarios", "before", "after"];
    let values = Interpreter::compile(path, env, limits)?.values(&names, console)?;
    Ok(Value::Object(values))
}

impl Processor {
    /// Reads a file with its imports, decides where it runs, and runs its init code once.
    ///
    /// # Errors
    /// [`ProcessorError`].
    pub(crate) fn load(
        path: &Path,
        env: &Map<String, Value>,
        console: &Arc<dyn Console>,
        limits: &CodeLimits,
    ) -> Result<Self, ProcessorError> {
        let entry = files::url_of(path);
        let trust = &limits.trust;
        let files = files::FileLoader {
            trust: trust.clone(),
        };
        let loader = Arc::new(files::OwnFileLoader(files));
        let program = Program::build(&entry, loader, Builtins::new());
        let program = program.map_err(|errors| ProcessorError::of_program(&errors))?;
        let lacking = {
            let options = VmOptions::default();
            let vm = interpreter::surroundings(&options, &files::folder_of(path), env, console)?;
            let lacking = missing_names::first_missing(&program, &vm);
            lacking.map_err(|error| ProcessorError::Init(error.message()))?
        };
        let node = lacking.as_ref().and_then(|_| node::find(env));
        let (home, names, version) = match node {
            Some(binary) => {
                let own = program.files();
                for file in own.iter().filter(|file| file.url.starts_with("file:")) {
                    let checked = files::check_packages(&files::path_of(file.url), trust);
                    checked.map_err(ProcessorError::Foreign)?;
                }
                let loaded = NodeProcessor::load(binary, path, &program, env, console)?;
                let (processor, file) = loaded;
                (Home::Node(processor), file.names, Some(file.version))
            }
            None => {
                let interpreter = Interpreter::compile(path, env, limits)?;
                let names = interpreter.names(console)?;
                (Home::Interpreter(interpreter), names, None)
            }
        };
        Ok(Self {
            home,
            names: names.into_iter().collect(),
            notice: lacking.map(|name| ProcessorNotice::new(&name, version)),
        })
    }

    /// Whether it has a function with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The names it exports.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// What it uses that the interpreter lacks, if anything.
    pub(crate) fn notice(&self) -> Option<&ProcessorNotice> {
        self.notice.as_ref()
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
        match &self.home {
            Home::Interpreter(interpreter) => interpreter.start(handle, console),
            Home::Node(node) => node.start(handle, console),
        }
    }
}

impl ProcessorNotice {
    fn new(name: &UsedName, node: Option<String>) -> Self {
        let names = name.module.iter().chain(&name.path);
        let names: Vec<&str> = names.map(String::as_str).collect();
        let file = files::path_of(&name.file);
        Self {
            name: names.join("."),
            place: format!("{}:{}:{}", file.display(), name.line, name.column),
            node,
        }
    }
}
