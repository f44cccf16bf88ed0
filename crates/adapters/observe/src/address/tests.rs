use super::*;

fn place(text: &str) -> Place {
    text.parse::<SourceAddress>().unwrap().place
}

#[test]
fn sources_are_named_by_how_they_begin() {
    assert!(matches!(place("pid:12"), Place::Process(12)));
    assert!(matches!(place("port:8080"), Place::Port(8080)));
    assert!(matches!(
        place("postgres://u@h/d"),
        Place::Postgres(_, Trust::Any)
    ));
    assert!(matches!(
        place("postgres://u@h/d?sslmode=verify-full&sslrootcert=/a/ca.pem"),
        Place::Postgres(_, Trust::Roots(Some(_)))
    ));
    assert!(matches!(place("redis://h:6379/0"), Place::Redis(_)));
    assert!(matches!(place("http://h:1/metrics"), Place::Page(_)));
    assert!(matches!(place("mysql://u@h:3306/d"), Place::Mysql(_)));
    assert!(matches!(place("mariadb://u@h"), Place::Mysql(_)));
    for (text, asked, labels) in [
        ("prometheus://h:9090", "http://h:9090/api/v1/query", ""),
        (
            "prometheus+https://h/prom/?match={job=\"a\"}",
            "https://h/prom/api/v1/query",
            "job=\"a\"",
        ),
        (
            "prometheus://h?match=job%3D~%22a|b%22,",
            "http://h/api/v1/query",
            "job=~\"a|b\"",
        ),
    ] {
        let Place::Prometheus { url, matchers } = place(text) else {
            panic!("{text}");
        };
        assert_eq!((url.masked().as_str(), matchers.as_str()), (asked, labels));
    }
    let Place::Remote { url, token } = place("remote://s3cret@h:7070") else {
        panic!("a remote host");
    };
    assert_eq!((url.host(), token.as_str()), ("h:7070", "s3cret"));
    for (text, address) in [
        ("otlp:4318", "127.0.0.1:4318"),
        ("otlp://0.0.0.0:4317", "0.0.0.0:4317"),
        ("otlp://[::1]:4317/", "[::1]:4317"),
    ] {
        let is_there = |place: &Place| matches!(place, Place::Otlp(receiver) if receiver.forward.is_none() && receiver.address.to_string() == address);
        assert!(is_there(&place(text)), "{text}");
    }
    let Place::Otlp(OtlpReceiver {
        forward: Some(to), ..
    }) = place("otlp:1?forward=http://c:4318")
    else {
        panic!("it is sent on");
    };
    assert_eq!(to.host(), "c:4318");
    assert!(matches!(place("log:a b.log"), Place::Log(_)));
    assert!(matches!(place("command:tail -f x"), Place::Command(_)));
}

#[test]
fn what_names_no_source_is_refused() {
    for wrong in [
        "log:",
        "command: ",
        "otlp:",
        "otlp:0",
        "otlp://4318",
        "otlp://h:4318",
        "otlp:4318?forward=collector",
        "pid:",
        "pid:0",
        "port:70000",
        "port:x",
        "http://",
        "h:1",
        "prometheus://",
        "prometheus://h?job=a",
        "loki://h:3100",
        "tempo://",
        "tempo://h?service=a",
        "tempo://h?query=a",
        "loki://h:3100?query=app",
        "loki://?query={app=\"a\"}",
        "remote://h:7070",
        "remote://t@h",
        "otlp:4318?tokn=a",
        "otlp:4318?token=",
        "otlp:4318?token=a b",
        "otlp:4318?token=ä",
        "mysql:h",
    ] {
        assert!(wrong.parse::<SourceAddress>().is_err(), "{wrong}");
    }
}

#[test]
fn a_receiver_that_others_reach_is_asked_for() {
    let opened = |text: &str| {
        let address: SourceAddress = text.parse().unwrap();
        address.opened().map(|address| address.to_string())
    };
    assert_eq!(opened("otlp:4318"), None);
    assert_eq!(opened("otlp://[::1]:4318"), None);
    assert_eq!(
        opened("otlp://0.0.0.0:4318?token=t"),
        Some("0.0.0.0:4318".to_owned())
    );
    assert_eq!(opened("otlp://0.0.0.0:4318?insecure&token=t"), None);
    let Place::Otlp(receiver) = place("otlp:1?token=t0k&forward=http://c:1/?a=b&insecure") else {
        panic!("no receiver");
    };
    assert_eq!(receiver.token.as_deref(), Some("t0k"));
    assert!(receiver.forward.is_some() && !receiver.is_insecure);
    let shown: SourceAddress = "otlp:1?token=t0ken".parse().unwrap();
    assert_eq!(shown.to_string(), "otlp:1?token=(redacted)");
}

#[test]
fn a_loki_is_named_with_its_query_and_tenant() {
    let place = |text: &str| text.parse::<SourceAddress>().unwrap().place;
    let Place::Loki { url, query, tenant } =
        place("loki+https://h/logs/?query={app=\"a\"} |= `x&y`&tenant=t")
    else {
        panic!("a Loki");
    };
    let asked = url.masked();
    assert_eq!(asked.as_str(), "https://h/logs/loki/api/v1/query_range");
    assert_eq!(query, "{app=\"a\"} |= `x&y`");
    assert_eq!(tenant.as_deref(), Some("t"));
}

#[test]
fn a_tempo_is_named_with_its_query_and_tenant() {
    let Place::Tempo { url, query, tenant } =
        place("tempo+https://h/tempo?query={resource.service.name=\"a\"}&tenant=t")
    else {
        panic!("a Tempo");
    };
    assert_eq!(url.masked().as_str(), "https://h/tempo/");
    assert_eq!(query, "{resource.service.name=\"a\"}");
    assert_eq!(tenant.as_deref(), Some("t"));
    assert!(matches!(place("tempo://h:3200"), Place::Tempo { query, .. } if query == "{}"));
}

#[test]
fn a_password_is_never_shown() {
    let address: SourceAddress = "http://ann:s3cret@h/metrics?token=abcd".parse().unwrap();
    assert_eq!(
        address.to_string(),
        "http://(redacted)@h/metrics?token=(redacted)"
    );
    let remote: SourceAddress = "remote://s3cret@h:7070".parse().unwrap();
    assert_eq!(remote.to_string(), "remote://(redacted)@h:7070");
    let error = "ftp://ann:s3cret@h".parse::<SourceAddress>().unwrap_err();
    assert!(!error.to_string().contains("s3cret"), "{error}");
}
