signals-line = 신호: { $sources }
signals-answered = { $name } 응답함
signals-never = { $name } 한 번도 응답하지 않음({ $error })
signals-partly = { $name } { $seconds } 동안 응답하지 않음({ $error })
signals-live = 신호 출처 { $all }곳 중 { $answering }곳 응답
signals-fails = 신호: { $name } 응답하지 않음: { $error }
signals-recovered = 신호: { $name } 다시 응답함
signals-watch-on = 신호: 부하 없이 { $seconds }초 동안 대상 서버를 더 관찰합니다(--no-observe-after로 생략)
source-answers = { $name }: 응답함
source-fails = { $name }: 얻은 것 없음: { $error }
source-gives = {"  "}제공  { $signals }
source-gives-nothing = {"  "}제공  loadline이 아는 지표가 없습니다
source-gives-no-line = {"  "}제공  보는 동안 새 로그가 없었습니다
source-tells = {"  "}설정  { $settings }
source-lacks = {"  "}빠짐  { $signal }: { $setting } 설정이 필요합니다
source-several-processes = 프로세스 { $number }개가 번갈아 응답하므로 인스턴스별로 나누어 봅니다
source-refused-messages = 메시지 { $number }건을 받지 않았습니다. 8 MiB보다 크거나, 항목이 너무 많거나, 너무 느리게 왔습니다. 배치를 줄이세요(OTEL_BSP_MAX_EXPORT_BATCH_SIZE)
source-mixed-processes = 프로세스 { $number }개 이상이 번갈아 응답하는데 페이지에 구분할 값이 없어 카운터를 사용하지 않습니다. 프로세스마다 지표 페이지를 지정하거나 process_start_time_seconds 또는 instance 레이블을 추가하세요
source-slow-answers = 응답에 최대 { $seconds } 걸렸습니다. 측정하는 그 대기열에서 함께 기다리므로 지표 페이지를 별도 포트로 제공하세요
source-unused-name = { $metric }: 사용하지 않음(loadline이 모르는 지표)
source-unused-labels = { $metric }: 사용하지 않음(loadline이 아는 것과 레이블이 다름)
source-unused-value = { $metric }: 사용하지 않음(값이 없음을 뜻하는 음수 또는 NaN)
source-unused-unbounded = { $metric }: 사용하지 않음(상한이 없어 고갈될 수 없음)
source-minute-values = { $signals }: 1분 평균값이며 그 1분이 끝난 뒤 최대 { $late } 늦게 도착했습니다. 실행 시간 안에 온전히 들어가고 종료 전에 도착한 1분만 반영하므로, 보려는 시간보다 그만큼 더 길게 실행하세요
source-all-traces = 트레이스 { $number }개를 가져와 한도(실행당 2,000개 또는 64 MiB)에 이르렀습니다. 이후 구간의 트레이스는 없습니다
source-unnamed-statements = SQL 본문 없이 번호(queryid)만 알 수 있습니다. postgres_exporter를 --collector.stat_statements.include_query 옵션으로 실행하거나 데이터베이스에서 조회하세요: SELECT query FROM pg_stat_statements WHERE queryid = 번호
source-unused-no-time = { $metric }: 사용하지 않음(지난 1분 평균인데 시각이 없어 어느 1분인지 알 수 없음). 익스포터가 시각을 보내게 하세요(YACE: addCloudwatchTimestamp: true, cloudwatch_exporter: set_timestamp: true)
source-unused-no-use = { $metric }: 사용하지 않음(풀의 메트릭이지만 사용 중인 수를 알 수 없음)
source-remark = {"  "}참고  { $text }
source-remark-of = { $name }: { $text }
source-hint-page = {"  "}조치  Spring Boot라면 io.micrometer:micrometer-registry-prometheus를 추가하고 management.endpoints.web.exposure.include=health,prometheus로 설정한 뒤 http://HOST:PORT/actuator/prometheus를 지정하세요
source-hint-port = {"  "}조치  대상 서버를 먼저 시작하거나 pid:번호로 프로세스를 지정하세요. 다른 장비의 대상은 지표 페이지를 지정하세요
source-hint-permission = {"  "}조치  대상 서버와 같은 사용자나 root로 loadline을 실행하세요
source-refused = 연결이 거부됨
source-timed-out = 제때 응답이 없음
source-no-such-host = 이름에 해당하는 주소가 없음
source-status = 상태 코드 { $status }
source-not-metrics = 응답의 { $line }번째 줄이 지표가 아님
source-empty = 응답에 지표가 없음
source-too-large = 응답이 너무 큼
source-cut-off = 연결이 중간에 끊김
source-tls = TLS 연결 실패
source-no-process = 그런 프로세스가 없음
source-no-listener = 이 포트로 수신하는 프로세스가 없음
source-no-permission = 볼 권한이 없음
source-login = 사용자나 비밀번호가 틀림
source-no-database = 그런 데이터베이스가 없음
source-unexpected = 요청한 것과 다른 응답
source-no-file = 그런 파일이 없음
source-nothing-sent = 아직 아무것도 수신되지 않음
source-port-taken = 다른 프로그램이 그 포트를 쓰고 있음
source-no-lines = 줄 수를 세는 쿼리입니다. 로그 줄을 돌려주는 쿼리가 필요합니다
source-targets-down = 응답은 하지만 지정한 대상에 하나도 닿지 못함(up = 0)
source-hint-prometheus = {"  "}조치  부하를 받는 대상을 Prometheus의 레이블로 지정하세요: prometheus://HOST:9090?match=job=~"shop|postgres". 레이블은 Prometheus의 /targets 페이지에 있습니다
source-hint-user = {"  "}조치  사용자를 묻는 페이지입니다: http://사용자:비밀번호@HOST:PORT/경로. Spring Boot라면 /actuator/prometheus를 인증 없이 열어도 됩니다
source-hint-database = {"  "}조치  호스트, 포트, 사용자, 비밀번호, 데이터베이스 이름을 확인하세요. 대상 서버의 설정(spring.datasource.url, DATABASE_URL)에 있는 값과 같아야 합니다
source-hint-loki = {"  "}조치  loki://사용자:비밀번호@호스트:3100?query={"{"}app="shop"{"}"}. 테넌트가 여럿인 Loki라면 뒤에 &tenant=이름(X-Scope-OrgID)을 붙이세요
source-hint-remote = {"  "}조치  그 호스트에서 loadline observe --listen 0.0.0.0:7070 --token TOKEN port:8080을 실행하고, 여기서는 remote://TOKEN@HOST:7070을 지정하세요
source-defect = loadline의 결함
source-other = 기타 오류({ $text })
observe-serves = { $address }에서 출처를 제공합니다. 부하를 보내는 호스트에서는 --observe { $scheme }://TOKEN@이-호스트:{ $port }. Ctrl-C로 끝냅니다
observe-init-looks = 출처를 찾는 중(약 10초) ...
observe-init-nothing = 응답한 출처가 없습니다. 대상이 실행 중일 때 대상의 URL, 지표 페이지, port:번호 가운데 하나를 지정하세요
observe-init-wrote = { $path } 파일에 적었습니다. 이제 여기서 하는 모든 실행과 탐색이 이 출처를 관찰합니다
observe-init-head = 여기서 하는 모든 실행에 쓰는 대상 신호의 출처(loadline observe --check 출처로 제공하는 신호를 확인)
observe-init-variable = 실행 전에: export { $name }=사용자:비밀번호
observe-init-no-answer = 제외: { $source }에서 얻은 것 없음({ $reason })
observe-init-type = 제외: { $name }의 유형 { $kind }: 신호 출처로 지원하지 않음
observe-init-unset = 제외: { $source }에 필요한 환경 변수 { $name } 미설정. export 후 다시 실행하세요
observe-init-export = 환경 변수 { $name }: 파일의 비밀 값을 옮겨 적지 않았으므로 실행 전에 export 하세요(영문자와 숫자 이외의 문자는 %XX로)
observe-init-unread = 제외: { $source }: 출처로 읽을 수 없음
observe-init-query = 제외: { $name }(Loki)에는 대상 로그의 레이블이 필요합니다. { $source } 형식으로 직접 추가하세요
observe-init-not-exposed = 제외: Spring 지표 페이지. { $setting } 값에 prometheus를 추가하고(micrometer-registry-prometheus 의존성 필요) 대상을 다시 시작하세요
observe-init-profile = 제외: 프로필 { $profile }의 설정. 포함하려면 SPRING_PROFILES_ACTIVE={ $profile }
observe-init-nothing-in = { $file }에 출처가 없습니다. Grafana 데이터 소스도, 출처를 알려 주는 Spring 설정도 아닙니다
observe-init-with-user = 통계를 읽을 수 있는 사용자를 지정하면 세션, 잠금, SQL도 알 수 있습니다
