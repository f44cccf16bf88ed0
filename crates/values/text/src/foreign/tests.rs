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
        "/nope/x.json 파일을 열 수 없음: 파일이나 디렉터리가 없음"
    );
    assert_eq!(in_korean("다른 말"), "다른 말");
}

/// Seen: `run URL -d 0s` gave an English cause.
#[test]
fn mistakes_of_scenarios_are_told_in_korean() {
    let text = "the duration must be at least 1s, but is 0s";
    assert_eq!(
        in_korean(text),
        "실행 시간은 1초 이상이어야 함(지금 값: 0s)"
    );
    let text = "the number of VUs must be more than 0; the duration is unspecified";
    assert_eq!(in_korean(text), "VU 수는 1 이상이어야 함, 실행 시간이 없음");
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
    let text = "invalid type: sequence, expected a string at line 2 column 5";
    assert_eq!(
        in_korean(text),
        "2행 5열: 값의 형식이 다릅니다. 온 값: 목록, 와야 할 값: 문자열"
    );
}

#[test]
fn sentences_of_libraries_are_told_in_korean_with_what_differs() {
    for (english, korean) in [
        (
            "dial tcp 127.0.0.1:1: connect: connection refused",
            "127.0.0.1:1 연결 실패: 연결이 거부됨",
        ),
        (
            "tls: failed to verify certificate: x509: certificate signed by unknown authority",
            "인증서 검증 실패: 신뢰하지 않는 기관이 서명한 인증서",
        ),
        (
            "lookup nowhere.invalid: no such host",
            "`nowhere.invalid` 이름에 해당하는 주소가 없음",
        ),
        (
            "route 2 (/x): status 99 is not from 200 to 599",
            "경로 2번(/x): 상태 코드 99 값이 200-599가 아님",
        ),
        (
            "`/none/x`: No such file or directory (os error 2)",
            "`/none/x`: 파일이나 디렉터리가 없음",
        ),
    ] {
        assert_eq!(in_korean(english), korean);
    }
}

#[test]
fn an_original_is_known_from_words_of_ours() {
    for original in [
        "Unexpected token",
        "file:///a.js:1:36: Unexpected token",
        "no exported functions in script",
        "/x 파일: the quick brown fox",
    ] {
        assert!(is_original(original), "{original}");
    }
    for ours in [
        "연결이 거부됨",
        "알 수 없는 필드 `a b c d`. 쓸 수 있는 필드: database, schema, seed",
        "GET POST",
        "/a/b: 파일이 없음",
        "threads.max=20",
        "\"some words in quotes\" 없음",
        "a.js",
        "",
    ] {
        assert!(!is_original(ours), "{ours}");
    }
}

/// Crates whose errors people read as causes.
const READ_BY_PEOPLE: [&str; 19] = [
    "adapters/engine/src/error.rs",
    "adapters/net/src/dns/system.rs",
    "adapters/net/src/hosts.rs",
    "adapters/net/src/proxy.rs",
    "adapters/net/src/tls.rs",
    "adapters/outputs/src/config.rs",
    "adapters/outputs/src/hub.rs",
    "adapters/store/src/error.rs",
    "judgement/analysis/src/capacity/table.rs",
    "judgement/sizing/src/plan_file.rs",
    "platform/listen/src/tls.rs",
    "presentation/report/src/capacity/file.rs",
    "testbed/data/src/error.rs",
    "testbed/mock/src/spec.rs",
    "use-cases/session/src/network.rs",
    "use-cases/session/src/preflight.rs",
    "use-cases/session/src/preflight/sink.rs",
    "use-cases/session/src/run.rs",
    "values/testplan/src/stripe.rs",
];

/// Errors of those that have a sentence of ours, so that their own words are not read.
const WORDED_ELSEWHERE: [&str; 9] = [
    "the warm-up of {} is not shorter than the test's {}",
    "the database `{}` is not marked as one for tests",
    "table `{}` has {} rows already",
    "{} has version {}, this program knows versions up to {}",
    "{} is not a store of runs",
    "there is no store at {}",
    "there is no run `{}`",
    "`{}` means {} runs",
    "invalid output type '{}', available types are: {}",
];

#[test]
fn causes_of_our_own_crates_are_told_in_korean() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut read, mut left) = (0, Vec::new());
    for file in READ_BY_PEOPLE {
        let source = std::fs::read_to_string(crates.join(file)).unwrap();
        for part in source.split("#[error(").skip(1) {
            let Some(text) = part.trim_start().strip_prefix('"') else {
                continue;
            };
            let mut text = text.split("\")]").next().unwrap().to_owned();
            text = text.split("\",").next().unwrap().to_owned();
            let mut english = String::new();
            for (at, piece) in text.split('{').enumerate() {
                let after = piece.split_once('}').map_or(piece, |(_, after)| after);
                english.push_str(if at == 0 { piece } else { "{}" });
                english.push_str(if at == 0 { "" } else { after });
            }
            read += 1;
            let is_ours = WORDED_ELSEWHERE.contains(&english.as_str());
            let told = in_korean(&english.replace("{}", "x1"));
            if !is_ours && is_original(&told) {
                left.push(format!("{file}: {english} -> {told}"));
            }
        }
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(read > 50, "{read}");
}
