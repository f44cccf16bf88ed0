//! `--once`: prints what one iteration of each scenario does, as it does it.
//!
//! Lines are written on the worker's thread, between those of the log, so that their
//! order is that of the events.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loadline_k6::ScriptObserver;
use loadline_net::{Exchange, Failure, Timing};
use loadline_record::{Shortfall, Summary};
use loadline_report::document::printable;
use loadline_report::facts::counted;
use loadline_text::{Catalog, Exit, grouped, messages, millis};
use loadline_units::Bytes;

use crate::terminal::screen::{self, StandardStream};

/// How much of a body is shown.
const BODY_BYTES_SHOWN: usize = 1024;

/// Prints what users do, and counts exceptions.
pub(crate) struct OnceWriter {
    catalog: Catalog,
    exceptions: AtomicU64,
}

impl OnceWriter {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            catalog,
            exceptions: AtomicU64::new(0),
        }
    }

    /// What comes before everything else.
    pub(crate) fn title(&self, test: &str) -> String {
        format!("{}\n\n", self.catalog.text(&messages::once_title(test)))
    }

    /// What came of it, and how a program ends that had no other reason: a request that
    /// failed by the test's own rules, a redirect that a URL run does not follow, a check, an exception or a user that gave up fails like a
    /// threshold.
    pub(crate) fn end(&self, summary: &Summary) -> (Exit, String) {
        let exceptions = self.exceptions.load(Ordering::Relaxed);
        let metric = |name: &str| summary.metric(name).map(|metric| &metric.value);
        let exchanges = match metric("http_reqs") {
            Some(loadline_metrics::MetricValue::Counter(Some(sum))) => sum.value(),
            _ => 0.0,
        };
        let failed = match metric("http_req_failed") {
            Some(loadline_metrics::MetricValue::Rate(rate)) => rate.trues,
            _ => 0,
        };
        let (passed, checks) = match metric("checks") {
            Some(loadline_metrics::MetricValue::Rate(rate)) => (rate.trues, rate.total),
            _ => (0, 0),
        };
        let users = summary.run.failed_users;
        let is_silent = summary.sent_nothing();
        let cut = summary.run.interrupted_iterations;
        // A URL run does not follow them: what they lead to was not looked at.
        let (redirects, answers) = summary.redirects();
        let is_ok = failed == 0
            && passed == checks
            && exceptions == 0
            && users == 0
            && redirects == 0
            && cut == 0
            && !is_silent;
        let (exit, word) = if is_ok {
            (Exit::Success, messages::once_ok())
        } else {
            (Exit::ThresholdsFailed, messages::once_not_ok())
        };
        let exchanges = grouped(exchanges, 0);
        let counts = messages::once_end(exchanges, failed, passed, checks, exceptions);
        let mut text = format!(
            "{}: {}",
            self.catalog.text(&word),
            self.catalog.text(&counts)
        );
        if cut > 0 {
            let _ = write!(text, "; {}", self.catalog.text(&messages::once_cut(cut)));
        }
        if is_silent && cut == 0 {
            let _ = write!(text, "; {}", self.catalog.text(&messages::once_nothing()));
        }
        if redirects > 0 {
            let elsewhere = Shortfall::Redirects {
                all: answers,
                redirects,
            };
            let _ = write!(text, "; {}", self.catalog.text(&counted(elsewhere)));
        }
        if users > 0 {
            let all = summary.run.complete_iterations + summary.run.interrupted_iterations;
            let gave_up = counted(Shortfall::Users { all, failed: users });
            let _ = write!(text, "; {}", self.catalog.text(&gave_up));
        }
        (exit, text)
    }

    fn timing(&self, timing: &Timing) -> String {
        let length = |length: Duration| millis(length.as_secs_f64() * 1e3);
        let exchange = messages::once_timing(
            length(timing.duration()),
            length(timing.sending()),
            length(timing.waiting()),
            length(timing.receiving()),
        );
        let before = messages::once_before(
            length(timing.blocked()),
            length(timing.connecting()),
            length(timing.tls_handshaking()),
        );
        let [exchange, before] = [exchange, before].map(|part| self.catalog.text(&part));
        format!("{exchange}; {before}")
    }

    fn body(&self, text: &mut String, mark: char, body: &[u8]) {
        if body.is_empty() {
            return;
        }
        let size = Bytes(body.len() as u64);
        let Some(shown) = beginning(body) else {
            let note = self.catalog.text(&messages::once_body_binary(size));
            let _ = writeln!(text, "  {mark} {note}");
            return;
        };
        let _ = writeln!(text, "  {mark}");
        for line in shown.lines() {
            let _ = writeln!(text, "  {mark} {line}");
        }
        if shown.len() < body.len() {
            let shown = Bytes(shown.len() as u64);
            let note = self.catalog.text(&messages::once_body_cut(shown, size));
            let _ = writeln!(text, "  {mark} {note}");
        }
    }

    /// Why a request failed, and after how long: what did not come about took no time of its own.
    fn failure(&self, failure: &Failure, timing: &Timing) -> String {
        let after = timing.finish().since(timing.start());
        let after = millis(after.as_secs_f64() * 1e3);
        let message = messages::once_failed(failure.code(), failure.text(), after);
        self.catalog.text(&message)
    }

    /// One exchange, over several lines. What a target answers is in it: nothing of that moves a
    /// cursor.
    pub(crate) fn shown(&self, place: &str, hop: &Exchange<'_>) -> String {
        shown(&self.lines(place, hop))
    }

    fn lines(&self, place: &str, hop: &Exchange<'_>) -> String {
        let (request, response) = (hop.request, hop.response);
        let url = request.url().masked();
        let mut text = format!("[{place}] {} {url}\n", request.method());
        for (name, value) in request.fields() {
            let _ = writeln!(text, "  > {name}: {value}");
        }
        self.body(
            &mut text,
            '>',
            request.body().map(|b| &b[..]).unwrap_or_default(),
        );
        if let Some(failure) = hop.failure {
            let _ = writeln!(text, "  ✗ {}", self.failure(failure, &response.timing));
        }
        let head = &response.head;
        if head.status() > 0 {
            let protocol = response.protocol.as_str();
            let reason = match head.status_text() {
                [] => head.status().to_string().into(), // HTTP/2 has no reasons
                reason => String::from_utf8_lossy(reason),
            };
            let _ = writeln!(text, "  < {protocol} {reason}");
            for (name, value) in head.fields().iter() {
                let _ = writeln!(text, "  < {name}: {}", String::from_utf8_lossy(value));
            }
            self.body(&mut text, '<', &response.body);
        }
        let _ = writeln!(text, "  {}\n", self.timing(&response.timing));
        text
    }

    /// Prints one exchange.
    pub(crate) fn print(&self, place: &str, hop: &Exchange<'_>) {
        Self::write(&self.shown(place, hop));
    }

    fn write(text: &str) {
        screen::write_now(StandardStream::Out, text);
    }
}

