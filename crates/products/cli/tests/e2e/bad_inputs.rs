//! What people type wrongly, and the answers in both languages, kept to be read: the snapshots
//! are the table. Nothing in Korean may be an English sentence.

use std::fs;
use std::path::Path;

use crate::common::{command, no_folder, stderr, stdout};

/// Files that the rows name.
const FILES: [(&str, &str); 25] = [
    ("status.yaml", "routes:\n  - {path: /x, status: 99}\n"),
    ("latency.yaml", "routes: [{path: /x, latency: 5}]\n"),
    ("years.yaml", "routes: [{path: /x, latency: 5 years}]\n"),
    ("typed.yaml", "tables: 5\n"),
    (
        "sqlite.yaml",
        "database: sqlite://x\ntables: {a: {rows: 1}}\n",
    ),
    ("word.json", "{\"a\": tru}\n"),
    ("empty.yml", ""),
    ("syntax.js", "export default function () { let = ; }\n"),
    ("throws.js", "throw new Error('at init');\n"),
    (
        "import.js",
        "import x from './missing.js';\nexport default function () {}\n",
    ),
    ("nothing.js", "export const options = {};\n"),
    (
        "field.js",
        "export const options = { vuss: 2 };\nexport default function () {}\n",
    ),
    ("unclosed.yaml", "shared: [\n"),
    ("text.yaml", "seed: many\ntables: {}\n"),
    ("unclosed.yml", "config:\n  target: [\n"),
    (
        "scenarios.yml",
        "config:\n  target: http://127.0.0.1:1\nscenarios: 5\n",
    ),
    (
        "good.yml",
        "config:\n  target: http://127.0.0.1:1\nscenarios:\n  - flow: [{get: {url: /}}]\n",
    ),
    ("empty.log", ""),
    ("prose.log", "this is no log\nnor is this\n"),
    ("broken.json", "{\"tables\":\n"),
    ("table.csv", "a,b\n1,2\n"),
    (
        "noline.json",
        "{\"loadline_capacity\":1,\"unit\":\"iterations-per-second\",\"test\":{\"run\":\"r\"},\"line\":null}\n",
    ),
    (
        "line.json",
        "{\"loadline_capacity\":1,\"unit\":\"iterations-per-second\",\"test\":{\"run\":\"r\"},\
         \"line\":{\"load\":100,\"beyond\":110,\"requests_per_second\":500},\"knee\":{\"in_flight\":40},\
         \"requests_per_session\":5,\"session_ms\":70,\"think_ms\":0}\n",
    ),
    (
        "rows.yml",
        "config:\n  target: http://127.0.0.1:1\n  phases: [{duration: 1, arrivalRate: 1}]\n  \
         payload: {path: table.csv, fields: [a], order: uniqe}\nscenarios:\n  - flow: [{get: {url: /}}]\n",
    ),
    (
        "closed.yaml",
        "database: postgres://ann@127.0.0.1:1/shop_test\ntables: {a: {rows: 1}}\n",
    ),
];

