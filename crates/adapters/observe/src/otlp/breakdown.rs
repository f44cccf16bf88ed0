//! Where the time of one traced request went.
//!
//! Times at which several spans are open count once, for the first of: waiting for a connection,
//! statement, outside call, message. What no such span covers is the service's own.

use super::span::{NameId, SpanPart, SpanWork};

/// Seconds of a request, by what they were spent on.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RequestTime {
    pub(super) all: f64,
    pub(super) pool: f64,
    pub(super) sql: f64,
    pub(super) outside: f64,
    /// Of the outside calls: while a connection was held.
    pub(super) held: f64,
    pub(super) message: f64,
    pub(super) own: f64,
    /// Its statements and outside calls, each with its time from begin to end.
    pub(super) statements: Vec<(NameId, f64)>,
    pub(super) calls: Vec<OutsideCall>,
}

/// A call to another server.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OutsideCall {
    pub(super) peer: NameId,
    pub(super) seconds: f64,
    /// That server refused it.
    pub(super) is_refused: bool,
}

/// In the order in which they count where they overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Pool,
    Sql,
    Outside,
    Message,
}

const PART_KINDS: usize = 4;

/// `below`: the spans within the request, in any order.
pub(super) fn breakdown(request: &SpanPart, below: &[SpanPart]) -> RequestTime {
    let mut edges = Vec::with_capacity(2 * below.len());
    let mut time = RequestTime {
        all: seconds(request.from, request.to),
        ..RequestTime::default()
    };
    for span in below {
        let (from, to) = (span.from.max(request.from), span.to.min(request.to));
        let part = match span.work {
            SpanWork::Pool => Part::Pool,
            SpanWork::Sql(name) => {
                time.statements.push((name, seconds(from, to)));
                Part::Sql
            }
            SpanWork::Outside { peer, is_refused } => {
                time.calls.push(OutsideCall {
                    peer,
                    seconds: seconds(from, to),
                    is_refused,
                });
                Part::Outside
            }
            SpanWork::Message => Part::Message,
            SpanWork::Own | SpanWork::Request { .. } => continue,
        };
        if from < to {
            edges.push((from, true, part));
            edges.push((to, false, part));
        }
    }
    edges.sort_by_key(|(at, begins, _)| (*at, *begins));
    let mut open = [0_u32; PART_KINDS];
    let mut since = request.from;
    let mut sums = [0.0; PART_KINDS];
    let mut own = 0.0;
    for (at, begins, part) in edges {
        let passed = seconds(since, at);
        match open.iter().position(|count| *count > 0) {
            Some(first) => sums[first] += passed,
            None => own += passed,
        }
        since = at;
        let count = &mut open[part as usize];
        *count = if begins { *count + 1 } else { *count - 1 };
    }
    time.own = own + seconds(since, request.to);
    time.pool = sums[Part::Pool as usize];
    time.sql = sums[Part::Sql as usize];
    time.outside = sums[Part::Outside as usize];
    time.message = sums[Part::Message as usize];
    time.held = held(below).min(time.outside);
    time
}

/// Seconds of outside calls between a sign that a connection was taken, and a statement on it: a
/// statement or a connection before the call, and a statement after it before another connection
/// is taken.
fn held(below: &[SpanPart]) -> f64 {
    let mut spans: Vec<&SpanPart> = below.iter().collect();
    spans.sort_by_key(|span| span.from);
    let mut all = 0.0;
    for (place, call) in spans.iter().enumerate() {
        if !matches!(call.work, SpanWork::Outside { .. }) {
            continue;
        }
        let takes = |span: &&&SpanPart| matches!(span.work, SpanWork::Sql(_) | SpanWork::Pool);
        let is_taken = spans[..place]
            .iter()
            .any(|span| takes(&span) && span.to <= call.from);
        let next = spans[place + 1..]
            .iter()
            .find(|span| takes(span) && span.from >= call.to);
        let is_used = next.is_some_and(|next| matches!(next.work, SpanWork::Sql(_)));
        if is_taken && is_used {
            all += seconds(call.from, call.to);
        }
    }
    all
}

#[expect(
    clippy::cast_precision_loss,
    reason = "requests take far less than 2^52 ns"
)]
fn seconds(from: u64, to: u64) -> f64 {
    to.saturating_sub(from) as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::super::span::Names;
    use super::*;

    const NANOS_PER_MS: u64 = 1_000_000;

    fn span(from: u64, to: u64, work: SpanWork) -> SpanPart {
        SpanPart {
            id: from + 1,
            parent: 0,
            from: 1000 * NANOS_PER_MS + from * NANOS_PER_MS,
            to: 1000 * NANOS_PER_MS + to * NANOS_PER_MS,
            work,
        }
    }

    fn name() -> NameId {
        let mut names = Names::default();
        let request = loadline_otlp::Span {
            span_id: vec![0; 8],
            kind: 2,
            start_time_unix_nano: 1,
            end_time_unix_nano: 1,
            ..Default::default()
        };
        match SpanPart::from_span(&request, &mut names).unwrap().work {
            SpanWork::Request { name, .. } => name,
            other => panic!("{other:?}"),
        }
    }

    fn outside() -> SpanWork {
        SpanWork::Outside {
            peer: name(),
            is_refused: false,
        }
    }

    fn request(to: u64) -> SpanPart {
        let work = SpanWork::Request {
            name: name(),
            failed: false,
        };
        span(0, to, work)
    }

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
    }

    #[test]
    fn parts_and_own_time_add_up_to_the_whole() {
        let below = [
            span(0, 100, SpanWork::Pool),
            span(110, 120, SpanWork::Sql(name())),
            span(120, 620, outside()),
            span(630, 640, SpanWork::Sql(name())),
            span(105, 645, SpanWork::Own),
        ];
        let time = breakdown(&request(700), &below);
        near(time.all, 0.7);
        near(time.pool, 0.1);
        near(time.sql, 0.02);
        near(time.outside, 0.5);
        near(time.held, 0.5);
        near(time.own, 0.08);
        assert_eq!(time.statements.len(), 2);
    }

    #[test]
    fn calls_side_by_side_count_once_and_times_outside_of_the_request_not_at_all() {
        let below = [
            span(10, 60, outside()),
            span(20, 70, outside()),
            span(90, 150, SpanWork::Sql(name())),
        ];
        let time = breakdown(&request(100), &below);
        near(time.outside, 0.06);
        near(time.sql, 0.01);
        near(time.own, 0.03);
        near(time.held, 0.0);
    }

    #[test]
    fn a_call_before_the_connection_is_taken_holds_none() {
        let below = [
            span(0, 1, SpanWork::Pool),
            span(1, 2, SpanWork::Sql(name())),
            span(10, 60, outside()),
            span(60, 61, SpanWork::Pool),
            span(61, 70, SpanWork::Sql(name())),
        ];
        near(breakdown(&request(100), &below).held, 0.0);
    }
}
