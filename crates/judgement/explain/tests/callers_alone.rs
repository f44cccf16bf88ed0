//! Targets of which nothing is observed, drawn by a seed and played: what callers see tells a limit from times that
//! merely vary. Runs are short and long, users come in loops or at a rate, times follow several laws, and requests are of
//! one kind or two.
//!
//! ```text
//! CALLERS_SEED=7 cargo test -p loadline-explain --profile suite --test callers_alone -- --nocapture
//! ```

#![expect(clippy::print_stdout, reason = "tables are for those who run it")]
#![expect(
    clippy::disallowed_methods,
    reason = "which cases are run comes from the environment"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "counts and times of a drawn case are small"
)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use loadline_analysis::compare::ComparedWindow;
use loadline_explain::{
    CallerTimes, ExplainedEndpoint, ExplainedLoad, ExplainedRun, ExplanationAnswer, explain,
};
use loadline_metrics::Histogram;
use loadline_units::random::Random;

const SEED_DEFAULT: u64 = 20_261_129;
/// Cases that are drawn.
const CASES_DRAWN: u64 = 600;
/// Of healthy cases, of which two in five have their machine stop for up to 1.5 s, so many are claimed at most.
const CLAIMED_SHARE_MAX: f64 = 0.01;
/// Of limited cases so many are told: the others are honestly unknown.
const TOLD_SHARE_MIN: f64 = 0.8;
/// So many places are as many as anybody asks for.
const PLACES_OF_ALL: usize = 100_000;

/// How long the work of a request takes, ms.
#[derive(Debug, Clone, Copy)]
enum Law {
    Same,
    Uniform,
    Exponential,
    Lognormal(f64),
    TwoHumps,
}

impl Law {
    const ALL: [Self; 7] = [
        Self::Same,
        Self::Uniform,
        Self::Exponential,
        Self::Lognormal(0.3),
        Self::Lognormal(0.6),
        Self::Lognormal(1.1),
        Self::TwoHumps,
    ];

