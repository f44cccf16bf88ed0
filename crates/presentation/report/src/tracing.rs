//! What tracing costs a target: a table over pairs of runs, and the answer in a sentence.

use loadline_analysis::compare::{Change, Finding, UncertaintyReason};
use loadline_analysis::tracing::{TRACING_TOLERANCE, TracedDifference, TracedMeasure};
use loadline_text::{Catalog, Message, evidence, grouped, millis, percent, records, tracing};
use serde_json::json;

use crate::comparison::percent_of;
use crate::grid::{Grid, Side};
use crate::telling_interval::is_informative;

/// The version of the document for programs.
const TRACING_VERSION: u32 = 1;
/// Of requests that ask for no trace, so large a share of traces is more than a few late ones.
const TRACED_ANYWAY_SHARE_MIN: f64 = 0.1;

/// What the comparison itself does not know.
#[derive(Debug, Clone, Default)]
pub struct TracingFacts {
    /// The series that the runs are.
    pub series: String,
    /// Pairs that were run.
    pub pairs: usize,
    /// Those of which a run was not timed well enough to compare latencies.
    pub left_out: usize,
    /// Sources told something of the target.
    pub is_observed: bool,
    /// What came of the requests that asked for no trace; `None` where no source tells of traces.
    pub none: Option<TraceCount>,
    /// Of those that asked for one.
    pub all: Option<TraceCount>,
}

/// Traces that the target sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TraceCount {
    /// Traces.
    pub traces: u64,
    /// The requests they may be of.
    pub requests: u64,
}

/// The whole answer; ends with a line break.
#[must_use]
pub fn text(found: &[TracedDifference], facts: &TracingFacts, catalog: &Catalog) -> String {
    let page = Page { catalog };
    let title = tracing::tracing_title(facts.pairs, &facts.series);
    let mut text = format!("{}\n", catalog.text(&title));
    for doubt in facts.doubts() {
        text.push_str(&format!("! {}\n", catalog.text(&doubt)));
    }
    text.push_str(&format!("\n{}\n", page.table(found)));
    if let Some(answer) = page.answer(found) {
        text.push_str(&format!("{answer}\n"));
    }
    if let Some(advice) = page.advice(found) {
        text.push_str(&format!("{advice}\n"));
    }
    let is_cpu = |one: &TracedDifference| one.measure == TracedMeasure::Cpu;
    if !found.iter().any(is_cpu) {
        let why = if facts.is_observed {
            tracing::cpu_untold()
        } else {
            tracing::cpu_unseen()
        };
        text.push_str(&format!("{}\n", catalog.text(&why)));
    }
    text.push_str(&format!("{}\n", catalog.text(&tracing::tracing_method())));
    text
}

/// The same for programs: one object, times in ms, changes as shares. Members may be added.
#[must_use]
pub fn json(found: &[TracedDifference], facts: &TracingFacts) -> String {
    let change =
        |change: Change| json!({"low": change.low, "middle": change.middle, "high": change.high});
    let count = |count: TraceCount| json!({"traces": count.traces, "requests": count.requests});
    let measures = found.iter().map(|one| {
        let (finding, within, pairs_needed) = match one.finding {
            Finding::Worse => ("costs", None, None),
            Finding::Better => ("less", None, None),
            Finding::NoLargerThan { share } => ("no-difference", Some(share), None),
            Finding::CannotTell {
                why: UncertaintyReason::Spread { runs },
            } => ("cannot-tell", None, runs),
            Finding::CannotTell { .. } | Finding::Planned => ("cannot-tell", None, None),
        };
        json!({
            "measure": match one.measure {
                TracedMeasure::Cpu => "cpu",
                TracedMeasure::Mean => "mean",
                TracedMeasure::P95 => "p95",
            },
            "pairs": one.pairs,
            "none_ms": one.none,
            "all_ms": one.all(),
            "change": one.change.filter(|change| is_informative(*change)).map(change),
            "finding": finding,
            "within": within,
            "pairs_needed": pairs_needed,
        })
    });
    let all = json!({
        "loadline_tracing_cost": TRACING_VERSION,
        "series": facts.series,
        "pairs": facts.pairs,
        "pairs_left_out": facts.left_out,
        "is_observed": facts.is_observed,
        "traces": {"none": facts.none.map(count), "all": facts.all.map(count)},
        "measures": measures.collect::<Vec<_>>(),
    });
    format!("{all}\n")
}

impl TracingFacts {
    /// What keeps the answer from being the whole truth.
    fn doubts(&self) -> Vec<Message> {
        let mut doubts = Vec::new();
        if self.left_out > 0 {
            doubts.push(tracing::pairs_left_out(self.left_out, self.pairs));
        }
        #[expect(clippy::cast_precision_loss, reason = "requests far below 2^53")]
        let is_many = |seen: &TraceCount| {
            seen.traces as f64 >= TRACED_ANYWAY_SHARE_MIN * seen.requests as f64
        };
        let number = |count: u64| grouped(count as f64, 0);
        if let Some(seen) = self.none.filter(|seen| seen.traces > 0 && is_many(seen)) {
            let (traces, requests) = (number(seen.traces), number(seen.requests));
            doubts.push(tracing::traced_anyway(traces, requests));
        }
        if let Some(seen) = self
            .all
            .filter(|seen| seen.traces == 0 && seen.requests > 0)
        {
            doubts.push(tracing::never_traced(number(seen.requests)));
        }
        doubts
    }
}

