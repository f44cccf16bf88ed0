//! Lines of the target's log: what its failures write, and what others write into the same place.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind, TargetSetting};

use super::Sheet;
use crate::parts::{Bystander, Fault, Stack};

/// A wording, whether it is an error to the reader of logs, and how many lines there were until a time.
struct Wording {
    sample: &'static str,
    is_error: bool,
    counts: Vec<(f64, f64)>,
}

/// Lines of others: nothing that limits.
const LOUD: [(&str, bool, f64); 5] = [
    (
        "DEBUG HikariPool - main - Pool stats (total=10, active=1, idle=9, waiting=0)",
        false,
        0.2,
    ),
    (
        "ERROR otel exporter: Failed to export metrics: connection refused localhost:4317",
        true,
        0.15,
    ),
    ("INFO health: upstream timed out once, retried", false, 0.3),
    (
        "WARN statsd: connection refused, dropping metrics",
        false,
        0.5,
    ),
    (
        "DEBUG cache: evicting 3 keys, pool is exhausted soon",
        false,
        2.0,
    ),
];

pub(super) fn record(sheet: &mut Sheet<'_>) {
    let mut wordings = own(sheet);
    if sheet.plan.has(Bystander::LoudLog) {
        for _ in 0..3 {
            let (sample, is_error, rate) = sheet.dice.pick(&LOUD);
            let looks = sheet.played.looks.iter();
            let counts = looks
                .map(|look| (look.at_ms, (rate * look.at_ms / 1_000.0).floor()))
                .collect();
            wordings.push(Wording {
                sample,
                is_error,
                counts,
            });
        }
    }
    for wording in wordings {
        let of = Entity::new().with(Label::Line, &without_numbers(wording.sample));
        let mut before = None;
        for (at, count) in wording.counts {
            if count < 1.0 {
                before = Some(at);
                continue;
            }
            let errors = if wording.is_error { count } else { 0.0 };
            // There was none at the look before.
            if let Some(at) = before.take() {
                sheet.put_of(Kind::LogLines, &of, at, 0.0);
                sheet.put_of(Kind::LogErrors, &of, at, 0.0);
            }
            sheet.put_of(Kind::LogLines, &of, at, count);
            sheet.put_of(Kind::LogErrors, &of, at, errors);
        }
        let sample = TargetSetting::new("log.sample", wording.sample, of);
        sheet.signals.set(sample);
    }
    let times: Vec<f64> = sheet.played.looks.iter().map(|look| look.at_ms).collect();
    sheet.source("log:app.log", SourceKind::Logs, &times, &[]);
}

/// As the reader of logs folds it.
fn without_numbers(sample: &str) -> String {
    let words = sample.split(' ').map(|word| {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            "#"
        } else {
            word
        }
    });
    words.collect::<Vec<&str>>().join(" ")
}

fn own(sheet: &Sheet<'_>) -> Vec<Wording> {
    let plan = sheet.plan;
    let looks = || sheet.played.looks.iter();
    let mut wordings = Vec::new();
    if looks().any(|look| look.counters.pool_timeouts > 0.0) {
        wordings.push(Wording {
            sample: match plan.stack {
                Stack::Java => "ERROR o.h.e.j.s.SqlExceptionHelper - main - Connection is not available, request timed out after 2000ms.",
                Stack::Go => "level=error msg=\"acquire: context deadline exceeded\"",
                Stack::Node => "Error: timeout exceeded when trying to connect",
                Stack::Python => "ERROR app: psycopg_pool.PoolTimeout: couldn't get a connection after 2.00 sec",
            },
            is_error: true,
            counts: looks().map(|look| (look.at_ms, look.counters.pool_timeouts)).collect(),
        });
    }
    if plan.fault == Fault::OutsideRate {
        wordings.push(Wording {
            sample: "ERROR payments: 429 Too Many Requests from payments:8080",
            is_error: true,
            counts: looks()
                .map(|look| (look.at_ms, look.counters.outside_errors))
                .collect(),
        });
    }
    if let Some(died) = sheet.played.died_ms {
        wordings.push(Wording {
            sample: match plan.stack {
                Stack::Java => "java.lang.OutOfMemoryError: Java heap space",
                Stack::Go => "fatal error: runtime: out of memory",
                Stack::Node => "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
                Stack::Python => "CRITICAL MemoryError",
            },
            is_error: true,
            counts: looks().map(|look| (look.at_ms, f64::from(u8::from(look.at_ms >= died)))).collect(),
        });
    }
    wordings
}
