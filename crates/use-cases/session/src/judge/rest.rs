//! A second look at a run, without the seconds that the generator's own delays touched.

use std::time::Duration;

use loadline_metrics::{Merger, MetricId, MetricValue, Totals, Window, builtin};
use loadline_record::{MergedPart, Run, Summary, Verdict};

use super::Judge;
use crate::health::{CloseLook, CountedTime, Delays, seconds_long};
use crate::outcome::GoalJudge;

impl Judge {
    /// Counts a second, for a second look without those that the generator's delays touched.
    pub(super) fn count(&mut self, window: &Window, delays: Delays, totals: &mut Merger) {
        let is_whole = self.is_whole(window);
        self.thresholds.observe(window, is_whole, totals);
        totals.leave_out_late(window);
        let seconds_long = seconds_long(totals.totals());
        (self.close_goals).count(window, totals, &delays, seconds_long);
        let is_touched = (self.touched).count(window, is_whole, delays, totals.totals());
        if is_touched {
            totals.leave_out(window);
            self.calm.leave_out(is_whole);
        } else {
            self.calm.observe(window, is_whole, totals);
            self.show_calm(window, totals);
        }
    }

    /// Looks at a run again without the seconds that the generator's delays touched, and notes
    /// whether its verdict stands; the summary of the other seconds, where there is one.
    pub(crate) fn look_again(
        &self,
        whole: &mut Summary,
        merger: &Merger,
        goals: Option<&dyn GoalJudge>,
    ) -> Option<Summary> {
        let rest = self.summarize_rest(whole, merger, goals);
        let (seconds, touched) = self.touched.counts();
        whole.settle(seconds, touched, rest.as_ref());
        if self.close_goals.is_missed_beyond_stops(&self.thresholds) {
            whole.settle_missed_by_count();
        }
        if whole.verdict() == Verdict::ThresholdsFailed {
            match self.close_goals.look(&self.thresholds) {
                CloseLook::Stands => {}
                CloseLook::Doubtful(found) => whole.doubt_missed(found),
                CloseLook::Untold(goals) => whole.run.untold_goals = goals,
            }
            if rest.is_some() {
                let of_all = self.thresholds.missed_of_all();
                whole.run.untold_goals.extend(of_all);
            }
        }
        rest
    }

    /// The summary of the seconds that the generator's delays did not touch; `None` without one,
    /// and of a run that it did not limit.
    fn summarize_rest(
        &self,
        whole: &Summary,
        merger: &Merger,
        goals: Option<&dyn GoalJudge>,
    ) -> Option<Summary> {
        let run = &whole.run;
        if run.generator.limits(run.duration).is_empty() {
            return None;
        }
        let from = self.counted_from().or(self.began);
        let duration = self.touched.calm_time(&CountedTime {
            after: from.map_or(Duration::ZERO, |from| from.since(self.windows_from)),
            lasts: run.duration,
        })?;
        let totals = &merger.rest();
        let mut thresholds = self.calm.clone();
        thresholds.evaluate_part(totals, duration, &self.thresholds, run.duration);
        let mut generator = self.touched.health_of_rest(&run.generator, totals);
        let of_touched = |metric| count(merger.totals(), metric) - count(totals, metric);
        let (dropped, started) = (
            of_touched(builtin::DROPPED_ITERATIONS),
            of_touched(builtin::START_LAG),
        );
        generator.dropped_starts = generator.dropped_starts.saturating_sub(dropped);
        generator.planned_starts = generator.planned_starts.saturating_sub(started + dropped);
        let of_rest = goals.and_then(GoalJudge::judge_rest);
        let run = Run {
            duration,
            generator,
            goals: of_rest.or(run.goals),
            ..run.clone()
        };
        let part = MergedPart { merger, totals };
        Some(Summary::from_part(
            part,
            merger.registry(),
            &thresholds,
            run,
        ))
    }
}

/// How many a metric counted.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count; the cast saturates"
)]
fn count(totals: &Totals, metric: MetricId) -> u64 {
    match totals.metric(metric) {
        Some(MetricValue::Counter(Some(sum))) => sum.value() as u64,
        Some(MetricValue::Trend(trend)) => trend.count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
