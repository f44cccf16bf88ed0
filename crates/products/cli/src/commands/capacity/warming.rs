//! `capacity --warmup`: the target is warm before anything of it is judged.

use loadline_session::WarmUpSetting;
use loadline_session::steered::{self, warming};
use loadline_text::{capacity, grouped, latency, problem};
use loadline_units::duration::go_string;

use super::args::CapacityArgs;
use super::searched::{SearchInterrupts, broken, refused};
use crate::commands::run::Steerable;
use crate::context::Context;
use crate::refusal::Refusal;

/// Warms the target of `test` up, and says what became of it; whether nobody interrupted it.
pub(super) fn warm_up(
    context: &mut Context,
    own: &CapacityArgs,
    mut test: Steerable,
    setting: WarmUpSetting,
) -> Result<bool, Refusal> {
    let catalog = context.catalog(test.lang);
    // Nothing of it is a measurement: it is neither stored nor observed.
    test.options.keep = None;
    test.options.observe = None;
    test.options.arrivals = None;
    let interrupts = SearchInterrupts::watch()?.receiver;
    let requirements = warming::requirements(setting, own.scenario.clone());
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
