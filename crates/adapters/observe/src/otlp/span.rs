//! What a span stands for.

use std::collections::HashMap;

use loadline_otlp::{Span, integer, text};

use crate::statement::without_literals;

/// Names of statements, servers and operations that are told apart; the rest is one.
const NAMES_MAX: usize = 500;
/// What the rest is called.
const OTHERS: &str = "(others)";
/// A statement is cut to so many bytes.
const STATEMENT_BYTES_MAX: usize = 400;

/// A span, reduced to what its request's time is told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpanPart {
    pub(super) id: u64,
    pub(super) parent: u64,
    /// Unix time, ns.
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) work: SpanWork,
}

/// What the time of a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanWork {
    /// A request of the service: whether it failed, and its name.
    Request { name: NameId, failed: bool },
    /// A statement.
    Sql(NameId),
    /// A call to another server, and whether that refused it.
    Outside { peer: NameId, is_refused: bool },
    /// Waiting for a connection of a pool.
    Pool,
    /// A cache, or a message broker.
    Message,
    /// A part of the service's own code.
    Own,
}

/// A name, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(u32);

/// Names by their numbers.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, NameId>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> NameId {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let name = if self.names.len() < NAMES_MAX {
            name
        } else {
            OTHERS
        };
        let next = NameId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    pub(super) fn name(&self, number: NameId) -> &str {
        let place = usize::try_from(number.0).ok();
        place
            .and_then(|place| self.names.get(place))
            .map_or("", String::as_str)
    }
}

/// Systems that are asked by statements; others are caches and stores of keys.
const KEY_STORES: [&str; 4] = ["redis", "memcached", "valkey", "hazelcast"];
/// The end of the name of a span in which a pool is asked for a connection, ...
const ACQUIRE: [&str; 4] = [".getConnection", ".acquire", "pool.connect", ".checkout"];
/// ... and the whole name of one that a client of a database makes without a statement, as of SQLAlchemy's engines.
const ACQUIRE_OF_DATABASE: [&str; 4] = ["connect", "acquire", "checkout", "getConnection"];

/// Too many requests, and service unavailable; of gRPC: resource exhausted, and unavailable.
const HTTP_REFUSED: [i64; 2] = [429, 503];
const GRPC_REFUSED: [i64; 2] = [8, 14];
/// How clients call a connection that nobody took, as an error's type or in its words.
const NOT_LET_IN: [&str; 4] = [
    "connection refused",
    "econnrefused",
    "connectionrefused",
    "java.net.connectexception",
];

impl SpanPart {
    /// `None` for a span without a number or with times that cannot be.
    pub(super) fn from_span(span: &Span, names: &mut Names) -> Option<Self> {
        let number = |id: &[u8]| Some(u64::from_be_bytes(id.try_into().ok()?));
        let is_sound =
            span.start_time_unix_nano > 0 && span.end_time_unix_nano >= span.start_time_unix_nano;
        is_sound.then_some(())?;
        Some(Self {
            id: number(&span.span_id)?,
            parent: number(&span.parent_span_id).unwrap_or(0),
            from: span.start_time_unix_nano,
            to: span.end_time_unix_nano,
            work: work(span, names),
        })
    }
}

