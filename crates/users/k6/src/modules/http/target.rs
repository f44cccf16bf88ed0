//! URLs that were read, with what is made of them over and over.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use loadline_net::{Request, Url, UrlError};

use super::answer_tags::AnswerTags;

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
