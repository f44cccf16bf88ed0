use super::{BodyFault, BreakBody, CallPlacement, DemoSettings};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

fn refused(change: &Value) -> String {
    DemoSettings::default()
        .changed_by(change)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_change_replaces_what_it_names_and_leaves_the_rest() {
    let change = json!({"pool": {"max": 30}, "pooled": {"call": "outside", "downstream_ms": 200}});

    let changed = DemoSettings::default().changed_by(&change).unwrap();

    let mut expected = DemoSettings::default();
    expected.pool.max = 30;
    expected.pooled.call = CallPlacement::Outside;
    expected.pooled.downstream = Duration::from_millis(200);
    assert_eq!(changed, expected);
}

#[test]
fn what_is_printed_can_be_put_back() {
    let settings = DemoSettings::default();
    let printed = serde_json::to_value(&settings).unwrap();
    assert_eq!(settings.changed_by(&printed), Ok(settings));
}

#[test]
fn a_broken_body_is_switched_on_and_off() {
    let on = DemoSettings::default()
        .changed_by(&json!({"faults": {"break_body": {"after": 5}}}))
        .unwrap();
    let expected = BreakBody {
        after: 5,
        how: BodyFault::Empty,
    };
    assert_eq!(on.faults.break_body, Some(expected));

    let off = on
        .changed_by(&json!({"faults": {"break_body": null}}))
        .unwrap();
    assert_eq!(off, DemoSettings::default());
}

#[test]
fn every_mistake_is_named_with_its_place() {
    insta::assert_snapshot!(
        [
            json!({"pool": {"max": 0}, "cpu": {"threads": 65, "work_ms": 0}, "faults": {"error_percent": 100.5}}),
            json!({"pool": {"size": 3}}),
            json!({"pools": {}}),
            json!({"pool": {"max": "10"}}),
            json!({"pool": 10}),
            json!({"pooled": {"call": "beside"}}),
            json!({"pooled": {"downstream_ms": -1}}),
            json!({"pooled": {"downstream_ms": 60001}}),
            json!({"faults": {"error_percent": "5%"}}),
            json!({"faults": {"break_body": {"how": "cut"}}}),
            json!([]),
        ]
        .map(|change| refused(&change))
        .join("\n"),
        @r#"
        pool.max: 0 is outside 1 to 10000; cpu.work_ms: 0 is outside 1 to 60000; cpu.threads: 65 is outside 1 to 64; faults.error_percent: 100.5 is outside 0 to 100
        pool.size: unknown field `size`, expected `max` or `acquire_timeout_ms`
        pools: unknown field `pools`, expected one of `pool`, `pooled`, `cpu`, `deers`, `contents`, `first_page`, `waiting_room`, `tracing`, `faults`
        pool.max: invalid type: string "10", expected a whole number, 0 or more
        pool: invalid type: integer `10`, expected an object
        pooled.call: unknown variant `beside`, expected `inside` or `outside`
        pooled.downstream_ms: invalid value: integer `-1`, expected a whole number, 0 or more
        pooled.downstream_ms: 60001 is outside 0 to 60000
        faults.error_percent: invalid type: string "5%", expected a number
        faults.break_body: missing field `after`
        settings: not a JSON object such as {"pool": {"max": 30}}
        "#
    );
}

/// A table test over all numbers: a member that `mistakes` forgets would pass here.
#[test]
fn every_number_has_an_upper_bound() {
    let Value::Object(sections) = serde_json::to_value(DemoSettings::default()).unwrap() else {
        panic!("settings are an object");
    };
    for (section, members) in sections {
        for (member, value) in members.as_object().unwrap() {
            if value.is_number() {
                let change = json!({ &section: { member: 4_000_000_000_u32 } });
                let place = format!("{section}.{member}");
                assert!(refused(&change).starts_with(&place), "{place} has no bound");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_json_makes_a_change_panic(text in r#"[\[\]{}":,a-z0-9_.-]{0,60}"#) {
        if let Ok(change) = serde_json::from_str::<Value>(&text) {
            let _ = DemoSettings::default().changed_by(&change);
        }
    }
}
