//! Planted changes that must be found, and healthy answers that vary.

use loadline_record::saved_answers::{JsonMap, JsonSequence, RawBody, SavedRequest};
use loadline_record::{Redactor, UncomparedKind};
use proptest::prelude::*;

use super::*;

fn answer(status: u16, media_type: &str, body: &str, is_cut: bool) -> SavedAnswer {
    let raw = RawBody {
        bytes: body.as_bytes(),
        is_cut,
        length: body.len() as u64,
        media_type,
    };
    SavedAnswer {
        status,
        media_type: media_type.to_owned(),
        location: String::new(),
        count: 1,
        body: SavedBody::new(raw, &Redactor::default()),
    }
}

fn request(url: &str, answers: Vec<SavedAnswer>) -> SavedRequest {
    SavedRequest {
        key: RequestKey::new("GET", url, b"", &Redactor::default()),
        endpoint: "/items".to_owned(),
        answers,
    }
}

fn run(requests: Vec<SavedRequest>) -> SavedAnswers {
    SavedAnswers {
        requests,
        is_full: false,
    }
}

/// A run in which one request was answered by these documents.
fn answered(bodies: &[&str]) -> SavedAnswers {
    let answers = bodies.iter();
    let answers = answers.map(|body| answer(200, "application/json", body, false));
    run(vec![request("/items", answers.collect())])
}

fn compare(before: &[&str], after: &str) -> AnswerComparison {
    AnswerBaseline::new("base", &[answered(before)]).compare(&answered(&[after]))
}

/// Kind and place of the first difference.
fn first(before: &[&str], after: &str) -> Option<(DifferenceKind, String)> {
    let compared = compare(before, after);
    let first = compared.differences.into_iter().next()?;
    Some((first.kind, first.path))
}

const STABLE: &str = r#"{"id":9007199254740993,"name":"Café","score":4.56,"open":true,"at":"2026-01-01T00:00:00Z",
    "owner":{"first":"Ann","last":"Lee","address":{"geo":{"lat":1.5}}},"tags":["a","b","c"],
    "items":[{"id":1,"rating":4.5},{"id":2,"rating":4.5}]}"#;

