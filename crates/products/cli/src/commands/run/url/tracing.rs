//! `--trace-cost PAIRS`: what tracing costs the target, by pairs of runs with every request traced and
//! with none.

use loadline_analysis::tracing::{TracedRun, TracedRuns, tracing_cost};
use loadline_bare::TraceShare;
use loadline_metrics::ValueBounds;
use loadline_record::signals::{SignalKind, Signals, SourceKind, SourceStatus};
use loadline_report::tracing::{TracingFacts, json, text};
use loadline_session::{RunResult, explanation};
use loadline_text::{Catalog, Exit, tracing};

use super::UrlRun;
use crate::context::Context;
use crate::launch::follow::Inputs;
use crate::launch::launch_flags::drawn_word;
use crate::launch::repeat;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Runs of a pair.
const RUNS_OF_PAIR: u32 = 2;

/// Whether the run with this number (from 1) of a series is the one whose requests ask for traces: first
/// the second of a pair, then the first, so that a drift of the machine falls on both alike.
const fn is_traced(number: u32) -> bool {
    let place = number - 1;
    let (pair, is_second) = (place / RUNS_OF_PAIR, place % RUNS_OF_PAIR == 1);
    pair.is_multiple_of(2) == is_second
}

/// Runs the pairs and prints what traces cost.
///
/// # Errors
/// A run cannot be carried through, or the store cannot be read.
pub(super) fn run_pairs(
    run: &UrlRun<'_>,
    context: &mut Context,
    inputs: &Inputs,
    pairs: u32,
) -> Result<Exit, Refusal> {
    let catalog = Catalog::new(run.catalog.lang());
    let seed = u64::from(drawn_word());
    let count = RUNS_OF_PAIR * pairs;
    let ended = repeat::in_series(context, count, &catalog, |context, series| {
        let (share, title) = if is_traced(series.number) {
            (1.0, tracing::tracing_run_all())
        } else {
            (0.0, tracing::tracing_run_none())
        };
        context.out(&format!("{}\n", catalog.text(&title)));
        let factory = run.factory.clone().traced(TraceShare { share, seed });
        run.run(context, inputs, factory, Some(series))
    })?;
    let mut measured = MeasuredPairs::default();
    for two in ended.outcomes.chunks_exact(2) {
        measured.add(run, context, two)?;
    }
    let facts = TracingFacts {
        series: ended.id,
        ..measured.facts
    };
    let found = tracing_cost(&measured.pairs);
    context.out(&format!("\n{}", text(&found, &facts, &catalog)));
    if let Some(path) = &run.args.export {
        super::export(&json(&found, &facts), path)?;
    }
    Ok(ended.exit)
}

/// What the pairs measured.
#[derive(Default)]
struct MeasuredPairs {
    pairs: Vec<TracedRuns>,
    facts: TracingFacts,
}

impl MeasuredPairs {
    /// Adds two runs, in the order in which they were run.
    fn add(
        &mut self,
        run: &UrlRun<'_>,
        context: &Context,
        two: &[RunResult],
    ) -> Result<(), Refusal> {
        self.facts.pairs += 1;
        let are_observed = two.iter().all(|outcome| !outcome.signals.is_empty());
        self.facts.is_observed |= are_observed;
        let mut pair = TracedRuns::default();
        let mut is_timed = true;
        for outcome in two {
            let number = outcome.series.as_ref().map_or(1, |series| series.number);
            let (side, seen) = if is_traced(number) {
                (&mut pair.all, &mut self.facts.all)
            } else {
                (&mut pair.none, &mut self.facts.none)
            };
            *side = figures(run, context, outcome)?;
            if let Some(traces) = traces(&outcome.signals) {
                let seen = seen.get_or_insert_default();
                seen.traces += traces;
                seen.requests += requests(outcome);
            }
            // What a request costs the target does not depend on how well it was timed.
            if !outcome.summary.run.generator_limits().is_empty() {
                (side.mean_ms, side.p95_ms) = (None, None);
            }
            is_timed &= side.mean_ms.is_some();
        }
        self.pairs.push(pair);
        self.facts.left_out += usize::from(!is_timed);
        Ok(())
    }
}

/// What a run measured, without the seconds that the generator's own delays touched.
fn figures(run: &UrlRun<'_>, context: &Context, outcome: &RunResult) -> Result<TracedRun, Refusal> {
    let summary = outcome.rest.as_ref().unwrap_or(&outcome.summary);
    let waited = summary.waited();
    let known = |bounds: Option<ValueBounds>| {
        let known = bounds.filter(ValueBounds::is_known);
        known.map(|bounds| bounds.at_least)
    };
    let mut figures = TracedRun {
        cpu_ms: None,
        mean_ms: waited.as_ref().and_then(|waited| known(waited.mean())),
        p95_ms: waited.and_then(|waited| known(waited.percentile(0.95))),
    };
    let Some(kept) = &outcome.kept else {
        return Ok(figures);
    };
    if outcome.signals.sources.is_empty() {
        return Ok(figures);
    }
    let stored = Stored::open(context, run.flags.recording.store.as_deref())?;
    let cpu = explanation::cpu_of_request(&stored.store, stored.find(&kept.name)?);
    figures.cpu_ms = cpu.map_err(|error| stored.refusal(error))?;
    Ok(figures)
}

/// Traces that the target sent; `None` where nothing listened for them.
fn traces(signals: &Signals) -> Option<u64> {
    let is_listening = |source: &SourceStatus| source.kind == SourceKind::Otlp;
    signals.sources.iter().any(is_listening).then(|| {
        let series = signals.of_kind(SignalKind::TracedRequests);
        let last = series.filter_map(|series| series.points().last());
        let count: f64 = last.map(|point| point.value).sum();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a counter of requests"
        )]
        let count = count as u64;
        count
    })
}

fn requests(outcome: &RunResult) -> u64 {
    let sent = outcome.summary.statuses.iter();
    sent.map(|(_, count)| count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_both_and_the_order_changes() {
        let order: Vec<bool> = (1..=8).map(is_traced).collect();
        let expected = [false, true, true, false, false, true, true, false];
        assert_eq!(order, expected);
    }
}
