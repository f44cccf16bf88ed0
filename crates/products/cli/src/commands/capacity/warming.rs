//! `--warmup` of `capacity` and `matrix`: the target is warm before anything of it is judged.

use loadline_session::WarmUpSetting;
use loadline_session::steered::{self, warming};
use loadline_text::{capacity, grouped, latency, problem};
use loadline_units::duration::go_string;

use super::searched::{SearchInterrupts, broken, refused};
use crate::commands::run::Steerable;
use crate::context::Context;
use crate::refusal::Refusal;

/// How a target is warmed up.
pub(in crate::commands) struct Warming {
    pub(in crate::commands) setting: WarmUpSetting,
    /// The scenario whose iterations warm it; those of all without one.
    pub(in crate::commands) scenario: Option<String>,
    pub(in crate::commands) interrupts: SearchInterrupts,
}

/// Warms the target of `test` up, and says what became of it; whether nobody interrupted it.
///
/// # Errors
/// The load cannot begin, or the test ended it.
pub(in crate::commands) fn warm_up(
    context: &mut Context,
    mut test: Steerable,
    asked: Warming,
) -> Result<bool, Refusal> {
    let setting = asked.setting;
    let catalog = context.catalog(test.lang);
    // Nothing of it is a measurement: it is neither stored nor observed.
    test.options.keep = None;
    test.options.observe = None;
    test.options.arrivals = None;
    let interrupts = asked.interrupts.receiver;
    let requirements = warming::requirements(setting, asked.scenario);
    context.err(&format!(
        "{}\n",
        catalog.text(&capacity::warming(warming::WARMING_USERS))
    ));
    let mut load = steered::steer(test.test, &requirements, &test.options, Some(interrupts))
        .map_err(|error| refused(&error, &catalog))?;
    let found = warming::warm_up(&mut load, setting);
    let is_interrupted = load.is_interrupted();
    let outcome = load.finish();
    let Some(found) = found else {
        if is_interrupted {
            return Ok(false);
        }
        let reason = outcome.as_deref().and_then(broken).unwrap_or_default();
        return Err(Refusal::other(problem::start_failed(
            &test.facts.name,
            reason,
        )));
    };
    let took = catalog.length(&go_string(found.took));
    let requests = grouped(found.requests, 0);
    let said = match found.medians_ms {
        None => capacity::warmed_nothing(took, requests),
        Some((early, late)) => {
            let (early, late) = (latency(early), latency(late));
            if found.is_steady {
                capacity::warmed(took, requests, early, late)
            } else {
                capacity::warmed_not_steady(took, requests, early, late)
            }
        }
    };
    context.err(&format!("{}\n\n", catalog.text(&said)));
    Ok(true)
}
