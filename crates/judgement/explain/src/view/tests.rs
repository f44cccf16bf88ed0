use super::busy::busy_part;
use super::*;

#[test]
fn the_answers_of_a_queue_that_empties_after_the_last_start_are_left_out() {
    let window = |planned: f64, requests: f64| ComparedWindow {
        planned,
        requests,
        ..ComparedWindow::default()
    };
    let mut run = ExplainedRun {
        windows: vec![window(8.0, 10.0); 30],
        ..ExplainedRun::default()
    };
    run.windows.extend(vec![window(0.0, 20.0); 10]);
    assert_eq!(busy_part(&run).end, 31, "a smoothed second late at most");
    for window in &mut run.windows {
        window.planned = 0.0;
    }
    assert_eq!(busy_part(&run).end, 40, "users in loops plan no starts");
}

/// Seen: "1 to 9 s: 23.8 requests/s" of 27/s whose last start was at the very end of 8 s, and whose last requests hung.
#[test]
fn a_second_that_has_the_last_start_alone_is_none_of_the_load() {
    let window = |planned: f64, planned_rate: f64| ComparedWindow {
        planned,
        planned_rate,
        requests: planned,
        ..ComparedWindow::default()
    };
    let mut run = ExplainedRun {
        windows: vec![window(30.0, 30.0); 7],
        ..ExplainedRun::default()
    };
    run.windows.push(window(1.0, 0.3));
    assert_eq!(busy_part(&run), 0..7);
}

#[test]
fn users_in_loops_who_wait_for_a_target_that_answers_in_bursts_are_busy_all_along() {
    let answers = |count: u32, each_ms: f64| {
        let durations = vec![each_ms; count as usize];
        ComparedWindow {
            requests: f64::from(count),
            durations: Histogram::from_values(&durations),
            ..ComparedWindow::default()
        }
    };
    let mut run = ExplainedRun {
        windows: vec![answers(10, 5_000.0); 25],
        ..ExplainedRun::default()
    };
    run.windows.extend(vec![answers(50, 900.0); 5]);
    let busy = busy_part(&run);
    assert!(busy.start < 10 && busy.end == 30, "{busy:?}");
}

#[test]
fn what_is_answered_after_the_load_belongs_to_no_rate() {
    let mut windows = vec![
        ComparedWindow {
            requests: 10.0,
            ..ComparedWindow::default()
        };
        10
    ];
    windows[9].requests = 60.0;
    windows[9].drained = 50.0;
    let run = ExplainedRun {
        windows,
        ..ExplainedRun::default()
    };
    assert_eq!(busy_part(&run), 0..10);
    let answered = CallerView::from_windows(&run.windows).answered;
    assert!((answered - 10.0).abs() < 1e-9, "{answered}");
}

/// Seen: "LIMITED at 73.6 requests/s" of a search by users whose levels did 81 to 90: the seconds between them counted.
#[test]
fn what_users_did_before_they_were_away_is_not_of_the_busy_part() {
    let window = |users: f64, requests: f64| ComparedWindow {
        users,
        requests,
        ..ComparedWindow::default()
    };
    let mut windows = vec![window(4.0, 90.0); 10];
    windows.extend(vec![window(0.0, 0.0); 3]);
    windows.extend(vec![window(16.0, 81.0); 10]);
    let mut run = ExplainedRun {
        windows,
        ..ExplainedRun::default()
    };
    assert_eq!(busy_part(&run).start, 13);
    let answered = CallerView::from_windows(&run.windows[busy_part(&run)]).answered;
    assert!((answered - 81.0).abs() < 1e-9, "{answered}");
    // A run without users in its windows is looked at as a whole.
    for window in &mut run.windows {
        window.users = 0.0;
    }
    assert_eq!(busy_part(&run).start, 0);
}