struct Page<'a> {
    catalog: &'a Catalog,
}

impl Page<'_> {
    fn table(&self, found: &[TracedDifference]) -> String {
        let mut grid = Grid::default();
        grid.column(String::new(), Side::Left);
        for head in [tracing::column_none(), tracing::column_all()] {
            grid.column(self.catalog.text(&head), Side::Right);
        }
        let change = self.catalog.text(&tracing::column_change());
        grid.column(change, Side::Left);
        for one in found {
            let all = one.all().map_or_else(|| "–".to_owned(), millis);
            let name = self.catalog.text(&name(one.measure));
            grid.row(vec![name, millis(one.none), all, self.change(one)]);
        }
        grid.render()
    }

    fn change(&self, one: &TracedDifference) -> String {
        let Some(change) = one.change else {
            return self.catalog.text(&tracing::one_pair());
        };
        match one.finding {
            Finding::NoLargerThan { share } => {
                self.catalog.text(&records::compare_same(percent(share)))
            }
            Finding::CannotTell { .. } if !is_informative(change) => "–".to_owned(),
            _ => self.catalog.text(&tracing::tracing_change(
                signed(change.middle),
                signed(change.low),
                signed(change.high),
            )),
        }
    }

    /// The answer in one sentence; `None` without anything that was measured in two pairs.
    fn answer(&self, found: &[TracedDifference]) -> Option<String> {
        let sizes = |is_meant: fn(Finding) -> bool, size: fn(Change) -> f64| {
            let meant = found.iter().filter(|one| is_meant(one.finding));
            let sizes = meant.filter_map(|one| Some(self.size(one, size(one.change?))));
            let sizes: Vec<String> = sizes.collect();
            (!sizes.is_empty()).then(|| sizes.join(", "))
        };
        let middle = |change: Change| change.middle;
        let most = |change: Change| change.high;
        let costs = sizes(|finding| finding == Finding::Worse, middle);
        let less = sizes(|finding| finding == Finding::Better, middle);
        let same = sizes(|of| matches!(of, Finding::NoLargerThan { .. }), most);
        let unknown = sizes(|of| matches!(of, Finding::CannotTell { .. }), most);
        let text = |message: Message| self.catalog.text(&message);
        let also_same = |same: Option<String>| {
            same.map_or_else(String::new, |same| text(tracing::also_same(same)))
        };
        let also_unknown = |unknown: Option<String>| {
            unknown.map_or_else(String::new, |what| text(tracing::also_unknown(what)))
        };
        match (costs, less, same, unknown) {
            (Some(costs), _, same, unknown) => Some(
                text(tracing::tracing_costs(costs)) + &also_same(same) + &also_unknown(unknown),
            ),
            (None, Some(less), _, _) => Some(text(tracing::tracing_less(less))),
            (None, None, same, Some(unknown)) => {
                Some(text(tracing::tracing_cannot_tell(unknown)) + &also_same(same))
            }
            (None, None, Some(same), None) => Some(text(tracing::tracing_no_difference(same))),
            (None, None, None, None) => None,
        }
    }

    /// What would tell, where something cannot be told.
    fn advice(&self, found: &[TracedDifference]) -> Option<String> {
        let needed = found.iter().filter_map(|one| match one.finding {
            Finding::CannotTell {
                why: UncertaintyReason::Spread { runs },
            } => Some(runs),
            _ => None,
        });
        let needed: Vec<Option<u32>> = needed.collect();
        let share = percent(TRACING_TOLERANCE);
        if needed.is_empty() {
            return None;
        }
        let all = needed.into_iter().collect::<Option<Vec<u32>>>();
        let message = match all.and_then(|all| all.into_iter().max()) {
            Some(pairs) => tracing::pairs_needed(pairs, share),
            None => tracing::pairs_none(share),
        };
        Some(self.catalog.text(&message))
    }

    /// A change in absolute terms and as a share.
    fn size(&self, one: &TracedDifference, share: f64) -> String {
        let name = self.catalog.text(&name(one.measure));
        let size = millis((one.none * share).abs());
        let share = match one
            .change
            .filter(|change| change.middle.to_bits() == share.to_bits())
        {
            Some(change) => self.catalog.text(&tracing::tracing_change(
                signed(change.middle),
                signed(change.low),
                signed(change.high),
            )),
            None => percent_of(share),
        };
        self.catalog.text(&tracing::tracing_size(name, size, share))
    }
}

/// A share with its sign.
fn signed(share: f64) -> String {
    let sign = if share < 0.0 { "-" } else { "+" };
    format!("{sign}{}", percent_of(share.abs()))
}

fn name(measure: TracedMeasure) -> Message {
    match measure {
        TracedMeasure::Cpu => evidence::cpu_of_request(),
        TracedMeasure::Mean => tracing::mean(),
        TracedMeasure::P95 => tracing::p95(),
    }
}
