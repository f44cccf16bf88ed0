//! Traffic from access logs, as text and as JSON.

use loadline_sizing::FigureUnit;
use loadline_sizing::history::{
    EndpointLoad, LineProblem, TimeReason, TimeRefusal, TimeSource, TrafficHistory,
};
use loadline_text::{Catalog, Message, grouped, millis, percent, plan, significant};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// Endpoints shown; the rest is summed up.
const ENDPOINTS_MAX: usize = 20;

/// The whole history of `files` files.
#[must_use]
pub fn text(history: &TrafficHistory, files: usize, catalog: &Catalog) -> String {
    let count = |number: u64| grouped(number as f64, 0);
    let formats: Vec<&str> = history.formats.iter().map(|(f, _)| f.name()).collect();
    let read = match history.requests {
        0 => plan::log_read_none(count(history.lines), files),
        requests => plan::log_read(
            count(requests),
            count(history.lines),
            files,
            formats.join(", "),
        ),
    };
    let mut lines = vec![
        catalog.text(&plan::log_heading()),
        format!("  {}", catalog.text(&read)),
    ];
    if history.requests > 0 {
        let zone = zone(history).unwrap_or_else(|| catalog.text(&plan::log_zone_none()));
        let span = plan::log_span(&history.first, &history.last, zone, history.days);
        lines.push(format!("  {}", catalog.text(&span)));
        lines.extend(table(&rows(history, catalog)));
        lines.push(String::new());
        lines.extend(endpoints(history, catalog));
        let doubts = doubts(history);
        lines.extend(
            doubts
                .iter()
                .map(|doubt| format!("  {}", catalog.text(doubt))),
        );
    }
    for (trouble, number, places) in history.troubles.each() {
        let mut places: Vec<String> = places
            .iter()
            .map(|place| format!("{}:{}", place.file, place.line))
            .collect();
        if places.len() < usize::try_from(number).unwrap_or(usize::MAX) {
            places.push("...".to_owned());
        }
        let what = catalog.text(&words(trouble));
        let line = plan::log_trouble(what, count(number), places.join(", "));
        lines.push(format!("  {}", catalog.text(&line)));
    }
    if history.late > 0 {
        lines.push(format!(
            "  {}",
            catalog.text(&plan::log_late(count(history.late)))
        ));
    }
    lines.join("\n") + "\n"
}

/// The zone of a log's times as it is written; `None` where the log has none.
fn zone(history: &TrafficHistory) -> Option<String> {
    let offset = history.offset?;
    if offset == 0 {
        return Some("UTC".to_owned());
    }
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    Some(format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60))
}

fn words(trouble: LineProblem) -> Message {
    match trouble {
        LineProblem::Binary => plan::log_trouble_binary(),
        LineProblem::TooLong => plan::log_trouble_too_long(),
        LineProblem::Unreadable => plan::log_trouble_unreadable(),
        LineProblem::Time => plan::log_trouble_time(),
        LineProblem::Request => plan::log_trouble_request(),
        LineProblem::Backwards => plan::log_trouble_backwards(),
        LineProblem::OtherFormat => plan::log_trouble_other_format(),
        LineProblem::Damaged => plan::log_trouble_damaged(),
    }
}

fn rows(history: &TrafficHistory, catalog: &Catalog) -> Vec<[String; 2]> {
    let count = |number: u64| grouped(number as f64, 0);
    let minute = history.minute_rate();
    let day = history.day.requests as f64 / 86_400.0;
    let rate = |value: f64| FigureUnit::PerSecond.show(value);
    let mut rows = Vec::new();
    let mut row = |label: Message, value: String| rows.push([catalog.text(&label), value]);
    row(plan::log_row_mean(), rate(history.mean_rate));
    row(
        plan::log_row_day(),
        format!(
            "{}: {} / 86,400 s {} {}",
            history.day.at,
            count(history.day.requests),
            FigureUnit::PerSecond.relation(day),
            rate(day)
        ),
    );
    row(
        plan::log_row_minute(),
        format!(
            "{}: {} / {} s {} {}",
            history.minute.at,
            count(history.minute.requests),
            grouped(history.minute_seconds(), 0),
            FigureUnit::PerSecond.relation(minute),
            rate(minute)
        ),
    );
    row(
        plan::log_row_second(),
        format!(
            "{}: {}/s",
            history.second.at,
            count(history.second.requests)
        ),
    );
    row(
        plan::log_row_peak_factor(),
        format!(
            "{} / {} {} {}",
            rate(minute),
            rate(history.mean_rate),
            FigureUnit::Slots.relation(minute / history.mean_rate),
            significant(minute / history.mean_rate)
        ),
    );
    if let Some(growth) = &history.growth {
        let text = plan::log_growth(
            grouped(growth.first, 0),
            grouped(growth.last, 0),
            significant(growth.factor()),
            grouped(growth.per_month(), 3),
        );
        row(plan::log_row_growth(), catalog.text(&text));
    }
    behaviour(history, catalog, &mut row);
    let mut statuses = [0_u64; 6];
    for endpoint in &history.endpoints {
        for (sum, more) in statuses.iter_mut().zip(endpoint.statuses) {
            *sum += more;
        }
    }
    let shares = (0..6).zip(statuses).filter(|(_, number)| *number > 0);
    let shares: Vec<String> = shares
        .map(|(class, number)| {
            let name = if class == 0 {
                "-".to_owned()
            } else {
                format!("{class}xx")
            };
            format!(
                "{name} {}",
                percent(number as f64 / history.requests as f64)
            )
        })
        .collect();
    row(plan::log_row_statuses(), shares.join("  "));
    row(plan::log_row_times(), times(history, catalog));
    rows
}

