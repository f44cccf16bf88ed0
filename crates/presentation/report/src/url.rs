//! The summary of a URL run: the verdict first, at most 40 lines.

use loadline_metrics::{Censored, Histogram, Kind, MetricValue, ValueType};
use loadline_record::{Metric, PLANNED_LATENCY, Summary, ThresholdResult, Verdict, WarmUp};
use loadline_text::{
    Catalog, Exit, Message, grouped, messages, millis, percent, significant, verdicts,
};

use crate::numbers::{Numbers, bounded, bytes, seconds};
use crate::table::Table;
use crate::{accounting, verdict, warm_up};
use crate::{facts, goals};

/// How many statuses, errors and thresholds are listed before the rest is only counted.
const LISTED_MAX: usize = 5;

/// What the report needs beside the summary.
#[derive(Debug, Clone, Copy)]
pub struct RunFacts<'a> {
    /// The test as typed.
    pub target: &'a str,
    /// The warm-up before what was counted.
    pub warm_up: Option<&'a WarmUp>,
    /// How the program ended or will end.
    pub end: ProgramEnding,
}

/// How the program ends after a run, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramEnding {
    /// With this code.
    Code(u8),
    /// With a code that another tool's rules make.
    Untold,
    /// It was killed: neither a verdict nor the generator's health is known.
    Killed,
    /// It goes on: the same is not known yet.
    Running,
}

/// How a URL run ends.
#[must_use]
pub fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Passed | Verdict::NoGoals | Verdict::NotJudged => Exit::Success,
        Verdict::FellShort(_) => Exit::FellShort,
        Verdict::ThresholdsFailed => Exit::ThresholdsFailed,
        Verdict::GeneratorLimited(_) => Exit::GeneratorLimited,
        Verdict::NoAnswer | Verdict::NothingSent => Exit::NoAnswer,
        Verdict::Interrupted => Exit::Interrupted,
        Verdict::Failed(_) => Exit::Other,
        Verdict::Defect(_) => Exit::Panic,
    }
}

/// The summary; ends with a line break.
#[must_use]
pub fn text(summary: &Summary, of: RunFacts<'_>, catalog: &Catalog) -> String {
    let page = Page {
        summary,
        numbers: Numbers(summary),
        catalog,
    };
    let is_open = matches!(of.end, ProgramEnding::Killed | ProgramEnding::Running);
    let mut text = match of.end {
        ProgramEnding::Code(code) => verdict::of_requests(summary, code, catalog),
        ProgramEnding::Untold => verdict::sentence(summary, catalog),
        ProgramEnding::Killed => verdict::of_killed(summary, catalog),
        ProgramEnding::Running => verdict::of_running(summary, catalog),
    };
    if !is_open {
        for doubt in facts::doubts(summary, catalog) {
            text.push_str(&format!("\n{doubt}"));
        }
    }
    text.push_str(&format!("\n\n{}\n{}\n", of.target, page.length(is_open)));
    if let Some(warm_up) = of.warm_up {
        text.push_str(&warm_up::line(warm_up, catalog));
        text.push('\n');
    }
    let mut table = Table::default();
    page.counts(&mut table);
    page.latencies(&mut table);
    page.answers(&mut table);
    page.traffic(&mut table);
    page.thresholds(&mut table);
    if !is_open {
        let lines = crate::health::lines(&summary.run, catalog);
        table.list(page.text(&messages::row_generator()), lines);
    }
    text.push('\n');
    text.push_str(&table.render());
    text
}

