//! The list of stored runs: each row against its run.

use loadline_record::{LowerBounds, Shortfall};
use loadline_report::runs::{self, RunLine};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};

pub(crate) fn drawn() -> impl Strategy<Value = Vec<RunLine>> {
    let verdict = prop_oneof![
        Just(("passed", Vec::new())),
        Just(("failed", vec![Shortfall::Errors { all: 10, failed: 3 }])),
        Just((
            "not-valid",
            vec![
                Shortfall::Load {
                    planned: 9,
                    started: 2
                },
                Shortfall::Cut { sent: 9, cut: 2 }
            ]
        )),
        Just(("no-goals", Vec::new())),
    ];
    let times = (
        0.1..9000.0_f64,
        prop::option::of(0.1..9000.0_f64),
        any::<bool>(),
    );
    let row = (
        verdict,
        0.05..40_000.0_f64,
        times,
        prop::option::of(0.0..=1.0_f64),
        1_u64..900,
    );
    prop::collection::vec(row, 1..5).prop_map(|rows| {
        let rows = rows.into_iter().enumerate();
        rows.map(|(place, (verdict, rate, times, errors, seconds))| RunLine {
            number: place as i64 + 1,
            name: format!("run-{place}"),
            started: "today".to_owned(),
            test: "test.js".to_owned(),
            verdict: verdict.0.to_owned(),
            shortfalls: verdict.1,
            seconds: seconds as f64,
            rate,
            mean_ms: Some(times.0),
            p95_ms: times.1,
            lower_bounds: LowerBounds {
                mean: false,
                p95: times.2 && times.1.is_some(),
            },
            errors,
            ..RunLine::default()
        })
        .collect()
    })
}

pub(crate) fn text(rows: &[RunLine], lang: Lang) -> String {
    runs::list(rows, &Catalog::new(lang))
}

/// What is wrong with a text of the list, its head left out.
pub(crate) fn misread(rows: &[RunLine], text: &str, lang: Lang) -> Vec<Misreading> {
    let mut reader = Reader::new(lang);
    for (place, run) in rows.iter().enumerate() {
        let p95 = match run.p95_ms {
            Some(p95) if run.lower_bounds.p95 => Fact::AtLeastMillis(p95),
            p95 => Fact::Millis(p95),
        };
        reader.fact(&format!("rate{place}"), Fact::Number(run.rate));
        reader.fact(&format!("p95{place}"), p95);
        reader.fact(
            &format!("errors{place}"),
            Fact::Share(run.errors.unwrap_or(0.0)),
        );
        let (word, korean) = match (run.verdict.as_str(), run.shortfalls.len()) {
            ("passed", _) => ("passed", "통과"),
            ("failed", _) => ("FAILED (errors)", "실패 (오류)"),
            ("not-valid", _) => ("NOT VALID (load, cut off)", "무효 (부하, 끊김)"),
            _ => ("no goals", "목표 없음"),
        };
        let minutes = run.seconds as u64 / 60;
        let seconds = run.seconds as u64 % 60;
        let length = if minutes > 0 {
            format!("{minutes}m{seconds}s")
        } else {
            format!("{seconds}s")
        };
        let number = place + 1;
        let mut cells = format!(" {length} {{rate{place}}}");
        if run.p95_ms.is_some() {
            cells.push_str(&format!(" {{p95{place}}}"));
        }
        if run.errors.is_some() {
            cells.push_str(&format!(" {{errors{place}}}"));
        }
        let row = |word: &str| format!("{number} run-{place} today test.js {word}{cells}");
        reader.pattern("line", &row(word), &row(korean));
    }
    let lines: Vec<&str> = text.lines().skip(1).collect();
    reader.read("line", &lines.join("\n"))
}
