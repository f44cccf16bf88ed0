//! What is found in files before they run.

use loadline_artillery::load::{LoadRequest, load};

/// Line and text of what is found in a file.
fn found(text: &str) -> Vec<String> {
    let request = LoadRequest {
        files: vec!["t.yml".to_owned()],
        working_dir: env!("CARGO_MANIFEST_DIR").into(),
        inline: Some(text.to_owned()),
        ..LoadRequest::default()
    };
    let findings = load(&request).findings.into_iter();
    findings
        .map(|finding| format!("{}: {}", finding.mark.line, finding.kind))
        .collect()
}

/// What is found in one step of a flow, on line 5 and below.
fn in_step(step: &str) -> Vec<String> {
    found(&format!(
        "config: {{target: 'http://h', phases: [{{duration: 1, arrivalRate: 1}}]}}\nscenarios:\n  -\n    flow:\n      - {step}\n"
    ))
}

#[test]
fn steps_that_cannot_be_meant_are_told() {
    assert_eq!(
        in_step("get: {url: pets}"),
        ["5: `pets` begins neither with `/` nor with a scheme"]
    );
    assert_eq!(
        in_step("get: {url: '/{{ id'}"),
        ["5: `{{` without `}}` in `/{{ id`"]
    );
    assert_eq!(
        in_step("get: {url: '/{{ $randomInt(1,10) }}'}"),
        ["5: there is no function `$randomInt`"]
    );
    assert_eq!(in_step("gte: {url: /}"), ["5: `gte` is not an HTTP method"]);
    assert_eq!(
        in_step("loop: [{get: {url: /}}]"),
        ["5: a loop without count, over or whileTrue never ends"]
    );
    assert_eq!(
        in_step("get: {url: /, expect: {statusCode: 200}}"),
        ["5: `expect` checks nothing without `config.plugins.expect`"]
    );
    assert_eq!(
        in_step("get: {url: /, beforeRequest: sign}"),
        ["5: `sign` is a function of a processor, and `config.processor` is missing"]
    );
    assert_eq!(
        in_step("get: {url: '/{{ $environment }}/{{ $randomNumber(1, 5) }}'}"),
        [""; 0]
    );
}

#[test]
fn checks_that_can_never_hold_are_told() {
    let file = |ensure: &str| {
        found(&format!(
            "$schema: x\nconfig:\n  target: http://h\n  {ensure}\n  phases: [{{duration: 1, arrivalRate: 1}}]\nscenarios: [{{flow: [{{get: {{url: /}}}}]}}]\n"
        ))
    };
    assert_eq!(
        file("plugins: {ensure: {thresholds: [{http.respons_time.p95: 5}]}}"),
        ["4: `http.respons_time.p95` is none of Artillery's metrics"]
    );
    assert_eq!(
        file("ensure: {thresholds: [{http.response_time.p95: 5}]}"),
        ["4: `ensure` checks nothing without `config.plugins.ensure`"]
    );
}

#[test]
fn weights_and_files_that_are_no_use_are_told() {
    assert_eq!(
        found(
            "config: {target: 'http://h', processor: no.js, phases: [{duration: 1, arrivalRate: 1}]}\nscenarios:\n  - weight: much\n    flow: [{function: f}]\n"
        ),
        [
            "1: the processor `no.js` cannot be read: No such file or directory (os error 2)",
            "3: `weight: much` is not a number and counts as 0",
        ]
    );
}

#[test]
fn a_step_in_a_request_is_never_told_to_stand_beside_it() {
    assert_eq!(
        in_step("post: {url: /, json: {a: 1}, think: 2}"),
        ["5: `think` in a request is a step of its own"]
    );
}

#[test]
fn events_belong_to_flows_of_socket_io() {
    assert_eq!(
        in_step("emit: {channel: a, data: b}"),
        ["5: `emit` cannot be run: it is a step of `engine: socketio`"]
    );
    let file = |flow: &str| {
        found(&format!(
            "config: {{target: 'http://h', phases: [{{duration: 1, arrivalRate: 1}}], socketio: {{pth: /x}}}}\nscenarios:\n  - engine: socketio\n    beforeRequest: f\n    flow:\n      - {flow}\n"
        ))
    };
    assert_eq!(
        file("emit: {data: b}"),
        [
            "1: `pth` is not known under config.socketio",
            "4: `beforeRequest` is ignored: Artillery ignores it too",
            "6: `channel` is missing in emit",
        ]
    );
}

#[test]
fn what_is_published_nowhere_is_told() {
    let file = |plugin: &str| {
        found(&format!(
            "config:\n  target: http://h\n  plugins: {{publish-metrics: [{plugin}]}}\n  phases: [{{duration: 1, arrivalRate: 1}}]\nscenarios: [{{flow: [{{get: {{url: /}}}}]}}]\n"
        ))
    };
    let none: [&str; 0] = [];
    assert_eq!(file("{type: statsd, tags: ['a:b']}, {type: datadog}"), none);
    let ignored =
        "is ignored: its service is not sent to; statsd, prometheus and open-telemetry are";
    assert_eq!(
        file("{type: datadog, apiKey: k}, {type: cloudwatch}"),
        [
            format!("3: `type: datadog` {ignored}"),
            format!("3: `type: cloudwatch` {ignored}"),
        ]
    );
    assert_eq!(
        file("{type: prometheus}"),
        ["3: `pushgateway` is missing in plugins.publish-metrics"]
    );
    assert_eq!(
        file("{type: open-telemetry, traces: {}, metrics: {exporter: zipkin}}"),
        [
            "3: `traces` is ignored: requests are not traced; metrics are published",
            "3: `exporter` cannot be `zipkin`: otlp-http, otlp-proto or otlp-grpc",
        ]
    );
}

#[test]
fn certificates_are_texts() {
    let file = |tls: &str| {
        found(&format!(
            "config: {{target: 'https://h', tls: {tls}, phases: [{{duration: 1, arrivalRate: 1}}]}}\nscenarios: [{{flow: [{{get: {{url: /}}}}]}}]\n"
        ))
    };
    assert_eq!(
        file("{ca: ./ca.pem}"),
        ["1: `ca` cannot be `./ca.pem`: the PEM text itself is needed"]
    );
    assert_eq!(
        file("{pfx: x}"),
        ["1: `pfx` cannot be run: PKCS#12 is not read; give `certificate` and `key` as PEM texts"]
    );
}

/// Seen: what was wrong below `scenarois` came out on the next run only.
#[test]
fn what_is_wrong_below_a_misspelt_key_is_told_with_it() {
    let told = found(
        "config: {target: 'http://h', phases: [{duration: 1, arivalRate: many}]}\nscenarois:\n  -\n    flow:\n      - get: {url: /}\n      - get: {ulr: /}\n",
    );
    let told = told.join("\n");
    for part in [
        "1: `arivalRate`",
        "1: `arrivalRate` is a text",
        "2: `scenarois`",
        "6: `url` is missing",
        "6: `ulr`",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}
