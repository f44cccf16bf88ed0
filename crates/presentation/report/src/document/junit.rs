//! A document as JUnit XML: one test case a goal, or one for the verdict where there are none.

use std::fmt::Write as _;

use super::html::escaped;
use super::{DocumentGoal, ReportDocument, StatementClass};

/// The XML.
#[must_use]
pub fn xml(document: &ReportDocument, seconds: f64) -> String {
    let mut cases: Vec<Case<'_>> = document.goals.iter().map(Case::new).collect();
    let is_told = cases.iter().any(|case| case.result != CaseResult::Passed);
    // Not all that makes a run fail is a goal: no answers, a generator too weak, load not reached.
    let own = match document.verdict.class {
        StatementClass::Bad if !is_told => Some(CaseResult::Failed),
        StatementClass::Doubtful if !is_told => Some(CaseResult::Skipped),
        _ => cases.is_empty().then_some(CaseResult::Passed),
    };
    cases.extend(own.map(|result| Case {
        name: "verdict",
        said: &document.verdict.text,
        result,
    }));
    let count = |of: CaseResult| cases.iter().filter(|case| case.result == of).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" \
         failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{seconds:.3}\">\n",
        escaped(&document.title),
        cases.len(),
        count(CaseResult::Failed),
        count(CaseResult::Skipped),
    );
    out.push_str(&properties(document));
    let cause = cause(document);
    for case in &cases {
        let head = format!(
            "    <testcase classname=\"loadline.{}\" name=\"{}\"",
            document.kind,
            escaped(case.name)
        );
        let said = escaped(case.said);
        let _ = match case.result {
            CaseResult::Passed => writeln!(out, "{head}/>"),
            CaseResult::Failed => writeln!(
                out,
                "{head}>\n      <failure message=\"{said}\">{cause}</failure>\n    </testcase>"
            ),
            CaseResult::Skipped => writeln!(
                out,
                "{head}>\n      <skipped message=\"{said}\">{cause}</skipped>\n    </testcase>"
            ),
        };
    }
    let _ = write!(
        out,
        "    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>\n",
        escaped(&document.verdict.text)
    );
    out
}

/// The verdict and what limits, for programs.
fn properties(document: &ReportDocument) -> String {
    let verdict = &document.verdict;
    let mut all = vec![
        ("loadline.verdict", verdict.word.as_str()),
        ("loadline.verdict.text", &verdict.text),
    ];
    if let Some(cause) = &document.cause {
        all.push(("loadline.explain.answer", &cause.answer));
        let named = [
            ("loadline.explain.part", &cause.part),
            ("loadline.explain.rule", &cause.rule),
            ("loadline.explain.grade", &cause.grade),
        ];
        let named = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_deref()?)));
        all.extend(named);
        all.push(("loadline.explain.text", &cause.text));
    }
    let mut out = "    <properties>\n".to_owned();
    for (name, value) in all {
        let value = escaped(value);
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{value}\"/>");
    }
    out + "    </properties>\n"
}

/// What a person who reads of a failure is told: the verdict, what limits, and what to do.
fn cause(document: &ReportDocument) -> String {
    let mut lines = vec![document.verdict.text.as_str()];
    if let Some(cause) = &document.cause {
        lines.push(&cause.text);
        lines.extend(cause.advice.iter().map(String::as_str));
    }
    escaped(&lines.join("\n"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CaseResult {
    Passed,
    Failed,
    Skipped,
}

struct Case<'a> {
    name: &'a str,
    said: &'a str,
    result: CaseResult,
}

impl<'a> Case<'a> {
    fn new(goal: &'a DocumentGoal) -> Self {
        Self {
            name: &goal.goal,
            said: &goal.observed,
            result: match goal.met {
                Some(true) => CaseResult::Passed,
                Some(false) => CaseResult::Failed,
                None => CaseResult::Skipped,
            },
        }
    }
}
