//! The control groups a process is in, of both versions: what they allow and what they took.
//!
//! A limit anywhere on the way up holds for all below, so every level that can be seen counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limits beyond this stand for none in version 1.
const NO_MEMORY_LIMIT: u64 = 1 << 60;

/// The groups of one process.
#[derive(Debug, Default, Clone)]
pub struct ControlGroup {
    cpu: Vec<PathBuf>,
    memory: Vec<PathBuf>,
}

/// How often a CPU quota was looked at and stopped the group.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Throttling {
    pub(crate) periods: u64,
    pub(crate) throttled: u64,
    pub(crate) time: Duration,
}

impl ControlGroup {
    /// Those of the process that calls.
    #[must_use]
    pub fn of_self() -> Self {
        Self::of_entry("self")
    }

    /// Those of a process, by its number.
    #[must_use]
    pub fn of_process(pid: u32) -> Self {
        Self::of_entry(&pid.to_string())
    }

    /// Those of an entry of `/proc`: a number, or `self`.
    fn of_entry(process: &str) -> Self {
        let read = |path: String| fs::read_to_string(path).unwrap_or_default();
        let groups = read(format!("/proc/{process}/cgroup"));
        // Where groups are mounted is seen as this process sees it, for it reads them.
        let mounts = read("/proc/self/mountinfo".to_owned());
        Self {
            cpu: folders(&groups, &mounts, "cpu"),
            memory: folders(&groups, &mounts, "memory"),
        }
    }

    /// Time a CPU quota took since the groups were made, summed over cores; zero where none can
    /// be read.
    #[must_use]
    pub fn throttled(&self) -> Duration {
        self.throttling().time
    }

    pub(crate) fn throttling(&self) -> Throttling {
        let texts = self.cpu.iter().map(|folder| folder.join("cpu.stat"));
        let texts = texts.filter_map(|file| fs::read_to_string(file).ok());
        let mut sum = Throttling::default();
        for level in texts.map(|text| throttling_in(&text)) {
            sum.periods = sum.periods.max(level.periods);
            sum.throttled += level.throttled;
            sum.time += level.time;
        }
        sum
    }

    /// CPUs that the tightest quota allows.
    pub(crate) fn cores(&self) -> Option<f64> {
        let quotas = self.cpu.iter().filter_map(|folder| quota(folder));
        quotas.min_by(f64::total_cmp)
    }

    /// Bytes that the tightest limit allows.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        let limits = self.memory.iter().filter_map(|folder| {
            let text = fs::read_to_string(folder.join("memory.max"))
                .or_else(|_| fs::read_to_string(folder.join("memory.limit_in_bytes")));
            text.ok()?.trim().parse().ok()
        });
        limits.min().filter(|limit| *limit < NO_MEMORY_LIMIT)
    }
}

fn quota(folder: &Path) -> Option<f64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    if let Some(max) = read("cpu.max") {
        let (quota, period) = max.trim().split_once(' ')?;
        return Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?);
    }
    let number = |name| read(name)?.trim().parse::<f64>().ok();
    let quota = number("cpu.cfs_quota_us").filter(|quota| *quota > 0.0)?;
    Some(quota / number("cpu.cfs_period_us")?)
}

/// The fields of a `cpu.stat`: times are microseconds in version 2, nanoseconds in version 1.
fn throttling_in(stat: &str) -> Throttling {
    let mut found = Throttling::default();
    for line in stat.lines() {
        let Some((name, value)) = line.split_once(' ') else {
            continue;
        };
        let Ok(value) = value.trim().parse() else {
            continue;
        };
        match name {
            "nr_periods" => found.periods = value,
            "nr_throttled" => found.throttled = value,
            "throttled_usec" => found.time = Duration::from_micros(value),
            "throttled_time" => found.time = Duration::from_nanos(value),
            _ => {}
        }
    }
    found
}

