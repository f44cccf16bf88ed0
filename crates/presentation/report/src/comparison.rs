//! A comparison of runs: what keeps the sides from being alike, changed answers, then a table
//! of what can be said.

pub(crate) mod caveats;
pub mod document;
pub mod file;
mod limits;
mod reasons;
mod rows;
mod shared_reasons;

use loadline_analysis::compare::{
    AnswerChange, Caveat, Change, ColdRun, Comparison, ComparisonSettings, Difference, Endpoint,
    Finding, Measure, MendedErrors, ShortRun, UncertaintyReason,
};
use loadline_explain::UsageChange;
use loadline_text::{Catalog, Message, grouped, latency, percent, records, significant};

use crate::bodies;
use crate::explanation::{evidence_number, verdict};
use crate::grid::{Grid, Side};
use crate::telling_interval::{MOST_PRINTED, is_informative};
pub use limits::ComparedLimits;
pub use reasons::reasons;
use rows::ComparedRow;
use shared_reasons::SharedReasons;

/// What the comparison itself does not know.
#[derive(Debug, Clone, Default)]
pub struct ComparisonFacts {
    /// What the first side is called.
    pub before: String,
    /// What the second side is called.
    pub after: String,
    /// What keeps the two from being alike.
    pub caveats: Vec<Caveat>,
    /// Resources of the target that moved.
    pub moved: Vec<UsageChange>,
    /// What limits each side.
    pub limits: ComparedLimits,
}

/// The whole comparison; ends with a line break.
#[must_use]
pub fn text(
    comparison: &Comparison,
    facts: &ComparisonFacts,
    settings: &ComparisonSettings,
    catalog: &Catalog,
) -> String {
    let mut page = Page::new(settings, catalog);
    page.shared = SharedReasons::new(comparison, &page);
    let side = |name: &str, runs: usize| match runs {
        1 => name.to_owned(),
        _ => page.text(&records::compare_side(name, runs)),
    };
    let title = records::compare_title(
        side(&facts.before, comparison.runs.0),
        side(&facts.after, comparison.runs.1),
    );
    let mut text = format!("{}\n", page.text(&title));
    for caveat in &facts.caveats {
        for line in caveats::lines(caveat, facts, catalog) {
            text.push_str(&format!("! {line}\n"));
        }
    }
    for short in &comparison.new_shortfalls {
        let what = catalog.text(&crate::facts::counted(*short));
        let line = page.text(&records::compare_new_shortfall(&facts.after, what));
        text.push_str(&format!("! {line}\n"));
    }
    for (name, cold) in [&facts.before, &facts.after]
        .into_iter()
        .zip(comparison.cold)
    {
        if let Some(cold) = cold {
            let line = page.text(&cold_run(name, cold));
            text.push_str(&format!("! {line}\n"));
        }
    }
    if let Some(stages) = comparison.stages {
        let line = page.text(&records::compare_stages(stages));
        text.push_str(&format!("! {line}\n"));
    }
    let all = || std::iter::once(&comparison.whole).chain(&comparison.endpoints);
    for endpoint in all().filter(|endpoint| !endpoint.changed.is_empty()) {
        text.push_str(&page.changes(endpoint));
    }
    text.push('\n');
    for endpoint in all().filter(|endpoint| !endpoint.differences.is_empty()) {
        text.push_str(&page.endpoint(endpoint));
    }
    text.push_str(&page.shared.lines(&page));
    text.push_str(&page.limits(&facts.limits));
    text.push_str(&page.moved(&facts.moved));
    for (names, message) in [
        (
            &comparison.only_before,
            records::compare_only_before as fn(String) -> Message,
        ),
        (&comparison.only_after, records::compare_only_after),
    ] {
        if !names.is_empty() {
            text.push_str(&format!("{}\n", page.text(&message(names.join(", ")))));
        }
    }
    if comparison.left_out > 0 {
        let left = records::compare_endpoints_left(comparison.left_out);
        text.push_str(&format!("{}\n", page.text(&left)));
    }
    let method = records::compare_method(
        grouped(comparison.requests.0, 0),
        comparison.seconds.0,
        grouped(comparison.requests.1, 0),
        comparison.seconds.1,
        comparison.intervals,
        percent(comparison.whole_confidence(settings)),
    );
    text.push_str(&format!("{}\n", page.text(&method)));
    if let Some(method) = endpoints_method(comparison, settings) {
        text.push_str(&format!("{}\n", page.text(&method)));
    }
    text
}

