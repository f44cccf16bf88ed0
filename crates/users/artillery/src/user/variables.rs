//! The file's variables, as each user begins with them.

use loadline_units::Random;
use serde_json::{Map, Value};

use crate::test::LoadedTest;

/// Sets the file's variables; from a list, a random item.
pub(super) fn set_variables(vars: &mut Map<String, Value>, test: &LoadedTest, random: &Random) {
    for (name, value) in &test.script.config.variables {
        match value {
            Value::Array(items) => match items.get(random.below(items.len())) {
                Some(item) => vars.insert(name.clone(), item.clone()),
                None => vars.shift_remove(name),
            },
            value => vars.insert(name.clone(), value.clone()),
        };
    }
}
