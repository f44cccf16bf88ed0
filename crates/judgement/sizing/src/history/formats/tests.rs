use super::*;

fn read(lines: &[&str]) -> Vec<String> {
    let fields = FieldMapping::default();
    let mut state = Lines::default();
    let mut out = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if index == 0 && state.take_heading(line.as_bytes(), &fields) {
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
            &format!(r#"{start} "-" "curl" 0.250"#),
            &format!(r#"{start} "-" "curl" rt=0.125 uct="0.001""#),
            r#"::1 - - [10/Oct/2000:13:55:36 -0700] "GET http://h/p HTTP/1.1" 499 0 "-" "-""#,
        ]),
        [
            "combined 971211336 GET /a?b=1 200 None",
            "combined 971211336 GET /a?b=1 200 None",
            "combined 971211336 GET /a?b=1 200 Some(0.25)",
            "combined 971211336 GET /a?b=1 200 Some(0.125)",
            "combined 971211336 GET /p 499 None",
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
