use super::*;

const RUN_LENGTH: Duration = Duration::from_secs(30);

#[test]
fn a_generator_of_which_nothing_bad_is_known_limits_nothing() {
    assert!(GeneratorHealth::default().limits(RUN_LENGTH).is_empty());
    let busy_but_fine = GeneratorHealth {
        cpu: Some(CpuUsage {
            mean: 0.4,
            peak: 1.0,
            busiest: 0.9,
        }),
        dropped_starts: 500,
        open_files: Some(ResourceUsage {
            used: 94,
            limit: 100,
        }),
        ..GeneratorHealth::default()
    };
    assert!(busy_but_fine.limits(RUN_LENGTH).is_empty());
}

#[test]
fn one_connection_that_could_not_be_made_is_enough() {
    let no_file = GeneratorHealth {
        files_lacked: 1,
        ..GeneratorHealth::default()
    };
    assert_eq!(no_file.limits(RUN_LENGTH), [Limit::OpenFiles]);
    let no_port = GeneratorHealth {
        ports_lacked: 1,
        ..GeneratorHealth::default()
    };
    assert_eq!(no_port.limits(RUN_LENGTH), [Limit::Ports]);
}

#[test]
fn waiting_for_a_core_counts_only_with_harm() {
    let waiting = |worst: f64, wanted: f64, lag: Option<(f64, f64)>| {
        let health = GeneratorHealth {
            core_wait: Some(CoreWait {
                mean: worst / 2.0,
                worst,
                wanted,
                each_ms: None,
            }),
            start_lag: lag.map(|(p50_ms, p99_ms)| StartLag {
                p50_ms,
                p99_ms,
                max_ms: p99_ms,
                p95_ms: None,
            }),
            ..GeneratorHealth::default()
        };
        health.limits(RUN_LENGTH).contains(&Limit::FreeCores)
    };
    let on_time = Some((0.1, 5.0));
    assert!(!waiting(0.45, 0.89, None), "had time left");
    assert!(!waiting(0.45, 0.89, on_time));
    let late = Some((2.0, 20.0));
    assert!(!waiting(0.3, 1.0, late), "late for other reasons");
    assert!(waiting(0.34, 0.9, None), "hardly ever had enough");
    assert!(waiting(0.34, 0.4, Some((1.1, 5.0))), "half came late");
    assert!(waiting(0.34, 0.4, Some((0.1, 5.1))), "some came very late");
    assert!(waiting(0.5, 0.55, None), "mostly waited");
}

#[test]
fn waits_that_make_requests_look_long_are_the_generators() {
    let waiting = |share: f64, (each, late): (f64, f64), request: f64, run: u64| {
        let health = GeneratorHealth {
            core_wait: Some(CoreWait {
                mean: share,
                worst: share,
                wanted: share + 0.07,
                each_ms: Some(each),
            }),
            requests: Some(RequestTimes {
                mean_ms: request,
                p95_ms: 3.0,
                p50_ms: None,
                p99_ms: None,
            }),
            start_lag: Some(StartLag {
                p50_ms: 0.1,
                p99_ms: 4.9,
                max_ms: 9.0,
                p95_ms: Some(late),
            }),
            ..GeneratorHealth::default()
        };
        health.limits(Duration::from_secs(run))
    };
    let mean = (0.4, 0.2);
    assert_eq!(waiting(0.25, mean, 0.5, 8), [Limit::FreeCores]);
    assert!(waiting(0.25, mean, 0.5, 2).is_empty(), "by chance");
    assert!(waiting(0.25, mean, 5.0, 8).is_empty(), "the target's");
    assert!(waiting(0.02, mean, 0.5, 8).is_empty(), "hardly waits");
    assert!(waiting(0.25, (0.02, 0.2), 0.03, 8).is_empty(), "no time");
    let tail = (0.2, 1.5);
    assert_eq!(waiting(0.25, tail, 0.5, 8), [Limit::FreeCores]);
    assert!(
        waiting(0.25, (0.2, 1.4), 0.5, 8).is_empty(),
        "less than half"
    );
}

/// The figures are those of a run beside eight busy loops on the generator's core: it had
/// little to do, and what the target answered in 5.23 ms was read after 7.95.
#[test]
fn a_mostly_idle_generator_is_judged_by_how_late_it_reads() {
    let starved = |lag: [f64; 3], shown: [f64; 3], count: u64| {
        let health = GeneratorHealth {
            core_wait: Some(CoreWait {
                mean: 0.08,
                worst: 0.08,
                wanted: 0.1,
                each_ms: Some(0.2),
            }),
            read_lag: Some(ReadLag {
                count,
                p50_ms: lag[0],
                p95_ms: lag[1],
                p99_ms: lag[2],
            }),
            requests: Some(RequestTimes {
                mean_ms: shown[0],
                p50_ms: Some(shown[0]),
                p95_ms: shown[1],
                p99_ms: Some(shown[2]),
            }),
            ..GeneratorHealth::default()
        };
        health.limits(RUN_LENGTH)
    };
    let by_loops = [[2.7, 5.1, 6.0], [7.95, 10.7, 12.0]];
    assert_eq!(starved(by_loops[0], by_loops[1], 2000), [Limit::FreeCores]);
    let at_the_tail = [[0.1, 0.4, 226.0], [5.3, 6.0, 233.0]];
    assert_eq!(
        starved(at_the_tail[0], at_the_tail[1], 2000),
        [Limit::FreeCores]
    );
    assert!(
        starved(at_the_tail[0], at_the_tail[1], 900).is_empty(),
        "chance"
    );
    assert!(starved(by_loops[0], by_loops[1], 100).is_empty(), "chance");
    let slow_target = [[2.7, 5.1, 6.0], [80.0, 107.0, 120.0]];
    assert!(starved(slow_target[0], slow_target[1], 2000).is_empty());
    let quick = [[0.02, 0.1, 0.3], [0.05, 0.2, 0.5]];
    assert!(starved(quick[0], quick[1], 2000).is_empty(), "harms nobody");
}

