//! Reads the URL argument of a request.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use loadline_js::{Ctx, Exception, Value};
use loadline_net::{Request, Url, UrlError};

use super::go_text;
use super::samples::AnswerTags;
use super::url::UrlObject;
use super::user::HttpUser;

/// A URL that was read, with what is made of it over and over.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    /// As tags show it: credentials hidden.
    pub(super) clean: Rc<str>,
    /// The name a `url` template gives it.
    pub(super) name: Option<Rc<str>>,
    /// The tags of its last answer.
    pub(super) last_tags: RefCell<Option<AnswerTags>>,
    /// A GET without headers of its own, whose bytes are stored with it.
    pub(super) plain: OnceCell<Rc<Request>>,
}

impl Target {
    pub(super) fn parse(text: &str, name: Option<&str>) -> Result<Self, UrlError> {
        let url = Url::parse(text)?;
        let clean: Rc<str> = url.masked().into();
        let name = name.filter(|name| **name != *clean).map(Rc::from);
        Ok(Self {
            url,
            clean,
            name,
            last_tags: RefCell::default(),
            plain: OnceCell::new(),
        })
    }
}

/// Why there is no target.
pub(super) enum NoTarget {
    /// `error` with code 1020.
    Invalid(String),
    Thrown(Exception),
}

/// Reads a script's URL: a string, or what `url` made.
pub(super) fn read(ctx: &Ctx, value: &Value) -> Result<Rc<Target>, NoTarget> {
    let user = HttpUser::of(ctx);
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