/// The totals as JSON: `{"metrics": {name: {...}}}`, times in ms, loadline's own metrics
/// included; trends with avg, min, med, max, p(90), p(95), p(99). `latency` has them of good and of
/// failed requests, where some failed, and `planned` what became of the planned starts; both are
/// null where it is not known which failed. `accounting` counts all
/// requests, iterations and starts by class; `verdict` is one word, `short_of` names how load or
/// answers fell short, `shortfalls` gives the numbers, `goals` counts goals met, `validity` tells which seconds the
/// generator's own delays touched and whether the verdict stands without them, `untold_goals` which missed goals were
/// judged with all seconds, `failures` lists kinds of failed requests with their counts.
#[must_use]
pub fn export(summary: &Summary) -> String {
    let mut metrics = serde_json::Map::new();
    let own = summary.metrics.iter();
    for metric in own.filter(|metric| metric.name != PLANNED_LATENCY) {
        let value = match &metric.value {
            MetricValue::Counter(sum) => serde_json::json!({
                "count": sum.map_or(0.0, loadline_metrics::Sum::value),
            }),
            MetricValue::Gauge(gauge) => serde_json::json!({
                "value": gauge.map(|g| g.last), "min": gauge.map(|g| g.min), "max": gauge.map(|g| g.max),
            }),
            MetricValue::Rate(rate) => serde_json::json!({
                "value": rate.share(), "passes": rate.trues, "fails": rate.total - rate.trues,
            }),
            MetricValue::Trend(trend) => trend_json(trend),
        };
        metrics.insert(metric.name.clone(), value);
    }
    let accounting = summary.run.accounting;
    let verdict = summary.verdict();
    let detail = summary.verdict_detail();
    let short: Vec<&str> = detail.shortfalls.iter().map(|short| short.word()).collect();
    let all = serde_json::json!({
        "verdict": verdict.word(),
        "short_of": short,
        "shortfalls": detail.shortfalls,
        "goals": detail.goals,
        "validity": summary.run.validity,
        "untold_goals": summary.run.untold_goals,
        "failures": facts::failures(summary),
        "metrics": metrics,
        "latency": summary.latency_apart().map(|apart| serde_json::json!({
            "good": trend_json(apart.good.all()),
            "failed": trend_json(apart.failed.all()),
        })),
        "planned": summary.planned_answers().map(|starts| serde_json::json!({
            "starts": starts.planned(), "answered_well": starts.well.count(),
            "failed": starts.failed, "cut_or_never_sent": starts.lost,
        })),
        "accounting": accounting,
    });
    format!("{all:#}\n")
}

fn trend_json(trend: &Histogram) -> serde_json::Value {
    serde_json::json!({
        "avg": trend.mean(), "min": trend.min(), "med": trend.percentile(0.5),
        "max": trend.max(), "p(90)": trend.percentile(0.9),
        "p(95)": trend.percentile(0.95), "p(99)": trend.percentile(0.99),
    })
}

struct Page<'a> {
    summary: &'a Summary,
    numbers: Numbers<'a>,
    catalog: &'a Catalog,
}

