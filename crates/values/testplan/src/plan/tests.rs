use super::*;
use crate::draft::{ExecutorDraft, ScenarioDraft, SignedDuration, StageDraft};
use crate::executor::Executor;

fn span(text: &str) -> Option<SignedDuration> {
    Some(SignedDuration::parse(text).unwrap())
}

fn plan(scenarios: Vec<ScenarioDraft>) -> Result<Plan, Vec<PlanError>> {
    Plan::check(PlanDraft {
        scenarios,
        ..PlanDraft::default()
    })
}

fn words(name: &str, executor: ExecutorDraft) -> String {
    let mistakes = plan(vec![ScenarioDraft::new(name, executor)]).unwrap_err();
    let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    texts.join("\n")
}

fn stage(duration: Option<&str>, target: Option<i64>) -> StageDraft {
    StageDraft {
        duration: duration.and_then(span),
        target,
    }
}

fn constant_vus(vus: i64, duration: &str) -> ExecutorDraft {
    ExecutorDraft::ConstantVus {
        vus: Some(vus),
        duration: span(duration),
    }
}

/// Each text was recorded from k6 with the same scenario.
#[test]
fn closed_executors_have_the_mistakes_and_words_of_k6() {
    assert_eq!(
        words("a", constant_vus(0, "500ms")),
        "scenario a has configuration errors: the number of VUs must be more than 0, the duration must be at least 1s, but is 500ms"
    );
    let nothing = ExecutorDraft::ConstantVus {
        vus: None,
        duration: None,
    };
    assert_eq!(
        words("b c", nothing),
        "scenario b c has configuration errors: the scenario name should contain only numbers, latin letters, underscores, and dashes, the duration is unspecified"
    );
    assert_eq!(
        words("", constant_vus(1, "1s")),
        "scenario  has configuration errors: scenario name can't be empty, the scenario name should contain only numbers, latin letters, underscores, and dashes"
    );
    let per_vu = ExecutorDraft::PerVuIterations {
        vus: Some(-1),
        iterations: Some(0),
        max_duration: span("0s"),
    };
    assert_eq!(
        words("a", per_vu),
        "scenario a has configuration errors: the number of VUs must be more than 0, the number of iterations must be more than 0, the maxDuration must be at least 1s, but is 0s"
    );
    let shared = ScenarioDraft {
        start_time: span("-1s"),
        graceful_stop: span("-2s"),
        exec: Some(String::new()),
        ..ScenarioDraft::new(
            "a",
            ExecutorDraft::SharedIterations {
                vus: Some(5),
                iterations: Some(3),
                max_duration: span("10ms"),
            },
        )
    };
    assert_eq!(
        plan(vec![shared]).unwrap_err()[0].to_string(),
        "scenario a has configuration errors: exec value cannot be empty, the startTime can't be negative, the gracefulStop timeout can't be negative, the number of iterations (3) can't be less than the number of VUs (5), the maxDuration must be at least 1s, but is 10ms"
    );
}

#[test]
fn stages_have_the_mistakes_and_words_of_k6() {
    let none = ExecutorDraft::RampingVus {
        start_vus: Some(-1),
        stages: Vec::new(),
        graceful_ramp_down: None,
    };
    assert_eq!(
        words("a", none),
        "scenario a has configuration errors: the number of start VUs can't be negative, either startVUs or one of the stages' target values must be greater than 0, at least one stage has to be specified"
    );
    let many = ExecutorDraft::RampingVus {
        start_vus: Some(200_000_000),
        stages: vec![
            stage(None, Some(3)),
            stage(Some("1s"), None),
            stage(Some("-1s"), Some(-4)),
            stage(Some("1s"), Some(200_000_000)),
        ],
        graceful_ramp_down: None,
    };
    assert_eq!(
        words("a", many),
        "scenario a has configuration errors: stage 1 doesn't have a duration, stage 2 doesn't have a target, the duration for stage 3 can't be negative, the target for stage 3 can't be negative, the startVUs exceed max limit of 100000000, target for stage 4 exceeds max limit of 100000000"
    );
}

