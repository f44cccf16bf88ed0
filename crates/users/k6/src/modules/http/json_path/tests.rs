use super::*;

const DOCUMENT: &str = r#" {
  "name": {"first": "Tom", "last": "A\u00e9\ud83d\ude00\ud842\udfb7\ud800"},
  "age": 37, "children": ["Sara", "Alex", "Jack"], "fav.movie": "Deer Hunter",
  "friends": [
    {"first": "Dale", "last": "Murphy", "age": 44, "nets": ["ig", "fb", "tw"]},
    {"first": "Roger", "last": "Craig", "age": 68, "nets": ["fb", "tw"], "gone": null},
    {"first": "Jane", "last": "Murphy", "age": 47, "nets": ["ig"], "ok": true}
  ],
  "n": null, "t": [true, false, -1.5e3], "empty": {}, "dup": {"x": 1}, "dup": {"y": 2}
} "#;

/// Path and outcome, as `gjson` v1.18.0 has them.
fn expect(cases: &[(&str, &str)]) {
    for (path, expected) in cases {
        let found = get(DOCUMENT, path);
        assert_eq!(found.as_deref().unwrap_or("nothing"), *expected, "{path}");
    }
}

#[test]
fn keys_and_indices_lead_inwards() {
    expect(&[
        ("name.first", "\"Tom\""),
        ("age", "37"),
        ("children.1", "\"Alex\""),
        ("children.3", "nothing"),
        ("children.x", "nothing"),
        ("fav\\.movie", "\"Deer Hunter\""),
        ("friends.1.nets.0", "\"fb\""),
        ("n", "null"),
        ("t.2", "-1.5e3"),
        ("age.x", "nothing"),
        ("", "nothing"),
        ("empty", "{}"),
        ("dup.y", "2"),
        ("..0.age", "37"),
        ("..#", "1"),
    ]);
    let name = get(DOCUMENT, "name.last").unwrap();
    assert_eq!(text_of(&name), "Aé😀𠮷\u{fffd}");
}

#[test]
fn patterns_stand_for_keys() {
    expect(&[
        ("child*.2", "\"Jack\""),
        ("c?ildren.0", "\"Sara\""),
        ("*.first", "\"Tom\""),
        ("d*.y", "2"),
        ("x*", "nothing"),
    ]);
    for (text, pattern, like) in [
        ("abc", "a*c", true),
        ("abcbd", "a*bd", true),
        ("abc", "a?c", true),
        ("é", "?", true),
        ("a*c", "a\\*c", true),
        ("abc", "a\\*c", false),
        ("", "*", true),
        ("abc", "*d", false),
        ("abc", "a", false),
        ("a", "a**", true),
        ("a", "\\", false),
    ] {
        assert_eq!(is_like(text, pattern), like, "{text} {pattern}");
    }
}

