//! Searches against simulated targets whose truth is known.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use loadline_analysis::capacity::{
    Answer, Ceiling, LevelOutcome, Purpose, SearchEnd, SentAtLoad, SoakEnd, Step, Unit,
};
use loadline_experiment::capacity::run_search;
use loadline_experiment::capacity::{Goal, HeldLoads, IdleTimes, Search, SearchSettings};
use loadline_experiment::runner::{Runner, Running};
use loadline_experiment::simulated::SimulatedTarget;
use proptest::prelude::*;

fn usual() -> SearchSettings {
    let terms = ["p(95)<500ms", "errors<1%"];
    SearchSettings::new(terms.map(|term| term.parse().unwrap()).to_vec())
}

fn search(settings: SearchSettings, mut target: SimulatedTarget) -> Answer {
    let mut search = Search::new(settings);
    let Ok(mut running) = target.start(&search.plan());
    let answer = run_search(&mut running, &mut search, |_| ());
    running.stop();
    answer
}

/// The levels, for a person who reads a failing test.
fn shown(answer: &Answer) -> String {
    let mut text = format!("{:?} line {:?}\n", answer.end, answer.line);
    for step in &answer.steps {
        text.push_str(&format!(
            "{:>7.1} s {:>9?} {:>8.2} held {:>3} sustained {:>8.2} {:?}\n",
            step.began, step.purpose, step.load, step.held, step.sustained, step.outcome
        ));
    }
    text
}

fn line(answer: &Answer) -> f64 {
    let Some(line) = &answer.line else {
        panic!("no line: {}", shown(answer))
    };
    line.load.middle
}

fn seconds(answer: &Answer) -> f64 {
    let counted = answer.steps.iter().filter(|s| s.purpose != Purpose::Soak);
    counted.map(|s| s.began + s.held as f64).fold(0.0, f64::max)
}

#[test]
fn a_pool_is_found_at_pool_over_hold_time() {
    let answer = search(usual(), SimulatedTarget::pool(10, 0.05));
    assert_eq!(answer.end, SearchEnd::Found, "{}", shown(&answer));
    let found = line(&answer);
    assert!((found / 200.0 - 1.0).abs() < 0.03, "{}", shown(&answer));
    let peak = answer.peak.as_ref().unwrap().throughput.middle;
    assert!((peak / 200.0 - 1.0).abs() < 0.02, "{peak}");
    let knee = answer.knee.as_ref().unwrap().load;
    assert!(knee.low < 180.0 && knee.high >= 178.0, "{knee:?}");
    assert_eq!(answer.soak.unwrap().end, SoakEnd::Held);
    let staircase = 25.0 * 30.0;
    assert!(seconds(&answer) < staircase / 3.0, "{}", shown(&answer));
}

/// Seen: nine minutes, most of them levels held to be sure, while all levels together knew the line to 4 %.
#[test]
fn a_search_whose_starts_alone_are_random_ends_once_its_line_is_known() {
    let target = SimulatedTarget {
        random_arrivals: true,
        patience: f64::INFINITY,
        ..SimulatedTarget::pool(4, 0.02)
    };
    let asked = |precision| SearchSettings {
        terms: vec!["p(95)<100ms".parse().unwrap()],
        soak: 0.0,
        precision,
        ..usual()
    };
    let known = search(asked(0.025), target.clone());
    let likely = known.crossing.unwrap();
    assert_eq!(known.end, SearchEnd::Found, "{}", shown(&known));
    assert!(seconds(&known) < 420.0, "{}", shown(&known));
    assert!((likely.middle / 182.58 - 1.0).abs() < 0.03, "{likely:?}");
    // What was asked for is what it ends at.
    let roughly = search(asked(0.08), target);
    assert!(seconds(&roughly) <= seconds(&known), "{}", shown(&roughly));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn pools_of_any_size_are_found(
        pool in 2_usize..60,
        hold_ms in 8_u32..400,
        jitter in 0.0..0.5_f64,
        seed in 1_u64..1_000_000,
    ) {
        let target = SimulatedTarget {
            jitter,
            seed,
            ..SimulatedTarget::pool(pool, f64::from(hold_ms) / 1000.0)
        };
        let truth = target.truth();
        let terms = ["p(95)<2s", "errors<1%"].map(|term| term.parse().unwrap());
        let settings = SearchSettings { terms: terms.to_vec(), soak: 0.0, ..usual() };
        let answer = search(settings, target);
        let found = line(&answer);
        prop_assert!((found / truth - 1.0).abs() < 0.05, "{truth}: {}", shown(&answer));
        prop_assert!(answer.line.as_ref().unwrap().load.high > found);
    }
}