    /// A time with this mean.
    fn time(self, mean: f64, random: &Random) -> f64 {
        let normal = || (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        match self {
            Self::Same => mean,
            Self::Uniform => mean * (0.1 + 1.8 * random.unit()),
            Self::Exponential => -mean * (1.0 - random.unit()).ln(),
            Self::Lognormal(spread) => mean * (spread * normal() - spread * spread / 2.0).exp(),
            Self::TwoHumps if random.unit() < 0.7 => 0.4 * mean,
            Self::TwoHumps => 2.4 * mean,
        }
    }
}

/// A target and its load.
#[derive(Debug)]
struct Case {
    law: Law,
    mean_ms: f64,
    places: usize,
    /// Users in loops; else starts per second.
    users: Option<usize>,
    rate: f64,
    is_even: bool,
    pause_ms: f64,
    kinds: usize,
    seconds: usize,
    /// The machine stops for so long at this time: others have its cores.
    stop: Option<Stop>,
    is_limited: bool,
    /// What each request waits for beyond its work but for the first on a connection, ms: a caller that acknowledges the
    /// head of an answer late, to a server that writes its body when it has that.
    late_ack_ms: f64,
}

#[derive(Debug, Clone, Copy)]
struct Stop {
    at_ms: f64,
    for_ms: f64,
}

fn pick<T: Copy>(random: &Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

fn number(count: usize) -> f64 {
    count as f64
}

impl Case {
    fn drawn(random: &Random) -> Self {
        let is_limited = random.unit() < 0.5;
        let mean_ms = pick(random, &[8.0, 20.0, 50.0, 120.0]);
        let mut case = Self {
            law: pick(random, &Law::ALL),
            mean_ms,
            places: PLACES_OF_ALL,
            users: None,
            rate: 0.0,
            is_even: random.unit() < 0.5,
            pause_ms: 0.0,
            kinds: 1,
            seconds: pick(random, &[5, 6, 8, 12, 20, 30]),
            stop: None,
            is_limited,
            late_ack_ms: 0.0,
        };
        if random.unit() < 0.5 {
            let users = pick(random, &[5, 10, 20, 60]);
            case.kinds = pick(random, &[1, 2]);
            case.users = Some(users);
            if is_limited {
                // They wait for most of their time: five times as many as are served, at least.
                case.places = (users / pick(random, &[5, 8, 12])).max(1);
            } else {
                case.pause_ms = pick(random, &[0.0, 0.0, 100.0, 500.0]);
            }
        } else {
            case.places = pick(random, &[2, 4, 8, 16]);
            let served = number(case.places) * 1000.0 / mean_ms;
            let used = if is_limited {
                pick(random, &[1.4, 1.8, 2.5])
            } else {
                pick(random, &[0.2, 0.4, 0.55])
            };
            case.rate = (used * served).min(900.0);
            if is_limited && case.rate < used * served {
                case.places = (case.rate / used * mean_ms / 1000.0).max(1.0).floor() as usize;
            }
        }
        if !is_limited && random.unit() < 0.4 {
            let for_ms = pick(random, &[200.0, 500.0, 1_000.0, 1_500.0]);
            let at_ms = random.unit() * number(case.seconds) * 1000.0;
            case.stop = Some(Stop { at_ms, for_ms });
        }
        if !is_limited && case.users.is_some() && random.unit() < 0.3 {
            case.late_ack_ms = 40.0;
        }
        case
    }

    /// When work ends that begins then and takes so long.
    fn end_of(&self, from_ms: f64, time_ms: f64) -> f64 {
        match self.stop {
            Some(stop) if (stop.at_ms..stop.at_ms + stop.for_ms).contains(&from_ms) => {
                stop.at_ms + stop.for_ms + time_ms
            }
            Some(stop) if from_ms < stop.at_ms && from_ms + time_ms > stop.at_ms => {
                from_ms + time_ms + stop.for_ms
            }
            _ => from_ms + time_ms,
        }
    }
}

/// What became of one request.
struct Answer {
    kind: usize,
    begun_ms: f64,
    ended_ms: f64,
}

/// Plays the load against places that serve in order.
fn played(case: &Case, random: &Random) -> Vec<Answer> {
    let end_ms = number(case.seconds) * 1000.0;
    let milli = |ms: f64| Reverse((ms * 1000.0) as u64);
    let mut free: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let mut answers = Vec::new();
    let mut serve = |kind: usize, begun_ms: f64, late_ms: f64| {
        let of_kind = if kind == 0 { 1.0 } else { 0.7 };
        let time = case.law.time(case.mean_ms * of_kind, random).max(0.2);
        let from = if free.len() < case.places {
            begun_ms
        } else {
            free.pop()
                .map_or(begun_ms, |Reverse(at)| begun_ms.max(at as f64 / 1000.0))
        };
        let ended_ms = case.end_of(from, time) + late_ms;
        free.push(milli(ended_ms));
        answers.push(Answer {
            kind,
            begun_ms,
            ended_ms,
        });
        ended_ms
    };
    if let Some(users) = case.users {
        let mut has_connection = vec![false; users];
        let mut due: BinaryHeap<(Reverse<u64>, usize)> = (0..users)
            .map(|user| (milli(number(user) * 0.01), user * 2))
            .collect();
        while let Some((Reverse(at), user)) = due.pop() {
            let begun_ms = at as f64 / 1000.0;
            if begun_ms >= end_ms {
                continue;
            }
            let step = user % 2;
            let is_first = !std::mem::replace(&mut has_connection[user / 2], true);
            let late_ms = if is_first { 0.0 } else { case.late_ack_ms };
            let ended = serve(if case.kinds == 2 { step } else { 0 }, begun_ms, late_ms);
            let pause = 2.0 * case.pause_ms * random.unit();
            due.push((milli(ended + pause), user - step + (1 - step)));
        }
    } else {
        let mut at_ms = 0.0;
        while at_ms < end_ms {
            serve(0, at_ms, 0.0);
            let gap = 1000.0 / case.rate;
            at_ms += if case.is_even {
                gap
            } else {
                -gap * (1.0 - random.unit()).ln()
            };
        }
    }
    answers
}

fn windows(case: &Case, answers: &[Answer], kind: Option<usize>) -> Vec<ComparedWindow> {
    let mut windows = vec![ComparedWindow::default(); case.seconds];
    let second = |ms: f64| (ms / 1000.0) as usize;
    for one in answers
        .iter()
        .filter(|one| kind.is_none_or(|kind| one.kind == kind))
    {
        if case.users.is_none() {
            windows[second(one.begun_ms)].planned += 1.0;
            windows[second(one.begun_ms)].planned_rate = case.rate;
        }
        let at = second(one.ended_ms);
        let window = &mut windows[at.min(case.seconds - 1)];
        window.requests += 1.0;
        let is_late = at >= case.seconds;
        window.iterations += if is_late { 0.0 } else { 1.0 };
        window.drained += if is_late { 1.0 } else { 0.0 };
        window.durations.record(one.ended_ms - one.begun_ms);
    }
    for window in &mut windows {
        window.users = number(case.users.unwrap_or(50));
    }
    windows
}

fn run(case: &Case, answers: &[Answer]) -> ExplainedRun {
    let of_kind = |kind: usize| {
        let times = answers.iter().filter(|one| one.kind == kind);
        Histogram::from_values(
            &times
                .map(|one| one.ended_ms - one.begun_ms)
                .collect::<Vec<_>>(),
        )
    };
    let all = windows(case, answers, None);
    let mut times = Histogram::default();
    all.iter().for_each(|window| times.merge(&window.durations));
    ExplainedRun {
        load: ExplainedLoad {
            is_open: case.users.is_none(),
            users: number(case.users.unwrap_or(50)),
            iteration_ms: times.mean().unwrap_or(0.0) + case.pause_ms,
            ..ExplainedLoad::default()
        },
        times: Some(CallerTimes {
            receiving: case.late_ack_ms,
            ..CallerTimes::default()
        }),
        alike: (case.kinds == 1).then(|| of_kind(0)),
        endpoints: (0..case.kinds)
            .filter(|_| case.kinds > 1)
            .map(|kind| ExplainedEndpoint {
                name: format!("GET /{kind}"),
                fastest_good_ms: of_kind(kind).min(),
                all: of_kind(kind),
                windows: windows(case, answers, Some(kind)),
            })
            .collect(),
        windows: all,
        ..ExplainedRun::default()
    }
}

/// Seen: a limit claimed of 5 of 15 healthy targets whose times vary, and none of queues in runs of five seconds.
#[test]
fn a_limit_is_told_from_times_that_vary_by_callers_alone() {
    let named = std::env::var("CALLERS_SEED").ok();
    let seed = named
        .and_then(|text| text.parse().ok())
        .unwrap_or(SEED_DEFAULT);
    let (mut healthy, mut limited, mut told) = (0, 0, 0);
    let (mut claimed, mut denied) = (Vec::new(), Vec::new());
    for number in 0..CASES_DRAWN {
        let random = Random::new(seed.wrapping_mul(1_000_003) + number);
        let case = Case::drawn(&random);
        let told_of = explain(&run(&case, &played(&case, &random)), &[]);
        let answer = told_of.answer;
        let is_claimed = matches!(
            answer,
            ExplanationAnswer::Limited | ExplanationAnswer::UnknownLimit
        );
        if case.is_limited {
            limited += 1;
            told += u32::from(is_claimed);
            if answer == ExplanationAnswer::NoBottleneck {
                denied.push(format!("{case:?}"));
            }
            if !is_claimed {
                println!("not told {answer:?}: {case:?}");
            }
        } else {
            healthy += 1;
            if is_claimed {
                let first = &told_of.findings[0];
                claimed.push(format!("{case:?} {:?} {:?}", first.rule, told_of.levels));
            }
        }
    }
    println!(
        "seed {seed}: claimed {} of {healthy} healthy, told {told} of {limited} limited",
        claimed.len()
    );
    assert!(
        claimed.len() as f64 <= CLAIMED_SHARE_MAX * f64::from(healthy),
        "healthy with a claimed limit: {claimed:#?}"
    );
    assert!(
        denied.is_empty(),
        "limited and said to have room: {denied:#?}"
    );
    assert!(
        f64::from(told) >= TOLD_SHARE_MIN * f64::from(limited),
        "{told} of {limited}"
    );
}
