//! Lines that a Loki has, asked for over its HTTP API.
//!
//! Lines are dated by the clocks of the hosts that sent them, and may arrive late. So each look asks again for
//! the last seconds before the newest line, and takes what it has not seen; a line counts when it is seen here.
//! A host whose clock is off is followed by its own clock, from its newest line on.

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use loadline_net::{BlockingClient, Request, Url};
use loadline_record::Redactor;
use loadline_record::signals::{LineLevel, MissingSignal, SignalKind, SourceError};
use serde::Deserialize;
use serde::de::IgnoredAny;
use url::form_urlencoded::Serializer;

use super::LineFeed;
use super::fold::is_of_stack;
use super::form::FormedLine;
use crate::page::answer_to;
use crate::setup::ObserverSetup;

/// Lines of one answer, and answers of one look. More lines come with the next look.
const PAGE_LINES: usize = 1_000;
const PAGES_MAX: usize = 10;
/// Lines may arrive so long after one with a newer date, ns.
const LATE_MAX_NANOS: u64 = 10_000_000_000;
/// How far behind the newest line questions look, ns. Loki refuses more than 30 days.
const AHEAD_MAX_NANOS: u64 = 24 * 3_600 * 1_000_000_000;
/// Words of a refusal that are shown, bytes.
const REFUSAL_BYTES_MAX: usize = 200;
/// Labels of a stream that hold the level of its lines.
const LEVEL_LABELS: [&str; 4] = ["level", "severity", "detected_level", "severity_text"];
/// What to change when no stream is chosen.
const SELECTOR: &str =
    "?query={LABEL=\"VALUE\"} of a stream that gets lines: none did in the last hour";

/// Lines of a Loki.
pub(super) struct LokiFeed {
    client: BlockingClient,
    url: Url,
    query: String,
    tenant: Option<String>,
    /// The date of the newest line so far; `None` when there was none in the hour before the first look.
    newest: Option<u64>,
    has_looked: bool,
    /// Lines of the last [`LATE_MAX_NANOS`] that are known.
    seen: HashSet<(u64, u64)>,
}

/// An answer to a question for lines.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    result: Vec<Stream<'a>>,
}

#[derive(Deserialize)]
struct Stream<'a> {
    #[serde(borrow, default)]
    stream: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    #[serde(borrow, default)]
    values: Vec<Entry<'a>>,
}

/// Its date, ns, the line, and what else is known of it.
#[derive(Deserialize)]
struct Entry<'a>(
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(default)] IgnoredAny,
);

/// A line, with what tells it from others.
pub(super) struct Dated {
    at: u64,
    hash: u64,
    text: String,
}

impl LokiFeed {
    pub(super) fn new(
        url: &Url,
        query: &str,
        tenant: Option<&str>,
        setup: &ObserverSetup,
    ) -> Result<Self, SourceError> {
        let settings = (setup.network)(url).map_err(SourceError::Other)?;
        Ok(Self {
            client: BlockingClient::new(Arc::new(settings)),
            url: url.clone(),
            query: query.to_owned(),
            tenant: tenant.map(str::to_owned),
            newest: None,
            has_looked: false,
            seen: HashSet::new(),
        })
    }

    /// Lines from a date on, the oldest first; without one the newest line of the last hour.
    fn ask(&mut self, from: Option<u64>) -> Result<Vec<Dated>, SourceError> {
        let mut form = Serializer::new(String::new());
        form.append_pair("query", &self.query);
        match from {
            Some(from) => {
                form.append_pair("direction", "forward")
                    .append_pair("limit", &PAGE_LINES.to_string())
                    .append_pair("start", &from.to_string())
                    .append_pair("end", &from.saturating_add(AHEAD_MAX_NANOS).to_string());
            }
            None => {
                form.append_pair("direction", "backward")
                    .append_pair("limit", "1");
            }
        }
        let mut request = Request::new("POST", self.url.clone());
        request.set_field("Content-Type", "application/x-www-form-urlencoded");
        if let Some(tenant) = &self.tenant {
            request.set_field("X-Scope-OrgID", tenant);
        }
        loadline_net::set_basic(&mut request);
        request.set_body(Some(form.finish().into()));
        let response = answer_to(request, &mut self.client)?;
        match response.head.status() {
            200..300 => lines(&response.body),
            400 => Err(refusal(&response.body)),
            401 | 403 => Err(SourceError::Login),
            status => Err(SourceError::Status(status)),
        }
    }

