//! What a change would give: `pool=30,outside=5s`.

use std::collections::HashSet;
use std::mem::discriminant;
use std::str::FromStr;

use super::ceilings::{Ceilings, ResourceCeiling};
use super::finding::{BottleneckFinding, BottleneckPart, FindingRole, RuleId};
use super::measured::Measured;

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// As it was typed.
    pub text: String,
    change: AssumedChange,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum AssumedChange {
    /// So many connections in the pool.
    Pool(f64),
    /// So many threads.
    Threads(f64),
    /// So many cores for the target.
    Cores(f64),
    /// So many cores for the database.
    DatabaseCores(f64),
    /// An outside call takes so many seconds.
    Outside(f64),
    /// The heaviest statement takes this part of what it takes now.
    Statement(f64),
    /// The heap may have so many bytes.
    Heap(f64),
}

/// What was typed is no assumption.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no assumption")]
pub struct AssumptionError(pub String);

impl FromStr for Assumption {
    type Err = AssumptionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || AssumptionError(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let number = || {
            let number = value.trim().parse::<f64>().ok();
            number
                .filter(|n| n.is_finite() && *n > 0.0)
                .ok_or_else(wrong)
        };
        let change = match name.trim() {
            "pool" => AssumedChange::Pool(number()?),
            "threads" => AssumedChange::Threads(number()?),
            "cores" => AssumedChange::Cores(number()?),
            "database-cores" => AssumedChange::DatabaseCores(number()?),
            "outside" => AssumedChange::Outside(seconds(value.trim()).ok_or_else(wrong)?),
            "statement" => AssumedChange::Statement(part(value.trim()).ok_or_else(wrong)?),
            "heap" => AssumedChange::Heap(bytes(value.trim()).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        Ok(Self {
            text: text.trim().to_owned(),
            change,
        })
    }
}

impl AssumedChange {
    /// The resource of which there is more or less.
    fn part(self) -> Option<BottleneckPart> {
        match self {
            Self::Pool(_) => Some(BottleneckPart::Pool),
            Self::Threads(_) => Some(BottleneckPart::Threads),
            Self::Cores(_) => Some(BottleneckPart::Cpu),
            Self::DatabaseCores(_) => Some(BottleneckPart::Database),
            Self::Outside(_) | Self::Statement(_) | Self::Heap(_) => None,
        }
    }
}

/// `5s`, `500ms`.
fn seconds(text: &str) -> Option<f64> {
    let (number, scale) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let number = number.parse::<f64>().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * scale)
}

/// `50%`.
fn part(text: &str) -> Option<f64> {
    let number = text.strip_suffix('%')?.parse::<f64>().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number / 100.0)
}

/// `512m`, `2g`, as a JVM takes them.
fn bytes(text: &str) -> Option<f64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let scale = match unit {
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        _ => return None,
    };
    let number = number.parse::<f64>().ok()?;
    (number.is_finite() && number > 0.0).then_some(number * f64::from(1_u32 << scale))
}

/// What assumptions give, each alone and, with several of different things, all together at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The assumptions.
    pub assumed: String,
    /// The predicted highest rate; `None` when what the change touches was not measured.
    pub rate: Option<f64>,
    /// What limits then, of what was measured.
    pub then: Option<BottleneckPart>,
}

impl Prediction {
    /// No more than what is limited by something else.
    fn at_most(self, rate: f64, part: BottleneckPart) -> Self {
        match self.rate {
            Some(predicted) if predicted > rate => Self {
                rate: Some(rate),
                then: Some(part),
                ..self
            },
            _ => self,
        }
    }
}

/// `first` is the first finding.
pub(super) fn predictions(
    assumptions: &[Assumption],
    measured: &Measured,
    ceilings: &Ceilings,
    first: Option<&BottleneckFinding>,
) -> Vec<Prediction> {
    let limit = first.filter(|first| first.role == FindingRole::Limit);
    let each = assumptions.iter().map(std::slice::from_ref);
    // Two values of one thing are alternatives.
    let kinds = assumptions.iter().map(|one| discriminant(&one.change));
    let are_distinct = kinds.collect::<HashSet<_>>().len() == assumptions.len();
    let together = (assumptions.len() > 1 && are_distinct).then_some(assumptions);
    each.chain(together)
        .map(|some| {
            let predicted = predict(some, measured, ceilings);
            match limit {
                Some(limit) if !is_covered(limit.rule, some, ceilings) => {
                    predicted.at_most(measured.carried, limit.part)
                }
                _ => predicted,
            }
        })
        .collect()
}

/// Whether the ceilings of resources hold what limits now. A limit that they do not hold, such as a lock or a network, stays
/// where it is unless an assumption is about it.
fn is_covered(rule: RuleId, assumptions: &[Assumption], ceilings: &Ceilings) -> bool {
    use RuleId as R;
    let assumed =
        |wanted: fn(&AssumedChange) -> bool| assumptions.iter().any(|one| wanted(&one.change));
    let part = match rule {
        R::PoolHeld | R::PoolTooSmall | R::PoolExhausted => BottleneckPart::Pool,
        R::TooFewThreads => BottleneckPart::Threads,
        R::TargetCpu | R::CpuQuota | R::NoisyNeighbour | R::Cold => BottleneckPart::Cpu,
        R::DatabaseCpu | R::MissingIndex | R::ManyStatements => BottleneckPart::Database,
        R::HeapTooSmall => return assumed(|change| matches!(change, AssumedChange::Heap(_))),
        R::SlowOutside => return assumed(|change| matches!(change, AssumedChange::Outside(_))),
        _ => return false,
    };
    ceilings.sorted().iter().any(|ceiling| ceiling.part == part)
}

