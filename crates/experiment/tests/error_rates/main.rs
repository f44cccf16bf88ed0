//! How often levels and searches are wrong, by simulation on targets exactly at their line.
//!
//! The short test keeps the bounds; the long one makes the table of
//! `docs/decisions/capacity.md`:
//!
//! ```text
//! cargo test -p loadline-experiment --profile suite --test error_rates -- --ignored --nocapture
//! ```

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod noise;

use loadline_analysis::capacity::{Outcome, Purpose};
use loadline_experiment::capacity::{Search, Settings, judge_level};
use loadline_experiment::runner::{Runner, Running, carry_out};
use loadline_experiment::simulated::Target;
use noise::Noise;

/// The first seed; each level and search has the next.
const SEED: u64 = 20_261_123;
/// How many levels and searches a row of the table is made of.
const LEVELS: u32 = 1000;
const SEARCHES: u32 = 1000;
/// Requests per second of the levels, and what they usually take, ms.
const RATE: f64 = 100.0;
const USUAL_MS: f64 = 100.0;

/// Out of how many what was claimed.
#[derive(Debug, Clone, Copy, Default)]
struct Claims {
    all: u32,
    holds: u32,
    /// For certain.
    misses: u32,
    piles_up: u32,
    seconds: f64,
}

impl Claims {
    fn add(&mut self, outcome: &Outcome, held: usize) {
        self.all += 1;
        self.seconds += held as f64;
        match outcome {
            Outcome::Holds => self.holds += 1,
            Outcome::Misses { sure: true, .. } => self.misses += 1,
            Outcome::Overloaded => self.piles_up += 1,
            _ => {}
        }
    }

    fn share(self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.all)
    }

    fn row(self, name: &str) -> String {
        let percent = |count| format!("{:.1} %", 100.0 * self.share(count));
        format!(
            "| {name} | {} | {} | {} | {} | {:.0} s |",
            self.all,
            percent(self.holds),
            percent(self.misses),
            percent(self.piles_up),
            self.seconds / f64::from(self.all)
        )
    }
}

fn settings(term: &str) -> Settings {
    Settings {
        soak: 0.0,
        ..Settings::new(vec![term.parse().unwrap()])
    }
}

/// Levels of this noise, `offset` beyond their limit (0 is exactly at it).
fn levels(noise: Noise, offset: f64, purpose: Purpose, count: u32) -> Claims {
    let asked = settings(noise.term());
    let mut claims = Claims::default();
    for seed in 0..u64::from(count) {
        let windows = noise.windows(RATE, offset, SEED + seed);
        let step = judge_level(&asked, (RATE, purpose), USUAL_MS, windows).unwrap();
        claims.add(&step.outcome, step.held);
    }
    claims
}

/// A queue whose line is known: at most 5 % take longer than `limit`, up to this load.
fn line_of_queue(per_second: f64, limit: f64) -> f64 {
    per_second - 20.0_f64.ln() / limit
}

/// Searches on queues: how many told, for sure, more than there is, how many told a line at
/// all, and how far below the truth it was on average.
#[derive(Debug, Clone, Copy, Default)]
struct Searches {
    all: u32,
    sure: u32,
    wrong: u32,
    below: f64,
    seconds: f64,
}

fn searches(per_second: f64, limit: f64, count: u32) -> Searches {
    let truth = line_of_queue(per_second, limit);
    let asked = settings(&format!("p(95)<{}ms", limit * 1000.0));
    let mut found = Searches::default();
    for seed in 0..u64::from(count) {
        let mut target = Target {
            seed: SEED + seed,
            ..Target::queue(per_second)
        };
        let mut search = Search::new(asked.clone());
        let Ok(mut running) = target.start(&search.plan());
        let answer = carry_out(&mut running, &mut search, |_| ());
        running.stop();
        found.all += 1;
        let last = answer.steps.last().unwrap();
        found.seconds += last.began + last.held as f64;
        let Some(line) = answer.line.filter(|line| line.is_sure) else {
            continue;
        };
        found.sure += 1;
        found.wrong += u32::from(line.load.middle > truth);
        found.below += 1.0 - line.load.middle / truth;
    }
    found
}

impl Searches {
    fn row(self, per_second: f64, limit: f64) -> String {
        let truth = line_of_queue(per_second, limit);
        let all = f64::from(self.all);
        format!(
            "| {per_second}/s, p95 < {} ms | {truth:.1}/s | {} | {:.1} % | {:.1} % | {:.1} % | {:.0} s |",
            limit * 1000.0,
            self.all,
            100.0 * f64::from(self.wrong) / all,
            100.0 * f64::from(self.sure) / all,
            100.0 * self.below / f64::from(self.sure.max(1)),
            self.seconds / all
        )
    }
}

const QUEUES: [(f64, f64); 3] = [(200.0, 0.1), (100.0, 0.15), (50.0, 0.3)];

#[test]
fn at_the_line_a_level_is_wrongly_told_to_hold_at_most_once_in_twenty() {
    // Two are known to be beyond what 30 s can tell; see the table.
    let told = |noise: &Noise| !matches!(noise, Noise::ErrorSpells(4.0) | Noise::Queue);
    for noise in Noise::ALL.into_iter().filter(told) {
        let claims = levels(noise, 0.0, Purpose::Confirm, 40);
        assert!(claims.holds <= 5, "{noise:?}: {claims:?}");
        assert!(claims.misses <= 5, "{noise:?}: {claims:?}");
    }
}

#[test]
fn well_within_and_well_beyond_the_limit_levels_are_told() {
    // This is power, not error: a level that is not told is "cannot tell". Autocorrelated
    // means are told least often, by one confirmation in about two.
    for noise in [Noise::Independent, Noise::Errors, Noise::Mean] {
        let within = levels(noise, -0.5, Purpose::Confirm, 20);
        assert!(within.share(within.holds) >= 0.5, "{noise:?}: {within:?}");
        let beyond = levels(noise, 0.5, Purpose::Confirm, 20);
        assert!(beyond.share(beyond.misses) >= 0.5, "{noise:?}: {beyond:?}");
    }
}

#[test]
fn a_search_tells_more_than_there_is_at_most_once_in_twenty() {
    let found = searches(200.0, 0.1, 20);
    assert!(found.wrong <= 3, "{found:?}");
    assert!(found.sure >= 8, "{found:?}");
}

#[test]
#[ignore = "makes the table of docs/decisions/capacity.md, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn table_of_levels() {
    println!("| noise, at the limit | n | wrong `holds` | wrong `misses` | piles up | held |");
    println!("|---|---|---|---|---|---|");
    for noise in Noise::ALL {
        let claims = levels(noise, 0.0, Purpose::Confirm, LEVELS);
        println!("{}", claims.row(noise.name()));
    }
    println!("\n| noise | n | `holds` | `misses` | piles up | held |\n|---|---|---|---|---|---|");
    for (offset, what) in [(-0.3, "30 % below the limit"), (0.3, "30 % above it")] {
        for noise in Noise::ALL {
            let claims = levels(noise, offset, Purpose::Confirm, LEVELS / 5);
            println!("{}", claims.row(&format!("{}, {what}", noise.name())));
        }
    }
}

#[test]
#[ignore = "makes the table of docs/decisions/capacity.md, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn table_of_searches() {
    println!(
        "| queue (M/M/1) | truth | searches | told too much | sure of a line | below the truth | took |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (per_second, limit) in QUEUES {
        println!(
            "{}",
            searches(per_second, limit, SEARCHES).row(per_second, limit)
        );
    }
}
