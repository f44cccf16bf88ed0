use super::*;

fn plan(given: &[(&str, &str)]) -> LoadPlan {
    let mut inputs = PlanInputs::default();
    inputs.read(given.iter().copied()).unwrap();
    LoadPlan::from_inputs(&inputs).unwrap()
}

fn shown(plan: &LoadPlan, id: &str) -> (String, String) {
    let figure = plan.figure(id).unwrap_or_else(|| panic!("no figure {id}"));
    (figure.formula.clone(), figure.shown())
}

fn has_note(plan: &LoadPlan, id: &str, message: &Message) -> bool {
    let figure = plan.figure(id).unwrap_or_else(|| panic!("no figure {id}"));
    figure.notes.iter().any(|note| note.text == *message)
}

fn case_c() -> LoadPlan {
    plan(&[
        ("dau", "10000"),
        ("requests-per-user", "5"),
        ("peak-factor", "10"),
        ("response-time", "100ms,500ms"),
        ("think-time", "1s"),
        ("cores", "2"),
        ("memory", "2GiB"),
        ("service-time", "40ms"),
        ("measured-response", "73.52ms"),
        ("db-max-connections", "100"),
        ("instances", "1,3"),
    ])
}

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

/// The team's own figures, and those that follow from its 0.5 s.
#[test]
fn case_c_rates_and_users_with_their_arithmetic() {
    let plan = case_c();
    assert_eq!(
        shown(&plan, "mean-rate"),
        pair("10,000 × 5 / 86,400 s", "0.579/s")
    );
    assert_eq!(shown(&plan, "peak-rate"), pair("0.579/s × 10", "5.79/s"));
    assert_eq!(
        shown(&plan, "users-mean-1"),
        pair("0.579/s × (0.1 s + 1 s)", "0.64")
    );
    assert_eq!(
        shown(&plan, "users-peak-1"),
        pair("5.79/s × (0.1 s + 1 s)", "6.4")
    );
    assert_eq!(
        shown(&plan, "users-mean-2"),
        pair("0.579/s × (0.5 s + 1 s)", "0.87")
    );
    assert_eq!(
        shown(&plan, "users-peak-2"),
        pair("5.79/s × (0.5 s + 1 s)", "8.7")
    );
}

/// They used the whole response time as waiting time.
#[test]
fn case_c_threads_as_they_computed_and_as_they_are() {
    let plan = case_c();
    assert_eq!(
        shown(&plan, "threads-response-as-wait@1"),
        pair("2 × (1 + 73.52 ms / 40 ms)", "5.68")
    );
    let doubt = plan::doubts_wait_is_response("73.52 ms", "33.52 ms");
    assert!(has_note(&plan, "threads-response-as-wait@1", &doubt));
    assert_eq!(
        shown(&plan, "threads@1"),
        pair("2 × (1 + 33.52 ms / 40 ms)", "3.68")
    );
}

#[test]
fn case_c_pool_assumes_a_spindle() {
    let plan = case_c();
    assert_eq!(shown(&plan, "pool@1"), pair("2 × 2 + 1", "5"));
    assert!(has_note(&plan, "pool@1", &plan::assumes_spindle()));
    assert_eq!(shown(&plan, "pool-allowed@1").1, "48");
    assert_eq!(
        shown(&plan, "pool-allowed@3"),
        pair("floor((100 - 3) / (3 + 1))", "24")
    );
    let pool = |block: &SettingsBlock| {
        let found = block
            .settings
            .iter()
            .find(|s| s.key.ends_with("maximum-pool-size"));
        found.unwrap().value.clone()
    };
    assert_eq!(pool(&plan.blocks[0]), "5");
    assert_eq!(pool(&plan.blocks[1]), "2");
}

#[test]
fn case_d_rate_is_an_upper_bound_and_the_script_has_a_ceiling() {
    let plan = plan(&[
        ("users", "3000"),
        ("active", "10%"),
        ("every", "3s"),
        ("think-time", "2s..3s"),
        ("requests-per-iteration", "2"),
        ("vus", "200"),
    ]);
    assert_eq!(shown(&plan, "online"), pair("3,000 × 10 %", "300"));
    assert_eq!(shown(&plan, "mean-rate"), pair("300 / 3 s", "100/s"));
    assert!(has_note(
        &plan,
        "online",
        &plan::doubts_day_is_not_online("300")
    ));
    assert_eq!(
        shown(&plan, "ceiling"),
        pair("200 × 2 / (2.5 s + 2 × 0 s)", "160/s")
    );
}

#[test]
fn a_ceiling_below_the_goal_is_warned_about() {
    let plan = plan(&[
        ("rate", "300/s"),
        ("vus", "200"),
        ("think-time", "2.5s"),
        ("requests-per-iteration", "2"),
    ]);
    let doubt = plan::doubts_ceiling("160/s", "300/s");
    assert!(has_note(&plan, "ceiling", &doubt));
}

