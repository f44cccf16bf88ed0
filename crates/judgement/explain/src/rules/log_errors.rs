//! The log reports errors, has a line that decides, or names a limit that is not what callers see.

use loadline_text::{Message, counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, LogLine,
    RuleId,
};
use super::super::logged;
use super::{Draft, RuleContext};

/// Fewer are not worth telling.
const LOG_LINES_MIN: f64 = 3.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let errors = context.logged.errors().to_vec();
    let decisive = context.logged.decisive();
    if let Some(first) = decisive.first() {
        // The rarest lines are the ones that are missed.
        let from = first.from_s;
        return notice(findings::log_decisive(counted(from)), decisive, errors);
    }
    if count(&errors) >= LOG_LINES_MIN {
        let from = errors.iter().map(|line| line.from_s).reduce(f64::min)?;
        let statement = findings::log_errors(counted(count(&errors)), counted(from));
        return notice(statement, Vec::new(), errors);
    }
    let doubted = context.logged.doubted();
    if count(&doubted) < LOG_LINES_MIN {
        return None;
    }
    notice(
        findings::log_doubted(counted(count(&doubted))),
        doubted,
        Vec::new(),
    )
}

fn count(lines: &[LogLine]) -> f64 {
    lines.iter().map(|line| line.count).sum()
}

/// A notice that quotes the first lines, then the others.
fn notice(
    statement: Message,
    first: Vec<LogLine>,
    others: Vec<LogLine>,
) -> Option<BottleneckFinding> {
    let (rule, part) = (RuleId::LogErrors, BottleneckPart::Unknown);
    let errors = count(&others);
    let mut finding = Draft::new(rule, part, EvidenceGrade::A, statement)
        .role(FindingRole::Notice)
        .shown(
            "log-errors",
            evidence::log_errors(),
            (errors > 0.0).then_some(errors),
            EvidenceUnit::Count,
        )
        .advised([Advice::to(findings::log_errors_try())])
        .done()?;
    let is_new = |line: &LogLine| !first.iter().any(|one| one.text == line.text);
    let others: Vec<LogLine> = others.into_iter().filter(is_new).collect();
    let all = first.into_iter().chain(others);
    finding.logged = all.take(logged::QUOTED_LINES_MAX).collect();
    Some(finding)
}
