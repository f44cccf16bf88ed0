//! `URL`, as in the URL standard.

use std::cell::RefCell;
use std::rc::Rc;

use loadline_js::{Args, Ctx, Exception, Value};
use url::{Url, quirks};

use super::params;

/// A URL that its `searchParams` object changes, too.
struct SharedUrl(Rc<RefCell<Url>>);

type Get = fn(&Url) -> &str;
type Set = fn(&mut Url, &str);

/// Parts that can be read and written, by the names of the standard.
const PARTS: [(&str, Get, Set); 9] = [
    ("protocol", quirks::protocol, |url, text| {
        let _ = quirks::set_protocol(url, text);
    }),
    ("username", quirks::username, |url, text| {
        let _ = quirks::set_username(url, text);
    }),
    ("password", quirks::password, |url, text| {
        let _ = quirks::set_password(url, text);
    }),
    ("host", quirks::host, |url, text| {
        let _ = quirks::set_host(url, text);
    }),
    ("hostname", quirks::hostname, |url, text| {
        let _ = quirks::set_hostname(url, text);
    }),
    ("port", quirks::port, |url, text| {
        let _ = quirks::set_port(url, text);
    }),
    ("pathname", quirks::pathname, quirks::set_pathname),
    ("search", quirks::search, quirks::set_search),
    ("hash", quirks::hash, quirks::set_hash),
];

pub(super) fn class(ctx: &Ctx) -> Result<Value, Exception> {
    let class = ctx.class("URL", 1, |_, args| {
        let url = parsed(args)?.map_err(|text| invalid(&text))?;
        Ok(SharedUrl(Rc::new(RefCell::new(url))))
    })?;
    let proto = &class.prototype;
    for (name, get, set) in PARTS {
        let read = ctx.function(name, 0, move |_, args| {
            Ok(get(&held(args)?.borrow()).to_owned())
        })?;
        let write = ctx.function(name, 1, move |_, args| {
            let text = args.get(0).to_text()?;
            // The standard says: an invalid value changes nothing.
            set(&mut held(args)?.borrow_mut(), &text);
            Ok(())
        })?;
        proto.define_accessor(name, Some(&read), Some(&write))?;
    }
    let read = ctx.function("href", 0, |_, args| Ok(held(args)?.borrow().to_string()))?;
    let write = ctx.function("href", 1, |_, args| {
        let text = args.get(0).to_text()?;
        let url = Url::parse(&text).map_err(|_| invalid(&text))?;
        *held(args)?.borrow_mut() = url;
        Ok(())
    })?;
    proto.define_accessor("href", Some(&read), Some(&write))?;
    proto.getter("origin", |_, args| {
        Ok(quirks::origin(&held(args)?.borrow()))
    })?;
    proto.getter("searchParams", |ctx, args| {
        let this = args.this();
        if let Some(made) = this.slot(0).filter(Value::is_object) {
            return Ok(made);
        }
        let made = params::object(ctx, held(args)?)?;
        this.set_slot(0, made.clone());
        Ok(made)
    })?;
    for name in ["toString", "toJSON"] {
        proto.method(name, 0, |_, args| Ok(held(args)?.borrow().to_string()))?;
    }
    class
        .constructor
        .method("canParse", 1, |_, args| Ok(parsed(args)?.is_ok()))?;
    let constructor = class.constructor.clone();
    class
        .constructor
        .method("parse", 1, move |ctx, args| match parsed(args)? {
            Ok(_) => constructor.construct(&args.rest(0)),
            Err(_) => Ok(ctx.null()),
        })?;
    Ok(class.constructor)
}

fn held(args: &Args<'_>) -> Result<Rc<RefCell<Url>>, Exception> {
    Ok(args.this_host::<SharedUrl>()?.0.clone())
}

/// The URL of text and base, or the text that is invalid.
fn parsed(args: &Args<'_>) -> Result<Result<Url, String>, Exception> {
    let text = args.get(0).to_text()?;
    let Some(base) = args.given(1).filter(|base| !base.is_undefined()) else {
        return Ok(Url::parse(&text).map_err(|_| text));
    };
    let base = base.to_text()?;
    let joined = Url::parse(&base).and_then(|base| base.join(&text));
    Ok(joined.map_err(|_| text))
}

fn invalid(text: &str) -> Exception {
    Exception::type_error(format!("Invalid URL: '{text}'"))
}
