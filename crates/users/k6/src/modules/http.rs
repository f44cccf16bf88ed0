//! `k6/http`: requests and their responses.
//!
//! This file has the exports. `read_target`, `params` and `body` read arguments, `send` and
//! `batch` send requests (`job`), `samples` records each exchange (`hop`). `response` makes what
//! scripts get back: an `answer` in the shape of `response_object`, which `json` and `page` read.
//! `user` is what the module keeps of a user; `install` makes the classes of a realm. The other
//! files hold small objects.

mod answer;
mod answer_tags;
mod batch;
mod body;
mod body_sample;
mod callback;
mod cookies;
mod cut;
mod cut_job;
mod expected_statuses;
mod file;
mod headers;
mod hop;
mod install;
mod iterations;
mod jar;
mod job;
mod json;
mod json_path;
mod page;
mod params;
mod prototypes;
mod read_target;
mod response;
mod response_object;
mod samples;
mod send;
mod spares;
mod target;
mod url;
mod user;

use loadline_js::{Args, Ctx, Exception, Exports, Value};

use crate::host::Host;
pub(super) use headers::headers_of;
pub(super) use install::install_prototypes;
pub(super) use jar::{Jar, JarObject, wall_now};
pub(super) use params::{BadParams, timeout_of};
pub(super) use samples::{count_troubles, millis};
pub(super) use user::HttpUser;

/// k6's names of TLS versions and of what OCSP may say.
const CONSTANTS: [(&str, &str); 18] = [
    ("TLS_1_0", "tls1.0"),
    ("TLS_1_1", "tls1.1"),
    ("TLS_1_2", "tls1.2"),
    ("TLS_1_3", "tls1.3"),
    ("OCSP_STATUS_GOOD", "good"),
    ("OCSP_STATUS_REVOKED", "revoked"),
    ("OCSP_STATUS_SERVER_FAILED", "server_failed"),
    ("OCSP_STATUS_UNKNOWN", "unknown"),
    ("OCSP_REASON_UNSPECIFIED", "unspecified"),
    ("OCSP_REASON_KEY_COMPROMISE", "key_compromise"),
    ("OCSP_REASON_CA_COMPROMISE", "ca_compromise"),
    ("OCSP_REASON_AFFILIATION_CHANGED", "affiliation_changed"),
    ("OCSP_REASON_SUPERSEDED", "superseded"),
    (
        "OCSP_REASON_CESSATION_OF_OPERATION",
        "cessation_of_operation",
    ),
    ("OCSP_REASON_CERTIFICATE_HOLD", "certificate_hold"),
    ("OCSP_REASON_REMOVE_FROM_CRL", "remove_from_crl"),
    ("OCSP_REASON_PRIVILEGE_WITHDRAWN", "privilege_withdrawn"),
    ("OCSP_REASON_AA_COMPROMISE", "aa_compromise"),
];

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let shapes = install_prototypes(ctx)?;
    let mut exports = Exports::new();
    for (name, method) in [("get", "GET"), ("head", "HEAD")] {
        let function = ctx.function(name, 2, move |ctx, args| bodiless(ctx, args, method))?;
        exports.add(name, function);
    }
    let with_body = [
        ("post", "POST"),
        ("put", "PUT"),
        ("patch", "PATCH"),
        ("del", "DELETE"),
        ("options", "OPTIONS"),
    ];
    for (name, method) in with_body {
        let function = ctx.function(name, 3, move |ctx, args| {
            let (url, body, params) = (args.get(0), args.get(1), args.get(2));
            send::request(ctx, method, &url, &body, &params)
        })?;
        exports.add(name, function);
    }
    exports.add("request", ctx.function("request", 4, request)?);
    exports.add(
        "asyncRequest",
        ctx.function("asyncRequest", 4, async_request)?,
    );
    exports.add("batch", ctx.function("batch", 1, batch::batch)?);
    exports.add("url", ctx.function("url", 1, url::template)?);
    exports.add("file", ctx.function("file", 3, file::file)?);
    exports.add("cookieJar", ctx.function("cookieJar", 0, cookies::of_user)?);
    exports.add("CookieJar", shapes.jar_class.constructor.clone());
    exports.add(
        "expectedStatuses",
        ctx.function("expectedStatuses", 1, expected_statuses::expected_statuses)?,
    );
    exports.add(
        "setResponseCallback",
        ctx.function("setResponseCallback", 1, expected_statuses::set)?,
    );
    for (name, value) in CONSTANTS {
        exports.add(name, ctx.string(value)?);
    }
    Ok(exports)
}

/// `get(url, params?)`, `head(url, params?)`
fn bodiless(ctx: &Ctx, args: &Args<'_>, method: &'static str) -> Result<Value, Exception> {
    if args.len() > 2 {
        Host::from_ctx(ctx).log(
            crate::log::LogLevel::Warning,
            format!(
                "http.{} only accepts a url and a params argument (2 arguments), but {} were given",
                method.to_ascii_lowercase(),
                args.len()
            ),
        );
    }
    send::request(ctx, method, &args.get(0), &ctx.undefined(), &args.get(1))
}

fn request(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let method = method_of(&args.get(0))?;
    send::request(ctx, &method, &args.get(1), &args.get(2), &args.get(3))
}

fn async_request(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let method = method_of(&args.get(0))?;
    send::request_async(ctx, &method, &args.get(1), &args.get(2), &args.get(3))
}

/// The method as the script names it; without a name the request is a GET.
fn method_of(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok(String::new());
    }
    value.to_text()
}
