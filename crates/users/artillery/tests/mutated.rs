//! Files cut, twisted and swollen: an error or a test, in little time and memory, and no panic.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use loadline_artillery::load::{LoadRequest, load};
use loadline_artillery::phases;
use loadline_testplan::Plan;
use loadline_units::Random;

/// Files made of ours.
const MUTATED_FILES: usize = 200;
/// A mutated file takes no longer than this to be looked at.
const FILE_DEADLINE: Duration = Duration::from_secs(5);

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/artillery/cases");
    let mut found: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|folder| {
            let text = std::fs::read_to_string(folder.join("test.yml")).unwrap();
            (folder, text)
        })
        .collect();
    found.sort();
    found
}

fn mutated(text: &str, random: &Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line = random.below(lines.len());
    let replaced = |new: String| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[line] = new;
        lines.join("\n")
    };
    let key = lines[line].split(':').next().unwrap_or_default().to_owned();
    match random.below(12) {
        0 => text.chars().take(random.below(text.len())).collect(),
        1 => replaced(format!("{key}: 1e308")),
        2 => replaced(format!("{key}: -99999999999999999999")),
        3 => replaced(format!("{key}: [1, {{a: [b]}}, null]")),
        4 => replaced(format!("{key}: {{x: y}}")),
        5 => replaced(format!("{key}: .nan")),
        6 => replaced(format!("{key}: \"{}\"", "x".repeat(100_000))),
        7 => replaced(format!("{key}: &a [*a]")),
        8 => format!("{text}\n{text}"),
        9 => replaced(format!(
            "{key}: \"{{{{ {{{{ $randomString(99999999999) }}}} }}}}\""
        )),
        10 => text
            .chars()
            .map(|c| if random.below(40) == 0 { '\u{7f}' } else { c })
            .collect(),
        _ => {
            let mut lines = lines.clone();
            let other = random.below(lines.len());
            lines.swap(line, other);
            lines.join("\n")
        }
    }
}

/// Loads a text as the file of a folder, and plans what can be planned.
fn look_at(folder: &Path, text: String) {
    #[expect(
        clippy::disallowed_methods,
        reason = "what is tested is that it takes little time"
    )]
    let begun = Instant::now();
    let loaded = load(&LoadRequest {
        files: vec!["test.yml".to_owned()],
        inline: Some(text.clone()),
        working_dir: folder.to_owned(),
        ..LoadRequest::default()
    });
    assert!(
        loaded.test.is_some() || !loaded.findings.is_empty(),
        "{text}"
    );
    if let Some(test) = loaded.test {
        let draft = phases::plan(&test.script.config.phases, false, &Random::new(1));
        let _ = Plan::check(draft);
    }
    assert!(
        begun.elapsed() < FILE_DEADLINE,
        "{:?}: {text}",
        begun.elapsed()
    );
}

#[test]
fn two_hundred_mutated_files_end_in_an_error_or_a_test() {
    let sources = sources();
    let random = Random::new(20_260);
    for index in 0..MUTATED_FILES {
        let (folder, text) = &sources[index % sources.len()];
        let mut text = mutated(text, &random);
        if index % 3 == 0 {
            text = if text.trim().is_empty() {
                text
            } else {
                mutated(&text, &random)
            };
        }
        look_at(folder, text);
    }
}

#[test]
fn what_would_fill_the_memory_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..30 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    for text in [
        laughs,
        "[".repeat(200_000),
        "- ".repeat(200_000),
        "{a: ".repeat(100_000),
        "? ".repeat(100_000),
        format!("x: {}", "*a ".repeat(100_000)),
        "a: &a\n  b: *a\n".to_owned(),
        "config: {phases: [{duration: 1e300, arrivalRate: 1e300}]}\nscenarios: [{flow: [{get: {url: /}}]}]".to_owned(),
        "config: {target: x, mode: poisson, phases: [{duration: 8000000, arrivalRate: 9999999}]}\nscenarios: [{flow: [{get: {url: /}}]}]".to_owned(),
    ] {
        look_at(folder, text);
    }
}