impl ScriptObserver for OnceWriter {
    fn exchange(&self, place: &str, hop: &Exchange<'_>) {
        self.print(place, hop);
    }

    fn check(&self, place: &str, name: &str, passed: bool) {
        let mark = if passed { '✓' } else { '✗' };
        Self::write(&shown(&format!("[{place}] {mark} {name}\n")));
    }

    fn sample(&self, place: &str, metric: &str, value: f64) {
        Self::write(&shown(&format!("[{place}] {metric} = {value}\n")));
    }

    fn exception(&self, _: &str) {
        // Its text is in the log.
        self.exceptions.fetch_add(1, Ordering::Relaxed);
    }
}

/// A text without what moves a terminal's cursor.
fn shown(text: &str) -> String {
    printable::lines(text, usize::MAX)
}

/// The beginning of a body that is text, whole characters only.
fn beginning(body: &[u8]) -> Option<&str> {
    let cut = &body[..body.len().min(BODY_BYTES_SHOWN)];
    let text = match std::str::from_utf8(cut) {
        Ok(text) => text,
        // A character may have been cut in two.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&cut[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_shown_in_whole_characters_if_it_is_text() {
        assert_eq!(beginning("짧다".as_bytes()), Some("짧다"));
        let long = "가".repeat(500);
        let shown = beginning(long.as_bytes()).unwrap();
        assert_eq!(shown.chars().count(), BODY_BYTES_SHOWN / 3);
        assert_eq!(beginning(&[0xff, 0xfe, 0]), None);
        assert_eq!(
            beginning(b"\x1b[31mred"),
            None,
            "no control of the terminal"
        );
    }
}
