//! Korean for the words of others: of the system, and of the reader of YAML files.
//!
//! Their texts come in English and stand as a cause within our sentences. What is not known
//! here stays as it is.

/// Texts of the system, in small letters, as the C library and Go write them.
const OF_SYSTEM: [(&str, &str); 28] = [
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
const OF_JSON: [(&str, &str); 6] = [
    ("expected value", "값이 와야 합니다"),
    ("expected `,` or `}`", "`,`나 `}`가 와야 합니다"),
    ("expected `,` or `]`", "`,`나 `]`가 와야 합니다"),
    ("key must be a string", "이름은 따옴표 안에 있어야 합니다"),
    ("trailing characters", "끝난 뒤에 다른 글자가 있습니다"),
    ("EOF while parsing an object", "중간에서 끝났습니다"),
];

/// The text in Korean, as far as it is known.
pub(crate) fn in_korean(text: &str) -> String {
    let known = of_yaml(text).or_else(|| of_json(text));
    let known = known.or_else(|| of_output(text));
    known.unwrap_or_else(|| of_system(text))
}

/// `line 3 column 7: ...`, as the reader of YAML writes it.
fn of_yaml(text: &str) -> Option<String> {
    let rest = text.strip_prefix("line ")?;
    let (line, rest) = rest.split_once(" column ")?;
    let (column, what) = rest.split_once(": ")?;
    Some(format!("{line}행 {column}열: {}", mistake(what)))
}

/// An output that does not exist, in k6's words; which there are stands behind.
fn of_output(text: &str) -> Option<String> {
    let rest = text.strip_prefix("invalid output type '")?;
    let (name, _) = rest.split_once('\'')?;
    Some(format!("`{name}` 출력은 없습니다"))
}

/// `expected value at line 1 column 1`, as the reader of JSON writes it.
fn of_json(text: &str) -> Option<String> {
    let (what, place) = text.split_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let (_, korean) = OF_JSON
        .iter()
        .find(|(english, _)| what.ends_with(english))?;
    Some(format!("{line}행 {column}열: {korean}"))
}

fn mistake(what: &str) -> String {
    if let Some((_, korean)) = OF_YAML.iter().find(|(english, _)| *english == what) {
        return (*korean).to_owned();
    }
    let named = |prefix| what.strip_prefix(prefix)?.split_once('`');
    if let Some((name, rest)) = named("unknown field `") {
        let known = rest.trim_start_matches(", expected ");
        let known = known.trim_start_matches("one of ");
        return format!("알 수 없는 필드 `{name}`. 쓸 수 있는 필드: {known}");
    }
    if let Some((name, _)) = named("missing field `") {
        return format!("필드 `{name}` 없음");
    }
    if let Some((name, _)) = named("duplicate field `") {
        return format!("필드 `{name}` 중복");
    }
    what.to_owned()
}

/// Words of the system anywhere in the text, without their number.
fn of_system(text: &str) -> String {
    let mut text = without_number(text);
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
mod tests {
    use super::*;

    #[test]
    fn words_of_the_system_are_told_in_korean() {
        for (number, korean) in [
            (2, "파일이나 디렉터리가 없음"),
            (5, "입출력 오류"),
            (13, "권한 없음"),
            (28, "디스크 공간 부족"),
            (98, "이미 사용 중인 주소"),
            (111, "연결이 거부됨"),
        ] {
            let english = std::io::Error::from_raw_os_error(number).to_string();
            assert_eq!(in_korean(&english), korean);
        }
        let text = "open /nope/x.json: no such file or directory";
        assert_eq!(
            in_korean(text),
            "open /nope/x.json: 파일이나 디렉터리가 없음"
        );
        assert_eq!(in_korean("다른 말"), "다른 말");
    }

    #[test]
    fn mistakes_in_yaml_are_told_in_korean() {
        let text = "line 1 column 9: unknown field `a`, expected one of b, c";
        assert_eq!(
            in_korean(text),
            "1행 9열: 알 수 없는 필드 `a`. 쓸 수 있는 필드: b, c"
        );
        let text = "line 2 column 3: expected sequence start";
        assert_eq!(in_korean(text), "2행 3열: 목록이 와야 합니다");
        let text = "no plan: expected value at line 1 column 1";
        assert_eq!(in_korean(text), "1행 1열: 값이 와야 합니다");
    }
}
