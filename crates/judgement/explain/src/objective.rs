//! What a run is judged by: what is asked of its requests, and whether they keep to it under load.
//!
//! What is missed while little is asked, too, is the time of the work itself; what is missed only under load is
//! waiting.

use super::input::{CallerView, ExplainedRun, GivenObjective};
use super::view::RunView;

/// Fewer requests of an endpoint tell nothing.
const REQUESTS_MIN: u64 = 20;
/// The fastest of a load that never was low: those who wait least.
const FASTEST_PERCENTILE: f64 = 0.1;

/// An objective with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedObjective {
    /// What is asked.
    pub objective: GivenObjective,
    /// What was measured in the busy part: ms, or a share; infinite where too few starts were
    /// answered well.
    pub value: f64,
    /// ... and while little was asked; `None` where the load never was low.
    pub unloaded: Option<f64>,
    /// It is missed.
    pub is_missed: bool,
    /// It is missed without any waiting, too.
    pub is_missed_by_itself: bool,
}

/// The objectives of a run, judged by the busy part. Those of which too little is known are left out.
pub(super) fn judged(view: &RunView<'_>) -> Vec<JudgedObjective> {
    let objectives = view.run.objectives.iter();
    objectives.filter_map(|one| judge(one, view)).collect()
}

fn judge(objective: &GivenObjective, view: &RunView<'_>) -> Option<JudgedObjective> {
    let (of_endpoint, quiet_of_endpoint);
    let (busy, quiet) = match &objective.endpoint {
        None => (&view.callers, view.quiet.as_ref()),
        Some(name) => {
            let endpoint = endpoint(view.run, name)?;
            of_endpoint = CallerView::from_windows(endpoint.windows.get(view.busy_windows())?);
            quiet_of_endpoint = view.quiet_of(&endpoint.windows);
            (&of_endpoint, quiet_of_endpoint.as_ref())
        }
    };
    if busy.durations.count() < REQUESTS_MIN {
        return None;
    }
    let is_missed = objective.is_missed_by(busy);
    let is_missed_while_quiet = quiet.map_or_else(
        || busy.percentile_ms(FASTEST_PERCENTILE) > objective.most,
        // What is missed by failures is no long time.
        |quiet| objective.is_missed_by(quiet) && objective.measured(quiet).is_finite(),
    );
    Some(JudgedObjective {
        value: objective.measured(busy),
        unloaded: quiet.map(|quiet| objective.measured(quiet)),
        is_missed,
        is_missed_by_itself: is_missed
            && objective.measure.is_time()
            && is_missed_while_quiet
            && !view.run.is_kept_below,
        objective: objective.clone(),
    })
}

/// The endpoint of this name, with its method or without.
fn endpoint<'a>(run: &'a ExplainedRun, name: &str) -> Option<&'a super::ExplainedEndpoint> {
    run.endpoints.iter().find(|one| {
        let path = one.name.split_once(' ').map_or("", |(_, path)| path);
        one.name == name || path == name
    })
}
