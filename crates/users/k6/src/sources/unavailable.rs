//! Modules of k6 that loadline does not have, and what a script can use instead.

use loadline_units::nearest;

/// What is missing and what to do instead, for a specifier of k6's that is no module
/// here; `None` for any other specifier.
pub(crate) fn reason(specifier: &str) -> Option<String> {
    if specifier != "k6" && !specifier.starts_with("k6/") {
        return None;
    }
    let known = TABLE
        .iter()
        .find(|(prefix, _)| match prefix.strip_suffix('*') {
            Some(prefix) => specifier.starts_with(prefix),
            None => specifier == *prefix,
        });
    let is_extension = specifier.starts_with("k6/x/");
    let meant = nearest(specifier, MODULES).filter(|_| !is_extension);
    let instead = match (known, meant) {
        (Some((_, instead)), None) => (*instead).to_owned(),
        (_, Some(meant)) => format!("k6 has no such module; did you mean \"{meant}\"?"),
        (None, None) => "k6 has no such module either; check its name".to_owned(),
    };
    Some(format!(
        "the module \"{specifier}\" is not available: {instead}"
    ))
}

/// Those there are.
const MODULES: [&str; 19] = [
    "k6",
    "k6/crypto",
    "k6/crypto/x509",
    "k6/data",
    "k6/encoding",
    "k6/execution",
    "k6/experimental/csv",
    "k6/experimental/fs",
    "k6/experimental/streams",
    "k6/experimental/websockets",
    "k6/html",
    "k6/http",
    "k6/metrics",
    "k6/net/grpc",
    "k6/secrets",
    "k6/timers",
    "k6/websockets",
    "k6/ws",
    "k6/x/sse",
];

/// Specifiers, `*` for anything, and what to do; the first that fits counts.
const TABLE: [(&str, &str); 10] = [
    (
        "k6/browser",
        "no browser is driven here; request the pages' back-end calls with k6/http",
    ),
    (
        "k6/experimental/browser",
        "no browser is driven here; request the pages' back-end calls with k6/http",
    ),
    (
        "k6/experimental/timers",
        "it was removed from k6; import the same names from k6/timers",
    ),
    (
        "k6/experimental/tracing",
        "it was removed from k6; set the trace headers in the params of k6/http requests",
    ),
    (
        "k6/experimental/webcrypto",
        "it was removed from k6; the global crypto has all of it",
    ),
    (
        "k6/experimental/redis",
        "k6/experimental/redis has been removed from k6 (its successor k6/x/redis is an extension); test the HTTP interface in front of the store with k6/http",
    ),
    (
        "k6/experimental/grpc",
        "it was removed from k6; import the same names from k6/net/grpc",
    ),
    (
        "k6/experimental/*",
        "k6 has csv, fs, streams and websockets under k6/experimental",
    ),
    ("k6/execution/*", "import what you need from k6/execution"),
    (
        "k6/x/*",
        "extensions of k6 are compiled into k6 and cannot be loaded here, only k6/x/sse is built in; use k6/http, or a library in plain JavaScript imported as a file or from https",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_modules_of_k6_are_spoken_of() {
        assert_eq!(reason("./k6/x.js"), None);
        assert_eq!(reason("lodash"), None);
        let text = reason("k6/x/sql").expect("an extension");
        assert!(
            text.contains("k6/x/sql") && text.contains("extensions"),
            "{text}"
        );
        let text = reason("k6/experimental/soon").expect("a module of k6");
        assert!(text.contains("csv, fs, streams"), "{text}");
        let text = reason("k6/htpp").expect("a slip of the finger");
        assert!(text.contains("did you mean \"k6/http\"?"), "{text}");
        let text = reason("k6/nosuch").expect("a name in k6's space");
        assert!(text.contains("check its name"), "{text}");
    }
}
