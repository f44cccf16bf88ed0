use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::*;
use crate::message::Declared;
use crate::problem::{self, Code, Location};
use crate::{
    answers, arguments, capacity, doubt, evidence, explain, findings, gate, generator, glossary,
    lint, matrix, messages, modules, ngrinder, observe, pages, phrase, plan, records, report,
    rounds, screen, testbed, tracing, tune, verdicts,
};

/// Every module of sentences, by the name it is called with.
const MODULES: [(&str, &[Declared]); 27] = [
    ("messages", messages::ALL),
    ("arguments", arguments::ALL),
    ("generator", generator::ALL),
    ("verdicts", verdicts::ALL),
    ("plan", plan::ALL),
    ("capacity", capacity::ALL),
    ("doubt", doubt::ALL),
    ("evidence", evidence::ALL),
    ("explain", explain::ALL),
    ("findings", findings::ALL),
    // The gate has a module `gate` of its own and calls this one `words`.
    ("words", gate::ALL),
    ("lint", lint::ALL),
    ("matrix", matrix::ALL),
    ("modules", modules::ALL),
    ("ngrinder", ngrinder::ALL),
    ("observe", observe::ALL),
    ("pages", pages::ALL),
    ("phrase", phrase::ALL),
    ("records", records::ALL),
    ("report", report::ALL),
    ("answers", answers::ALL),
    ("glossary", glossary::ALL),
    ("rounds", rounds::ALL),
    ("screen", screen::ALL),
    ("testbed", testbed::ALL),
    ("tracing", tracing::ALL),
    ("tune", tune::ALL),
];

/// Arguments of each key (`key` or `key.attribute`), read from the file's text.
fn declared(lang: Lang) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    let (mut key, mut part) = (String::new(), String::new());
    for line in sources(lang).join("\n").lines() {
        let attribute = line.trim_start().strip_prefix('.');
        let begins = match attribute {
            Some(rest) => rest
                .split_once(" = ")
                .map(|(name, _)| format!("{key}.{name}")),
            None if line.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let name = line.split([' ', '=']).next().unwrap_or_default();
                key = name.to_owned();
                Some(key.clone())
            }
            None => None,
        };
        if let Some(begun) = begins {
            part = begun;
            found.insert(part.clone(), Vec::new());
        }
        let args = line.split("{ $").skip(1);
        let args = args.filter_map(|rest| rest.split_once(' ').map(|(arg, _)| arg.to_owned()));
        found.entry(part.clone()).or_default().extend(args);
    }
    found.remove("");
    for args in found.values_mut() {
        args.sort();
        args.dedup();
    }
    found
}

#[test]
fn the_files_have_no_mistakes() {
    for lang in Lang::ALL {
        for source in sources(lang) {
            let errors = FluentResource::try_new(source.to_owned()).err();
            let errors = errors.map(|(_, errors)| errors).unwrap_or_default();
            assert!(errors.is_empty(), "{lang:?}: {errors:?}");
        }
    }
}

#[test]
fn both_languages_have_the_same_keys_and_arguments() {
    let (en, ko) = (declared(Lang::En), declared(Lang::Ko));
    let names = |map: &BTreeMap<String, Vec<String>>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&en), names(&ko));
    for (key, args) in &en {
        assert_eq!(args, &ko[key], "arguments of {key}");
    }
}

#[test]
fn every_sentence_has_words_for_all_its_arguments_and_no_others() {
    let mut files = declared(Lang::En);
    files.retain(|key, _| !key.starts_with("labels"));
    for (key, _, args) in MODULES.iter().flat_map(|(_, all)| *all) {
        let mut args: Vec<String> = args.iter().map(ToString::to_string).collect();
        args.sort();
        assert_eq!(files.remove(*key), Some(args), "{key}");
    }
    for code in Code::ALL {
        let mut used = files.remove(code.key()).unwrap_or_default();
        for part in ["cause", "expected", "help"] {
            used.extend(
                files
                    .remove(&format!("{}.{part}", code.key()))
                    .unwrap_or_default(),
            );
        }
        // Every error may name the command that was typed.
        used.retain(|arg| arg != "command");
        used.sort();
        used.dedup();
        let mut args: Vec<String> = code.args().iter().map(ToString::to_string).collect();
        args.sort();
        assert_eq!(used, args, "{code:?}");
    }
    assert!(files.is_empty(), "keys that nothing says: {files:?}");
}

