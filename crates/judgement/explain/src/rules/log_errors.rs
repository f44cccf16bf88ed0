//! The log reports errors.

use loadline_record::signals::SignalKind;
use loadline_text::{counted, evidence, explain};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::logged;
use super::{Draft, RuleContext};

/// Fewer are not worth telling.
const LOG_LINES_MIN: f64 = 3.0;
/// At most so many are quoted.
const QUOTED_LINES_MAX: usize = 3;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let lines = logged::lines(&context.view.run.signals, SignalKind::LogErrors);
    let count: f64 = lines.iter().map(|line| line.count).sum();
    let from = lines.iter().map(|line| line.from_s).reduce(f64::min)?;
    if count < LOG_LINES_MIN {
        return None;
    }
    let statement = explain::log_errors(counted(count), counted(from));
    let draft = Draft::new(
        RuleId::LogErrors,
        BottleneckPart::Unknown,
        EvidenceGrade::A,
        statement,
    );
    let mut finding = draft
        .role(FindingRole::Notice)
        .shown(
            "log-errors",
            evidence::log_errors(),
            count,
            EvidenceUnit::Count,
        )
        .advised([Advice::to(explain::log_errors_try())])
        .done()?;
    finding.logged = lines.into_iter().take(QUOTED_LINES_MAX).collect();
    Some(finding)
}
