//! Korean for the words of others: of the system, of libraries, and of readers of files.
//!
//! Their texts come in English and stand as a cause within our sentences. What is not known
//! here stays as it is: an original, which is shown apart from our words.

mod scenarios;
mod sentences;

use scenarios::SCENARIOS;
use sentences::SENTENCES;

/// Texts of the system, in small letters, as the C library and Go write them.
const OF_SYSTEM: [(&str, &str); 35] = [
    // Of SQLite.
    ("disk i/o error", "디스크 입출력 오류"),
    ("database is locked", "데이터베이스가 잠겨 있음"),
    (
        "database disk image is malformed",
        "데이터베이스 파일이 손상됨",
    ),
    (
        "attempt to write a readonly database",
        "읽기 전용 데이터베이스",
    ),
    ("no such file or directory", "파일이나 디렉터리가 없음"),
    ("permission denied", "권한 없음"),
    ("operation not permitted", "허용되지 않는 작업"),
    ("is a directory", "디렉터리임"),
    ("not a directory", "디렉터리가 아님"),
    ("file exists", "이미 있음"),
    ("file too large", "파일이 너무 큼"),
    ("file name too long", "파일 이름이 너무 긺"),
    ("no space left on device", "디스크 공간 부족"),
    ("disk quota exceeded", "디스크 할당량 초과"),
    ("read-only file system", "읽기 전용 파일 시스템"),
    ("input/output error", "입출력 오류"),
    ("too many open files", "열린 파일이 너무 많음"),
    ("cannot allocate memory", "메모리 부족"),
    ("address already in use", "이미 사용 중인 주소"),
    ("cannot assign requested address", "이 장비의 주소가 아님"),
    ("connection refused", "연결이 거부됨"),
    ("connection reset by peer", "상대가 연결을 끊음"),
    ("connection timed out", "연결 시간 초과"),
    ("network is unreachable", "네트워크에 도달할 수 없음"),
    ("no route to host", "호스트로 가는 경로가 없음"),
    ("broken pipe", "연결이 끊어짐"),
    ("i/o timeout", "시간 초과"),
    ("operation timed out", "시간 초과"),
    ("connection aborted", "연결이 중단됨"),
    ("software caused connection abort", "연결이 중단됨"),
    ("text file busy", "사용 중인 실행 파일"),
    ("exec format error", "실행할 수 없는 형식의 파일"),
    ("device or resource busy", "사용 중인 장치"),
    ("invalid argument", "잘못된 값"),
    ("stream did not contain valid utf-8", "UTF-8 텍스트가 아님"),
];

/// Whole texts about YAML.
const OF_YAML: [(&str, &str); 14] = [
    ("expected sequence start", "목록이 와야 합니다"),
    ("expected mapping start", "`이름: 값` 묶음이 와야 합니다"),
    ("unclosed bracket '['", "괄호 '['가 닫히지 않았습니다"),
    ("unclosed bracket '{'", "괄호 '{'가 닫히지 않았습니다"),
    (
        "while parsing a node, did not find expected node content",
        "값이 있어야 할 자리가 비어 있습니다",
    ),
    (
        "while parsing node, found unknown anchor",
        "정의하지 않은 별칭입니다",
    ),
    (
        "invalid indentation in quoted scalar",
        "따옴표가 닫히지 않았거나 그 안의 들여쓰기가 잘못되었습니다",
    ),
    (
        "tabs disallowed within this context (block indentation)",
        "탭으로 들여쓸 수 없습니다",
    ),
    (
        "invalid trailing content after double-quoted scalar",
        "따옴표가 닫힌 뒤에 쉼표 없이 다른 글자가 있습니다",
    ),
    (
        "while scanning a plain scalar, found a tab",
        "값 뒤에 탭이 있습니다",
    ),
    ("invalid u64", "0 이상의 정수가 아닙니다"),
    ("invalid u32", "0 이상의 정수가 아닙니다"),
    ("invalid bool", "true나 false가 아닙니다"),
    ("invalid floating point value", "숫자가 아닙니다"),
];

