//! A Prometheus that scrapes the target already, asked over its HTTP API.
//!
//! It is asked for the raw samples of the last seconds, so that each value has the time at which it was
//! scraped, by Prometheus' own clock, which is asked for too. What it scraped from one target is read as that
//! target's page would be. A target is a `job` and an `instance`.

mod answer;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{BlockingClient, Request, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError, SourceNote};
use loadline_units::{Clock, Time};
use url::form_urlencoded::Serializer;

use crate::births::CounterBirths;
use crate::cpu_use::CpuUse;
use crate::minutes::KnownMinutes;
use crate::names::{self, PageReader, PageSetup};
use crate::page::answer_to;
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::Source;
use answer::{Answer, Scraped};

/// The most targets. More are a whole cluster, of which most is not what is under load.
const TARGETS_MAX: usize = 60;
/// How far back the first question looks, s: targets are scraped once a minute or more often.
const FIRST_RANGE_SECONDS: f64 = 60.0;
/// Questions look back so many seconds at least and at most.
const RANGE_SECONDS_MIN: f64 = 5.0;
const RANGE_SECONDS_MAX: f64 = 150.0;
/// Scrapes that are further apart than this are too few for a short run, s.
const SCRAPE_SECONDS_MAX: f64 = 5.0;
/// What is late is asked for over so many seconds, ...
const LATE_RANGE_SECONDS: u32 = 1200;
/// ... at each of so many looks: it changes once a minute.
const LATE_LOOKS: u64 = 10;
/// The setting for it.
const SWITCH: &str = "scrape_interval: 1s (prometheus.yml)";

/// A Prometheus.
pub(crate) struct PrometheusSource {
    client: BlockingClient,
    /// Where questions go.
    url: Url,
    matchers: String,
    clock: MonotonicClock,
    targets: BTreeMap<TargetName, ScrapeTarget>,
    /// What clouds tell of managed databases, some time after it was so.
    late: BTreeMap<TargetName, LateTarget>,
    looks: u64,
}

/// `job` and `instance`.
type TargetName = (String, String);

#[derive(Default)]
struct ScrapeTarget {
    /// When it was scraped last, s by Prometheus' clock.
    last: Option<f64>,
    /// Between two scrapes, s.
    apart: Option<f64>,
    cpu: CpuUse,
    setup: PageSetup,
    births: CounterBirths,
    /// When it was scraped last, ms since the run's start.
    at_ms: Option<u64>,
}

/// What is late of a target.
#[derive(Default)]
struct LateTarget {
    minutes: KnownMinutes,
    setup: PageSetup,
}

impl LateTarget {
    fn notes(&self) -> Vec<SourceNote> {
        let minutes = self.minutes.note().into_iter();
        minutes.chain(self.setup.unused()).collect()
    }
}

impl PrometheusSource {
    /// Asks at `url`, for what has the labels of `matchers`: `job="shop"`.
    pub(crate) fn new(
        url: &Url,
        matchers: &str,
        setup: &ObserverSetup,
    ) -> Result<Self, SourceError> {
        let settings = (setup.network)(url).map_err(SourceError::Other)?;
        Ok(Self {
            client: BlockingClient::new(Arc::new(settings)),
            url: url.clone(),
            matchers: matchers.to_owned(),
            clock: setup.clock,
            targets: BTreeMap::new(),
            late: BTreeMap::new(),
            looks: 0,
        })
    }

    fn ask(&mut self, question: &str) -> Result<Bytes, SourceError> {
        let mut request = Request::new("POST", self.url.clone());
        request.set_field("Content-Type", "application/x-www-form-urlencoded");
        loadline_net::set_basic(&mut request);
        let mut form = Serializer::new(String::new());
        form.append_pair("query", question);
        request.set_body(Some(Bytes::from(form.finish())));
        let response = answer_to(request, &mut self.client)?;
        match response.head.status() {
            200..300 => Ok(Bytes::from(response.body)),
            400 | 422 => Err(answer::refusal(&response.body)),
            401 | 403 => Err(SourceError::Login),
            status => Err(SourceError::Status(status)),
        }
    }

    /// Prometheus' clock minus ours, s.
    fn clock_ahead(&mut self) -> Result<f64, SourceError> {
        let before = self.clock.now();
        let now = answer::time(&self.ask("time()")?)?;
        let after = self.clock.now();
        Ok(now - f64::midpoint(seconds(before), seconds(after)))
    }

    fn question(&self) -> String {
        let names: BTreeSet<&str> = names::metrics().collect();
        let names: Vec<&str> = names.into_iter().collect();
        let comma = if self.matchers.is_empty() { "" } else { "," };
        let apart = self.targets.values().filter_map(|target| target.apart);
        let back = if self.targets.is_empty() {
            FIRST_RANGE_SECONDS
        } else {
            // Two scrapes, and one that came late.
            (2.0 * apart.fold(0.0, f64::max) + 1.0).clamp(RANGE_SECONDS_MIN, RANGE_SECONDS_MAX)
        };
        format!(
            "{{__name__=~\"{}\"{comma}{}}}[{back:.0}s]",
            names.join("|"),
            self.matchers
        )
    }

    fn late_question(&self) -> String {
        let names: BTreeSet<&str> = names::late_metrics().chain(["up"]).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let comma = if self.matchers.is_empty() { "" } else { "," };
        format!(
            "{{__name__=~\"{}\"{comma}{}}}[{LATE_RANGE_SECONDS}s]",
            names.join("|"),
            self.matchers
        )
    }

