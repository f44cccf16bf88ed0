//! A queue's settings as callers write them, checked as they are read.

use serde::Deserialize;
use std::time::Duration;

use super::answer::ApiError;
use crate::directory::{Page, QueueInfo};
use crate::queue::{AdmissionRate, Policy, QueueMode};
use crate::tokens::admission::AdmissionProof;
use crate::tokens::redirect::{AllowedSchemes, parse_origin, parse_target};

/// A queue as it is written and read; what is left out stays or is usual.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct QueueBody {
    pub(super) tenant: Option<String>,
    pub(super) slug: Option<String>,
    pub(super) title: Option<String>,
    pub(super) redirect_origins: Option<Vec<String>>,
    pub(super) redirect_to: Option<String>,
    pub(super) proof: Option<AdmissionProof>,
    pub(super) open_join: Option<bool>,
    pub(super) page: Option<Page>,
    pub(super) mode: Option<QueueMode>,
    pub(super) rate_per_s: Option<f64>,
    pub(super) cap: Option<u64>,
    pub(super) max_waiting: Option<u64>,
    pub(super) claim_within_s: Option<u64>,
    pub(super) code_life_s: Option<u64>,
    pub(super) idle_s: Option<u64>,
    pub(super) absolute_s: Option<u64>,
    pub(super) away_after_s: Option<u64>,
    pub(super) grace_s: Option<u64>,
    pub(super) rejoin_within_s: Option<u64>,
}

impl QueueBody {
    /// The rules with what was sent; 0 as a rate stops admission, it is not "none".
    pub(super) fn over(&self, policy: Policy) -> Result<Policy, ApiError> {
        let rate = match self.rate_per_s {
            None => policy.rate,
            Some(per_s) => Some(
                AdmissionRate::per_second(per_s)
                    .ok_or_else(|| ApiError::bad_request("rate_per_s must be 0 to 1,000,000"))?,
            ),
        };
        let time = |sent: Option<u64>, old| sent.map_or(old, Duration::from_secs);
        let policy = Policy {
            mode: self.mode.unwrap_or(policy.mode),
            rate,
            cap: self.cap.or(policy.cap),
            max_waiting: self.max_waiting.unwrap_or(policy.max_waiting),
            claim_within: time(self.claim_within_s, policy.claim_within),
            code_life: time(self.code_life_s, policy.code_life),
            idle: time(self.idle_s, policy.idle),
            absolute: time(self.absolute_s, policy.absolute),
            away_after: time(self.away_after_s, policy.away_after),
            grace: time(self.grace_s, policy.grace),
            rejoin_within: time(self.rejoin_within_s, policy.rejoin_within),
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
        if let Some(title) = self.title {
            info.title = name(&title)?;
        }
        if let Some(origins) = self.redirect_origins {
            info.origins = origins
                .iter()
                .map(|text| parse_origin(text, schemes))
                .collect::<Result<_, _>>()?;
        }
        if let Some(target) = self.redirect_to {
            info.target = target;
        } else if info.target.is_empty() {
            info.target = info
                .origins
                .first()
                .map(|origin| format!("{origin}/"))
                .unwrap_or_default();
        }
        // The address everybody is sent to is checked like those that visitors bring.
        parse_target(&info.target, &info.origins)?;
        if let Some(page) = self.page {
            check_page(&page)?;
            info.page = page;
        }
        info.proof = self.proof.unwrap_or(info.proof);
        info.open_join = self.open_join.unwrap_or(info.open_join);
        Ok(info)
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
    if page
        .notice
        .as_ref()
        .is_some_and(|notice| notice.chars().count() > 500)
    {
        return Err(ApiError::bad_request(
            "page.notice must have at most 500 characters",
        ));
    }
    if page
        .lang
        .as_deref()
        .is_some_and(|lang| !["en", "ko"].contains(&lang))
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