/// A particle that depends on the last sound of an argument is avoided by a fixed noun.
#[test]
fn no_korean_sentence_leaves_a_particle_open() {
    const OPEN: [&str; 6] = ["이(가)", "을(를)", "은(는)", "와(과)", "(으)로", "(이)"];
    for source in sources(Lang::Ko) {
        for line in source.lines() {
            assert!(!OPEN.iter().any(|open| line.contains(open)), "{line}");
        }
    }
}

#[test]
fn every_sentence_is_said_somewhere() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut code = String::new();
    read_sources(&crates, &mut code);
    // One pass over all code: a search for each of the names takes half a minute.
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let said: BTreeSet<(&str, &str)> = code
        .match_indices("::")
        .map(|(at, _)| {
            let module = code[..at].rsplit(|c| !is_name(c)).next();
            let function = code[at + 2..].split(|c| !is_name(c)).next();
            (module.unwrap_or_default(), function.unwrap_or_default())
        })
        .collect();
    let mut unused = Vec::new();
    for (module, all) in MODULES {
        for (_, function, _) in all {
            if !said.contains(&(module, *function)) {
                unused.push(format!("{module}::{function}"));
            }
        }
    }
    assert!(unused.is_empty(), "nobody says {unused:?}");
}

/// All Rust code below `dir` but this crate's.
fn read_sources(dir: &Path, code: &mut String) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("text") {
            read_sources(&path, code);
        } else if path.extension().is_some_and(|e| e == "rs") {
            code.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn codes_are_unique_and_help() {
    let mut ids: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all);
    let english = declared(Lang::En);
    for code in Code::ALL {
        assert!(
            english.contains_key(&format!("{}.help", code.key())),
            "{code:?}"
        );
    }
}

#[test]
fn the_words_of_a_language_are_read_once() {
    let [first, second] = [Lang::Ko, Lang::Ko].map(Catalog::new);
    assert!(std::ptr::eq(first.bundle, second.bundle));
    assert!(!std::ptr::eq(first.bundle, Catalog::new(Lang::En).bundle));
}

#[test]
fn one_core_is_singular_and_what_is_not_one_is_not() {
    let said = |cores: &str| Catalog::new(Lang::En).text(&explain::target_cpu("99 %", cores));
    assert!(said("1").ends_with("99 % of 1 core"), "{}", said("1"));
    for cores in ["2", "0.5", "1.00", "10"] {
        let ending = format!("99 % of {cores} cores");
        assert!(said(cores).ends_with(&ending), "{}", said(cores));
    }
}

/// What may follow a number and ends with an s without being several of something: units, and verbs whose subject is no
/// number but a name that stands where the number does here.
const NOT_PLURAL: &[&str] = &[
    "s", "breaks", "carries", "ms", "is", "was", "has", "does", "says", "needs", "takes", "this",
    "as", "its", "tells", "answers", "holds", "belongs", "stops", "limits", "misses", "means",
    "stands", "gives", "names", "allows", "imports", "sends", "reads", "wants", "refuses", "works",
    "serves", "fails", "writes", "ends", "lies", "keeps", "uses", "goes", "slows", "changes",
    "tries", "waits", "gets", "competes", "makes", "shows", "asks", "process", "series",
    "previous", "others", "less",
];
/// Sentences in which such a word follows what is no count: a share ("1.2 % errors"), a factor, a folder, a day.
const NO_COUNT: &[&str] = &[
    "capacity-outcome-errors",
    "capacity-compare-scale",
    "verdict-done-one",
    "verdict-passed-one",
    "verdict-done",
    "verdict-passed",
    "verdict-not-judged",
    "verdict-thresholds",
    "verdict-killed",
    "verdict-interrupted",
    "verdict-short",
    "module-stale",
    "plan-run-differs",
    "plan-run-sent-differs",
    "code-trusted",
    "project-no-orders",
    // A multiple, which seldom is one.
    "matrix-first-headroom",
];
/// Words between a number and what is counted.
const BETWEEN: &[&str] = &[
    "virtual", "more", "single", "full", "local", "database", "remote", "failed", "other", "small",
    "planned", "further",
];