/// How sure what is called of endpoints is; nothing without endpoints.
fn endpoints_method(comparison: &Comparison, settings: &ComparisonSettings) -> Option<Message> {
    let looks = comparison.endpoint_looks;
    let by_chance = comparison.whole_confidence(settings) - settings.confidence;
    (looks > 0).then(|| records::compare_method_endpoints(looks, percent(by_chance)))
}

/// That the first run of a side was cold.
fn cold_run(side: &str, cold: ColdRun) -> Message {
    records::compare_cold(side, latency(cold.first_ms), latency(cold.later_ms))
}

/// How long failed requests took on both sides, beside the good ones; `None` where none failed.
fn failed_times(of: &Endpoint) -> Option<[String; 2]> {
    let written = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), latency);
    of.failed_p95
        .iter()
        .any(Option::is_some)
        .then(|| of.failed_p95.map(written))
}

struct Page<'a> {
    settings: &'a ComparisonSettings,
    catalog: &'a Catalog,
    /// Reasons that are said once; the others stand in their rows.
    shared: SharedReasons,
}

impl<'a> Page<'a> {
    fn new(settings: &'a ComparisonSettings, catalog: &'a Catalog) -> Self {
        Self {
            settings,
            catalog,
            shared: SharedReasons::default(),
        }
    }
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn name(&self, endpoint: &Endpoint) -> String {
        if endpoint.name.is_empty() {
            return self.text(&records::compare_all());
        }
        endpoint.name.clone()
    }

    fn changes(&self, endpoint: &Endpoint) -> String {
        let name = self.name(endpoint);
        let gained = endpoint.gained_fields().len();
        let title = match self.errors_fell(endpoint) {
            Some(fell) => format!("{fell}: {name}"),
            None if gained > 0 => self.text(&records::compare_gained(name, gained)),
            None => self.text(&records::compare_changed(name)),
        };
        let mut text = format!("{title}\n");
        for change in &endpoint.changed {
            let line = match change {
                AnswerChange::Status {
                    status,
                    before,
                    after,
                } => records::compare_changed_status(status, percent(*before), percent(*after)),
                AnswerChange::Size { before, after } => {
                    records::compare_changed_size(grouped(*before, 0), grouped(*after, 0))
                }
                AnswerChange::Body(change) => bodies::line(change, |phrase| self.text(phrase)),
            };
            text.push_str(&format!("  {}\n", self.text(&line)));
        }
        text
    }

    /// That an endpoint fails less often, and nothing else of its answers changed.
    fn errors_fell(&self, endpoint: &Endpoint) -> Option<String> {
        let MendedErrors { before, after } = endpoint.mended_errors()?;
        Some(self.text(&records::compare_errors_fell(
            percent(before),
            percent(after),
        )))
    }

    /// What limits the two sides; nothing where nothing is to be said.
    fn limits(&self, limits: &ComparedLimits) -> String {
        let Some((before, after)) = limits.shown() else {
            return String::new();
        };
        let title = self.text(&records::compare_limit());
        let moved = verdict::moved(before.verdict, after.verdict, self.catalog);
        let (before, after) = (before.text(self.catalog), after.text(self.catalog));
        format!("{title}\n  A  {before}\n  B  {after}\n  {moved}\n\n")
    }

    /// Resources of the target that moved; nothing without any.
    fn moved(&self, moved: &[UsageChange]) -> String {
        if moved.is_empty() {
            return String::new();
        }
        let mut grid = Grid::default();
        grid.column(self.text(&records::compare_moved()), Side::Left);
        grid.column("A".to_owned(), Side::Right);
        grid.column("B".to_owned(), Side::Right);
        for change in moved {
            let unit = change.before.unit;
            grid.row(vec![
                self.text(&change.before.label),
                evidence_number(change.before.value, unit),
                evidence_number(change.after, unit),
            ]);
        }
        format!("{}\n", grid.render())
    }

