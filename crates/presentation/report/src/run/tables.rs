//! Tables of a run.

use loadline_record::Summary;
use loadline_text::{Catalog, Message, grouped, messages, percent, report, significant};

use super::{EndpointFigures, ReportedRun, TestedRun, charts};
use crate::document::{DocumentBlock, DocumentSection, DocumentTable, printable};
use crate::numbers::bounded;

/// Endpoints that are listed before the rest is only counted.
const ENDPOINTS_MAX: usize = 100;
/// Kinds of failures, likewise.
const FAILURES_MAX: usize = 50;
/// Events, likewise.
const EVENTS_MAX: usize = 100;

fn section(
    id: &'static str,
    title: &Message,
    note: String,
    table: DocumentTable,
    catalog: &Catalog,
) -> DocumentSection {
    DocumentSection {
        id,
        title: catalog.text(title),
        note,
        blocks: vec![DocumentBlock::Table(table)],
    }
}

/// How long requests and iterations took.
pub(super) fn latency(summary: &Summary, catalog: &Catalog) -> Option<DocumentTable> {
    let say = |message: Message| catalog.text(&message);
    let rows = crate::url::latency_rows(summary);
    let mut table = DocumentTable::new(String::new());
    table.words(say(report::column_measure()));
    for head in [
        say(messages::column_mean()),
        "p50".to_owned(),
        "p95".to_owned(),
    ] {
        table.numbers(head);
    }
    for head in [
        "p99".to_owned(),
        "p99.9".to_owned(),
        say(messages::column_max()),
    ] {
        table.numbers(head);
    }
    for (label, trend) in rows {
        let shares = trend.percentiles(&[0.5, 0.95, 0.99, 0.999]);
        let all = trend.mean().into_iter();
        let all = all.chain(shares.unwrap_or_default()).chain(trend.max());
        let mut cells = vec![say(label)];
        cells.extend(all.map(bounded));
        cells.resize(table.columns.len(), "–".to_owned());
        table.rows.push(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Results by endpoint.
pub(super) fn endpoints(run: &ReportedRun, catalog: &Catalog) -> Option<DocumentSection> {
    if run.endpoints.is_empty() {
        return None;
    }
    let say = |message: Message| catalog.text(&message);
    let table = figures(&run.endpoints, report::column_endpoint(), run, catalog);
    let more = run.endpoints.len().saturating_sub(ENDPOINTS_MAX);
    let mut note = say(if has_failed_times(&run.endpoints) {
        report::note_endpoints_apart()
    } else {
        report::note_endpoints()
    });
    if more > 0 {
        note = format!("{note} {}", say(messages::and_more(more)));
    }
    let title = report::section_endpoints();
    let mut section = section("endpoints", &title, note, table, catalog);
    if !run.groups.is_empty() {
        let mut groups = figures(&run.groups, report::column_group(), run, catalog);
        // Told apart from the table before by those who hear the page.
        groups.caption = say(report::column_group());
        section.blocks.push(DocumentBlock::Table(groups));
    }
    Some(section)
}

/// A table of what was asked.
fn figures(
    of: &[EndpointFigures],
    name: Message,
    run: &ReportedRun,
    catalog: &Catalog,
) -> DocumentTable {
    let say = |message: Message| catalog.text(&message);
    let mut table = DocumentTable::new(String::new());
    table.words(say(name));
    for head in [
        say(report::column_requests()),
        say(report::column_share()),
        say(report::column_rate()),
        say(messages::column_mean()),
        "p50".to_owned(),
        "p95".to_owned(),
        "p99".to_owned(),
        say(messages::column_max()),
        say(report::column_failed()),
        say(report::column_error_rate()),
    ] {
        table.numbers(head);
    }
    let is_apart = has_failed_times(of);
    if is_apart {
        table.numbers(say(report::column_p50_failed()));
        table.numbers(say(report::column_p95_failed()));
    }
    // Requests outside groups are no group's: shares are of all.
    let all: f64 = run.endpoints.iter().map(|one| one.requests).sum();
    let length = run.summary.run.duration.as_secs_f64();
    let rows = of.iter().take(ENDPOINTS_MAX);
    table.rows = rows.map(|one| endpoint(one, all, length)).collect();
    if is_apart {
        for (row, one) in table.rows.iter_mut().zip(of) {
            row.extend(failed_times(one));
        }
    }
    table
}

/// Some requests failed, and how long they took is known.
fn has_failed_times(of: &[EndpointFigures]) -> bool {
    of.iter().any(|one| {
        let failed = one.failed_durations.as_ref();
        failed.is_some_and(|failed| !failed.is_empty())
    })
}

/// How long failed requests took, beside the good ones.
fn failed_times(of: &EndpointFigures) -> [String; 2] {
    let failed = of.failed_durations.as_ref();
    [0.5, 0.95].map(|share| {
        let value = failed.and_then(|failed| failed.percentile(share));
        value.map_or_else(|| "–".to_owned(), loadline_text::latency)
    })
}

fn endpoint(of: &EndpointFigures, all: f64, length: f64) -> Vec<String> {
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let time = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), loadline_text::latency);
    let at = |percentile: f64| time(of.durations.percentile(percentile));
    vec![
        printable::line(&of.name),
        grouped(of.requests, 0),
        percent(share(of.requests, all)),
        significant(share(of.requests, length)),
        time(of.durations.mean()),
        at(0.5),
        at(0.95),
        at(0.99),
        time(of.durations.max()),
        grouped(of.failed, 0),
        percent(share(of.failed, of.requests)),
    ]
}

/// What failed, and when it was seen.
pub(super) fn failures(run: &ReportedRun, catalog: &Catalog) -> Option<DocumentSection> {
    if run.failures.is_empty() {
        return None;
    }
    let say = |message: Message| catalog.text(&message);
    let mut table = DocumentTable::new(String::new());
    table.words(say(report::column_failure()));
    table.numbers(say(report::column_count()));
    table.numbers(say(report::column_first()));
    table.numbers(say(report::column_last()));
    for failure in run.failures.iter().take(FAILURES_MAX) {
        table.rows.push(vec![
            printable::line(&catalog.words_of_others(&failure.what)),
            grouped(failure.count, 0),
            clock(failure.first),
            clock(failure.last),
        ]);
    }
    let more = run.failures.len().saturating_sub(FAILURES_MAX);
    let note = match more {
        0 => String::new(),
        more => say(messages::and_more(more)),
    };
    Some(section(
        "failures",
        &report::section_failures(),
        note,
        table,
        catalog,
    ))
}

/// Checks by name.
pub(super) fn checks(summary: &Summary, catalog: &Catalog) -> Option<DocumentSection> {
    if summary.checks.is_empty() {
        return None;
    }
    let say = |message: Message| catalog.text(&message);
    let mut table = DocumentTable::new(String::new());
    table.words(say(report::column_check()));
    table.numbers(say(report::column_passed()));
    table.numbers(say(report::column_failed()));
    table.numbers(say(report::column_error_rate()));
    let mut checks: Vec<_> = summary.checks.iter().collect();
    checks.sort_by_key(|check| std::cmp::Reverse(check.fails));
    for check in checks.into_iter().take(ENDPOINTS_MAX) {
        let all = (check.passes + check.fails).max(1);
        table.rows.push(vec![
            printable::line(&check.name),
            grouped(check.passes as f64, 0),
            grouped(check.fails as f64, 0),
            percent(check.fails as f64 / all as f64),
        ]);
    }
    Some(section(
        "checks",
        &report::section_checks(),
        String::new(),
        table,
        catalog,
    ))
}

/// The plan's scenarios.
pub(super) fn scenarios(tested: &TestedRun, catalog: &Catalog) -> Option<DocumentTable> {
    if tested.scenarios.is_empty() {
        return None;
    }
    let say = |message: Message| catalog.text(&message);
    let mut table = DocumentTable::new(say(report::caption_scenarios()));
    table.words(say(report::column_scenario()));
    table.words(say(report::column_executor()));
    table.numbers(say(report::column_length()));
    table.numbers(say(report::column_starts()));
    table.numbers(say(report::column_users()));
    for scenario in &tested.scenarios {
        let starts = scenario.starts.map(|starts| grouped(starts as f64, 0));
        table.rows.push(vec![
            printable::line(&scenario.name),
            scenario.executor.clone(),
            format!("{} s", grouped(scenario.seconds, 0)),
            starts.unwrap_or_else(|| "–".to_owned()),
            grouped(scenario.vus as f64, 0),
        ]);
    }
    Some(table)
}

/// What happened when.
pub(super) fn events(run: &ReportedRun, catalog: &Catalog) -> Option<DocumentSection> {
    let say = |message: Message| catalog.text(&message);
    let mut table = DocumentTable::new(String::new());
    table.numbers(say(report::column_time()));
    table.words(say(report::column_event()));
    let events = run.events.iter();
    let named = events.filter_map(|event| Some((event.at, charts::name(event, catalog)?)));
    table.rows = named
        .take(EVENTS_MAX)
        .map(|(at, name)| vec![clock(at), name])
        .collect();
    let any = !table.rows.is_empty();
    any.then(|| {
        section(
            "events",
            &report::section_events(),
            String::new(),
            table,
            catalog,
        )
    })
}

/// Seconds since load began as `m:ss`.
fn clock(seconds: f64) -> String {
    crate::document::html::clock(seconds.max(0.0))
}
