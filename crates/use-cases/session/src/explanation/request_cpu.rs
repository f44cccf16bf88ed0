//! CPU time of the target for a request, from what its process used between the first and the last look at it
//! while load went on.
//!
//! Elsewhere: what limits a run (crate `explain`), which needs longer to be sure.

use loadline_explain::ExplainedRun;
use loadline_record::signals::{SignalKind, SignalSeries};

/// Looks that are nearer to each other tell too little.
const SPAN_MIN_MS: u64 = 2_000;
/// Fewer requests tell too little.
const REQUESTS_MIN: f64 = 20.0;
const MILLIS_OF_SECOND: f64 = 1_000.0;
const MILLIS_OF_WINDOW: u64 = 1_000;

/// CPU time for a request, ms, of the process that used most; `None` where none was looked at for long enough.
pub(super) fn of_request(run: &ExplainedRun) -> Option<f64> {
    let series = run.signals.of_kind(SignalKind::ProcessCpu);
    series
        .filter_map(|series| of_process(run, series))
        .reduce(f64::max)
}

fn of_process(run: &ExplainedRun, series: &SignalSeries) -> Option<f64> {
    let until = run.from_ms + MILLIS_OF_WINDOW * run.windows.len() as u64;
    let is_loaded = |at: u64| (run.from_ms..=until).contains(&at);
    let mut looks = series
        .points()
        .iter()
        .filter(|point| is_loaded(point.at_ms));
    let first = looks.next()?;
    let last = looks.next_back()?;
    let used = last.value - first.value;
    let requests = requests(run, first.at_ms, last.at_ms);
    let is_long = last.at_ms - first.at_ms >= SPAN_MIN_MS && requests >= REQUESTS_MIN;
    // A process that was started anew counts from zero.
    (is_long && used >= 0.0).then(|| used * MILLIS_OF_SECOND / requests)
}

/// Requests answered between two moments, those of a window spread evenly over it.
fn requests(run: &ExplainedRun, from: u64, to: u64) -> f64 {
    let begins = (0..).map(|place| run.from_ms + MILLIS_OF_WINDOW * place);
    let parts = run.windows.iter().zip(begins).map(|(window, begin)| {
        let shared = to
            .min(begin + MILLIS_OF_WINDOW)
            .saturating_sub(from.max(begin));
        window.requests * shared as f64 / MILLIS_OF_WINDOW as f64
    });
    parts.sum()
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;
    use loadline_record::signals::{Entity, Signals};

    use super::*;

    /// Ten requests a second for five seconds from the third on, and looks at a process that uses `cores`.
    fn run(cores: f64, looks: &[u64]) -> ExplainedRun {
        let mut signals = Signals::default();
        for at in looks {
            let used = cores * *at as f64 / MILLIS_OF_SECOND;
            signals.push(SignalKind::ProcessCpu, &Entity::new(), *at, 7.0 + used);
        }
        let window = ComparedWindow {
            requests: 10.0,
            ..ComparedWindow::default()
        };
        ExplainedRun {
            from_ms: 3_000,
            windows: vec![window; 5],
            signals,
            ..ExplainedRun::default()
        }
    }

    #[test]
    fn what_a_process_used_under_load_is_shared_by_the_requests_of_that_time() {
        // Before and after load nobody asks.
        let looks = [500, 1_500, 3_500, 4_500, 5_500, 6_500, 7_500, 9_000];
        let cpu = of_request(&run(0.2, &looks)).unwrap();
        assert!((cpu - 20.0).abs() < 1e-9, "{cpu}");
        // A look that came late takes its requests with it.
        let cpu = of_request(&run(0.2, &[3_100, 6_900])).unwrap();
        assert!((cpu - 20.0).abs() < 1e-9, "{cpu}");
    }

    #[test]
    fn too_short_a_look_and_a_process_started_anew_tell_nothing() {
        assert_eq!(of_request(&run(0.2, &[3_500, 4_500])), None);
        assert_eq!(of_request(&run(0.2, &[500, 9_000])), None);
        assert_eq!(of_request(&run(-0.2, &[3_500, 7_500])), None);
        assert_eq!(of_request(&run(0.2, &[])), None);
    }
}
