//! A page of metrics, fetched over HTTP.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loadline_net::{BlockingClient, BodyMode, Cause, Failure, Request, Response, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError};
use loadline_units::Clock;

use crate::clock_ahead::seconds_after;
use crate::cpu_use::CpuUse;
use crate::exposition::{self, PageError};
use crate::names::{PageReader, PageSetup};
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::{HTTP_TIMEOUT, RESPONSE_BYTES_MAX, Source};

/// Both formats, the older one first: its values are the same, and every target has it.
const ACCEPTED: &str =
    "text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.9,*/*;q=0.1";

/// A page of metrics.
pub(crate) struct PageSource {
    client: BlockingClient,
    url: Url,
    clock: MonotonicClock,
    wall_clock: fn() -> SystemTime,
    setup: PageSetup,
    cpu: CpuUse,
}

impl PageSource {
    pub(crate) fn new(url: Url, setup: &ObserverSetup) -> Result<Self, SourceError> {
        let settings = (setup.network)(&url).map_err(SourceError::Other)?;
        Ok(Self {
            client: BlockingClient::new(Arc::new(settings)),
            url,
            clock: setup.clock,
            wall_clock: setup.wall_clock,
            cpu: CpuUse::default(),
            setup: PageSetup::default(),
        })
    }

    fn fetch(&mut self) -> Result<Response, SourceError> {
        let mut request = Request::new("GET", self.url.clone());
        request.set_field("Accept", ACCEPTED);
        loadline_net::set_basic(&mut request);
        let kept = BodyMode::Keep {
            limit: RESPONSE_BYTES_MAX,
        };
        let response = self.client.exchange(request, kept, HTTP_TIMEOUT);
        let response = response.map_err(|failure| error_of(&failure))?;
        match response.head.status() {
            200..300 => Ok(response),
            status => Err(SourceError::Status(status)),
        }
    }
}

impl Source for PageSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let began = (self.wall_clock)();
        let response = self.fetch()?;
        let ahead = clock_ahead(&response, began, (self.wall_clock)());
        let is_open_metrics = is_open_metrics(&response);
        let text = std::str::from_utf8(&response.body).map_err(|_| SourceError::NotMetrics(1))?;
        let mut page = PageReader::new();
        exposition::read(text, is_open_metrics, |sample| page.take(&sample)).map_err(page_error)?;
        self.cpu.take(&page, self.clock.now(), reading);
        self.setup = page.finish(reading);
        if let Some(ahead) = ahead {
            reading.add(SignalKind::ClockAhead, Entity::new(), ahead);
        }
        Ok(())
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.setup.lacks()
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
}
