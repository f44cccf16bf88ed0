use proptest::prelude::*;

use super::*;

fn read(text: &str) -> JsonNode {
    JsonNode::read(text, false).unwrap()
}

fn saved(body: &str, is_cut: bool) -> SavedBody {
    let raw = RawBody {
        bytes: body.as_bytes(),
        is_cut,
        length: body.len() as u64,
        media_type: "application/json",
    };
    SavedBody::new(raw, &Redactor::default())
}

#[test]
fn the_order_of_members_and_the_writing_of_numbers_and_texts_make_no_difference() {
    let one = r#"{ "b" : [1.50, "é\/"], "a": 9007199254740993 }"#;
    let other = r#"{"a":9007199254740993,"b":[15e-1,"\u00e9/"]}"#;
    assert_eq!(read(one).canonical(), read(other).canonical());
    assert_eq!(
        read(one).canonical(),
        r#"{"a":9007199254740993,"b":[1.5,"é/"]}"#
    );
    assert_ne!(read("9007199254740993"), read("9007199254740992"));
    assert_ne!(read(r#""\u00e9""#), read(r#""e\u0301""#));
    assert_eq!(read(r#""\ud83d\ude00""#), JsonNode::Text("😀".to_owned()));
    assert_ne!(read(r#""\ud83d""#), read(r#""\ud83e""#));
}

#[test]
fn what_is_no_json_is_none() {
    for wrong in [
        "",
        "{",
        "[1,]",
        "[,1]",
        "{\"a\"}",
        "{\"a\":}",
        "{,}",
        "01",
        "nul",
        "\"a",
        "{}{}",
        "[1 2]",
        "[…]",
        "{\"a\":1…}",
        "\"\\x\"",
        "\"\\u12\"",
        "'a'",
    ] {
        assert_eq!(JsonNode::read(wrong, false), None, "{wrong}");
    }
    assert_eq!(JsonNode::read(&"[".repeat(10_000), true), None);
}

#[test]
fn of_a_document_that_is_cut_the_beginning_counts_and_stays_open() {
    let whole = r#"{"a":[{"b":1},{"b":23,"c":"text"}],"d":null}"#;
    for length in 1..whole.len() {
        let cut = JsonNode::read(&whole[..length], true).unwrap();
        let again = JsonNode::read(&cut.canonical(), true).unwrap();
        assert_eq!(again, cut, "{length}");
    }
    let cut = JsonNode::read(&whole[..20], true).unwrap();
    assert_eq!(cut.canonical(), r#"{"a":[{"b":1},{…}…]…}"#);
}

#[test]
fn equal_secrets_compare_equal_and_are_not_kept() {
    let body = |secret: &str| {
        let body = format!(
            r#"{{"user":"kim","password":"{secret}","note":"Authorization: Bearer {secret}"}}"#
        );
        saved(&body, false)
    };
    assert_eq!(body("hunter2secret"), body("hunter2secret"));
    assert_ne!(body("hunter2secret"), body("hunter3secret"));
    let SavedBody::Json { text, .. } = body("hunter2secret") else {
        unreachable!()
    };
    assert!(!text.contains("hunter2"), "{text}");
    assert!(text.contains("(redacted)#"), "{text}");
    let key = |token: &str| {
        let url = format!("http://a/x?token={token}");
        RequestKey::new("POST", &url, br#"{"password":"p"}"#, &Redactor::default())
    };
    assert_eq!(key("abcdef"), key("abcdef"));
    assert_ne!(key("abcdef"), key("abcdeg"));
    assert!(!key("abcdef").url.contains("abcdef"));
}

#[test]
fn bodies_are_json_text_binary_or_empty() {
    assert!(matches!(saved("", false), SavedBody::Empty));
    assert!(matches!(saved("<html>", false), SavedBody::Text { .. }));
    assert!(matches!(saved("[1", false), SavedBody::Text { .. }));
    assert!(matches!(saved("12", false), SavedBody::Json { .. }));
    assert!(matches!(
        saved("[1", true),
        SavedBody::Json { is_cut: true, .. }
    ));
    let raw = RawBody {
        bytes: &[0xff, 0, 1],
        is_cut: false,
        length: 3,
        media_type: "image/png",
    };
    let body = SavedBody::new(raw, &Redactor::default());
    assert!(matches!(body, SavedBody::Binary { length: 3, .. }));
}

fn values() -> impl Strategy<Value = JsonNode> {
    let leaf = prop_oneof![
        Just(JsonNode::Null),
        any::<bool>().prop_map(JsonNode::Bool),
        any::<i128>().prop_map(|n| JsonNode::number(&n.to_string()).unwrap()),
        (any::<i32>(), 0_u32..9999, -30_i32..30)
            .prop_map(|(a, b, e)| JsonNode::number(&format!("{a}.{b}e{e}")).unwrap()),
        ".*".prop_map(JsonNode::Text),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| JsonNode::List(
                JsonSequence {
                    items,
                    is_open: false
                }
            )),
            prop::collection::btree_map(".{0,6}", inner, 0..6).prop_map(
                |members| JsonNode::Object(JsonMap {
                    members,
                    is_open: false
                })
            ),
        ]
    })
}

/// The document with its members in another order and spaces between.
fn shuffled(value: &JsonNode, turn: usize) -> String {
    match value {
        JsonNode::List(list) => {
            let items = list.items.iter().map(|item| shuffled(item, turn + 1));
            format!("[ {} ]", items.collect::<Vec<_>>().join(" ,\n"))
        }
        JsonNode::Object(object) => {
            let members = object.members.iter().map(|(name, value)| {
                let name = JsonNode::Text(name.clone()).canonical();
                format!("{name} : {}", shuffled(value, turn + 1))
            });
            let mut members: Vec<String> = members.collect();
            if !members.is_empty() {
                let place = turn % members.len();
                members.rotate_left(place);
            }
            format!("{{ {} }}", members.join(" , "))
        }
        leaf => leaf.canonical(),
    }
}

proptest! {
    #[test]
    fn any_order_of_members_is_one_document(value in values(), turn in 0_usize..7) {
        let again = JsonNode::read(&shuffled(&value, turn), false);
        prop_assert_eq!(again.as_ref(), Some(&value));
        prop_assert_eq!(JsonNode::read(&value.canonical(), false), Some(value));
    }

    #[test]
    fn any_bytes_are_kept_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), is_cut in any::<bool>()) {
        let raw = RawBody { bytes: &bytes, is_cut, length: 200, media_type: "application/json" };
        let _ = SavedBody::new(raw, &Redactor::default());
    }

    #[test]
    fn any_text_like_json_is_read_or_refused_without_a_panic(text in r#"[\[\]{}",:0-9eE.\\u…a-f -]{0,60}"#, is_cut in any::<bool>()) {
        if let Some(read) = JsonNode::read(&text, is_cut) {
            prop_assert_eq!(JsonNode::read(&read.canonical(), is_cut), Some(read));
        }
    }
}
