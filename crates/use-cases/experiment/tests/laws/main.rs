//! How near searches come to the line of forty simulated targets, in how much time, and how other ways to search do.
//!
//! ```text
//! cargo test -p loadline-experiment --release --test laws -- --ignored --nocapture
//! ```
//!
//! makes the table of `docs/bench/capacity-laws.md`. `ROWS=text;text` in the environment makes only the rows with such a text in their names,
//! `WAYS=names` only these ways to search, `SEARCHES=n` as many searches of each, `BUDGET=seconds` gives each so much time, and `JOURNAL=file` keeps rows there and makes only those that it lacks,
//! `EACH=file` writes each search: seed, what the estimate, both ends of its range, the sure line, what held and what is safe are off, percent, seconds, the line.
//! `SEED=n` begins with another seed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small whole numbers"
)]

mod forty;
mod rivals;
mod score;

use forty::{Law, laws};
use score::{Asked, Score, Way};

/// The first seed; each search has the next.
const FIRST_SEED: u64 = 20_261_129;
const SEARCHES_PER_ROW: u32 = 1000;
/// Requests of one load that the test simulates.
const REQUESTS_OF_TEST: f64 = 200_000.0;
/// Searches of each law that the test makes.
const SEARCHES_OF_TEST: u32 = 2;

/// The first seed that was asked for.
#[expect(clippy::disallowed_methods, reason = "seeds are chosen from outside")]
fn first_seed() -> u64 {
    let asked = std::env::var("SEED").ok();
    asked
        .and_then(|text| text.parse().ok())
        .unwrap_or(FIRST_SEED)
}

/// Whether a row is one of those that were asked for: their names, or parts of them, between semicolons.
#[expect(clippy::disallowed_methods, reason = "rows are chosen from outside")]
fn is_asked_for(law: &Law) -> bool {
    let rows = std::env::var("ROWS").unwrap_or_default();
    rows.split(';').any(|text| law.name.contains(text))
}

#[test]
fn there_are_forty_laws_and_each_has_a_line() {
    let laws = laws();
    assert!(laws.len() >= 40, "{}", laws.len());
    for law in laws {
        assert!(
            law.line_rate > 1.0 && law.line_rate < 5000.0,
            "{}",
            law.name
        );
    }
}

#[test]
fn a_closed_form_and_a_long_simulation_agree_on_a_line() {
    // M/M/1: p95 is ln 20 / (C - load).
    let mut law = forty::of_queue(200.0, 0.1);
    let known = law.line_rate;
    law.line_rate = f64::NAN;
    let simulated = forty::simulated_line(&law, REQUESTS_OF_TEST);
    assert!(
        (simulated / known - 1.0).abs() < 0.02,
        "{simulated} {known}"
    );
}

#[test]
fn what_is_told_for_sure_lies_below_the_line_and_estimates_are_near_it() {
    let quick = |law: &Law| law.line_rate < 130.0 && law.is_plain();
    let (mut sure, mut above, mut near, mut told) = (0, 0, 0, 0);
    for law in laws().iter().filter(|law| quick(law)) {
        let score = Score::new(
            law,
            Way::Search,
            &Asked::default(),
            FIRST_SEED,
            SEARCHES_OF_TEST,
        );
        sure += score.sure;
        above += score.above;
        near += score.within(0.05);
        told += score.offs.len();
    }
    assert!(above <= 1 && sure >= 8, "{above} of {sure} lie above");
    assert!(near * 10 >= told * 8, "{near} of {told}");
}

#[test]
#[ignore = "makes the table of docs/bench/capacity-laws.md, in an hour"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
#[expect(clippy::disallowed_methods, reason = "rows are chosen from outside")]
fn table_of_laws() {
    let asked = |name: &str| std::env::var(name).ok();
    let count = asked("SEARCHES").and_then(|text| text.parse().ok());
    let count: u32 = count.unwrap_or(SEARCHES_PER_ROW);
    let budget = Asked {
        budget: asked("BUDGET").and_then(|text| text.parse().ok()),
        each: asked("EACH"),
    };
    let journal = asked("JOURNAL");
    let kept = |file: &String| std::fs::read_to_string(file).unwrap_or_default();
    let kept = journal.as_ref().map(kept).unwrap_or_default();
    println!("{}", Score::HEAD);
    for law in laws() {
        if !is_asked_for(&law) {
            continue;
        }
        let is_asked = |way: &Way| asked("WAYS").is_none_or(|ways| ways.contains(way.name()));
        for way in Way::ALL.into_iter().filter(is_asked) {
            let name = format!("| {}, {} | {} |", law.name, law.term, way.name());
            if let Some(row) = kept.lines().find(|row| row.starts_with(&name)) {
                println!("{row}");
                continue;
            }
            // The other ways need no thousand to be told apart.
            let count = if way == Way::Search {
                count
            } else {
                count.div_ceil(5)
            };
            let row = format!(
                "{name} {}",
                Score::abreast(&law, way, &budget, first_seed(), count).row(&law)
            );
            println!("{row}");
            if let Some(file) = &journal {
                use std::io::Write;
                let mut open = std::fs::OpenOptions::new();
                let mut file = open.create(true).append(true).open(file).unwrap();
                writeln!(file, "{row}").unwrap();
            }
        }
    }
}

#[test]
#[ignore = "recomputes the lines, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn lines_by_long_simulation() {
    for law in laws() {
        println!(
            "{} | {} | {}",
            law.name,
            law.line_rate,
            forty::simulated_line(&law, forty::LONG_REQUESTS)
        );
    }
}

#[test]
#[ignore = "shows the levels of one search of each law, as ROWS says"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn one_search_level_by_level() {
    for law in laws().iter().filter(|law| is_asked_for(law)) {
        println!("\n{}, {}: {:.1}/s", law.name, law.term, law.line_rate);
        for line in score::levels(law, first_seed()) {
            println!("{line}");
        }
    }
}
