//! A page of metrics, fetched over HTTP.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_net::{BlockingClient, BodyMode, Cause, Failure, Request, Response, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError, SourceNote};
use loadline_units::{Clock, Time};

use crate::answering::Answering;
use crate::births::CounterBirths;
use crate::clock_ahead::seconds_after;
use crate::cpu_use::CpuUse;
use crate::exposition::{self, PageError};
use crate::minutes::KnownMinutes;
use crate::names::{PageProcess, PageReader, PageSetup};
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::{HTTP_TIMEOUT, RESPONSE_BYTES_MAX, Source};
use crate::stub_status;

/// Both formats, the older one first: its values are the same, and every target has it.
const ACCEPTED: &str =
    "text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.9,*/*;q=0.1";

/// An answer that takes longer waited for something.
const SLOW_ANSWER_MIN: Duration = Duration::from_millis(500);

/// Starts that are kept.
const STARTS_MAX: usize = 32;
/// Starts that are told so near to each other may be of one process, s.
const SAME_START_MAX_SECONDS: f64 = 1.5;

/// A page of metrics.
pub(crate) struct PageSource {
    client: BlockingClient,
    url: Url,
    clock: MonotonicClock,
    wall_clock: fn() -> SystemTime,
    setup: PageSetup,
    /// By the process that answered.
    cpu: BTreeMap<String, CpuUse>,
    births: CounterBirths,
    minutes: KnownMinutes,
    /// When it was looked at first.
    first: Option<Time>,
    /// Starts of processes so far, s since 1970.
    starts: Vec<f64>,
    slowest: Duration,
}

impl PageSource {
    pub(crate) fn new(url: Url, setup: &ObserverSetup) -> Result<Self, SourceError> {
        let settings = (setup.network)(&url).map_err(SourceError::Other)?;
        Ok(Self {
            client: BlockingClient::new(Arc::new(settings)),
            url,
            clock: setup.clock,
            wall_clock: setup.wall_clock,
            cpu: BTreeMap::new(),
            births: CounterBirths::default(),
            minutes: KnownMinutes::default(),
            first: None,
            starts: Vec::new(),
            slowest: Duration::ZERO,
            setup: PageSetup::default(),
        })
    }

    fn fetch(&mut self) -> Result<Response, SourceError> {
        let mut request = Request::new("GET", self.url.clone());
        request.set_field("Accept", ACCEPTED);
        loadline_net::set_basic(&mut request);
        let response = answer_to(request, &mut self.client)?;
        match response.head.status() {
            200..300 => Ok(response),
            status => Err(SourceError::Status(status)),
        }
    }
}

impl PageSource {
    /// Takes what a page tells, of the process that it is of.
    fn take(&mut self, mut page: PageReader, answered: &Answered, reading: &mut Reading) {
        let process = page.process();
        let process = process.map(|process| answered.by(&self.known(process)));
        let key = process.as_ref().map_or("", |process| process.key.as_str());
        let cpu = self.cpu.entry(key.to_owned()).or_default();
        cpu.take(&page, answered.ended, reading);
        let now_ms = answered.unix_ms();
        let started_ms = now_ms - millis(answered.ended);
        let minutes = self.minutes.take(page.take_minutes(), started_ms, now_ms);
        reading.dated.extend(minutes);
        self.setup = page.finish(reading);
        if self.setup.is_own() {
            let first_ms = self.first.map_or(i64::MAX, millis);
            let started_ms = process.as_ref().and_then(|process| process.started_ms);
            let is_new = started_ms.is_some_and(|started| started > first_ms);
            self.births.take(key, is_new, reading);
        }
        self.first.get_or_insert(answered.ended);
        reading.answering = process;
    }