#[test]
fn open_executors_have_the_mistakes_and_words_of_k6() {
    let nothing = ExecutorDraft::ConstantArrivalRate {
        rate: None,
        time_unit: None,
        duration: None,
        pre_allocated_vus: None,
        max_vus: None,
    };
    assert_eq!(
        words("a", nothing),
        "scenario a has configuration errors: the iteration rate isn't specified, the duration is unspecified, the number of preAllocatedVUs isn't specified"
    );
    let wrong = ExecutorDraft::ConstantArrivalRate {
        rate: Some(0),
        time_unit: span("0s"),
        duration: span("0.5s"),
        pre_allocated_vus: Some(-1),
        max_vus: Some(-2),
    };
    assert_eq!(
        words("a", wrong),
        "scenario a has configuration errors: the iteration rate must be more than 0, the timeUnit must be more than 0, the duration must be at least 1s, but is 500ms, the number of preAllocatedVUs can't be negative, maxVUs can't be less than preAllocatedVUs"
    );
    let ramping = ExecutorDraft::RampingArrivalRate {
        start_rate: Some(-1),
        time_unit: span("-1s"),
        stages: vec![stage(Some("1s"), Some(-1))],
        pre_allocated_vus: Some(1),
        max_vus: Some(0),
    };
    assert_eq!(
        words("a", ramping),
        "scenario a has configuration errors: the startRate value can't be negative, the timeUnit must be more than 0, the target for stage 1 can't be negative, maxVUs can't be less than preAllocatedVUs"
    );
}

#[test]
fn all_scenarios_are_checked_before_failing() {
    let draft = PlanDraft {
        scenarios: vec![
            ScenarioDraft::new("b", constant_vus(0, "1s")),
            ScenarioDraft::new("a", constant_vus(1, "1ms")),
        ],
        setup_timeout: span("-1s"),
        teardown_timeout: span("0s"),
        ..PlanDraft::default()
    };
    let mistakes = Plan::check(draft).unwrap_err();
    let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "scenario a has configuration errors: the duration must be at least 1s, but is 1ms",
            "scenario b has configuration errors: the number of VUs must be more than 0",
            "setupTimeout must be positive",
            "teardownTimeout must be positive",
        ]
    );
}

#[test]
fn what_is_not_written_has_the_defaults_of_k6() {
    let ramping = ExecutorDraft::RampingVus {
        start_vus: None,
        stages: vec![stage(Some("2s"), Some(3))],
        graceful_ramp_down: None,
    };
    let plan = plan(vec![ScenarioDraft::new("a", ramping)]).unwrap();
    let scenario = &plan.scenarios[0];
    assert_eq!(scenario.exec, "default");
    assert_eq!(scenario.graceful_stop, Duration::from_secs(30));
    let Executor::RampingVus(ramping) = &scenario.executor else {
        unreachable!()
    };
    assert_eq!(ramping.start_vus, 1);
    assert_eq!(ramping.graceful_ramp_down, Duration::from_secs(30));
    assert_eq!(plan.setup_timeout, Duration::from_secs(60));
    assert_eq!(plan.max_requests_per_second, None);
}

#[test]
fn users_are_shared_by_scenarios_that_follow_each_other() {
    let at = |name: &str, vus, start: &str, stop: &str| ScenarioDraft {
        start_time: span(start),
        graceful_stop: span(stop),
        ..ScenarioDraft::new(name, constant_vus(vus, "10s"))
    };
    let apart = plan(vec![at("a", 20, "0s", "0s"), at("b", 15, "10s", "0s")]).unwrap();
    assert_eq!(apart.planned_vus(), 20);
    let overlapping = plan(vec![at("a", 20, "0s", "5s"), at("b", 15, "10s", "0s")]).unwrap();
    assert_eq!(overlapping.planned_vus(), 35);
    assert_eq!(overlapping.regular_end(), Duration::from_secs(20));
    assert_eq!(overlapping.latest_end(), Duration::from_secs(20));
    assert_eq!(apart.latest_end(), Duration::from_secs(20));
}

