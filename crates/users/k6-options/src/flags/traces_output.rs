//! `--traces-output`: where traces go, in k6's syntax (`otel=URL,proto=http|grpc,header.NAME=VALUE`)
//! and with its error texts.
//!
//! k6 makes spans of browser pages alone: a test of any other kind sends none, wherever they
//! would go, and tests with a browser do not run here. So the settings are checked, as k6 does
//! once the test is loaded, and no one connects to the address.

use loadline_net::Url;

use super::log_output::pairs;

/// Checks what was written.
///
/// # Errors
/// k6's text.
pub fn check_traces_output(text: &str) -> Result<(), String> {
    if matches!(text, "none" | "otel") {
        return Ok(());
    }
    let kind = text.split_once('=').map_or(text, |(kind, _)| kind);
    if kind != "otel" {
        return Err(format!("invalid traces output {kind:?}"));
    }
    let pairs =
        pairs(text).map_err(|cause| format!("error while parsing otel configuration {cause}"))?;
    let (mut is_grpc, mut has_path) = (true, false);
    for (key, value) in pairs {
        match key {
            "otel" => {
                has_path = has_http_path(value)
                    .map_err(|cause| format!("couldn't parse the otel URL: {cause}"))?;
                is_grpc = false;
            }
            "proto" => {
                if !matches!(value, "http" | "grpc") {
                    return Err(format!(
                        "couldn't parse the otel proto: invalid protocol: {value:?}"
                    ));
                }
                is_grpc = value == "grpc";
            }
            _ if key.starts_with("header.") => {}
            _ => return Err(format!("unknown otel config key {key}")),
        }
    }
    if is_grpc && has_path {
        return Err("grpc protocol does not support URL path".to_owned());
    }
    Ok(())
}

fn has_http_path(text: &str) -> Result<bool, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("invalid URL scheme: {:?}", url.scheme()));
    }
    Ok(!url.path().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_k6_takes_is_taken() {
        for text in [
            "none",
            "otel",
            "otel=https://127.0.0.1:4318",
            "otel=http://127.0.0.1:4318,proto=grpc",
            "otel=http://127.0.0.1:4318/v1/traces,proto=http,header.Authorization=a b",
            "otel=http://127.0.0.1:4318/v1/traces,header.list=[1,2]",
        ] {
            assert_eq!(check_traces_output(text), Ok(()), "{text}");
        }
    }

    /// Each text is what k6 said.
    #[test]
    fn what_is_wrong_is_told_in_k6s_words() {
        for (text, message) in [
            ("", r#"invalid traces output """#),
            ("otelx", r#"invalid traces output "otelx""#),
            ("otel,proto=http", r#"invalid traces output "otel,proto""#),
            (
                "otel=127.0.0.1:4317",
                r#"couldn't parse the otel URL: parse "127.0.0.1:4317": first path segment in URL cannot contain colon"#,
            ),
            (
                "otel=http://a b",
                r#"couldn't parse the otel URL: parse "http://a b": invalid character " " in host name"#,
            ),
            (
                "otel=ftp://x",
                r#"couldn't parse the otel URL: invalid URL scheme: "ftp""#,
            ),
            (
                "otel=",
                "error while parsing otel configuration key `otel=` with no value",
            ),
            (
                "otel=[a",
                "error while parsing otel configuration array value for key `otel` didn't end",
            ),
            (
                "otel=http://a,proto=udp",
                r#"couldn't parse the otel proto: invalid protocol: "udp""#,
            ),
            ("otel=http://a,foo=bar", "unknown otel config key foo"),
            (
                "otel=http://a/v1/traces,proto=grpc",
                "grpc protocol does not support URL path",
            ),
        ] {
            assert_eq!(check_traces_output(text), Err(message.to_owned()), "{text}");
        }
    }
}
