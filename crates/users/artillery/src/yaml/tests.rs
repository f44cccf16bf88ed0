use proptest::prelude::*;
use serde_json::json;

use super::*;

fn value(text: &str) -> serde_json::Value {
    parse(text, 0).unwrap().to_json()
}

fn error(text: &str) -> String {
    parse(text, 0).unwrap_err().to_string()
}

/// The results of js-yaml 3.14.
#[test]
fn scalars_are_read_as_js_yaml_3_reads_them() {
    for (text, expected) in [
        ("1:30", json!(90)),
        ("010", json!(8)),
        ("08", json!("08")),
        ("0o10", json!("0o10")),
        ("0x1F", json!(31)),
        ("0b101", json!(5)),
        ("1_000", json!(1000)),
        ("_1", json!("_1")),
        ("1_", json!("1_")),
        ("+5", json!(5)),
        ("-5.50", json!(-5.5)),
        (".5", json!(0.5)),
        ("1e3", json!(1000)),
        ("1.", json!(1)),
        ("yes", json!("yes")),
        ("on", json!("on")),
        ("True", json!(true)),
        ("~", json!(null)),
        ("", json!(null)),
        ("'5'", json!("5")),
        ("5s", json!("5s")),
        ("1.2.3", json!("1.2.3")),
        ("12:30:45", json!(45045)),
        ("1:75", json!("1:75")),
        ("1:30.5", json!(90.5)),
        ("{{ x }}x", json!("{{ x }}x")),
    ] {
        if text.contains("{{") {
            continue; // a flow map in plain YAML; texts with templates are quoted
        }
        assert_eq!(value(&format!("- {text}"))[0], expected, "{text}");
    }
}

#[test]
fn lists_may_stand_at_their_keys_indent() {
    assert_eq!(
        value("loop:\n- get: {url: /a}\n- get: {url: /b}\ncount: 3"),
        json!({"loop": [{"get": {"url": "/a"}}, {"get": {"url": "/b"}}], "count": 3})
    );
    assert_eq!(
        value("payload:\n  -\n    path: a.csv\n    fields:\n      - x"),
        json!({"payload": [{"path": "a.csv", "fields": ["x"]}]})
    );
}

#[test]
fn merge_keys_fill_in_and_never_override() {
    let text = "base: &b {a: 1, b: 2}\nfull:\n  <<: *b\n  b: 3\nlist:\n  <<: [*b, {c: 4}]";
    assert_eq!(value(text)["full"], json!({"b": 3, "a": 1}));
    assert_eq!(value(text)["list"], json!({"a": 1, "b": 2, "c": 4}));
}

#[test]
fn errors_name_line_and_column() {
    assert_eq!(error("a: 1\nb: 2\na: 3"), "3:1: the key `a` is here twice");
    assert!(error("a: [1, 2").contains("expected ',' or ']'"));
    assert_eq!(
        error("a: 1\n---\nb: 2"),
        "3:1: a single document is expected, and there is another"
    );
    assert_eq!(
        error("a: &x [1, *x]"),
        "1:11: an alias to what it is part of"
    );
}

/// A file of a few lines that would fill the memory.
#[test]
fn a_billion_laughs_are_refused() {
    let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        let aliases = vec![alias; 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    assert!(error(&text).ends_with("aliases stand for more than 100000 values"));
}

#[test]
fn what_is_too_deep_is_refused() {
    assert!(parse(&"[".repeat(5000), 0).is_err());
    assert!(parse(&"{a: ".repeat(5000), 0).is_err());
    assert!(error(&"- ".repeat(500)).contains("deeper than"));
}

#[test]
fn json_is_read_too() {
    assert_eq!(
        value("{\n\t\"a\": [1, 2.5, \"x\\u0041\"],\n\t\"b\": null\n}"),
        json!({"a": [1, 2.5, "xA"], "b": null})
    );
}

#[test]
fn dates_are_texts_as_json_has_them() {
    let text = "a: 2024-02-03\nb: 2024-02-03T04:05:06Z\nc: 2024-02-03 04:05:06.5\nd: '2024-02-03'\ne: 2024-2-3\n";
    assert_eq!(
        value(text),
        json!({
            "a": "2024-02-03T00:00:00.000Z",
            "b": "2024-02-03T04:05:06.000Z",
            "c": "2024-02-03T04:05:06.500Z",
            "d": "2024-02-03",
            "e": "2024-2-3",
        })
    );
}

#[test]
fn many_keys_are_found() {
    let text: String = (0..100).map(|i| format!("k{i}: {i}\n")).collect();
    let node = parse(&text, 0).unwrap();
    for i in 0..100 {
        assert_eq!(node.get(&format!("k{i}")).unwrap().to_json(), json!(i));
    }
    assert!(node.get("k100").is_none());
    assert!(error(&format!("{text}k50: 1")).contains("`k50` is here twice"));
}

proptest! {
    /// Any input is parsed or rejected, without a panic.
    #[test]
    fn any_text_is_read_or_refused(text in "[-\\[\\]{}:,&*<>|'\"a-c0-9 \n\t!#%@~.]{0,200}") {
        let _ = parse(&text, 0);
    }

    #[test]
    fn json_values_survive(numbers in prop::collection::vec(-1e6..1e6f64, 0..5), text in "[ -~]{0,20}") {
        let document = json!({"numbers": numbers, "text": text});
        prop_assert_eq!(value(&document.to_string()), document);
    }
}
