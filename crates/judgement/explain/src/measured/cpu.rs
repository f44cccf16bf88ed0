//! How much CPU the target and its database use, of how many cores.

use loadline_record::signals::{Entity, SignalKind};

use super::super::stack;
use super::super::view::RunView;
use super::{OneThread, Usage};

/// One interpreter that uses more cores than this computes outside of its lock.
const INTERPRETER_CORES_MAX: f64 = 1.1;

/// Counters of CPU time with their cores: the one nearest to its limit.
pub(super) fn usage(view: &RunView<'_>, used: SignalKind, most: SignalKind) -> Option<Usage> {
    let usages = view.run.signals.of_kind(used).filter_map(|series| {
        Some(Usage {
            entity: series.entity.clone(),
            used: view.rate_of(series)?,
            most: view.smallest(most, &series.entity)?,
        })
    });
    usages.max_by(|a, b| a.share().total_cmp(&b.share()))
}

/// A value of a cloud is the mean of so long, ms, at least.
const MINUTE_MS: u64 = 60_000;

/// What a managed database uses of its CPUs.
#[derive(Debug, Clone)]
pub(in super::super) struct ManagedCpu {
    /// Of its cores, or of 1 where their number is not known.
    pub(in super::super) usage: Usage,
    /// How many whole minutes of the busy part tell it.
    pub(in super::super) minutes: usize,
    pub(in super::super) are_cores_known: bool,
}

/// The managed database that is nearest to its limit, by the minutes that lie in the busy part wholly: one that began
/// before it, or ended after it, tells of less than the load.
pub(super) fn managed(view: &RunView<'_>) -> Option<ManagedCpu> {
    let shares = view.run.signals.of_kind(SignalKind::DatabaseCpuShare);
    let all = shares.filter_map(|series| {
        let minutes = view.whole_spans(series, MINUTE_MS);
        let sum: f64 = minutes.iter().map(|minute| minute.value).sum();
        let count = f64::from(u32::try_from(minutes.len()).ok()?);
        let mean = (count > 0.0).then(|| sum / count)?;
        let cores = cores(view, &series.entity);
        let most = cores.unwrap_or(1.0);
        Some(ManagedCpu {
            usage: Usage {
                entity: series.entity.clone(),
                used: mean * most,
                most,
            },
            minutes: minutes.len(),
            are_cores_known: cores.is_some(),
        })
    });
    all.max_by(|a, b| a.usage.share().total_cmp(&b.usage.share()))
}

/// The cores of one instance: told once a minute, too, and always the same.
fn cores(view: &RunView<'_>, of: &Entity) -> Option<f64> {
    let all = view.run.signals.of_kind(SignalKind::DatabaseCores);
    let mut own = all.filter(|series| series.entity.agrees(of));
    own.find_map(|series| Some(series.points().last()?.value))
}

pub(super) fn cpu(view: &RunView<'_>) -> Option<Usage> {
    usage(view, SignalKind::ProcessCpu, SignalKind::CoresAvailable)
        .or_else(|| usage(view, SignalKind::ProcessCpu, SignalKind::HostCores))
}

/// The target is one process whose interpreter runs one thread at a time, and hardly more than a core is used: libraries
/// may compute beside it.
pub(super) fn is_one_interpreter(view: &RunView<'_>, cpu: &Usage) -> bool {
    let processes = view.largest(SignalKind::Processes, &Entity::new());
    processes.is_none_or(|processes| processes <= 1.0)
        && cpu.most > 1.0
        && cpu.used <= INTERPRETER_CORES_MAX
        && stack::is_one_thread_at_a_time(&view.run.signals)
}

/// The thread that all requests of the target go through: that of its `interpreter`, which runs one at a time, or of its one
/// event loop.
pub(super) fn one_thread(view: &RunView<'_>, interpreter: Option<&Usage>) -> Option<OneThread> {
    let any = Entity::new();
    if let Some(cpu) = interpreter {
        let waits = view.rate(SignalKind::RunDelay, &any)?;
        return Some(OneThread {
            runs: cpu.used,
            waits,
        });
    }
    let loops = view.largest(SignalKind::EventLoopThreads, &any)?;
    let one = OneThread {
        runs: view.rate(SignalKind::EventLoopCpu, &any)?,
        waits: view.rate(SignalKind::EventLoopRunDelay, &any)?,
    };
    (loops <= 1.0).then_some(one)
}
