//! Whole sentences of libraries, of Go as k6 words it, and of our own crates, with their Korean.
//!
//! `{}` stands for what differs; in Korean `{0}`, `{1}` say where it goes. What stands there may be
//! a cause itself. A longer sentence stands before one that it contains.

pub(super) const SENTENCES: &[(&str, &str)] = &[
    // The network, in Go's words.
    ("dial tcp {}: connect: {}", "{0} 연결 실패: {1}"),
    ("dial tcp {}: {}", "{0} 연결 실패: {1}"),
    ("dial tcp: {}", "연결 실패: {0}"),
    (
        "dial: unknown errno {} error with msg `{}`",
        "연결 실패: {1}",
    ),
    ("dial: {}", "연결 실패: {0}"),
    (
        "lookup {}: no such host",
        "`{0}` 이름에 해당하는 주소가 없음",
    ),
    ("lookup: no such host", "이름에 해당하는 주소가 없음"),
    ("no such host", "이름에 해당하는 주소가 없음"),
    ("request timeout", "요청 시간 초과"),
    ("unexpected EOF", "응답 도중에 연결이 끊김"),
    ("EOF", "응답 없이 연결이 끊김"),
    ("read tcp {}: read: {}", "{0} 수신 실패: {1}"),
    ("write tcp {}: write: {}", "{0} 송신 실패: {1}"),
    ("read: {}", "수신 실패: {0}"),
    ("write: {}", "송신 실패: {0}"),
    (
        "http: server gave HTTP response to HTTPS client",
        "https로 요청했지만 서버가 http로 응답함",
    ),
    (
        "tls: first record does not look like a TLS handshake",
        "서버의 응답이 TLS가 아님",
    ),
    (
        "IP ({}) is in a blacklisted range ({})",
        "차단한 IP 대역: {0}({1})",
    ),
    (
        "hostname ({}) is in a blocked pattern ({})",
        "차단한 호스트: {0}({1})",
    ),
    ("malformed HTTP response {}", "HTTP 응답이 아님: {0}"),
    ("malformed HTTP version {}", "HTTP 버전이 잘못됨: {0}"),
    ("malformed HTTP status code {}", "상태 코드가 잘못됨: {0}"),
    (
        "malformed MIME header: missing colon: {}",
        "헤더에 쌍점이 없음: {0}",
    ),
    (
        "response body exceeds the limit of {} bytes",
        "응답 본문이 한도({0}바이트)보다 큼",
    ),
    (
        "response body exceeds {} bytes",
        "응답 본문이 {0}바이트보다 큼",
    ),
    (
        "response headers exceeded {} bytes",
        "응답 헤더가 {0}바이트보다 큼",
    ),
    (
        "error decompressing response body ({})",
        "응답 본문의 압축을 풀 수 없음({0})",
    ),
    ("parse \"{}\": {}", "`{0}` 값은 URL이 아님: {1}"),
    (
        "first path segment in URL cannot contain colon",
        "http:// 또는 https://가 없음",
    ),
    (
        "net/url: invalid control character in URL",
        "제어 문자가 있음",
    ),
    (
        "net/url: invalid userinfo",
        "사용자와 비밀번호 부분이 잘못됨",
    ),
    ("invalid port {} after host", "포트가 잘못됨: {0}"),
    ("invalid URL escape {}", "% 뒤의 글자가 잘못됨: {0}"),
    (
        "invalid character {} in host name",
        "호스트 이름에 쓸 수 없는 글자: {0}",
    ),
    ("missing protocol scheme", "http:// 또는 https://가 없음"),
    ("missing ']' in host", "호스트의 ']'가 없음"),
    (
        "invalid proxy address {}: {}",
        "프록시 주소 {0} 값을 쓸 수 없음: {1}",
    ),
    (
        "cannot use the name servers of {}: {}",
        "{0} 파일의 네임 서버를 쓸 수 없음: {1}",
    ),
    // Certificates.
    (
        "tls: failed to verify certificate: x509: {}",
        "인증서 검증 실패: {0}",
    ),
    ("x509: {}", "인증서 오류: {0}"),
    (
        "certificate signed by unknown authority",
        "신뢰하지 않는 기관이 서명한 인증서",
    ),
    ("unknown authority", "신뢰하지 않는 기관이 서명한 인증서"),
    (
        "certificate doesn't match hostname",
        "호스트 이름과 다른 인증서",
    ),
    (
        "certificate is not valid for the host",
        "호스트 이름과 다른 인증서",
    ),
    (
        "certificate has expired or is not yet valid: current time {} is before {}",
        "아직 유효하지 않은 인증서({1}부터, 현재 {0})",
    ),
    (
        "certificate has expired or is not yet valid: current time {} is after {}",
        "만료된 인증서({1}까지, 현재 {0})",
    ),
    (
        "cannot validate certificate for {} because it doesn't contain any IP SANs",
        "인증서에 IP 주소가 없어 {0} 주소를 검증할 수 없음",
    ),
    (
        "certificate is not valid for any names, but wanted to match {}",
        "인증서에 호스트 이름이 없음(접속한 이름: {0})",
    ),
    (
        "certificate is valid for {}, not {}",
        "{0}용 인증서라 {1}에는 쓸 수 없음",
    ),
    ("remote error: tls: {}", "상대가 TLS 연결을 거부함: {0}"),
    ("bad certificate", "잘못된 인증서"),
    ("certificate required", "클라이언트 인증서가 필요함"),
    (
        "unknown certificate authority",
        "신뢰하지 않는 기관이 서명한 인증서",
    ),
    ("protocol version not supported", "지원하지 않는 TLS 버전"),
    ("handshake failure", "핸드셰이크 실패"),
    (
        "TLS versions from {} to {} are not supported, only tls1.2 and tls1.3 are",
        "TLS {0}-{1} 버전은 지원하지 않음. 지원하는 버전: tls1.2, tls1.3",
    ),
    ("unknown TLS version '{}'", "TLS 버전이 아님: '{0}'"),
    ("unknown cipher suite '{}'", "암호 스위트가 아님: '{0}'"),
    (
        "cannot read the root certificates: {}",
        "루트 인증서를 읽을 수 없음: {0}",
    ),
    (
        "cannot read the client certificate: {}",
        "클라이언트 인증서를 읽을 수 없음: {0}",
    ),
    (
        "cannot read the key of the client certificate: {}",
        "클라이언트 인증서의 키를 읽을 수 없음: {0}",
    ),
    (
        "the key of the client certificate is encrypted: its password is missing",
        "클라이언트 인증서의 키에 비밀번호가 필요함",
    ),
    ("no certificate in PEM", "PEM 형식의 인증서가 없음"),
    (
        "no private key in PEM without a password",
        "비밀번호 없는 PEM 형식의 개인 키가 없음",
    ),
    (
        "the key does not fit the certificate",
        "키와 인증서가 맞지 않음",
    ),
    ("there is none", "없음"),
    // Outputs.
    (
        "the '{}' output is not supported; available types are: {}",
        "`{0}` 출력은 지원하지 않음",
    ),
    (
        "could not create the '{}' output: {}",
        "`{0}` 출력을 만들 수 없음: {1}",
    ),
    (
        "unknown query parameter: {}",
        "알 수 없는 쿼리 매개변수: {0}",
    ),
    (
        "unknown key {} as argument for csv output",
        "csv 출력에 없는 인자: {0}",
    ),
    (
        "{} does not belong to TimeFormat values",
        "시간 형식이 아님: {0}",
    ),
    (
        "{} must be true or false, not {}",
        "{0} 값은 true나 false여야 함: {1}",
    ),
    (
        "{} must be a whole number, not {}",
        "{0} 값은 정수여야 함: {1}",
    ),
    (
        "{} must be a length of time above 0, not {}",
        "{0} 값은 0보다 큰 시간이어야 함: {1}",
    ),
    (
        "influxdb's ConcurrentWrites must be a positive number",
        "influxdb의 ConcurrentWrites 값은 1 이상이어야 함",
    ),
    (
        "sigv4 is not supported; use a proxy that signs requests",
        "sigv4는 지원하지 않음. 요청에 서명하는 프록시를 쓰세요",
    ),
    (
        "invalid header {}, expected format key=value",
        "헤더 {0} 값이 key=value 형식이 아님",
    ),
    // Files of loadline, k6 and Artillery.
    ("no plan: {}", "{0}"),
    ("no capacity: {}", "{0}"),
    ("not JSON: {}", "JSON이 아님: {0}"),
    ("`{}` is {}, which cannot be", "`{0}` 값 {1}은 있을 수 없음"),
    (
        "a plan of version {}; this program reads version {}",
        "계획 형식 버전 {0}. 이 프로그램이 읽는 버전: {1}",
    ),
    (
        "a capacity of version {}; this program reads version {}",
        "용량 형식 버전 {0}. 이 프로그램이 읽는 버전: {1}",
    ),
    (
        "version {} is newer than {}",
        "형식 버전 {0}은 이 프로그램이 읽는 {1}보다 새로움",
    ),
    (
        "`{}` is missing: this is no result file of Artillery 2",
        "`{0}` 항목이 없어 Artillery 2의 결과 파일이 아님",
    ),
    (
        "this is a result file of Artillery 1, which has another form",
        "형식이 다른 Artillery 1의 결과 파일",
    ),
    (
        "line {} is no entry of a journal: {}",
        "{0}행이 저널의 항목이 아님: {1}",
    ),
    (
        "`{}` is not a time of day such as 22:00-06:00",
        "`{0}` 값은 22:00-06:00 같은 시간대가 아님",
    ),
    // Tables.
    (
        "{} rows, at least {} are needed",
        "{0}행뿐임. 최소 {1}행 필요",
    ),
    (
        "row {}: users and throughput must be above zero",
        "{0}행: 사용자 수와 처리량은 0보다 커야 함",
    ),
    ("{} users stand in two rows", "사용자 {0}명인 행이 두 개임"),
    (
        "`{}` needs a column the table does not have",
        "`{0}` 조건에 필요한 열이 표에 없음",
    ),
    // The stand-in server.
    (
        "a latency is a text such as 2s, or recorded points",
        "지연 시간은 2s 같은 문자열이나 측정한 점(recorded)이어야 함",
    ),
    (
        "a share is a number or a text such as 1%",
        "비율은 숫자나 1% 같은 문자열이어야 함",
    ),
    (
        "`{}` is no latency; write {}",
        "`{0}` 값은 지연 시간이 아님. 2s, `uniform 1s..3s`, `normal 2s sd 0.5s`, `lognormal 2s p95 5s`처럼 쓰세요",
    ),
    (
        "the store cannot be reached: {}",
        "저장소에 연결할 수 없음: {0}",
    ),
    ("larger than {} bytes", "{0}바이트보다 큼"),
    ("there is no route", "경로(routes)가 없음"),
    ("route {} ({}): {}", "경로 {0}번({1}): {2}"),
    (
        "status {} is not from 200 to 599",
        "상태 코드 {0} 값이 200-599가 아님",
    ),
    ("`{}` is not a method", "`{0}` 값은 메서드가 아님"),
    ("`{}` is no header field", "`{0}` 값은 헤더가 아님"),
    (
        "bytes_per_second must be above zero",
        "bytes_per_second 값은 0보다 커야 함",
    ),
    (
        "limit: concurrency must be above zero",
        "limit의 concurrency 값은 0보다 커야 함",
    ),
    (
        "limit: rate must be above zero",
        "limit의 rate 값은 0보다 커야 함",
    ),
    (
        "`{}` has no unit; write 2s or 500ms",
        "`{0}` 값에 단위가 없음. 2s, 500ms처럼 쓰세요",
    ),
    ("`{}` is longer than an hour", "`{0}` 값이 한 시간보다 긺"),
    // Test data.
    ("there is no table", "테이블이 없음"),
    (
        "tables.{}.rows is more than {}",
        "tables.{0}.rows 값이 {1}보다 큼",
    ),
    (
        "{}.skew is not from 0 up to below 1",
        "{0}.skew 값이 0 이상 1 미만이 아님",
    ),
    ("{}.nulls is not from 0 to 1", "{0}.nulls 값이 0-1이 아님"),
    (
        "payload {}: no table `{}`",
        "payload {0}: `{1}` 테이블이 없음",
    ),
    (
        "`{}` is no database that is supported; write postgres:// or mysql://",
        "`{0}` 데이터베이스는 지원하지 않음. postgres://나 mysql://을 쓰세요",
    ),
    (
        "the database has no table `{}`",
        "데이터베이스에 `{0}` 테이블이 없음",
    ),
    (
        "table `{}` refers to `{}`, which is not among the tables",
        "`{0}` 테이블이 참조하는 `{1}` 테이블이 목록에 없음",
    ),
    (
        "tables refer to each other in a circle: {}",
        "테이블이 서로를 순환 참조함: {0}",
    ),
    (
        "column `{}` has type `{}`, which is not known; give `values`",
        "`{0}` 열의 형식 `{1}`에 넣을 값을 알 수 없음. `values`를 지정하세요",
    ),
    (
        "table `{}` cannot have {} rows: its unique key ({}) has {} values",
        "`{0}` 테이블에 {1}행을 넣을 수 없음. 고유 키({2})의 값이 {3}개뿐임",
    ),
    // Databases.
    (
        "password authentication failed for user \"{}\"",
        "사용자 `{0}`의 비밀번호가 틀림",
    ),
    (
        "database \"{}\" does not exist",
        "`{0}` 데이터베이스가 없음",
    ),
    ("role \"{}\" does not exist", "`{0}` 사용자가 없음"),
    ("relation \"{}\" does not exist", "`{0}` 테이블이 없음"),
    ("permission denied for {}", "{0} 권한 없음"),
    // Of loadline itself.
    ("cannot start a runtime: {}", "런타임을 시작할 수 없음: {0}"),
    (
        "cannot listen for signals: {}",
        "종료 신호를 받을 수 없음: {0}",
    ),
    (
        "cannot start the thread for name look-ups: {}",
        "이름을 찾는 스레드를 시작할 수 없음: {0}",
    ),
    (
        "cannot start the sink's thread: {}",
        "수신 스레드를 시작할 수 없음: {0}",
    ),
    (
        "cannot start the run's thread: {}",
        "실행 스레드를 시작할 수 없음: {0}",
    ),
    (
        "cannot start an output's thread: {}",
        "출력 스레드를 시작할 수 없음: {0}",
    ),
    (
        "cannot start worker {}: {}",
        "워커 스레드 {0}번을 시작할 수 없음: {1}",
    ),
    ("the workers are gone", "워커 스레드가 종료됨"),
    (
        "hosts: '{}' leads to no address; write IP or IP:port",
        "hosts의 '{0}' 값이 주소로 이어지지 않음. IP 또는 IP:포트로 쓰세요",
    ),
    (
        "invalid hostname pattern '{}'",
        "호스트 이름 형식이 아님: '{0}'",
    ),
    ("invalid host pattern '{}'", "호스트 형식이 아님: '{0}'"),
    (
        "invalid address '{}': expected IP or IP:port",
        "`{0}` 값이 주소가 아님. IP 또는 IP:포트로 쓰세요",
    ),
    (
        "failed to parse CIDR '{}': invalid CIDR address: {}",
        "CIDR 형식이 아님: `{0}`",
    ),
    (
        "a rate of {}/s cannot be planned",
        "요청률 {0}/s로는 계획할 수 없음",
    ),
    ("the run ended without a result", "결과 없이 끝난 실행"),
    (
        "the test has no scenario that makes load",
        "부하를 보내는 시나리오가 없음",
    ),
    (
        "there is no scenario `{}`; there are {}",
        "`{0}` 시나리오가 없음. 있는 시나리오: {1}",
    ),
    (
        "the phases cannot be planned: {}",
        "단계를 계획할 수 없음: {0}",
    ),
    (
        "the rate and the duration together are too large to be planned exactly",
        "요청률과 시간이 너무 커서 정확히 계획할 수 없음",
    ),
    (
        "nothing that was given leads to a figure",
        "주어진 값으로는 계산할 수 없음",
    ),
    ("the plan is wrong", "계획이 잘못됨"),
    (
        "the parts do not add up to the whole",
        "부분을 합쳐도 전체가 되지 않음",
    ),
    ("a part is empty", "빈 부분이 있음"),
    (
        "the parts' common denominator exceeds 1,000,000",
        "부분의 공통분모가 1,000,000보다 큼",
    ),
    // Of a store.
    ("it ends too early", "중간에서 끝남"),
    ("a number in it is malformed", "안의 숫자가 손상됨"),
    ("a text in it is not UTF-8", "안의 문자열이 UTF-8이 아님"),
    ("it has no header", "머리 부분이 없음"),
    (
        "it has version {}, which is newer than this program",
        "형식 버전 {0}이 이 프로그램보다 새로움",
    ),
    ("it cannot be decompressed", "압축을 풀 수 없음"),
    ("it holds something else", "다른 내용이 들어 있음"),
    ("what it refers to is missing", "참조하는 내용이 없음"),
    ("the disk is full", "디스크 공간 부족"),
    ("it is read-only", "읽기 전용"),
    ("another process holds it", "다른 프로세스가 사용 중"),
    ("{} of run {}: {}", "실행 {1}의 {0}: {2}"),
    // The system's words, with a path before or behind them.
    ("cannot read {}: {}", "{0} 파일을 읽을 수 없음: {1}"),
    (
        "none of the cipher suites asked for is supported: {}",
        "지정한 암호 스위트는 모두 지원하지 않음: {0}",
    ),
    ("open {}: {}", "{0} 파일을 열 수 없음: {1}"),
    ("error: {}", "{0}"),
    // Files of rows.
    (
        "line {}: {} values, and {} before",
        "{0}행의 값은 {1}개, 앞 행은 {2}개",
    ),
    (
        "line {}: a quote is not closed",
        "{0}행의 따옴표가 닫히지 않음",
    ),
    (
        "line {}: something follows a closing quote",
        "{0}행의 닫는 따옴표 뒤에 다른 글자가 있음",
    ),
    (
        "line {}: a quote stands within a value that does not begin with one",
        "{0}행에서 따옴표로 시작하지 않은 값에 따옴표가 있음",
    ),
];
