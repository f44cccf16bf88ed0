//! `inspect`: what a script or an archive says and plans, without sending anything.

use std::time::Duration;

use loadline_k6_options::flags::{FlagKind, FlagSpec};
use loadline_session::k6::K6Test;
use loadline_testplan::{Executor, Plan, Scenario};
use loadline_text::{Dialect, Exit};
use loadline_units::duration::go_string;
use serde_json::{Map, Value, json};

use super::Script;
use super::loadline_flags::flag;
use crate::context::Context;

/// What is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inspection {
    /// The script's own options.
    Options,
    /// All options laid over each other, and what they need.
    Requirements,
    /// When iterations are planned to start.
    Schedule,
}

/// Flags of the command, beside those of `run`.
static INSPECT_FLAGS: [FlagSpec; 2] = [
    flag(
        "execution-requirements",
        FlagKind::Switch,
        "",
        "all options laid over each other, longest time and most users",
    ),
    flag(
        "schedule",
        FlagKind::Switch,
        "",
        "when iterations are planned to start",
    ),
];

/// Prints what `args` ask for; gives the exit code.
pub(in super::super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let mut rest = vec!["--quiet".to_owned()];
    rest.extend_from_slice(args);
    let script = Script::read_with(context, &INSPECT_FLAGS, &rest);
    let inspected = script.and_then(|script| {
        let shown = Inspection::asked(&script);
        let mut test = script.prepare(context, None)?;
        if let Some(spacing) = script.flags.options.arrivals {
            test.test.plan = test.test.plan.spaced(spacing);
        }
        Ok(go_json(&shown.show(&test)))
    });
    match inspected {
        Ok(text) => {
            // As in k6, no end of line follows.
            context.out(&text);
            Exit::Success.code(Dialect::K6)
        }
        Err(stop) => stop.print(context, &context.catalog(None)),
    }
}

impl Inspection {
    /// The last one that is asked for.
    fn asked(script: &Script) -> Self {
        let given = script.parsed.given.in_order();
        let asked = given.filter(|(_, value)| *value == "true");
        let asked = asked.filter_map(|(name, _)| match name {
            "execution-requirements" => Some(Self::Requirements),
            "schedule" => Some(Self::Schedule),
            _ => None,
        });
        asked.last().unwrap_or(Self::Options)
    }

    fn show(self, test: &K6Test) -> Value {
        match self {
            Self::Options => Value::Object(test.script_options.to_inspection()),
            Self::Requirements => {
                let mut options: Map<String, Value> = test.options.to_inspection();
                let plan = &test.test.plan;
                options.insert(
                    "totalDuration".to_owned(),
                    go_string(plan.latest_end()).into(),
                );
                options.insert("maxVUs".to_owned(), plan.possible_vus().into());
                Value::Object(options)
            }
            Self::Schedule => {
                let segment = test.options.execution_segment.as_ref();
                json!({
                    "executionSegment": segment.map(ToString::to_string),
                    "scenarios": scenarios(&test.test.plan),
                })
            }
        }
    }
}

/// Each scenario's planned starts, nanoseconds from the start of load; of one whose users
/// loop, how many users and iterations there are.
fn scenarios(plan: &Plan) -> Vec<Value> {
    plan.scenarios.iter().map(scenario).collect()
}

fn scenario(scenario: &Scenario) -> Value {
    let mut shown = Map::new();
    let mut add = |name: &str, value: Value| shown.insert(name.to_owned(), value);
    add("name", scenario.name.clone().into());
    add("executor", scenario.executor.name().into());
    add("startTime", go_string(scenario.start_time).into());
    if let Some(arrivals) = scenario.executor.arrivals() {
        let mut planned = arrivals.starts();
        let starts = (0..).map_while(|index| planned.start_of(index));
        let starts: Vec<u64> = starts.map(|at| nanos(scenario.start_time + at)).collect();
        add("starts", starts.len().into());
        add("startOffsetsNs", starts.into());
    }
    match &scenario.executor {
        Executor::SharedIterations(e) => {
            add("vus", e.vus.into());
            add("iterations", e.iterations.into());
        }
        Executor::PerVuIterations(e) => {
            add("vus", e.vus.into());
            add("iterations", (e.vus * e.iterations).into());
        }
        Executor::ConstantVus(e) => {
            add("vus", e.vus.into());
        }
        Executor::RampingVus(e) => {
            let steps = e.steps();
            let steps = steps.as_slice().iter();
            let steps = steps.map(|step| json!({ "atNs": nanos(step.at), "vus": step.vus }));
            add("steps", steps.collect());
        }
        _ => {}
    }
    Value::Object(shown)
}

fn nanos(length: Duration) -> u64 {
    u64::try_from(length.as_nanos()).unwrap_or(u64::MAX)
}

/// JSON as Go writes it: indented, with what means something in HTML escaped.
pub(super) fn go_json(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // These three stand only within strings.
    text.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}
