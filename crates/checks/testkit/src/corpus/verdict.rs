//! The verdict over a script: what of the findings the table of differences explains.

use std::collections::BTreeSet;

use super::{Differences, Finding, Observation, Recording, Script, compare, pace};

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

/// Whether what differs may come from our own parallel runs or others' work: anything while the cores were shared; else a
/// measured time, or a count that the script itself says depends on time.
pub(super) fn depends_on_time(script: &Script, judged: &Judged) -> bool {
    if pace::is_shared(judged.slowness) {
        return true;
    }
    let counted = || {
        let findings = judged.outcome.findings.iter();
        findings.filter(|(finding, reason)| !finding.note && reason.is_none())
    };
    !script.directives.tolerances.is_empty() || counted().all(|(finding, _)| finding.is_time)
}

/// The verdict over one run of a script, and the rows of the table it took.
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    pub(super) rows: BTreeSet<usize>,
    /// See [`Observation::slowness`].
    pub(super) slowness: f64,
}

impl Judged {
    /// Of several runs alone. A time differs that was off in all, as the spread of k6 is that of several runs; anything else
    /// differs that was off in one, or in half of them when it was off only while the cores were shared.
    pub(super) fn of_again(runs: Vec<Self>) -> Option<Self> {
        let is_off = |run: &Self, what: &str| {
            run.outcome
                .findings
                .iter()
                .any(|(finding, _)| finding.what == what)
        };
        let stays = |finding: &Finding| {
            let off: Vec<&Self> = runs
                .iter()
                .filter(|run| is_off(run, &finding.what))
                .collect();
            if finding.is_time {
                off.len() == runs.len()
            } else {
                off.iter().any(|run| !pace::is_shared(run.slowness)) || 2 * off.len() >= runs.len()
            }
        };
        let mut findings: Vec<(Finding, Option<String>)> = Vec::new();
        for (finding, reason) in runs.iter().flat_map(|run| &run.outcome.findings) {
            let is_told = findings.iter().any(|(told, _)| told.what == finding.what);
            if stays(finding) && !is_told {
                findings.push((finding.clone(), reason.clone()));
            }
        }
        let slowness = runs.iter().map(|run| run.slowness).fold(0.0, f64::max);
        let rows = runs
            .iter()
            .flat_map(|run| run.rows.iter().copied())
            .collect();
        let script = runs.first()?.outcome.script.clone();
        Some(Self {
            outcome: Outcome {
                script,
                verdict: verdict_of(&findings),
                findings,
            },
            rows,
            slowness,
        })
    }
}

pub(super) fn judge(
    script: &Script,
    recording: &Recording,
    seen: &Observation,
    differences: &Differences,
    version: &str,
) -> Judged {
    let mut rows = rows_on_a_quiet_machine(script, recording, seen, differences, version);
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
        slowness: seen.slowness,
    }
}

/// The rows that would be needed if the machine were not slow: what is forgiven for that is no reason to call them stale.
fn rows_on_a_quiet_machine(
    script: &Script,
    recording: &Recording,
    seen: &Observation,
    differences: &Differences,
    version: &str,
) -> BTreeSet<usize> {
    if !pace::is_shared(seen.slowness) {
        return BTreeSet::new();
    }
    let quiet = Observation {
        slowness: 1.0,
        ..seen.clone()
    };
    let findings = compare(recording, &quiet, &script.directives);
    let rows = findings
        .iter()
        .filter_map(|finding| differences.explain(&script.name, finding, version));
    rows.collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(slowness: f64, off: &[(&str, bool)]) -> Judged {
        let finding = |(what, is_time): &(&str, bool)| Finding {
            what: (*what).to_owned(),
            expected: "4".to_owned(),
            got: "3".to_owned(),
            note: false,
            is_time: *is_time,
        };
        let findings: Vec<_> = off.iter().map(|off| (finding(off), None)).collect();
        Judged {
            outcome: Outcome {
                script: "executors/loop".to_owned(),
                verdict: verdict_of(&findings),
                findings,
            },
            rows: BTreeSet::new(),
            slowness,
        }
    }

    fn again(runs: Vec<Judged>) -> Verdict {
        Judged::of_again(runs)
            .expect("there are runs")
            .outcome
            .verdict
    }

    #[test]
    fn a_count_that_is_off_once_on_a_quiet_machine_differs() {
        let count = ("metrics.iterations.count", false);
        assert_eq!(
            again(vec![
                run(1.0, &[]),
                run(1.0, &[count]),
                run(1.0, &[]),
                run(1.0, &[])
            ]),
            Verdict::Differs
        );
    }

    #[test]
    fn a_count_that_is_off_once_while_the_cores_were_shared_does_not_differ_but_in_half_of_the_runs_it_does()
     {
        let count = ("metrics.iterations.count", false);
        assert_eq!(
            again(vec![
                run(3.0, &[count]),
                run(3.0, &[]),
                run(3.0, &[]),
                run(3.0, &[])
            ]),
            Verdict::Equal
        );
        assert_eq!(
            again(vec![
                run(3.0, &[count]),
                run(3.0, &[]),
                run(3.0, &[count]),
                run(3.0, &[])
            ]),
            Verdict::Differs
        );
    }

    #[test]
    fn a_time_differs_that_is_off_in_all_runs() {
        let time = ("metrics.iteration_duration.avg", true);
        assert_eq!(
            again(vec![run(1.0, &[time]), run(1.0, &[])]),
            Verdict::Equal
        );
        assert_eq!(
            again(vec![run(1.0, &[time]), run(3.0, &[time])]),
            Verdict::Differs
        );
    }
}
