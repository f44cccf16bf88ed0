//! The shape of response objects. The status is set at once, everything else is computed when a
//! script reads it.

use std::rc::Rc;

use loadline_js::{Ctx, Exception, Template, Value};
use loadline_net::cookie::set_cookies;

use super::answer::Answer;
use super::headers::headers_of;
use super::params::ResponseType;
use super::samples::millis;
use super::{json, page};

/// The shape of all responses.
pub(super) fn template(ctx: &Ctx) -> Result<Template, Exception> {
    let methods = ctx.object()?;
    methods.method("json", 1, json::json)?;
    methods.method("html", 1, page::html)?;
    methods.method("submitForm", 1, page::submit_form)?;
    methods.method("clickLink", 1, page::click_link)?;
    let method = |name: &'static str| move |_: &Ctx, object: &Value| object.prototype()?.get(name);
    Ok(ctx
        .template(Some(&methods))?
        .lazy("remote_ip", |ctx, object| {
            let answer = answer(object)?;
            let ip = answer.response.remote.map(|remote| remote.ip().to_string());
            ctx.string(&ip.unwrap_or_default())
        })?
        .lazy("remote_port", |ctx, object| {
            let remote = answer(object)?.response.remote;
            Ok(ctx.number(remote.map_or(0.0, |remote| f64::from(remote.port()))))
        })?
        .lazy("url", |ctx, object| ctx.string(&answer(object)?.url()))?
        .value("status")?
        .lazy("status_text", status_text)?
        .lazy("proto", |ctx, object| {
            let answer = answer(object)?;
            ctx.string(if answer.failed {
                ""
            } else {
                answer.response.protocol.as_str()
            })
        })?
        .lazy("headers", headers)?
        .lazy("cookies", cookies)?
        .lazy("body", body)?
        .lazy("timings", timings)?
        .lazy("tls_version", |ctx, object| {
            let answer = answer(object)?;
            let tls = answer.response.tls.as_ref().filter(|_| !answer.failed);
            ctx.string(tls.map_or("", |tls| tls.version.as_str()))
        })?
        .lazy("tls_cipher_suite", |ctx, object| {
            let answer = answer(object)?;
            let tls = answer.response.tls.as_ref().filter(|_| !answer.failed);
            ctx.string(tls.map_or("", |tls| tls.cipher_suite))
        })?
        .lazy("ocsp", ocsp)?
        .lazy("error", |ctx, object| ctx.string(&answer(object)?.error))?
        .lazy("error_code", |ctx, object| {
            Ok(ctx.number(f64::from(answer(object)?.error_code)))
        })?
        .lazy("request", request)?
        .lazy("clickLink", method("clickLink"))?
        .lazy("html", method("html"))?
        .lazy("json", method("json"))?
        .lazy("submitForm", method("submitForm"))?
        .build())
}

fn answer(object: &Value) -> Result<Rc<Answer>, Exception> {
    object
        .host::<Answer>()
        .ok_or_else(|| Exception::type_error("not a response"))
}

/// `200 OK`
fn status_text(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    if answer.failed {
        return ctx.string("");
    }
    let text = answer.response.head.status_text();
    ctx.string(&String::from_utf8_lossy(text))
}

fn headers(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    if answer.failed {
        return ctx.object();
    }
    headers_of(ctx, &answer.response.head)
}

fn cookies(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    let cookies = ctx.object()?;
    if answer.failed {
        return Ok(cookies);
    }
    for cookie in set_cookies(&answer.response.head) {
        let shown = ctx.object()?;
        shown.set("name", cookie.name.as_str())?;
        shown.set("value", cookie.value.as_str())?;
        shown.set("domain", cookie.domain.as_str())?;
        shown.set("path", cookie.path.as_str())?;
        shown.set("http_only", cookie.http_only)?;
        shown.set("secure", cookie.secure)?;
        shown.set("max_age", cookie.max_age)?;
        shown.set("expires", cookie.expires_as_k6_shows())?;
        let list = cookies.get(cookie.name.as_str())?;
        if list.is_array() {
            list.push(shown)?;
        } else {
            cookies.set(cookie.name.as_str(), ctx.array([shown])?)?;
        }
    }
    Ok(cookies)
}

fn body(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    if answer.asked.is_none() {
        return ctx.uint8_array(Vec::new());
    }
    let Some(bytes) = answer.body() else {
        return Ok(ctx.null());
    };
    match answer.kind {
        ResponseType::Binary => ctx.array_buffer(bytes.to_vec()),
        ResponseType::Text | ResponseType::Nothing => ctx.string(&String::from_utf8_lossy(bytes)),
    }
}

fn timings(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let timing = answer(object)?.response.timing;
    let timings = ctx.object()?;
    timings.set("duration", millis(timing.duration()))?;
    timings.set("blocked", millis(timing.blocked()))?;
    timings.set("looking_up", 0)?;
    timings.set("connecting", millis(timing.connecting()))?;
    timings.set("tls_handshaking", millis(timing.tls_handshaking()))?;
    timings.set("sending", millis(timing.sending()))?;
    timings.set("waiting", millis(timing.waiting()))?;
    timings.set("receiving", millis(timing.receiving()))?;
    Ok(timings)
}

/// What k6 shows where no server staples anything.
fn ocsp(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    let status = match &answer.response.tls {
        Some(_) if !answer.failed => "unknown",
        _ => "",
    };
    let ocsp = ctx.object()?;
    for name in ["produced_at", "this_update", "next_update", "revoked_at"] {
        ocsp.set(name, 0)?;
    }
    ocsp.set("revocation_reason", "")?;
    ocsp.set("status", status)?;
    Ok(ocsp)
}

fn request(ctx: &Ctx, object: &Value) -> Result<Value, Exception> {
    let answer = answer(object)?;
    let Some(asked) = &answer.asked else {
        return Ok(ctx.null());
    };
    let request = ctx.object()?;
    request.set("method", asked.request.method())?;
    request.set("url", asked.request.url().to_string())?;
    let headers = ctx.object()?;
    for (name, value) in asked.request.fields() {
        let name = loadline_wire::canonical_name(name);
        headers.set(&*name, vec![value.as_str()])?;
    }
    request.set("headers", headers)?;
    let body = asked.plain_body.as_ref().or(asked.request.body());
    let body = body.map_or_else(String::new, |body| {
        String::from_utf8_lossy(body).into_owned()
    });
    request.set("body", body)?;
    let cookies = ctx.object()?;
    let sent = asked.request.field("Cookie").unwrap_or_default();
    for (name, value) in sent.split("; ").filter_map(|pair| pair.split_once('=')) {
        let shown = ctx.object()?;
        shown.set("name", name)?;
        // Quotes around a value with spaces are not part of it.
        let unquoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        shown.set("value", unquoted.unwrap_or(value))?;
        shown.set("replace", false)?;
        let others = cookies.get(name)?;
        if others.is_array() {
            others.push(&shown)?;
        } else {
            cookies.set(name, ctx.array([shown])?)?;
        }
    }
    request.set("cookies", cookies)?;
    Ok(request)
}
