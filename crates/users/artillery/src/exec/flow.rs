//! Runs the steps of a flow one after the other, as Artillery's engine does.
//!
//! Every step is a future on the worker. Elsewhere: which engine runs a scenario, in
//! [`crate::exec::scenario`]; requests in [`crate::exec::http`].

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use loadline_reactor::yield_now;
use serde_json::Value;

use crate::exec::hooks;
use crate::exec::http;
use crate::model::{FlowStep, Loop, LoopCount, LoopSource, ScenarioSpec, Think};
use crate::ms;
use crate::read::count_of_text;
use crate::text::{json_number, to_number, to_text};
use crate::vu::{FlowFailure, StepsResult, Vu};

/// After this many turns without a wait, a loop yields to other users.
const TURNS_IN_A_ROW: u32 = 1000;

/// Runs steps in order. Boxed, because steps contain steps.
pub(crate) fn steps<'s>(
    vu: &'s Rc<Vu>,
    scenario: &'s ScenarioSpec,
    steps: &'s [FlowStep],
) -> Pin<Box<dyn Future<Output = StepsResult> + 's>> {
    Box::pin(async move {
        for item in steps {
            step(vu, scenario, item).await?;
        }
        Ok(())
    })
}

pub(crate) async fn step(vu: &Rc<Vu>, scenario: &ScenarioSpec, step: &FlowStep) -> StepsResult {
    match step {
        FlowStep::Request(request) => http::request(vu, scenario, request).await,
        FlowStep::Think(spec) => think(vu, spec).await,
        FlowStep::Log(text) => {
            let line = {
                let vars = vu.vars.borrow();
                text.render_text(&vu.scope(&vars))
            };
            vu.shared.console.print(line + "\n");
            Ok(())
        }
        FlowStep::Function(name) => hooks::function(vu, scenario, name).await,
        FlowStep::Loop(spec) => {
            let turn = async || steps(vu, scenario, &spec.steps).await;
            repeat(vu, spec, TURNS_IN_A_ROW, turn).await
        }
        FlowStep::Parallel { steps, limit } => parallel(vu, scenario, steps, *limit).await,
        // Messages and events belong to flows that `ws` and `socket_io` run.
        FlowStep::Connect(_) | FlowStep::Message(_) | FlowStep::Emit(_) | FlowStep::Foreign => {
            Ok(())
        }
    }
}

/// How long a think step waits.
///
/// # Errors
/// The time is malformed.
pub(crate) fn think_time(vu: &Vu, spec: &Think) -> Result<Duration, FlowFailure> {
    let rendered = {
        let vars = vu.vars.borrow();
        spec.time.render(&vu.scope(&vars))
    };
    let text = to_text(rendered.as_ref());
    let invalid = || FlowFailure::new(format!("Invalid think time: {text}"));
    let number = to_number(rendered.as_ref());
    let is_whole = !number.is_nan() && number.fract() == 0.0;
    let millis = if is_whole {
        // Artillery appends an `s` to the text.
        ms::parse(&format!("{text}s")).unwrap_or(number * 1000.0)
    } else if matches!(rendered, Some(Value::Number(_))) {
        if vu.shared.test.strict_compat {
            1.0
        } else {
            number * 1000.0
        }
    } else {
        ms::parse(&text).ok_or_else(invalid)?
    };
    let jitter = spec
        .jitter
        .as_ref()
        .or(vu.shared.test.script.config.think_jitter.as_ref());
    Ok(ms::duration(match jitter {
        Some(jitter) => jittered(millis, jitter, vu.local.random.unit()),
        None => millis,
    }))
}

/// `1000` with `20%` or with `200` gives 800 to 1200.
fn jittered(millis: f64, jitter: &str, unit: f64) -> f64 {
    let digits: String = jitter
        .trim()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let Ok(amount) = digits.parse::<f64>() else {
        return millis;
    };
    let base = millis.trunc();
    let spread = if jitter.contains('%') {
        base * amount / 100.0
    } else {
        amount
    };
    (base - spread + unit * 2.0 * spread).max(0.0)
}

async fn think(vu: &Rc<Vu>, spec: &Think) -> StepsResult {
    let time = think_time(vu, spec)?;
    vu.handle.sleep_until(vu.handle.now() + time).await;
    Ok(())
}

/// The first and the last turn of a loop, and its elements.
struct LoopRange {
    index: f64,
    to: f64,
    over: Option<Vec<Value>>,
    nothing_to_go_through: bool,
}

