//! A queue's settings as callers write them, checked as they are read.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

use super::answer::ApiError;
use crate::directory::{BrowserSettings, Logo, Page, PageTexts, QueueInfo};
use crate::queue::{AdmissionRate, Policy, QueueMode};
use crate::tokens::admission::AdmissionProof;
use crate::tokens::redirect::{AllowedSchemes, parse_origin, parse_target};

/// A value as it was sent, or not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Sent<T> {
    /// It was left out: it stays.
    #[default]
    Not,
    /// `null`: it becomes usual again.
    Null,
    /// It is set.
    Value(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Sent<T> {
    fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(source)?.map_or(Self::Null, Self::Value))
    }
}

impl<T> Sent<T> {
    /// What it is now, if it `was` and is usually so.
    fn over(self, was: T, usual: T) -> T {
        match self {
            Self::Not => was,
            Self::Null => usual,
            Self::Value(value) => value,
        }
    }
}

/// A page as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PageBody {
    accent: Sent<String>,
    notice: Sent<String>,
    lang: Sent<String>,
    logo: Sent<String>,
    texts: Sent<BTreeMap<String, PageTexts>>,
}

impl PageBody {
    fn over(self, page: Page) -> Page {
        let over = |sent: Sent<String>, was: Option<String>| match sent {
            Sent::Not => was,
            Sent::Null => None,
            Sent::Value(value) => Some(value),
        };
        Page {
            accent: over(self.accent, page.accent),
            notice: over(self.notice, page.notice),
            lang: over(self.lang, page.lang),
        }
    }
}

/// A queue as it is written and read; what is left out stays, `null` makes it usual.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct QueueBody {
    pub(super) tenant: Option<String>,
    pub(super) slug: Option<String>,
    pub(super) title: Sent<String>,
    pub(super) redirect_origins: Option<Vec<String>>,
    pub(super) redirect_to: Sent<String>,
    pub(super) cors_origins: Sent<Vec<String>>,
    pub(super) proof: Sent<AdmissionProof>,
    pub(super) open_join: Sent<bool>,
    pub(super) page: Sent<PageBody>,
    pub(super) mode: Sent<QueueMode>,
    pub(super) rate_per_s: Sent<f64>,
    pub(super) cap: Sent<u64>,
    pub(super) max_waiting: Sent<u64>,
    pub(super) claim_within_s: Sent<u64>,
    pub(super) code_life_s: Sent<u64>,
    pub(super) idle_s: Sent<u64>,
    pub(super) absolute_s: Sent<u64>,
    pub(super) away_after_s: Sent<u64>,
    pub(super) grace_s: Sent<u64>,
    pub(super) rejoin_within_s: Sent<u64>,
}

impl QueueBody {
    /// The rules with what was sent; 0 as a rate stops admission, it is not "none".
    pub(super) fn over(&self, policy: Policy) -> Result<Policy, ApiError> {
        let usual = Policy::default();
        let rate = match self.rate_per_s {
            Sent::Not => policy.rate,
            Sent::Null => None,
            Sent::Value(per_s) => Some(
                AdmissionRate::per_second(per_s)
                    .ok_or_else(|| ApiError::bad_request("rate_per_s must be 0 to 1,000,000"))?,
            ),
        };
        let cap = match self.cap {
            Sent::Not => policy.cap,
            Sent::Null => None,
            Sent::Value(cap) => Some(cap),
        };
        let time = |sent: &Sent<u64>, was, usual| match sent {
            Sent::Not => was,
            Sent::Null => usual,
            Sent::Value(seconds) => Duration::from_secs(*seconds),
        };
        let policy = Policy {
            mode: self.mode.clone().over(policy.mode, usual.mode),
            rate,
            cap,
            max_waiting: self
                .max_waiting
                .clone()
                .over(policy.max_waiting, usual.max_waiting),
            claim_within: time(
                &self.claim_within_s,
                policy.claim_within,
                usual.claim_within,
            ),
            code_life: time(&self.code_life_s, policy.code_life, usual.code_life),
            idle: time(&self.idle_s, policy.idle, usual.idle),
            absolute: time(&self.absolute_s, policy.absolute, usual.absolute),
            away_after: time(&self.away_after_s, policy.away_after, usual.away_after),
            grace: time(&self.grace_s, policy.grace, usual.grace),
            rejoin_within: time(
                &self.rejoin_within_s,
                policy.rejoin_within,
                usual.rejoin_within,
            ),
        };
        policy.check()?;
        Ok(policy)
    }