/// One row a line, words separated by spaces; `'` holds words together.
const ROWS: &str = "\
run nothere.js
run localhost:8080/x
run ftp://127.0.0.1/
run http://
run http://127.0.0.1:1/ --rate 0/s
run http://127.0.0.1:1/ --rate -5/s
run http://127.0.0.1:1/ --vus 0
run http://127.0.0.1:1/ --vus many
run http://127.0.0.1:1/ --duration 10
run http://127.0.0.1:1/ --dration 10s
run http://127.0.0.1:1/ --duration
run http://127.0.0.1:1/ --vus 5 --duration 0s
run http://127.0.0.1:1/ --stage 0s:5
run http://127.0.0.1:1/ --slo 'p(95){endpoint:/x}<5ms'
run http://127.0.0.1:1/ --slo 'rate>=50 every 1s'
run good.yml -o json=samples.json
run http://127.0.0.1:1/ --fail-on everything
run http://127.0.0.1:1/ --arrivals random --rate 5/s
run http://127.0.0.1:1/ --header Accept
run http://127.0.0.1:1/ --method 'GET POST'
run http://127.0.0.1:1/ --body @nothere.txt
run http://127.0.0.1:1/ --out nosuch
run http://127.0.0.1:1/ --out json=nofolder/x.json
run http://127.0.0.1:1/ --summary-export nofolder/x.json
run http://127.0.0.1:1/ --observe redis
run http://127.0.0.1:1/ --set pool
run http://127.0.0.1:1/ --once --repeat 2
run http://127.0.0.1:1/ --plan table.csv
run http://127.0.0.1:1/ --lang fr
run syntax.js
run throws.js
run import.js
run nothing.js
run unclosed.yml
run scenarios.yml
runn test.js
runs rm
runs set latest pool
runs --format csv
runs --table --format xls
show nosuchrun
compare latest
compare a b --fail-if-worse nan
explain nosuchrun
report nothere.json
report table.csv
capacity nothere.js
capacity http://127.0.0.1:1/ --max 10
capacity --table table.csv
plan --dau many
plan --dau 1000
plan --log nothere.log
plan --log empty.log
plan --log prose.log
plan --from unclosed.yaml
plan --write k6
plan --rate 10/s --response-time 100ms --write k6 tests --target localhost:8080
plan --rate 10/s --response-time 100ms --write k6 tests --target ftp://127.0.0.1/
run afolder
capacity afolder
capacity syntax.js
capacity unclosed.yml
capacity http://127.0.0.1:1/ --once
mock nothere.yaml
mock text.yaml
mock --latency soon
mock --address 127.0.0.1:22x
demo --address 127.0.0.1:22x
data nothere.yaml
data text.yaml
data unclosed.yaml
data broken.json
gate --public nowhere
capacity http://127.0.0.1:1 --near nothere.json
capacity http://127.0.0.1:1 --near broken.json
capacity http://127.0.0.1:1 --near nosuchrun
capacity http://127.0.0.1:1 --near latest --start-at 5/s
gate import nothere.json --queue q --key k
gate import table.csv --queue q --key k
gate import noline.json --queue q --key k
gate import line.json --queue q --key k
gate import line.json --queue q --key k --session 1m --requests-per-session 5 --admin 127.0.0.1:1
gate --public 127.0.0.1:0 --admin 127.0.0.1:0 --secret-file table.csv
gate --trusted-proxy 10.0.0.0/99
gate --refuse-network 1.2.3
gate --joins-of-network 192.0.2.0/24
gate --forwarded-header via
gate --public-url shop.example
gate --public-url https://wait.example/room
gate --drain-delay 5
gate --redis redis://127.0.0.1:1 --redis-password-file nothere --secret-file secret.txt --public 127.0.0.1:0 --admin 127.0.0.1:0
gate --redis rediss://127.0.0.1:1 --redis-ca nothere --secret-file secret.txt --public 127.0.0.1:0 --admin 127.0.0.1:0
gate --redis rediss://127.0.0.1:1 --redis-ca table.csv --secret-file secret.txt --public 127.0.0.1:0 --admin 127.0.0.1:0
gate --redis redis://127.0.0.1:1 --redis-ca table.csv --secret-file secret.txt --public 127.0.0.1:0 --admin 127.0.0.1:0
gate recover-key --data nothere
gate recover-key --data fresh --secret-file secret.txt
run rows.yml
run rows.yml --continue --repeat 0
plan --rate 10/s --hold-time 2s --response-time 100ms
preflight http://127.0.0.1:1/ --seconds 1
data closed.yaml
capacity http://127.0.0.1:1/ --export nofolder/x.json
observe
preflight nothere.js
vendor nothere.js
merge latest
tune nothere.yaml
tune unclosed.yaml
serve --address 127.0.0.1:99999
serve --store afolder --address 127.0.0.1:0
show --store afolder
show --store table.csv
run http://127.0.0.1:1/ --out 'influxdb=http://127.0.0.1:1/db?x=y'
run http://127.0.0.1:1/ --plan word.json
run 'http://a b/'
run empty.yml
run word.json
mock status.yaml
mock latency.yaml
mock years.yaml
data typed.yaml
data sqlite.yaml
gate --public 127.0.0.1:0 --admin 127.0.0.1:0 --data table.csv
observe --check command:nope
tune --init afolder/x/y.yaml
tune --init x.yaml --from :1
";

