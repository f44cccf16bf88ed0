use loadline_analysis::compare::ComparedWindow;

use super::*;

fn level(load: f64, outcome: &str, from: usize, to: usize) -> HeldLevel {
    HeldLevel {
        load,
        outcome: outcome.to_owned(),
        requests: load,
        failed: 0.0,
        mean_ms: 40.0,
        p95_ms: 50.0,
        from,
        to,
        measured: to - from,
    }
}

fn run(seconds: usize) -> ExplainedRun {
    let window = ComparedWindow {
        requests: 10.0,
        ..ComparedWindow::default()
    };
    ExplainedRun {
        windows: vec![window; seconds],
        ..ExplainedRun::default()
    }
}

/// Seen: "at 0 VUs: NO SIGN OF A LIMIT" of a search that ended after its first level.
#[test]
fn a_search_of_which_no_level_says_enough_names_no_load() {
    let mut run = run(3);
    assert_eq!(last_load(&run), None);
    run.windows[2].users = 4.0;
    assert_eq!(last_load(&run), Some(4.0));
}

/// Seen: "what limits at 18 VUs" of levels of 1, 2, 4, 8, 16 and 32.
#[test]
fn the_load_that_is_named_is_a_level_that_was_tried() {
    let changes = [
        (0, 16.0),
        (9 * NANOS_OF_SECOND, 0.0),
        (11_200_000_000, 32.0),
    ];
    let found = [11, 12, 0].map(|second| tried_before(second, &changes));
    assert_eq!(found, [Some(16.0), Some(32.0), None]);
}

fn looked_at(levels: &[HeldLevel]) -> Option<(usize, usize)> {
    let level = judged(levels, &run(60))?;
    Some((begin(levels, level), level.to))
}

#[test]
fn the_first_level_that_was_too_much_is_judged_with_the_lower_ones_before_it() {
    let levels = [
        level(5.0, "holds", 0, 10),
        level(10.0, "holds", 10, 20),
        level(20.0, "overloaded", 20, 32),
        level(15.0, "misses", 34, 46),
    ];
    assert_eq!(looked_at(&levels), Some((0, 32)));
}

#[test]
fn a_level_that_ended_at_once_tells_nothing_and_what_came_before_a_lower_one_is_left_out() {
    let levels = [
        level(10.0, "holds", 0, 10),
        level(80.0, "aborted", 10, 12),
        level(20.0, "misses", 16, 30),
    ];
    assert_eq!(looked_at(&levels), Some((16, 30)));
}

/// Seen: "LIMITED at 45.1 requests/s" of a level whose row of the table has 48.8.
#[test]
fn the_rates_of_levels_are_those_that_the_search_measured() {
    let mut levels = vec![
        level(2.0, "holds", 0, 10),
        level(8.0, "misses", 10, 22),
        level(3.0, "holds", 24, 44),
    ];
    levels[1].requests = 50.0;
    levels[1].failed = 0.1;
    let told_all = measured(&levels, judged(&levels, &run(60)).unwrap(), 0.0);
    let told: Vec<(f64, f64)> = told_all
        .iter()
        .map(|one| (one.load, one.answered))
        .collect();
    assert_eq!(told, [(2.0, 2.0), (8.0, 45.0)]);
    let verdicts: Vec<Option<bool>> = told_all.iter().map(|one| one.is_carried).collect();
    assert_eq!(verdicts, [Some(true), Some(false)]);
}

/// Seen: 2.67 % of 429 told of 32/s, where none failed: the levels that the target had ended were short.
#[test]
fn a_level_that_the_target_asked_to_end_is_judged_however_short_and_by_its_own_answers() {
    let levels = [
        level(32.0, "holds", 0, 20),
        level(64.0, "asks-to-wait", 20, 23),
        level(61.0, "asks-to-wait", 30, 32),
        level(32.0, "holds", 40, 60),
    ];
    let run = run(60);
    let judged = judged(&levels, &run).unwrap();
    assert_eq!((judged.from, judged.to), (20, 23));
    let of = |status: &str| BTreeMap::from([(status.to_owned(), 10.0)]);
    let mut answered: AnsweredSeconds = (0..60).map(|at| (5 + at, of("200"))).collect();
    answered.insert(5 + 22, of("429"));
    let counted = BTreeMap::from([("200".to_owned(), 20.0), ("429".to_owned(), 10.0)]);
    assert_eq!(statuses(judged, 5, &answered), counted);
}

#[test]
fn of_levels_that_were_too_much_the_first_long_one_is_judged_else_the_first() {
    let mut levels = vec![
        level(10.0, "holds", 0, 10),
        level(20.0, "overloaded", 10, 16),
        level(15.0, "misses", 20, 34),
    ];
    assert_eq!(looked_at(&levels), Some((20, 34)));
    levels.pop();
    assert_eq!(looked_at(&levels), Some((0, 16)));
}

/// Seen: "2,544 ms while little was asked" of a target that takes 207 ms: what a higher level had left in its queue.
#[test]
fn how_long_requests_take_alone_is_told_by_the_levels_at_which_little_was_asked() {
    let mut run = run(60);
    run.load.is_open = true;
    for (second, window) in run.windows.iter_mut().enumerate() {
        let ms = [207.0, 1_086.0, 2_544.0][second / 20];
        window.durations = Histogram::from_values(&[ms; 4]);
    }
    let levels = [
        level(1.0, "holds", 0, 20),
        level(20.0, "overloaded", 20, 40),
        level(14.6, "misses", 44, 60),
    ];
    let alone = alone_ms(&levels, &levels[2], &run).unwrap();
    assert!((alone - 207.0).abs() < 5.0, "{alone}");
    assert_eq!(alone_ms(&levels[1..], &levels[2], &run), None);
}

