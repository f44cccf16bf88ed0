//! The rules, over lines `<ms> <visitor> <what> <seq>`.
//!
//! `what` is joined, ready, claimed, completed, left (the visitor stopped listening), or
//! decided: the same turn as ready, with the queue's own time instead of the client's.

use std::collections::BTreeMap;
use std::fmt;

/// Where only the clients' times are known: they read at different moments what was decided
/// at one. Decided times need no tolerance.
const TOLERANCE_MS: f64 = 1_000.0;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) at_ms: f64,
    pub(crate) visitor: String,
    pub(crate) what: String,
    pub(crate) seq: u64,
}

/// What the store says happened in all.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreTotals {
    pub(crate) joined: u64,
    pub(crate) admitted: u64,
    pub(crate) claimed: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    /// Two visitors hold one number.
    DuplicateNumber { seq: u64, visitors: Vec<String> },
    /// One visitor was told two numbers.
    NumberChanged { visitor: String, numbers: Vec<u64> },
    /// Somebody was let in while a lower number still listened.
    Inversion { first: u64, before: u64 },
    /// Fewer were told to come in than the store let in.
    LostAdmissions { admitted: u64, told: u64 },
    /// More were inside at once than may be.
    CapExceeded { inside: u64, cap: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateNumber { seq, visitors } => {
                write!(f, "number {seq} was given to {}", visitors.join(" and "))
            }
            Self::NumberChanged { visitor, numbers } => {
                write!(f, "{visitor} was told the numbers {numbers:?}")
            }
            Self::Inversion { first, before } => write!(
                f,
                "number {first} was let in before {before}, who was there"
            ),
            Self::LostAdmissions { admitted, told } => {
                write!(f, "{admitted} were let in, {told} were told")
            }
            Self::CapExceeded { inside, cap } => write!(f, "{inside} were inside, {cap} may be"),
        }
    }
}

pub(crate) fn parse(text: &str) -> Vec<Line> {
    let line = |text: &str| {
        let mut words = text.split_whitespace();
        Some(Line {
            at_ms: words.next()?.parse().ok()?,
            visitor: words.next()?.to_owned(),
            what: words.next()?.to_owned(),
            seq: words.next()?.parse().ok()?,
        })
    };
    let mut lines: Vec<Line> = text.lines().filter_map(line).collect();
    lines.sort_by(|a, b| a.at_ms.total_cmp(&b.at_ms));
    lines
}

