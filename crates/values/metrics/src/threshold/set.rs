//! A run's thresholds: checked before it starts, judged while it runs and at its end.

use std::time::Duration;

use super::expression::{Expression, ExpressionError, Operator, ThresholdStatistic};
use super::judge::{ConditionState, ConditionVerdict, judge, judge_censored, judge_planned};
use super::subject::{FAILED_REQUESTS, Subject};
use super::windows::Windows;
use crate::builtin;
use crate::kind::{Kind, MetricId};
use crate::merger::{Merger, Totals, Window};
use crate::registry::Registry;
use crate::submetric::{SubmetricError, SubmetricId, Submetrics};
use crate::value::MetricValue;

/// The thresholds of one metric or sub-metric, as the test writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdSource {
    /// The metric's or sub-metric's name as written.
    pub metric: String,
    /// Its conditions; with none the metric is only shown.
    pub conditions: Vec<Condition>,
}

/// One condition as the test writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// As written: `p(95)<500`.
    pub text: String,
    /// Whether the run stops once it fails.
    pub abort_on_fail: bool,
    /// How long into the run a failure does not stop it yet.
    pub delay_abort: Option<Duration>,
}

/// A threshold that fits its metric.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// What it is about.
    pub subject: Subject,
    /// As written.
    pub condition: Condition,
    /// As understood.
    pub expression: Expression,
    /// How it stood when last judged.
    pub verdict: ConditionVerdict,
    windows: Option<Windows>,
}

/// Why a threshold cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ThresholdError {
    /// Its condition is malformed.
    #[error("threshold `{text}` on `{metric}`: {cause}")]
    Expression {
        /// The metric as written.
        metric: String,
        /// The condition as written.
        text: String,
        /// What is wrong with it.
        cause: ExpressionError,
    },
    /// Its metric is malformed or unknown.
    #[error("threshold on `{metric}`: {cause}")]
    Metric {
        /// The metric as written.
        metric: String,
        /// What is wrong with it.
        cause: SubmetricError,
    },
    /// Metrics of this kind have no such statistic.
    #[error("threshold `{text}` on `{metric}`: a {kind} has no `{method}`")]
    Unsupported {
        /// The metric as written.
        metric: String,
        /// The condition as written.
        text: String,
        /// The statistic's name.
        method: &'static str,
        /// What the metric is.
        kind: Kind,
    },
}

/// When thresholds are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// While the run goes on: metrics without samples are left alone.
    Running,
    /// After its last sample: everything is judged.
    Final,
}

/// Metrics of ours that every load with an arrival rate has: without a sample, what a
/// condition asks was not measured. k6's own metrics follow k6's rules.
const MUST_HAVE_SAMPLES: [MetricId; 2] = [builtin::INTENDED_LATENCY, builtin::START_LAG];

/// The outcome of judging all thresholds once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// Names of the metrics with a failed threshold, in order.
    pub crossed: Vec<String>,
    /// Whether the run must stop now.
    pub abort: bool,
}

/// All thresholds of a run.
#[derive(Debug, Clone, Default)]
pub struct Thresholds {
    subjects: Vec<Subject>,
    all: Vec<Threshold>,
}

impl Thresholds {
    /// Checks every threshold, adding the sub-metrics they name to `submetrics`.
    ///
    /// # Errors
    /// All mistakes, in the order the thresholds are written.
    pub fn compile(
        sources: &[ThresholdSource],
        registry: &Registry,
        submetrics: &mut Submetrics,
    ) -> Result<Self, Vec<ThresholdError>> {
        let mut compiled = Self::default();
        let mut mistakes = Vec::new();
        for source in sources {
            let expressions: Vec<_> = source
                .conditions
                .iter()
                .map(|condition| (condition, parse(source, condition)))
                .collect();
            let subject = subject(source, registry, submetrics);
            if let Err(mistake) = &subject {
                mistakes.push(mistake.clone());
            }
            for (condition, expression) in expressions {
                let fitting = expression.and_then(|expression| match &subject {
                    Ok(subject) => fit(subject, source, condition, expression).map(Some),
                    Err(_) => Ok(None),
                });
                match fitting {
                    Ok(threshold) => compiled.all.extend(threshold),
                    Err(mistake) => mistakes.push(mistake),
                }
            }
            compiled.subjects.extend(subject.ok());
        }
        if mistakes.is_empty() {
            Ok(compiled)
        } else {
            Err(mistakes)
        }
    }

