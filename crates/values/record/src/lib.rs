//! The record of a run.
//!
//! [`Summary`] holds all that any end-of-test report needs, as totals in memory. It is
//! made from the merger's totals when the last window is in; reports only read it.
//!
//! Elsewhere: how it looks (`report`), where runs are kept (`store`).

mod accounting;
mod answer;
mod answers_compared;
pub mod bodies;
pub mod event_kind;
mod health;
mod limit_verdict;
pub mod redact;
mod run;
pub mod saved_answers;
mod series;
pub mod signals;
mod summary;
mod validity;
mod warm_up;

pub use accounting::{
    Accounting, FAULTS_ALLOWED, Gap, GapSubject, IterationAccount, RequestAccount, StartAccount,
};
pub use answer::{FailedAnswer, is_failed_request};
pub use answers_compared::{
    AnswerComparison, AnswerDifference, DifferenceKind, UncomparedKind, UncomparedPart,
};
pub use health::{
    CoreWait, CpuUsage, DropCounts, GeneratorHealth, Limit, OwnLatency, ReadLag, RequestTimes,
    ResourceUsage, StartLag,
};
pub use limit_verdict::{LimitAdvice, LimitText, LimitVerdict, ThreadUsage};
pub use redact::{MASK, Redactor};
pub use run::{ArrivalProcess, Ending, LatencyStart, Run};
pub use series::Series;
pub use summary::{
    Check, Group, LowerBounds, MergedPart, Metric, PLANNED_LATENCY, RequestError, SEARCH_VERDICT,
    Section, Shortfall, SizedAnswers, SplitLatency, Summary, ThresholdResult, Verdict,
    VerdictDetail, WindowedGoal,
};
pub use validity::{Goals, Validity, VerdictStanding};
pub use warm_up::{WarmUp, WarmUpEnd};