    fn endpoint(&self, endpoint: &Endpoint) -> String {
        let mut grid = Grid::default();
        grid.column(self.name(endpoint), Side::Left);
        grid.column("A".to_owned(), Side::Right);
        grid.column("B".to_owned(), Side::Right);
        grid.column(String::new(), Side::Left);
        for row in ComparedRow::all(endpoint, self) {
            grid.row(vec![row.label, row.before, row.after, row.finding]);
        }
        format!("{}\n", grid.render())
    }

    fn value(measure: Measure, value: f64) -> String {
        match measure {
            Measure::Rate => significant(value),
            Measure::Errors | Measure::Checks | Measure::Dropped => percent(value),
            Measure::Mean | Measure::P50 | Measure::P95 => latency(value),
        }
    }

    fn finding(&self, difference: &Difference) -> String {
        let message = match (difference.finding, difference.change) {
            (Finding::Better, Some(change)) => {
                let (by, low, high) = self.sizes(difference.measure, change);
                records::compare_better(by, low, high)
            }
            (Finding::Worse, Some(change)) => {
                let (by, low, high) = self.sizes(difference.measure, change);
                records::compare_worse(by, low, high)
            }
            (Finding::Planned, _) => records::compare_planned(),
            // As of counts that are the same.
            (Finding::NoLargerThan { share }, _) if share <= 0.0 => {
                records::compare_no_difference()
            }
            (Finding::NoLargerThan { share }, _) => {
                records::compare_same(self.size(difference.measure, share))
            }
            (Finding::CannotTell { why }, change) => {
                let reason = self.text(&self.why(difference.measure, why));
                let size = |size| self.signed(difference.measure, size);
                // One that is open on a side, or holds everything, tells nothing.
                let interval = change.filter(|change| is_informative(*change));
                let interval = interval.map(|change| (size(change.low), size(change.high)));
                let looks = looks(difference, why).map(|looks| self.text(&looks));
                match (self.shared.mark(&reason), interval, looks) {
                    (Some(mark), Some((low, high)), _) => return format!("[{low}, {high}] {mark}"),
                    (Some(mark), None, Some(looks)) => return format!("{looks} {mark}"),
                    (Some(mark), None, None) => return mark,
                    (None, Some((low, high)), _) => {
                        records::compare_cannot_interval(low, high, reason)
                    }
                    (None, None, Some(looks)) => records::compare_cannot_looks(looks, reason),
                    (None, None, None) => records::compare_cannot(reason),
                }
            }
            // A run that is called better or worse has an interval.
            (Finding::Better | Finding::Worse, None) => {
                records::compare_cannot(self.text(&records::compare_why_nothing()))
            }
        };
        self.text(&message)
    }

    /// A size of change: percent of the first side, or percentage points.
    fn size(&self, measure: Measure, size: f64) -> String {
        if measure.is_share() {
            let points = match size.abs() * 100.0 {
                // Rounded it would be none.
                some if some > 0.0 && some < POINTS_SHOWN_MIN => format!("< {POINTS_SHOWN_MIN}"),
                points => grouped(points, 2),
            };
            return self.text(&records::compare_points(points));
        }
        percent_of(size.abs())
    }

    /// A change of known direction: its size, and the interval from the smaller on.
    fn sizes(&self, measure: Measure, change: Change) -> (String, String, String) {
        let size = |share: f64| self.size(measure, share);
        let (low, high) = if change.middle < 0.0 {
            (change.high, change.low)
        } else {
            (change.low, change.high)
        };
        (size(change.middle), size(low), size(high))
    }

    fn signed(&self, measure: Measure, change: f64) -> String {
        let sign = if change < 0.0 { "-" } else { "+" };
        let size = self.size(measure, change);
        match size.strip_prefix('>').map(str::trim_start) {
            Some(size) if change < 0.0 => format!("<{sign}{size}"),
            Some(size) => format!(">{sign}{size}"),
            None => format!("{sign}{size}"),
        }
    }

