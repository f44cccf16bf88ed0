//! Any text is turned over or refused: nothing panics, whatever lies in each other and wherever a script is cut.

use std::path::Path;

use loadline_ngrinder::{ScriptLang, convert};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

const LANGUAGES: [ScriptLang; 2] = [ScriptLang::Groovy, ScriptLang::Jython];

/// What scripts are made of, and what is no good in any of them.
const PIECES: [&str; 60] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "\"\"\"",
    "${",
    "$",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\n    ",
    "\n\t",
    " ",
    ";",
    ",",
    ".",
    ":",
    "->",
    "=",
    "==",
    "+",
    "-",
    "++",
    "?",
    "?:",
    "?.",
    "..",
    "<",
    ">",
    "<<",
    "%",
    "!",
    "class A ",
    "@Test ",
    "def ",
    "if ",
    "else ",
    "for ",
    "in ",
    "return ",
    "request.GET",
    "assertThat",
    "is(200)",
    "new ",
    "NVPair",
    "x",
    "y",
    "1",
    "0x",
    "\\",
    "it",
    "한",
    "lambda ",
];

fn turn_over(source: &str) {
    let catalog = Catalog::new(Lang::En);
    for language in LANGUAGES {
        if let Ok(script) = convert(source, language, &catalog) {
            assert!(script.text.contains("export default function"));
        }
    }
}

proptest! {
    #[test]
    fn pieces_in_any_order_never_panic(picked in prop::collection::vec(0..PIECES.len(), 0..80)) {
        let text: String = picked.into_iter().map(|at| PIECES[at]).collect();
        turn_over(&format!(
            "import net.grinder.x\nclass A {{\n @Test void t() {{\n{text}\n}}\n}}\n"
        ));
        turn_over(&format!(
            "from net.grinder import x\nclass TestRunner:\n  def __call__(self):\n    {text}\n    pass\n"
        ));
        turn_over(&format!("net.grinder {text}"));
    }

    #[test]
    fn a_script_that_is_cut_or_torn_never_panics(name in 0..4_usize, at in 0..4_000_usize, piece in 0..PIECES.len()) {
        let names = ["login.groovy", "pairs.groovy", "session.py", "conditions.py"];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
        let source = std::fs::read_to_string(folder.join(names[name])).unwrap();
        let chars: Vec<char> = source.chars().collect();
        let at = at.min(chars.len());
        let before: String = chars[..at].iter().collect();
        let after: String = chars[at..].iter().collect();
        turn_over(&before);
        turn_over(&format!("{before}{}{after}", PIECES[piece]));
    }
}

/// What is nested or chained without end is a loss, not the end of the stack.
#[test]
fn what_lies_in_each_other_without_end_is_lost() {
    let test = |body: &str| {
        format!(
            "import net.grinder.x\nclass A {{\n @Test void t() {{\n def a = 1\n{body}\n }}\n}}\n"
        )
    };
    for body in [
        format!("a = {}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("a = 1{}", " + 1".repeat(20_000)),
        format!("a = a{}", ".b".repeat(20_000)),
        format!("a = {}1{}", "[".repeat(5_000), "]".repeat(5_000)),
        format!("a = {}a", "!".repeat(20_000)),
        format!("{}{}", "if (a) {".repeat(3_000), "}".repeat(3_000)),
        format!("{}{}", "a.each {".repeat(3_000), "}".repeat(3_000)),
        format!("a = {}1", "a ? 1 : ".repeat(5_000)),
        format!("a = {}1", "a = ".repeat(5_000)),
    ] {
        let catalog = Catalog::new(Lang::En);
        let script = convert(&test(&body), ScriptLang::Groovy, &catalog).unwrap();
        assert!(!script.losses.is_empty(), "{}", &body[..40]);
    }
    let python = |body: &str| {
        format!(
            "from net.grinder import x\nclass TestRunner:\n  def __call__(self):\n    a = 1\n    a = {body}\n"
        )
    };
    for body in [
        format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("{}a", "not ".repeat(5_000)),
        format!("a{}", "[0]".repeat(20_000)),
        format!("{}1", "lambda: ".repeat(5_000)),
        format!("{}1", "- ".repeat(5_000)),
    ] {
        let catalog = Catalog::new(Lang::En);
        let script = convert(&python(&body), ScriptLang::Jython, &catalog).unwrap();
        assert!(!script.losses.is_empty(), "{}", &body[..40]);
    }
}
