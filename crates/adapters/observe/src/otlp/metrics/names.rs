//! What senders, metrics and labels are called: as OpenTelemetry's exporter for Prometheus names them.

use loadline_otlp::{AttributeValue, KeyValue, Resource, text};

/// What a sender is called: its instance, or the process on its host.
pub(in crate::otlp) fn instance(resource: &Resource) -> String {
    let attributes = &resource.attributes;
    let keys = [
        "k8s.pod.name",
        "service.instance.id",
        "host.name",
        "service.name",
    ];
    let mut names = keys.iter().map(|key| text(attributes, key));
    names.find(|name| !name.is_empty()).unwrap_or("").to_owned()
}

/// Names and values of what describes a point or a sender.
pub(super) fn labels(attributes: &[KeyValue]) -> Vec<(String, String)> {
    let label = |one: &KeyValue| {
        let value = match one.value()? {
            AttributeValue::String(text) => text.clone(),
            AttributeValue::Bool(is_so) => is_so.to_string(),
            AttributeValue::Int(number) => number.to_string(),
            AttributeValue::Double(number) => number.to_string(),
        };
        Some((plain(&one.key), value))
    };
    attributes.iter().filter_map(label).collect()
}

fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).collect()
}

/// `http.server.request.duration` in `s` is `http_server_request_duration_seconds`.
pub(super) fn prometheus_name(name: &str, unit: &str, is_counter: bool) -> String {
    let mut full = plain(name);
    let unit = match unit {
        "s" => "seconds",
        "ms" => "milliseconds",
        "By" => "bytes",
        _ => "",
    };
    if !unit.is_empty() && !full.ends_with(unit) {
        full.push('_');
        full.push_str(unit);
    }
    if is_counter && !full.ends_with("_total") {
        full.push_str("_total");
    }
    full
}
