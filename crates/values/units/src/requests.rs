//! What became of requests.

use std::ops::AddAssign;

/// How many requests there were, by what became of them.
///
/// Each exchange of a redirect or of a login is a request; a stream counts as one, whatever
/// led to it. So does a gRPC call with one message in each direction, and the handshake of a
/// WebSocket. Once nothing is under way, `sent` = `answered` + `failed` + `cut`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestCounts {
    /// Requests that were begun.
    pub sent: u64,
    /// Of these, requests whose answer came to its end, whatever its status.
    pub answered: u64,
    /// Of these, requests that ended without a complete answer.
    pub failed: u64,
    /// Of these, requests that were under way when their user was stopped.
    pub cut: u64,
    /// Times a request was written once more, after its connection broke. They are part of
    /// the same request: a server may count `sent` + `resent`.
    pub resent: u64,
    /// Of `answered` and `failed`, gRPC calls and WebSocket handshakes: `http_reqs` counts
    /// neither.
    pub other_ended: u64,
    /// The same of `cut`.
    pub other_cut: u64,
    /// Of `other_ended`, calls that ended with a status of an error, and handshakes that opened
    /// no WebSocket.
    pub other_failed: u64,
}

impl RequestCounts {
    /// Whether every request that was begun also ended.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.sent == self.answered + self.failed + self.cut
    }
}

impl AddAssign for RequestCounts {
    fn add_assign(&mut self, other: Self) {
        self.sent += other.sent;
        self.answered += other.answered;
        self.failed += other.failed;
        self.cut += other.cut;
        self.resent += other.resent;
        self.other_ended += other.other_ended;
        self.other_cut += other.other_cut;
        self.other_failed += other.other_failed;
    }
}
