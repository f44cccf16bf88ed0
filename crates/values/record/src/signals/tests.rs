use std::collections::BTreeSet;

use super::*;

fn pool(name: &str) -> Entity {
    Entity::new().with(Label::Pool, name)
}

#[test]
fn signals_read_back_as_they_were() {
    let mut signals = Signals::default();
    for second in 0..5_u32 {
        let at_ms = u64::from(second) * 1000;
        let value = f64::from(second);
        signals.push(SignalKind::PoolActive, &pool("main"), at_ms, value);
        signals.push(SignalKind::PoolActive, &pool("other"), at_ms, 1.0);
    }
    let mut source = SourceStatus::new("http://127.0.0.1/metrics", SourceKind::Page);
    source.answered(0);
    source.failed(1000, "refused");
    source.failed(2000, "refused");
    source.answered(3000);
    source.lacks(MissingSignal::new(
        SignalKind::WorkersBusy,
        "server.tomcat.mbeanregistry.enabled=true",
    ));
    assert_eq!(source.failures.len(), 1);
    assert_eq!(source.failures[0].to_ms, Some(3000));
    signals.sources.push(source);
    signals.set(TargetSetting::new("host.cores", "2", Entity::new()));
    signals.set(TargetSetting::new("host.cores", "4", Entity::new()));
    let text = serde_json::to_string(&signals).unwrap();
    let back: Signals = serde_json::from_str(&text).unwrap();
    assert_eq!(back, signals);
    assert_eq!(back.of_kind(SignalKind::PoolActive).count(), 2);
    assert_eq!(back.settings().len(), 1);
}

#[test]
fn a_newer_programs_signals_are_read_without_what_is_unknown() {
    let text = r#"{"version":2,"later":1,"series":[
        {"kind":"pool-active","entity":{"pool":"main"},"points":[[0,1.0],[1000,2.0]]},
        {"kind":"pool-mood","entity":{},"points":[[0,1.0]]},
        {"kind":"pool-active","entity":{"colour":"red"},"points":[[0,1.0]]}],
        "sources":[{"name":"x","kind":"telepathy","answered":1}]}"#;
    let signals: Signals = serde_json::from_str(text).unwrap();
    assert_eq!(signals.series().len(), 1);
    assert_eq!(signals.left_out(), 2);
    assert_eq!(signals.sources[0].kind, SourceKind::Other);
}

#[test]
fn a_long_series_keeps_its_whole_time_at_half_the_points() {
    let mut signals = Signals::default();
    let seconds = 20_000_u64;
    for second in 0..seconds {
        signals.push(SignalKind::HeapUsed, &Entity::new(), second * 1000, 1.0);
    }
    let points = signals.series()[0].points();
    assert!(points.len() <= MOST_POINTS, "{}", points.len());
    assert!(points.len() > MOST_POINTS / 3, "{}", points.len());
    assert_eq!(points[0].at_ms, 0);
    assert!(points[points.len() - 1].at_ms > (seconds - 20) * 1000);
    assert_eq!(signals.left_out(), 0);
}

#[test]
fn numbers_that_are_none_points_out_of_order_and_series_beyond_the_bound_are_counted() {
    let mut signals = Signals::default();
    signals.push(SignalKind::HeapUsed, &Entity::new(), 1000, 1.0);
    signals.push(SignalKind::HeapUsed, &Entity::new(), 2000, f64::NAN);
    signals.push(SignalKind::HeapUsed, &Entity::new(), 1000, 1.0);
    assert_eq!(signals.left_out(), 2);
    for number in 0..MOST_SERIES {
        let entity = pool(&number.to_string());
        signals.push(SignalKind::PoolActive, &entity, 0, 1.0);
    }
    assert_eq!(signals.series().len(), MOST_SERIES);
    assert_eq!(signals.left_out(), 3);
}

#[test]
fn long_texts_are_cut_at_a_characters_end() {
    let entity = Entity::new().with(Label::Statement, &"ë".repeat(LONGEST_TEXT));
    let statement = entity.get(Label::Statement).unwrap();
    assert!(statement.len() <= LONGEST_TEXT && statement.len() > LONGEST_TEXT - 2);
}

#[test]
fn each_kind_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = SignalKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), SignalKind::ALL.len());
    for kind in SignalKind::ALL {
        assert_eq!(SignalKind::named(kind.name()), Some(*kind));
    }
}

#[test]
fn entities_agree_when_no_common_label_differs() {
    let of_a = pool("main").with(Label::Instance, "a");
    assert!(of_a.agrees(&pool("main")));
    assert!(of_a.agrees(&Entity::new().with(Label::Host, "h")));
    assert!(!of_a.agrees(&pool("other")));
    assert_eq!(of_a.to_string(), "instance=a, pool=main");
}
