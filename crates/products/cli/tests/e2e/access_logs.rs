//! `plan --log`: which field is the time of a request, why, and what is refused.

use crate::common::{loadline, script, stderr, stdout};

/// Lines of a log, a second apart, from nine addresses; `{ip}`, `{at}` and `{utc}` are filled in.
fn log(name: &str, form: &str) -> String {
    let lines = (0..60).map(|second| {
        let line = form.replace("{ip}", &format!("10.0.0.{}", second % 9));
        let line = line.replace("{at}", &format!("23/Oct/2026:09:00:{second:02}"));
        let line = line.replace("{utc}", &format!("2026-10-23T00:00:{second:02}.000Z"));
        let line = line.replace("{epoch}", &(1_792_713_600 + second).to_string());
        line + "\n"
    });
    let text: String = lines.collect();
    let path = script(name, &text);
    path.to_str().unwrap().to_owned()
}

fn combined(name: &str, added: &str) -> String {
    let start = r#"{ip} - - [{at} +0900] "GET /a HTTP/1.1" 200 10"#;
    log(name, &format!("{start}{added}"))
}

/// What `plan` says of a log; `p50` of its one endpoint, if it has one.
fn planned(file: &str, more: &[&str]) -> (String, Option<f64>) {
    let args = [&["plan", "--log", file, "--json"], more].concat();
    let output = loadline(&args);
    let plan: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let p50 = plan["history"]["endpoints"][0]["p50_ms"].as_f64();
    let args = [&["plan", "--log", file], more].concat();
    (stdout(&loadline(&args)), p50)
}

/// Seen: a think time of 20 s instead of 5 s of two servers' logs, and false pauses of a newer file named first.
#[test]
fn files_in_any_order_and_of_several_servers_give_the_same_plan() {
    let line = |second: u32| {
        let (client, minute, second) = (second % 7, second / 60, second % 60);
        format!(
            "10.0.0.{client} - - [23/Oct/2026:09:{minute:02}:{second:02} +0900] \"GET /a HTTP/1.1\" 200 1\n"
        )
    };
    let lines: Vec<String> = (0..1800).map(line).collect();
    let (old, new) = lines.split_at(900);
    let dealt = |rest: usize| -> String {
        let of_one = lines.iter().skip(rest).step_by(2);
        of_one.map(String::as_str).collect()
    };
    let files = [
        ("order-all.log", lines.concat()),
        ("order-old.log", old.concat()),
        ("order-new.log", new.concat()),
        ("order-one.log", dealt(0)),
        ("order-two.log", dealt(1)),
    ];
    let [all, old, new, one, two] =
        files.map(|(name, text)| script(name, &text).to_str().unwrap().to_owned());
    let behaviour = |files: &[&String]| {
        let names = files.iter().map(|name| name.as_str());
        let args: Vec<&str> = ["plan", "--json", "--log"]
            .into_iter()
            .chain(names)
            .collect();
        let plan: serde_json::Value = serde_json::from_str(&stdout(&loadline(&args))).unwrap();
        let history = &plan["history"];
        let of_people = ["sessions", "think_time_s", "retry_share", "busiest_second"];
        of_people.map(|name| history[name].to_string()).join(" ")
    };
    let whole = behaviour(&[&all]);
    assert!(whole.starts_with("7.0 7.0 0.0 "), "{whole}");
    for files in [[&old, &new], [&new, &old], [&one, &two], [&two, &one]] {
        assert_eq!(behaviour(&files), whole, "{files:?}");
    }
}

/// Seen: "look at a line of the log" of a field that no line has; a unit in brackets was not read.
#[test]
fn fields_are_named_and_units_of_their_names_are_read() {
    let row = "{utc},GET,/a,200,40";
    let file = log("fields.csv", row);
    let rows = std::fs::read_to_string(&file).unwrap();
    for head in ["duration(ms)", "Response Time [ms]", "time_taken (ms)"] {
        let heading = format!("time,method,path,status,{head}\n");
        std::fs::write(&file, heading + &rows).unwrap();
        let (text, p50) = planned(&file, &[]);
        assert_eq!(p50.map(f64::round), Some(40.0), "{text}");
        assert!(text.contains(&format!("`{head}`, in ms")), "{text}");
    }
    let output = loadline(&["plan", "--log", &file, "--log-fields", "duration=took:ms"]);
    let told = stderr(&output);
    assert!(
        told.contains("its fields are: time, method, path, status"),
        "{told}"
    );
}

const AGENT: &str = r#" "-" "Mozilla/5.0""#;

