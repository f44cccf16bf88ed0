//! Tests written in JavaScript or TypeScript: what they export is the file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::request::LoadRequest;
use crate::console::Console;
use crate::processor::{self, CodeLimits};

/// Keeps what a program prints while the file is read.
#[derive(Default)]
struct KeptLines(Mutex<String>);

impl Console for KeptLines {
    fn print(&self, text: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_str(&text);
    }

    fn print_error(&self, text: String) {
        self.print(text);
    }
}

/// Runs the program at `path` as `request` says; what it prints is added to `printed`.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn read(
    path: &Path,
    request: &LoadRequest,
    printed: &mut String,
) -> Result<Value, String> {
    let env = request.env.iter();
    let env = env.map(|(name, value)| (name.clone(), Value::String(value.clone())));
    let kept = Arc::new(KeptLines::default());
    let console: Arc<dyn Console> = kept.clone();
    let limits = CodeLimits {
        memory: request.memory_limit,
        trust: request.trust_of_test(),
    };
    let read = processor::test_of(path, &env.collect(), &console, &limits);
    printed.push_str(&kept.0.lock().unwrap_or_else(PoisonError::into_inner));
    read.map_err(|error| error.to_string())
}