#[test]
fn a_slow_target_with_few_requests_is_found_within_its_budget() {
    for pool in [10, 30] {
        let target = SimulatedTarget {
            jitter: 0.0,
            ..SimulatedTarget::pool(pool, 0.5)
        };
        let terms = ["p(95)<2s", "errors<1%"].map(|term| term.parse().unwrap());
        let settings = SearchSettings {
            terms: terms.to_vec(),
            ..usual()
        };
        let truth = target.truth();
        let answer = search(settings, target);
        assert!(
            (line(&answer) / truth - 1.0).abs() < 0.07,
            "{}",
            shown(&answer)
        );
        assert!(seconds(&answer) < 600.0, "{}", shown(&answer));
    }
}

#[test]
fn a_target_that_slows_after_twenty_seconds_is_not_told_as_fast() {
    let target = SimulatedTarget {
        slows: Some((20.0, 2.0)),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert!(
        (line(&answer) / 100.0 - 1.0).abs() < 0.05,
        "{}",
        shown(&answer)
    );
    assert!(
        answer.late.is_some_and(|late| late >= 15),
        "{}",
        shown(&answer)
    );
    assert!(
        answer.soak.is_some_and(|soak| soak.end == SoakEnd::Held),
        "{}",
        shown(&answer)
    );
}

#[test]
fn a_target_whose_speed_wanders_is_not_told_as_slowing_late() {
    let searched = (1..=30).map(|seed| {
        let target = SimulatedTarget {
            wanders: Some((0.12, 8.0)),
            jitter: 0.5,
            seed,
            ..SimulatedTarget::pool(2, 0.14)
        };
        let truth = target.truth();
        let terms = ["p(95)<800ms", "errors<1%"].map(|term| term.parse().unwrap());
        let settings = SearchSettings {
            terms: terms.to_vec(),
            soak: 0.0,
            ..usual()
        };
        let answer = search(settings, target);
        let share = line(&answer) / truth;
        assert!(
            (0.7..1.15).contains(&share),
            "seed {seed}: {}",
            shown(&answer)
        );
        answer.late.is_some()
    });
    // By chance it may look so: each search holds a dozen levels.
    let late = searched.filter(|is_late| *is_late).count();
    assert!(late <= 2, "{late} of 30");
}

#[test]
fn a_level_held_too_shortly_for_a_target_that_slows_late_is_told_when_the_time_is_up() {
    for budget in (60..240).step_by(5) {
        let target = SimulatedTarget {
            slows: Some((20.0, 2.0)),
            ..SimulatedTarget::pool(10, 0.05)
        };
        let settings = SearchSettings {
            budget: f64::from(budget),
            soak: 0.0,
            ..usual()
        };
        let answer = search(settings, target);
        assert!(answer.end != SearchEnd::NoneHolds, "{}", shown(&answer));
        let found = answer.line.as_ref();
        assert!(found.is_some(), "{}", shown(&answer));
        let is_sure = found.unwrap().is_sure && answer.end == SearchEnd::Found;
        assert!(!is_sure || line(&answer) < 105.0, "{}", shown(&answer));
    }
}

#[test]
fn a_pause_each_ten_seconds_is_seen_and_the_line_still_found() {
    let target = SimulatedTarget {
        pause: Some((10.0, 0.3)),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    let truth = 200.0 * 0.97;
    assert!(
        (line(&answer) / truth - 1.0).abs() < 0.06,
        "{}",
        shown(&answer)
    );
    let pauses = answer.pauses.unwrap();
    assert!((pauses.every - 10.0).abs() < 1.5, "{pauses:?}");
}

#[test]
fn failures_at_any_load_are_no_matter_of_load() {
    let target = SimulatedTarget {
        errors: 0.02,
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    let SearchEnd::MissedAtAnyLoad { term, value, .. } = answer.end else {
        panic!("{}", shown(&answer))
    };
    assert_eq!(term, 1);
    assert!((0.01..0.04).contains(&value), "{value}");
}

/// Seen: "FAILED: 28.6 % of the requests fail with hardly any load" of a target of whose requests 5 % fail: two of seven, where
/// the table had 10.3 % of all that were counted.
#[test]
fn what_fails_of_a_few_requests_by_chance_is_no_share() {
    for seed in 0..40 {
        let target = SimulatedTarget {
            errors: 0.05,
            random_arrivals: true,
            seed,
            ..SimulatedTarget::pool(10, 0.05)
        };
        let answer = search(usual(), target);
        let is_of_few = match answer.end {
            SearchEnd::FailsWithoutLoad(share) => {
                let mut steps = answer.steps.iter();
                !steps.any(|step| step.held >= 10 && (step.errors - share).abs() < 1e-12)
            }
            _ => false,
        };
        assert!(
            !is_of_few && answer.line.is_none(),
            "{seed}: {}",
            shown(&answer)
        );
    }
    let target = SimulatedTarget {
        errors: 0.6,
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    let SearchEnd::FailsWithoutLoad(share) = answer.end else {
        panic!("{}", shown(&answer))
    };
    assert!((share - answer.steps[0].errors).abs() < 1e-12, "{share}");
}

/// Seen: "NO LOAD HOLDS errors<1%: 13.3 % at 1.00/s already" above "what limits: NOT A MATTER OF LOAD".
#[test]
fn what_fails_with_hardly_any_load_is_not_a_load_that_does_not_hold() {
    let mut ends = [0, 0];
    for seed in 0..40 {
        let target = SimulatedTarget {
            errors: 0.15,
            random_arrivals: true,
            seed,
            ..SimulatedTarget::pool(10, 0.05)
        };
        let answer = search(usual(), target);
        match answer.end {
            SearchEnd::FailsWithoutLoad(_) => ends[0] += 1,
            SearchEnd::MissedAtAnyLoad { .. } => ends[1] += 1,
            _ => {}
        }
        assert_ne!(
            answer.end,
            SearchEnd::NoneHolds,
            "{seed}: {}",
            shown(&answer)
        );
    }
    assert!(ends[0] > 0 && ends[0] + ends[1] > 30, "{ends:?}");
}

#[test]
fn a_rate_limiter_is_a_limit_found_and_not_pushed_through() {
    let target = SimulatedTarget {
        limited: Some(80.0),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert!(
        (line(&answer) / 80.0 - 1.0).abs() < 0.05,
        "{}",
        shown(&answer)
    );
    assert!(answer.asks_to_wait.is_some());
    // 80.8/s is where 1 % are refused; a level just beyond it is held until that is clear.
    let beyond = answer.steps.iter().filter(|s| s.load > 83.0);
    assert!(
        beyond.map(|s| s.held).sum::<usize>() < 12,
        "{}",
        shown(&answer)
    );
}

#[test]
fn a_target_that_gets_faster_is_told_as_it_is_when_warm() {
    let target = SimulatedTarget {
        cold: Some((3000.0, 4.0)),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert!(
        (line(&answer) / 200.0 - 1.0).abs() < 0.05,
        "{}",
        shown(&answer)
    );
}

#[test]
fn a_weak_generator_is_told_and_its_limit_is_not_the_targets() {
    let target = SimulatedTarget {
        generator: Some(50.0),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert!(
        matches!(&answer.end, SearchEnd::AtLeast(Ceiling::Generator(_))),
        "{}",
        shown(&answer)
    );
    assert!(
        line(&answer) <= 50.0 && line(&answer) >= 32.0,
        "{}",
        shown(&answer)
    );
    assert!(answer.peak.is_none(), "no peak was seen");
}

#[test]
fn a_script_with_a_ceiling_is_told() {
    let target = SimulatedTarget {
        think: 2.5,
        ..SimulatedTarget::pool(10, 0.05)
    };
    let settings = SearchSettings {
        most_users: 100,
        ..usual()
    };
    let answer = search(settings, target);
    assert_eq!(
        answer.end,
        SearchEnd::AtLeast(Ceiling::Users),
        "{}",
        shown(&answer)
    );
    assert!(
        line(&answer) <= 40.0 && line(&answer) >= 30.0,
        "{}",
        shown(&answer)
    );
}

#[test]
fn a_target_that_dies_did_not_recover_and_what_it_carried_is_still_told() {
    let target = SimulatedTarget {
        dies: Some(150.0),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert_eq!(answer.end, SearchEnd::NotRecovered, "{}", shown(&answer));
    assert!((line(&answer) - 128.0).abs() < 1e-6, "{}", shown(&answer));
}

/// Seen: "no load holds: 1.00/s was too much already" of a target that had held four times as much.
#[test]
fn a_target_that_is_silent_at_a_load_that_it_held_before_is_gone() {
    let target = SimulatedTarget {
        gone: Some(14.0),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let settings = SearchSettings {
        highest: 1.0,
        ..usual()
    };
    let answer = search(settings, target);
    assert_eq!(answer.end, SearchEnd::NotRecovered, "{}", shown(&answer));
}

#[test]
fn a_target_that_does_not_answer_is_told_at_once() {
    let target = SimulatedTarget {
        dies: Some(0.0),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert_eq!(answer.end, SearchEnd::NoAnswer, "{}", shown(&answer));
    assert!(answer.line.is_none());
}

#[test]
fn a_target_that_was_starved_at_first_is_looked_at_again() {
    let target = SimulatedTarget {
        starved: Some((12.0, 20.0)),
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert_eq!(answer.end, SearchEnd::Found, "{}", shown(&answer));
    assert!(
        (line(&answer) / 200.0 - 1.0).abs() < 0.05,
        "{}",
        shown(&answer)
    );
    assert!(answer.baseline.p95_ms < 100.0, "{:?}", answer.baseline);
}

#[test]
fn a_generator_held_up_at_first_is_tried_again() {
    let target = SimulatedTarget {
        held_up: 8.0,
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    assert_eq!(answer.end, SearchEnd::Found, "{}", shown(&answer));
    let found = line(&answer);
    assert!((found / 200.0 - 1.0).abs() < 0.05, "{}", shown(&answer));
}

#[test]
fn a_goal_nothing_meets_has_no_line() {
    let terms = vec!["p(95)<20ms".parse().unwrap()];
    let answer = search(
        SearchSettings { terms, ..usual() },
        SimulatedTarget::pool(10, 0.05),
    );
    assert_eq!(answer.end, SearchEnd::NoneHolds, "{}", shown(&answer));
    assert!(answer.line.is_none());
}

#[test]
fn the_highest_load_that_is_allowed_is_not_exceeded() {
    let settings = SearchSettings {
        highest: 50.0,
        ..usual()
    };
    let answer = search(settings, SimulatedTarget::pool(10, 0.05));
    assert_eq!(
        answer.end,
        SearchEnd::AtLeast(Ceiling::Highest),
        "{}",
        shown(&answer)
    );
    assert!((line(&answer) - 50.0).abs() < 1e-6);
    assert!(answer.steps.iter().all(|s| s.load <= 50.0));
}

#[test]
fn a_search_that_stops_at_its_goal_ends_once_it_is_confirmed_and_tries_no_more() {
    for (goal, load) in [(Goal::Load(100.0), 100.0), (Goal::Requests(60.0), 60.0)] {
        let settings = SearchSettings {
            stop_at: Some(goal),
            ..usual()
        };
        let answer = search(settings, SimulatedTarget::pool(10, 0.05));
        assert_eq!(
            answer.end,
            SearchEnd::AtLeast(Ceiling::Goal),
            "{}",
            shown(&answer)
        );
        let found = answer.line.as_ref().unwrap();
        assert!((found.load.middle - load).abs() < 1e-6 && found.is_sure);
        let most = answer.steps.iter().map(|s| s.load).fold(0.0, f64::max);
        assert!((most - load).abs() < 1e-6, "{}", shown(&answer));
        assert!(seconds(&answer) < 140.0, "{}", shown(&answer));
    }
}

/// Seen: twice the goal of 20/s was tried since a budget of 100 s bought 20 of the 30 s that were to confirm it.
#[test]
fn no_load_above_the_goal_is_tried_however_short_the_budget() {
    for (confirm, is_sure) in [(30.0, true), (75.0, false)] {
        for seed in 1..=10 {
            let settings = SearchSettings {
                budget: 100.0,
                confirm,
                soak: 0.0,
                stop_at: Some(Goal::Load(20.0)),
                ..usual()
            };
            let target = SimulatedTarget {
                random_arrivals: true,
                seed,
                ..SimulatedTarget::pool(5, 0.1)
            };
            let answer = search(settings, target);
            let most = answer.steps.iter().map(|s| s.load).fold(0.0, f64::max);
            assert!((most - 20.0).abs() < 1e-6, "{}", shown(&answer));
            assert_eq!(
                answer.end,
                SearchEnd::AtLeast(Ceiling::Goal),
                "{}",
                shown(&answer)
            );
            let found = answer.line.as_ref().unwrap();
            assert!(found.is_sure || !is_sure, "{confirm} {}", shown(&answer));
        }
    }
}

#[test]
fn a_goal_beyond_the_line_is_no_end_of_the_search() {
    let settings = SearchSettings {
        stop_at: Some(Goal::Load(260.0)),
        ..usual()
    };
    let answer = search(settings, SimulatedTarget::pool(10, 0.05));
    assert_eq!(answer.end, SearchEnd::Found, "{}", shown(&answer));
    let found = line(&answer);
    assert!((found / 200.0 - 1.0).abs() < 0.05, "{}", shown(&answer));
}

#[test]
fn a_search_told_where_to_start_climbs_from_there_and_finds_the_same_line() {
    for start in [40.0, 150.0, 700.0] {
        let settings = SearchSettings {
            start_at: Some(start),
            ..usual()
        };
        let answer = search(settings, SimulatedTarget::pool(10, 0.05));
        let loads: Vec<f64> = answer.steps.iter().map(|s| s.load).collect();
        assert!((loads[0] - 1.0).abs() < 1e-9, "{}", shown(&answer));
        assert!((loads[1] - start).abs() < 1e-9, "{}", shown(&answer));
        assert_eq!(answer.end, SearchEnd::Found, "{}", shown(&answer));
        let found = line(&answer);
        assert!((found / 200.0 - 1.0).abs() < 0.05, "{}", shown(&answer));
    }
}

#[test]
fn a_search_beside_a_former_line_looks_there_first_and_follows_a_target_that_changed() {
    for (near, pool) in [(200.0, 10), (200.0, 6), (200.0, 20)] {
        let settings = SearchSettings {
            near: Some(near),
            ..usual()
        };
        let answer = search(settings, SimulatedTarget::pool(pool, 0.05));
        let loads: Vec<f64> = answer.steps.iter().map(|s| s.load).collect();
        assert!((loads[1] / near - 0.94).abs() < 1e-9, "{}", shown(&answer));
        let truth = f64::from(u32::try_from(pool).unwrap()) / 0.05;
        let found = line(&answer);
        assert!((found / truth - 1.0).abs() < 0.05, "{}", shown(&answer));
    }
}

#[test]
fn answers_that_ask_to_wait_are_no_limit_while_the_objective_allows_as_many() {
    // Up to 110.7/s less than 1 % of requests that come at random are beyond 120 in their second.
    let settings = SearchSettings {
        terms: vec!["errors<1%".parse().unwrap()],
        ..usual()
    };
    let target = SimulatedTarget {
        limited: Some(120.0),
        random_arrivals: true,
        ..SimulatedTarget::pool(100, 0.05)
    };
    let answer = search(settings, target);
    let found = line(&answer);
    assert!((102.0..=112.0).contains(&found), "{}", shown(&answer));
    assert!(answer.asks_to_wait.is_some(), "{}", shown(&answer));
}

#[test]
fn users_are_searched_in_whole_numbers() {
    let terms = vec!["p(95)<100ms".parse().unwrap()];
    let settings = SearchSettings {
        unit: Unit::Users,
        terms,
        highest: 1000.0,
        ..usual()
    };
    let answer = search(settings, SimulatedTarget::pool(10, 0.05));
    // 20 users wait as long as they are served: 100 ms.
    assert!((18.0..=20.0).contains(&line(&answer)), "{}", shown(&answer));
    assert!(
        answer
            .steps
            .iter()
            .all(|s| (s.load - s.load.round()).abs() < 1e-9)
    );
    let peak = answer.peak.unwrap().throughput.middle;
    assert!((peak / 200.0 - 1.0).abs() < 0.03, "{peak}");
}

/// Seen: "CANNOT TELL: 4 VUs held, with 28 requests in 10 s alone", and two minutes of a soak after it.
#[test]
fn what_so_few_requests_hold_is_not_held_for_long() {
    let soaks = |think: f64| {
        let settings = SearchSettings {
            unit: Unit::Users,
            budget: 60.0,
            ..usual()
        };
        let target = SimulatedTarget {
            think,
            ..SimulatedTarget::pool(10, 0.05)
        };
        let answer = search(settings, target);
        let line = answer.line_step().unwrap();
        let requests = SentAtLoad::of_steps(&answer.steps, line.load).requests;
        let is_soaked = answer.soak.is_some();
        assert_eq!(is_soaked, requests >= 30.0, "{}", shown(&answer));
        is_soaked
    };
    assert_eq!([5.0, 0.2].map(soaks), [false, true]);
}

#[test]
fn a_level_in_danger_is_ended_within_three_seconds() {
    let target = SimulatedTarget {
        patience: 0.3,
        ..SimulatedTarget::pool(10, 0.05)
    };
    let answer = search(usual(), target);
    for step in &answer.steps {
        if matches!(step.outcome, LevelOutcome::Aborted(_)) {
            assert!(step.held <= 3, "{}", shown(&answer));
        }
    }
    assert!(
        (line(&answer) / 200.0 - 1.0).abs() < 0.05,
        "{}",
        shown(&answer)
    );
}

#[test]
fn a_short_budget_gives_a_wide_answer_that_says_so() {
    let settings = SearchSettings {
        budget: 70.0,
        soak: 0.0,
        ..usual()
    };
    let answer = search(settings, SimulatedTarget::pool(10, 0.05));
    assert_eq!(answer.end, SearchEnd::OutOfTime, "{}", shown(&answer));
    let line = answer.line.as_ref().unwrap();
    assert!(
        line.load.low <= 200.0 && line.load.high >= 200.0,
        "{}",
        shown(&answer)
    );
    assert!(seconds(&answer) < 110.0, "{}", shown(&answer));
}

#[test]
fn a_term_that_no_request_is_asked_of_does_not_hold() {
    struct Nowhere(SimulatedTarget);
    struct Elsewhere(loadline_experiment::simulated::Simulation);
    impl Runner for Nowhere {
        type Running = Elsewhere;
        type Error = std::convert::Infallible;

        fn start(
            &mut self,
            plan: &loadline_experiment::runner::RunnerRequirements,
        ) -> Result<Elsewhere, Self::Error> {
            self.0.start(plan).map(Elsewhere)
        }
    }
    impl Running for Elsewhere {
        fn set_level(&mut self, level: f64) {
            self.0.set_level(level);
        }

        fn next_window(&mut self) -> Option<loadline_experiment::window::LoadWindow> {
            let mut window = self.0.next_window()?;
            for sample in &mut window.samples {
                *sample = loadline_analysis::slo::Sample::default();
                sample.others.insert("/orders".to_owned());
            }
            Some(window)
        }

        fn stop(&mut self) {
            self.0.stop();
        }
    }
    // Either would hold at any load.
    for term in ["p(95){endpoint:/nothere}<500ms", "checks>99%"] {
        let terms = vec![term.parse().unwrap()];
        let mut search = Search::new(SearchSettings { terms, ..usual() });
        let Ok(mut running) = Nowhere(SimulatedTarget::pool(10, 0.05)).start(&search.plan());
        let answer = run_search(&mut running, &mut search, |_| ());
        let known = vec!["/orders".to_owned()];
        assert_eq!(answer.end, SearchEnd::NoSample { term: 0, known });
        assert!(answer.line.is_none(), "{}", shown(&answer));
        assert!(seconds(&answer) < 60.0, "{}", shown(&answer));
    }
}

/// Before: a script without requests was held at 1/s until the budget was over, confirmed, soaked,
/// and told as a capacity.
#[test]
fn a_test_that_sends_nothing_has_no_capacity() {
    struct Silent(SimulatedTarget, bool);
    struct Quiet(loadline_experiment::simulated::Simulation, bool);
    impl Runner for Silent {
        type Running = Quiet;
        type Error = std::convert::Infallible;

        fn start(
            &mut self,
            plan: &loadline_experiment::runner::RunnerRequirements,
        ) -> Result<Quiet, Self::Error> {
            let throws = self.1;
            self.0.start(plan).map(|running| Quiet(running, throws))
        }
    }
    impl Running for Quiet {
        fn set_level(&mut self, level: f64) {
            self.0.set_level(level);
        }

        fn next_window(&mut self) -> Option<loadline_experiment::window::LoadWindow> {
            let mut window = self.0.next_window()?;
            window.requests = 0.0;
            window.faults.broken = if self.1 { window.ended } else { 0.0 };
            window.durations = loadline_metrics::Histogram::new();
            for sample in &mut window.samples {
                *sample = loadline_analysis::slo::Sample::default();
            }
            Some(window)
        }

        fn stop(&mut self) {
            self.0.stop();
        }
    }
    for throws in [false, true] {
        let mut search = Search::new(usual());
        let Ok(mut running) = Silent(SimulatedTarget::pool(10, 0.05), throws).start(&search.plan());
        let answer = run_search(&mut running, &mut search, |_| ());
        let SearchEnd::NoRequests { iterations, broken } = answer.end else {
            panic!("{}", shown(&answer));
        };
        assert!(iterations >= 10.0);
        assert!((broken > 0.0) == throws, "{broken} of {iterations}");
        assert!(answer.line.is_none(), "{}", shown(&answer));
        assert!(seconds(&answer) < 30.0, "{}", shown(&answer));
    }
}

/// Loads that are held in place of a search: each for its time, no more after one that is too much.
#[test]
fn loads_are_held_one_after_another_up_to_the_first_that_is_too_much() {
    let asked = SearchSettings::new(vec!["p(95)<500ms".parse().unwrap()]);
    let held = |loads: &[f64], idle: Option<IdleTimes>| {
        search(
            asked.clone().holding(HeldLoads {
                loads: loads.to_vec(),
                seconds: 20.0,
                idle,
            }),
            SimulatedTarget::pool(10, 0.1),
        )
    };
    let of = |answer: &Answer| -> Vec<(f64, bool)> {
        let held = |step: &Step| (step.load, step.outcome.is_carried());
        let levels = answer.steps.iter();
        levels
            .filter(|step| step.purpose == Purpose::Confirm)
            .map(held)
            .collect()
    };
    let both = held(&[40.0, 60.0], None);
    assert_eq!(of(&both), [(40.0, true), (60.0, true)]);
    assert_eq!(both.steps[0].purpose, Purpose::Baseline);
    assert!(both.steps[1].held >= 20 && both.steps[1].held <= 40);
    // The pool carries 100 a second: at 150 requests pile up, and 200 is not tried.
    let too_much = held(&[150.0, 200.0], None);
    assert_eq!(of(&too_much), [(150.0, false)]);
    assert_ne!(too_much.end, SearchEnd::NotRecovered);
    // Where it is known how the target answers without load, that is not looked at again.
    let idle = IdleTimes {
        iteration_ms: 100.0,
        request_ms: 100.0,
    };
    let known = held(&[60.0], Some(idle));
    assert_eq!(of(&known), [(60.0, true)]);
    assert_eq!(known.steps.len(), 1);
    assert_eq!(of(&held(&[300.0], Some(idle))), [(300.0, false)]);
}
