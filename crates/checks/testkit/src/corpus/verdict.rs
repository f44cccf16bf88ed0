//! The verdict over a script: what of the findings the table of differences explains.

use std::collections::BTreeSet;

use super::{Differences, Finding, Observation, Recording, Script, compare};

/// How one script fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As k6.
    Equal,
    /// Differs only where the table says so.
    Known,
    /// Differs.
    Differs,
    /// Not run: nothing recorded, or recorded from another text of the script.
    Stale,
}

/// Result of one script.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// `topic/name`.
    pub script: String,
    /// How it fared.
    pub verdict: Verdict,
    /// What differs; a known one carries its reason.
    pub findings: Vec<(Finding, Option<String>)>,
}

/// Whether what differs may come from our own parallel runs: a measured time, or a count that the script itself says
/// depends on time.
pub(super) fn depends_on_time(script: &Script, outcome: &Outcome) -> bool {
    let counted = || {
        let findings = outcome.findings.iter();
        findings.filter(|(finding, reason)| !finding.note && reason.is_none())
    };
    !script.directives.tolerances.is_empty() || counted().all(|(finding, _)| finding.is_time)
}

/// The verdict over one run of a script, and the rows of the table it took.
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    pub(super) rows: BTreeSet<usize>,
}

impl Judged {
    /// Of two runs alone: a time differs that was off in both, as the spread of k6 is that of several runs; anything else
    /// differs that was off in one.
    pub(super) fn or_in_time(mut self, other: Self) -> Self {
        let is_off = |findings: &[(Finding, Option<String>)], what: &str| {
            findings.iter().any(|(finding, _)| finding.what == what)
        };
        let mut findings = Vec::new();
        for (mine, theirs) in [
            (&self.outcome.findings, &other.outcome.findings),
            (&other.outcome.findings, &self.outcome.findings),
        ] {
            for (finding, reason) in mine {
                let stays = !finding.is_time || is_off(theirs, &finding.what);
                if stays && !is_off(&findings, &finding.what) {
                    findings.push((finding.clone(), reason.clone()));
                }
            }
        }
        self.rows.extend(other.rows);
        self.outcome.verdict = verdict_of(&findings);
        self.outcome.findings = findings;
        self
    }
}

pub(super) fn judge(
    script: &Script,
    recording: &Recording,
    seen: &Observation,
    differences: &Differences,
    version: &str,
) -> Judged {
    let mut rows = BTreeSet::new();
    let explained = compare(recording, seen, &script.directives)
        .into_iter()
        .map(|finding| {
            let row = differences.explain(&script.name, &finding, version);
            rows.extend(row);
            let reason = row.map(|row| differences.difference[row].reason.clone());
            (finding, reason)
        });
    let findings: Vec<(Finding, Option<String>)> = explained.collect();
    Judged {
        outcome: Outcome {
            script: script.name.clone(),
            verdict: verdict_of(&findings),
            findings,
        },
        rows,
    }
}

fn verdict_of(findings: &[(Finding, Option<String>)]) -> Verdict {
    let mut counted = findings.iter().filter(|(finding, _)| !finding.note);
    if counted.clone().next().is_none() {
        Verdict::Equal
    } else if counted.all(|(_, reason)| reason.is_some()) {
        Verdict::Known
    } else {
        Verdict::Differs
    }
}
