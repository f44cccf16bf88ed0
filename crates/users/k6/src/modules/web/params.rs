//! `URLSearchParams`, on its own or as the query of a `URL`.

use std::cell::RefCell;
use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};
use url::Url;
use url::form_urlencoded::{Serializer, parse};

use super::iteration::{is_iterable, iterate_by, iterator};

type Pairs = Vec<(String, String)>;

/// Where the pairs are.
pub(super) enum Params {
    Own(RefCell<Pairs>),
    /// Those of a URL, read from it and written back to it.
    Of(Rc<RefCell<Url>>),
}

impl Params {
    fn pairs(&self) -> Pairs {
        match self {
            Self::Own(pairs) => pairs.borrow().clone(),
            Self::Of(url) => {
                let url = url.borrow();
                let pairs = url.query_pairs();
                pairs
                    .map(|(k, v)| (k.into_owned(), v.into_owned()))
                    .collect()
            }
        }
    }

    fn change<R>(&self, change: impl FnOnce(&mut Pairs) -> R) -> R {
        match self {
            Self::Own(pairs) => change(&mut pairs.borrow_mut()),
            Self::Of(url) => {
                let mut pairs = self.pairs();
                let result = change(&mut pairs);
                let query = text_of(&pairs);
                let query = (!query.is_empty()).then_some(query);
                url.borrow_mut().set_query(query.as_deref());
                result
            }
        }
    }
}

fn text_of(pairs: &Pairs) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// What all users of a realm share.
struct Class(loadline_js::Class);

pub(super) fn class(ctx: &Ctx) -> Result<Value, Exception> {
    Ok(shape(ctx)?.0.constructor.clone())
}

/// The parameters of a URL, as an object.
pub(super) fn object(ctx: &Ctx, url: Rc<RefCell<Url>>) -> Result<Value, Exception> {
    let class = shape(ctx)?;
    ctx.host_object(&class.0.prototype, Rc::new(Params::Of(url)))
}

fn shape(ctx: &Ctx) -> Result<Rc<Class>, Exception> {
    if let Some(class) = ctx.common::<Class>() {
        return Ok(class);
    }
    let class = ctx.class("URLSearchParams", 0, |ctx, args| {
        Ok(Params::Own(RefCell::new(read(ctx, &args.get(0))?)))
    })?;
    let proto = &class.prototype;
    proto.method("append", 2, |_, args| {
        let pair = (args.get(0).to_text()?, args.get(1).to_text()?);
        args.this_host::<Params>()?.change(|pairs| pairs.push(pair));
        Ok(())
    })?;
    proto.method("set", 2, |_, args| {
        let (name, value) = (args.get(0).to_text()?, args.get(1).to_text()?);
        args.this_host::<Params>()?
            .change(|pairs| set(pairs, name, value));
        Ok(())
    })?;
    proto.method("delete", 1, |_, args| {
        let (name, value) = named(args)?;
        args.this_host::<Params>()?.change(|pairs| {
            pairs.retain(|(own, held)| !is_meant(own, held, &name, value.as_deref()))
        });
        Ok(())
    })?;
    proto.method("has", 1, |_, args| {
        let (name, value) = named(args)?;
        let mut pairs = args.this_host::<Params>()?.pairs().into_iter();
        Ok(pairs.any(|(own, held)| is_meant(&own, &held, &name, value.as_deref())))
    })?;
    proto.method("get", 1, |ctx, args| {
        let name = args.get(0).to_text()?;
        let pairs = args.this_host::<Params>()?.pairs();
        match pairs.iter().find(|(own, _)| *own == name) {
            Some((_, value)) => ctx.string(value),
            None => Ok(ctx.null()),
        }
    })?;
    proto.method("getAll", 1, |ctx, args| {
        let name = args.get(0).to_text()?;
        let pairs = args.this_host::<Params>()?.pairs();
        let values = pairs.iter().filter(|(own, _)| *own == name);
        let values: Result<Vec<Value>, _> = values.map(|(_, value)| ctx.string(value)).collect();
        ctx.array(values?)
    })?;
    proto.method("sort", 0, |_, args| {
        args.this_host::<Params>()?.change(|pairs| {
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        });
        Ok(())
    })?;
    proto.method("toString", 0, |_, args| {
        Ok(text_of(&args.this_host::<Params>()?.pairs()))
    })?;
    proto.method("forEach", 1, |ctx, args| {
        let this = args.this();
        for (name, value) in args.this_host::<Params>()?.pairs() {
            let values = [ctx.string(&value)?, ctx.string(&name)?, this.clone()];
            args.get(0).call(&args.get(1), &values)?;
        }
        Ok(())
    })?;
    proto.getter("size", |_, args| {
        Ok(args.this_host::<Params>()?.pairs().len())
    })?;
    for (name, which) in [("keys", 0), ("values", 1)] {
        proto.method(name, 0, move |ctx, args| {
            let pairs = args.this_host::<Params>()?.pairs();
            let each = pairs
                .iter()
                .map(|(name, value)| ctx.string(if which == 0 { name } else { value }));
            iterator(ctx, each.collect::<Result<_, _>>()?)
        })?;
    }
    let entries = ctx.function("entries", 0, entries)?;
    proto.define("entries", &entries, loadline_js::Attributes::HIDDEN)?;
    iterate_by(ctx, proto, &entries)?;
    ctx.set_common(Rc::new(Class(class)));
    Ok(ctx.common::<Class>().expect("set just before"))
}

