//! When each phase of an exchange began and ended, and k6's lengths made from that.

use std::time::Duration;

use loadline_units::{PhaseMillis, Time};

/// An instant that may not have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp(Time);

impl Stamp {
    const NEVER: Self = Self(Time::MAX);

    fn get(self) -> Option<Time> {
        (self.0 != Time::MAX).then_some(self.0)
    }
}

/// The instants of one exchange (one request, one response, no redirects).
///
/// Lengths are k6's: `blocked` is the wait for a connection and holds `connecting` and
/// `tls_handshaking`; `duration` is `sending + waiting + receiving` and holds none of the
/// three. What did not happen has length zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    start: Time,
    connect_started: Stamp,
    connected: Stamp,
    tls_started: Stamp,
    tls_done: Stamp,
    got_connection: Stamp,
    sent: Stamp,
    first_byte: Stamp,
    end: Time,
}

impl Default for Timing {
    fn default() -> Self {
        Self::starting(Time::ZERO)
    }
}

impl Timing {
    /// An exchange that starts at `now`.
    #[must_use]
    pub fn starting(now: Time) -> Self {
        Self {
            start: now,
            connect_started: Stamp::NEVER,
            connected: Stamp::NEVER,
            tls_started: Stamp::NEVER,
            tls_done: Stamp::NEVER,
            got_connection: Stamp::NEVER,
            sent: Stamp::NEVER,
            first_byte: Stamp::NEVER,
            end: now,
        }
    }

    pub(crate) fn connect_started(&mut self, now: Time) {
        self.connect_started = Stamp(now);
        self.connected = Stamp::NEVER;
        self.tls_started = Stamp::NEVER;
        self.tls_done = Stamp::NEVER;
    }

    pub(crate) fn connected(&mut self, now: Time) {
        self.connected = Stamp(now);
    }

    pub(crate) fn tls_started(&mut self, now: Time) {
        self.tls_started = Stamp(now);
    }

    pub(crate) fn tls_done(&mut self, now: Time) {
        self.tls_done = Stamp(now);
    }

    /// A connection is at hand; a reused one took no time to connect.
    pub(crate) fn got_connection(&mut self, now: Time, reused: bool) {
        self.got_connection = Stamp(now);
        if reused {
            self.connect_started = Stamp::NEVER;
            self.connected = Stamp::NEVER;
            self.tls_started = Stamp::NEVER;
            self.tls_done = Stamp::NEVER;
        }
        self.sent = Stamp::NEVER;
        self.first_byte = Stamp::NEVER;
    }

    pub(crate) fn sent(&mut self, now: Time) {
        self.sent = Stamp(now);
    }

    pub(crate) fn sent_at(&self) -> Option<Time> {
        self.sent.get()
    }

    pub(crate) fn first_byte(&mut self, now: Time) {
        if self.first_byte == Stamp::NEVER {
            self.first_byte = Stamp(now);
        }
    }

    pub(crate) fn end(&mut self, now: Time) {
        self.end = now;
    }

    /// When the exchange was asked for.
    #[must_use]
    pub fn start(&self) -> Time {
        self.start
    }

    /// When it ended, well or not.
    #[must_use]
    pub fn finish(&self) -> Time {
        self.end
    }

    /// When the first byte of the response was read.
    #[must_use]
    pub fn first_byte_at(&self) -> Option<Time> {
        self.first_byte.get()
    }

    /// Waiting for a connection, with look-up, connecting and the TLS handshake.
    #[must_use]
    pub fn blocked(&self) -> Duration {
        self.got_connection
            .get()
            .map_or(Duration::ZERO, |at| at.since(self.start))
    }

    /// Connecting, of a connection made for this exchange.
    #[must_use]
    pub fn connecting(&self) -> Duration {
        between(self.connect_started, self.connected)
    }

    /// The TLS handshake, of a connection made for this exchange.
    #[must_use]
    pub fn tls_handshaking(&self) -> Duration {
        between(self.tls_started, self.tls_done)
    }

    /// From the connection being ready until the request was written.
    #[must_use]
    pub fn sending(&self) -> Duration {
        let ready = [self.tls_done, self.connected, self.got_connection]
            .into_iter()
            .find(|stamp| *stamp != Stamp::NEVER)
            .unwrap_or(Stamp::NEVER);
        between(ready, self.sent)
    }