#[test]
fn a_pool_follows_the_rate_and_what_the_database_allows() {
    let given = [
        ("rate", "15/s"),
        ("hold-time", "2s"),
        ("cores", "2"),
        ("db-max-connections", "100"),
        ("instances", "1,9"),
    ];
    let plan = plan(&given);
    // Case B: with 15/s and a hold time of 2 s, 30 connections are held.
    assert_eq!(shown(&plan, "pool-needed@1"), pair("15/s × 2,000 ms", "30"));
    assert_eq!(
        plan.blocks[0]
            .settings
            .iter()
            .find(|s| s.key.ends_with("pool-size"))
            .unwrap()
            .value,
        "30"
    );
    assert_eq!(shown(&plan, "pool-allowed@9").1, "9");
}

#[test]
fn two_connections_a_task_raise_the_pool_above_a_deadlock() {
    let plan = plan(&[
        ("cores", "2"),
        ("service-time", "40ms"),
        ("wait-time", "120ms"),
        ("connections-per-task", "2"),
    ]);
    assert_eq!(
        shown(&plan, "pool-deadlock@1"),
        pair("8 × (2 - 1) + 1", "9")
    );
    assert_eq!(
        plan.blocks[0]
            .settings
            .iter()
            .find(|s| s.key.ends_with("pool-size"))
            .unwrap()
            .value,
        "9"
    );
}

#[test]
fn features_share_the_peak_and_the_rest_falls_to_those_without_a_share() {
    let plan = plan(&[
        ("rate", "100/s"),
        ("feature", "read: GET /read, share=70%"),
        ("feature", "write: POST /write, share=20%"),
        ("feature", "login: POST /login"),
    ]);
    let rates: Vec<f64> = plan.features.iter().map(|f| f.peak_rate.round()).collect();
    assert_eq!(rates, [70.0, 20.0, 10.0]);
}

#[test]
fn features_of_people_sum_up_to_the_rate() {
    let plan = plan(&[
        ("dau", "86400"),
        ("peak-factor", "1"),
        ("feature", "login: per-user=1"),
        ("feature", "read: per-user=9"),
    ]);
    assert_eq!(shown(&plan, "mean-rate").1, "10/s");
    let shares: Vec<f64> = plan
        .features
        .iter()
        .map(|f| (f.share * 100.0).round())
        .collect();
    assert_eq!(shares, [10.0, 90.0]);
}

#[test]
fn a_page_leaves_the_api_what_rendering_and_round_trips_do_not_take() {
    let plan = plan(&[
        ("page-time", "1s"),
        ("render-time", "300ms"),
        ("round-trip", "50ms"),
        ("round-trips", "4"),
    ]);
    assert_eq!(
        shown(&plan, "api-goal"),
        pair("1 s - 0.3 s - 4 × 0.05 s", "0.5 s")
    );
}

#[test]
fn what_was_typed_is_in_the_formula_and_a_rounded_result_is_marked() {
    let plan = plan(&[
        ("users", "1025"),
        ("active", "10%"),
        ("every", "3s"),
        ("page-time", "1s"),
        ("render-time", "300ms"),
        ("round-trip", "73.5ms"),
    ]);
    let relation = |id: &str| plan.figure(id).unwrap().relation();
    assert_eq!(shown(&plan, "online"), pair("1,025 × 10 %", "102.5"));
    assert_eq!(relation("online"), "=");
    assert_eq!(shown(&plan, "mean-rate"), pair("102.5 / 3 s", "34.2/s"));
    assert_eq!(relation("mean-rate"), "≈");
    assert_eq!(shown(&plan, "api-goal").0, "1 s - 0.3 s - 1 × 0.0735 s");
}

#[test]
fn users_of_very_long_pauses_are_doubted() {
    let of = |think| {
        plan(&[
            ("rate", "25/s"),
            ("response-time", "500ms"),
            ("think-time", think),
        ])
    };
    let doubt = plan::doubts_long_pause("729 s", "12");
    assert!(has_note(&of("729s"), "users-peak-1", &doubt));
    let others = of("10s");
    let notes = &others.figure("users-peak-1").unwrap().notes;
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn a_small_container_gets_the_collector_hotspot_would_choose_with_a_doubt() {
    let plan = plan(&[("cores", "1"), ("memory", "1GiB")]);
    assert!(has_note(&plan, "collector@1", &plan::doubts_serial()));
}

#[test]
fn what_is_missing_is_named() {
    let of = |given: &[(&str, &str)]| {
        let mut inputs = PlanInputs::default();
        inputs.read(given.iter().copied()).unwrap();
        LoadPlan::from_inputs(&inputs).unwrap_err()
    };
    assert_eq!(of(&[]), SizingError::NothingToGoOn);
    let missing = |input, beside| SizingError::Missing { input, beside };
    assert_eq!(of(&[("dau", "10")]), missing("requests-per-user", "dau"));
    assert_eq!(
        of(&[("users", "10"), ("every", "1s")]),
        missing("active", "users")
    );
    assert_eq!(of(&[("online", "10")]), missing("every", "online"));
    assert!(matches!(
        of(&[("online", "1000000000000"), ("every", "1ms")]),
        SizingError::RateTooLarge { .. }
    ));
}

/// Seen: `--log` beside `--dau 1000000` said nothing of the people.
#[test]
fn inputs_that_another_takes_the_place_of_are_named() {
    let given = [("rate", "5/s"), ("dau", "1000000"), ("users", "3")];
    let message = plan::doubts_unused("dau, users");
    assert!(has_note(&plan(&given), "mean-rate", &message));
}