pub(crate) fn visitors(lines: &[Line]) -> usize {
    let mut names: Vec<&str> = lines.iter().map(|line| line.visitor.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

pub(crate) fn judge(lines: &[Line], store: &StoreTotals, cap: u64) -> Vec<Fault> {
    let mut faults = numbers(lines);
    faults.extend(inversions(lines));
    faults.extend(lost(lines, store));
    faults.extend(over_cap(lines, cap));
    faults
}

fn numbers(lines: &[Line]) -> Vec<Fault> {
    let mut of_visitor: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut of_number: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for line in lines {
        let numbers = of_visitor.entry(&line.visitor).or_default();
        if !numbers.contains(&line.seq) {
            numbers.push(line.seq);
        }
        let holders = of_number.entry(line.seq).or_default();
        if !holders.contains(&line.visitor) {
            holders.push(line.visitor.clone());
        }
    }
    let changed = of_visitor
        .into_iter()
        .filter(|(_, numbers)| numbers.len() > 1);
    let changed = changed.map(|(visitor, numbers)| Fault::NumberChanged {
        visitor: visitor.to_owned(),
        numbers,
    });
    let twice = of_number
        .into_iter()
        .filter(|(_, visitors)| visitors.len() > 1);
    let twice = twice.map(|(seq, visitors)| Fault::DuplicateNumber { seq, visitors });
    changed.chain(twice).collect()
}

/// Somebody told to come in clearly before a lower number who had joined and not left.
fn inversions(lines: &[Line]) -> Vec<Fault> {
    let when = |what: &str| -> BTreeMap<u64, f64> {
        let mut first = BTreeMap::new();
        for line in lines.iter().filter(|line| line.what == what) {
            first.entry(line.seq).or_insert(line.at_ms);
        }
        first
    };
    let (joined, left, decided) = (when("joined"), when("left"), when("decided"));
    let (turns, tolerance) = if decided.is_empty() {
        (when("ready"), TOLERANCE_MS)
    } else {
        (decided, 0.0)
    };
    let mut latest: Option<(u64, f64)> = None;
    let mut faults = Vec::new();
    // From the back: the earliest turn among higher numbers.
    for (seq, _) in joined.iter().rev() {
        let turn = turns.get(seq).copied();
        if let Some((other, at)) = latest {
            // Who left did so by the client's clock; then nothing is said of the number.
            let there = left
                .get(seq)
                .is_none_or(|left| tolerance > 0.0 && *left > at);
            let passed = turn.is_none_or(|turn| turn > at + tolerance);
            let long_ago = lines.last().is_some_and(|last| last.at_ms > at + tolerance);
            if there && passed && (turn.is_some() || long_ago) {
                faults.push(Fault::Inversion {
                    first: other,
                    before: *seq,
                });
            }
        }
        if let Some(turn) = turn
            && latest.is_none_or(|(_, at)| turn < at)
        {
            latest = Some((*seq, turn));
        }
    }
    faults
}

fn lost(lines: &[Line], store: &StoreTotals) -> Vec<Fault> {
    let count = |what: &str| {
        let mut seqs: Vec<u64> = lines
            .iter()
            .filter(|line| line.what == what)
            .map(|line| line.seq)
            .collect();
        seqs.sort_unstable();
        seqs.dedup();
        seqs.len() as u64
    };
    // Who left may have been let in before the gate knew.
    let told = count("ready") + count("left");
    let fault = (store.admitted > told).then_some(Fault::LostAdmissions {
        admitted: store.admitted,
        told,
    });
    fault.into_iter().collect()
}

fn over_cap(lines: &[Line], cap: u64) -> Vec<Fault> {
    let mut inside = 0_u64;
    let mut most = 0;
    for line in lines {
        match line.what.as_str() {
            "claimed" => inside += 1,
            "completed" => inside = inside.saturating_sub(1),
            _ => {}
        }
        most = most.max(inside);
    }
    let fault = (most > cap).then_some(Fault::CapExceeded { inside: most, cap });
    fault.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{Fault, StoreTotals, judge, parse};

    /// Ten visitors who join, are let in two seconds apart, come in and go.
    fn sound() -> Vec<String> {
        let mut lines = Vec::new();
        for n in 1..=10 {
            lines.push(format!("{} v{n} joined {n}", n * 10));
            lines.push(format!("{} v{n} ready {n}", 1_000 + n * 2_000));
            lines.push(format!("{} v{n} claimed {n}", 1_001 + n * 2_000));
            lines.push(format!("{} v{n} completed {n}", 2_500 + n * 2_000));
        }
        lines
    }

    fn faults(lines: &[String]) -> Vec<Fault> {
        let store = StoreTotals {
            joined: 10,
            admitted: 10,
            claimed: 10,
        };
        judge(&parse(&lines.join("\n")), &store, 1)
    }

    #[test]
    fn a_sound_run_has_no_fault() {
        assert_eq!(faults(&sound()), []);
    }

    #[test]
    fn each_planted_fault_is_found() {
        let planted = |change: &dyn Fn(&mut Vec<String>)| {
            let mut lines = sound();
            change(&mut lines);
            faults(&lines)
        };
        let duplicate = planted(&|lines| lines.push("15 other joined 1".to_owned()));
        assert!(
            matches!(duplicate[0], Fault::DuplicateNumber { seq: 1, .. }),
            "{duplicate:?}"
        );
        let changed = planted(&|lines| lines.push("15 v1 joined 11".to_owned()));
        assert!(
            matches!(changed[0], Fault::NumberChanged { .. }),
            "{changed:?}"
        );
        let inverted = planted(&|lines| {
            let late =
                |line: &mut String| *line = line.replacen("5000 v2 ready", "9500 v2 ready", 1);
            lines.iter_mut().for_each(late);
        });
        assert!(
            inverted.contains(&Fault::Inversion {
                first: 3,
                before: 2
            }),
            "{inverted:?}"
        );
        let lost = planted(&|lines| lines.retain(|line| !line.contains("v10 ready")));
        assert_eq!(
            lost,
            [Fault::LostAdmissions {
                admitted: 10,
                told: 9
            }]
        );
        let crowded = planted(&|lines| lines.retain(|line| !line.contains("v1 completed")));
        assert_eq!(crowded, [Fault::CapExceeded { inside: 2, cap: 1 }]);
    }

    #[test]
    fn decided_times_count_before_the_times_of_reading() {
        let mut lines = sound();
        lines.extend((1..=10).map(|n| format!("{n} v{n} decided {n}")));
        // Told late by a slow gate, decided in order.
        let late = |line: &mut String| *line = line.replacen("5000 v2 ready", "9500 v2 ready", 1);
        lines.iter_mut().for_each(late);
        assert_eq!(faults(&lines), []);
        lines.retain(|line| line != "2 v2 decided 2");
        lines.push("7 v2 decided 2".to_owned());
        assert_eq!(
            faults(&lines),
            [Fault::Inversion {
                first: 3,
                before: 2
            }]
        );
    }

    #[test]
    fn who_left_before_is_not_passed_unfairly() {
        let mut lines = sound();
        lines.retain(|line| {
            !line.contains("v2 ready")
                && !line.contains("v2 claimed")
                && !line.contains("v2 completed")
        });
        lines.push("3500 v2 left 2".to_owned());
        let store = StoreTotals {
            admitted: 10,
            ..StoreTotals::default()
        };
        assert_eq!(judge(&parse(&lines.join("\n")), &store, 1), []);
    }
}
