//! The parameters of `connect`, `invoke` and streams. Errors are in k6's words.

use std::time::Duration;

use loadline_js::{Exception, Value};
use loadline_net::GrpcMetadata;

use super::schemas::TlsTexts;
use crate::modules::http::{BadParams, timeout_of};
use crate::modules::sockets;

/// Why parameters cannot be used.
pub(super) enum InvalidParams {
    /// For these reasons.
    Because(String),
    /// The script threw while they were read.
    Thrown(Exception),
}

impl From<Exception> for InvalidParams {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

impl From<String> for InvalidParams {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

/// How a call differs from the usual.
#[derive(Default)]
pub(super) struct CallParams {
    pub(super) metadata: GrpcMetadata,
    pub(super) tags: Vec<(String, String)>,
    pub(super) timeout: Option<Duration>,
    pub(super) discard: bool,
}

impl CallParams {
    pub(super) fn read(params: &Value) -> Result<Self, InvalidParams> {
        let mut read = Self::default();
        if params.is_nullish() {
            return Ok(read);
        }
        for key in params.keys()? {
            let value = params.get(&key)?;
            match &*key.to_text() {
                "metadata" => {
                    read.metadata =
                        metadata_of(&value).map_err(|why| within("invalid metadata param", why))?;
                }
                "tags" => {
                    read.tags =
                        sockets::tags_of(params)?.map_err(|why| format!("metric tags: {why}"))?;
                }
                "timeout" => {
                    let timeout = duration_of(&value)?;
                    read.timeout = (!timeout.is_zero()).then_some(timeout);
                }
                "discardResponseMessage" => read.discard = value.truthy(),
                other => return Err(format!("unknown param: {other:?}").into()),
            }
        }
        Ok(read)
    }
}

/// How a connection is made.
pub(super) struct ConnectParams {
    pub(super) plaintext: bool,
    pub(super) reflect: bool,
    pub(super) reflect_metadata: GrpcMetadata,
    pub(super) timeout: Duration,
    pub(super) max_receive: Option<usize>,
    pub(super) max_send: Option<usize>,
    pub(super) tls: Option<TlsTexts>,
    pub(super) authority: Option<String>,
}

impl ConnectParams {
    pub(super) fn read(params: &Value) -> Result<Self, InvalidParams> {
        let mut read = Self {
            plaintext: false,
            reflect: false,
            reflect_metadata: GrpcMetadata::new(),
            timeout: Duration::from_secs(60),
            max_receive: None,
            max_send: None,
            tls: None,
            authority: None,
        };
        if params.is_nullish() {
            return Ok(read);
        }
        for key in params.keys()? {
            let value = params.get(&key)?;
            let key = key.to_text();
            match &*key {
                "plaintext" => read.plaintext = flag(&key, &value)?,
                "reflect" => read.reflect = flag(&key, &value)?,
                "timeout" => read.timeout = duration_of(&value)?,
                "reflectMetadata" => {
                    read.reflect_metadata = metadata_of(&value)
                        .map_err(|why| within("invalid reflectMetadata param", why))?;
                }
                "maxReceiveSize" => read.max_receive = size(&key, &value)?,
                "maxSendSize" => read.max_send = size(&key, &value)?,
                "tls" => read.tls = tls_of(&value)?,
                "authority" => {
                    let Some(text) = value.as_text() else {
                        return Err(wrong(&key, &value, "a string")?.into());
                    };
                    read.authority = Some(text).filter(|text| !text.is_empty());
                }
                other => return Err(format!("unknown connect param: {other:?}").into()),
            }
        }
        Ok(read)
    }
}

fn within(what: &str, why: InvalidParams) -> InvalidParams {
    match why {
        InvalidParams::Because(why) => InvalidParams::Because(format!("{what}: {why}")),
        thrown @ InvalidParams::Thrown(_) => thrown,
    }
}

fn duration_of(value: &Value) -> Result<Duration, InvalidParams> {
    timeout_of(value).map_err(|bad| match bad {
        BadParams::Refused(why) => InvalidParams::Because(why),
        BadParams::Thrown(exception) => InvalidParams::Thrown(exception),
    })
}

fn wrong(key: &str, value: &Value, needed: &str) -> Result<String, Exception> {
    let shown = go_syntax(value)?;
    Ok(format!(
        "invalid {key} value: '{shown}', it needs to be {needed}"
    ))
}

fn flag(key: &str, value: &Value) -> Result<bool, InvalidParams> {
    match value.as_bool() {
        Some(flag) => Ok(flag),
        None => Err(wrong(key, value, "boolean")?.into()),
    }
}

/// A number of bytes; zero leaves it at the usual.
fn size(key: &str, value: &Value) -> Result<Option<usize>, InvalidParams> {
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    let Some(number) = whole else {
        return Err(wrong(key, value, "an integer")?.into());
    };
    if number < 0.0 {
        // The quotation mark is missing in k6 too.
        let text = format!("invalid {key} value: '{number}, it needs to be a positive integer");
        return Err(text.into());
    }
    let size = usize::try_from(value.to_i64()?).unwrap_or_default();
    Ok((size > 0).then_some(size))
}

fn tls_of(value: &Value) -> Result<Option<TlsTexts>, InvalidParams> {
    let shown = go_syntax(value)?;
    if !is_map(value) {
        return Err(format!(
            "invalid tls value: '{shown}', expected (optional) keys: cert, key, password, and cacerts"
        )
        .into());
    }
    if value.keys()?.is_empty() {
        return Ok(None);
    }
    let text = |key: &str, needed: &str| -> Result<String, InvalidParams> {
        let member = value.get(key)?;
        if member.is_undefined() && !value.has(key)? {
            return Ok(String::new());
        }
        member.as_text().ok_or_else(|| {
            format!("invalid tls {key} value: '{shown}', it needs to be {needed}").into()
        })
    };
    let texts = TlsTexts {
        certificate: text("cert", "a PEM formatted string")?,
        key: text("key", "a PEM formatted string")?,
        password: text("password", "a string")?,
        authorities: authorities(value).map_err(|why| match why {
            None => InvalidParams::Because(format!(
                "invalid tls cacerts value: '{shown}', it needs to be a string or an array of PEM formatted strings"
            )),
            Some(exception) => InvalidParams::Thrown(exception),
        })?,
    };
    Ok(Some(texts))
}

fn authorities(value: &Value) -> Result<Vec<String>, Option<Exception>> {
    let given = value.get("cacerts").map_err(Some)?;
    if given.is_undefined() {
        return Ok(Vec::new());
    }
    if let Some(text) = given.as_text() {
        return Ok(vec![text]);
    }
    if !given.is_array() {
        return Err(None);
    }
    let members = given.elements().map_err(Some)?;
    members
        .iter()
        .map(|member| member.as_text().ok_or(None))
        .collect()
}

/// Metadata; binary values are typed arrays.
pub(super) fn metadata_of(value: &Value) -> Result<GrpcMetadata, InvalidParams> {
    let mut metadata = GrpcMetadata::new();
    if value.is_nullish() {
        return Ok(metadata);
    }
    if !is_map(value) {
        return Err("must be an object with key-value pairs".to_owned().into());
    }
    for key in value.keys()? {
        let (name, member) = (key.to_text(), value.get(&key)?);
        let bytes = if name.ends_with("-bin") {
            let bytes = member.is_typed_array().then(|| member.to_bytes()).flatten();
            bytes.ok_or_else(|| format!("{name:?} value must be binary"))?
        } else {
            let text = member.as_text();
            text.ok_or_else(|| format!("{name:?} value must be a string"))?
                .into_bytes()
        };
        metadata.push((name, bytes));
    }
    Ok(metadata)
}

/// What Go exports as a map.
fn is_map(value: &Value) -> bool {
    value.is_object() && !value.is_array() && !value.is_function() && !value.is_date()
}

/// `%#v` of what a script handed over.
fn go_syntax(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok("<nil>".to_owned());
    }
    inner_go_syntax(value)
}

/// The same of a part of it.
fn inner_go_syntax(value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Ok("interface {}(nil)".to_owned());
    }
    if let Some(text) = value.as_text() {
        return Ok(format!("{text:?}"));
    }
    if value.is_array() {
        let parts: Result<Vec<_>, _> = value.elements()?.iter().map(inner_go_syntax).collect();
        return Ok(format!("[]interface {{}}{{{}}}", parts?.join(", ")));
    }
    if is_map(value) {
        let mut pairs = Vec::new();
        for key in value.keys()? {
            pairs.push(format!(
                "{:?}:{}",
                key.to_text(),
                inner_go_syntax(&value.get(&key)?)?
            ));
        }
        pairs.sort_unstable();
        return Ok(format!("map[string]interface {{}}{{{}}}", pairs.join(", ")));
    }
    value.to_text()
}
