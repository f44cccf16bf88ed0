use super::*;

fn read(lines: &[&str]) -> Vec<String> {
    let fields = FieldMapping::default();
    let mut state = Lines::default();
    let mut out = Vec::new();
    state.decide(lines.iter().map(|line| line.as_bytes()));
    for (index, line) in lines.iter().enumerate() {
        if index == 0 && state.take_heading(line.as_bytes(), &fields) {
            continue;
        }
        if state.take_comment(line.as_bytes()) {
            continue;
        }
        out.push(match state.read(line.as_bytes(), &fields) {
            Ok((entry, format)) => format!(
                "{} {} {} {} {} {:?}",
                format.name(),
                entry.time,
                String::from_utf8_lossy(entry.method),
                String::from_utf8_lossy(entry.path),
                entry.status,
                entry.seconds
            ),
            Err(trouble) => trouble.id().to_owned(),
        });
    }
    out
}

#[test]
fn combined_lines_with_and_without_what_nginx_may_add() {
    let start = r#"1.2.3.4 - bob [10/Oct/2000:13:55:36 -0700] "GET /a?b=1 HTTP/1.1" 200 12"#;
    assert_eq!(
        read(&[
            start,
            &format!(r#"{start} "http://r/" "Mozilla/5.0 (X11; \"x\")""#),
            &format!(r#"{start} "-" "curl" rt=0.125 uct="0.001""#),
            r#"::1 - - [10/Oct/2000:13:55:36 -0700] "GET http://h/p HTTP/1.1" 499 0 "-" "-""#,
        ]),
        [
            "combined 971211336 GET /a?b=1 200 None",
            "combined 971211336 GET /a?b=1 200 None",
            "combined 971211336 GET /a?b=1 200 Some(0.125)",
            "combined 971211336 GET /p 499 None",
        ]
    );
}

#[test]
fn the_decimals_that_nginx_writes_are_seconds() {
    assert_eq!(
        read(&[
            r#"1.2.3.4 - bob [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 12 "-" "curl" 0.250"#
        ]),
        ["combined 971211336 GET /a 200 Some(0.25)"]
    );
}

#[test]
fn proxies_have_forms_of_their_own() {
    assert_eq!(
        read(&[
            r#"Feb  6 12:14:14 lb haproxy[14389]: 10.0.1.2:33317 [10/Oct/2000:20:55:36.655] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a} {} "GET /i.html HTTP/1.1""#,
            r#"[2000-10-10T20:55:36.310Z] "POST /v1 HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "agent" "id" "host" "tcp://10.0.2.1:80""#,
            r#"[2000-10-10T20:55:36.310Z] "GET /v1 HTTP/1.1" 200 - via_upstream - "-" 0 1 3 2 "-" "ua" "id" "host" "10.0.2.1:80""#,
            r#"2000-10-10T20:55:36.943958Z lb 192.168.131.39:2817 10.0.0.1:80 0.000 0.025 0.000 200 200 0 29 "GET http://e.com:80/x HTTP/1.1" "curl" - -"#,
            r#"shop.example:443 10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 12 "-" "curl""#,
        ]),
        [
            "haproxy 971211336 GET /i.html 200 Some(0.109)",
            "envoy 971211336 POST /v1 204 Some(0.226)",
            "envoy 971211336 GET /v1 200 Some(0.003)",
            "elb 971211336 GET /x 200 Some(0.025)",
            "combined 971211336 GET /a 200 None",
        ]
    );
}

#[test]
fn a_line_of_fields_names_the_columns_below_it() {
    assert_eq!(
        read(&[
            "#Software: Microsoft Internet Information Services 10.0",
            "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status time-taken",
            "2000-10-10 20:55:36 10.0.0.1 GET /a - 80 - 1.2.3.4 Mozilla/5.0+(X11) 200 46",
        ]),
        ["w3c 971211336 GET /a 200 Some(0.046)"]
    );
    assert_eq!(
        read(&[
            "#Fields: date time x-edge-location c-ip cs-method cs-uri-stem sc-status time-taken",
            "2000-10-10\t20:55:36\tICN\t1.2.3.4\tGET\t/b\t200\t0.046",
        ]),
        ["w3c 971211336 GET /b 200 Some(0.046)"]
    );
}

#[test]
fn json_of_servers_and_clouds_is_known_by_its_names() {
    assert_eq!(
        read(&[
            r#"{"ts":971211336.25,"request":{"remote_ip":"10.0.0.1","method":"GET","uri":"/c","headers":{}},"duration":0.04,"status":200}"#,
            r#"{"ClientHost":"10.0.0.1","DownstreamStatus":200,"Duration":12000000,"RequestMethod":"GET","RequestPath":"/t","time":"2000-10-10T20:55:36Z"}"#,
            r#"{"start_time":"2000-10-10T20:55:36.000Z","method":"GET","path":"/e","response_code":200,"duration":40}"#,
            r#"{"timestamp":"2000-10-10T20:55:36Z","httpRequest":{"requestMethod":"GET","requestUrl":"https://h/g","status":200,"latency":"0.040s","remoteIp":"1.1.1.1"}}"#,
            r#"{"time":1792713600000,"req":{"method":"GET","url":"/p"},"res":{"statusCode":200},"responseTime":40}"#,
            r#"{"time":"2000-10-10T20:55:36Z","path":"/u","duration":40}"#,
        ]),
        [
            "json 971211336 GET /c 200 Some(0.04)",
            "json 971211336 GET /t 200 Some(0.012)",
            "json 971211336 GET /e 200 Some(0.04)",
            "json 971211336 GET /g 200 Some(0.04)",
            "json 1792713600 GET /p 200 Some(0.04)",
            "json 971211336 GET /u 0 None",
        ]
    );
}

#[test]
fn json_lines_by_their_usual_names_and_nested() {
    assert_eq!(
        read(&[
            r#"{"time":"2000-10-10T20:55:36Z","method":"POST","path":"/x","status":201,"request_time":0.5,"x":{"a":["}"]}}"#,
            r#"{"ts": 971211336.5, "request": "GET /y HTTP/1.1", "status": "404", "duration_ms": 20}"#,
            r#"{"@timestamp":"2000-10-10T20:55:36Z","http":{"method":"GET","url":"https://h/z?q"}}"#,
            r#"{"time":"2000-10-10T20:55:36Z","path":"/x""#,
            r#"{"path":"/x"}"#,
        ]),
        [
            "json 971211336 POST /x 201 Some(0.5)",
            "json 971211336 GET /y 404 Some(0.02)",
            "json 971211336 GET /z?q 0 None",
            "unreadable",
            "time",
        ]
    );
}

#[test]
fn load_balancer_lines_keep_the_targets_time() {
    assert_eq!(
        read(&[concat!(
            r#"https 2018-07-02T22:23:00.186641Z app/my-lb/50dc6c495c0c9188 192.168.131.39:2817 10.0.0.1:80 "#,
            r#"0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/a/7 HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2"#
        )]),
        ["alb 1530570180 GET /a/7 200 Some(0.048)"]
    );
}

#[test]
fn tables_are_read_by_their_heading() {
    assert_eq!(
        read(&[
            "timestamp,method,uri,status,elapsed_ms,user",
            r#"2000-10-10 20:55:36,GET,"/a,b",200,12,bob"#,
            "2000-10-10 20:55:36,,/c,,,",
            "soon,GET,/,200,1,bob",
        ]),
        [
            "csv 971211336 GET /a,b 200 Some(0.012)",
            "csv 971211336 GET /c 0 None",
            "time",
        ]
    );
}

#[test]
fn what_is_no_log_line_says_why() {
    assert_eq!(
        read(&[
            "hello",
            r#"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "\x16\x03\x01" 400 0"#,
            r#"1.2.3.4 - - [10/Oct/2000:13:55:36] "GET / HTTP/1.1" 200 0"#,
            r#"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 2x0 0"#,
        ]),
        ["unreadable", "request", "time", "unreadable"]
    );
}
