use loadline_analysis::slo::Sample;
use loadline_record::Limit;

use super::*;
use crate::window::Generator;

fn rules() -> Rules {
    Rules {
        unit: Unit::Rate,
        terms: Vec::new(),
        idle_iteration_ms: 1.0,
        idle_request_ms: 1.0,
        idle_term_ms: Vec::new(),
        spells: Vec::new(),
        least: 3,
        confirm: 60,
        sure: 60,
        soak: 0,
        own_ceiling: None,
    }
}

/// A second without any answer, with a few requests under way.
fn silent(end: f64, stalled: f64) -> LoadWindow {
    LoadWindow {
        faults: loadline_analysis::capacity::IterationFaults::default(),
        end,
        span: 1.0,
        started: 1.0,
        ended: 0.0,
        dropped: 0.0,
        in_flight: 4.0,
        requests: 0.0,
        failed: 0.0,
        refused: 0.0,
        asked_to_wait: 0.0,
        durations: Histogram::new(),
        iterations: Histogram::new(),
        samples: Vec::new(),
        generator: Generator {
            stalled,
            ..Generator::default()
        },
        target_cpu: None,
    }
}

/// A second of a hundred answers of which so many ask to come back later.
fn asking(end: f64, asked: f64) -> LoadWindow {
    LoadWindow {
        started: 100.0,
        ended: 100.0,
        requests: 100.0,
        failed: asked,
        asked_to_wait: asked,
        in_flight: 1.0,
        ..silent(end, 0.0)
    }
}

#[test]
fn a_target_that_asks_to_wait_late_in_a_level_is_no_target_that_fails() {
    let rules = Rules {
        terms: vec!["errors<1%".parse().unwrap()],
        ..rules()
    };
    let mut trial = Trial::new(100.0, Purpose::Confirm, 0.0, &rules);
    let quiet = (1..=50).map(|second| asking(f64::from(second), 0.0));
    let windows = quiet.chain([asking(51.0, 100.0)]);
    let step = windows
        .into_iter()
        .find_map(|window| trial.take(&window, &rules));
    assert_eq!(
        step.map(|step| step.outcome),
        Some(LevelOutcome::AsksToWait)
    );
}

/// Seen: a limit of 22/s was told as 7.6/s, since 2 of the first 52 answers of a level of 16/s were 429.
#[test]
fn a_few_answers_that_ask_to_wait_by_chance_do_not_end_a_level() {
    let rules = Rules {
        terms: vec!["errors<1%".parse().unwrap()],
        ..rules()
    };
    let ended_by = |asked: f64| {
        let mut trial = Trial::new(16.0, Purpose::Confirm, 0.0, &rules);
        let second = |end: f64, asked: f64| LoadWindow {
            started: 17.0,
            ended: 17.0,
            requests: 17.0,
            ..asking(end, asked)
        };
        let windows = [second(1.0, 0.0), second(2.0, 0.0), second(3.0, asked)];
        let step = windows.iter().find_map(|window| trial.take(window, &rules));
        step.map(|step| step.outcome)
    };
    assert_eq!(ended_by(2.0), None);
    assert_eq!(ended_by(5.0), Some(LevelOutcome::AsksToWait));
}

/// Of a million answers chance has no part in four of a hundred, however small its numbers become.
#[test]
fn many_answers_that_ask_to_wait_end_a_level_at_any_rate() {
    let rules = Rules {
        terms: vec!["errors<1%".parse().unwrap()],
        ..rules()
    };
    let mut trial = Trial::new(1e6, Purpose::Confirm, 0.0, &rules);
    let window = LoadWindow {
        started: 1e6,
        ended: 1e6,
        requests: 1e6,
        ..asking(1.0, 4e4)
    };
    let step = trial.take(&window, &rules);
    assert_eq!(
        step.map(|step| step.outcome),
        Some(LevelOutcome::AsksToWait)
    );
}

fn outcome_of(windows: impl IntoIterator<Item = LoadWindow>) -> Option<LevelOutcome> {
    let rules = rules();
    let mut trial = Trial::new(2.0, Purpose::Climb, 0.0, &rules);
    let step = windows
        .into_iter()
        .find_map(|window| trial.take(&window, &rules));
    step.map(|step| step.outcome)
}

#[test]
fn a_target_that_answers_nothing_for_two_seconds_ends_the_level() {
    let outcome = outcome_of([silent(1.0, 0.0), silent(2.0, 0.0)]);
    assert_eq!(outcome, Some(LevelOutcome::Aborted(AbortReason::NoAnswers)));
}

