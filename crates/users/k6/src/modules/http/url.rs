//! The template tag `url`, which gives the URLs it makes a name.

use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_net::Url;

use super::prototypes::Prototypes;

/// What a URL made by the tag carries.
#[derive(Debug)]
pub(super) struct UrlObject {
    /// The template, `${}` in place of each value.
    pub(super) name: String,
    pub(super) url: String,
}

pub(super) fn prototype(ctx: &Ctx) -> Result<Value, Exception> {
    let proto = ctx.object()?;
    proto.method("clean", 0, |_, args| args.this().get("clean_url"))?;
    proto.method("getURL", 0, |_, args| args.this().get("url"))?;
    proto.method("toString", 0, |_, args| args.this().get("url"))?;
    Ok(proto)
}

/// ``url`http://host/${id}` ``
pub(super) fn template(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let strings = args.get(0);
    let (mut name, mut url) = (String::new(), String::new());
    if strings.is_array() {
        let values = args.rest(1);
        for (index, part) in strings.elements()?.iter().enumerate() {
            let part = part.text()?;
            name.push_str(&part);
            url.push_str(&part);
            if let Some(value) = values.get(index) {
                name.push_str("${}");
                url.push_str(&value.text()?);
            }
        }
    } else {
        url = strings.to_text()?;
        name.clone_from(&url);
    }
    let clean = Url::parse(&url).map_or_else(|_| url.clone(), |url| url.masked());
    let proto = Prototypes::from_ctx(ctx).url_proto.clone();
    let data = UrlObject {
        name: name.clone(),
        url: url.clone(),
    };
    let object = ctx.host_object(&proto, Rc::new(data))?;
    object.set("name", name)?;
    object.set("url", url)?;
    object.set("clean_url", clean)?;
    Ok(object)
}
