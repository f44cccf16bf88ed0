//! Scripts in the manner of nGrinder's templates, turned over: the written scripts as a whole, and what is lost.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use loadline_ngrinder::{ConversionError, ScriptLang, convert};
use loadline_text::{Catalog, Lang};

fn converted(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let source = fs::read_to_string(folder.join(name)).unwrap();
    let language = ScriptLang::from_name(name).unwrap();
    let catalog = Catalog::new(Lang::En);
    let script = convert(&source, language, &catalog).unwrap();
    let losses = script.losses.iter().map(|loss| {
        let reason = catalog.text(&loss.reason.message());
        format!("{}: {}: {reason}\n", loss.line, loss.source)
    });
    let losses: String = losses.collect();
    format!("{}\nLost:\n{losses}", script.text)
}

#[test]
fn scripts_are_turned_over_as_they_were() {
    for name in [
        "simple.groovy",
        "params.groovy",
        "json_body.groovy",
        "cookies.groovy",
        "rates.groovy",
        "login.groovy",
        "pairs.groovy",
        "simple.py",
        "session.py",
        "conditions.py",
    ] {
        insta::assert_snapshot!(name, converted(name));
    }
}

/// A body whose type no header names is JSON in nGrinder, whatever other calls of the script say; a shared count is told where it is.
#[test]
fn the_type_of_a_body_is_that_of_its_own_call_and_a_shared_count_is_told() {
    let source = "import org.ngrinder.http.HTTPRequest
class C {
  static HTTPRequest request = new HTTPRequest()
  static AtomicInteger count = new AtomicInteger(0)
  @Test void one() {
    request.setHeaders(['X-A': '1'])
    request.POST('http://h/typed', 'a=1'.getBytes(), ['Content-Type': 'application/x-www-form-urlencoded'])
    request.POST('http://h/bare', 'text'.getBytes())
    def n = count.getAndIncrement()
  }
}
";
    let script = convert(source, ScriptLang::Groovy, &Catalog::new(Lang::En)).unwrap();
    for line in [
        "http.post('http://h/typed', 'a=1', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });",
        "{ headers: { 'Content-Type': 'application/json; charset=UTF-8', ...request.headers } });",
        "  // threads shared this count;",
    ] {
        assert!(script.text.contains(line), "{line}: {}", script.text);
    }
    assert_eq!(script.losses.len(), 1);
}

fn error(source: &str, language: ScriptLang) -> ConversionError {
    convert(source, language, &Catalog::new(Lang::En)).unwrap_err()
}

#[test]
fn what_is_no_script_of_ngrinder_is_refused_with_its_place() {
    let sign = "import net.grinder.script.GTest\n";
    assert_eq!(
        error("println 'hello'", ScriptLang::Groovy),
        ConversionError::NotNgrinder
    );
    assert_eq!(
        error(&format!("{sign}class A {{ }}"), ScriptLang::Groovy),
        ConversionError::NoTest
    );
    assert_eq!(
        error(&format!("{sign}\nclass A {{\n"), ScriptLang::Groovy),
        ConversionError::Unread { line: 3 }
    );
    assert_eq!(
        error(&format!("{sign}String a = 'b\n"), ScriptLang::Groovy),
        ConversionError::Unread { line: 2 }
    );
    let python = "from net.grinder.script import Test\nx = (1,\n";
    assert_eq!(
        error(python, ScriptLang::Jython),
        ConversionError::Unread { line: 2 }
    );
    let long = format!("{sign}{}", " ".repeat(1 << 20));
    assert_eq!(error(&long, ScriptLang::Groovy), ConversionError::TooLong);
}