impl Page<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn length(&self, is_open: bool) -> String {
        let run = &self.summary.run;
        let vus = grouped(run.most_vus as f64, 0);
        if is_open {
            return self.text(&messages::run_length_alone(seconds(run.duration), vus));
        }
        self.text(&messages::run_length(
            seconds(run.duration),
            vus,
            run.generator.workers,
        ))
    }

    fn counts(&self, table: &mut Table) {
        let per_second = |rate: f64| self.text(&messages::per_second(significant(rate)));
        for (label, name) in [
            (messages::row_requests(), "http_reqs"),
            (messages::row_iterations(), "iterations"),
        ] {
            let count = grouped(self.numbers.count_of(name), 0);
            // In a URL run each iteration is one request, so only requests are shown.
            if name == "http_reqs" || count != grouped(self.numbers.count_of("http_reqs"), 0) {
                // One has no rate.
                let has_rate = (self.numbers.count_of(name) - 1.0).abs() > 0.5;
                let rate = has_rate.then(|| per_second(self.numbers.rate_of(name)));
                table.row(
                    self.text(&label),
                    std::iter::once(count).chain(rate).collect(),
                );
            }
        }
        if let Some(arrivals) = self.summary.run.arrivals {
            let line = crate::arrivals::line(arrivals, self.catalog);
            table.list(self.text(&messages::row_arrivals()), vec![line]);
        }
        let failed = self.numbers.failed();
        let share = percent(failed.share().unwrap_or(0.0));
        let failed = grouped(failed.trues as f64, 0);
        table.row(self.text(&messages::row_failed()), vec![failed, share]);
        self.cut(table);
        if let Some((planned, dropped)) = self.summary.run.starts() {
            let planned = messages::dropped_of(grouped(planned as f64, 0));
            let dropped = grouped(dropped as f64, 0);
            table.row(
                self.text(&messages::row_dropped()),
                vec![dropped, self.text(&planned)],
            );
            let why = facts::unsaid_drops(self.summary);
            self.listed(table, None, why.iter().map(|why| self.text(why)).collect());
        }
        if let Some(MetricValue::Rate(checks)) = self.numbers.value("checks") {
            let [passed, all] = [checks.trues, checks.total].map(|n| grouped(n as f64, 0));
            let row = self.text(&messages::checks_of(passed, all));
            table.list(self.text(&messages::row_checks()), vec![row]);
        }
        table.gap();
    }

    /// Requests that were interrupted, and requests that were sent again.
    fn cut(&self, table: &mut Table) {
        let Some(requests) = self.summary.run.accounting.map(|all| all.requests) else {
            return;
        };
        let count = |n: u64| grouped(n as f64, 0);
        let (ramped_down, at_end) = accounting::cut_by_cause(&requests);
        if ramped_down > 0 {
            let of = messages::ramped_down_of(count(requests.sent));
            let cells = vec![count(ramped_down), self.text(&of)];
            table.row(self.text(&messages::row_ramped_down()), cells);
        }
        if at_end > 0 {
            let oldest = accounting::oldest(self.summary);
            let oldest = oldest.map_or_else(|| "–".to_owned(), millis);
            let of = messages::cut_of(count(requests.sent), oldest);
            let cells = vec![count(at_end), self.text(&of)];
            table.row(self.text(&messages::row_cut()), cells);
        }
        if requests.resent > 0 {
            let cells = vec![count(requests.resent), self.text(&messages::resent_why())];
            table.row(self.text(&messages::row_resent()), cells);
        }
    }

    /// Latencies. Interrupted requests and dropped starts count with the time they waited, as
    /// lower bounds.
    fn latencies(&self, table: &mut Table) {
        let measured = latency_rows(self.summary);
        if measured.is_empty() {
            return;
        }
        let (mean, max) = (messages::column_mean(), messages::column_max());
        let mut columns = vec![self.text(&mean)];
        columns.extend(["p50", "p95", "p99", "p99.9"].map(str::to_owned));
        columns.push(self.text(&max));
        table.row(String::new(), columns);
        for (label, trend) in measured {
            let shares = trend.percentiles(&[0.5, 0.95, 0.99, 0.999]);
            let all = trend.mean().into_iter();
            let all = all.chain(shares.unwrap_or_default()).chain(trend.max());
            table.row(self.text(&label), all.map(bounded).collect());
        }
        let notes = [mixed_note(self.summary), bounds_note(self.summary)];
        for note in notes.into_iter().flatten() {
            table.list(String::new(), vec![self.text(&note)]);
        }
        table.gap();
    }

    fn answers(&self, table: &mut Table) {
        let count = |n: u64| grouped(n as f64, 0);
        let statuses = self
            .summary
            .statuses
            .iter()
            .filter(|(status, _)| status != "0");
        let lines = statuses.map(|(status, n)| format!("{status}  {}", count(*n)));
        let mut lines: Vec<String> = lines.collect();
        let (redirects, all) = self.summary.redirects();
        if redirects > 0 {
            let note = verdicts::short_redirects(count(redirects), count(all));
            lines.push(self.text(&note));
            let address = self.summary.run.redirected_to.as_deref();
            lines.extend(address.map(|address| {
                self.text(&verdicts::redirected_to(crate::document::printable::line(
                    address,
                )))
            }));
        }
        self.listed(table, &messages::row_status(), lines);
        let failures = facts::failures(self.summary);
        let failures = failures
            .iter()
            .map(|what| self.catalog.words_of_others(what));
        self.listed(table, &messages::row_errors(), failures.collect());
    }

    fn traffic(&self, table: &mut Table) {
        for (label, name) in [
            (messages::row_received(), "data_received"),
            (messages::row_sent(), "data_sent"),
        ] {
            let all = bytes(self.numbers.count_of(name));
            let rate = self.text(&messages::per_second(bytes(self.numbers.rate_of(name))));
            table.list(self.text(&label), vec![format!("{all}  {rate}")]);
        }
    }

    fn thresholds(&self, table: &mut Table) {
        let mut lines = Vec::new();
        for metric in &self.summary.metrics {
            for threshold in &metric.thresholds {
                let mark = if threshold.ok { "✓" } else { "✗" };
                if metric.name == PLANNED_LATENCY {
                    let goal = goals::sentence(self.summary, threshold, self.catalog);
                    lines.push(format!("{mark} {goal}"));
                    continue;
                }
                let observed = observed(metric, threshold);
                let goal = goals::name(&metric.name, &threshold.source);
                lines.push(format!("{mark} {goal}  {observed}"));
            }
        }
        lines.sort_by_key(|line| line.starts_with('✓')); // what failed must be seen
        lines.extend(accounting::without_samples(self.summary).map(|said| self.text(&said)));
        self.listed(table, &messages::row_thresholds(), lines);
    }

    /// A list under one label, cut when it is long; nothing when it is empty.
    fn listed<'m>(
        &self,
        table: &mut Table,
        label: impl Into<Option<&'m Message>>,
        mut lines: Vec<String>,
    ) {
        if lines.len() > LISTED_MAX + 1 {
            let more = lines.len() - LISTED_MAX;
            lines.truncate(LISTED_MAX);
            lines.push(self.text(&messages::and_more(more)));
        }
        if !lines.is_empty() {
            let label = label.into().map(|label| self.text(label));
            table.list(label.unwrap_or_default(), lines);
        }
    }
}