#[test]
fn arrays_are_counted_mapped_and_searched() {
    expect(&[
        ("children.#", "3"),
        ("friends.#.first", r#"["Dale","Roger","Jane"]"#),
        ("friends.#.nets.0", r#"["ig","fb","ig"]"#),
        ("friends.#(last==\"Murphy\").first", "\"Dale\""),
        ("friends.#(last==\"Murphy\")#.first", r#"["Dale","Jane"]"#),
        ("friends.#(age>45)#.age", "[68,47]"),
        ("friends.#(age>=68).age", "68"),
        ("friends.#(first%\"D*\").last", "\"Murphy\""),
        ("friends.#(first!%\"D*\").last", "\"Craig\""),
        ("friends.#(nets.#(==\"tw\"))#.first", r#"["Dale","Roger"]"#),
        ("friends.#(ok).first", "\"Jane\""),
        ("friends.#(ok==true).first", "\"Jane\""),
        ("friends.#(ok!=x)#.first", "[\"Jane\"]"),
        (
            "friends.#(gone==~null)#.first",
            r#"["Dale","Roger","Jane"]"#,
        ),
        ("friends.#(ok==~true)#.first", "[\"Jane\"]"),
        ("friends.#(ok==~*)#.first", "[\"Jane\"]"),
        ("friends.#(age>100)#", "[]"),
        ("friends.#(age>100)", "nothing"),
        ("children.#(!=\"Alex\")#", r#"["Sara","Jack"]"#),
        ("children.#(>\"Jack\")#", "[\"Sara\"]"),
        ("children.#[>\"Jack\"]", "\"Sara\""),
        ("t.#(==true)", "true"),
        ("t.#(<0)", "-1.5e3"),
        ("friends.#(", "nothing"),
        ("friends.#(x", "nothing"),
    ]);
}

#[test]
fn pipes_apply_to_the_outcome() {
    expect(&[
        ("friends.#.first|0", "\"Dale\""),
        ("friends.#.first.0", "[]"),
        ("friends.#(age>45)#|#", "2"),
        ("friends.#(age>45)#.first|@reverse", r#"["Jane","Roger"]"#),
        ("children|@reverse", r#"["Jack","Alex","Sara"]"#),
        ("children.@reverse", r#"["Jack","Alex","Sara"]"#),
        ("children.@reverse.0", "\"Jack\""),
        ("name|first", "\"Tom\""),
        ("missing|@keys", "[]"),
        ("friends|1|first", "\"Roger\""),
    ]);
}

#[test]
fn several_paths_and_literals_make_new_values() {
    expect(&[
        ("[age,name.first,x]", "[37,\"Tom\"]"),
        ("{age,name.first}", "{\"age\":37,\"first\":\"Tom\"}"),
        ("{\"a\":age,b:name.first}", "{\"a\":37,\"b\":\"Tom\"}"),
        ("{children.#}", "{\"_\":3}"),
        ("name.{first,x}", "{\"first\":\"Tom\"}"),
        ("friends.#.{first,\"y\":age}|0.y", "44"),
        ("{\"k\":!\"v\",\"m\":!{\"a\":1}}|k", "\"v\""),
        ("!true", "true"),
        ("!{\"a\":[1]}.a.0", "1"),
        ("[age", "nothing"),
    ]);
}

#[test]
fn modifiers_make_something_of_values() {
    expect(&[
        ("@this.age", "37"),
        ("name.@keys", r#"["first","last"]"#),
        ("dup.@values", "[1]"),
        ("empty.@keys", "[]"),
        ("age|@tostr", "\"37\""),
        ("dup|@tostr|@fromstr|x", "1"),
        ("friends|@flatten|#", "3"),
        ("![1,[2,[3]]]|@flatten", "[1,2,[3]]"),
        ("![1,[2,[3]]]|@flatten:{\"deep\":true}", "[1,2,3]"),
        ("![{\"a\":1,\"b\":2},{\"a\":3}]|@join", "{\"a\":3,\"b\":2}"),
        (
            "![{\"a\":1},5,{\"a\":3}]|@join:{\"preserve\":true}",
            "{\"a\":1,\"a\":3}",
        ),
        (
            "!{\"a\":[1,2],\"b\":[3],\"c\":4}|@group",
            r#"[{"a":1,"b":3},{"a":2}]"#,
        ),
        ("@dig:first", r#"["Tom","Dale","Roger","Jane"]"#),
        ("![ 1 , {\"a b\" : 2 } ]|@ugly", "[1,{\"a b\":2}]"),
        ("dup|@pretty:{\"indent\":\"\"}", "{\"x\": 1}"),
        ("dup.@valid.x", "1"),
        ("@nosuch", "nothing"),
        ("!{\"a\":1}|@reverse", "{\"a\":1}"),
    ]);
}

#[test]
fn what_is_json_is_told_from_what_is_not() {
    for json in [
        "{}",
        " [ ] ",
        "0",
        "-0.5e+3",
        "\"\\u00e9\\\"\"",
        "null",
        "[1,{\"a\":[true]},\"x\"]",
        "{\"a\":1, \"b\":{}}",
    ] {
        assert!(is_json(json), "{json}");
    }
    for other in [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "01",
        "1.",
        "-",
        "1e",
        "tru",
        "\"",
        "\"\\x\"",
        "\"\u{1}\"",
        "[1 2]",
        "{} {}",
        "{\"a\":1,}",
        "]",
        "[}",
        "nul",
    ] {
        assert!(!is_json(other), "{other}");
    }
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    assert!(is_json(&deep));
    let deep = "[".repeat(2000) + &"]".repeat(2000);
    assert_eq!(
        get(&deep, "@flatten:{\"deep\":true}").as_deref(),
        Some("[]")
    );
    assert!(get(&deep, "@dig:x").is_some());
}

proptest::proptest! {
    #[test]
    fn any_path_leads_to_json_or_nowhere(path in "[a-z.|#@(){}\\[\\]:!\"*?\\\\~=<>%,0-9]{0,24}") {
        if let Some(found) = get(DOCUMENT, &path) {
            proptest::prop_assert!(is_json(&found), "{} gives {}", path, found);
        }
    }
}

/// The path was cut within the character, which ended the run.
#[test]
fn a_literal_may_be_followed_by_any_character() {
    assert_eq!(get("4", "!{}\u{fe}a"), None);
    assert_eq!(get("4", "!{\"a\":1}\u{fe}a").as_deref(), Some("1"));
}