fn words(row: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in row.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn answer(row: &str, folder: &Path, lang: &str) -> String {
    let words = words(row);
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    let store = folder.join("runs.db");
    let output = command(&args)
        .current_dir(folder)
        .env("LANG", lang)
        .env("LOADLINE_STORE", &store)
        .output()
        .unwrap();
    let code = output.status.code().unwrap();
    assert_ne!(code, 0, "{row}: {}", stdout(&output));
    let said = stderr(&output).replace(folder.to_str().unwrap(), "FOLDER");
    let lines = said.lines().filter(|line| !line.starts_with("time=\""));
    let kept: Vec<&str> = lines.map(str::trim_end).collect();
    let of_log = said.lines().filter(|line| line.starts_with("time=\""));
    let logged: Vec<&str> = of_log
        .filter_map(|line| line.split_once(' '))
        .map(|(_, rest)| rest)
        .collect();
    format!(
        "$ loadline {row}\n{}{}({code})\n",
        kept.iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
        logged
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
}

fn table(lang: &str, name: &str) -> String {
    let folder = no_folder(name);
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(folder.join("afolder")).unwrap();
    for (file, text) in FILES {
        fs::write(folder.join(file), text).unwrap();
    }
    answers(ROWS.lines(), &folder, lang)
}

/// What is said to each row, typed in `folder`.
pub(crate) fn answers<'r>(
    rows: impl Iterator<Item = &'r str>,
    folder: &Path,
    lang: &str,
) -> String {
    let rows = rows.map(|row| answer(row, folder, lang));
    rows.collect::<Vec<_>>().join("\n")
}

/// Sees that each line of ours has Korean in it, and no English sentence within.
pub(crate) fn assert_korean(table: &str) {
    // What scripts log is k6's, and k6 speaks English; originals stand on a line of their own.
    let ours = |line: &&str| {
        !line.is_empty()
            && !line.starts_with(['$', '('])
            && !line.starts_with("level=")
            && !line.starts_with("  원문: ")
    };
    let is_korean = |line: &str| line.chars().any(|c| ('가'..='힣').contains(&c));
    for line in table.lines().filter(ours) {
        assert!(is_korean(line), "{line}");
        assert!(!has_english(line), "English within: {line}");
    }
}

/// Whether three English words stand side by side, outside of quotes. Flags, paths, values and
/// names in capitals are no words; a comma ends a row of them.
fn has_english(line: &str) -> bool {
    let unquoted = |text: &str, quote: char| -> String {
        let parts = text.split(quote).enumerate();
        parts
            .map(|(at, part)| if at % 2 == 0 { part } else { " - " })
            .collect()
    };
    let text = unquoted(&unquoted(line, '`'), '"');
    let is_word = |word: &str| {
        let word = word.trim_end_matches(['.', ':', ';']);
        let is_small = word.chars().all(|c| c.is_ascii_lowercase() || c == '\'');
        is_small && !word.is_empty() && word != "loadline"
    };
    let words: Vec<bool> = text.split(' ').map(is_word).collect();
    words.windows(3).any(|three| three == [true; 3])
}

#[test]
fn an_english_cause_within_korean_is_found() {
    for wrong in [
        "  원인: no such file or directory",
        "  원인: 파일이 없음: the file is not there",
        "오류: route 2 (/x): status 99 is not from 200 to 599: 값",
    ] {
        assert!(has_english(wrong), "{wrong}");
    }
    for right in [
        "  조치: loadline run syntax.js --once 명령으로 확인할 수 있습니다",
        "  올바른 값: errors, load, cut, checks 가운데 하나",
        "  원인: `the words of a file` 값은 쓸 수 없습니다",
    ] {
        assert!(!has_english(right), "{right}");
    }
}

#[test]
fn what_people_type_wrongly_is_answered_in_english() {
    insta::assert_snapshot!("bad_inputs_en", table("C", "bad-inputs-en"));
}

#[test]
fn what_people_type_wrongly_is_answered_in_korean() {
    let table = table("ko_KR.UTF-8", "bad-inputs-ko");
    assert_korean(&table);
    insta::assert_snapshot!("bad_inputs_ko", table);
}