/// Seen: p50 "1,792,714,199,500 ms" of `$msec`, an upstream list's first, a version as 1,100 ms.
#[test]
fn the_time_of_a_request_is_named_with_its_reason() {
    for (name, added, ms, told) in [
        ("msec", " {epoch}.000 0.040", 40.0, "with `0.040`, in s"),
        ("list", " 0.050 0.012, 0.034", 50.0, "with `0.050`, in s"),
        ("upstream", " 0.012, 0.034", 46.0, "servers behind"),
        ("quoted", " \"0.040\"", 40.0, "with `0.040`, in s"),
        ("comma", " 0,040", 40.0, "with `0,040`, in s"),
        (
            "named",
            " duration=40ms",
            40.0,
            "`duration`: its values have a unit",
        ),
        ("unit", " 12ms", 12.0, "`12ms`: its values have a unit"),
        (
            "rt",
            " rt=0.040 uct=\"0.001\" urt=\"0.038\"",
            40.0,
            "`rt`, in s",
        ),
    ] {
        let file = combined(&format!("time-{name}.log"), &format!("{AGENT}{added}"));
        let (text, p50) = planned(&file, &[]);
        let p50 = p50.unwrap_or_else(|| panic!("{name}: {text}"));
        assert!((p50 - ms).abs() < ms * 0.01, "{name}: {p50}");
        assert!(text.contains(told), "{name}: {text}");
    }
}

#[test]
fn what_may_be_something_else_is_refused_with_its_reason() {
    for (name, added, told) in [
        ("msec", "AGENT {epoch}.000", "it is the time of day"),
        ("version", "AGENT 1.1", "versions and ratios look like it"),
        ("d", " 40000", "they may be µs, ms, s"),
        ("whole", "AGENT duration=40", "nothing says its unit"),
        ("none", "AGENT", "none in the log"),
    ] {
        let added = added.replace("AGENT", AGENT);
        let file = combined(&format!("no-time-{name}.log"), &added);
        let (text, p50) = planned(&file, &[]);
        assert_eq!(p50, None, "{name}: {text}");
        assert!(text.contains(told), "{name}: {text}");
    }
    let file = combined("no-time-ko.log", " 40000");
    let (text, _) = planned(&file, &["--lang", "ko"]);
    assert!(text.contains("응답 시간으로 보지 않았습니다"), "{text}");
}

#[test]
fn a_format_says_what_a_field_is() {
    let timed = combined("format-d.log", " 40000");
    let apache = r#"%h %l %u %t "%r" %>s %b %D"#;
    assert_eq!(planned(&timed, &["--log-format", apache]).1, Some(40.0));
    let (text, p50) = planned(&timed, &["--log-format", &format!("tomcat:{apache}")]);
    assert_eq!(p50, Some(40_000.0), "{text}");
    let seconds = apache.replace("%D", "%T");
    let (text, p50) = planned(&timed, &["--log-format", &seconds]);
    assert_eq!(p50, None, "{text}");
    assert!(text.contains("the log is 60 s long"), "{text}");
    let nginx = combined("format-nginx.log", &format!("{AGENT} {{epoch}}.000 0.040"));
    let format = r#"log_format main '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $msec $request_time';"#;
    let (text, p50) = planned(&nginx, &["--log-format", format]);
    assert!(p50.is_some_and(|p50| (p50 - 40.0).abs() < 0.2), "{text}");
    assert!(text.contains("2026-10-23 09:00:00"), "{text}");
    for (format, told) in [
        ("main", "neither a format string"),
        ("$remote_addr $request", "no time of day"),
        ("%h %t", "neither a request nor a path"),
        ("%t%r", "nothing stands between"),
        (r#"%t "%r" %{fortnights}T"#, "is no variable that is known"),
    ] {
        let output = loadline(&["plan", "--log", &timed, "--log-format", format]);
        let said = stderr(&output);
        assert!(said.contains(told), "{format}: {said}");
        assert_eq!(output.status.code(), Some(2), "{format}");
    }
}

#[test]
fn logs_of_proxies_and_clouds_are_known() {
    let lines = [
        (
            "caddy",
            r#"{"ts":{epoch}.25,"request":{"remote_ip":"{ip}","method":"GET","uri":"/a","headers":{}},"duration":0.04,"status":200}"#,
        ),
        (
            "traefik",
            r#"{"ClientHost":"{ip}","DownstreamStatus":200,"Duration":40000000,"RequestMethod":"GET","RequestPath":"/a","time":"{utc}"}"#,
        ),
        (
            "traefik-clf",
            r#"{ip} - - [{at} +0900] "GET /a HTTP/1.1" 200 12 "-" "-" 1 "web@docker" "http://10.0.0.2:80" 40ms"#,
        ),
        (
            "envoy",
            r#"[{utc}] "GET /a HTTP/2" 200 - 154 0 40 39 "{ip}" "agent" "id" "host" "tcp://10.0.2.1:80""#,
        ),
        (
            "haproxy",
            r#"Oct 23 09:00:00 lb haproxy[1]: {ip}:333 [{at}.655] in web/s1 1/0/3/6/40 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /a HTTP/1.1""#,
        ),
        (
            "elb",
            r#"{utc} lb {ip}:2817 10.0.0.1:80 0.001 0.038 0.001 200 200 0 29 "GET http://e.com:80/a HTTP/1.1" "curl" - -"#,
        ),
        (
            "alb",
            r#"https {utc} app/lb/1 {ip}:2817 10.0.0.1:80 0.001 0.040 0.000 200 200 0 57 "GET https://e.com:443/a HTTP/1.1" "curl" ECDHE TLSv1.2"#,
        ),
    ];
    for (name, line) in lines {
        let file = log(&format!("known-{name}.log"), line);
        let (text, p50) = planned(&file, &[]);
        assert!(
            p50.is_some_and(|p50| (p50 - 40.0).abs() < 0.2),
            "{name}: {text}"
        );
        assert!(text.contains("GET /a"), "{name}: {text}");
    }
    let unknown = log(
        "known-json.log",
        r#"{"when":"{utc}","uri":"/a","took":40,"who":"{ip}"}"#,
    );
    let fields = ["--log-fields", "time=when,duration=took:ms,client=who"];
    let (text, p50) = planned(&unknown, &fields);
    assert_eq!(p50, Some(40.0), "{text}");
}

/// Seen: `vhost_combined` had one session for everybody, and a proxy's address was a person.
#[test]
fn clients_behind_names_and_proxies_are_told_apart() {
    let vhost = log(
        "vhost.log",
        r#"shop.example:443 {ip} - - [{at} +0900] "GET /a HTTP/1.1" 200 10 "-" "curl""#,
    );
    let (text, _) = planned(&vhost, &[]);
    assert!(text.contains("sessions        9,"), "{text}");
    let forwarded = log(
        "forwarded.log",
        r#"10.0.0.1 - - [{at} +0900] "GET /a HTTP/1.1" 200 10 "-" "curl" "{ip}, 10.9.9.9""#,
    );
    let (text, _) = planned(&forwarded, &[]);
    assert!(text.contains("sessions        9,"), "{text}");
    let single = log(
        "one-address.log",
        r#"10.0.0.1 - - [{at} +0900] "GET /a HTTP/1.1" 200 10 "-" "curl""#,
    );
    let (text, _) = planned(&single, &[]);
    assert!(
        text.contains("all requests come from one address"),
        "{text}"
    );
}

/// Seen: "response times none in the log", and no word of the name.
#[test]
fn a_field_that_no_line_has_is_named() {
    let json = log(
        "misnamed.log",
        r#"{"time":"{utc}","method":"GET","path":"/a","status":200,"took":40}"#,
    );
    let flags = ["plan", "--log", &json, "--log-fields", "duration=tok:ms"];
    let output = loadline(&flags);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("has a field `tok`, which --log-fields names"),
        "{said}"
    );
    // Seen: of `path` "left out, no request that can be read", and `of 1 file ()`.
    let fields = "time=tiem,path=paht,status=status,client=who";
    let output = loadline(&["plan", "--log", &json, "--log-fields", fields]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("has a field `tiem`, `paht`, `who`"), "{said}");
    let table = script("misnamed.csv", "zeit;pfad\n2026-10-23T00:00:00Z;/a\n");
    let table = table.to_str().unwrap();
    let output = loadline(&["plan", "--log", table, "--log-fields", "time=zeit,path=weg"]);
    let said = stderr(&output);
    assert!(said.contains("has a field `weg`"), "{said}");
    let right = ["plan", "--log", &json, "--log-fields", "duration=took:ms"];
    assert_eq!(loadline(&right).status.code(), Some(0));
}