#[test]
fn every_planted_change_is_found_at_its_place() {
    use DifferenceKind::{Added, Length, Missing, Order, Value};
    for (from, to, kind, path) in [
        (
            r#""rating":4.5},"#,
            r#""rating":4},"#,
            Value,
            "$.items[0].rating",
        ),
        (r#""a","b","c""#, r#""c","a","b""#, Order, "$.tags"),
        (r#""open":true,"#, "", Missing, "$.open"),
        (
            r#""open":true"#,
            r#""open":true,"extra":1"#,
            Added,
            "$.extra",
        ),
        (r#""score":4.56"#, r#""score":"4.56""#, Value, "$.score"),
        (r#""score":4.56"#, r#""score":null"#, Value, "$.score"),
        ("4.56", "4.6", Value, "$.score"),
        ("00:00:00Z", "09:00:00+09:00", Value, "$.at"),
        (r#"["a","b","c"]"#, "[]", Length, "$.tags"),
        (r#","c""#, "", Length, "$.tags"),
        (r#""c""#, r#""c","c""#, Length, "$.tags"),
        ("true", "false", Value, "$.open"),
        ("Café", "café", Value, "$.name"),
        ("Café", "Cafe\u{301}", Value, "$.name"),
        ("1.5", "1.25", Value, "$.owner.address.geo.lat"),
        (
            r#""first":"Ann","last":"Lee""#,
            r#""first":"Lee","last":"Ann""#,
            Value,
            "$.owner.first",
        ),
        ("9007199254740993", "9007199254740992", Value, "$.id"),
    ] {
        let after = STABLE.replacen(from, to, 1);
        assert_ne!(after, STABLE, "{from}");
        assert_eq!(
            first(&[STABLE], &after),
            Some((kind, path.to_owned())),
            "{to}"
        );
    }
    assert_eq!(first(&[STABLE], &STABLE.replace("4.5}", "4.50}")), None);
}

const VARYING: [&str; 3] = [
    r#"{"requestId":"8f14e45f-ceea-467a-b3d6-dedd4bea2543","at":"2026-01-01T00:00:00Z","n":1,
        "items":[{"id":1,"seenAt":"2026-01-01T00:00:00Z","tags":["x","y","z"]},{"id":2,"seenAt":"2026-01-01T00:00:01Z","tags":["y"]}]}"#,
    r#"{"requestId":"0f14e45f-ceea-467a-b3d6-dedd4bea2543","at":"2026-01-01T00:00:05Z","n":1,
        "items":[{"id":2,"seenAt":"2026-01-01T00:00:05Z","tags":["y"]},{"id":1,"seenAt":"2026-01-01T00:00:06Z","tags":["z","x","y"]}]}"#,
    r#"{"requestId":"1f14e45f-ceea-467a-b3d6-dedd4bea2543","at":"2026-01-01T00:00:07Z","n":1,
        "items":[{"id":1,"seenAt":"2026-01-01T00:00:08Z","tags":["y","z","x"]},{"id":2,"seenAt":"2026-01-01T00:00:09Z","tags":["y"]}]}"#,
];

#[test]
fn what_varies_by_itself_is_named_and_no_difference() {
    let compared = compare(&VARYING[..2], VARYING[2]);
    assert_eq!(compared.differences, []);
    let named: Vec<(UncomparedKind, &str)> = compared
        .uncompared
        .iter()
        .map(|part| (part.part, part.path.as_str()))
        .collect();
    assert_eq!(
        named,
        [
            (UncomparedKind::Value, "$.at"),
            (UncomparedKind::Value, "$.items[*].seenAt"),
            (UncomparedKind::Value, "$.requestId"),
            (UncomparedKind::Order, "$.items"),
            (UncomparedKind::Order, "$.items[*].tags"),
        ]
    );
}

#[test]
fn beside_what_varies_a_change_is_still_found() {
    use DifferenceKind::{Added, Form, Length, Missing, Value};
    for (from, to, kind, path) in [
        (r#""id":2"#, r#""id":3"#, Value, "$.items[1].id"),
        (
            r#"["y","z","x"]"#,
            r#"["y","z"]"#,
            Length,
            "$.items[0].tags",
        ),
        (
            r#"["y","z","x"]"#,
            r#"["y","z","w"]"#,
            Value,
            "$.items[0].tags[2]",
        ),
        (
            r#""1f14e45f-ceea-467a-b3d6-dedd4bea2543""#,
            "null",
            Form,
            "$.requestId",
        ),
        (
            r#""1f14e45f-ceea-467a-b3d6-dedd4bea2543""#,
            r#""""#,
            Form,
            "$.requestId",
        ),
        (
            r#""1f14e45f-ceea-467a-b3d6-dedd4bea2543""#,
            "17",
            Form,
            "$.requestId",
        ),
        ("00:00:07Z", "09:00:07+09:00", Form, "$.at"),
        (
            r#""seenAt":"2026-01-01T00:00:08Z","#,
            "",
            Missing,
            "$.items[0].seenAt",
        ),
        (r#""n":1"#, r#""n":1,"m":1"#, Added, "$.m"),
        (r#""n":1"#, r#""n":2"#, Value, "$.n"),
    ] {
        let after = VARYING[2].replacen(from, to, 1);
        assert_ne!(after, VARYING[2], "{from}");
        assert_eq!(
            first(&VARYING[..2], &after),
            Some((kind, path.to_owned())),
            "{to}"
        );
    }
}

#[test]
fn lists_with_other_elements_each_time_are_held_to_their_form() {
    let before = [
        r#"{"feed":[{"id":1,"t":"a","by":null},{"id":2,"t":"b","by":"x"}]}"#,
        r#"{"feed":[{"id":3,"t":"c","by":"y"},{"id":1,"t":"a","by":null},{"id":2,"t":"b","by":"x"}]}"#,
    ];
    assert_eq!(
        first(&before, r#"{"feed":[{"id":9,"t":"q","by":"z"}]}"#),
        None
    );
    let found = |after: &str| first(&before, after).unwrap();
    let (kind, path) = found(r#"{"feed":[{"id":"9","t":"q","by":"z"}]}"#);
    assert_eq!(
        (kind, path.as_str()),
        (DifferenceKind::Form, "$.feed[0].id")
    );
    let (kind, path) = found(r#"{"feed":[{"id":9,"by":"z"}]}"#);
    assert_eq!(
        (kind, path.as_str()),
        (DifferenceKind::Missing, "$.feed[0].t")
    );
    assert_eq!(found(r#"{"feed":[]}"#).1, "$.feed");
    let compared = compare(&before, before[0]);
    assert_eq!(compared.uncompared[0].part, UncomparedKind::Elements);
}

#[test]
fn objects_whose_names_are_data_are_not_compared_by_name() {
    let before = [
        r#"{"by":{"a1":1,"b2":2},"n":1}"#,
        r#"{"by":{"c3":3,"b2":2},"n":1}"#,
    ];
    assert_eq!(first(&before, r#"{"by":{"d4":4},"n":1}"#), None);
    assert!(first(&before, r#"{"by":{"d4":4},"n":2}"#).is_some());
}

#[test]
fn status_media_type_and_kind_of_body_count() {
    let before = AnswerBaseline::new("base", &[answered(&[STABLE])]);
    let found = |one: SavedAnswer| {
        let compared = before.compare(&run(vec![request("/items", vec![one])]));
        compared.differences.into_iter().next().unwrap()
    };
    let one = found(answer(201, "application/json", STABLE, false));
    assert_eq!(
        (one.kind, one.was.as_str(), one.is.as_str()),
        (DifferenceKind::Status, "200", "201")
    );
    let one = found(answer(200, "text/plain", STABLE, false));
    assert_eq!(one.kind, DifferenceKind::MediaType);
    let one = found(answer(200, "application/json", "<html>", false));
    assert_eq!((one.kind, one.path.as_str()), (DifferenceKind::Value, "$"));
    let one = found(answer(200, "application/json", "", false));
    assert_eq!(one.path, "$");
}

#[test]
fn one_request_that_was_answered_twice_tells_of_all_of_its_kind() {
    let body = |id: u8, token: &str| format!(r#"{{"id":{id},"token_of_day":"{token}"}}"#);
    let json = |text: &str| answer(200, "application/json", text, false);
    let before = run(vec![
        request("/items/1", vec![json(&body(1, "a")), json(&body(1, "b"))]),
        request("/items/2", vec![json(&body(2, "c"))]),
        request("/items/3", vec![json(&body(3, "d"))]),
    ]);
    let after = run(vec![
        request("/items/1", vec![json(&body(1, "e"))]),
        request("/items/2", vec![json(&body(2, "f"))]),
        request("/items/9", vec![json(&body(9, "f"))]),
    ]);
    let baseline = AnswerBaseline::new("base", &[before]);
    let compared = baseline.compare(&after);
    assert!(compared.are_same(), "{compared:?}");
    let counts = (
        compared.compared,
        compared.seen_once,
        compared.not_seen,
        compared.new,
    );
    assert_eq!(counts, (2, 1, 1, 1));
    // Its id is its own, though it differs from request to request.
    let changed = run(vec![request("/items/2", vec![json(&body(7, "f"))])]);
    let compared = baseline.compare(&changed);
    assert_eq!(compared.differences[0].path, "$.id");
    assert!(compared.differences[0].seen_once);
    // Nothing in common is no pass.
    let other = run(vec![request("/items/9", vec![json(&body(9, "f"))])]);
    assert!(!baseline.compare(&other).are_same());
}

#[test]
fn two_runs_tell_what_varies_from_run_to_run() {
    let (one, other) = (
        answered(&[r#"{"n":1,"v":1}"#]),
        answered(&[r#"{"n":1,"v":2}"#]),
    );
    let baseline = AnswerBaseline::new("a,b", &[one, other]);
    assert!(
        baseline
            .compare(&answered(&[r#"{"n":1,"v":3}"#]))
            .are_same()
    );
    let compared = baseline.compare(&answered(&[r#"{"n":2,"v":3}"#]));
    assert_eq!(compared.differences[0].path, "$.n");
    assert!(!compared.differences[0].seen_once);
}

#[test]
fn of_answers_that_are_cut_the_beginning_is_compared() {
    let cut = |text: &str| {
        let one = answer(200, "application/json", text, true);
        run(vec![request("/items", vec![one])])
    };
    let baseline = AnswerBaseline::new("base", &[cut(r#"{"a":1,"list":[{"b":1},{"b":2},{"b"#)]);
    let compared = baseline.compare(&cut(r#"{"a":1,"list":[{"b":1},{"b":2},{"b":3},"#));
    assert!(compared.are_same() && compared.cut == 1, "{compared:?}");
    let compared = baseline.compare(&cut(r#"{"a":1,"list":[{"b":1},{"b":5},{"b":3"#));
    assert_eq!(compared.differences[0].path, "$.list[1].b");
}

fn documents() -> impl Strategy<Value = JsonNode> {
    let leaf = prop_oneof![
        Just(JsonNode::Null),
        any::<bool>().prop_map(JsonNode::Bool),
        any::<i64>().prop_map(|n| JsonNode::number(&n.to_string()).unwrap()),
        "[a-z]{0,5}".prop_map(JsonNode::Text),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(|items| JsonNode::List(
                JsonSequence {
                    items,
                    is_open: false
                }
            )),
            prop::collection::btree_map("[a-d]", inner, 1..5).prop_map(|members| JsonNode::Object(
                JsonMap {
                    members,
                    is_open: false
                }
            )),
        ]
    })
}

/// Another value at one of the plain places of a document.
fn mutated(value: &JsonNode, turn: usize) -> JsonNode {
    match value {
        JsonNode::List(list) => {
            let mut list = list.clone();
            let place = turn % list.items.len();
            list.items[place] = mutated(&list.items[place], turn / 2);
            JsonNode::List(list)
        }
        JsonNode::Object(object) => {
            let mut object = object.clone();
            let names: Vec<String> = object.members.keys().cloned().collect();
            let name = &names[turn % names.len()];
            let value = mutated(&object.members[name], turn / 2);
            object.members.insert(name.clone(), value);
            JsonNode::Object(object)
        }
        JsonNode::Text(text) => JsonNode::Text(format!("{text}x")),
        JsonNode::Null => JsonNode::Bool(false),
        JsonNode::Bool(truth) => JsonNode::Bool(!truth),
        JsonNode::Number(number) => JsonNode::number(&format!("{number}1")).unwrap(),
    }
}

/// A document with a stable part, and a part that varies in value, and in order.
fn wrapped(stable: &JsonNode, token: u32, turn: usize) -> String {
    let mut tags = ["a", "b", "c", "d"];
    tags.rotate_left(turn % 4);
    format!(
        r#"{{"stable":{},"requestToken":{token},"list":[{{"at":{token}.5,"name":"x"}},{{"at":{token},"name":"y"}}],"tags":{tags:?}}}"#,
        stable.canonical()
    )
}

proptest! {
    #[test]
    fn a_changed_value_that_does_not_vary_is_found_and_what_varies_is_none(
        stable in documents(), tokens in prop::array::uniform3(any::<u32>()), turns in prop::array::uniform3(0_usize..4), place in 0_usize..64,
    ) {
        let before: Vec<String> = (0..2).map(|n| wrapped(&stable, tokens[n], turns[n])).collect();
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let differs_in_tokens = tokens[0] != tokens[1];
        let differs_in_order = turns[0] != turns[1];
        if differs_in_tokens && differs_in_order {
            let after = wrapped(&stable, tokens[2], turns[2]);
            prop_assert_eq!(first(&before, &after), None);
        }
        let after = wrapped(&mutated(&stable, place), tokens[1], turns[1]);
        let (_, path) = first(&before, &after).unwrap();
        prop_assert!(path.starts_with("$.stable"), "{}", path);
    }
}