    /// The process, with a start that is known already where it is told too differently to be true.
    fn known(&mut self, mut process: PageProcess) -> PageProcess {
        let Some(started) = process.started else {
            return process;
        };
        if self.starts.contains(&started) {
            return process;
        }
        let near = |known: &&f64| (**known - started).abs() <= SAME_START_MAX_SECONDS;
        let nearest = self.starts.iter().filter(near);
        if self.starts.len() < STARTS_MAX {
            self.starts.push(started);
        } else if let Some(known) = nearest.copied().next_back() {
            process.started = Some(known);
        }
        process
    }

    /// Tells how long the answer took: a page of the port under load waits in the queue that it measures.
    fn take_time(&mut self, took: Duration, at_ms: u64, reading: &mut Reading) {
        let time = (
            at_ms,
            SignalKind::ScrapeTime,
            Entity::new(),
            took.as_secs_f64(),
        );
        reading.dated.push(time);
        self.slowest = self.slowest.max(took);
    }
}

/// When a page answered, by the run's clock and by the time of day.
struct Answered {
    ended: Time,
    /// By this host's clock, s since 1970.
    now: f64,
    /// How far the clock of the page's host is ahead, s.
    ahead: f64,
}

impl Answered {
    /// By the clock of the page's host, which is nearer to that of whoever measured than ours.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "times are far below 2^63 ms"
    )]
    fn unix_ms(&self) -> i64 {
        ((self.now + self.ahead) * 1000.0) as i64
    }

    fn by(&self, process: &PageProcess) -> Answering {
        let started = process.started.map(|started| {
            let age = self.now + self.ahead - started;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "ages are far below 2^63 ms"
            )]
            let age_ms = (age * 1000.0) as i64;
            millis(self.ended) - age_ms
        });
        Answering {
            key: format!("{}@{}", process.name, process.started.unwrap_or(0.0)),
            name: process.name.clone(),
            started_ms: started,
        }
    }
}

fn millis(time: Time) -> i64 {
    i64::try_from(time.as_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

impl Source for PageSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let began = (self.wall_clock)();
        let began_at = self.clock.now();
        let response = self.fetch();
        let ended = self.clock.now();
        if matches!(response, Err(SourceError::TimedOut)) {
            self.slowest = self.slowest.max(ended.since(began_at));
        }
        let response = response?;
        let now = (self.wall_clock)();
        let ahead = clock_ahead(&response, began, now);
        let is_open_metrics = is_open_metrics(&response);
        let text = std::str::from_utf8(&response.body).map_err(|_| SourceError::NotMetrics(1))?;
        let nginx = stub_status::as_page(text);
        let text = nginx.as_deref().unwrap_or(text);
        let mut page = PageReader::after(&self.setup);
        exposition::read(text, is_open_metrics, |sample| page.take(&sample)).map_err(page_error)?;
        let answered = Answered {
            ended,
            now: seconds_after(now, SystemTime::UNIX_EPOCH),
            ahead: ahead.unwrap_or(0.0),
        };
        self.take(page, &answered, reading);
        let took = ended.since(began_at);
        let at_ms = ended.as_nanos() / 1_000_000;
        if took >= SLOW_ANSWER_MIN {
            // It is written when its turn comes, at the end of the wait.
            reading.at_ms = Some(at_ms);
        }
        self.take_time(took, at_ms, reading);
        if let Some(ahead) = ahead {
            reading
                .dated
                .push((at_ms, SignalKind::ClockAhead, Entity::new(), ahead));
        }
        Ok(())
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.setup.lacks()
    }

    fn notes(&self) -> Vec<SourceNote> {
        let slowest_ms = u64::try_from(self.slowest.as_millis()).unwrap_or(u64::MAX);
        let slow = SourceNote::SlowAnswers(slowest_ms);
        let slow = (self.slowest >= SLOW_ANSWER_MIN).then_some(slow);
        let minutes = self.minutes.note();
        let own = slow.into_iter().chain(minutes);
        own.chain(self.setup.unused()).collect()
    }

    fn places(&self) -> BTreeSet<String> {
        let port = self.url.port().unwrap_or(80);
        let host = match self.url.host_name() {
            "localhost" | "::1" | "[::1]" => "127.0.0.1",
            host => host,
        };
        BTreeSet::from([format!("{host}:{port}")])
    }
}