/// Texts about JSON.
const OF_JSON: [(&str, &str); 14] = [
    ("expected value", "값이 와야 합니다"),
    ("expected `,` or `}`", "`,`나 `}`가 와야 합니다"),
    ("expected `,` or `]`", "`,`나 `]`가 와야 합니다"),
    ("key must be a string", "이름은 따옴표 안에 있어야 합니다"),
    ("trailing characters", "끝난 뒤에 다른 글자가 있습니다"),
    ("EOF while parsing an object", "중간에서 끝났습니다"),
    ("EOF while parsing a value", "중간에서 끝났습니다"),
    ("EOF while parsing a list", "중간에서 끝났습니다"),
    ("EOF while parsing a string", "중간에서 끝났습니다"),
    ("trailing comma", "마지막 값 뒤에 쉼표가 있습니다"),
    ("expected `:`", "`:`가 와야 합니다"),
    (
        "expected ident",
        "true, false, null 가운데 하나가 와야 합니다",
    ),
    ("invalid number", "숫자가 잘못되었습니다"),
    ("invalid escape", "\\ 뒤의 글자가 잘못되었습니다"),
];

/// Texts about TOML and fields, as serde words them, with what differs.
const OF_FIELDS: &[(&str, &str)] = &[
    ("missing field `{}`", "필드 `{0}` 없음"),
    ("duplicate field `{}`", "필드 `{0}` 중복"),
    (
        "unknown field `{}`, expected one of {}",
        "알 수 없는 필드 `{0}`. 쓸 수 있는 필드: {1}",
    ),
    (
        "unknown field `{}`, expected {}",
        "알 수 없는 필드 `{0}`. 쓸 수 있는 필드: {1}",
    ),
    (
        "unknown field `{}`, there are no fields",
        "알 수 없는 필드 `{0}`. 쓸 수 있는 필드가 없습니다",
    ),
    ("unknown field `{}`", "알 수 없는 필드 `{0}`"),
    (
        "unknown variant `{}`, expected one of {}",
        "`{0}` 값은 쓸 수 없습니다. 쓸 수 있는 값: {1}",
    ),
    (
        "unknown variant `{}`, expected {}",
        "`{0}` 값은 쓸 수 없습니다. 쓸 수 있는 값: {1}",
    ),
    (
        "invalid type: {}, expected {}",
        "값의 형식이 다릅니다. 온 값: {0}, 와야 할 값: {1}",
    ),
    (
        "invalid value: {}, expected {}",
        "쓸 수 없는 값입니다. 온 값: {0}, 와야 할 값: {1}",
    ),
    (
        "invalid length {}, expected {}",
        "개수가 다릅니다. 온 개수: {0}, 와야 할 것: {1}",
    ),
    ("a sequence", "목록"),
    ("sequence", "목록"),
    ("a map", "`이름: 값` 묶음"),
    ("map", "`이름: 값` 묶음"),
    ("a string", "문자열"),
    ("string {}", "문자열 {0}"),
    ("integer {}", "정수 {0}"),
    ("floating point {}", "소수 {0}"),
    ("boolean {}", "{0}"),
    ("null", "빈 값"),
    ("unit value", "빈 값"),
    ("a boolean", "true 또는 false"),
    ("struct {}", "`이름: 값` 묶음"),
    ("u16", "0부터 65535까지의 정수"),
    ("u32", "0 이상의 정수"),
    ("u64", "0 이상의 정수"),
    ("usize", "0 이상의 정수"),
    ("f64", "숫자"),
];

/// The text in Korean, as far as it is known.
pub(crate) fn in_korean(text: &str) -> String {
    let text = without_number(text);
    of_place(&text)
        .or_else(|| of_output(&text))
        .or_else(|| of_sentence(SENTENCES, &text))
        .or_else(|| of_sentence(SCENARIOS, &text))
        .or_else(|| of_list(&text))
        .or_else(|| of_sentence(OF_FIELDS, &text))
        .unwrap_or_else(|| of_system(&text))
}

/// Whether a text is still the words of others: English words one after the other, two of them
/// alone, or three beside Korean. Names, paths, and what stands in quotes are no words.
pub(crate) fn is_original(text: &str) -> bool {
    let has_korean = text.chars().any(|c| ('가'..='힣').contains(&c));
    longest_run(text) >= if has_korean { 3 } else { 2 }
}