fn work(span: &Span, names: &mut Names) -> SpanWork {
    const KIND_SERVER: i32 = 2;
    const KIND_CLIENT: i32 = 3;
    const KIND_PRODUCER: i32 = 4;
    const KIND_CONSUMER: i32 = 5;
    let attributes = &span.attributes;
    let first = |keys: &[&str]| {
        let mut texts = keys.iter().map(|key| text(attributes, key));
        texts.find(|text| !text.is_empty()).unwrap_or("").to_owned()
    };
    let system = first(&["db.system.name", "db.system"]);
    let messaging = first(&["messaging.system"]);
    match span.kind {
        KIND_SERVER | KIND_CONSUMER => {
            let failed = span.status.as_ref().is_some_and(|status| status.code == 2);
            let name = names.number(cut(&span.name));
            SpanWork::Request { name, failed }
        }
        KIND_CLIENT if KEY_STORES.contains(&system.as_str()) => SpanWork::Message,
        KIND_CLIENT if !system.is_empty() => {
            let statement = first(&["db.query.text", "db.statement", "db.query.summary"]);
            let is_named = ACQUIRE_OF_DATABASE.contains(&span.name.as_str());
            if statement.is_empty() && (is_named || is_acquire(&span.name)) {
                return SpanWork::Pool;
            }
            let statement = match statement.as_str() {
                "" => span.name.clone(),
                statement => with_one_place(&without_literals(statement)),
            };
            SpanWork::Sql(names.number(cut(&statement)))
        }
        KIND_CLIENT if !messaging.is_empty() => SpanWork::Message,
        KIND_CLIENT => {
            let host = first(&["server.address", "net.peer.name", "peer.service"]);
            let port =
                integer(attributes, "server.port").or_else(|| integer(attributes, "net.peer.port"));
            let peer = match port {
                Some(port) if !host.is_empty() => format!("{host}:{port}"),
                _ if host.is_empty() => span.name.clone(),
                _ => host,
            };
            SpanWork::Outside {
                peer: names.number(cut(&peer)),
                is_refused: is_refused(span),
            }
        }
        KIND_PRODUCER => SpanWork::Message,
        _ if is_acquire(&span.name) => SpanWork::Pool,
        _ => SpanWork::Own,
    }
}

/// The called server is at a limit of its own: it says so by its status, or lets nobody in.
fn is_refused(span: &Span) -> bool {
    let attributes = &span.attributes;
    let of_http = integer(attributes, "http.response.status_code")
        .or_else(|| integer(attributes, "http.status_code"))
        .filter(|status| *status > 0);
    if let Some(status) = of_http {
        return HTTP_REFUSED.contains(&status);
    }
    if let Some(status) = integer(attributes, "rpc.grpc.status_code") {
        return GRPC_REFUSED.contains(&status);
    }
    let said = span.status.as_ref().map_or("", |status| &status.message);
    [text(attributes, "error.type"), said].iter().any(|said| {
        let said = said.to_ascii_lowercase();
        NOT_LET_IN.iter().any(|words| said.contains(words))
    })
}

/// Whether a pool is asked for a connection.
fn is_acquire(name: &str) -> bool {
    ACQUIRE.iter().any(|end| name.ends_with(end))
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(STATEMENT_BYTES_MAX)]
}

/// `in (?, ?, ?)` as `in (?)`: lists of any length are one statement.
fn with_one_place(statement: &str) -> String {
    let mut short = statement.replace("?, ", "?,");
    while short.contains("?,?") {
        short = short.replace("?,?", "?");
    }
    short
}

#[cfg(test)]
mod tests {
    use loadline_otlp::{KeyValue, SpanStatus};

    use super::*;

    fn span(name: &str, kind: i32, attributes: &[(&str, &str)]) -> Span {
        let attribute = |(key, value): &(&str, &str)| KeyValue::text(key, value);
        Span {
            span_id: vec![0, 0, 0, 0, 0, 0, 0, 7],
            name: name.to_owned(),
            kind,
            start_time_unix_nano: 10,
            end_time_unix_nano: 20,
            attributes: attributes.iter().map(attribute).collect(),
            ..Span::default()
        }
    }

    fn read(span: &Span) -> (SpanWork, Names) {
        let mut names = Names::default();
        (SpanPart::from_span(span, &mut names).unwrap().work, names)
    }

    #[test]
    fn attributes_of_both_generations_name_a_statement() {
        for (system, query) in [
            ("db.system.name", "db.query.text"),
            ("db.system", "db.statement"),
        ] {
            let sql = span(
                "SELECT lab",
                3,
                &[
                    (system, "postgresql"),
                    (
                        query,
                        "select a from b where c in (?, ?, ?) and d = 's3cret'",
                    ),
                ],
            );
            let (SpanWork::Sql(name), names) = read(&sql) else {
                panic!("no statement");
            };
            assert_eq!(names.name(name), "select a from b where c in (?) and d = ?");
        }
    }

