//! How long the system's CPU quota kept this process waiting, from cgroups of both versions.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The `cpu.stat` files of the groups this process is in, those of the groups above
/// included: a quota anywhere on the way holds for all below.
#[derive(Debug, Default)]
pub(super) struct Quota {
    files: Vec<PathBuf>,
}

impl Quota {
    pub(super) fn of_process() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let (groups, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
        Self {
            files: stat_files(&groups, &mounts),
        }
    }

    /// Time taken since the groups were made, summed over cores; zero where none can be
    /// read.
    pub(super) fn throttled(&self) -> Duration {
        let texts = self.files.iter().filter_map(|f| fs::read_to_string(f).ok());
        texts.filter_map(|text| throttled_in(&text)).sum()
    }
}

/// The field of a `cpu.stat`: microseconds in version 2, nanoseconds in version 1.
fn throttled_in(stat: &str) -> Option<Duration> {
    stat.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        let value = value.trim().parse().ok()?;
        match name {
            "throttled_usec" => Some(Duration::from_micros(value)),
            "throttled_time" => Some(Duration::from_nanos(value)),
            _ => None,
        }
    })
}

/// Where to look, given the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn stat_files(groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mounted = mounts.lines().filter_map(Mount::parse);
    let mut files = Vec::new();
    for mount in mounted {
        let path = groups.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            let is_meant = match mount.kind {
                Kind::V1 => controllers.split(',').any(|name| name == "cpu"),
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
        let group = top.join(below);
        let levels = group.ancestors().take_while(|level| level.starts_with(top));
        files.extend(levels.map(|level| level.join("cpu.stat")));
    }
    files
}

/// Where a hierarchy of cgroups is mounted.
struct Mount {
    kind: Kind,
    /// Which group the mount begins at.
    root: String,
    point: String,
}

enum Kind {
    /// With the `cpu` controller.
    V1,
    V2,
}

impl Mount {
    /// Reads a line of `mountinfo`; `None` for anything without the CPU's groups.
    fn parse(line: &str) -> Option<Self> {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let kind = match (kind.next()?, kind.nth(1)) {
            ("cgroup2", _) => Kind::V2,
            ("cgroup", Some(options)) if options.split(',').any(|o| o == "cpu") => Kind::V1,
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

    fn files(groups: &str, mounts: &str) -> Vec<String> {
        let files = stat_files(groups, mounts);
        files.iter().map(|f| f.display().to_string()).collect()
    }

    #[test]
    fn both_versions_tell_in_their_own_units() {
        let v1 = "nr_periods 20\nnr_throttled 19\nthrottled_time 1500000000\n";
        assert_eq!(throttled_in(v1), Some(Duration::from_millis(1500)));
        let v2 = "usage_usec 7\nnr_throttled 19\nthrottled_usec 1500000\n";
        assert_eq!(throttled_in(v2), Some(Duration::from_millis(1500)));
        assert_eq!(throttled_in("usage_usec 7\n"), None);
    }

    #[test]
    fn a_group_of_version_2_and_all_above_it_are_looked_at() {
        let mounts = "29 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        assert_eq!(
            files("0::/system.slice/load.service\n", mounts),
            [
                "/sys/fs/cgroup/system.slice/load.service/cpu.stat",
                "/sys/fs/cgroup/system.slice/cpu.stat",
                "/sys/fs/cgroup/cpu.stat"
            ]
        );
    }

    #[test]
    fn of_version_1_only_the_cpus_hierarchy_is_looked_at() {
        let groups = "4:memory:/job\n2:cpu,cpuacct:/job/load\n";
        let mounts = "\
            31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
            35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        assert_eq!(
            files(groups, mounts),
            [
                "/sys/fs/cgroup/cpu,cpuacct/job/load/cpu.stat",
                "/sys/fs/cgroup/cpu,cpuacct/job/cpu.stat",
                "/sys/fs/cgroup/cpu,cpuacct/cpu.stat"
            ]
        );
    }

    #[test]
    fn in_a_container_the_mount_begins_at_the_processes_own_group() {
        let mount = |root: &str| {
            format!("40 31 0:29 {root} /sys/fs/cgroup/cpu ro - cgroup cgroup ro,cpu\n")
        };
        let own = ["/sys/fs/cgroup/cpu/cpu.stat"];
        assert_eq!(files("2:cpu:/docker/ab12\n", &mount("/docker/ab12")), own);
        assert_eq!(files("2:cpu:/\n", &mount("/docker/ab12")), own);
    }
}
