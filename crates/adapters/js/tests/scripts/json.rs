//! `JSON.parse` against QuickJS's own parser, which takes over when there is a reviver.

use loadline_js::*;
use proptest::prelude::*;

/// Compares both parsers: values with their types and keys in order, or that both refuse
/// the text (each in its words).
const COMPARE: &str = r"(text) => {
  const show = (value) => {
    if (Array.isArray(value)) return '[' + value.map(show).join() + ']';
    if (value !== null && typeof value === 'object') {
      if (Object.getPrototypeOf(value) !== Object.prototype) return 'other prototype';
      const descriptors = Object.getOwnPropertyDescriptors(value);
      return '{' + Reflect.ownKeys(value).map((key) => {
        const { writable, enumerable, configurable } = descriptors[key];
        return JSON.stringify(key) + writable + enumerable + configurable + ':' + show(descriptors[key].value);
      }).join() + '}';
    }
    if (typeof value === 'string') return 's' + JSON.stringify(value);
    return typeof value + (Object.is(value, -0) ? '-0' : String(value));
  };
  const attempt = (parse) => { try { return show(parse()); } catch (e) { return e.name; } };
  const ours = attempt(() => JSON.parse(text));
  const theirs = attempt(() => JSON.parse(text, (key, value) => value));
  return ours === theirs ? '' : ours + ' / ' + theirs;
}";

struct Both {
    vm: Vm,
    compare: Value,
}

impl Both {
    fn new() -> Self {
        let vm = Vm::new(&VmOptions::default()).unwrap();
        let compare = vm.ctx().eval(COMPARE, "compare.js").unwrap();
        Self { vm, compare }
    }

    /// What differs; nothing when they agree.
    fn differ(&self, text: &str) -> String {
        let text = self.vm.ctx().string(text).unwrap();
        let told = self.compare.invoke(&[text]).unwrap();
        told.to_text().unwrap()
    }
}

fn text() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("\"id\"".to_owned()),
        Just("\"name\"".to_owned()),
        Just("\"7\"".to_owned()),
        Just("\"__proto__\"".to_owned()),
        Just("\"constructor\"".to_owned()),
        Just("\"\"".to_owned()),
        Just("\"\\u0061b\"".to_owned()),
        Just("\"키\"".to_owned()),
        "\"[a-c]{0,3}\"",
    ];
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<i16>().prop_map(|n| n.to_string()),
        any::<f64>()
            .prop_filter("JSON has none", |n| n.is_finite())
            .prop_map(|n| format!("{n:e}")),
        "-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?",
        "[0-9.eE+-]{1,6}",
    ];
    let string = prop_oneof![
        "\"[ -!#-\\[\\]-~]{0,8}\"",
        "\"(\\\\[nrtbf\"\\\\/]|\\\\u[0-9a-fD]{4}|[a-z가-힣😀]){0,5}\"",
        "\"[\\x00-\\x1f]?\"",
    ];
    let leaf = prop_oneof![
        number,
        string,
        Just("true".to_owned()),
        Just("false".to_owned()),
        Just("null".to_owned()),
        Just("nul".to_owned()),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let pair = (key.clone(), inner.clone()).prop_map(|(key, value)| format!("{key} :{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|all| format!("[{}]", all.join(", "))),
            prop::collection::vec(pair, 0..6).prop_map(|all| format!("{{{}}}", all.join(" ,\n"))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_what_quickjs_gives(texts in prop::collection::vec((text(), any::<prop::sample::Index>(), any::<bool>()), 20)) {
        let both = Both::new();
        for (text, cut, damage) in texts {
            let text = if damage {
                text.char_indices().filter(|(at, _)| *at != cut.index(text.len())).map(|(_, c)| c).collect()
            } else {
                text
            };
            prop_assert_eq!(both.differ(&text), "", "{}", text);
        }
    }
}

#[test]
fn edges_give_what_quickjs_gives() {
    let both = Both::new();
    let nested = |open: &str, close: &str, depth: usize| open.repeat(depth) + &close.repeat(depth);
    for text in [
        "",
        " ",
        "{}",
        "[]",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{\"b\":1,\"a\":2}",
        "{\"a\":1,\"b\":2}",
        "{\"__proto__\":{\"x\":1}}",
        "{\"2\":1,\"1\":2}",
        "-0",
        "-0.0",
        "00",
        "-",
        "1.",
        "1e999",
        "2147483648",
        "-2147483648",
        "999999999",
        "9999999999",
        "123456789012345678901234567890",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\x\"",
        "\"tab\there\"",
        "truex",
        "[1 2]",
        "{\"a\" 1}",
        "{a:1}",
        "\u{feff}1",
        "1 1",
        "\u{a0}1",
    ] {
        assert_eq!(both.differ(text), "", "{text}");
    }
    for depth in [255, 256, 257, 400] {
        assert_eq!(both.differ(&nested("[", "]", depth)), "", "{depth}");
    }
    assert_eq!(both.differ(&nested("{\"a\":", "}", 3)), "");
}

#[test]
fn objects_of_one_kind_do_not_know_each_other() {
    let vm = Vm::new(&VmOptions::default()).unwrap();
    let told = vm
        .ctx()
        .eval(
            "const all = JSON.parse('[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]'); all[0].c = 5; delete all[0].a; all[0].b++;
             JSON.stringify([all, JSON.parse('{\"a\":1,\"b\":2}')])",
            "kinds.js",
        )
        .unwrap();
    assert_eq!(
        told.to_text().unwrap(),
        "[[{\"b\":3,\"c\":5},{\"a\":3,\"b\":4}],{\"a\":1,\"b\":2}]"
    );
}

#[test]
fn many_kinds_push_each_other_out_of_memory() {
    let vm = Vm::new(&VmOptions::default()).unwrap();
    let told = vm
        .ctx()
        .eval(
            "let bad = 0; for (let round = 0; round < 3; round++) for (let i = 0; i < 2000; i++) {
               const text = `{\"id\":${i},\"k${i}\":{\"id\":1},\"k${i % 7}\":[{\"id\":${i}}]}`;
               const value = JSON.parse(text);
               if (JSON.stringify(value) !== text) bad++;
             } bad",
            "kinds.js",
        )
        .unwrap();
    // Where i is i % 7 a key is there twice: 7 texts a round.
    assert_eq!(told.as_f64(), Some(21.0));
    vm.collect_garbage();
    assert!(vm.memory_used() < 4 << 20, "{}", vm.memory_used());
}