/// Seen: "31.4 ms each when nothing waits" of a lock of 26.6 ms: half of it was of two users, who wait for each other.
#[test]
fn of_users_in_loops_the_fewest_tell_how_long_requests_take_alone() {
    let mut levels = [
        level(1.0, "holds", 0, 15),
        level(2.0, "holds", 16, 19),
        level(8.0, "misses", 20, 30),
    ];
    (levels[0].mean_ms, levels[1].mean_ms) = (26.6, 51.5);
    assert_eq!(alone_ms(&levels, &levels[2], &run(60)), Some(26.6));
}

/// Seen: "NO SIGN OF A LIMIT up to 21.3 requests/s" above "20.0/s: 20.8 requests/s answered" of a level that was held twice.
#[test]
fn a_level_that_was_held_twice_carried_what_it_did_the_last_time() {
    let mut levels = [
        level(16.0, "holds", 0, 5),
        level(20.0, "likely", 6, 10),
        level(20.0, "holds", 11, 30),
        level(40.0, "misses", 31, 40),
    ];
    (levels[1].requests, levels[2].requests) = (21.3, 20.8);
    assert_eq!(carried(&levels).collect::<Vec<_>>(), [16.0, 20.8]);
}

/// Seen: "p(95)<400ms: 631 ms" of a level of which the search says 707.
#[test]
fn a_goal_of_the_level_has_the_figure_of_the_search() {
    let mut level = level(79.5, "misses", 0, 30);
    level.p95_ms = 707.0;
    let goal = |text: &str| verdict(&objective(text).unwrap(), &level);
    let missed = GoalVerdict {
        value: 707.0,
        is_missed: true,
    };
    assert_eq!(goal("p(95)<400ms"), Some(missed));
    assert_eq!(goal("p(99)<400ms"), None, "it is not kept");
    assert!(!goal("errors<1%").unwrap().is_missed);
}

#[test]
fn where_no_level_was_too_much_the_highest_is_judged() {
    let levels = [
        level(10.0, "holds", 0, 10),
        level(20.0, "likely", 10, 20),
        level(18.0, "holds", 20, 40),
    ];
    assert_eq!(looked_at(&levels), Some((0, 20)));
}

/// Seen: "what limits at 36.9/s: NO SIGN OF A LIMIT" of a search that had overloaded the target at 64/s for three seconds.
#[test]
fn a_level_that_overloaded_the_target_for_a_moment_is_judged_with_the_queue_that_it_left() {
    let levels = [
        level(32.0, "holds", 0, 4),
        level(64.0, "overloaded", 5, 9),
        level(36.9, "holds", 20, 50),
    ];
    let seconds = [5, 9, 12, 14, 20].map(|at: u64| at * NANOS_OF_SECOND + 7_000_000);
    let loads = [64.0, 0.0, 1.0, 0.0, 36.9];
    let changes: [_; 5] = std::array::from_fn(|at| (seconds[at], loads[at]));
    let run = run(60);
    let highest = judged(&levels, &run).unwrap();
    assert!(!is_too_much(highest));
    let found = overloaded(&levels, &changes, &run, 0).unwrap();
    assert_eq!((found.load, found.from, found.to), (64.0, 5, 12));
    // Nothing was seen of a queue.
    let at_once = [(5, 64.0), (9, 36.9)].map(|(at, load)| (at * NANOS_OF_SECOND, load));
    assert!(overloaded(&levels, &at_once, &run, 0).is_none());
}

/// What a search does is noted with the window after the one by which it decided.
#[test]
fn starts_are_planned_from_the_second_on_in_which_they_were_sent() {
    let mut run = run(6);
    run.load.is_open = true;
    plan(&mut run, &[(1_007_000_000, 8.0), (4_009_000_000, 0.0)], 0);
    let planned: Vec<f64> = run.windows.iter().map(|window| window.planned).collect();
    assert_eq!(planned, [0.0, 8.0, 8.0, 8.0, 0.0, 0.0]);
}

/// The clock of levels began a second after the load: each was looked for a second too early, and none was found.
#[test]
fn a_level_is_held_from_the_change_that_began_it_to_the_next_one() {
    let changes = [
        (2_000_300_000, 1.0),
        (14_001_000_000, 0.0),
        (15_000_000_000, 20.0),
        (31_000_000_000, 0.0),
    ];
    let event = |began: f64, load: f64| RunEvent {
        at_nanos: 40_000_000_000,
        wall_ms: 0,
        kind: event_kind::CAPACITY_LEVEL.to_owned(),
        detail: serde_json::json!({
            "load": load, "outcome": "misses", "began_s": began, "requests_per_second": load,
        }),
    };
    let events = [event(0.0, 1.0), event(13.0, 20.0)];
    let found = levels(&events, &changes, 1, 60);
    let held: Vec<(usize, usize)> = found.iter().map(|one| (one.from, one.to)).collect();
    assert_eq!(held, [(1, 13), (14, 30)]);
}

#[test]
fn terms_of_all_requests_and_of_an_endpoint_are_objectives() {
    let all = objective("p(95)<400ms").unwrap();
    assert_eq!(all.measure, ObjectiveMeasure::Percentile(0.95));
    assert!((all.most - 400.0).abs() < 1e-9);
    let one = objective("errors{name:/buy}<1%").unwrap();
    assert_eq!(one.endpoint.as_deref(), Some("/buy"));
    assert_eq!(objective("p(95){scenario:buy}<400ms"), None);
    let checks = objective("checks>99%").unwrap();
    assert!((checks.most - 0.01).abs() < 1e-9);
}
