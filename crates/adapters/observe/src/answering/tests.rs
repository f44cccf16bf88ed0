use super::*;

fn process(key: &str, started_ms: i64) -> Answering {
    Answering {
        key: key.to_owned(),
        started_ms: Some(started_ms),
        ..Answering::default()
    }
}

/// Who answered at each second, with the count it told.
fn joined(looks: &[(&Answering, f64)]) -> (Signals, Option<SourceNote>) {
    let mut all = ByProcess::default();
    for (second, (process, count)) in (1..).zip(looks) {
        let values = [(SignalKind::ServerRequests, Entity::new(), *count)];
        all.take(
            process,
            &Look {
                at_ms: second * 1000,
                before_ms: Some((second - 1) * 1000),
                before: &[],
                values: &values,
            },
        );
    }
    all.joined()
}

fn series(signals: &Signals) -> Vec<(String, Vec<f64>)> {
    let all = signals.of_kind(SignalKind::ServerRequests);
    let values = |one: &SignalSeries| one.points().iter().map(|point| point.value).collect();
    all.map(|one| (one.entity.to_string(), values(one)))
        .collect()
}

#[test]
fn processes_that_answer_in_turn_are_kept_apart() {
    let (a, b) = (process("a", -86_400_000), process("b", -600_000));
    let looks = [(&a, 900.0), (&b, 50.0), (&a, 910.0), (&b, 60.0)];
    let (signals, note) = joined(&looks);
    assert_eq!(note, Some(SourceNote::SeveralProcesses(2)));
    let expected = [
        ("instance=process 1".to_owned(), vec![900.0, 910.0]),
        ("instance=process 2".to_owned(), vec![50.0, 60.0]),
    ];
    assert_eq!(series(&signals), expected);
}

#[test]
fn a_change_to_a_process_that_was_there_before_is_no_restart() {
    let (a, b) = (process("a", -86_400_000), process("b", -600_000));
    let (_, note) = joined(&[(&a, 900.0), (&a, 910.0), (&b, 50.0), (&b, 60.0)]);
    assert_eq!(note, Some(SourceNote::SeveralProcesses(2)));
}

#[test]
fn a_process_that_started_after_the_last_look_at_the_one_before_is_a_restart() {
    let (a, b) = (process("a", -86_400_000), process("b", 2_500));
    let (signals, note) = joined(&[(&a, 900.0), (&a, 910.0), (&b, 5.0), (&b, 15.0)]);
    assert_eq!(note, None);
    let expected = [(String::new(), vec![900.0, 910.0, 5.0, 15.0])];
    assert_eq!(series(&signals), expected);
}

#[test]
fn one_of_two_processes_may_be_restarted() {
    let (a, b) = (process("a", -86_400_000), process("b", -600_000));
    let a2 = process("a2", 3_200);
    let looks = [
        (&a, 900.0),
        (&b, 50.0),
        (&a, 910.0),
        (&b, 60.0),
        (&a2, 4.0),
        (&b, 70.0),
    ];
    let (signals, note) = joined(&looks);
    assert_eq!(note, Some(SourceNote::SeveralProcesses(2)));
    assert_eq!(series(&signals)[0].1, [900.0, 910.0, 4.0]);
}

#[test]
fn a_start_that_is_told_a_little_differently_each_time_is_of_one_process() {
    let at = |started: i64| process(&started.to_string(), started);
    let starts = [-5_000, -4_000, -4_990, -4_300].map(at);
    let counts = [10.0, 20.0, 30.0, 40.0];
    let looks: Vec<_> = starts.iter().zip(counts).collect();
    let (signals, note) = joined(&looks);
    assert_eq!(note, None);
    assert_eq!(series(&signals), [(String::new(), counts.to_vec())]);
    let turns = [
        (&starts[0], 10.0),
        (&starts[1], 5.0),
        (&starts[0], 20.0),
        (&starts[1], 6.0),
    ];
    let (_, note) = joined(&turns);
    assert_eq!(
        note,
        Some(SourceNote::SeveralProcesses(2)),
        "workers that start together"
    );
}

fn counters(all: &[&[f64]]) -> Signals {
    let mut signals = Signals::default();
    for (number, values) in all.iter().enumerate() {
        let of = Entity::new().with(Label::Operation, &number.to_string());
        for (second, value) in (1..).zip(*values) {
            signals.push(SignalKind::ServerRequests, &of, second * 1000, *value);
        }
    }
    signals
}

#[test]
fn counters_that_go_back_and_return_are_of_several_processes() {
    let in_turn = counters(&[
        &[900.0, 5.0, 905.0, 9.0],
        &[70.0, 1.0, 71.0, 2.0],
        &[3.0, 3.0],
    ]);
    assert!(is_mixed(&in_turn));
    let once = counters(&[
        &[900.0, 910.0, 920.0, 30.0, 930.0, 940.0],
        &[700.0, 701.0, 702.0, 2.0, 704.0, 705.0],
    ]);
    assert!(is_mixed(&once), "one look of six");
    assert!(
        is_mixed(&counters(&[&[900.0, 5.0, 905.0, 9.0, 910.0]])),
        "the only counter"
    );
}

#[test]
fn counters_that_begin_anew_are_of_one_process() {
    let restart = counters(&[
        &[900.0, 910.0, 0.0, 10.0, 20.0],
        &[70.0, 71.0, 1.0, 2.0, 3.0],
    ]);
    assert!(!is_mixed(&restart));
    let early = counters(&[
        &[20.0, 90.0, 4.0, 96.0, 190.0, 280.0],
        &[5.0, 9.0, 1.0, 12.0, 20.0, 29.0],
    ]);
    assert!(!is_mixed(&early), "it grows as fast as ever");
    let again = counters(&[
        &[50.0, 100.0, 2.0, 52.0, 101.0, 3.0, 53.0, 103.0],
        &[5.0, 10.0, 1.0, 6.0, 11.0, 1.0, 6.0, 11.0],
    ]);
    assert!(!is_mixed(&again), "it crashes again and again");
    let odd = counters(&[&[900.0, 5.0, 905.0], &[70.0, 71.0, 72.0]]);
    assert!(!is_mixed(&odd), "one strange counter");
}

#[test]
fn gauges_stay_without_counters() {
    let mut signals = counters(&[&[1.0]]);
    signals.push(SignalKind::PoolMax, &Entity::new(), 0, 10.0);
    let kinds: Vec<_> = without_counters(&signals)
        .series()
        .iter()
        .map(|one| one.kind)
        .collect();
    assert_eq!(kinds, [SignalKind::PoolMax]);
}
