//! Which statements take the database's time.

use super::input::share;
use super::measured::Measured;
use super::statement::{HeavyStatement, StatementOrigin};
use super::statements::StatementView;

/// A statement is named from this share of the time of all statements on; the first always is.
const STATEMENT_SHARE_MIN: f64 = 0.1;
/// Statements are worth telling when together they take this share of a request's time, ...
const REQUEST_SHARE_MIN: f64 = 0.01;
/// ... or keep so many sessions at work: requests may wait for those.
const AT_WORK: f64 = 0.05;
/// At most so many are named.
const STATEMENTS_MAX: usize = 3;

/// The statements that take most of the time, the heaviest first.
pub(super) fn heaviest(measured: &Measured) -> Vec<HeavyStatement> {
    let all = measured.statements.iter().enumerate();
    let heavy =
        all.filter(|(number, statement)| *number == 0 || statement.share >= STATEMENT_SHARE_MIN);
    heavy
        .take(STATEMENTS_MAX)
        .map(|(_, statement)| named(statement, measured))
        .collect()
}

/// The same, if they take enough time to be worth it.
pub(super) fn reportable(measured: &Measured, mean_ms: f64) -> Vec<HeavyStatement> {
    let of_request = share(measured.statement_time, measured.ended) * 1000.0;
    if of_request >= REQUEST_SHARE_MIN * mean_ms || measured.statement_time >= AT_WORK {
        heaviest(measured)
    } else {
        Vec::new()
    }
}

/// A statement as it is shown.
pub(super) fn named(statement: &StatementView, measured: &Measured) -> HeavyStatement {
    // Traces are of requests that failed, too.
    let requests = match statement.counted_by {
        StatementOrigin::Database => measured.rate,
        StatementOrigin::Traces => measured.ended,
    };
    HeavyStatement {
        text: statement.text.clone(),
        share: statement.share,
        calls_of_request: share(statement.calls, requests),
        mean_ms: share(statement.time, statement.calls) * 1000.0,
        counted_by: statement.counted_by,
    }
}
