//! The endpoints under load, and the law of each.

use serde::Serialize;

/// An endpoint under load: what faults apply to and what metrics are kept per.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub(crate) enum Endpoint {
    Fast,
    Pooled,
    Downstream,
    Cpu,
    Deers,
    Content,
    Places,
    FirstPage,
    Join,
    Status,
}

impl Endpoint {
    pub(crate) const ALL: [Self; 10] = [
        Self::Fast,
        Self::Pooled,
        Self::Downstream,
        Self::Cpu,
        Self::Deers,
        Self::Content,
        Self::Places,
        Self::FirstPage,
        Self::Join,
        Self::Status,
    ];

    /// Its route, which is also its name in metrics.
    pub(crate) fn route(self) -> &'static str {
        match self {
            Self::Fast => "/fast",
            Self::Pooled => "/pooled",
            Self::Downstream => "/downstream",
            Self::Cpu => "/cpu",
            Self::Deers => "/deers",
            Self::Content => "/contents/{id}",
            Self::Places => "/contents/{id}/places",
            Self::FirstPage => "/apps/first-page",
            Self::Join => "/waiting-room/join",
            Self::Status => "/waiting-room/status",
        }
    }

    /// What it does, in one line for `GET /`.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Fast => "GET: a small JSON answer, as fast as it goes",
            Self::Pooled => {
                "GET: a connection from the pool and a slow call; rate <= pool.max / hold time, hold time = query (+ downstream if the call is inside)"
            }
            Self::Downstream => "GET ?ms=: answers after that many milliseconds, with no limit",
            Self::Cpu => {
                "GET: CPU work on a bounded set of threads; rate <= cpu.threads / cpu.work"
            }
            Self::Deers => {
                "POST {userId, deerId, data}, then GET ?userId=&deerId=; a deerId may be used once; DELETE forgets all"
            }
            Self::Content => "GET, id 1 to 3000: one content",
            Self::Places => "GET, id 1 to 3000: its 17 places",
            Self::FirstPage => {
                "GET, also /apps/first-page/{category}, category 1 to 3: four queries one after the other on one connection"
            }
            Self::Join => "POST: a ticket and its place in the queue",
            Self::Status => "GET ?ticket=: waiting (with position) or admitted",
        }
    }
}
