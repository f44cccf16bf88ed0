//! `file`: a part of a multipart body.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};

use super::prototypes::Prototypes;
use crate::host::Host;
use crate::modules::go_error::go_error;
use crate::modules::go_text;

/// Marks the objects `file` makes.
pub(super) struct FileMark;

pub(super) fn prototype(ctx: &Ctx) -> Result<Value, Exception> {
    ctx.object()
}

/// `file(data, filename?, contentType?)`
pub(super) fn file(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let data = args.get(0);
    if !data.is_string() && data.to_bytes().is_none() {
        return Err(go_error(
            ctx,
            format!(
                "invalid type {}, expected string or ArrayBuffer",
                go_text::type_name(&data)
            ),
        ));
    }
    let name = match args.given(1) {
        Some(name) => name.to_text()?,
        // k6 takes the time in nanoseconds.
        None => Host::from_ctx(ctx)
            .shared
            .since_epoch()
            .as_nanos()
            .to_string(),
    };
    let content_type = match args.given(2) {
        Some(content_type) => content_type.to_text()?,
        None => "application/octet-stream".to_owned(),
    };
    let proto = Prototypes::from_ctx(ctx).file_proto.clone();
    let object = ctx.host_object(&proto, Rc::new(FileMark))?;
    object.set("data", data)?;
    object.set("filename", name)?;
    object.set("content_type", content_type)?;
    Ok(object)
}
