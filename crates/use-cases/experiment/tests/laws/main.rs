//! How near searches come to the line of forty simulated targets, in how much time, and how other ways to search do.
//!
//! `make capacity-bench` makes the rows of `docs/bench/capacity-laws.md`. `ROWS=text;text` in the environment makes only those with such a text
//! in their names, `WAYS=names` only these ways to search (ours alone, without it), `SEARCHES=n` as many searches of each, `SEED=n` begins with
//! another seed, `BUDGET=seconds` gives each so much time, and `KEEP=folder` keeps searches there, a file for each target, and makes only those
//! that it lacks: seed, estimate, its range, what is sure, what is safe, what held, seconds, and a fingerprint of the answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small whole numbers"
)]

mod forty;
mod kept;
mod rivals;
mod score;

use std::sync::atomic::{AtomicUsize, Ordering};

use forty::{Law, laws};
use kept::KeptSearches;
use score::{Score, Told, Way};

/// The first seed; each search has the next.
const FIRST_SEED: u64 = 20_261_129;
const SEARCHES_PER_ROW: u64 = 1000;
/// So many searches of each target are made before there are more of any: a call that is stopped has as many of all.
const SEARCHES_AT_A_TIME: u64 = 50;
/// Requests of one load that the test simulates.
const REQUESTS_OF_TEST: f64 = 200_000.0;
/// Searches of each law that the test makes.
const SEARCHES_OF_TEST: u64 = 2;

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
        let seeds = FIRST_SEED..FIRST_SEED + SEARCHES_OF_TEST;
        let searches: Vec<Told> = seeds
            .map(|seed| Told::new(law, Way::Search, seed, None))
            .collect();
        let score = Score::new(law, &searches);
        sure += score.sure;
        above += score.above;
        near += score.within(0.05);
        told += score.offs.len();
    }
    assert!(above <= 1 && sure >= 8, "{above} of {sure} lie above");
    assert!(near * 10 >= told * 8, "{near} of {told}");
}

#[test]
#[ignore = "makes the rows of docs/bench/capacity-laws.md, in an hour"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
#[expect(clippy::disallowed_methods, reason = "rows are chosen from outside")]
fn table_of_laws() {
    let asked = |name: &str| std::env::var(name).ok();
    let count = asked("SEARCHES").and_then(|text| text.parse().ok());
    let count: u64 = count.unwrap_or(SEARCHES_PER_ROW);
    let budget = asked("BUDGET").and_then(|text| text.parse().ok());
    let kept = KeptSearches::new(asked("KEEP").map(Into::into));
    let ways = asked("WAYS").unwrap_or_else(|| Way::Search.name().to_owned());
    let ways: Vec<Way> = (Way::ALL.into_iter())
        .filter(|way| ways.contains(way.name()))
        .collect();
    let laws: Vec<Law> = laws().into_iter().filter(is_asked_for).collect();
    let rows: Vec<(&Law, Way)> = (laws.iter())
        .flat_map(|law| ways.iter().map(move |way| (law, *way)))
        .collect();
    let mut searches: Vec<_> = (rows.iter())
        .map(|(law, way)| kept.searches(law, *way))
        .collect();

    // The other ways need no thousand to be told apart.
    let count_of = |way: Way| match way {
        Way::Search => count,
        _ => count.div_ceil(5),
    };
    let mut missing = Vec::new();
    for block in 0..count.div_ceil(SEARCHES_AT_A_TIME) {
        for (row, (_, way)) in rows.iter().enumerate() {
            let first = block * SEARCHES_AT_A_TIME;
            let places = first..(first + SEARCHES_AT_A_TIME).min(count_of(*way));
            let seeds = places.map(|place| first_seed() + place);
            let lacking = seeds.filter(|seed| !searches[row].contains_key(seed));
            missing.extend(lacking.map(|seed| (row, seed)));
        }
    }

    let next = AtomicUsize::new(0);
    let make = || {
        let mut made = Vec::new();
        while let Some((row, seed)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (law, way) = rows[*row];
            let told = Told::new(law, way, *seed, budget);
            kept.add(law, way, *seed, &told);
            made.push((*row, *seed, told));
        }
        made
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(make)).collect();
        for worker in workers {
            for (row, seed, told) in worker.join().unwrap() {
                searches[row].insert(seed, told);
            }
        }
    });
    println!("{}", Score::HEAD);
    for ((law, way), searches) in rows.iter().zip(&searches) {
        let seeds = first_seed()..first_seed() + count_of(*way);
        let asked = searches.range(seeds).map(|(_, told)| told);
        println!("{}", Score::new(law, asked).row(law, *way));
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
