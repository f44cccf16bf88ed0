//! Accounting: each request, iteration and start of a run, counted in one class.

/// The share of checks, or of iterations, that may fail at a capacity whose objective says nothing
/// of them.
pub const FAULTS_ALLOWED: f64 = 0.01;

/// Counts of the whole run, a warm-up and set-up included.
///
/// Every one is counted in exactly one class: `requests.sent` = answered + failed + cut, `iterations.started` =
/// complete + interrupted, `starts.planned` = `iterations.started` + dropped where all
/// scenarios have an arrival rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Accounting {
    /// Requests.
    pub requests: RequestAccount,
    /// Iterations.
    pub iterations: IterationAccount,
    /// Starts of scenarios with an arrival rate.
    pub starts: StartAccount,
}

/// What became of requests: HTTP, gRPC calls with one message in each direction, handshakes of
/// WebSockets. Each exchange of a redirect or of a login is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct RequestAccount {
    /// Requests that were begun.
    pub sent: u64,
    /// Requests whose answer came to its end, whatever its status.
    pub answered: u64,
    /// Requests that ended without a complete answer.
    pub failed: u64,
    /// Requests that were under way when their user was stopped.
    pub cut: u64,
    /// Of `cut`, requests whose user the test's own ramp-down took away; not counted in older
    /// records.
    #[serde(default)]
    pub ramped_down: u64,
    /// How often a request was sent again after its connection broke; a server may count
    /// `sent` + `resent`.
    pub resent: u64,
    /// Of `answered` and `failed`, gRPC calls and WebSocket handshakes, which `http_reqs` does
    /// not count; not counted in older records.
    #[serde(default)]
    pub other_ended: u64,
    /// The same of `cut`.
    #[serde(default)]
    pub other_cut: u64,
    /// Of `other_ended`, calls with a status of an error, and handshakes that opened no WebSocket.
    #[serde(default)]
    pub other_failed: u64,
}

/// What became of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct IterationAccount {
    /// Iterations that were begun.
    pub started: u64,
    /// Iterations that ran to their end.
    pub complete: u64,
    /// Iterations that were cut.
    pub interrupted: u64,
}

/// What became of planned starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct StartAccount {
    /// Starts that came due.
    pub planned: u64,
    /// Iterations that were begun for them.
    pub started: u64,
    /// Starts that were dropped.
    pub dropped: u64,
}

/// A difference between what began and what is accounted for: a defect of loadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// What it is about.
    pub of: GapSubject,
    /// How many began.
    pub begun: u64,
    /// How many are accounted for.
    pub accounted: u64,
}

/// What a gap is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapSubject {
    /// Requests sent, and those answered, failed or cut.
    Requests,
    /// Iterations started, and those complete or interrupted.
    Iterations,
    /// Starts planned, and those started or dropped.
    Starts,
    /// Requests that ended, and those among the measurements (`http_reqs`).
    MeasuredRequests,
    /// Requests that were cut, and those among the measurements (`http_reqs_cut`).
    MeasuredCuts,
}

impl Accounting {
    /// The differences; empty when everything is accounted for.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let RequestAccount {
            sent,
            answered,
            failed,
            cut,
            ..
        } = self.requests;
        let IterationAccount {
            started,
            complete,
            interrupted,
        } = self.iterations;
        let starts = self.starts;
        let sums = [
            (GapSubject::Requests, sent, answered + failed + cut),
            (GapSubject::Iterations, started, complete + interrupted),
            (
                GapSubject::Starts,
                starts.planned,
                starts.started + starts.dropped,
            ),
        ];
        differing(sums)
    }

    /// What of the HTTP requests is not among the measurements of the same time: so many ended
    /// and so many were cut there.
    #[must_use]
    pub fn gaps_to_measured(&self, ended: u64, cut: u64) -> Vec<Gap> {
        let requests = self.requests;
        differing([
            (
                GapSubject::MeasuredRequests,
                (requests.answered + requests.failed).saturating_sub(requests.other_ended),
                ended,
            ),
            (
                GapSubject::MeasuredCuts,
                requests.cut.saturating_sub(requests.other_cut),
                cut,
            ),
        ])
    }
}

fn differing<const N: usize>(sums: [(GapSubject, u64, u64); N]) -> Vec<Gap> {
    let differing = sums.into_iter().filter(|(_, all, parts)| all != parts);
    differing
        .map(|(of, begun, accounted)| Gap {
            of,
            begun,
            accounted,
        })
        .collect()
}

impl std::ops::AddAssign for Accounting {
    fn add_assign(&mut self, other: Self) {
        let (a, b) = (&mut self.requests, other.requests);
        a.sent += b.sent;
        a.answered += b.answered;
        a.failed += b.failed;
        a.cut += b.cut;
        a.ramped_down += b.ramped_down;
        a.resent += b.resent;
        a.other_ended += b.other_ended;
        a.other_cut += b.other_cut;
        a.other_failed += b.other_failed;
        let (a, b) = (&mut self.iterations, other.iterations);
        a.started += b.started;
        a.complete += b.complete;
        a.interrupted += b.interrupted;
        let (a, b) = (&mut self.starts, other.starts);
        a.planned += b.planned;
        a.started += b.started;
        a.dropped += b.dropped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adds_up_has_no_gap_and_each_loss_is_named() {
        let mut all = Accounting {
            requests: RequestAccount {
                sent: 10,
                answered: 6,
                failed: 1,
                cut: 3,
                resent: 2,
                ..RequestAccount::default()
            },
            iterations: IterationAccount {
                started: 10,
                complete: 7,
                interrupted: 3,
            },
            starts: StartAccount {
                planned: 12,
                started: 10,
                dropped: 2,
            },
        };
        assert!(all.gaps().is_empty());
        all.requests.cut = 2;
        all.starts.dropped = 0;
        let gap = |of, begun, accounted| Gap {
            of,
            begun,
            accounted,
        };
        assert_eq!(
            all.gaps(),
            [
                gap(GapSubject::Requests, 10, 9),
                gap(GapSubject::Starts, 12, 10)
            ]
        );
        assert!(all.gaps_to_measured(7, 2).is_empty());
        assert_eq!(
            all.gaps_to_measured(6, 2),
            [gap(GapSubject::MeasuredRequests, 7, 6)]
        );
        // Two calls ended and one was cut, of which `http_reqs` knows nothing.
        (all.requests.other_ended, all.requests.other_cut) = (2, 1);
        assert!(all.gaps_to_measured(5, 1).is_empty());
    }
}