impl LoopRange {
    /// Sets the loop's variables for the first turn.
    fn begin(vu: &Vu, spec: &Loop) -> Self {
        let (from, to) = match &spec.count {
            None => (0.0, -1.0),
            Some(LoopCount::Fixed(from, to)) => (*from, *to),
            Some(LoopCount::Templated(template)) => {
                let rendered = {
                    let vars = vu.vars.borrow();
                    template.render(&vu.scope(&vars))
                };
                match rendered {
                    Some(Value::Number(number)) => (0.0, number.as_f64().unwrap_or(0.0)),
                    Some(Value::String(text)) => count_of_text(&text),
                    _ => (0.0, 0.0),
                }
            }
        };
        let mut nothing_to_go_through = false;
        let over = match &spec.over {
            None => None,
            Some(LoopSource::Items(items)) => Some(items.clone()),
            Some(LoopSource::Variable(path)) => {
                let vars = vu.vars.borrow();
                let scope = vu.scope(&vars);
                let found =
                    path.find(|name| crate::template::TemplateScope::variable(&scope, name));
                if let Some(Value::Array(items)) = found {
                    Some(items.clone())
                } else {
                    nothing_to_go_through = true;
                    None
                }
            }
        };
        let turns = Self {
            index: from,
            to,
            over,
            nothing_to_go_through,
        };
        match &turns.over {
            Some(_) => turns.set_element(vu, spec),
            None => vu.set(&spec.element_name, json_number(from)),
        }
        vu.set(&spec.value_name, json_number(from));
        turns
    }

    fn element(&self) -> Option<&Value> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a turn's number"
        )]
        self.over.as_ref()?.get(self.index as usize)
    }

    fn set_element(&self, vu: &Vu, spec: &Loop) {
        match self.element() {
            Some(element) => vu.set(&spec.element_name, element.clone()),
            None => {
                vu.vars.borrow_mut().shift_remove(&spec.element_name);
            }
        }
    }

    /// Whether there is a first turn at all.
    fn may_begin(&self) -> bool {
        !self.nothing_to_go_through
    }

    fn has_next(&self) -> bool {
        if self.nothing_to_go_through {
            return false;
        }
        match &self.over {
            Some(_) => self.element().is_some(),
            None => self.index < self.to || number_is_minus_one(self.to),
        }
    }

    /// Advances to the next turn.
    fn next(&mut self, vu: &Vu, spec: &Loop) {
        self.index += 1.0;
        let number = to_number(vu.vars.borrow().get(&spec.value_name)) + 1.0;
        vu.set(&spec.value_name, json_number(number));
        if self.over.is_some() {
            self.set_element(vu, spec);
        }
    }
}

/// A count of -1 is endless.
fn number_is_minus_one(number: f64) -> bool {
    (number + 1.0).abs() < f64::EPSILON
}

/// Runs a loop; after so many turns in a row it yields to other users.
pub(crate) async fn repeat(
    vu: &Rc<Vu>,
    spec: &Loop,
    in_a_row: u32,
    turn: impl AsyncFn() -> StepsResult,
) -> StepsResult {
    let mut turns = LoopRange::begin(vu, spec);
    let mut count = 0;
    let asks = spec
        .while_true
        .as_ref()
        .filter(|name| vu.has_function(name));
    let mut may_go_on = true;
    while if asks.is_some() {
        turns.may_begin() && may_go_on
    } else {
        turns.has_next()
    } {
        turn().await?;
        turns.next(vu, spec);
        if let Some(name) = asks {
            may_go_on = hooks::should_continue(vu, name).await?;
        }
        count += 1;
        if count % in_a_row == 0 {
            yield_now().await;
        }
    }
    Ok(())
}

async fn parallel(
    vu: &Rc<Vu>,
    scenario: &ScenarioSpec,
    items: &[FlowStep],
    limit: usize,
) -> StepsResult {
    let mut waiting = items.iter();
    let mut running: FuturesUnordered<_> = waiting
        .by_ref()
        .take(limit)
        .map(|item| steps(vu, scenario, std::slice::from_ref(item)))
        .collect();
    while let Some(outcome) = running.next().await {
        outcome?;
        if let Some(item) = waiting.next() {
            running.push(steps(vu, scenario, std::slice::from_ref(item)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::number_text;

    #[test]
    fn jitter_spreads_evenly_around_the_time() {
        assert_eq!(number_text(jittered(1000.0, "20%", 0.0)), "800");
        assert_eq!(number_text(jittered(1000.0, "20%", 0.5)), "1000");
        assert_eq!(number_text(jittered(1000.0, "200", 1.0)), "1200");
        assert_eq!(number_text(jittered(100.0, "500", 0.0)), "0");
        assert_eq!(number_text(jittered(100.0, "x", 0.0)), "100");
    }
}
