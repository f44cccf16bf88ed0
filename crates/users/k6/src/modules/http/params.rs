//! Reads `params`, the last argument of a request.

use std::time::Duration;

use loadline_js::{Ctx, Exception, Value};
use loadline_k6_options::go;
use loadline_net::{Auth, Coding, RequestCookie};

use super::callback::Callback;
use super::jar::{Jar, JarObject};
use super::user::HttpUser;
use crate::host::Host;
use crate::modules::go_text;

/// What is handed to the script of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseType {
    Text,
    Binary,
    Nothing,
}

/// How one request differs from the usual.
pub(super) struct Params {
    pub(super) headers: Vec<(String, String)>,
    pub(super) cookies: Vec<RequestCookie>,
    pub(super) jar: Jar,
    pub(super) tags: Vec<(String, String)>,
    pub(super) timeout: Duration,
    pub(super) max_redirects: u32,
    /// The script or an option set the limit: reaching it is no news.
    pub(super) redirects_set: bool,
    pub(super) auth: Auth,
    pub(super) compression: Vec<Coding>,
    pub(super) response_type: ResponseType,
    pub(super) callback: Callback,
    pub(super) throw: bool,
}

/// Why parameters cannot be used.
pub(in crate::modules) enum BadParams {
    /// The request fails with this `error`.
    Refused(String),
    Thrown(Exception),
}

impl From<Exception> for BadParams {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

impl Params {
    /// Those of a request without any.
    pub(super) fn usual(ctx: &Ctx, user: &HttpUser) -> Self {
        let host = Host::from_ctx(ctx);
        let settings = host.shared.settings();
        let http = &settings.http;
        Self {
            headers: Vec::new(),
            cookies: Vec::new(),
            jar: user.jar.borrow().clone(),
            tags: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            max_redirects: u32::try_from(http.max_redirects).unwrap_or(u32::MAX),
            redirects_set: settings
                .options_json
                .get("maxRedirects")
                .is_some_and(|max| !max.is_null()),
            auth: Auth::Basic,
            compression: Vec::new(),
            response_type: if http.discard_response_bodies {
                ResponseType::Nothing
            } else {
                ResponseType::Text
            },
            callback: user.callback.borrow().clone(),
            throw: http.throw || settings.throw,
        }
    }

    /// Reads a script's object; anything else changes nothing.
    pub(super) fn read(ctx: &Ctx, user: &HttpUser, value: &Value) -> Result<Self, BadParams> {
        let mut params = Self::usual(ctx, user);
        if !value.is_object() {
            return Ok(params);
        }
        let given = |name: &'static str| -> Result<Option<Value>, Exception> {
            let value = value.get(ctx.intern(name))?;
            Ok((!value.is_nullish()).then_some(value))
        };
        if let Some(headers) = given("headers")? {
            for key in headers.keys()? {
                params
                    .headers
                    .push((key.to_text(), headers.get(&key)?.to_text()?));
            }
        }
        if let Some(cookies) = given("cookies")? {
            params.cookies = cookies_of(&cookies)?;
        }
        if let Some(jar) = given("jar")?.and_then(|jar| jar.host::<JarObject>()) {
            params.jar = jar.0.clone();
        }
        if let Some(tags) = given("tags")? {
            params.tags = tags_of(&tags)?;
        }
        // Null and undefined are refused when they are there, unlike those of other params.
        let timeout = value.get(ctx.intern("timeout"))?;
        if !timeout.is_undefined() || value.has(ctx.intern("timeout"))? {
            params.timeout = timeout_of(&timeout)?;
        }
        if let Some(redirects) = given("redirects")? {
            let most = redirects.to_i64()?.max(0);
            params.max_redirects = u32::try_from(most).unwrap_or(u32::MAX);
            params.redirects_set = true;
        }
        if let Some(auth) = given("auth")? {
            params.auth = auth_of(&auth)?;
        }
        if let Some(compression) = given("compression")? {
            params.compression = Coding::parse_list(&compression.text()?)
                .map_err(|error| BadParams::Refused(error.to_string()))?;
        }
        if let Some(response_type) = given("responseType")? {
            params.response_type = response_type_of(&response_type)?;
        }
        if let Some(throw) = given("throw")? {
            params.throw = throw.truthy();
        }
        params.read_callback(&value.get(ctx.intern("responseCallback"))?)?;
        Ok(params)
    }

    /// `null` is a callback too: none.
    fn read_callback(&mut self, value: &Value) -> Result<(), BadParams> {
        if value.is_undefined() {
            return Ok(());
        }
        match Callback::from_value(value) {
            Some(callback) => {
                self.callback = callback;
                Ok(())
            }
            None => Err(BadParams::Refused(
                "unsupported responseCallback".to_owned(),
            )),
        }
    }
}

fn cookies_of(value: &Value) -> Result<Vec<RequestCookie>, Exception> {
    let mut cookies = Vec::new();
    for key in value.keys()? {
        let cookie = value.get(&key)?;
        if cookie.is_nullish() {
            continue;
        }
        let (text, replace) = if cookie.is_object() {
            let text = cookie.get("value")?;
            let text = if text.is_undefined() {
                String::new()
            } else {
                text.to_text()?
            };
            (text, cookie.get("replace")?.truthy())
        } else {
            (cookie.to_text()?, false)
        };
        cookies.push(RequestCookie {
            name: key.to_text(),
            value: text,
            replace,
        });
    }
    Ok(cookies)
}

fn tags_of(value: &Value) -> Result<Vec<(String, String)>, BadParams> {
    let mut tags = Vec::new();
    for key in value.keys()? {
        let tag = value.get(&key)?;
        let plain = tag.is_string() || tag.is_bool() || tag.is_number();
        if !plain {
            return Err(BadParams::Refused(format!(
                "invalid HTTP request metric tags: invalid value for metric tag '{}': only String, Boolean and Number types are accepted as a metric tag values",
                key.to_text()
            )));
        }
        tags.push((key.to_text(), tag.to_text()?));
    }
    Ok(tags)
}

pub(in crate::modules) fn timeout_of(value: &Value) -> Result<Duration, BadParams> {
    let refused = |reason: String| BadParams::Refused(format!("invalid timeout value: {reason}"));
    let span = if let Some(millis) = value.as_f64() {
        go::from_millis(millis)
    } else if value.is_string() {
        go::parse_extended_duration(&value.text()?).map_err(refused)?
    } else {
        return Err(refused(format!(
            "unable to use type {} as a duration value",
            go_text::type_name(value)
        )));
    };
    // k6 takes zero and less for what has passed already.
    Ok(Duration::from_nanos(u64::try_from(span.0).unwrap_or(0)))
}

fn auth_of(value: &Value) -> Result<Auth, BadParams> {
    match &*value.to_text()? {
        "digest" => Ok(Auth::Digest),
        "ntlm" => Ok(Auth::Ntlm),
        _ => Ok(Auth::Basic),
    }
}

fn response_type_of(value: &Value) -> Result<ResponseType, BadParams> {
    match &*value.to_text()? {
        "text" => Ok(ResponseType::Text),
        "binary" => Ok(ResponseType::Binary),
        "none" => Ok(ResponseType::Nothing),
        other => Err(BadParams::Refused(format!(
            "{other} does not belong to ResponseType values"
        ))),
    }
}
