//! The machine as a whole.

use loadline_record::signals::{Entity, SignalKind};
use procfs::{Current, CurrentSI, KernelStats, KernelVersion, Meminfo, Uptime};

use crate::reading::Reading;

/// CPUs of the machine; one where it cannot be told.
pub(super) fn cores() -> f64 {
    let stats = KernelStats::current().map(|stats| stats.cpu_time.len());
    let cores = stats.unwrap_or(1).max(1);
    super::count(cores as u64)
}

/// All memory in bytes.
pub(super) fn memory() -> Option<u64> {
    Meminfo::current().ok().map(|memory| memory.mem_total)
}

/// Seconds since the machine started.
pub(super) fn uptime() -> Option<f64> {
    Uptime::current().ok().map(|uptime| uptime.uptime)
}

/// CPU and memory of the machine, and what it is.
pub(super) fn read(reading: &mut Reading) {
    if let Ok(stats) = KernelStats::current() {
        let of_ticks = super::count(procfs::ticks_per_second());
        let all = stats.total;
        let busy =
            all.user + all.nice + all.system + all.irq.unwrap_or(0) + all.softirq.unwrap_or(0);
        let seconds = super::count(busy) / of_ticks;
        reading.add(SignalKind::HostCpu, Entity::new(), seconds);
        let cores = super::count(stats.cpu_time.len() as u64);
        reading.add(SignalKind::HostCores, Entity::new(), cores);
        if let Some(stolen) = all.steal {
            let seconds = super::count(stolen) / of_ticks;
            reading.add(SignalKind::HostStolen, Entity::new(), seconds);
        }
        reading.set("host.cores", &cores.to_string());
    }
    if let Ok(memory) = Meminfo::current() {
        let total = super::bytes(memory.mem_total);
        reading.add(SignalKind::HostMemoryTotal, Entity::new(), total);
        if let Some(available) = memory.mem_available {
            let available = super::bytes(available);
            reading.add(SignalKind::HostMemoryAvailable, Entity::new(), available);
        }
    }
    if let Ok(version) = KernelVersion::current() {
        let version = format!("{}.{}.{}", version.major, version.minor, version.patch);
        reading.set("host.kernel", &version);
    }
}