    #[test]
    fn a_pool_is_told_by_the_name_of_its_span_and_a_cache_by_its_system() {
        let (pool, _) = read(&span("HikariDataSource.getConnection", 1, &[]));
        assert_eq!(pool, SpanWork::Pool);
        let of_node = span("pg-pool.connect", 3, &[("db.system", "postgresql")]);
        assert_eq!(read(&of_node).0, SpanWork::Pool);
        // Seen: 2.7 s of "connect" a request, told as a statement of the database.
        let of_python = span("connect", 3, &[("db.system", "postgresql")]);
        assert_eq!(read(&of_python).0, SpanWork::Pool);
        let call = span("connect", 3, &[("server.address", "payments")]);
        assert!(matches!(read(&call).0, SpanWork::Outside { .. }));
        let (cache, _) = read(&span("GET", 3, &[("db.system", "redis")]));
        assert_eq!(cache, SpanWork::Message);
        let (own, _) = read(&span("Orders.sum", 1, &[]));
        assert_eq!(own, SpanWork::Own);
    }

    #[test]
    fn a_failed_request_is_told_by_its_status() {
        let mut request = span("GET /a", 2, &[]);
        request.status = Some(SpanStatus {
            code: 2,
            ..SpanStatus::default()
        });
        assert!(matches!(
            read(&request).0,
            SpanWork::Request { failed: true, .. }
        ));
    }

    fn refused(span: &Span) -> bool {
        let SpanWork::Outside { is_refused, .. } = read(span).0 else {
            panic!("no call");
        };
        is_refused
    }

    /// Seen: an outside server that answered 429 beyond a rate, of which traces alone knew.
    #[test]
    fn a_call_that_another_server_refuses_is_told_by_status_or_error() {
        let answered = |key: &str, status: i64| {
            let mut call = span("GET", 3, &[("server.address", "payments")]);
            call.attributes.push(KeyValue::integer(key, status));
            call
        };
        for key in ["http.response.status_code", "http.status_code"] {
            let is_refused =
                [200, 404, 429, 500, 503].map(|status| refused(&answered(key, status)));
            assert_eq!(is_refused, [false, false, true, false, true], "{key}");
        }
        let of_grpc =
            [0, 5, 8, 14].map(|status| refused(&answered("rpc.grpc.status_code", status)));
        assert_eq!(of_grpc, [false, false, true, true]);
        for error in ["ECONNREFUSED", "java.net.ConnectException"] {
            let call = span(
                "GET",
                3,
                &[("server.address", "pay"), ("error.type", error)],
            );
            assert!(refused(&call), "{error}");
        }
        let mut call = answered("http.response.status_code", 0);
        assert!(!refused(&call), "nothing tells why there is no answer");
        call.status = Some(SpanStatus {
            code: 2,
            message: "dial tcp 10.0.0.7:80: connect: connection refused".to_owned(),
        });
        assert!(refused(&call));
    }

    #[test]
    fn spans_without_numbers_or_with_impossible_times_are_left_out() {
        let mut names = Names::default();
        let mut wrong = span("a", 1, &[]);
        wrong.span_id = vec![1, 2, 3];
        assert_eq!(SpanPart::from_span(&wrong, &mut names), None);
        let mut wrong = span("a", 1, &[]);
        wrong.end_time_unix_nano = 5;
        assert_eq!(SpanPart::from_span(&wrong, &mut names), None);
    }

    #[test]
    fn names_beyond_the_bound_are_one() {
        let mut names = Names::default();
        for number in 0..2 * NAMES_MAX {
            names.number(&format!("statement {number}"));
        }
        assert!(names.names.len() <= NAMES_MAX + 1);
        let last = names.number("one more");
        assert_eq!(names.name(last), OTHERS);
    }
}
