//! Request bodies: text, bytes and forms.

use ::bytes::Bytes;
use loadline_js::{Exception, Value};
use loadline_net::form::{self, FilePart, Multipart};

use super::file::FileMark;
use crate::modules::bytes;
use crate::modules::go_text;

/// A body and the media type that goes with it when the script names none.
pub(super) struct Body {
    pub(super) bytes: Bytes,
    pub(super) media_type: Option<String>,
}

/// Why a body cannot be sent.
pub(super) enum NoBody {
    /// k6's text.
    Unknown(String),
    Thrown(Exception),
}

impl From<Exception> for NoBody {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

/// Reads what a script gives as a body; `None` without one. `random` sets the parts of a
/// multipart form apart.
pub(super) fn read(
    value: &Value,
    random: impl FnOnce() -> [u8; 30],
) -> Result<Option<Body>, NoBody> {
    if value.is_nullish() {
        return Ok(None);
    }
    let plain = |bytes: Vec<u8>| Body {
        bytes: bytes.into(),
        media_type: None,
    };
    if value.is_string() {
        return Ok(Some(plain(value.to_text()?.into_bytes())));
    }
    if let Some(element) = bytes::element(value).filter(|element| *element != "uint8") {
        return Err(NoBody::Unknown(format!(
            "unknown request body type []{element}"
        )));
    }
    // For k6 a `DataView` is an object without fields.
    if !value.is_data_view()
        && let Some(bytes) = value.to_bytes()
    {
        return Ok(Some(plain(bytes)));
    }
    if value.host::<FileMark>().is_some() {
        return Err(NoBody::Unknown(
            "unknown request body type *http.FileData".to_owned(),
        ));
    }
    if !value.is_object() || value.is_array() || value.is_function() || has_type_of_its_own(value) {
        let name = go_text::type_name(value);
        return Err(NoBody::Unknown(format!("unknown request body type {name}")));
    }
    let mut fields = Vec::new();
    for key in value.keys()? {
        fields.push((key.to_text(), value.get(&key)?));
    }
    let has_file = fields
        .iter()
        .any(|(_, value)| value.host::<FileMark>().is_some());
    Ok(Some(if has_file {
        multipart(&fields, random())?
    } else {
        url_encoded(&fields)?
    }))
}

/// Whether an object is more to Go than a map of its fields.
fn has_type_of_its_own(value: &Value) -> bool {
    value.is_date() || value.is_map() || value.is_set() || value.is_promise()
}

/// The values of a form field: several for an array.
fn texts(value: &Value) -> Result<Vec<String>, Exception> {
    if value.is_array() {
        return value.elements()?.iter().map(go_text::shown).collect();
    }
    Ok(vec![go_text::shown(value)?])
}

fn url_encoded(fields: &[(String, Value)]) -> Result<Body, Exception> {
    let mut pairs = Vec::new();
    for (key, value) in fields {
        for text in texts(value)? {
            pairs.push((key.as_str(), text));
        }
    }
    let pairs: Vec<(&str, &[u8])> = pairs
        .iter()
        .map(|(key, text)| (*key, text.as_bytes()))
        .collect();
    Ok(Body {
        bytes: form::url_encoded(&pairs).into(),
        media_type: Some(form::URL_ENCODED.to_owned()),
    })
}

fn multipart(fields: &[(String, Value)], random: [u8; 30]) -> Result<Body, Exception> {
    let boundary = form::boundary(random);
    let mut form = Multipart::new(&boundary);
    for (key, value) in fields {
        if value.host::<FileMark>().is_none() {
            // An array is one part, as Go prints it; only forms without files repeat the key.
            form.part(key, None, go_text::shown(value)?.as_bytes());
            continue;
        }
        let data = value.get("data")?;
        let bytes = match data.to_bytes() {
            Some(bytes) => bytes,
            None => data.to_text()?.into_bytes(),
        };
        let filename = value.get("filename")?.to_text()?;
        let content_type = value.get("content_type")?.to_text()?;
        let part = FilePart {
            filename: &filename,
            content_type: &content_type,
        };
        form.part(key, Some(part), &bytes);
    }
    let media_type = Some(form.content_type());
    Ok(Body {
        bytes: form.finish().into(),
        media_type,
    })
}
