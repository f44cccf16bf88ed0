//! `html`, `submitForm` and `clickLink` of a response.

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_net::Url;
use loadline_net::form::url_encoded;

use super::answer::{self, Answer};
use super::send;
use crate::modules::go_error::go_error;
use crate::modules::html::Page;

fn page_of(ctx: &Ctx, answer: &Answer) -> Result<Page, Exception> {
    match answer.body() {
        Some(body) => Page::read(ctx, body, &answer.url()),
        None => Err(go_error(
            ctx,
            "the body is null so we can't transform it to HTML - this likely was because of a request error getting the response",
        )),
    }
}

/// `html(selector?)`
pub(super) fn html(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let page = page_of(ctx, &*answer::this(args)?)?;
    if args.is_empty() {
        return page.into_object(ctx);
    }
    let selector = match args.given(0) {
        Some(selector) => selector.to_text()?,
        None => String::new(), // matches nothing, as in k6
    };
    page.find(&selector).into_object(ctx)
}

/// Reads an object of options, of which `read` gets each; k6 wants one, if anything.
fn options(
    args: &Args<'_>,
    mut read: impl FnMut(&str, Value) -> Result<(), Exception>,
) -> Result<(), Exception> {
    if args.is_empty() {
        return Ok(());
    }
    let options = args.get(0);
    if options.is_nullish() {
        return Err(Exception::type_error(
            "Cannot convert undefined or null to object",
        ));
    }
    if options.is_object() {
        for key in options.keys()? {
            read(&key.to_text(), options.get(&key)?)?;
        }
    }
    Ok(())
}

fn read_url(ctx: &Ctx, text: &str) -> Result<Url, Exception> {
    Url::parse(text).map_err(|error| go_error(ctx, error.to_string()))
}

fn join(ctx: &Ctx, base: &str, reference: &str) -> Result<Url, Exception> {
    read_url(ctx, base)?
        .join(reference)
        .map_err(|error| go_error(ctx, error.to_string()))
}

/// `submitForm({formSelector, submitSelector, fields, params})`
pub(super) fn submit_form(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let answer = answer::this(args)?;
    let mut form_selector = "form".to_owned();
    let mut submit_selector = "[type=\"submit\"]".to_owned();
    let (mut own_fields, mut params) = (ctx.undefined(), ctx.null());
    options(args, |name, value| {
        match name {
            "formSelector" => form_selector = value.to_text()?,
            "submitSelector" => submit_selector = value.to_text()?,
            "fields" => own_fields = value,
            "params" => params = value,
            _ => {}
        }
        Ok(())
    })?;
    let base = answer.url();
    let form = page_of(ctx, &answer)?.find(&form_selector);
    if form.is_empty() {
        return Err(go_error(
            ctx,
            format!("no form found for selector '{form_selector}' in response '{base}'"),
        ));
    }
    let method = form.attribute("method").unwrap_or("GET").to_uppercase();
    let url = match form.attribute("action") {
        Some(action) => join(ctx, &base, action)?,
        None => read_url(ctx, &base)?,
    };
    let fields = form.fields(ctx)?;
    let submit = form.find(&submit_selector);
    let value = submit.value(ctx)?;
    if let Some(name) = submit.attribute("name").filter(|_| !value.is_undefined()) {
        fields.set(name, value)?;
    }
    if own_fields.is_object() {
        for key in own_fields.keys()? {
            fields.set(&key, own_fields.get(&key)?)?;
        }
    }
    let url = url.to_string();
    if method == "GET" {
        let url = ctx.string(&with_query(&url, &query(&fields)?))?;
        return send::request(ctx, &method, &url, &ctx.null(), &params);
    }
    send::request(ctx, &method, &ctx.string(&url)?, &fields, &params)
}

/// Fields as a query; lists with commas, as `String(list)` has them.
fn query(fields: &Value) -> Result<String, Exception> {
    let mut pairs = Vec::new();
    for key in fields.keys()? {
        pairs.push((key.to_text(), fields.get(&key)?.to_text()?));
    }
    let pairs: Vec<(&str, &[u8])> = pairs
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect();
    Ok(url_encoded(&pairs))
}

/// A URL with another query than it has.
fn with_query(url: &str, query: &str) -> String {
    let (before, fragment) = match url.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (url, None),
    };
    let path = before.split_once('?').map_or(before, |(path, _)| path);
    let mut url = path.to_owned();
    if !query.is_empty() {
        url.push('?');
        url.push_str(query);
    }
    if let Some(fragment) = fragment {
        url.push('#');
        url.push_str(fragment);
    }
    url
}

/// `clickLink({selector, params})`
pub(super) fn click_link(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let answer = answer::this(args)?;
    let mut selector = "a[href]".to_owned();
    let mut params = ctx.null();
    options(args, |name, value| {
        match name {
            "selector" => selector = value.to_text()?,
            "params" => params = value,
            _ => {}
        }
        Ok(())
    })?;
    let base = answer.url();
    let link = page_of(ctx, &answer)?.find(&selector);
    if link.is_empty() {
        return Err(go_error(
            ctx,
            format!("no element found for selector '{selector}' in response '{base}'"),
        ));
    }
    let Some(href) = link.attribute("href") else {
        return Err(go_error(
            ctx,
            format!(
                "no valid href attribute value found on element '{selector}' in response '{base}'"
            ),
        ));
    };
    let url = ctx.string(&join(ctx, &base, href)?.to_string())?;
    send::request(ctx, "GET", &url, &ctx.undefined(), &params)
}

#[cfg(test)]
mod tests {
    use super::with_query;

    #[test]
    fn a_query_replaces_the_one_there_was_and_leaves_the_fragment() {
        assert_eq!(with_query("http://a/b?x=1#f", "y=2"), "http://a/b?y=2#f");
        assert_eq!(with_query("http://a/b?x=1", ""), "http://a/b");
        assert_eq!(with_query("http://a/b", "y"), "http://a/b?y");
    }
}