/// Seen: "0 requests in 0 lines of 1 file ()".
#[test]
fn a_log_without_a_line_is_told_to_be_so() {
    for (name, text) in [("empty.log", ""), ("comments.log", "#Version: 1.0\n")] {
        let file = script(name, text);
        let file = file.to_str().unwrap();
        let output = loadline(&["plan", "--log", file]);
        let said = stderr(&output) + &stdout(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("there is no line of a log in"), "{said}");
        assert!(!said.contains("()"), "{said}");
    }
    let other = script("other.log", "nothing of any form\n");
    let output = loadline(&["plan", "--log", other.to_str().unwrap()]);
    let said = stdout(&output);
    assert!(said.contains("no request in 1 line of 1 file\n"), "{said}");
}

/// Seen: 10:00 at +09:00, and nothing said so; times without a zone as if they were in UTC.
#[test]
fn the_zone_of_a_logs_times_is_told() {
    let start = r#"{"time":"{TIME}","path":"/a","status":200}"#;
    for (name, time, zone, told) in [
        ("utc", "{utc}", Some("UTC"), "(UTC)"),
        ("epoch", "{epoch}", Some("UTC"), "(UTC)"),
        (
            "seoul",
            "2026-10-23T09:00:00+09:00",
            Some("+09:00"),
            "(+09:00)",
        ),
        (
            "delhi",
            "2026-10-23T09:00:00-05:30",
            Some("-05:30"),
            "(-05:30)",
        ),
        (
            "none",
            "2026-10-23 09:00:00",
            None,
            "(no zone in the log: taken for UTC)",
        ),
    ] {
        let file = log(&format!("zone-{name}.log"), &start.replace("{TIME}", time));
        let (text, _) = planned(&file, &[]);
        assert!(text.contains(told), "{name}: {text}");
        let output = loadline(&["plan", "--log", &file, "--json"]);
        let plan: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(plan["history"]["zone"].as_str(), zone, "{name}");
    }
}
