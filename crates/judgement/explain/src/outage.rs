//! Times in which the target was down: nobody listened at its address. They say nothing of its limits.

use std::borrow::Cow;

use super::input::{CallerView, ExplainedLoad, ExplainedRun};
use loadline_analysis::compare::ComparedWindow;

/// So many connections are refused, and none accepted, in at least so many seconds: fewer may be one of several instances that is gone.
const REFUSED_CONNECTIONS_MIN: f64 = 10.0;
const SILENT_SECONDS_MIN: usize = 2;

/// Seconds in a row in which connections were refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outage {
    /// Seconds since the run's start; the end is not part of it.
    pub(super) from: u64,
    pub(super) to: u64,
    /// Of these, from the first to the last in which nobody was answered.
    pub(super) silent_from: u64,
    pub(super) silent_to: u64,
    /// Nothing was asked of the target after it.
    pub(super) is_last: bool,
    /// Connections that were refused.
    pub(super) refused: f64,
    /// Answered well per second, before.
    pub(super) before: f64,
}

/// A run without its outages, and those.
pub(super) struct ServedPart<'a> {
    /// The longest part of the run between them; the run itself if there is none.
    pub(super) run: Cow<'a, ExplainedRun>,
    pub(super) outages: Vec<Outage>,
}

impl<'a> ServedPart<'a> {
    pub(super) fn new(run: &'a ExplainedRun) -> Self {
        let down = down(&run.windows);
        let mut between = Vec::new();
        let mut end = 0;
        for &(from, to) in &down {
            between.push((end, from));
            end = to;
        }
        between.push((end, run.windows.len()));
        let longest = between.into_iter().max_by_key(|(from, to)| to - from);
        let served = longest.filter(|(from, to)| !down.is_empty() && to > from);
        Self {
            run: match served {
                Some((from, to)) => Cow::Owned(part(run, from, to)),
                None => Cow::Borrowed(run),
            },
            outages: down
                .iter()
                .map(|&(from, to)| outage(run, from, to))
                .collect(),
        }
    }
}

fn outage(run: &ExplainedRun, from: usize, to: usize) -> Outage {
    let asked = |window: &ComparedWindow| window.requests > 0.0;
    let stretch = &run.windows[from..to];
    let first = stretch.iter().position(is_silent).unwrap_or(0);
    let last = stretch.iter().rposition(is_silent);
    let end = last.map_or(stretch.len(), |last| last + 1);
    let second = |at: usize| run.from_ms / 1000 + u64::try_from(at).unwrap_or(u64::MAX);
    Outage {
        from: second(from),
        to: second(to),
        silent_from: second(from + first),
        silent_to: second(from + end),
        is_last: !run.windows[to..].iter().any(asked),
        refused: stretch.iter().map(|window| window.refused).sum(),
        before: CallerView::from_windows(&run.windows[..from]).answered,
    }
}

/// Connections are refused, and nobody is answered.
fn is_silent(window: &ComparedWindow) -> bool {
    window.refused > 0.0 && window.requests <= window.failed
}

/// From the first to the last second with refused connections, where those between them refuse some, too, or ask for nothing.
fn down(windows: &[ComparedWindow]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < windows.len() {
        let of_it = |window: &ComparedWindow| window.refused > 0.0 || window.requests <= 0.0;
        let to = at
            + windows[at..]
                .iter()
                .take_while(|window| of_it(window))
                .count();
        let stretch = &windows[at..to];
        let is_refused = |window: &ComparedWindow| window.refused > 0.0;
        let silent = stretch.iter().filter(|window| is_silent(window)).count();
        let refused: f64 = stretch
            .iter()
            .filter(|window| is_silent(window))
            .map(|window| window.refused)
            .sum();
        let edges = (
            stretch.iter().position(is_refused),
            stretch.iter().rposition(is_refused),
        );
        if let (Some(first), Some(last)) = edges
            && silent >= SILENT_SECONDS_MIN
            && refused >= REFUSED_CONNECTIONS_MIN
        {
            all.push((at + first, at + last + 1));
        }
        at = to.max(at + 1);
    }
    all
}

/// A part of a run. What is known of the whole run alone is not known of it.
fn part(run: &ExplainedRun, from: usize, to: usize) -> ExplainedRun {
    ExplainedRun {
        from_ms: run.from_ms + 1000 * u64::try_from(from).unwrap_or(u64::MAX),
        windows: run.windows[from..to].to_vec(),
        load: ExplainedLoad {
            iteration_ms: 0.0,
            ..run.load
        },
        times: None,
        alike: None,
        // Users who are refused at once come again at once: that may be what the generator could not do.
        generator_limits: Vec::new(),
        signals: run.signals.clone(),
        statuses: run.statuses.clone(),
        kinds: run.kinds.clone(),
        failed_answers: run.failed_answers.clone(),
        endpoints: Vec::new(),
        objectives: run.objectives.clone(),
        idle: run.idle.clone(),
        carried_before: run.carried_before,
        alone_before_ms: run.alone_before_ms,
        is_kept_below: run.is_kept_below,
        searched: run.searched.clone(),
        is_no_matter_of_load: run.is_no_matter_of_load,
        cut_of_run: run.cut_of_run,
        turned_away: run.turned_away,
        // These windows are others.
        busy: None,
    }
}
