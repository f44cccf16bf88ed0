//! Methods that only certain elements have. Most of them read an attribute; `forms` and
//! `others` list these. The rest is in `reads`.

mod forms;
mod others;
mod reads;

use loadline_js::{Ctx, Exception, Value};

use super::address;
use super::element::{Element, Kind, Read};
use super::objects::optional;

/// The kind of a tag's elements.
pub(super) fn of_tag(tag: &str) -> Option<&'static Kind> {
    let mut all = forms::KINDS.iter().chain(others::KINDS);
    all.find(|kind| kind.tag == tag)
}

pub(super) fn prototype(ctx: &Ctx, kind: &Kind, general: &Value) -> Result<Value, Exception> {
    let prototype = ctx.object_of(general)?;
    for (name, read) in kind.methods.iter().copied().flatten() {
        prototype.method(name, 0, move |ctx, args| {
            read.value(ctx, &*args.this_host::<Element>()?)
        })?;
    }
    Ok(prototype)
}

impl Read {
    fn value(self, ctx: &Ctx, element: &Element) -> Result<Value, Exception> {
        let selection = &element.selection;
        let text = |name| selection.attribute(name).unwrap_or_default();
        match self {
            Self::Text(name) => ctx.string(text(name)),
            Self::Address(name) => ctx.string(&address::text(selection, name, "")),
            Self::Number(name, otherwise) => {
                let number = text(name).parse::<i64>().ok();
                let number = number.unwrap_or_else(|| i64::from(otherwise));
                loadline_js::IntoJs::into_js(number, ctx)
            }
            Self::Flag(name) => Ok(ctx.bool(selection.attribute(name).is_some())),
            Self::OneOf(name, words, otherwise) => {
                let own = text(name);
                ctx.string(if words.contains(&own) { own } else { otherwise })
            }
            Self::CrossOrigin => {
                let own = selection.attribute("crossorigin");
                let known = own.filter(|own| matches!(*own, "anonymous" | "use-credentials"));
                optional(ctx, known)
            }
            Self::Fixed(text) => ctx.string(text),
            Self::Part(part) => ctx.string(&address::part(selection, part)),
            Self::Call(read) => read(ctx, element),
        }
    }
}