    fn why(&self, measure: Measure, why: UncertaintyReason) -> Message {
        match why {
            UncertaintyReason::TooShort { run } => short(run),
            UncertaintyReason::MoreErrors => records::compare_why_errors(),
            UncertaintyReason::OwnDelays => records::compare_why_own_delays(),
            UncertaintyReason::Cut => records::compare_why_cut(),
            UncertaintyReason::SingleRuns => {
                records::compare_why_single(percent(self.settings.single_floor))
            }
            // The size that intervals are held against: see `ComparisonSettings`.
            UncertaintyReason::Spread { runs } if measure.is_share() => {
                spread_too_much(runs, self.size(measure, 2.0 * self.settings.share_floor))
            }
            UncertaintyReason::AcrossTolerance { runs } => {
                let size = percent(self.settings.tolerance);
                match runs {
                    Some(runs) => records::compare_why_across(runs, size),
                    None => records::compare_why_across_wide(size),
                }
            }
            UncertaintyReason::TooFew { runs } => {
                let size = self.size(measure, 2.0 * self.settings.share_floor);
                match runs {
                    Some(runs) => records::compare_why_few(runs, size),
                    None => records::compare_why_few_wide(size),
                }
            }
            UncertaintyReason::Spread { runs } => {
                spread_too_much(runs, percent(self.settings.tolerance))
            }
            UncertaintyReason::Nothing => records::compare_why_nothing(),
        }
    }
}

/// What a run that is too short has, and what it would take.
fn short(run: ShortRun) -> Message {
    if run.is_bunched() {
        return records::compare_why_bunched(run.requests, run.seconds, run.runs_needed);
    }
    if run.requests >= run.requests_needed {
        return records::compare_why_brief(run.seconds, run.seconds_needed, run.runs_needed);
    }
    records::compare_why_short(
        run.seconds,
        run.requests,
        run.seconds_needed,
        run.requests_needed,
        run.runs_needed,
    )
}

/// What anyone sees in two values that are far apart, where chance is not ruled out; nothing
/// where a reason says that the values themselves are off.
fn looks(of: &Difference, why: UncertaintyReason) -> Option<Message> {
    let is_chance = matches!(
        why,
        UncertaintyReason::TooShort { .. }
            | UncertaintyReason::SingleRuns
            | UncertaintyReason::Spread { .. }
    );
    let (before, after) = (of.before?, of.after?);
    let is_known = of.at_least == (false, false) && before > 0.0 && after > 0.0;
    if !is_chance || !is_known || of.measure.is_share() {
        return None;
    }
    let (more, less, times) = if after > before {
        ("B", "A", after / before)
    } else {
        ("A", "B", before / after)
    };
    (times >= FAR_APART).then(|| records::compare_looks(more, significant(times), less))
}

/// Whether a difference is worth a line: one side has a value, and of dropped starts and failed
/// checks there were some.
fn is_shown(difference: &Difference) -> bool {
    let values = [difference.before, difference.after];
    let is_optional = matches!(difference.measure, Measure::Checks | Measure::Dropped);
    let mut known = values.into_iter().flatten();
    if is_optional {
        return known.any(|value| value > 0.0);
    }
    known.next().is_some()
}

fn measure(measure: Measure) -> Message {
    match measure {
        Measure::Rate => records::compare_measure_rate(),
        Measure::Mean => records::compare_measure_mean(),
        Measure::P50 => records::compare_measure_p50(),
        Measure::P95 => records::compare_measure_p95(),
        Measure::Errors => records::compare_measure_errors(),
        Measure::Checks => records::compare_measure_checks(),
        Measure::Dropped => records::compare_measure_dropped(),
    }
}

/// How many runs would show differences of this size, if any number does.
fn spread_too_much(runs: Option<u32>, size: String) -> Message {
    runs.map_or_else(
        || records::compare_why_spread_wide(size.clone()),
        |runs| records::compare_why_spread(runs, size.clone()),
    )
}

/// A value that is only known to be at least so large says so.
fn bounded(written: String, at_least: bool) -> String {
    if at_least {
        return format!("≥ {written}");
    }
    written
}

/// Values of which one is so many times the other are seen to be apart without statistics.
const FAR_APART: f64 = 1.5;

/// A smaller difference of shares is below what two decimals show, percentage points.
const POINTS_SHOWN_MIN: f64 = 0.01;

/// A size of change, which may exceed the whole.
pub(crate) fn percent_of(share: f64) -> String {
    if share > MOST_PRINTED {
        return format!(">{} %", grouped(MOST_PRINTED * 100.0, 0));
    }
    if share >= 1.0 {
        return format!("{} %", grouped(share * 100.0, 0));
    }
    percent(share)
}

#[cfg(test)]
mod tests;
