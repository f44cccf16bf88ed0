//! Metrics that exist without anyone asking.
//!
//! Their ids are constants. The nine of an HTTP request come first, so that one tag
//! set's row keeps them side by side in one cache line.

use crate::kind::{Kind, MetricId, Origin, ValueType};

/// Name, kind and content of a metric known from the start.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) contains: ValueType,
    pub(crate) origin: Origin,
}

macro_rules! builtins {
    ($($id:expr, $constant:ident, $name:literal, $kind:ident, $contains:ident, $origin:ident;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $constant: MetricId = MetricId($id);
        )*

        /// All of them, each at the position of its id.
        pub(crate) const ALL: &[Builtin] = &[
            $(Builtin {
                name: $name,
                kind: Kind::$kind,
                contains: ValueType::$contains,
                origin: Origin::$origin,
            },)*
        ];

        #[cfg(test)]
        const IDS: &[MetricId] = &[$($constant,)*];
    };
}

builtins! {
    0, HTTP_REQS, "http_reqs", Counter, Default, K6;
    1, HTTP_REQ_DURATION, "http_req_duration", Trend, Time, K6;
    2, HTTP_REQ_BLOCKED, "http_req_blocked", Trend, Time, K6;
    3, HTTP_REQ_CONNECTING, "http_req_connecting", Trend, Time, K6;
    4, HTTP_REQ_TLS_HANDSHAKING, "http_req_tls_handshaking", Trend, Time, K6;
    5, HTTP_REQ_SENDING, "http_req_sending", Trend, Time, K6;
    6, HTTP_REQ_WAITING, "http_req_waiting", Trend, Time, K6;
    7, HTTP_REQ_RECEIVING, "http_req_receiving", Trend, Time, K6;
    8, HTTP_REQ_FAILED, "http_req_failed", Rate, Default, K6;
    9, ITERATIONS, "iterations", Counter, Default, K6;
    10, ITERATION_DURATION, "iteration_duration", Trend, Time, K6;
    11, DATA_SENT, "data_sent", Counter, Data, K6;
    12, DATA_RECEIVED, "data_received", Counter, Data, K6;
    13, CHECKS, "checks", Rate, Default, K6;
    14, GROUP_DURATION, "group_duration", Trend, Time, K6;
    15, DROPPED_ITERATIONS, "dropped_iterations", Counter, Default, K6;
    16, VUS, "vus", Gauge, Default, K6;
    17, VUS_MAX, "vus_max", Gauge, Default, K6;
    18, WS_SESSIONS, "ws_sessions", Counter, Default, K6;
    19, WS_MSGS_SENT, "ws_msgs_sent", Counter, Default, K6;
    20, WS_MSGS_RECEIVED, "ws_msgs_received", Counter, Default, K6;
    21, WS_PING, "ws_ping", Trend, Time, K6;
    22, WS_SESSION_DURATION, "ws_session_duration", Trend, Time, K6;
    23, WS_CONNECTING, "ws_connecting", Trend, Time, K6;
    24, GRPC_REQ_DURATION, "grpc_req_duration", Trend, Time, K6;
    25, GRPC_STREAMS, "grpc_streams", Counter, Default, K6;
    26, GRPC_STREAMS_MSGS_SENT, "grpc_streams_msgs_sent", Counter, Default, K6;
    27, GRPC_STREAMS_MSGS_RECEIVED, "grpc_streams_msgs_received", Counter, Default, K6;
    28, INTENDED_LATENCY, "intended_latency", Trend, Time, Loadline;
    29, START_LAG, "start_lag", Trend, Time, Loadline;
    30, INTENDED_LATENCY_CENSORED, "intended_latency_censored", Trend, Time, Loadline;
    31, ITERATIONS_CUT, "iterations_cut", Trend, Time, Loadline;
    32, HTTP_REQS_CUT, "http_reqs_cut", Trend, Time, Loadline;
    33, READ_LAG, "read_lag", Trend, Time, Loadline;
    34, HTTP_RESPONSE_BYTES, "http_response_bytes", Counter, Data, Loadline;
    35, GRPC_REQS_CUT, "grpc_reqs_cut", Trend, Time, Loadline;
    36, WS_CONNECTING_CUT, "ws_connecting_cut", Trend, Time, Loadline;
    37, INTENDED_LATENCY_FAILED, "intended_latency_failed", Trend, Time, Loadline;
    38, PLANNED_LATENCY, "planned_latency", Trend, Time, Loadline;
    39, HTTP_RESPONSE_SIZE, "http_response_size", Trend, Data, Loadline;
    40, WORKER_STALL, "worker_stall", Trend, Time, Loadline;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_the_position_of_its_definition() {
        for (position, id) in IDS.iter().enumerate() {
            assert_eq!(id.index(), position, "{}", ALL[position].name);
        }
    }
}
