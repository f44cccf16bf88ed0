//! Functions for templates: Artillery's, fake data, and loadline's own.

mod fake;
mod random_string;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::number_text;
use loadline_units::Random;

pub use fake::names as fake_names;
use random_string::random_string;

/// The available functions.
#[derive(Debug, Clone, Default)]
pub struct Functions {
    /// Whether the `fake-data` plugin is on.
    pub fake_data: bool,
    counters: Arc<std::sync::Mutex<Counters>>,
}

/// Counters of `$seq` and `$uniqueInt`, by the text of the call.
type Counters = rustc_hash::FxHashMap<String, Arc<AtomicU64>>;

/// A call in a template, with its function.
#[derive(Debug, Clone)]
pub struct FunctionCall {
    name: String,
    arguments: Vec<Option<f64>>,
    function: Function,
}

#[derive(Debug, Clone)]
enum Function {
    RandomNumber,
    RandomString,
    Fake(fake::Maker),
    /// The next whole number; all users share the sequence.
    Sequence(Arc<AtomicU64>),
    /// A whole number that no other call with this range gets.
    UniqueInt(Arc<AtomicU64>),
    /// Milliseconds since 1970.
    Now,
}

/// What a call gets from the worker.
pub struct CallContext<'a> {
    /// Randomness.
    pub random: &'a Random,
    /// Milliseconds since 1970.
    pub now_millis: i64,
}

impl Functions {
    /// Artillery's functions and loadline's own, and those of the `fake-data` plugin if it is on.
    #[must_use]
    pub fn new(fake_data: bool) -> Self {
        Self {
            fake_data,
            ..Self::default()
        }
    }

    /// The function that a call names; `None` if there is none.
    #[must_use]
    pub fn find(&self, name: &str, arguments: &str) -> Option<FunctionCall> {
        let counter = |key: String| {
            let mut counters = self
                .counters
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            counters.entry(key).or_default().clone()
        };
        let function = match name {
            "$randomNumber" => Function::RandomNumber,
            "$randomString" => Function::RandomString,
            "$seq" => Function::Sequence(counter("$seq".to_owned())),
            "$uniqueInt" => {
                let key: String = arguments.chars().filter(|c| !c.is_whitespace()).collect();
                Function::UniqueInt(counter(key))
            }
            "$now" => Function::Now,
            name if self.fake_data => Function::Fake(fake::find(name.strip_prefix('$')?)?),
            _ => return None,
        };
        let arguments = arguments
            .split(',')
            .map(str::trim)
            .filter(|argument| !argument.is_empty())
            // A name is not a value: Artillery reads its `value`, which does not exist.
            .map(|argument| argument.parse().ok())
            .collect();
        Some(FunctionCall {
            name: name.to_owned(),
            arguments,
            function,
        })
    }
}

/// All names that templates may call, with the dollar sign.
pub(crate) fn names(functions: &Functions) -> Vec<String> {
    let own = [
        "$randomNumber",
        "$randomString",
        "$seq",
        "$uniqueInt",
        "$now",
    ];
    let mut names: Vec<String> = own.map(str::to_owned).to_vec();
    if functions.fake_data {
        names.extend(fake_names().map(|name| format!("${name}")));
    }
    names
}

impl FunctionCall {
    /// Its name, with the dollar sign.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls it; `None` if it has no value left.
    #[must_use]
    pub fn run(&self, needs: &CallContext<'_>) -> Option<String> {
        let argument = |index: usize| self.arguments.get(index).copied().flatten();
        Some(match &self.function {
            Function::RandomNumber => {
                let (low, high) = match (argument(0), argument(1)) {
                    (Some(low), Some(high)) => (low, high),
                    (Some(high), None) => (0.0, high),
                    (None, Some(high)) => (0.0, high),
                    (None, None) => (0.0, 1.0),
                };
                number_text(crate::random::between(needs.random, low, high))
            }
            Function::RandomString => random_string(needs.random, argument(0).unwrap_or(10.0)),
            Function::Fake(maker) => maker(needs.random),
            Function::Sequence(next) => next.fetch_add(1, Ordering::Relaxed).to_string(),
            Function::UniqueInt(next) => {
                let (low, high) = (argument(0).unwrap_or(0.0), argument(1));
                let taken = next.fetch_add(1, Ordering::Relaxed);
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                let number = low + taken as f64;
                if high.is_some_and(|high| number > high) {
                    return None;
                }
                number_text(number)
            }
            Function::Now => needs.now_millis.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> Option<String> {
        let functions = Functions {
            fake_data: true,
            ..Functions::default()
        };
        let needs = CallContext {
            random: &Random::new(3),
            now_millis: 99,
        };
        functions.find(name, arguments)?.run(&needs)
    }

    #[test]
    fn random_numbers_and_strings_are_what_was_asked_for() {
        let number: f64 = call("$randomNumber", "5, 7").unwrap().parse().unwrap();
        assert!((5.0..=7.0).contains(&number));
        assert_eq!(call("$randomString", "").unwrap().len(), 10);
        assert_eq!(call("$randomString", "3").unwrap().len(), 3);
        assert_eq!(call("$now", "").unwrap(), "99");
        assert_eq!(call("$nope", ""), None);
    }

    #[test]
    fn unique_numbers_are_never_the_same_and_run_out() {
        let functions = Functions::default();
        let needs = CallContext {
            random: &Random::new(3),
            now_millis: 0,
        };
        let first = functions.find("$uniqueInt", "1, 3").unwrap();
        let second = functions.find("$uniqueInt", "1,3").unwrap();
        assert_eq!(first.run(&needs).unwrap(), "1");
        assert_eq!(second.run(&needs).unwrap(), "2");
        assert_eq!(first.run(&needs).unwrap(), "3");
        assert_eq!(second.run(&needs), None);
    }

    #[test]
    fn every_fake_function_gives_something() {
        for name in fake_names() {
            let text = call(&format!("${name}"), "").unwrap();
            assert!(!text.is_empty(), "{name}");
        }
        assert!(call("$internetEmail", "").unwrap().contains('@'));
        assert!(call("$randEmail", "").unwrap().contains('@'));
    }
}
