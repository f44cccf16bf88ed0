//! The built binary over loopback, the way a person runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, in real time"
)]

mod access;
mod access_logs;
mod accounting;
mod accounting_of_parts;
mod any_test;
mod arrivals;
mod attacks;
mod bad_inputs;
mod bad_studies;
mod capacity;
mod changed_bodies;
mod common;
mod compare;
mod completion;
mod digest;
mod endpoints;
#[cfg(feature = "fault-injection")]
mod failing_fast;
mod faults;
mod full_disk;
mod gate;
mod good_and_failed;
mod guides;
mod hostile;
mod k6_name;
mod keys;
mod launch;
mod limit_verdicts;
mod limits;
mod log_output;
mod lost_writes;
mod matrix;
mod ngrinder;
mod nothing_sent;
mod observe;
mod once;
mod outputs;
mod plan;
mod planted_code;
mod problems;
mod processors;
mod report;
mod rounds;
mod rows;
mod runs;
mod same_answers;
mod screen;
mod secrets;
mod series;
mod serve;
mod slips;
mod sse;
mod stopping;
mod store;
mod terminal;
mod trace_cost;
mod trust;
mod tune;
mod typed;
mod typed_shares;
mod vendor;
mod verdict;
mod verdict_of_answers;
mod warm_up;
mod zones;