/// The fields that were taken for the time of a request.
fn times(history: &TrafficHistory, catalog: &Catalog) -> String {
    if history.times.is_empty() {
        return catalog.text(&plan::log_time_none());
    }
    let sources = history.times.iter();
    let sources = sources.map(|source| catalog.text(&time_source(source)));
    sources.collect::<Vec<_>>().join("; ")
}

/// Which field was taken for the time of a request, and why.
fn time_source(source: &TimeSource) -> Message {
    let TimeSource { field, unit, .. } = source;
    match source.reason {
        TimeReason::Unit => plan::log_time_unit(field),
        TimeReason::Name => plan::log_time_name(field, unit),
        TimeReason::Decimals => plan::log_time_decimals(field, unit),
        TimeReason::Longest => plan::log_time_longest(field, unit),
        TimeReason::Servers => plan::log_time_servers(field),
        TimeReason::Format => plan::log_time_format(field, unit),
        TimeReason::Layout => plan::log_time_layout(field, unit),
        TimeReason::Point => plan::log_time_point(field),
        TimeReason::Given => plan::log_time_given(field, unit),
    }
}

/// Half of all requests in less than this, in ms, are seldom: the unit may be another.
const TOO_SHORT_MS: f64 = 0.1;

/// What speaks against the figures.
fn doubts(history: &TrafficHistory) -> Vec<Message> {
    let mut doubts: Vec<Message> = history
        .refused_times
        .iter()
        .map(|refusal| refused_time(refusal, history.length))
        .collect();
    let is_short = |endpoint: &EndpointLoad| {
        let median = endpoint.took.percentile(0.5);
        median.is_some_and(|median| median < TOO_SHORT_MS)
    };
    let short: u64 = history
        .endpoints
        .iter()
        .filter(|endpoint| is_short(endpoint))
        .map(|endpoint| endpoint.requests)
        .sum();
    let in_apache = history.times.iter().find(|source| source.unit == "µs");
    if let Some(source) = in_apache
        && short * 2 > history.requests
    {
        doubts.push(plan::log_too_short(&source.field));
    }
    if history.is_one_address {
        doubts.push(plan::log_one_address());
    }
    doubts
}

/// Why a field that looks like a time was not taken.
fn refused_time(refusal: &TimeRefusal, length: f64) -> Message {
    match refusal {
        TimeRefusal::Clock { example } => plan::log_no_time_clock(example),
        TimeRefusal::NoUnit { field, example } if field.is_empty() => {
            plan::log_no_time_whole(example)
        }
        TimeRefusal::NoUnit { field, example } => plan::log_no_time_unit(field, example),
        TimeRefusal::FewDecimals { example } => plan::log_no_time_decimals(example),
        TimeRefusal::Disagree { one, other } => plan::log_no_time_disagree(one, other),
        TimeRefusal::LongerThanLog { field, median_ms } => {
            plan::log_no_time_long(field, millis(*median_ms), FigureUnit::Seconds.show(length))
        }
    }
}

/// How people behave, if clients can be distinguished.
fn behaviour(history: &TrafficHistory, catalog: &Catalog, row: &mut impl FnMut(Message, String)) {
    let behaviour = &history.behaviour;
    if behaviour.sessions > 0.0 {
        let text = plan::log_sessions(
            grouped(behaviour.sessions, 0),
            significant(behaviour.requests_per_session),
        );
        row(plan::log_row_sessions(), catalog.text(&text));
        if let Some(think) = behaviour.think_time {
            let text = plan::log_think(FigureUnit::Seconds.show(think), percent(behaviour.at_once));
            row(plan::log_row_think(), catalog.text(&text));
        }
        let text = plan::log_retries(percent(behaviour.retry_share));
        row(plan::log_row_retries(), catalog.text(&text));
    }
}

fn table(rows: &[[String; 2]]) -> Vec<String> {
    let widest = rows
        .iter()
        .map(|[label, _]| label.width())
        .max()
        .unwrap_or(0);
    let line = |[label, value]: &[String; 2]| {
        let padding = " ".repeat(widest - label.width());
        format!("  {label}{padding}  {value}")
    };
    rows.iter().map(line).collect()
}

