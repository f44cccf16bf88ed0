//! The machine of a run, for its record.

use std::fs;

use loadline_store::Environment;
use rustix::system::uname;

/// Host, kernel, CPUs and memory, and the limits of the cgroup.
#[must_use]
pub fn environment() -> Environment {
    let system = uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    Environment {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: text(system.nodename()),
        kernel: format!("{} {}", text(system.sysname()), text(system.release())),
        cpus: cpus(),
        usable_cpus: std::thread::available_parallelism().map_or(1, usize::from),
        cpu_limit: cpu_limit(),
        memory_limit: memory_limit(),
        memory: memory(),
        ..Environment::default()
    }
}

fn cpus() -> usize {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .filter(|line| line.starts_with("processor"))
        .count()
}

/// The quota of the cgroup's second version, or of its first, in CPUs.
fn cpu_limit() -> Option<f64> {
    if let Ok(max) = fs::read_to_string("/sys/fs/cgroup/cpu.max") {
        let (quota, period) = max.trim().split_once(' ')?;
        return Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?);
    }
    let number = |name: &str| -> Option<f64> {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/cpu/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let quota = number("cpu.cfs_quota_us").filter(|quota| *quota > 0.0)?;
    Some(quota / number("cpu.cfs_period_us")?)
}

fn memory_limit() -> Option<u64> {
    let second = fs::read_to_string("/sys/fs/cgroup/memory.max");
    let text =
        second.or_else(|_| fs::read_to_string("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    let limit: u64 = text.ok()?.trim().parse().ok()?;
    // Without a limit the first version says a number beyond any machine.
    (limit < 1 << 60).then_some(limit)
}

fn memory() -> Option<u64> {
    of_meminfo("MemTotal:")
}

/// Memory that this process could have, in bytes: what the system has, or what the cgroup's limit
/// leaves.
pub(crate) fn free_memory() -> Option<u64> {
    let of_system = of_meminfo("MemAvailable:");
    let used = fs::read_to_string("/sys/fs/cgroup/memory.current");
    let used = used.or_else(|_| fs::read_to_string("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    let used: Option<u64> = used.ok().and_then(|text| text.trim().parse().ok());
    let of_cgroup = memory_limit().map(|limit| limit.saturating_sub(used.unwrap_or_default()));
    of_system.into_iter().chain(of_cgroup).min()
}

fn of_meminfo(name: &str) -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