    /// Reads what is late: all values of the last minutes, each with its own time.
    fn take_late(&mut self, all: &Answer, ahead: f64, reading: &mut Reading) {
        let now = seconds(self.clock.now());
        let (now_ms, started_ms) = (unix_ms(now + ahead), unix_ms(ahead));
        for (name, scraped) in all.by_target().into_iter().take(TARGETS_MAX) {
            let mut page = PageReader::new();
            scraped.each_of_all(|sample| page.take(sample));
            let minutes = page.take_minutes();
            let mut own = Reading::default();
            let setup = page.finish(&mut own);
            if minutes.is_empty() && own.values.is_empty() && setup.unused().is_empty() {
                continue;
            }
            let target = self.late.entry(name.clone()).or_default();
            target.setup = setup;
            let mut dated = target.minutes.take(minutes, started_ms, now_ms);
            let at_ms = self.clock.now().as_nanos() / 1_000_000;
            let constant = own.values.into_iter();
            dated.extend(constant.map(|(kind, of, value)| (at_ms, kind, of, value)));
            let part = Reading {
                dated,
                ..Reading::default()
            };
            reading.parts.push((place(&name.1), part));
        }
    }

    /// Reads each target as if it were a page; gives what was scraped since the last look.
    fn take(&mut self, all: &Answer, ahead: f64, reading: &mut Reading) -> Result<(), SourceError> {
        let scraped = all.by_target();
        if scraped.len() > TARGETS_MAX {
            return Err(SourceError::TooLarge);
        }
        if scraped.is_empty() {
            return Err(SourceError::Empty);
        }
        if scraped.values().all(Scraped::is_down) {
            return Err(SourceError::TargetsDown);
        }
        for (name, scraped) in scraped {
            let target = self.targets.entry(name.clone()).or_default();
            target.apart = scraped.apart.or(target.apart);
            if scraped.is_down() || target.last.is_some_and(|last| last >= scraped.newest) {
                continue;
            }
            target.last = Some(scraped.newest);
            let at = scraped.newest - ahead;
            let at_ms = Duration::try_from_secs_f64(at).map(|at| u64::try_from(at.as_millis()));
            // What was scraped before the run is no part of it.
            let Ok(Ok(at_ms)) = at_ms else { continue };
            let host = host_of(&name.1);
            let mut page = PageReader::after(&target.setup).at(host);
            scraped.each(|sample| page.take(sample));
            let mut own = Reading::default();
            let before_ms = target.at_ms.replace(at_ms);
            let at = Time::from_nanos(at_ms.saturating_mul(1_000_000));
            target.cpu.take(&page, at, &mut own);
            target.setup = page.finish(&mut own);
            if target.setup.is_own() {
                target.births.take("", false, &mut own);
            }
            let part = Reading {
                dated: dated(own.before, own.values, before_ms, at_ms),
                settings: own.settings,
                ..Reading::default()
            };
            reading.parts.push((place(&name.1), part));
        }
        Ok(())
    }
}

impl Source for PrometheusSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let ahead = self.clock_ahead()?;
        let question = self.question();
        let answer = self.ask(&question)?;
        let answer = Answer::read(&answer)?;
        self.take(&answer, ahead, reading)?;
        self.looks += 1;
        if self.looks % LATE_LOOKS == 1 {
            let question = self.late_question();
            let late = self.ask(&question)?;
            self.take_late(&Answer::read(&late)?, ahead, reading);
        }
        Ok(())
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        let mut missing: Vec<MissingSignal> = Vec::new();
        for target in self.targets.values() {
            let is_rare = target.apart.is_some_and(|apart| apart > SCRAPE_SECONDS_MAX);
            let rare = is_rare.then(|| MissingSignal::new(SignalKind::ProcessCpu, SWITCH));
            for one in target.setup.lacks().into_iter().chain(rare) {
                if !missing.contains(&one) {
                    missing.push(one);
                }
            }
        }
        missing
    }

    fn notes(&self) -> Vec<SourceNote> {
        let mut notes = Vec::new();
        for note in self
            .targets
            .values()
            .flat_map(|target| target.setup.unused())
            .chain(self.late.values().flat_map(LateTarget::notes))
        {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    /// Each target has a place of its own.
    fn places(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

/// How many samples an answer has that count.
pub(crate) fn read_samples(body: &[u8]) -> usize {
    let Ok(answer) = Answer::read(body) else {
        return 0;
    };
    let mut samples = 0;
    for scraped in answer.by_target().values() {
        scraped.each(|_| samples += 1);
    }
    samples
}

type Values = Vec<(SignalKind, Entity, f64)>;

/// Values of a scrape with its time, after those of the scrape before.
fn dated(
    before: Values,
    values: Values,
    before_ms: Option<u64>,
    at_ms: u64,
) -> Vec<(u64, SignalKind, Entity, f64)> {
    let before = before.into_iter().filter_map(|(kind, of, value)| {
        let before_ms = before_ms?;
        Some((before_ms, kind, of, value))
    });
    let values = values.into_iter();
    before
        .chain(values.map(|(kind, of, value)| (at_ms, kind, of, value)))
        .collect()
}

/// The host of an instance, without its port.
fn host_of(instance: &str) -> &str {
    instance.rsplit_once(':').map_or(instance, |(host, _)| host)
}

/// Where an instance listens, as other sources call it.
fn place(instance: &str) -> String {
    match instance.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => instance.to_owned(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "times are far below 2^63 ms"
)]
fn unix_ms(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}

fn seconds(time: Time) -> f64 {
    Duration::from_nanos(time.as_nanos()).as_secs_f64()
}
