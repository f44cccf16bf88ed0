//! When a target that was cold got as fast as it stayed.

use loadline_analysis::compare::ComparedWindow;

use super::Explanation;
use super::finding::RuleId;
use super::input::ExplainedRun;

/// From here on requests take at most so many times as long as in the end.
const WARM_FACTOR_MAX: f64 = 1.3;
/// A second is judged with its neighbours: so many in all.
const SMOOTHED_SECONDS: usize = 3;

/// The time in which a target warmed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmingSpan {
    /// Seconds until requests were as fast as they stayed.
    pub seconds: u64,
    /// Requests that ended until then.
    pub requests: f64,
    /// Mean time of a request at first, ms.
    pub early_ms: f64,
    /// In the end.
    pub late_ms: f64,
}

/// The time in which the target of `run` warmed up; `None` where its explanation does not say that it did.
#[must_use]
pub fn warming_span(run: &ExplainedRun, explanation: &Explanation) -> Option<WarmingSpan> {
    let mut rules = explanation.findings.iter().map(|finding| finding.rule);
    let is_cold = rules.any(|rule| matches!(rule, RuleId::Cold | RuleId::Warming));
    is_cold.then(|| span(&run.windows)).flatten()
}

fn span(windows: &[ComparedWindow]) -> Option<WarmingSpan> {
    let third = windows.len() / 3;
    if third == 0 {
        return None;
    }
    let late_ms = mean_ms(&windows[windows.len() - third..])?;
    let mut smoothed = windows.windows(SMOOTHED_SECONDS.min(windows.len()));
    // The last second that is slow with its neighbours; a single one is none.
    let slow = smoothed
        .rposition(|some| mean_ms(some).is_some_and(|mean| mean > WARM_FACTOR_MAX * late_ms))?;
    let warm = (slow + SMOOTHED_SECONDS).min(windows.len());
    Some(WarmingSpan {
        seconds: warm as u64,
        requests: windows[..warm].iter().map(|window| window.requests).sum(),
        early_ms: mean_ms(&windows[..third])?,
        late_ms,
    })
}

/// Mean time of the requests of some windows, ms.
fn mean_ms(windows: &[ComparedWindow]) -> Option<f64> {
    let sum: f64 = windows.iter().map(|window| window.durations.sum()).sum();
    let count: u64 = windows.iter().map(|window| window.durations.count()).sum();
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(ms: f64) -> ComparedWindow {
        let mut window = ComparedWindow {
            requests: 10.0,
            ..ComparedWindow::default()
        };
        for _ in 0..10 {
            window.durations.record(ms);
        }
        window
    }

    #[test]
    fn it_is_warm_after_the_last_slow_second() {
        let falling = (0..12).map(|s| second(200.0 - 15.0 * f64::from(s)));
        let windows: Vec<ComparedWindow> = falling.chain((0..30).map(|_| second(20.0))).collect();
        let found = span(&windows).unwrap();
        assert!((12..=15).contains(&found.seconds), "{found:?}");
        assert!((found.requests - 10.0 * found.seconds as f64).abs() < 1e-9);
        assert!((found.late_ms - 20.0).abs() < 0.5 && found.early_ms > 80.0);
    }

    #[test]
    fn a_steady_target_has_no_such_time() {
        assert_eq!(span(&[]), None);
        assert_eq!(
            span(&(0..30).map(|_| second(20.0)).collect::<Vec<_>>()),
            None
        );
    }
}
