//! Header fields as scripts see them.

use loadline_js::{Ctx, Exception, Value};
use loadline_wire::ResponseHead;

/// Header fields as scripts see them: canonical names, values of a name joined.
pub(in crate::modules) fn headers_of(ctx: &Ctx, head: &ResponseHead) -> Result<Value, Exception> {
    let headers = ctx.object()?;
    let mut joined: Vec<(String, String)> = Vec::new();
    for (name, value) in head.fields() {
        let name = loadline_wire::canonical_name(name);
        let value = String::from_utf8_lossy(value);
        match joined.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => {
                values.push_str(", ");
                values.push_str(&value);
            }
            None => joined.push((name.into_owned(), value.into_owned())),
        }
    }
    for (name, value) in joined {
        headers.set(name, value)?;
    }
    Ok(headers)
}
