//! Early and late in the busy part: thirds of it, halves of a short one, and by when requests began.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use super::super::input::{CallerView, number};
use super::super::slow_start::FirstRequests;
use super::growth::Parts;
use super::{Growth, RunView, busy};

/// A third of the busy part, and half of a short one, has so many seconds at least.
const SECONDS_OF_THIRD_MIN: usize = 3;
const SECONDS_OF_HALF_MIN: usize = 2;
/// Requests are told apart by when they began in so many parts of the busy part.
const BEGUN_PARTS: usize = 8;

impl RunView<'_> {
    /// How the first requests of the busy part compare with its last ones.
    pub(in super::super) fn first_requests(&self) -> FirstRequests {
        FirstRequests::new(self.windows())
    }

    /// The callers' mean time early and late in the busy part, ms.
    pub(in super::super) fn mean_early_and_late(&self) -> Option<(f64, f64)> {
        let mean = |part| CallerView::from_windows(part).mean_ms();
        let [early, late] = self.early_and_late()?;
        Some((mean(early), mean(late)))
    }

    /// How much longer requests take late in the busy part than early in it: by when they ended, and by when they began.
    /// What still waits when the load ends has not ended in it.
    pub(in super::super) fn growths(&self) -> Vec<Growth> {
        let Some([early, late]) = self.early_and_late() else {
            return Vec::new();
        };
        let by_end = Growth::new(&Parts {
            means: self.windows().iter().filter_map(mean_of).collect(),
            part: late.len(),
            early: durations(early),
            late: durations(late),
        });
        by_end
            .into_iter()
            .chain(self.growth_by_begin(late.len()))
            .collect()
    }

    /// By how much requests of one kind get slower, by when they ended; `windows` are those of the busy part.
    pub(in super::super) fn growth_of(&self, windows: &[ComparedWindow]) -> Option<Growth> {
        let third = windows.len() / 3;
        let part = if third >= SECONDS_OF_THIRD_MIN {
            third
        } else {
            windows.len() / 2
        };
        Growth::new(&Parts {
            means: windows.iter().filter_map(mean_of).collect(),
            part,
            early: durations(windows.get(..part)?),
            late: durations(windows.get(windows.len() - part..)?),
        })
    }

    /// ... by when they began, which is known to some seconds only of those that took long; `None` where seconds after the
    /// load are not told apart.
    fn growth_by_begin(&self, part: usize) -> Option<Growth> {
        let busy = self.busy_windows();
        let few = busy.len().div_ceil(BEGUN_PARTS).max(1);
        let mut begun = vec![Histogram::default(); busy.len().div_ceil(few)];
        for (second, window) in self.run.windows.iter().enumerate() {
            if window.drained > 0.0 {
                return None;
            }
            for (bucket, count) in window.durations.buckets() {
                let at = busy::begun_in(second, bucket.middle()).checked_sub(busy.start);
                if let Some(of_few) = at.and_then(|at| begun.get_mut(at / few)) {
                    (0..count).for_each(|_| of_few.record(bucket.middle()));
                }
            }
        }
        let part = part.div_ceil(few).min(begun.len());
        Growth::new(&Parts {
            means: begun.iter().filter_map(Histogram::mean).collect(),
            part,
            early: Histogram::joined(&begun[..part]),
            late: Histogram::joined(&begun[begun.len() - part..]),
        })
    }

    /// The callers' mean time in each third of the busy part, ms.
    pub(in super::super) fn mean_of_thirds(&self) -> Option<[f64; 3]> {
        let thirds = self.thirds(SECONDS_OF_THIRD_MIN)?;
        Some(thirds.map(|third| CallerView::from_windows(third).mean_ms()))
    }

    /// The callers' mean time in the middle of the busy part and after it, ms: of a short run, too.
    pub(in super::super) fn mean_middle_and_late(&self) -> Option<(f64, f64)> {
        let [_, middle, late] = self.thirds(1)?;
        let mean = |part| CallerView::from_windows(part).mean_ms();
        Some((mean(middle), mean(late)))
    }

    /// Requests answered well per second early and late in the busy part.
    pub(in super::super) fn answered_early_and_late(&self) -> Option<(f64, f64)> {
        let answered = |part| CallerView::from_windows(part).answered;
        let [early, late] = self.early_and_late()?;
        Some((answered(early), answered(late)))
    }

    /// What callers saw late in the busy part.
    pub(in super::super) fn callers_late(&self) -> Option<CallerView> {
        let [_, late] = self.early_and_late()?;
        Some(CallerView::from_windows(late))
    }

    /// How long good answers took in each third of the busy part, ms.
    pub(in super::super) fn good_of_thirds(&self) -> Option<[Histogram; 3]> {
        let thirds = self.thirds(SECONDS_OF_THIRD_MIN)?;
        Some(thirds.map(|third| CallerView::from_windows(third).good))
    }

    /// The first and the last third of the busy part; of a short run its halves, which hold more.
    fn early_and_late(&self) -> Option<[&[ComparedWindow]; 2]> {
        if let Some([early, _, late]) = self.thirds(SECONDS_OF_THIRD_MIN) {
            return Some([early, late]);
        }
        let windows = self.windows();
        let half = windows.len() / 2;
        (half >= SECONDS_OF_HALF_MIN).then(|| [&windows[..half], &windows[windows.len() - half..]])
    }

    fn thirds(&self, seconds_min: usize) -> Option<[&[ComparedWindow]; 3]> {
        let windows = self.windows();
        let part = windows.len() / 3;
        (part >= seconds_min).then(|| {
            [
                &windows[..part],
                &windows[part..windows.len() - part],
                &windows[windows.len() - part..],
            ]
        })
    }
}

/// How long requests of these seconds took, those that were cut included.
fn durations(windows: &[ComparedWindow]) -> Histogram {
    let mut all = Histogram::default();
    for window in windows {
        all.merge(&window.durations);
        all.merge(&window.cut);
    }
    all
}

/// Their mean in one second, ms.
fn mean_of(window: &ComparedWindow) -> Option<f64> {
    let (ended, cut) = (&window.durations, &window.cut);
    let count = number(ended.count() + cut.count());
    (count > 0.0).then(|| (ended.sum() + cut.sum()) / count)
}
