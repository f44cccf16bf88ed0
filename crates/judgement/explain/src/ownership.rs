//! Whose work it is: what grows with the callers' requests is theirs.
//!
//! A database counts the statements of all who use it. Over the seconds of a run calls = a + b × requests:
//! b × requests are the target's, a is somebody else's. A load that never changes cannot tell.

use loadline_record::signals::SignalSeries;

use super::input::{CallerView, share};
use super::view::RunView;

/// Seconds that are compared.
const SECONDS_MIN: usize = 10;
/// Requests a second vary by this share of their mean at least: else nothing can be told.
const LOAD_DEVIATION_MIN: f64 = 0.15;

/// A second of a run.
struct Second {
    requests: f64,
    grown: f64,
}

/// The share of a counter's growth that goes with the callers' requests, 0 to 1; `None` where the load did not
/// change enough to tell.
pub(super) fn own_share(view: &RunView<'_>, series: &SignalSeries) -> Option<f64> {
    let seconds = seconds(view, series);
    if seconds.len() < SECONDS_MIN {
        return None;
    }
    let count = f64::from(u32::try_from(seconds.len()).ok()?);
    let mean = |value: fn(&Second) -> f64| seconds.iter().map(value).sum::<f64>() / count;
    let (requests, grown) = (mean(|one| one.requests), mean(|one| one.grown));
    let sum = |value: &dyn Fn(&Second) -> f64| seconds.iter().map(value).sum::<f64>();
    let variance = sum(&|one| (one.requests - requests).powi(2));
    if requests <= 0.0 || (variance / count).sqrt() < LOAD_DEVIATION_MIN * requests {
        return None;
    }
    let together = sum(&|one| (one.requests - requests) * (one.grown - grown));
    let each = together / variance;
    Some(share(each * requests, grown).clamp(0.0, 1.0))
}

/// Between every two looks: by how much it grew a second, and how many requests ended a second.
fn seconds(view: &RunView<'_>, series: &SignalSeries) -> Vec<Second> {
    let pairs = series.points().windows(2);
    let second = |pair: &[loadline_record::signals::SignalPoint]| {
        let (before, after) = (&pair[0], &pair[1]);
        let at = |ms: u64| {
            let past = ms.checked_sub(view.run.from_ms)?;
            usize::try_from(past / 1000).ok()
        };
        let windows = view.run.windows.get(at(before.at_ms)?..=at(after.at_ms)?)?;
        let passed =
            f64::from(u32::try_from(after.at_ms.checked_sub(before.at_ms)?).ok()?) / 1000.0;
        let is_fallen = after.value < before.value;
        (passed > 0.0 && !is_fallen).then(|| Second {
            requests: CallerView::from_windows(windows).ended,
            grown: (after.value - before.value) / passed,
        })
    };
    pairs.filter_map(second).collect()
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;
    use loadline_record::signals::{Entity, SignalKind};

    use super::*;
    use crate::ExplainedRun;

    /// Each request makes `own` calls, and somebody else makes `others` a second; the load grows or stays.
    fn share_of(own: f64, others: f64, grows: bool) -> Option<f64> {
        let mut run = ExplainedRun::default();
        let (of, mut calls) = (Entity::new(), 0.0);
        for second in 0..40_u32 {
            let requests = 20.0 + if grows { f64::from(second) } else { 0.0 };
            run.windows.push(ComparedWindow {
                requests,
                ..ComparedWindow::default()
            });
            let at_ms = u64::from(second) * 1000 + 300;
            run.signals
                .push(SignalKind::StatementCalls, &of, at_ms, calls);
            calls += requests * own + others;
        }
        let view = RunView::new(&run);
        own_share(&view, &run.signals.series()[0])
    }

    #[test]
    fn what_grows_with_the_requests_is_theirs() {
        assert!(share_of(12.0, 0.0, true).is_some_and(|share| share > 0.9));
        assert!(share_of(0.0, 500.0, true).is_some_and(|share| share < 0.1));
        let half = share_of(10.0, 400.0, true);
        assert!(
            half.is_some_and(|share| (0.4..0.6).contains(&share)),
            "{half:?}"
        );
    }

    #[test]
    fn a_load_that_never_changes_cannot_tell() {
        assert_eq!(share_of(12.0, 100.0, false), None);
    }
}
