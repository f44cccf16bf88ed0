//! Reads the URL argument of a request.

use std::rc::Rc;

use loadline_js::{Ctx, Exception, Value};
use loadline_net::UrlError;

use super::target::Target;
use super::url::UrlObject;
use super::user::HttpUser;
use crate::modules::go_text;

/// Why there is no target.
pub(super) enum NoTarget {
    /// `error` with code 1020.
    Invalid(String),
    Thrown(Exception),
}

/// Reads a script's URL: a string, or what `url` made.
pub(super) fn read(ctx: &Ctx, value: &Value) -> Result<Rc<Target>, NoTarget> {
    let user = HttpUser::from_ctx(ctx);
    let invalid = |error: UrlError| NoTarget::Invalid(format!("invalid URL: {error}"));
    if value.is_string() {
        let text = value.text().map_err(NoTarget::Thrown)?;
        return user.target(&text).map_err(invalid);
    }
    if let Some(object) = value.host::<UrlObject>() {
        let target = Target::parse(&object.url, Some(&object.name)).map_err(invalid)?;
        return Ok(Rc::new(target));
    }
    let shown = go_text::shown(value).map_err(NoTarget::Thrown)?;
    Err(NoTarget::Invalid(format!("invalid URL: '#{shown}'")))
}
