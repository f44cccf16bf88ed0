//! `CookieJar`: cookies as scripts see them.

use std::rc::Rc;

use loadline_js::{Args, Class, Ctx, Exception, Value};
use loadline_net::cookie::parse_date;
use loadline_net::{SetCookie, Url};

use super::jar::{Jar, JarObject, wall_now};
use super::user::HttpUser;
use crate::modules::go_error::go_error;
use crate::modules::running::require_running;

pub(super) fn class(ctx: &Ctx) -> Result<Class, Exception> {
    let class = ctx.class("CookieJar", 0, |_, _| Ok(JarObject(Jar::default())))?;
    let proto = &class.prototype;
    proto.method("cookiesForURL", 1, cookies_for_url)?;
    proto.method("set", 4, set)?;
    proto.method("clear", 1, |ctx, args| {
        let (jar, url) = (args.this_host::<JarObject>()?, url_of(ctx, args)?);
        jar.0.borrow_mut().clear(&url, wall_now(ctx));
        Ok(())
    })?;
    proto.method("delete", 2, |ctx, args| {
        let (jar, url) = (args.this_host::<JarObject>()?, url_of(ctx, args)?);
        let name = args.get(1).to_text()?;
        jar.0.borrow_mut().delete(&url, &name);
        Ok(())
    })?;
    Ok(class)
}

/// `cookieJar()`: the user's own.
pub(super) fn of_user(ctx: &Ctx, _: &Args<'_>) -> Result<Value, Exception> {
    require_running(ctx, "Making cookie jars")?;
    let user = HttpUser::from_ctx(ctx);
    let jar = user.jar.borrow().clone();
    ctx.host_object(&user.shapes.jar_class.prototype, Rc::new(JarObject(jar)))
}

fn url_of(ctx: &Ctx, args: &Args<'_>) -> Result<Url, Exception> {
    let text = args.get(0).to_text()?;
    Url::parse(&text).map_err(|error| go_error(ctx, error.to_string()))
}

fn cookies_for_url(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let (jar, url) = (args.this_host::<JarObject>()?, url_of(ctx, args)?);
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for cookie in jar.0.borrow_mut().cookies_for(&url, wall_now(ctx)) {
        let value = cookie.value.to_owned();
        match found.iter_mut().find(|(name, _)| name == cookie.name) {
            Some((_, values)) => values.push(value),
            None => found.push((cookie.name.to_owned(), vec![value])),
        }
    }
    let object = ctx.object()?;
    for (name, values) in found {
        object.set(name, values)?;
    }
    Ok(object)
}

/// `set(url, name, value, {domain, path, expires, max_age, secure, http_only}?)`
fn set(ctx: &Ctx, args: &Args<'_>) -> Result<bool, Exception> {
    let (jar, url) = (args.this_host::<JarObject>()?, url_of(ctx, args)?);
    let mut cookie = SetCookie::new(args.get(1).to_text()?, args.get(2).to_text()?);
    if let Some(options) = args.given(3)
        && options.is_object()
    {
        read_options(ctx, &options, &mut cookie)?;
    }
    let now = wall_now(ctx);
    jar.0.borrow_mut().set(&url, [cookie], now);
    Ok(true)
}

fn read_options(ctx: &Ctx, options: &Value, cookie: &mut SetCookie) -> Result<(), Exception> {
    for key in options.keys()? {
        let value = options.get(&key)?;
        if value.is_nullish() {
            continue;
        }
        match &*key.to_text().to_lowercase() {
            "domain" => cookie.domain = value.to_text()?,
            "path" => cookie.path = value.to_text()?,
            "expires" => {
                let text = value.to_text()?;
                if !text.is_empty() {
                    let expires = parse_date(&text).map_err(|error| {
                        go_error(
                            ctx,
                            format!("unable to parse \"expires\" date string \"{text}\": {error}"),
                        )
                    })?;
                    cookie.expires = Some(expires);
                }
            }
            "max_age" => cookie.max_age = value.to_i64()?,
            "secure" => cookie.secure = value.truthy(),
            "http_only" => cookie.http_only = value.truthy(),
            _ => {}
        }
    }
    Ok(())
}
