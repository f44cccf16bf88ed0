//! Files that processes have open, sockets included, against the most that each may have.

use loadline_record::signals::{Entity, SignalKind};
use procfs::process::{LimitValue, Process};

use crate::reading::Reading;

/// The files of one process.
struct OpenFiles {
    open: f64,
    most: f64,
}

impl OpenFiles {
    fn share(&self) -> f64 {
        self.open / self.most
    }
}

/// Those of the process that is nearest to its limit; processes may end at any time.
pub(super) fn give(members: &[i32], reading: &mut Reading) {
    let all = members.iter().filter_map(|pid| open_files(*pid));
    let nearest = all.max_by(|a, b| a.share().total_cmp(&b.share()));
    if let Some(files) = nearest {
        reading.add(SignalKind::OpenFiles, Entity::new(), files.open);
        reading.add(SignalKind::OpenFilesMax, Entity::new(), files.most);
    }
}

fn open_files(pid: i32) -> Option<OpenFiles> {
    let process = Process::new(pid).ok()?;
    let LimitValue::Value(most) = process.limits().ok()?.max_open_files.soft_limit else {
        return None;
    };
    let open = process.fd_count().ok()?;
    (most > 0).then(|| OpenFiles {
        open: super::count(open as u64),
        most: super::count(most),
    })
}
