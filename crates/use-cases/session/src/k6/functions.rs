//! Each exported function of a script as a scenario of its own.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Functions that k6 calls before, after and beside iterations.
const LIFE_CYCLE: [&str; 3] = ["setup", "teardown", "handleSummary"];
/// Options that plan load without scenarios.
const SHORTCUTS: [&str; 4] = ["vus", "duration", "iterations", "stages"];

/// The options of a script that plans no scenarios, with one scenario for each of its functions; `None` where it plans some, or
/// has no function.
pub(super) fn each_a_scenario(options: &Value, exports: &BTreeSet<String>) -> Option<Value> {
    let planned = options.get("scenarios").and_then(Value::as_object);
    if planned.is_some_and(|scenarios| !scenarios.is_empty()) {
        return None;
    }
    let functions = exports
        .iter()
        .filter(|name| !LIFE_CYCLE.contains(&name.as_str()) && name.as_str() != "options");
    let scenarios: serde_json::Map<String, Value> = functions
        .enumerate()
        .map(|(place, name)| {
            let scenario =
                json!({ "executor": "shared-iterations", "vus": 1, "iterations": 1, "exec": name });
            (scenario_name(place, name), scenario)
        })
        .collect();
    if scenarios.is_empty() {
        return None;
    }
    let mut all = options.as_object().cloned().unwrap_or_default();
    for shortcut in SHORTCUTS {
        all.remove(shortcut);
    }
    all.insert("scenarios".to_owned(), Value::Object(scenarios));
    Some(Value::Object(all))
}

/// The name of a function's scenario: its own where a scenario may be called so, else by its place.
fn scenario_name(place: usize, function: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if function.chars().all(is_allowed) {
        return function.to_owned();
    }
    // No function has a dash in its name.
    format!("function-{}", place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exports(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn each_function_but_those_of_the_life_cycle_is_a_scenario() {
        let options = json!({ "vus": 10, "duration": "30s", "thresholds": {} });
        let names = [
            "default",
            "list",
            "handleSummary",
            "order",
            "setup",
            "teardown",
        ];
        let made = each_a_scenario(&options, &exports(&names)).unwrap();
        let scenarios: Vec<&String> = made["scenarios"].as_object().unwrap().keys().collect();
        assert_eq!(scenarios, ["default", "list", "order"]);
        assert_eq!(made["scenarios"]["order"]["exec"], "order");
        assert_eq!((made.get("vus"), made.get("duration")), (None, None));
        assert!(made.get("thresholds").is_some());
    }

    #[test]
    fn functions_with_names_that_no_scenario_may_have_get_scenarios_too() {
        let names = ["default", "order", "주문", "$pay"];
        let made = each_a_scenario(&json!({}), &exports(&names)).unwrap();
        let scenarios = made["scenarios"].as_object().unwrap();
        let mut functions: Vec<&str> = scenarios
            .values()
            .map(|scenario| scenario["exec"].as_str().unwrap())
            .collect();
        functions.sort_unstable();
        assert_eq!(functions, ["$pay", "default", "order", "주문"]);
        assert_eq!(scenarios["function-1"]["exec"], "$pay");
        assert_eq!(scenarios["function-4"]["exec"], "주문");
    }

    #[test]
    fn scenarios_that_are_planned_stay() {
        let options = json!({ "scenarios": { "a": {} } });
        assert_eq!(each_a_scenario(&options, &exports(&["default"])), None);
        assert_eq!(each_a_scenario(&json!({}), &exports(&["setup"])), None);
    }
}
