//! What is predicted for a change, against what the changed back end carries.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::backend::Backend;
use crate::{Assumption, AssumptionError, BottleneckPart, RuleId, explain};

/// A change of the back end.
type Changed = fn(&mut Backend);

/// Case B's figures: a pool of 10, held for 2 s across the outside call.
fn starved() -> Backend {
    Backend {
        offered: 10.0,
        outside: 2.0,
        holds_outside: true,
        statements: 0.02,
        ..Backend::default()
    }
}

fn predicted(backend: &Backend, assumed: &str) -> Option<f64> {
    let run = backend.scene(8).run();
    let explanation = explain(&run, &[assumed.parse().unwrap()]);
    explanation.predictions[0].rate
}

fn assert_near(assumed: &str, rate: f64, truth: f64) {
    assert!(
        (rate / truth - 1.0).abs() < 0.2,
        "{assumed}: {rate} of {truth}"
    );
}

#[test]
fn pool_and_outside_time_are_predicted_within_a_fifth() {
    let cases: [(&str, Changed); 4] = [
        ("pool=30", |b| b.pool = 30.0),
        ("pool=20", |b| b.pool = 20.0),
        ("outside=0.5s", |b| b.outside = 0.5),
        ("outside=5s", |b| b.outside = 5.0),
    ];
    for (assumed, change) in cases {
        let rate = predicted(&starved(), assumed).unwrap();
        let mut changed = starved();
        change(&mut changed);
        let truth = changed.capacity();
        assert_near(assumed, rate, truth);
    }
}

#[test]
fn cores_threads_and_database_cores_are_predicted_within_a_fifth() {
    let cpu = Backend {
        offered: 300.0,
        cpu: 0.01,
        statements: 0.000_5,
        ..Backend::default()
    };
    let threads = Backend {
        offered: 60.0,
        threads: 20.0,
        outside: 1.0,
        ..Backend::default()
    };
    let database = Backend {
        offered: 40.0,
        statements: 0.05,
        ..Backend::default()
    };
    let cases: [(&Backend, &str, Changed); 3] = [
        (&cpu, "cores=4", |b| b.cores = 4.0),
        (&threads, "threads=40", |b| b.threads = 40.0),
        (&database, "database-cores=2", |b| b.database_cores = 2.0),
    ];
    for (backend, assumed, change) in cases {
        let rate = predicted(backend, assumed).unwrap();
        let mut changed = backend.clone();
        change(&mut changed);
        let truth = changed.capacity();
        assert_near(assumed, rate, truth);
    }
}

/// The database is used up by statements of which the first takes 62 % of the time.
#[test]
fn a_faster_statement_is_predicted_by_its_share_of_the_time() {
    let database = Backend {
        offered: 40.0,
        statements: 0.05,
        ..Backend::default()
    };
    for (assumed, left) in [
        ("statement=50%", 0.69),
        ("statement=0%", 0.38),
        ("statement=200%", 1.62),
    ] {
        let rate = predicted(&database, assumed).unwrap();
        let mut changed = database.clone();
        changed.statements *= left;
        let truth = changed.capacity();
        assert_near(assumed, rate, truth);
    }
}

#[test]
fn a_faster_statement_frees_the_pool_that_waits_for_it() {
    let pool = Backend {
        offered: 60.0,
        pool: 5.0,
        statements: 0.2,
        statement_cpu: 0.01,
        ..Backend::default()
    };
    let rate = predicted(&pool, "statement=50%").unwrap();
    let mut changed = pool.clone();
    changed.statements *= 0.69;
    let truth = changed.capacity();
    assert_near("statement=50%", rate, truth);
}

/// Nine tenths of the heap live for good: twice the heap has eleven times as much room.
#[test]
fn a_larger_heap_is_predicted_by_what_is_free_after_a_collection() {
    let heap = Backend {
        offered: 300.0,
        cpu: 0.01,
        statements: 0.000_5,
        pauses: 0.4,
        ..Backend::default()
    };
    let predicted = |assumed: &str| {
        let mut scene = heap.scene(8);
        let of = Entity::new().with(Label::Instance, "10.0.0.5:9000");
        scene.limit(SignalKind::HeapMax, &of, 100.0 * 1_048_576.0);
        explain(&scene.run(), &[assumed.parse().unwrap()]).predictions[0]
            .rate
            .unwrap()
    };
    // With nine tenths full after a collection: 0.1 / (k - 0.9) of the pauses at k times the heap.
    for (assumed, pauses) in [
        ("heap=200m", 0.4 * 0.1 / 1.1),
        ("heap=1g", 0.0),
        ("heap=100M", 0.4),
    ] {
        let mut changed = heap.clone();
        changed.pauses = pauses;
        let (rate, truth) = (predicted(assumed), changed.capacity());
        assert_near(assumed, rate, truth);
    }
    assert!(
        predicted("heap=80m") < 0.2 * predicted("heap=1g"),
        "less than what lives in it"
    );
}