/// Seen: one request that a busy machine kept for two seconds ended a level of 1/s.
#[test]
fn one_request_that_waits_is_no_silence_before_ten_seconds() {
    let seconds = |count: u32| (1..=count).map(f64::from);
    let slow = |end: f64| LoadWindow {
        in_flight: 1.0,
        ..silent(end, 0.0)
    };
    assert_eq!(outcome_of(seconds(9).map(slow)), None);
    assert_eq!(
        outcome_of(seconds(10).map(slow)),
        Some(LevelOutcome::Aborted(AbortReason::NoAnswers))
    );
}

#[test]
fn silence_while_the_generator_stood_still_is_not_the_targets() {
    assert_eq!(outcome_of([silent(1.0, 0.0), silent(2.0, 1.0)]), None);
    let later = [silent(1.0, 1.0), silent(2.0, 1.0), silent(3.0, 0.0)];
    assert_eq!(outcome_of(later.clone()), None);
    let goes_on = later.into_iter().chain([silent(4.0, 0.0)]);
    assert_eq!(
        outcome_of(goes_on),
        Some(LevelOutcome::Aborted(AbortReason::NoAnswers))
    );
}

/// A second of four requests that began late.
fn late(end: f64, request_ms: f64, lag_ms: f64) -> LoadWindow {
    LoadWindow {
        started: 4.0,
        ended: 4.0,
        requests: 4.0,
        durations: Histogram::from_values(&[request_ms; 4]),
        generator: Generator {
            lag: Histogram::from_values(&[lag_ms; 4]),
            ..Generator::default()
        },
        ..silent(end, 0.0)
    }
}

/// Seen: a level beside a server of 400 ms was called invalid on a busy machine.
#[test]
fn late_starts_are_the_generators_limit_where_they_are_much_beside_the_requests() {
    let is_limit = |request_ms, lag_ms| {
        let seconds = (1..=20).map(|second| late(f64::from(second), request_ms, lag_ms));
        matches!(outcome_of(seconds), Some(LevelOutcome::Invalid(Ceiling::Generator(limits))) if limits == [Limit::StartLag])
    };
    assert!(is_limit(5.0, 35.0));
    assert!(!is_limit(400.0, 35.0));
    assert!(is_limit(400.0, 60.0));
}

/// A second of 40 requests that take 100 ms, of which so many waited longer than 30 ms to be read.
fn read_late(end: f64, waited: usize, slow: usize) -> LoadWindow {
    let mut took = vec![100.0; 40 - waited - slow];
    took.extend(vec![135.0; waited]);
    took.extend(vec![200.0; slow]);
    let mut waits = vec![0.1; 40 - waited];
    waits.extend(vec![35.0; waited]);
    let durations = Histogram::from_values(&took);
    LoadWindow {
        started: 40.0,
        ended: 40.0,
        requests: 40.0,
        samples: vec![Sample {
            durations: durations.clone(),
            all: 40,
            ..Sample::default()
        }],
        durations,
        generator: Generator {
            read_lag: Histogram::from_values(&waits),
            ..Generator::default()
        },
        ..silent(end, 0.0)
    }
}

/// What a level at 40/s comes to whose seconds are these; `None` where it goes on after two minutes.
fn outcome_of_level(second: impl Fn(u32) -> LoadWindow) -> Option<LevelOutcome> {
    let rules = Rules {
        terms: vec!["p(95)<120ms".parse().unwrap()],
        idle_iteration_ms: 100.0,
        idle_request_ms: 100.0,
        idle_term_ms: vec![100.0],
        spells: vec![None],
        ..rules()
    };
    let mut trial = Trial::new(40.0, Purpose::Refine, 0.0, &rules);
    let step = (1..=120).find_map(|n| trial.take(&second(n), &rules));
    step.map(|step| step.outcome)
}

#[test]
fn a_level_is_missed_only_where_it_is_without_the_generators_own_delays() {
    let missed = |outcome| matches!(outcome, Some(LevelOutcome::Misses { .. }));
    assert!(missed(outcome_of_level(|n| read_late(f64::from(n), 0, 6))));
    assert!(
        missed(outcome_of_level(|n| read_late(f64::from(n), 6, 6))),
        "delays do not hide what the target does"
    );
    let always = outcome_of_level(|n| read_late(f64::from(n), 6, 0));
    let no_word = LevelOutcome::Invalid(Ceiling::Generator(vec![Limit::CloseGoal]));
    assert_eq!(always, Some(no_word));
    let often = outcome_of_level(|n| {
        let waited = if n.is_multiple_of(2) { 20 } else { 0 };
        read_late(f64::from(n), waited, 0)
    });
    assert_eq!(
        often,
        Some(LevelOutcome::Likely),
        "the calm seconds keep it"
    );
}