/// Seen: "1 VUs", "1 requests", "1 files", "all 1 rows".
#[test]
fn one_of_anything_is_singular() {
    let english = Catalog::new(Lang::En);
    let mut wrong = Vec::new();
    for (key, args) in declared(Lang::En) {
        let (key, attribute) = match key.split_once('.') {
            Some((key, attribute)) => (key, Some(attribute)),
            None => (key.as_str(), None),
        };
        if NO_COUNT.contains(&key) {
            continue;
        }
        let args: Vec<(&'static str, String)> = args
            .into_iter()
            .map(|arg| (&*arg.leak(), "1".to_owned()))
            .collect();
        let text = english.find(key, attribute, &args).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        for at in 0..words.len() {
            if words[at].trim_start_matches(['(', '[']) != "1" {
                continue;
            }
            let rest = words[at + 1..].iter().find(|word| !BETWEEN.contains(word));
            let noun = rest.map_or("", |word| {
                word.trim_end_matches(|c: char| !c.is_alphanumeric())
            });
            let is_word = noun.chars().all(char::is_alphabetic);
            if is_word && noun.ends_with('s') && !NOT_PLURAL.contains(&noun) {
                wrong.push(format!("{key}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn threshold() -> Problem {
    problem::threshold_percentile("http_req_duration", "p(950)<300", "950")
        .at(Location::file("checkout.js").line(12, 5))
}

#[test]
fn an_error_says_what_where_why_and_what_to_do() {
    insta::assert_snapshot!(Catalog::new(Lang::En).problems(&[threshold()], 104), @r#"
    error: checkout.js:12:5: threshold "p(950)<300" on `http_req_duration`
      cause: percentile 950 is outside 0 to 100
      help:  write p(95) for the 95th percentile
    (exit code 104)
    "#);
    insta::assert_snapshot!(Catalog::new(Lang::Ko).problems(&[threshold()], 104), @r#"
    오류: checkout.js:12:5: `http_req_duration` 메트릭의 임계값 "p(950)<300"
      원인: 백분위수 950 값이 0~100 범위를 벗어났습니다
      조치: 95번째 백분위수는 p(95)로 쓰세요
    (종료 코드 104)
    "#);
}

#[test]
fn the_words_of_others_stand_on_a_line_of_their_own_in_korean() {
    let unknown = problem::script_unusable("a.js", "a.js:1:36: Unexpected token");
    insta::assert_snapshot!(Catalog::new(Lang::Ko).problem(&unknown), @r"
    오류: a.js 스크립트를 실행할 수 없습니다
      원문: a.js:1:36: Unexpected token
      조치: 스크립트를 고치세요. loadline run a.js --once 명령으로 확인할 수 있습니다
    ");
    let known = problem::file_unreadable("a.js", "Permission denied (os error 13)");
    insta::assert_snapshot!(Catalog::new(Lang::Ko).why(&known), @"권한 없음");
    let message = tune::reason_request("http://a/", "the frame was torn apart");
    insta::assert_snapshot!(
        Catalog::new(Lang::Ko).text(&message),
        @r#"http://a/: "the frame was torn apart"(원문)"#
    );
    insta::assert_snapshot!(
        Catalog::new(Lang::En).text(&message),
        @"http://a/: the frame was torn apart"
    );
}

/// Every error a person can cause, in both languages, with its arguments' names.
#[test]
fn all_errors_in_both_languages() {
    let mut text = String::new();
    for lang in Lang::ALL {
        let catalog = Catalog::new(lang).of_command("loadline COMMAND");
        for code in Code::ALL {
            let args = code.args().iter();
            let problem = Problem {
                code: *code,
                place: None,
                args: args.map(|arg| (*arg, arg.to_uppercase())).collect(),
            };
            text.push_str(&format!("[{}] {}\n", code.class().name(), code.id()));
            text.push_str(&catalog.problem(&problem));
            text.push_str("\n\n");
        }
    }
    insta::assert_snapshot!(text);
}
