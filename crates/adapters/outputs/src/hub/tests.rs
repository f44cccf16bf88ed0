use super::*;

/// An output whose thread ends only when it is given up.
fn stubborn(description: &str) -> OutputThread {
    let (ended_in, ended) = bounded(1);
    let (give_up, given_up) = bounded(1);
    std::thread::spawn(move || {
        if given_up.recv().is_ok() {
            let _ = ended_in.send(());
        }
    });
    let spool = Spool::new(std::env::temp_dir(), 1 << 20);
    OutputThread {
        description: description.to_owned(),
        queue: Arc::new(Queue::new(InputKind::Sums, spool)),
        state: Arc::default(),
        ended,
        give_up,
        is_remote: true,
    }
}

#[test]
fn several_receivers_that_take_nothing_are_given_up_together() {
    let (_tell, notices) = unbounded();
    let mut outputs = Outputs {
        intake: None,
        outlets: vec![stubborn("a"), stubborn("b"), stubborn("c")],
        notices,
        series_tracker: SeriesTracker::default(),
        redactor: Redactor::default(),
        registry: Arc::default(),
        wall: WallClock { origin: 0 },
        opened: Time::ZERO,
        wants_samples: false,
    };
    let mut told = Vec::new();
    let reports = outputs.finish(Duration::from_millis(20), |waiting| {
        told.extend(waiting.iter().map(|notice| notice.output.clone()));
    });
    assert_eq!(told, ["a", "b", "c"]);
    assert_eq!(reports.len(), 3);
}

#[test]
fn a_receiver_that_took_something_is_waited_for_longer() {
    let outlet = stubborn("a");
    let longest = Duration::from_secs(30);
    assert_eq!(outlet.patience(longest), UNREACHED_TIMEOUT);
    outlet.state.lock().unwrap().tally.points = 1;
    assert_eq!(outlet.patience(longest), longest);
}