fn predict(assumptions: &[Assumption], measured: &Measured, ceilings: &Ceilings) -> Prediction {
    let texts: Vec<&str> = assumptions.iter().map(|one| one.text.as_str()).collect();
    let mut all = ceilings.sorted();
    // What is hardly used limits nothing, unless much less of it is assumed.
    let idle = assumptions
        .iter()
        .filter_map(|one| ceilings.idle(one.change.part()?));
    all.extend(idle.filter(|ceiling| ceiling.rate > 0.0));
    let known = assumptions
        .iter()
        .all(|one| apply(one.change, &mut all, measured));
    let lowest = all.iter().min_by(|a, b| a.rate.total_cmp(&b.rate));
    let lowest = lowest.filter(|_| known);
    Prediction {
        assumed: texts.join(","),
        rate: lowest.map(|ceiling| ceiling.rate),
        then: lowest.map(|ceiling| ceiling.part),
    }
}

/// Changes the ceilings; `false` when what is changed was not measured.
fn apply(change: AssumedChange, all: &mut [ResourceCeiling], measured: &Measured) -> bool {
    let mut set = |part: BottleneckPart, new: &dyn Fn(&ResourceCeiling) -> ResourceCeiling| {
        let found = all.iter_mut().find(|ceiling| ceiling.part == part);
        found.map(|ceiling| *ceiling = new(ceiling)).is_some()
    };
    let sized =
        |part, most: f64| move |old: &ResourceCeiling| ResourceCeiling::new(part, most, old.demand);
    match change {
        AssumedChange::Pool(most) => {
            // The size is that of each instance's pool.
            let pools = u32::try_from(measured.main_pools().count().max(1)).unwrap_or(1);
            let part = BottleneckPart::Pool;
            set(part, &sized(part, most * f64::from(pools)))
        }
        AssumedChange::Threads(most) => {
            let part = BottleneckPart::Threads;
            set(part, &sized(part, most))
        }
        AssumedChange::Cores(most) => set(BottleneckPart::Cpu, &sized(BottleneckPart::Cpu, most)),
        // Of a managed database only the share of its instance may be known.
        AssumedChange::DatabaseCores(_) if measured.database_cores_used().is_none() => false,
        AssumedChange::DatabaseCores(most) => {
            let part = BottleneckPart::Database;
            set(part, &sized(part, most))
        }
        AssumedChange::Outside(seconds) => outside(seconds, all, measured),
        AssumedChange::Statement(part) => statement(part, all, measured),
        AssumedChange::Heap(bytes) => match heap(bytes, measured) {
            Some(cpu) => set(BottleneckPart::Cpu, &|_| cpu),
            None => false,
        },
    }
}

/// The database computes less, and connections and threads are held for a shorter time.
fn statement(part: f64, all: &mut [ResourceCeiling], measured: &Measured) -> bool {
    let (Some(top), true) = (measured.statements.first(), measured.carried > 0.0) else {
        return false;
    };
    let saved = (1.0 - part) * top.time / measured.carried;
    let mut is_known = false;
    for ceiling in all.iter_mut() {
        let demand = match ceiling.part {
            BottleneckPart::Database => ceiling.demand * (1.0 - (1.0 - part) * top.share),
            BottleneckPart::Pool | BottleneckPart::Threads => ceiling.demand - saved,
            _ => continue,
        };
        let demand = demand.max(ceiling.demand * 0.01);
        *ceiling = ResourceCeiling::new(ceiling.part, ceiling.capacity, demand);
        is_known = true;
    }
    is_known
}

/// What the target's CPU carries with a heap of so many bytes.
fn heap(bytes: f64, measured: &Measured) -> Option<ResourceCeiling> {
    let collections = measured.collections?;
    let stopped = collections.pauses_with(bytes, measured.heap_after?)?;
    ResourceCeiling::of_stopped_cpu(&collections, measured, stopped)
}

/// Connections and threads are held for so much longer or shorter.
fn outside(seconds: f64, all: &mut [ResourceCeiling], measured: &Measured) -> bool {
    let (Some(outside), true) = (&measured.outside, measured.carried > 0.0) else {
        return false;
    };
    let of_request = outside.calls / measured.carried;
    let longer = (seconds - outside.mean) * of_request;
    let held = measured.exhausted().is_some_and(|pool| {
        pool.held(measured.carried) * share_of_holds(pool.holds, measured.carried)
            >= 0.5 * outside.mean * of_request
    });
    for ceiling in all.iter_mut() {
        let touched = match ceiling.part {
            BottleneckPart::Pool => held,
            BottleneckPart::Threads => true,
            _ => false,
        };
        if touched {
            let demand = (ceiling.demand + longer).max(ceiling.demand * 0.01);
            *ceiling = ResourceCeiling::new(ceiling.part, ceiling.capacity, demand);
        }
    }
    all.iter().any(|ceiling| {
        ceiling.part == BottleneckPart::Threads || (held && ceiling.part == BottleneckPart::Pool)
    })
}

/// How often a request holds a connection.
fn share_of_holds(holds: Option<f64>, rate: f64) -> f64 {
    holds.map_or(1.0, |holds| holds / rate)
}