    /// Lines that were not known, the oldest first.
    fn unseen(&mut self, newest: u64) -> Result<Vec<String>, SourceError> {
        let mut from = newest.saturating_sub(LATE_MAX_NANOS);
        let mut last = newest;
        let mut texts = Vec::new();
        for _ in 0..PAGES_MAX {
            let page = self.ask(Some(from))?;
            let is_full = page.len() >= PAGE_LINES;
            let until = page.iter().map(|line| line.at).max().unwrap_or(from);
            last = last.max(until);
            for line in page {
                if self.seen.insert((line.at, line.hash)) {
                    texts.push(line.text);
                }
            }
            if !is_full {
                break;
            }
            // As many lines of one date as fit into an answer: those that do not are left out.
            from = if until > from { until } else { from + 1 };
        }
        self.newest = Some(last);
        self.seen
            .retain(|(at, _)| *at >= last.saturating_sub(LATE_MAX_NANOS));
        Ok(texts)
    }
}

impl LineFeed for LokiFeed {
    fn lines(&mut self) -> Result<Vec<String>, SourceError> {
        let newest = match self.newest {
            Some(newest) => newest,
            None => match self.ask(None)?.first() {
                Some(line) => line.at,
                None => {
                    self.has_looked = true;
                    return Ok(Vec::new());
                }
            },
        };
        let new = self.unseen(newest)?;
        // What was there before the first look is known from then on, and does not count.
        if std::mem::replace(&mut self.has_looked, true) {
            Ok(new)
        } else {
            Ok(Vec::new())
        }
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        let is_silent = self.has_looked && self.newest.is_none();
        let silent = is_silent.then(|| MissingSignal::new(SignalKind::LogLines, SELECTOR));
        silent.into_iter().collect()
    }
}

pub(super) fn lines(body: &[u8]) -> Result<Vec<Dated>, SourceError> {
    let answer: Answer<'_> = serde_json::from_slice(body).map_err(|error| {
        if error.is_eof() {
            SourceError::CutOff
        } else if has_numbers(body) {
            SourceError::NoLines
        } else {
            SourceError::Unexpected
        }
    })?;
    let mut all = Vec::new();
    for stream in &answer.data.result {
        for Entry(at, text, _) in &stream.values {
            let mut hasher = DefaultHasher::new();
            (&stream.stream, text).hash(&mut hasher);
            all.push(Dated {
                at: at.parse().map_err(|_| SourceError::Unexpected)?,
                hash: hasher.finish(),
                text: leveled(text, &stream.stream),
            });
        }
    }
    all.sort_by_key(|line| line.at);
    Ok(all)
}

/// A line that does not tell its level, with that of its stream.
fn leveled(text: &str, stream: &BTreeMap<Cow<'_, str>, Cow<'_, str>>) -> String {
    let mut named = LEVEL_LABELS.iter().filter_map(|label| stream.get(*label));
    let level = named.find_map(|level| LineLevel::named(level));
    match level {
        Some(level) if !is_of_stack(text) && FormedLine::new(text).level.is_none() => {
            format!("{} {text}", level.name().to_ascii_uppercase())
        }
        _ => text.to_owned(),
    }
}

/// Whether it answers a query that counts.
fn has_numbers(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Kind {
        data: KindOfData,
    }
    #[derive(Deserialize)]
    struct KindOfData {
        #[serde(rename = "resultType")]
        kind: String,
    }
    serde_json::from_slice::<Kind>(body).is_ok_and(|kind| kind.data.kind != "streams")
}

/// Why Loki does not like the question, in its own words.
fn refusal(body: &[u8]) -> SourceError {
    let text = String::from_utf8_lossy(body);
    let text = text.lines().next().unwrap_or_default().trim();
    if text.is_empty() || text.starts_with('<') {
        SourceError::Status(400)
    } else {
        let text = &text[..text.floor_char_boundary(REFUSAL_BYTES_MAX)];
        SourceError::Other(Redactor::default().text(text))
    }
}

#[cfg(test)]
mod tests;
