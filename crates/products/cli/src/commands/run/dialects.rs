//! The flags of `run` by whose test it is, as tables for the reader of the kind of test.

use clap::CommandFactory as _;
use loadline_k6_options::flags::TABLE;

use super::{UrlCommand, artillery, script};
use crate::launch::test_kind::{Dialects, FlagTable};

/// The flags of `run`, by whose test it is.
pub(crate) fn dialects() -> Dialects {
    Dialects {
        url: FlagTable::from_command(&UrlCommand::command()),
        k6: FlagTable::from_specs(TABLE.iter().chain(script::loadline_flags())),
        artillery: FlagTable::from_command(&artillery::command()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::launch::test_kind::{Place, TestKind, TestLine, kind_of_word};

    fn read_as(is_k6: bool, words: &[String]) -> TestLine {
        let folder = Path::new("/no/such/folder");
        dialects().read(words, Place { folder, is_k6 })
    }

    fn read(line: &str) -> TestLine {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        read_as(false, &words)
    }

    /// Values that are tests of another kind, or of the same.
    const VALUES: [&str; 6] = [
        "http://bot.example/info",
        "other.js",
        "other.yml",
        "other.json",
        "other.tar",
        "plain",
    ];

    /// Whatever stands in a flag of a dialect, before or after the test, in any spelling.
    #[test]
    fn no_value_of_a_flag_is_taken_for_the_test() {
        let dialects = dialects();
        let tests = [
            ("http://127.0.0.1/", TestKind::Url, &dialects.url),
            ("test.js", TestKind::Script, &dialects.k6),
            ("test", TestKind::Script, &dialects.k6),
            ("-", TestKind::Script, &dialects.k6),
            ("test.yml", TestKind::Artillery, &dialects.artillery),
            ("test.json", TestKind::Artillery, &dialects.artillery),
        ];
        let folder = Path::new("/no/such/folder");
        let place = Place {
            folder,
            is_k6: false,
        };
        let mut wrong = Vec::new();
        let mut count = 0;
        for (test, kind, table) in tests {
            for value in VALUES {
                for flag in table.spellings(value) {
                    let test = [test.to_owned()];
                    for line in [[&flag[..], &test].concat(), [&test[..], &flag].concat()] {
                        let line_read = dialects.read(&line, place);
                        count += 1;
                        if line_read.kind != kind || line_read.test.as_deref() != Some(&test[0]) {
                            wrong.push(format!("{line:?}: {line_read:?}"));
                        }
                    }
                }
            }
        }
        assert!(count > 5_000, "only {count} lines");
        assert!(
            wrong.is_empty(),
            "{} of {count}:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }

    #[test]
    fn flags_may_stand_before_the_file_as_its_program_takes_them() {
        for line in [
            "-k t.yml",
            "-v {} t.yml",
            "--variables {\"base\":\"http://127.0.0.1:26010\"} t.yml",
            "--overrides {\"config\":{\"target\":\"http://127.0.0.1:26010\"}} t.yml",
            "-t http://127.0.0.1:26010 -k t.yml",
            "--note http://wiki/x t.yml",
            "--dotenv my.env -k t.yml",
            "-t http://127.0.0.1/ -o out.json test.YAML",
            "test.json --quiet",
        ] {
            assert_eq!(read(line).kind, TestKind::Artillery, "{line}");
        }
        for line in [
            "t.js --note http://tracker.example/1",
            "t.js --iterations 1 --user-agent http://bot.example/info",
            "--user-agent http://bot.example/info t.js",
            "t.js --store=x.db",
            "script.js --config options.json",
            "script.js -e FILE=data.json data.json",
            "-qwu5 - --tag a=http://h/",
            "ftp://h/x",
            "localhost:8080 --rate 5/s",
            "--vus 5",
            "t.js t.yml",
        ] {
            assert_eq!(read(line).kind, TestKind::Script, "{line}");
        }
        for line in [
            "http://h/ -b @no/such.json",
            "http://h/ --plan plan.json",
            "http://h/feed.yml",
            "--notify http://hook/ http://h/",
            "http://h/ --rat 5/s",
            "http://h/ t.yml",
        ] {
            assert_eq!(read(line).kind, TestKind::Url, "{line}");
        }
        for line in ["a.tar", "--type archive a.b", "a.tar -o json=http://h/"] {
            assert_eq!(read(line).kind, TestKind::Archive, "{line}");
        }
        assert_eq!(read("--type=js a.tar").kind, TestKind::Script);
    }

    #[test]
    fn every_test_of_k6_is_k6s() {
        for test in ["t.js", "t.yml", "options.json", "http://h/x.js"] {
            let line = read_as(true, &[test.to_owned()]);
            assert_eq!(line.kind, TestKind::Script, "{test}");
        }
    }

    #[test]
    fn flags_are_found_in_every_spelling() {
        for line in [
            "t.js --store=x.db",
            "--store x.db t.yml",
            "http://h/ --store x.db",
        ] {
            assert_eq!(read(line).last("store"), Some("x.db"), "{line}");
        }
        assert!(read("-qw t.js").has("quiet"));
        assert!(read("--once t.yml").has("once"));
        assert!(read("t.js -h").asks_help);
        assert!(!read("t.js --note -h").asks_help);
    }

    #[test]
    fn a_word_alone_has_a_kind() {
        let kind = |word| kind_of_word(word, Path::new("/no/such/folder"));
        assert_eq!(kind("http://h/"), TestKind::Url);
        assert_eq!(kind("a.json"), TestKind::Artillery);
        assert_eq!(kind("a"), TestKind::Script);
    }
}