/// The group of a controller and all above it, given the texts of `cgroup` and `mountinfo`.
fn folders(groups: &str, mounts: &str, controller: &str) -> Vec<PathBuf> {
    let mounted = mounts.lines();
    let mounted = mounted.filter_map(|line| Mount::parse(line, controller));
    let mut found = Vec::new();
    for mount in mounted {
        let path = groups.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let is_meant = match mount.kind {
                Kind::V1 => controllers.split(',').any(|name| name == controller),
                Kind::V2 => controllers.is_empty(),
            };
            is_meant.then_some(path)
        });
        let Some(path) = path else {
            continue;
        };
        // In a container the mount may begin at the process's own group, and the path be
        // that of the host, or one above its own view (`/..`): then the mount is all.
        let below = Path::new(path).strip_prefix(&mount.root);
        let below = below.unwrap_or(Path::new(""));
        let top = Path::new(&mount.point);
        let group = if below.as_os_str().is_empty() {
            top.to_path_buf()
        } else {
            top.join(below)
        };
        let levels = group.ancestors().take_while(|level| level.starts_with(top));
        found.extend(levels.map(Path::to_path_buf));
    }
    found
}

/// Where a hierarchy of groups is mounted.
struct Mount {
    kind: Kind,
    /// Which group the mount begins at.
    root: String,
    point: String,
}

enum Kind {
    /// With the controller that is looked for.
    V1,
    V2,
}

impl Mount {
    /// Reads a line of `mountinfo`; `None` for anything without the controller's groups.
    fn parse(line: &str, controller: &str) -> Option<Self> {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let kind = match (kind.next()?, kind.nth(1)) {
            ("cgroup2", _) => Kind::V2,
            ("cgroup", Some(options)) if options.split(',').any(|o| o == controller) => Kind::V1,
            _ => return None,
        };
        let mut place = place.split(' ').skip(3);
        Some(Self {
            kind,
            root: place.next()?.to_owned(),
            point: place.next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpu(groups: &str, mounts: &str) -> Vec<String> {
        let folders = folders(groups, mounts, "cpu");
        folders.iter().map(|f| f.display().to_string()).collect()
    }

    #[test]
    fn both_versions_tell_in_their_own_units() {
        let expected = Throttling {
            periods: 20,
            throttled: 19,
            time: Duration::from_millis(1500),
        };
        let v1 = "nr_periods 20\nnr_throttled 19\nthrottled_time 1500000000\n";
        assert_eq!(throttling_in(v1), expected);
        let v2 = "usage_usec 7\nnr_periods 20\nnr_throttled 19\nthrottled_usec 1500000\n";
        assert_eq!(throttling_in(v2), expected);
        assert_eq!(throttling_in("usage_usec 7\n"), Throttling::default());
    }

    #[test]
    fn the_quota_of_both_versions_is_read_in_cores() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(quota(folder.path()), None);
        write("cpu.cfs_quota_us", "-1\n");
        write("cpu.cfs_period_us", "100000\n");
        assert_eq!(quota(folder.path()), None);
        write("cpu.cfs_quota_us", "150000\n");
        assert_eq!(quota(folder.path()), Some(1.5));
        write("cpu.max", "max 100000\n");
        assert_eq!(quota(folder.path()), None);
        write("cpu.max", "50000 100000\n");
        assert_eq!(quota(folder.path()), Some(0.5));
    }

    #[test]
    fn a_group_of_version_2_and_all_above_it_are_looked_at() {
        let mounts = "29 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        assert_eq!(
            cpu("0::/system.slice/load.service\n", mounts),
            [
                "/sys/fs/cgroup/system.slice/load.service",
                "/sys/fs/cgroup/system.slice",
                "/sys/fs/cgroup"
            ]
        );
    }

    #[test]
    fn of_version_1_only_the_controllers_hierarchy_is_looked_at() {
        let groups = "4:memory:/job\n2:cpu,cpuacct:/job/load\n";
        let mounts = "\
            31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
            35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        assert_eq!(
            cpu(groups, mounts),
            [
                "/sys/fs/cgroup/cpu,cpuacct/job/load",
                "/sys/fs/cgroup/cpu,cpuacct/job",
                "/sys/fs/cgroup/cpu,cpuacct"
            ]
        );
        let memory = folders(groups, mounts, "memory");
        assert_eq!(memory[0], Path::new("/sys/fs/cgroup/memory/job"));
    }

    #[test]
    fn in_a_container_the_mount_begins_at_the_processes_own_group() {
        let mount = |root: &str| {
            format!("40 31 0:29 {root} /sys/fs/cgroup/cpu ro - cgroup cgroup ro,cpu\n")
        };
        let own = ["/sys/fs/cgroup/cpu"];
        assert_eq!(cpu("2:cpu:/docker/ab12\n", &mount("/docker/ab12")), own);
        assert_eq!(cpu("2:cpu:/\n", &mount("/docker/ab12")), own);
    }
}
