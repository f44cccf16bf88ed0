//! `k6/http`: requests and their responses.
//!
//! This file has the exports. `target`, `params` and `body` read arguments, `send` and `batch`
//! send requests, `samples` records them, `response` and `json` are what scripts get back. The
//! other files hold small objects.

mod batch;
mod body;
mod callback;
mod cookies;
mod cut;
mod file;
mod go_text;
mod json;
mod json_path;
mod page;
mod params;
mod response;
mod samples;
mod send;
mod target;
mod url;
mod user;

use loadline_js::{Args, Ctx, Exception, Exports, Value};

use super::go_error;
use crate::host::Host;
pub(super) use cookies::JarObject;
pub(crate) use go_text::type_name as go_type_name;
pub(super) use params::{BadParams, timeout_of};
pub(super) use response::headers_of;
pub(super) use samples::{count_troubles, millis};
pub(super) use user::Prototypes;
pub(super) use user::{HttpUser, Jar, wall_now};

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
    let shapes = Prototypes::install(ctx)?;
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
        ctx.function("expectedStatuses", 1, callback::expected_statuses)?,
    );
    exports.add(
        "setResponseCallback",
        ctx.function("setResponseCallback", 1, callback::set)?,
    );
    for (name, value) in CONSTANTS {
        exports.add(name, ctx.string(value)?);
    }
    Ok(exports)
}

/// `get(url, params?)`, `head(url, params?)`
fn bodiless(ctx: &Ctx, args: &Args<'_>, method: &'static str) -> Result<Value, Exception> {
    if args.len() > 2 {
        Host::of(ctx).log(
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

/// Fails in init code.
fn require_running(ctx: &Ctx, what: &str) -> Result<(), Exception> {
    if Host::of(ctx).is_init() {
        return Err(go_error(
            ctx,
            format!("{what} in the init context is not supported"),
        ));
    }
    Ok(())
}
