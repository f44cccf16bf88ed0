//! Targets that `loadline.yaml` lists as shared: load on them is confirmed, and sent in their
//! hours.

use std::io::BufRead;
use std::time::Duration;

use jiff::Zoned;
use loadline_testplan::Plan;
use loadline_text::{Catalog, problem, testbed};
use loadline_units::duration::go_string;

use super::expected_load::expected_load;
use crate::context::Context;
use crate::project::SharedTarget;
use crate::refusal::Refusal;

/// The longest that a run counts for the hours of a target.
const RUN_LENGTH_MAX: Duration = Duration::from_secs(86_400 * 7);

/// What is typed about shared targets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SharedTargetFlags {
    /// Load on them is confirmed.
    pub(crate) yes: bool,
    /// Also outside their hours.
    pub(crate) force: bool,
}

/// Sees that load may be sent to `target` now, and asks a person who can answer.
///
/// # Errors
/// The load is not to be.
pub(super) fn confirm(
    context: &mut Context,
    flags: SharedTargetFlags,
    target: &SharedTarget,
    plan: &Plan,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let begins = now(context);
    let length = plan.latest_end().min(RUN_LENGTH_MAX);
    let ends = begins
        .checked_add(length)
        .unwrap_or_else(|_| begins.clone());
    let in_hours = target.allows(&begins) && target.allows(&ends);
    if !in_hours && !flags.force {
        let problem = problem::shared_hours(&target.host, target.when());
        return Err(Refusal::config(problem));
    }
    let note = if target.note.is_empty() {
        String::new()
    } else {
        format!("({})", target.note)
    };
    if flags.yes
        || (context.is_interactive() && is_confirmed(context, target, &note, plan, catalog))
    {
        return Ok(());
    }
    Err(Refusal::config(problem::shared_target(&target.host, note)))
}

fn is_confirmed(
    context: &mut Context,
    target: &SharedTarget,
    note: &str,
    plan: &Plan,
    catalog: &Catalog,
) -> bool {
    let length = catalog.length(&go_string(plan.regular_end()));
    let ask = testbed::shared_ask(
        &target.host,
        note,
        catalog.text(&expected_load(plan)),
        length,
    );
    context.err(&format!("{} ", catalog.text(&ask)));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    let answer = answer.trim().to_lowercase();
    read.is_ok() && ["y", "yes", "예", "네"].contains(&answer.as_str())
}

/// The time of day here.
fn now(context: &Context) -> Zoned {
    let now = crate::stored::now_ms(context);
    let now = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    now.to_zoned(crate::zone::local())
}
