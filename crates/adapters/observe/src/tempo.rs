//! Traces that a Tempo has already, asked for over its HTTP API.
//!
//! Every few seconds of the run, and after its load, it is asked which traces ended some seconds ago, and for some of
//! those: their ratios hold whatever share of the requests is looked at. What a trace tells is read as if it had been
//! sent here.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_net::{BlockingClient, Request, Url};
use loadline_otlp::{ExportKind, ExportTraceServiceRequest, Message, decoded_bytes};
use loadline_reactor::MonotonicClock;
use loadline_record::Redactor;
use loadline_record::signals::{MissingSignal, SourceError, SourceNote};
use loadline_units::{Clock, Time};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use crate::otlp::Received;
use crate::page::answer_to;
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::Source;

/// Looks from one search to the next.
const LOOKS_APART: u64 = 3;
/// Traces of one search, ...
const SEARCH_MAX: usize = 20;
/// ... which are fetched for so long at most.
const FETCH_TIME_MAX: Duration = Duration::from_secs(2);
/// Traces of a run, and their bytes.
const TRACES_MAX: usize = 2_000;
const BYTES_MAX: usize = 64 << 20;
/// Spans of a trace arrive at Tempo one after the other: it is whole so long after its end, s.
const LATE_SECONDS: u64 = 3;
/// How far back a search looks, s.
const RANGE_SECONDS: u64 = 30;
/// As the receiver of OTLP bounds a message.
const DECODED_BYTES_MAX: usize = 24 << 20;
/// Words of a refusal that are shown, bytes.
const REFUSAL_BYTES_MAX: usize = 200;

/// A Tempo.
pub(crate) struct TempoSource {
    client: BlockingClient,
    /// Its API is below it.
    url: Url,
    query: String,
    tenant: Option<String>,
    clock: MonotonicClock,
    wall_clock: fn() -> SystemTime,
    received: Received,
    looks: u64,
    known: HashSet<String>,
    bytes: usize,
}

/// What a search finds.
#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    traces: Vec<FoundTrace>,
}

#[derive(Deserialize)]
struct FoundTrace {
    #[serde(rename = "traceID")]
    id: String,
}

impl TempoSource {
    pub(crate) fn new(
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
            clock: setup.clock,
            wall_clock: setup.wall_clock,
            received: Received::new(setup.clock, setup.wall_clock),
            looks: 0,
            known: HashSet::new(),
            bytes: 0,
        })
    }

    fn ask(&mut self, path: &str, accepted: &str) -> Result<Vec<u8>, SourceError> {
        let url = self.url.join(path).map_err(|_| SourceError::Unexpected)?;
        let mut request = Request::new("GET", url);
        request.set_field("Accept", accepted);
        if let Some(tenant) = &self.tenant {
            request.set_field("X-Scope-OrgID", tenant);
        }
        loadline_net::set_basic(&mut request);
        let response = answer_to(request, &mut self.client)?;
        match response.head.status() {
            200..300 => Ok(response.body.to_vec()),
            400 => Err(refusal(&response.body)),
            401 | 403 => Err(SourceError::Login),
            status => Err(SourceError::Status(status)),
        }
    }

    /// The traces that ended a little ago.
    fn search(&mut self) -> Result<Vec<String>, SourceError> {
        let now = (self.wall_clock)().duration_since(SystemTime::UNIX_EPOCH);
        let end = now
            .unwrap_or_default()
            .as_secs()
            .saturating_sub(LATE_SECONDS);
        // What ended some seconds before the run may be among them, older ones are not.
        let passed = self.clock.now().as_nanos() / 1_000_000_000;
        let range = RANGE_SECONDS.min(passed).max(1);
        let mut form = Serializer::new(String::new());
        form.append_pair("q", &self.query)
            .append_pair("start", &end.saturating_sub(range).to_string())
            .append_pair("end", &end.to_string())
            .append_pair("limit", &SEARCH_MAX.to_string());
        let path = format!("api/search?{}", form.finish());
        let found = found(&self.ask(&path, "application/json")?)?;
        Ok(found
            .into_iter()
            .filter(|id| !self.known.contains(id))
            .collect())
    }

    fn fetch(&mut self, id: String) -> Result<(), SourceError> {
        let trace = self.ask(&format!("api/traces/{id}"), "application/protobuf");
        self.known.insert(id);
        match trace {
            Ok(trace) => {
                self.bytes += trace.len();
                self.received.take_kept_traces(&spans(&trace)?);
                Ok(())
            }
            // It was found, and moves from one store to another.
            Err(SourceError::Status(404)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_used_up(&self) -> bool {
        self.known.len() >= TRACES_MAX || self.bytes >= BYTES_MAX
    }

    fn look(&mut self) -> Result<(), SourceError> {
        let began: Time = self.clock.now();
        for id in self.search()?.into_iter().take(SEARCH_MAX) {
            if self.is_used_up() || self.clock.now().since(began) > FETCH_TIME_MAX {
                break;
            }
            self.fetch(id)?;
        }
        Ok(())
    }
}

impl Source for TempoSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        if self.looks.is_multiple_of(LOOKS_APART) && !self.is_used_up() {
            self.look()?;
        }
        self.looks += 1;
        match self.received.give(reading) {
            // It answers: nothing that it was asked for has ended yet.
            Err(SourceError::NothingSent) => Ok(()),
            given => given,
        }
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.received.lacks()
    }

    fn notes(&self) -> Vec<SourceNote> {
        let all = SourceNote::AllTraces(self.known.len());
        self.is_used_up().then_some(all).into_iter().collect()
    }

    /// It is about services whose ports are not told.
    fn places(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

/// The numbers of the traces that a search found.
fn found(body: &[u8]) -> Result<Vec<String>, SourceError> {
    let found: Found = serde_json::from_slice(body).map_err(|_| SourceError::Unexpected)?;
    let is_number = |id: &String| {
        (1..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let ids = found.traces.into_iter().map(|trace| trace.id);
    Ok(ids.filter(is_number).collect())
}

/// The spans of a trace, which have the form of what is sent over OTLP.
fn spans(body: &[u8]) -> Result<ExportTraceServiceRequest, SourceError> {
    let decoded = decoded_bytes(ExportKind::Traces, body, DECODED_BYTES_MAX);
    decoded
        .filter(|decoded| *decoded <= DECODED_BYTES_MAX)
        .ok_or(SourceError::Unexpected)?;
    ExportTraceServiceRequest::decode(body).map_err(|_| SourceError::Unexpected)
}

/// Reads what a Tempo answers: how many traces a search found, and how many senders a trace has.
pub(crate) fn read_traces(body: &[u8]) -> usize {
    let found = found(body).map_or(0, |found| found.len());
    found + spans(body).map_or(0, |trace| trace.resource_spans.len())
}

/// Why a question was refused, in Tempo's words.
fn refusal(body: &[u8]) -> SourceError {
    let text = String::from_utf8_lossy(body);
    let text = text.lines().next().unwrap_or_default().trim();
    if text.is_empty() || text.starts_with('<') {
        return SourceError::Status(400);
    }
    let text = &text[..text.floor_char_boundary(REFUSAL_BYTES_MAX)];
    SourceError::Other(Redactor::default().text(text))
}

#[cfg(test)]
mod tests;