#[test]
fn several_assumptions_are_predicted_each_and_together() {
    let run = starved().scene(1).run();
    let assumed: Vec<Assumption> = ["pool=30", "outside=500ms"]
        .map(|a| a.parse().unwrap())
        .into();
    let predictions = explain(&run, &assumed).predictions;
    assert_eq!(predictions.len(), 3);
    assert_eq!(predictions[2].assumed, "pool=30,outside=500ms");
    // With both changed the pool would carry 58/s, the database 50/s.
    assert_eq!(predictions[2].then, Some(BottleneckPart::Database));
    let together = predictions[2].rate.unwrap();
    assert!((together / 50.0 - 1.0).abs() < 0.2, "{together}");
}

/// Seen: a third prediction, of an outside call that takes 5 s and half a second at once.
#[test]
fn two_values_of_one_thing_are_predicted_each_alone() {
    let assumed: Vec<Assumption> = ["outside=5s", "outside=500ms"]
        .map(|a| a.parse().unwrap())
        .into();
    let predictions = explain(&starved().scene(1).run(), &assumed).predictions;
    assert_eq!(predictions.len(), 2);
}

#[test]
fn what_was_not_measured_is_not_predicted() {
    let run = starved().callers(1).run();
    let explanation = explain(&run, &["pool=30".parse().unwrap()]);
    assert_eq!(explanation.predictions[0].rate, None);
}

/// Seen: "cores=4: at most 4,571 requests/s" of an event loop that sleeps in a call.
#[test]
fn a_limit_that_no_resource_holds_stays_whatever_there_is_more_of() {
    let backend = Backend {
        offered: 20.0,
        lock: 0.2,
        ..Backend::default()
    };
    for assumed in ["cores=8", "pool=50", "database-cores=4", "pool=50,cores=8"] {
        let parts: Vec<Assumption> = assumed.split(',').map(|a| a.parse().unwrap()).collect();
        let explanation = explain(&backend.scene(8).run(), &parts);
        assert_eq!(explanation.findings[0].rule, RuleId::RowLock);
        let last = explanation.predictions.last().unwrap();
        let rate = last.rate.unwrap();
        assert!((rate / 5.0 - 1.0).abs() < 0.2, "{assumed}: {rate}");
        assert_eq!(last.then, Some(explanation.findings[0].part), "{assumed}");
    }
}

#[test]
fn assumptions_that_are_none_are_refused() {
    for text in [
        "pool",
        "pool=0",
        "pool=-1",
        "pool=x",
        "outside=5",
        "weather=good",
        "cores=inf",
        "statement=0.5",
        "statement=-1%",
        "heap=512",
        "heap=0m",
        "heap=m",
        "heap=",
        "heap=5克",
    ] {
        let refused: Result<Assumption, AssumptionError> = text.parse();
        assert_eq!(refused, Err(AssumptionError(text.to_owned())));
    }
}

/// Seen: "cannot be predicted; what it changes was not measured" of cores that were measured and hardly used.
#[test]
fn more_of_what_is_hardly_used_leaves_the_limit_where_it_is() {
    let mut backend = starved();
    backend.cpu = 0.001;
    for assumed in ["cores=4", "pool=10,cores=4"] {
        let parts: Vec<Assumption> = assumed.split(',').map(|a| a.parse().unwrap()).collect();
        let predictions = explain(&backend.scene(8).run(), &parts).predictions;
        let last = predictions.last().unwrap();
        assert_eq!(last.then, Some(BottleneckPart::Pool), "{assumed}");
        let rate = last.rate.unwrap();
        assert!((rate / 5.0 - 1.0).abs() < 0.2, "{assumed}: {rate}");
    }
}