    /// Names, addresses and page with what was sent.
    pub(super) fn over_info(
        self,
        mut info: QueueInfo,
        schemes: AllowedSchemes,
    ) -> Result<QueueInfo, ApiError> {
        if let Some(slug) = self.slug {
            let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if slug.is_empty() || slug.len() > 64 || !slug.chars().all(good) {
                return Err(ApiError::bad_request(
                    "slug must be 1 to 64 of a-z, 0-9 and -",
                ));
            }
            info.slug = slug;
        }
        match self.title {
            Sent::Not => {}
            Sent::Null => info.title.clone_from(&info.slug),
            Sent::Value(title) => info.title = name(&title)?,
        }
        if let Some(origins) = self.redirect_origins {
            info.origins = origins
                .iter()
                .map(|text| parse_origin(text, schemes))
                .collect::<Result<_, _>>()?;
        }
        match self.redirect_to {
            Sent::Value(target) => info.target = target,
            Sent::Not if !info.target.is_empty() => {}
            Sent::Not | Sent::Null => {
                let first = info.origins.first();
                info.target = first.map(|origin| format!("{origin}/")).unwrap_or_default();
            }
        }
        // The address everybody is sent to is checked like those that visitors bring.
        parse_target(&info.target, &info.origins)?;
        info.page = match self.page {
            Sent::Not => info.page,
            Sent::Null => Page::default(),
            Sent::Value(page) => page.over(info.page),
        };
        check_page(&info.page)?;
        info.proof = self.proof.over(info.proof, AdmissionProof::Code);
        info.open_join = self.open_join.over(info.open_join, true);
        Ok(info)
    }
}

impl QueueBody {
    /// What browsers see of it, with what was sent.
    pub(super) fn over_browser(
        &self,
        mut browser: BrowserSettings,
        schemes: AllowedSchemes,
    ) -> Result<BrowserSettings, ApiError> {
        match &self.cors_origins {
            Sent::Not => {}
            Sent::Null => browser.cors_origins = Vec::new(),
            Sent::Value(origins) => {
                let origins = origins.iter().map(|text| parse_origin(text, schemes));
                browser.cors_origins = origins.collect::<Result<_, _>>()?;
            }
        }
        match &self.page {
            Sent::Not => {}
            Sent::Null => browser.texts = BTreeMap::new(),
            Sent::Value(page) => {
                browser.texts = page.texts.clone().over(browser.texts, BTreeMap::new());
            }
        }
        for (lang, texts) in &browser.texts {
            if !LANGUAGES.contains(&lang.as_str()) {
                let message = format!("page.texts.{lang}: only en and ko are languages here");
                return Err(ApiError::bad_request(message));
            }
            texts.title.as_deref().map(name).transpose()?;
            check_notice(texts.notice.as_deref())?;
        }
        Ok(browser)
    }
}

impl QueueBody {
    /// The logo that was sent: `None` for the one there is, which is shown by its address;
    /// `Some(None)` for no picture.
    pub(super) fn new_logo(&self, shown: Option<&str>) -> Result<Option<Option<Logo>>, ApiError> {
        let page = match &self.page {
            Sent::Not => return Ok(None),
            Sent::Null => return Ok(Some(None)),
            Sent::Value(page) => page,
        };
        match &page.logo {
            Sent::Not => Ok(None),
            Sent::Null => Ok(Some(None)),
            Sent::Value(text) if Some(text.as_str()) == shown => Ok(None),
            Sent::Value(text) => {
                let refused = |error| ApiError::bad_request(format!("{error}"));
                Ok(Some(Some(Logo::parse(text).map_err(refused)?)))
            }
        }
    }
}

/// Languages that pages speak.
const LANGUAGES: [&str; 2] = ["en", "ko"];

fn check_notice(notice: Option<&str>) -> Result<(), ApiError> {
    if notice.is_some_and(|notice| notice.chars().count() > 500) {
        Err(ApiError::bad_request(
            "page.notice must have at most 500 characters",
        ))
    } else {
        Ok(())
    }
}

fn check_page(page: &Page) -> Result<(), ApiError> {
    let colour = |text: &str| {
        text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|b| b.is_ascii_hexdigit())
    };
    if page.accent.as_deref().is_some_and(|accent| !colour(accent)) {
        return Err(ApiError::bad_request(
            "page.accent must be a colour such as #0a5c36",
        ));
    }
    check_notice(page.notice.as_deref())?;
    if page
        .lang
        .as_deref()
        .is_some_and(|lang| !LANGUAGES.contains(&lang))
    {
        return Err(ApiError::bad_request("page.lang must be en or ko"));
    }
    Ok(())
}

/// A name that people read.
pub(super) fn name(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    let good = !text.is_empty() && text.chars().count() <= 100 && !text.contains(char::is_control);
    good.then(|| text.to_owned())
        .ok_or_else(|| ApiError::bad_request("a name must have 1 to 100 characters"))
}
