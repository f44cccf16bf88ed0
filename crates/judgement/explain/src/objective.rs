//! What a run is judged by: what is asked of its requests, and whether they keep to it under load.
//!
//! What is missed while little is asked, too, is the time of the work itself; what is missed only under load is
//! waiting.

use super::input::{CallerView, ExplainedRun, GivenObjective, GoalVerdict, ObjectiveMeasure};
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
    /// It is missed in the busy part.
    pub is_missed_while_busy: bool,
    /// It is missed there, and not by chance: the whole run does not keep to it either, where its load was even.
    pub(super) is_missed: bool,
    /// It is missed without any waiting, too.
    pub is_missed_by_itself: bool,
}

impl JudgedObjective {
    /// Wrong answers miss it, and nothing says that the load makes them wrong: they are as wrong while little is asked, as
    /// far as that is seen.
    pub(super) fn is_missed_by_answers(&self) -> bool {
        let is_missed_alone = |share: f64| share > self.objective.most;
        self.is_missed
            && self.objective.measure == ObjectiveMeasure::ChecksFailed
            && self.unloaded.is_none_or(is_missed_alone)
    }

    /// What it came to: over the whole run, as its verdict has it, else in the busy part.
    #[must_use]
    pub fn verdict(&self) -> GoalVerdict {
        self.objective.verdict.unwrap_or(GoalVerdict {
            value: self.value,
            is_missed: self.is_missed_while_busy,
        })
    }

    /// The busy part says otherwise than the whole run.
    #[must_use]
    pub fn is_otherwise_while_busy(&self) -> bool {
        self.verdict().is_missed != self.is_missed_while_busy
    }
}

/// The objectives of a run, judged by the busy part. Those of which too little is known are left out. Of a load that is
/// even the whole run tells as much: what it kept nobody lost by chance in a part of it.
pub(super) fn judged(view: &RunView<'_>, is_even: bool) -> Vec<JudgedObjective> {
    let objectives = view.run.objectives.iter();
    let mut judged: Vec<JudgedObjective> = objectives.filter_map(|one| judge(one, view)).collect();
    for one in judged.iter_mut().filter(|_| is_even) {
        let is_kept = one.objective.verdict.is_some_and(|whole| !whole.is_missed);
        one.is_missed &= !is_kept;
        one.is_missed_by_itself &= !is_kept;
    }
    judged
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
        || busy.good.percentile(FASTEST_PERCENTILE).unwrap_or(0.0) > objective.most,
        // What is missed by failures is no long time.
        |quiet| objective.is_missed_by(quiet) && objective.measured(quiet).is_finite(),
    );
    Some(JudgedObjective {
        value: objective.measured(busy),
        unloaded: quiet.map(|quiet| objective.measured(quiet)),
        is_missed,
        is_missed_while_busy: is_missed,
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
