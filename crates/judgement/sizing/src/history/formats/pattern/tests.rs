use super::*;

fn read(format: &str, line: &str) -> String {
    let pattern = Pattern::parse(format).unwrap_or_else(|error| panic!("{format}: {error}"));
    let mut clock = CommonClock::default();
    match pattern.read(line.as_bytes(), &mut clock) {
        Ok(entry) => format!(
            "{} {} {} {} {:?}",
            entry.time,
            String::from_utf8_lossy(entry.method),
            String::from_utf8_lossy(entry.path),
            entry.status,
            entry.seconds
        ),
        Err(trouble) => trouble.id().to_owned(),
    }
}

const WHEN: &str = "10/Oct/2000:13:55:36 -0700";

#[test]
fn nginx_formats_read_their_lines() {
    let line = format!(
        r#"1.2.3.4 - - [{WHEN}] "GET /a HTTP/1.1" 200 12 "-" "x \"y\"" "5.6.7.8, 9.9.9.9" 0.040 0.012, 0.020 971211336.250"#
    );
    let format = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for" $request_time $upstream_response_time $msec"#;
    let wanted = "971211336 GET /a 200 Some(0.04)";
    assert_eq!(read(format, &line), wanted);
    let pasted = format!("log_format main '{format}';");
    assert_eq!(read(&pasted, &line), wanted);
    let only_upstream = r#"[$time_local] "$request" $status $upstream_response_time"#;
    let line = format!(r#"[{WHEN}] "GET /a HTTP/1.1" 200 0.012, 0.020"#);
    assert_eq!(
        read(only_upstream, &line),
        "971211336 GET /a 200 Some(0.032)"
    );
    let json = r#"{"time":"$time_iso8601","uri":"$request_uri","rt":$request_time}"#;
    let line = r#"{"time":"2000-10-10T13:55:36-07:00","uri":"/b","rt":0.5}"#;
    assert_eq!(read(json, line), "971211336 GET /b 0 Some(0.5)");
}

#[test]
fn apache_counts_micros_and_tomcat_millis() {
    let line = format!(r#"1.2.3.4 - - [{WHEN}] "GET /a HTTP/1.1" 200 10 40000"#);
    let format = r#"%h %l %u %t "%r" %>s %b %D"#;
    assert_eq!(read(format, &line), "971211336 GET /a 200 Some(0.04)");
    let tomcat = format!("tomcat:{format}");
    assert_eq!(read(&tomcat, &line), "971211336 GET /a 200 Some(40.0)");
    let pasted = r#"LogFormat "%h %l %u %t \"%r\" %>s %b %D" timed"#;
    assert_eq!(read(pasted, &line), "971211336 GET /a 200 Some(0.04)");
    let millis = r#"%h %l %u %t "%r" %>s %b %{ms}T"#;
    assert_eq!(read(millis, &line), "971211336 GET /a 200 Some(40.0)");
    let seconds = r#"%h %l %u %t "%r" %>s %b %T"#;
    let line = format!(r#"1.2.3.4 - - [{WHEN}] "GET /a HTTP/1.1" 200 10 2"#);
    assert_eq!(read(seconds, &line), "971211336 GET /a 200 Some(2.0)");
    let parted = r#"%v:%p %a %{%Y-%m-%d %H:%M:%S}t %m %U %>s %{User-Agent}i"#;
    let line = "shop:443 1.2.3.4 2000-10-10 20:55:36 POST /b 201 curl";
    assert_eq!(read(parted, line), "971211336 POST /b 201 None");
}

#[test]
fn envoy_and_haproxy_formats_read_their_lines() {
    let envoy = r#"[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %DURATION%"#;
    let line = r#"[2000-10-10T20:55:36.000Z] "GET /a HTTP/2" 200 226"#;
    assert_eq!(read(envoy, line), "971211336 GET /a 200 Some(0.226)");
    let haproxy = r#"%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %{+Q}r"#;
    let line = r#"1.2.3.4:5 [10/Oct/2000:20:55:36.655] in web/s1 10/0/30/69/109 200 2750 "GET /a HTTP/1.1""#;
    assert_eq!(read(haproxy, line), "request");
    let quoted = r#"%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B "%r""#;
    assert_eq!(read(quoted, line), "971211336 GET /a 200 Some(0.109)");
}

#[test]
fn a_format_that_says_too_little_is_refused() {
    let error = |text: &str| Pattern::parse(text).unwrap_err();
    assert_eq!(
        error(r#"$remote_addr "$request" $status"#),
        LogFormatError::NoTime
    );
    assert_eq!(error("[$time_local] $status"), LogFormatError::NoRequest);
    assert!(matches!(
        error("$time_local$request"),
        LogFormatError::Adjacent { .. }
    ));
    assert!(matches!(error("main"), LogFormatError::Unknown { .. }));
    assert!(matches!(
        error(r#"%t "%r" %"#),
        LogFormatError::Variable { .. }
    ));
    assert!(matches!(
        error(r#"%t "%r" %{fortnights}T"#),
        LogFormatError::Variable { .. }
    ));
}

#[test]
fn lines_of_another_format_are_unreadable() {
    assert_eq!(
        read("[$time_local] \"$request\" $status", "hello"),
        "unreadable"
    );
    let line = "[soon] \"GET / HTTP/1.1\" 200";
    assert_eq!(read("[$time_local] \"$request\" $status", line), "time");
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_format_or_is_refused_without_a_panic(text in ".{0,60}", line in ".{0,60}") {
        if let Ok(pattern) = Pattern::parse(&text) {
            let _ = pattern.read(line.as_bytes(), &mut CommonClock::default());
        }
    }

    #[test]
    fn formats_of_variables_never_panic(
        text in r#"(\$time_local|%t|%r|\$request|%\{[a-z]{0,3}\}?[a-zA-Z]?|%[<>0-9,!]{0,3}|[ "\[\]]|%REQ\(?|%ci|%Ta){0,8}"#,
        line in r#"[ "\[\],:0-9a-z/-]{0,60}"#,
    ) {
        if let Ok(pattern) = Pattern::parse(&text) {
            let _ = pattern.read(line.as_bytes(), &mut CommonClock::default());
        }
    }
}