/// Failed answers and missing ones.
fn failed(endpoint: &EndpointLoad) -> f64 {
    (endpoint.statuses[0] + endpoint.statuses[5]) as f64 / endpoint.requests.max(1) as f64
}

fn endpoints(history: &TrafficHistory, catalog: &Catalog) -> Vec<String> {
    let minute = history.minute_rate();
    let shown = history.endpoints.iter().take(ENDPOINTS_MAX);
    let mut rows = vec![[
        String::new(),
        catalog.text(&plan::log_column_share()),
        catalog.text(&plan::log_column_peak()),
        catalog.text(&plan::log_column_errors()),
        "p50".to_owned(),
        "p95".to_owned(),
    ]];
    rows.extend(shown.map(|endpoint| {
        let took = |share: f64| {
            endpoint
                .took
                .percentile(share)
                .map(millis)
                .unwrap_or_default()
        };
        [
            format!("{} {}", endpoint.method, endpoint.template),
            format!("{} %", grouped(endpoint.share * 100.0, 2)),
            FigureUnit::PerSecond.show(minute * endpoint.share),
            percent(failed(endpoint)),
            took(0.5),
            took(0.95),
        ]
    }));
    let mut widths = [0; 6];
    for row in &rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(cell.width());
        }
    }
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let mut line = format!("  {}{}", row[0], " ".repeat(widths[0] - row[0].width()));
            for (cell, width) in row.iter().zip(widths).skip(1) {
                line.push_str(&format!("  {}{cell}", " ".repeat(width - cell.width())));
            }
            line.trim_end().to_owned()
        })
        .collect();
    let rest = history.endpoints.iter().skip(ENDPOINTS_MAX);
    let share: f64 = rest.map(|endpoint| endpoint.share).sum();
    if share > 0.0 {
        let more = plan::log_more(history.endpoints.len() - ENDPOINTS_MAX, percent(share));
        lines.push(format!("  {}", catalog.text(&more)));
    }
    lines
}

/// The history for programs.
#[must_use]
pub fn json(history: &TrafficHistory) -> Value {
    let endpoints: Vec<Value> = history
        .endpoints
        .iter()
        .map(|endpoint| {
            json!({
                "method": endpoint.method, "path": endpoint.template,
                "requests": endpoint.requests, "share": endpoint.share,
                "errors": failed(endpoint),
                "p50_ms": endpoint.took.percentile(0.5), "p95_ms": endpoint.took.percentile(0.95),
            })
        })
        .collect();
    let troubles: serde_json::Map<String, Value> = history
        .troubles
        .each()
        .map(|(trouble, count, places)| {
            let places: Vec<Value> = places
                .iter()
                .map(|place| json!({"file": place.file, "line": place.line}))
                .collect();
            (
                trouble.id().to_owned(),
                json!({"lines": count, "first": places}),
            )
        })
        .collect();
    let busiest = |busiest: &loadline_sizing::history::PeakSpan| json!({"at": busiest.at, "requests": busiest.requests});
    json!({
        "lines": history.lines, "requests": history.requests,
        "first": history.first, "last": history.last, "zone": zone(history), "mean_rate": history.mean_rate,
        "busiest_day": busiest(&history.day), "busiest_minute": busiest(&history.minute),
        "busiest_second": busiest(&history.second),
        "sessions": history.behaviour.sessions,
        "requests_per_session": history.behaviour.requests_per_session,
        "think_time_s": history.behaviour.think_time,
        "retry_share": history.behaviour.retry_share,
        "growth": history.growth.map(|growth| growth.factor()),
        "endpoints": endpoints, "troubles": troubles,
        "response_times": history.times.iter().map(|source| json!({
            "field": source.field, "unit": source.unit,
        })).collect::<Vec<Value>>(),
        "one_address": history.is_one_address,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_sizing::history::LogReader;
    use loadline_text::Lang;

    #[test]
    fn a_log_shows_its_busiest_moments_mix_and_troubles() {
        let mut log = String::new();
        for second in 0..90 {
            let (minute, of) = (second / 60, second % 60);
            let line = |request: &str| {
                format!(
                    "1.1.1.1 - - [10/Oct/2000:13:{minute:02}:{of:02} +0900] \"{request} HTTP/1.1\" 200 5 \"-\" \"a\" 0.020\n"
                )
            };
            log += &line("GET /deers?userId=1");
            if second % 3 == 0 {
                log += &line("POST /deers");
            }
        }
        log += "rubbish\n";
        let mut reader = LogReader::default();
        let file = reader.begin_file("a.log");
        reader.feed(file, log.as_bytes());
        reader.end_file(file, false);
        let history = reader.finish();
        insta::assert_snapshot!("history_en", text(&history, 1, &Catalog::new(Lang::En)));
        insta::assert_snapshot!("history_ko", text(&history, 1, &Catalog::new(Lang::Ko)));
        assert_eq!(json(&history)["troubles"]["unreadable"]["lines"], 1);
    }
}