#[test]
fn users_that_may_be_made_count_as_possible() {
    let open = |ready, most| ExecutorDraft::ConstantArrivalRate {
        rate: Some(10),
        time_unit: None,
        duration: span("10s"),
        pre_allocated_vus: Some(ready),
        max_vus: most,
    };
    let both = plan(vec![
        ScenarioDraft::new("a", open(10, Some(20))),
        ScenarioDraft::new("b", open(5, None)),
    ])
    .unwrap();
    assert_eq!((both.planned_vus(), both.possible_vus()), (15, 25));
    assert!(both.scenarios.iter().all(|s| s.executor.has_work()));
    let none = plan(vec![ScenarioDraft::new("a", open(0, None))]).unwrap();
    assert!(!none.scenarios[0].executor.has_work());
}

#[test]
fn a_ramp_reserves_users_until_their_grace_is_over() {
    let ramping = ExecutorDraft::RampingVus {
        start_vus: Some(0),
        stages: vec![stage(Some("10s"), Some(10)), stage(Some("10s"), Some(0))],
        graceful_ramp_down: span("5s"),
    };
    let plan = plan(vec![ScenarioDraft::new("a", ramping)]).unwrap();
    assert_eq!(plan.planned_vus(), 10);
    // The last user stops looping at 20 s and has 5 s to finish.
    assert_eq!(plan.latest_end(), Duration::from_secs(25));
}

#[test]
fn scenarios_are_ordered_by_start_then_name() {
    let at = |name: &str, start: &str| ScenarioDraft {
        start_time: span(start),
        ..ScenarioDraft::new(name, constant_vus(1, "1s"))
    };
    let plan = plan(vec![at("c", "0s"), at("a", "5s"), at("b", "0s")]).unwrap();
    let names: Vec<&str> = plan.scenarios.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["b", "c", "a"]);
    assert_eq!(plan.scenario(ScenarioId(2)).name, "a");
}

#[test]
fn once_every_scenario_runs_one_iteration_at_once_under_the_same_number() {
    let mut late = ScenarioDraft::new("a", constant_vus(50, "1h"));
    late.start_time = span("1h");
    let early = ScenarioDraft::new("b", constant_vus(9, "1m"));
    let plan = plan(vec![late, early]).unwrap();
    let names =
        |plan: &Plan| -> Vec<String> { plan.scenarios.iter().map(|s| s.name.clone()).collect() };
    let once = plan.clone().once(Duration::from_secs(5));
    assert_eq!(names(&once), names(&plan));
    assert_eq!((once.planned_vus(), once.possible_vus()), (2, 2));
    assert_eq!(once.regular_end(), Duration::from_secs(5));
    for scenario in &once.scenarios {
        assert!(matches!(
            &scenario.executor,
            Executor::PerVuIterations(each) if (each.vus, each.iterations) == (1, 1)
        ));
        assert_eq!(scenario.start_time, Duration::ZERO);
    }
}

#[test]
fn a_steered_test_starts_nothing_by_itself_and_keeps_its_mix() {
    let open = ExecutorDraft::ConstantArrivalRate {
        rate: Some(30),
        time_unit: None,
        duration: Some(Duration::from_secs(10).into()),
        pre_allocated_vus: Some(5),
        max_vus: None,
    };
    let closed = ExecutorDraft::ConstantVus {
        vus: Some(7),
        duration: Some(Duration::from_secs(10).into()),
    };
    let mut late = ScenarioDraft::new("b", closed);
    late.start_time = Some(Duration::from_secs(5).into());
    let plan = Plan::check(PlanDraft {
        scenarios: vec![ScenarioDraft::new("a", open), late],
        ..PlanDraft::default()
    })
    .unwrap();
    assert_eq!(
        plan.mix(),
        [ScenarioLoad::Starts(30.0), ScenarioLoad::Users(7.0)]
    );

    let length = Duration::from_secs(100);
    let starts = plan
        .clone()
        .steered(length, SteeredLoad::Starts { most_users: 50 });
    assert_eq!(starts.planned_vus(), 0);
    for scenario in &starts.scenarios {
        assert_eq!(scenario.start_time, Duration::ZERO);
        assert_eq!(scenario.executor.arrivals().map(|a| a.total()), Some(0));
    }
    let users = plan.steered(length, SteeredLoad::Users);
    assert_eq!((users.planned_vus(), users.regular_end()), (0, length));
}
