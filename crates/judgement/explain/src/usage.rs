//! What a run used of its target's resources, and which of them moved between two runs.

use loadline_text::{Message, evidence};

use super::finding::{Evidence, EvidenceUnit};
use super::input::{ExplainedRun, share};
use super::measured::Measured;
use super::outage::ServedPart;
use super::view::RunView;
use super::witness::Witnessed;

/// By less than this factor nothing has moved.
const MOVED_FACTOR_MIN: f64 = 1.25;

/// What was used in the busy part of a run; empty when nothing of the target was seen.
#[must_use]
pub fn usage(run: &ExplainedRun) -> Vec<Evidence> {
    let served = ServedPart::new(run);
    let witnessed = Witnessed::new(&served.run);
    let view = RunView::new(&witnessed.run);
    let measured = Measured::new(&view);
    let (cores, millis) = (EvidenceUnit::Cores, EvidenceUnit::Millis);
    let each = |used: f64| (measured.rate > 0.0).then(|| share(used, measured.rate) * 1000.0);
    let statements = measured.statement_time;
    let pool_used = measured.average_held();
    let has_pool = !measured.pools.is_empty();
    let acquire = measured.pools.iter().filter_map(|pool| pool.acquire);
    let cpu = measured.cpu.as_ref().map(|cpu| cpu.used);
    let database = measured.database_cores_used();
    let busy = measured.workers.as_ref().map(|workers| workers.usage.used);
    let outside = measured.outside.as_ref();
    let all: [EvidenceRow; 11] = [
        ("cpu-used", evidence::cpu_used(), cpu, cores),
        (
            "cpu-of-request",
            evidence::cpu_of_request(),
            cpu.and_then(each),
            millis,
        ),
        (
            "run-delay",
            evidence::run_delay(),
            measured.run_delay.map(|delay| delay * 1000.0),
            millis,
        ),
        (
            "pauses",
            evidence::pauses(),
            measured.pauses(),
            EvidenceUnit::Share,
        ),
        (
            "active",
            evidence::active(),
            has_pool.then_some(pool_used),
            EvidenceUnit::Count,
        ),
        (
            "acquire",
            evidence::acquire(),
            acquire.reduce(f64::max).map(|time| time * 1000.0),
            millis,
        ),
        (
            "threads-busy",
            evidence::threads_busy(),
            busy,
            EvidenceUnit::Count,
        ),
        ("database-cpu", evidence::database_cpu(), database, cores),
        (
            "database-cpu-of-request",
            evidence::database_cpu_of_request(),
            database.and_then(each),
            millis,
        ),
        (
            "statements",
            evidence::statements_of_request(),
            (statements > 0.0).then_some(statements).and_then(each),
            millis,
        ),
        (
            "outside",
            evidence::outside(),
            outside.map(|outside| outside.mean * 1000.0),
            millis,
        ),
    ];
    all.into_iter().filter_map(known).collect()
}

/// Name, label, value and unit of what may be known.
type EvidenceRow = (&'static str, Message, Option<f64>, EvidenceUnit);

fn known(row: EvidenceRow) -> Option<Evidence> {
    let (name, label, value, unit) = row;
    Some(Evidence {
        name,
        label,
        value: value?,
        unit,
    })
}

/// A resource that one side of a comparison used more of than the other.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageChange {
    /// What the first side used, on average over its runs.
    pub before: Evidence,
    /// What the second side used.
    pub after: f64,
}

/// Resources that moved, those that moved most first.
#[must_use]
pub fn moved(before: &[Vec<Evidence>], after: &[Vec<Evidence>]) -> Vec<UsageChange> {
    let Some(first) = before.first() else {
        return Vec::new();
    };
    let changes = first.iter().filter_map(|one| {
        let change = UsageChange {
            before: Evidence {
                value: mean(before, one.name)?,
                ..one.clone()
            },
            after: mean(after, one.name)?,
        };
        let (low, high) = (
            change.before.value.min(change.after),
            change.before.value.max(change.after),
        );
        let is_moved = high >= MOVED_FACTOR_MIN * low && high - low >= least(one.unit);
        is_moved.then_some(change)
    });
    let mut changes: Vec<UsageChange> = changes.collect();
    let factor = |change: &UsageChange| {
        let least = least(change.before.unit);
        let ratio = change.after.max(least) / change.before.value.max(least);
        ratio.max(1.0 / ratio)
    };
    changes.sort_by(|a, b| factor(b).total_cmp(&factor(a)));
    changes
}

/// A smaller difference is none.
const fn least(unit: EvidenceUnit) -> f64 {
    match unit {
        EvidenceUnit::Cores => 0.1,
        EvidenceUnit::Share => 0.02,
        EvidenceUnit::Millis | EvidenceUnit::Count | EvidenceUnit::PerSecond => 1.0,
        EvidenceUnit::BytesPerSecond => 1e5,
    }
}

fn mean(runs: &[Vec<Evidence>], name: &str) -> Option<f64> {
    let values = runs.iter().filter_map(|run| {
        let found = run.iter().find(|one| one.name == name);
        found.map(|one| one.value)
    });
    let values: Vec<f64> = values.collect();
    let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &'static str, value: f64, unit: EvidenceUnit) -> Evidence {
        Evidence {
            name,
            label: evidence::cpu_used(),
            value,
            unit,
        }
    }

    #[test]
    fn what_moved_is_told_by_its_mean_the_largest_factor_first() {
        let side = |cpu: f64, database: f64, threads: f64| {
            vec![
                measured("cpu-used", cpu, EvidenceUnit::Cores),
                measured("database-cpu", database, EvidenceUnit::Cores),
                measured("threads-busy", threads, EvidenceUnit::Count),
            ]
        };
        let before = [side(0.5, 0.9, 10.0), side(0.5, 1.0, 10.0)];
        let after = [side(0.8, 0.2, 10.5)];
        let moved = moved(&before, &after);
        let names: Vec<&str> = moved.iter().map(|one| one.before.name).collect();
        assert_eq!(names, ["database-cpu", "cpu-used"]);
        assert!((moved[0].before.value - 0.95).abs() < 1e-9);
    }

    #[test]
    fn tiny_differences_and_what_one_side_did_not_see_are_none() {
        let before = [vec![
            measured("cpu-used", 0.01, EvidenceUnit::Cores),
            measured("acquire", 5.0, EvidenceUnit::Millis),
        ]];
        let after = [vec![measured("cpu-used", 0.03, EvidenceUnit::Cores)]];
        assert_eq!(moved(&before, &after), []);
        assert_eq!(moved(&[], &after), []);
    }
}