    /// From then until the first byte of the response, or the end when none came.
    #[must_use]
    pub fn waiting(&self) -> Duration {
        match (self.sent.get(), self.first_byte.get()) {
            (Some(sent), Some(first)) => first.since(sent),
            (Some(sent), None) => self.end.since(sent),
            (None, _) => Duration::ZERO,
        }
    }

    /// From then until the end of the response.
    #[must_use]
    pub fn receiving(&self) -> Duration {
        self.first_byte
            .get()
            .map_or(Duration::ZERO, |first| self.end.since(first))
    }

    /// All lengths, as they are recorded for each request.
    #[must_use]
    pub fn phase_millis(&self) -> PhaseMillis {
        let millis = |length: Duration| {
            let nanos = length.as_secs() * 1_000_000_000 + u64::from(length.subsec_nanos());
            nanos as f64 / 1e6
        };
        let (sending, waiting, receiving) = (self.sending(), self.waiting(), self.receiving());
        PhaseMillis {
            blocked: millis(self.blocked()),
            connecting: millis(self.connecting()),
            tls_handshaking: millis(self.tls_handshaking()),
            sending: millis(sending),
            waiting: millis(waiting),
            receiving: millis(receiving),
            duration: millis(sending + waiting + receiving),
        }
    }

    /// `sending + waiting + receiving`.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.sending() + self.waiting() + self.receiving()
    }
}

fn between(from: Stamp, to: Stamp) -> Duration {
    match (from.get(), to.get()) {
        (Some(from), Some(to)) => to.since(from),
        _ => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Time {
        Time::from_nanos(millis * 1_000_000)
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_fresh_connection_counts_as_blocked_and_not_as_duration() {
        let mut timing = Timing::starting(at(1));
        timing.connect_started(at(3));
        timing.connected(at(6));
        timing.tls_started(at(6));
        timing.tls_done(at(10));
        timing.got_connection(at(11), false);
        timing.sent(at(12));
        timing.first_byte(at(20));
        timing.first_byte(at(25));
        timing.end(at(30));

        assert_eq!(timing.blocked(), ms(10));
        assert_eq!(timing.connecting(), ms(3));
        assert_eq!(timing.tls_handshaking(), ms(4));
        assert_eq!(timing.sending(), ms(2));
        assert_eq!(timing.waiting(), ms(8));
        assert_eq!(timing.receiving(), ms(10));
        assert_eq!(timing.duration(), ms(20));
        let expected = PhaseMillis {
            blocked: 10.0,
            connecting: 3.0,
            tls_handshaking: 4.0,
            sending: 2.0,
            waiting: 8.0,
            receiving: 10.0,
            duration: 20.0,
        };
        assert_eq!(timing.phase_millis(), expected);
    }

    #[test]
    fn a_reused_connection_took_no_time_to_connect() {
        let mut timing = Timing::starting(at(1));
        timing.connect_started(at(1));
        timing.connected(at(2));
        timing.got_connection(at(4), true);
        timing.sent(at(5));
        timing.first_byte(at(7));
        timing.end(at(7));

        assert_eq!(timing.blocked(), ms(3));
        assert_eq!(timing.connecting(), Duration::ZERO);
        assert_eq!(timing.sending(), ms(1));
        assert_eq!(timing.duration(), ms(3));
    }

    #[test]
    fn an_exchange_without_an_answer_waited_until_its_end() {
        let mut timing = Timing::starting(at(0));
        timing.connect_started(at(0));
        timing.connected(at(1));
        timing.got_connection(at(1), false);
        timing.sent(at(2));
        timing.end(at(60));

        assert_eq!(timing.waiting(), ms(58));
        assert_eq!(timing.receiving(), Duration::ZERO);
    }

    /// k6 records zero for a request that never got a connection.
    #[test]
    fn a_refused_connection_has_no_length() {
        let mut timing = Timing::starting(at(0));
        timing.connect_started(at(1));
        timing.end(at(5));

        assert_eq!(timing.blocked(), Duration::ZERO);
        assert_eq!(timing.connecting(), Duration::ZERO);
        assert_eq!(timing.duration(), Duration::ZERO);
        assert_eq!(timing.finish(), at(5));
    }
}