/// How many English words stand one after the other at most.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut quoted) = (0, 0, None);
    for token in text.split_whitespace() {
        let quotes: Vec<char> = token.chars().filter(|c| matches!(c, '`' | '"')).collect();
        let was_quoted = quoted.is_some();
        for quote in quotes {
            match quoted {
                Some(open) if open == quote => quoted = None,
                None => quoted = Some(quote),
                Some(_) => {}
            }
        }
        let word = token.trim_end_matches([',', '.', ':', ';', '!', '?']);
        let letters = word.chars().all(|c| c.is_ascii_alphabetic() || c == '\'');
        let is_word = letters && word.chars().skip(1).all(|c| !c.is_ascii_uppercase());
        if was_quoted || !is_word || word.is_empty() {
            run = 0;
            continue;
        }
        run += 1;
        longest = longest.max(run);
        if word.len() < token.len() {
            run = 0;
        }
    }
    longest
}

/// A sentence of a table.
fn of_sentence(table: &[(&str, &str)], text: &str) -> Option<String> {
    table.iter().find_map(|(english, korean)| {
        let differs = holes(english, text)?;
        let mut told = (*korean).to_owned();
        for (number, part) in differs.into_iter().enumerate() {
            told = told.replace(&format!("{{{number}}}"), &in_korean(part));
        }
        Some(told)
    })
}

/// Several mistakes of a scenario at once.
fn of_list(text: &str) -> Option<String> {
    let (first, rest) = text.split_once("; ")?;
    let first = of_sentence(SCENARIOS, first)?;
    let rest = of_sentence(SCENARIOS, rest).or_else(|| of_list(rest))?;
    Some(format!("{first}, {rest}"))
}

/// What stands for each `{}` of `pattern`, if that is the form of `text`.
fn holes<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty().then(Vec::new);
    };
    let mut found = Vec::new();
    for part in between {
        let (hole, after) = rest.split_once(part)?;
        found.push(hole);
        rest = after;
    }
    found.push(rest.strip_suffix(last)?);
    found.iter().all(|hole| !hole.is_empty()).then_some(found)
}

/// `line 3 column 7: ...`, as the reader of YAML writes it, and `... at line 3 column 7`, as that
/// of JSON does.
fn of_place(text: &str) -> Option<String> {
    let yaml = |text: &str| {
        let (line, rest) = text.strip_prefix("line ")?.split_once(" column ")?;
        let (column, what) = rest.split_once(": ")?;
        Some((line.to_owned(), column.to_owned(), what.to_owned()))
    };
    let json = |text: &str| {
        let (what, place) = text.rsplit_once(" at line ")?;
        let (line, column) = place.split_once(" column ")?;
        Some((line.to_owned(), column.to_owned(), what.to_owned()))
    };
    let (line, column, what) = yaml(text).or_else(|| json(text))?;
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    let known = is_number(&line) && is_number(&column);
    known.then(|| format!("{line}행 {column}열: {}", mistake(&what)))
}

fn mistake(what: &str) -> String {
    let known = OF_YAML.iter().find(|(english, _)| *english == what);
    let known = known.or_else(|| {
        let of_json = |(english, _): &&(&str, &str)| what.ends_with(*english);
        OF_JSON.iter().find(of_json)
    });
    match known {
        Some((_, korean)) => (*korean).to_owned(),
        None => in_korean(what),
    }
}

/// An output that does not exist, in k6's words; which there are stands behind.
fn of_output(text: &str) -> Option<String> {
    let rest = text.strip_prefix("invalid output type '")?;
    let (name, _) = rest.split_once('\'')?;
    Some(format!("`{name}` 출력은 없습니다"))
}

/// Words of the system anywhere in the text, without their number.
fn of_system(text: &str) -> String {
    let mut text = text.to_owned();
    for (english, korean) in OF_SYSTEM.into_iter().chain(OF_YAML) {
        // Letters of ASCII keep their place.
        if let Some(at) = text.to_ascii_lowercase().find(english) {
            text.replace_range(at..at + english.len(), korean);
        }
    }
    text
}

fn without_number(text: &str) -> String {
    let Some((before, after)) = text.split_once(" (os error ") else {
        return text.to_owned();
    };
    match after.split_once(')') {
        Some((_, after)) => format!("{before}{after}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