    /// The thresholds, in the order they are written.
    #[must_use]
    pub fn all(&self) -> &[Threshold] {
        &self.all
    }

    /// The metrics and sub-metrics that are named, also without a condition.
    #[must_use]
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// Shows the run's next second to the thresholds that are judged by windows; `is_whole`
    /// tells whether the load ran through all of it.
    pub fn observe(&mut self, second: &Window, is_whole: bool, merger: &Merger) {
        for threshold in &mut self.all {
            if let Some(windows) = &mut threshold.windows {
                let (expression, subject) = (&threshold.expression, &threshold.subject);
                windows.add(expression, subject, second, is_whole, merger);
            }
        }
    }

    /// Takes over how a condition that is judged by windows came out in a run of which only totals are left.
    pub fn take_over(&mut self, metric: &str, condition: &str, verdict: ConditionVerdict) {
        for threshold in &mut self.all {
            let is_it = threshold.subject.name == metric && threshold.condition.text == condition;
            if let Some(windows) = threshold.windows.as_mut().filter(|_| is_it) {
                windows.take_over(verdict);
            }
        }
    }

    /// Leaves the run's next second out of a second look by windows.
    pub fn leave_out(&mut self, is_whole: bool) {
        for threshold in &mut self.all {
            if let Some(windows) = &mut threshold.windows {
                windows.leave_out(&threshold.expression, &threshold.subject, is_whole);
            }
        }
    }

    /// Judges all thresholds at the end of `elapsed`, by a part of the run. What a part cannot
    /// tell (the latest value of a gauge, that so many were counted in all, windows of which
    /// nothing is left) is taken over from `whole`, whose end was after `of_elapsed`.
    pub fn evaluate_part(
        &mut self,
        totals: &Totals,
        elapsed: Duration,
        whole: &Self,
        of_elapsed: Duration,
    ) {
        self.evaluate(totals, elapsed, Phase::Final);
        let longer = of_elapsed.as_secs_f64() / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        for (threshold, of_all) in self.all.iter_mut().zip(&whole.all) {
            let is_told = match threshold.expression.statistic {
                _ if threshold.windows.is_some() => {
                    threshold.verdict.outcome != ConditionState::NoData
                }
                ThresholdStatistic::Count => threshold.judge_count_of_part(of_all, longer),
                ThresholdStatistic::Value => false,
                _ => true,
            };
            if !is_told {
                threshold.verdict = of_all.verdict;
            }
        }
    }

    /// Missed conditions that no part of a run can be judged by: those of a gauge's latest value.
    pub fn missed_of_all(&self) -> impl Iterator<Item = String> {
        let missed = self.all.iter().filter(|threshold| {
            !threshold.is_met()
                && threshold.windows.is_none()
                && threshold.expression.statistic == ThresholdStatistic::Value
        });
        missed.map(|threshold| format!("{} {}", threshold.subject.name, threshold.condition.text))
    }

    /// Judges all thresholds after `elapsed` of the run.
    pub fn evaluate(&mut self, totals: &Totals, elapsed: Duration, phase: Phase) -> Evaluation {
        let mut evaluation = Evaluation::default();
        for threshold in &mut self.all {
            if let Some(windows) = &mut threshold.windows {
                let at_end = phase == Phase::Final;
                let verdict = windows.verdict(&threshold.expression, at_end);
                threshold.verdict = verdict.unwrap_or(ConditionVerdict::NO_DATA);
                threshold.count(&mut evaluation, elapsed);
                continue;
            }
            let subject = &threshold.subject;
            if let Some(planned) = subject.planned(totals) {
                if phase == Phase::Running && planned.planned() == 0 {
                    continue;
                }
                threshold.verdict = judge_planned(&threshold.expression, &planned);
                threshold.count(&mut evaluation, elapsed);
                continue;
            }
            let total = match subject.submetric {
                Some(part) => totals.submetric(part),
                None => totals.metric(subject.metric),
            };
            let nothing = MetricValue::empty(subject.kind);
            let total = total.unwrap_or(&nothing);
            if phase == Phase::Running && total.is_empty() {
                continue;
            }
            if phase == Phase::Final
                && threshold.expression.operator.is_upper_bound()
                && let Some(trend) = subject.with_censored(total, totals)
                && let Some(verdict) = judge_censored(&threshold.expression, &trend)
            {
                threshold.verdict = verdict;
                threshold.count(&mut evaluation, elapsed);
                continue;
            }
            threshold.verdict = if total.is_empty() && MUST_HAVE_SAMPLES.contains(&subject.metric) {
                ConditionVerdict::NOTHING_MEASURED
            } else {
                judge(&threshold.expression, total, elapsed)
            };
            threshold.count(&mut evaluation, elapsed);
        }
        evaluation.crossed.sort_unstable();
        evaluation.crossed.dedup();
        evaluation
    }
}