#[test]
fn reading_late_without_lacking_a_core_has_a_name_of_its_own() {
    let busy = GeneratorHealth {
        read_lag: Some(ReadLag {
            count: 5000,
            p50_ms: 3.0,
            p95_ms: 9.0,
            p99_ms: 12.0,
        }),
        requests: Some(RequestTimes {
            mean_ms: 6.0,
            p50_ms: Some(6.0),
            p95_ms: 15.0,
            p99_ms: Some(20.0),
        }),
        ..GeneratorHealth::default()
    };
    assert_eq!(busy.limits(RUN_LENGTH), [Limit::ReadLag]);
    let own = busy.own_latency().unwrap();
    assert_eq!(own.p50, (3.0, 0.5));
}

/// Records are kept for years.
#[test]
fn health_written_before_waiting_was_measured_is_read() {
    let mut old = serde_json::to_value(GeneratorHealth::default()).unwrap();
    old.as_object_mut().unwrap().remove("core_wait").unwrap();
    let read: GeneratorHealth = serde_json::from_value(old).unwrap();
    assert_eq!(read, GeneratorHealth::default());
}

#[test]
fn every_way_to_be_too_weak_is_named() {
    let short = Some(ResourceUsage {
        used: 95,
        limit: 100,
    });
    let weak = GeneratorHealth {
        cpu: Some(CpuUsage {
            mean: 0.99,
            peak: 1.0,
            busiest: 0.99,
        }),
        throttled: Duration::from_millis(300),
        core_wait: Some(CoreWait {
            mean: 0.4,
            worst: 0.4,
            wanted: 0.99,
            each_ms: None,
        }),
        start_lag: Some(StartLag {
            p50_ms: 0.0,
            p99_ms: 11.0,
            max_ms: 12.0,
            p95_ms: None,
        }),
        stalls: 1,
        longest_stall: Duration::from_millis(300),
        stalled: None,
        open_files: short,
        ports: short,
        ..GeneratorHealth::default()
    };
    let all = [
        Limit::Cpu,
        Limit::Throttling,
        Limit::FreeCores,
        Limit::StartLag,
        Limit::Stalls,
        Limit::OpenFiles,
        Limit::Ports,
    ];
    assert_eq!(weak.limits(RUN_LENGTH), all);
}

/// Seen: a worker with 0.94 of its core and work for all the time was not called short of CPU.
#[test]
fn a_worker_that_had_work_all_the_time_had_no_cpu_left() {
    let limited = |busiest: f64, wanted: f64| {
        let health = GeneratorHealth {
            cpu: Some(CpuUsage {
                mean: busiest,
                peak: 1.0,
                busiest,
            }),
            core_wait: Some(CoreWait {
                mean: wanted - busiest,
                worst: wanted - busiest,
                wanted,
                each_ms: None,
            }),
            ..GeneratorHealth::default()
        };
        health.limits(RUN_LENGTH).contains(&Limit::Cpu)
    };
    assert!(limited(0.939, 0.997));
    assert!(limited(0.95, 0.95));
    assert!(!limited(0.94, 0.945), "had time left");
    assert!(!limited(0.85, 0.997), "others took more than a little");
}

/// Seen: starts 10 to 13 ms late beside answers of 4 s made a run "not valid" whose generator used 1 % of its CPU.
#[test]
fn starts_that_are_late_by_little_of_what_requests_take_limit_nothing() {
    let late = |(p50_ms, p99_ms): (f64, f64), median: f64, worst: f64| {
        let health = GeneratorHealth {
            core_wait: Some(CoreWait {
                mean: worst,
                worst,
                wanted: worst + 0.02,
                each_ms: None,
            }),
            start_lag: Some(StartLag {
                p50_ms,
                p99_ms,
                max_ms: 2.0 * p99_ms,
                p95_ms: None,
            }),
            requests: Some(RequestTimes {
                mean_ms: median,
                p95_ms: 2.0 * median,
                p50_ms: Some(median),
                p99_ms: Some(3.0 * median),
            }),
            read_lag: Some(ReadLag {
                count: 500,
                p50_ms: 0.1,
                p95_ms: 1.0,
                p99_ms: 2.0,
            }),
            ..GeneratorHealth::default()
        };
        health.limits(RUN_LENGTH)
    };
    assert!(late((0.4, 13.0), 4_000.0, 0.1).is_empty());
    assert!(late((5.0, 13.0), 4_000.0, 0.4).is_empty(), "starved, too");
    assert!(late((0.4, 30.0), 370.0, 0.1).is_empty(), "8 % of them");
    assert_eq!(late((0.4, 13.0), 100.0, 0.1), [Limit::StartLag]);
    assert_eq!(
        late((0.4, 21.0), 200.0, 0.1),
        [Limit::StartLag],
        "more than 10 % of them"
    );
    assert_eq!(
        late((0.4, 101.0), 9_000.0, 0.1),
        [Limit::StartLag],
        "noticed"
    );
    assert_eq!(late((1.5, 4.0), 50.0, 0.4), [Limit::FreeCores]);
}
