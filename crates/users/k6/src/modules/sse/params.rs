//! Reads the parameters of `sse.open`.

use std::time::Duration;

use loadline_js::{Ctx, Exception, Value};
use loadline_units::Time;

use crate::modules::go_error::go_error;
use crate::modules::http::{BadParams, HttpUser, Jar, timeout_of};
use crate::modules::sockets;

/// How one stream is opened.
pub(super) struct Params {
    pub(super) method: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
    pub(super) tags: Vec<(String, String)>,
    pub(super) jar: Jar,
    /// Timeout of the whole stream; none without it.
    timeout: Option<Duration>,
}

impl Params {
    /// Reads a script's object; `undefined` and `null` change nothing, and members it
    /// does not know of are passed over.
    pub(super) fn read(ctx: &Ctx, user: &HttpUser, value: &Value) -> Result<Self, Exception> {
        let mut params = Self {
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: String::new(),
            tags: Vec::new(),
            jar: sockets::jar_of(user, value)?,
            timeout: None,
        };
        if !value.is_object() {
            return Ok(params);
        }
        params.headers = sockets::headers_of(value)?;
        params.tags = sockets::tags_of(value)?
            .map_err(|error| go_error(ctx, format!("invalid sse.open() metric tags: {error}")))?;
        let method = trimmed(value, "method")?;
        if !method.is_empty() {
            params.method = method;
        }
        params.body = trimmed(value, "body")?;
        let timeout = value.get("timeout")?;
        if !timeout.is_nullish() {
            let read = timeout_of(&timeout).map_err(|bad| match bad {
                BadParams::Refused(error) => go_error(ctx, error),
                BadParams::Thrown(exception) => exception,
            })?;
            params.timeout = (!read.is_zero()).then_some(read);
        }
        Ok(params)
    }

    /// When a stream that started then is given up.
    pub(super) fn deadline(&self, started: Time) -> Time {
        self.timeout.map_or(Time::MAX, |timeout| started + timeout)
    }
}

fn trimmed(value: &Value, name: &str) -> Result<String, Exception> {
    let member = value.get(name)?;
    if member.is_undefined() {
        return Ok(String::new());
    }
    Ok(member.to_text()?.trim().to_owned())
}