fn entries(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let pairs = args.this_host::<Params>()?.pairs();
    let each = pairs
        .iter()
        .map(|(name, value)| ctx.array([ctx.string(name)?, ctx.string(value)?]));
    iterator(ctx, each.collect::<Result<_, _>>()?)
}

/// Name, and value where one was given.
fn named(args: &Args<'_>) -> Result<(String, Option<String>), Exception> {
    let value = args.given(1).filter(|value| !value.is_undefined());
    let value = value.map(|value| value.to_text()).transpose()?;
    Ok((args.get(0).to_text()?, value))
}

fn is_meant(own: &str, held: &str, name: &str, value: Option<&str>) -> bool {
    own == name && value.is_none_or(|value| held == value)
}

/// Replaces the first parameter of that name and removes the others; adds one when there is
/// none.
fn set(pairs: &mut Pairs, name: String, value: String) {
    let Some(first) = pairs.iter().position(|(own, _)| *own == name) else {
        return pairs.push((name, value));
    };
    let mut place = 0;
    pairs.retain(|(own, _)| {
        place += 1;
        *own != name || place == first + 1
    });
    pairs[first].1 = value;
}

/// Pairs of a text, a list of pairs, another `URLSearchParams`, or an object.
fn read(ctx: &Ctx, given: &Value) -> Result<Pairs, Exception> {
    if given.is_undefined() {
        return Ok(Pairs::new());
    }
    if let Some(other) = given.host::<Params>() {
        return Ok(other.pairs());
    }
    if !given.is_object() {
        let text = given.to_text()?;
        let query = text.strip_prefix('?').unwrap_or(&text);
        return Ok(parse(query.as_bytes()).into_owned().collect());
    }
    if is_iterable(ctx, given)? {
        let list = ctx
            .global()
            .get("Array")?
            .call_method("from", std::slice::from_ref(given))?;
        return list.elements()?.iter().map(pair).collect();
    }
    let keys = given.keys()?;
    let each = keys
        .iter()
        .map(|key| Ok((key.to_text(), given.get(key)?.to_text()?)));
    each.collect()
}

fn pair(given: &Value) -> Result<(String, String), Exception> {
    let parts = if given.is_object() {
        given.elements()?
    } else {
        Vec::new()
    };
    match parts.as_slice() {
        [name, value] => Ok((name.to_text()?, value.to_text()?)),
        _ => Err(Exception::type_error(
            "URLSearchParams: each element must be a pair of name and value",
        )),
    }
}