impl Threshold {
    /// Whether it holds, or was never judged.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.verdict.outcome != ConditionState::Failed
    }

    /// Judges how many there were by a part of the run, of which the whole is so many times as
    /// long; `false` where a part cannot tell. What is left of too many is too many for certain,
    /// and of too few there would have been more without what is left out.
    fn judge_count_of_part(&mut self, of_all: &Self, longer: f64) -> bool {
        let operator = self.expression.operator;
        if operator.is_upper_bound() {
            return true;
        }
        let is_lower = matches!(operator, Operator::Greater | Operator::GreaterOrEqual);
        let Some(counted) = self.verdict.observed.filter(|_| is_lower) else {
            return false;
        };
        let is_short = of_all.verdict.outcome == ConditionState::Failed;
        if is_short && operator.holds(counted * longer, self.expression.limit) {
            self.verdict.outcome = ConditionState::Passed;
            return true;
        }
        false
    }

    fn count(&self, evaluation: &mut Evaluation, elapsed: Duration) {
        if self.is_met() {
            return;
        }
        evaluation.crossed.push(self.subject.name.clone());
        let delayed = self.condition.delay_abort.is_some_and(|d| d >= elapsed);
        evaluation.abort |= self.condition.abort_on_fail && !delayed;
    }
}

fn parse(source: &ThresholdSource, condition: &Condition) -> Result<Expression, ThresholdError> {
    Expression::parse(&condition.text).map_err(|cause| ThresholdError::Expression {
        metric: source.metric.clone(),
        text: condition.text.clone(),
        cause,
    })
}

fn subject(
    source: &ThresholdSource,
    registry: &Registry,
    submetrics: &mut Submetrics,
) -> Result<Subject, ThresholdError> {
    let (metric, submetric) =
        submetrics
            .add(&source.metric, registry)
            .map_err(|cause| ThresholdError::Metric {
                metric: source.metric.clone(),
                cause,
            })?;
    let censored = submetric
        .filter(|_| metric == builtin::INTENDED_LATENCY)
        .and_then(|_| censored_part(source, registry, submetrics));
    let is_planned = metric == builtin::PLANNED_LATENCY && submetric.is_none();
    let failed = is_planned
        .then(|| submetrics.add(FAILED_REQUESTS, registry).ok()?.1)
        .flatten();
    Ok(Subject {
        name: submetric.map_or_else(
            || source.metric.clone(),
            |part| submetrics.get(part).name.clone(),
        ),
        metric,
        submetric,
        kind: registry.get(metric).kind,
        contains: registry.get(metric).contains,
        origin: registry.get(metric).origin,
        censored,
        failed,
    })
}

/// The part of the lower bounds that belongs to a part of `intended_latency`.
fn censored_part(
    source: &ThresholdSource,
    registry: &Registry,
    submetrics: &mut Submetrics,
) -> Option<SubmetricId> {
    let (_, tags) = source.metric.split_once('{')?;
    let name = &registry.get(builtin::INTENDED_LATENCY_CENSORED).name;
    // A test may own the name; then there is nothing to tell apart.
    let added = submetrics.add(&format!("{name}{{{tags}"), registry).ok()?;
    let is_ours = added.0 == builtin::INTENDED_LATENCY_CENSORED;
    added.1.filter(|_| is_ours)
}

fn fit(
    subject: &Subject,
    source: &ThresholdSource,
    condition: &Condition,
    expression: Expression,
) -> Result<Threshold, ThresholdError> {
    if !expression.statistic.is_of(subject.kind) {
        return Err(ThresholdError::Unsupported {
            metric: source.metric.clone(),
            text: condition.text.clone(),
            method: expression.statistic.method(),
            kind: subject.kind,
        });
    }
    Ok(Threshold {
        subject: subject.clone(),
        condition: condition.clone(),
        windows: Windows::new(&expression, subject),
        expression,
        verdict: ConditionVerdict::NO_DATA,
    })
}

#[cfg(test)]
mod tests;