/// The rows of a table of latencies: good answers and failed ones apart where some failed.
pub(crate) fn latency_rows(summary: &Summary) -> Vec<(Message, Censored)> {
    let mut rows = Vec::new();
    match summary.latency_apart() {
        Some(apart) => {
            rows.push((messages::row_latency_good(), Some(apart.good)));
            rows.push((messages::row_latency_failed(), Some(apart.failed)));
        }
        None => rows.push((messages::row_latency(), summary.latency())),
    }
    match summary.intended_latency_apart() {
        Some(apart) => {
            rows.push((messages::row_intended_good(), Some(apart.good)));
            rows.push((messages::row_intended_failed(), Some(apart.failed)));
        }
        // Iterations of scripts are not told apart, nor are starts in records of before.
        None if summary.failed > 0 => {
            rows.push((messages::row_intended_all(), summary.intended_latency()));
        }
        None => rows.push((messages::row_intended(), summary.intended_latency())),
    }
    let requests = summary.run.accounting.map(|all| all.requests);
    // Interrupted requests have no first byte.
    let waiting = if summary.latency_apart().is_some() {
        messages::row_waiting_good()
    } else if requests.is_some_and(|requests| requests.cut > 0) {
        messages::row_waiting_answered()
    } else {
        messages::row_waiting()
    };
    rows.push((waiting, Numbers(summary).first_byte()));
    let some = rows.into_iter();
    some.filter_map(|(label, trend)| Some((label, trend?.clone())))
        .filter(|(_, trend)| !trend.all().is_empty())
        .collect()
}

/// That times are of good and failed answers together, where they cannot be told apart.
pub(crate) fn mixed_note(summary: &Summary) -> Option<Message> {
    let failed = grouped(summary.failed as f64, 0);
    summary
        .is_failed_latency_unknown()
        .then(|| messages::latency_mixed(failed))
}

/// That times of all starts are lower bounds, where good answers stand beside them: those may take longer than a start that
/// was given up early.
pub(crate) fn bounds_note(summary: &Summary) -> Option<Message> {
    let starts = summary.planned_answers().filter(|starts| starts.lost > 0)?;
    let [lost, planned] = [starts.lost, starts.planned()].map(|count| grouped(count as f64, 0));
    Some(messages::latency_bounds(lost, planned))
}

/// The same as a line below a dialect's own summary.
#[must_use]
pub fn mixed_line(summary: &Summary, catalog: &Catalog) -> Option<String> {
    mixed_note(summary).map(|note| catalog.text(&note))
}

/// What was judged, in the metric's unit.
pub(crate) fn observed(metric: &Metric, threshold: &ThresholdResult) -> String {
    observed_value(
        metric.kind,
        metric.contains,
        threshold.observed,
        threshold.at_least,
    )
}

/// A judged value of such a metric, which may be known to be at least so large only.
#[must_use]
pub fn observed_value(
    kind: Kind,
    contains: ValueType,
    value: Option<f64>,
    at_least: bool,
) -> String {
    let Some(value) = value else {
        return "–".to_owned();
    };
    let shown = match (kind, contains) {
        (Kind::Rate, _) => percent(value),
        (_, ValueType::Time) => millis(value),
        (_, ValueType::Data) => bytes(value),
        (_, ValueType::Default) => significant(value),
    };
    if at_least {
        format!("≥ {shown}")
    } else {
        shown
    }
}

#[cfg(test)]
mod tests;
