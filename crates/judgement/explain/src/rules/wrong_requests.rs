//! Each request of a kind is turned away from the first one on, and its status says that the request is wrong: its path,
//! its method, its login or what it sends. No load makes that so.

use loadline_text::{Message, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{AnsweredKind, share};
use super::{Draft, RuleContext};

/// Fewer requests of a kind tell nothing.
const REQUESTS_MIN: f64 = 5.0;
/// Wrong requests that are this share of those that fail are why.
const FAILED_SHARE_MIN: f64 = 0.8;
/// Statuses that say what is wrong with a request.
const STATUSES: [&str; 9] = [
    "400", "401", "403", "404", "405", "407", "410", "415", "422",
];

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let kinds = &context.view.run.kinds;
    let wrong = || kinds.iter().filter_map(|kind| Some((kind, status(kind)?)));
    let (first, status) = wrong().max_by(|(a, _), (b, _)| a.requests().total_cmp(&b.requests()))?;
    let failed: f64 = wrong().map(|(kind, _)| kind.requests()).sum();
    let all: f64 = kinds.iter().map(|kind| kind.failed).sum();
    let requests: f64 = kinds.iter().map(AnsweredKind::requests).sum();
    // A run without a full second has no loss that could be looked at.
    let is_looked_at = context.view.callers.durations.count() > 0;
    let is_lost_alone = context.loss.is_failing_alone || !is_looked_at;
    let is_why = is_lost_alone && share(failed, all) >= FAILED_SHARE_MIN;
    Draft::new(
        RuleId::WrongRequests,
        BottleneckPart::TestBed,
        EvidenceGrade::A,
        statement(&first.name, status),
    )
    .role(if is_why {
        FindingRole::Limit
    } else {
        FindingRole::Notice
    })
    .shown(
        "requests",
        evidence::wrong_requests(),
        failed,
        EvidenceUnit::Count,
    )
    .shown(
        "failed",
        evidence::failed(),
        share(all, requests),
        EvidenceUnit::Share,
    )
    .advised([Advice::to(findings::wrong_requests_try())])
    .done()
}

/// The one status of all requests of a kind, where it says that they are wrong.
fn status(kind: &AnsweredKind) -> Option<&str> {
    let (status, count) = kind.statuses.first_key_value()?;
    let is_told = STATUSES.contains(&status.as_str());
    let is_all = kind.statuses.len() == 1 && kind.failed >= *count;
    (is_told && is_all && *count >= REQUESTS_MIN).then_some(status.as_str())
}

fn statement(name: &str, status: &str) -> Message {
    match status {
        "401" | "403" | "407" => findings::wrong_login(name, status),
        "404" | "410" => findings::wrong_path(name, status),
        "405" => findings::wrong_method(name, status),
        _ => findings::wrong_form(name, status),
    }
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;

    use super::*;
    use crate::{ExplainedLoad, ExplainedRun, ExplanationAnswer, explain};

    fn kind(name: &str, status: &str, count: f64) -> AnsweredKind {
        AnsweredKind {
            name: name.to_owned(),
            statuses: [(status.to_owned(), count)].into(),
            failed: if status == "200" { 0.0 } else { count },
        }
    }

    /// Twelve seconds with 20 requests each, all answered quickly, so many of them with an error.
    fn run_of(kinds: Vec<AnsweredKind>, is_open: bool, failed: f64) -> ExplainedRun {
        let mut window = ComparedWindow {
            requests: 20.0,
            failed,
            planned: if is_open { 20.0 } else { 0.0 },
            users: 3.0,
            ..ComparedWindow::default()
        };
        (0..20).for_each(|_| window.durations.record(5.0));
        let mut statuses = std::collections::BTreeMap::new();
        for kind in &kinds {
            for (status, count) in &kind.statuses {
                *statuses.entry(status.clone()).or_default() += count;
            }
        }
        ExplainedRun {
            windows: vec![window; 12],
            load: ExplainedLoad {
                is_open,
                users: 3.0,
                ..ExplainedLoad::default()
            },
            statuses,
            kinds,
            ..ExplainedRun::default()
        }
    }

    /// Seen: "the same share of the requests fails however many there are ... one bad instance, a time-out" of a test
    /// whose path was wrong.
    #[test]
    fn each_request_of_a_kind_that_is_turned_away_is_a_fault_of_the_test() {
        for (status, key) in [
            ("404", "explain-wrong-path"),
            ("405", "explain-wrong-method"),
            ("401", "explain-wrong-login"),
            ("400", "explain-wrong-form"),
        ] {
            for is_open in [true, false] {
                let alone = run_of(vec![kind("GET /oders", status, 240.0)], is_open, 20.0);
                let kinds = vec![
                    kind("GET /oders", status, 120.0),
                    kind("GET /items", "200", 120.0),
                ];
                for run in [alone, run_of(kinds, is_open, 10.0)] {
                    let told = explain(&run, &[]);
                    assert_eq!(told.answer, ExplanationAnswer::Failing, "{status}");
                    assert_eq!(told.findings[0].statement.key(), key);
                    let rules: Vec<RuleId> = told.findings.iter().map(|one| one.rule).collect();
                    assert_eq!(rules, [RuleId::WrongRequests]);
                }
            }
        }
    }

    /// Seen: "TOO LITTLE was measured", and nothing else, of 40 requests that were all answered 401.
    #[test]
    fn wrong_requests_need_no_measuring() {
        for full_seconds in [0, 1] {
            let mut run = run_of(vec![kind("GET /a", "401", 40.0)], false, 20.0);
            run.windows.truncate(full_seconds);
            let told = explain(&run, &[]);
            assert_eq!(told.answer, ExplanationAnswer::Failing);
            assert_eq!(told.findings[0].rule, RuleId::WrongRequests);
            let failed = told.findings[0].evidence.iter();
            let mut failed = failed.filter(|one| one.name == "failed");
            assert!((failed.next().unwrap().value - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn some_requests_that_are_turned_away_are_no_fault_of_the_test() {
        let mut mixed = kind("GET /orders", "404", 60.0);
        mixed.statuses.insert("200".to_owned(), 180.0);
        let told = explain(&run_of(vec![mixed], true, 5.0), &[]);
        assert!(
            told.findings
                .iter()
                .all(|one| one.rule != RuleId::WrongRequests)
        );
        let told = explain(&run_of(vec![kind("GET /x", "503", 240.0)], true, 20.0), &[]);
        assert!(
            told.findings
                .iter()
                .all(|one| one.rule != RuleId::WrongRequests)
        );
    }
}
