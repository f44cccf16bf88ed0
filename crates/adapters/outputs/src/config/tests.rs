use std::collections::BTreeMap;

use super::*;

fn read(out: &str, env: &[(&str, &str)]) -> Result<OutputConfig, ConfigError> {
    let env: BTreeMap<String, String> = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    OutputConfig::read(out, &env)
}

fn influx(out: &str, env: &[(&str, &str)]) -> InfluxDb {
    match read(out, env).unwrap().kind {
        OutputKind::InfluxDb(config) => config,
        other => panic!("{other:?}"),
    }
}

#[test]
fn mistakes_are_said_in_k6s_words() {
    for (out, env, words) in [
        (
            "foo",
            &[][..],
            "invalid output type 'foo', available types are: csv, experimental-opentelemetry, experimental-prometheus-rw, influxdb, json, opentelemetry",
        ),
        (
            "csv=foo=1",
            &[],
            "could not create the 'csv' output: unknown key \"foo\" as argument for csv output",
        ),
        (
            "csv=timeFormat=zz",
            &[],
            "could not create the 'csv' output: zz does not belong to TimeFormat values",
        ),
        (
            "influxdb=http://x/?nope=1",
            &[],
            "could not create the 'influxdb' output: unknown query parameter: nope",
        ),
        (
            "influxdb=http://x/?concurrentWrites=0",
            &[],
            "could not create the 'influxdb' output: influxdb's ConcurrentWrites must be a positive number",
        ),
        (
            "influxdb",
            &[("K6_INFLUXDB_TAGS_AS_FIELDS", "vu:int,vu")],
            "could not create the 'influxdb' output: a tag name (vu) shows up more than once in InfluxDB field type configurations",
        ),
        (
            "opentelemetry",
            &[("K6_OTEL_EXPORTER_PROTOCOL", "udp")],
            "could not create the 'opentelemetry' output: error validating OpenTelemetry output config: unsupported exporter protocol \"udp\", only \"grpc\" and \"http/protobuf\" are supported",
        ),
        (
            "experimental-prometheus-rw",
            &[("K6_PROMETHEUS_RW_TREND_STATS", "p(101)")],
            "could not create the 'experimental-prometheus-rw' output: invalid trend stat 'p(101)', please use count, avg, min, med, max, sum or p(N)",
        ),
    ] {
        let error = read(out, env).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn an_influxdb_argument_overrides_the_environment() {
    let env = [
        ("K6_INFLUXDB_ADDR", "http://elsewhere:1"),
        ("K6_INFLUXDB_DB", "other"),
        ("K6_INFLUXDB_RETENTION", "week"),
    ];
    let config = influx("influxdb=http://me:p%40ss@host:8086/my+db", &env);
    assert_eq!(config.address, "http://host:8086");
    let written = config.write_url.without_password();
    assert_eq!(
        written,
        "http://host:8086/write?db=my%2Bdb&precision=ns&rp=week"
    );
    assert!(
        config
            .fields
            .iter()
            .any(|(name, _)| name == "Authorization")
    );
    let config = influx("influxdb", &env);
    assert_eq!(config.address, "http://elsewhere:1");
    assert_eq!(config.tags_as_fields.len(), 3);
}

#[test]
fn descriptions_are_k6s() {
    for (out, env, description) in [
        ("json=a.json", &[][..], "json (a.json)"),
        ("json", &[], "json (-)"),
        ("csv", &[], "csv (file.csv)"),
        ("csv=-", &[], "csv (stdout)"),
        ("csv=fileName=b.csv,saveInterval=2s", &[], "csv (b.csv)"),
        (
            "influxdb=http://u:p@127.0.0.1:8086/x",
            &[],
            "InfluxDBv1 (http://127.0.0.1:8086)",
        ),
        (
            "experimental-prometheus-rw",
            &[],
            "Prometheus remote write (http://localhost:9090/api/v1/write)",
        ),
        (
            "opentelemetry",
            &[("K6_OTEL_GRPC_EXPORTER_INSECURE", "true")],
            "opentelemetry (grpc (insecure), localhost:4317)",
        ),
        (
            "opentelemetry",
            &[("K6_OTEL_EXPORTER_TYPE", "http")],
            "opentelemetry (http/protobuf, https://localhost:4318/v1/metrics)",
        ),
    ] {
        assert_eq!(read(out, env).unwrap().description(), description, "{out}");
    }
}

#[test]
fn what_prometheus_is_told_comes_from_the_environment() {
    let env = [
        ("K6_PROMETHEUS_RW_TREND_STATS", "p(99.9),count,sum"),
        ("K6_PROMETHEUS_RW_HEADERS_X-Scope", "7"),
        ("K6_PROMETHEUS_RW_HTTP_HEADERS", "a:b,c:d"),
        ("K6_PROMETHEUS_RW_PUSH_INTERVAL", "2s"),
        ("K6_PROMETHEUS_RW_USERNAME", "me"),
    ];
    let OutputKind::PrometheusRw(config) = read("experimental-prometheus-rw", &env).unwrap().kind
    else {
        panic!("another output");
    };
    let suffixes: Vec<&str> = config.trend_stats.iter().map(|(name, _)| &**name).collect();
    assert_eq!(suffixes, ["p999", "count", "sum"]);
    assert_eq!(config.push_interval, std::time::Duration::from_secs(2));
    let names: Vec<&str> = config.fields.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["Authorization", "X-Scope", "a", "c"]);
}

#[test]
fn a_name_and_a_password_make_a_header() {
    let credentials = [
        ("K6_OTEL_EXPORTER_PROTOCOL", "http/protobuf"),
        ("K6_OTEL_HTTP_EXPORTER_USERNAME", "user"),
        ("K6_OTEL_HTTP_EXPORTER_PASSWORD", "pass"),
    ];
    let OutputKind::OpenTelemetry(config) = read("opentelemetry", &credentials).unwrap().kind
    else {
        panic!("another kind");
    };
    let header = ("Authorization".to_owned(), "Basic dXNlcjpwYXNz".to_owned());
    assert!(config.fields.contains(&header), "{:?}", config.fields);
    let OutputKind::OpenTelemetry(config) = read("opentelemetry", &credentials[1..]).unwrap().kind
    else {
        panic!("another kind");
    };
    assert!(
        !config
            .fields
            .iter()
            .any(|(name, _)| name == "Authorization")
    );
}