/// How far the clock of the page's host is ahead, s, as far as the answer's `Date` tells.
fn clock_ahead(response: &Response, began: SystemTime, ended: SystemTime) -> Option<f64> {
    let date = response.head.fields().get("date")?;
    let date = httpdate::parse_http_date(std::str::from_utf8(date).ok()?).ok()?;
    Some(ahead_of_date(date, began, ended))
}

/// A `Date` has whole seconds: its clock showed a time of this second at some time of the exchange.
fn ahead_of_date(date: SystemTime, began: SystemTime, ended: SystemTime) -> f64 {
    let least = seconds_after(date, ended);
    let most = seconds_after(date + Duration::from_secs(1), began);
    if least > 0.0 { least } else { most.min(0.0) }
}

fn is_open_metrics(response: &Response) -> bool {
    let kind = response.head.fields().get("content-type");
    kind.is_some_and(|kind| kind.starts_with(b"application/openmetrics-text"))
}

fn page_error(error: PageError) -> SourceError {
    match error {
        PageError::Line(line) => SourceError::NotMetrics(line),
        PageError::Empty => SourceError::Empty,
        PageError::TooMany => SourceError::TooLarge,
        PageError::Cut => SourceError::CutOff,
    }
}

/// What a source answers, whatever its status; its body is bounded, and so is the wait for it.
pub(crate) fn answer_to(
    request: Request,
    client: &mut BlockingClient,
) -> Result<Response, SourceError> {
    let kept = BodyMode::Keep {
        limit: RESPONSE_BYTES_MAX,
    };
    let response = client.exchange(request, kept, HTTP_TIMEOUT);
    response.map_err(|failure| error_of(&failure))
}

/// Why there was no answer.
pub(crate) fn error_of(failure: &Failure) -> SourceError {
    match failure.cause() {
        Cause::Timeout | Cause::DialTimeout { .. } => SourceError::TimedOut,
        Cause::Refused { .. } => SourceError::Refused,
        Cause::NoSuchHost { .. } | Cause::Lookup(_) => SourceError::NoSuchHost,
        Cause::BodyTooLarge { .. } | Cause::HeadTooLarge(_) => SourceError::TooLarge,
        Cause::Response(_) | Cause::Socket { .. } | Cause::Tcp(_) => SourceError::CutOff,
        Cause::Tls(_)
        | Cause::Certificate(_)
        | Cause::NotTls { .. }
        | Cause::UnknownAuthority(_)
        | Cause::WrongHost(_) => SourceError::Tls,
        _ => SourceError::Other(failure.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_tells_a_clock_that_is_off_and_no_difference_within_its_second() {
        let at = |seconds: f64| SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds);
        let ahead = |date| ahead_of_date(at(date), at(1000.4), at(1000.6));
        assert!(ahead(1000.0).abs() < 1e-6);
        assert!((ahead(1300.0) - 299.4).abs() < 1e-6);
        assert!((ahead(700.0) + 299.4).abs() < 1e-6);
    }

    /// The age of `process_start_time_seconds 1e300` was beyond any number of milliseconds,
    /// and the observer's thread ended.
    #[test]
    fn a_start_that_no_process_can_have_is_none() {
        let answered = Answered {
            ended: Time::ZERO,
            now: 1.8e9,
            ahead: 0.0,
        };
        for start in ["1e300", "+Inf", "1.7e9"] {
            let mut page = PageReader::new();
            let text = format!("process_start_time_seconds{{pid=\"1\"}} {start}\n");
            exposition::read(&text, false, |sample| page.take(&sample)).unwrap();
            let process = answered.by(&page.process().unwrap());
            let is_possible = start == "1.7e9";
            assert_eq!(process.started_ms.is_some(), is_possible, "{start}");
        }
    }
}
