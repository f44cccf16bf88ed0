//! What browsers see of a queue that is not in [`super::QueueInfo`].

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What pages of other origins may do, and what the queue's own page says in each language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserSettings {
    /// Origins whose scripts may join, ask and claim from a browser (CORS).
    pub cors_origins: Vec<String>,
    /// The page's texts by language tag, `en` or `ko`.
    pub texts: BTreeMap<String, PageTexts>,
}

/// What a queue's page says in one language; what is missing, it says as in all others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageTexts {
    /// In place of the queue's title.
    pub title: Option<String>,
    /// In place of the page's notice.
    pub notice: Option<String>,
}
