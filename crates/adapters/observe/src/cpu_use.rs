//! CPU time of a process that tells only the share it uses now.

use loadline_record::signals::{Entity, SignalKind};
use loadline_units::Time;

use crate::names::PageReader;
use crate::reading::Reading;

/// CPU time of a process whose page tells only the share it uses now, as Java's did for long.
#[derive(Debug, Default)]
pub(crate) struct CpuUse {
    last: Option<Time>,
    seconds: f64,
}

impl CpuUse {
    pub(crate) fn take(&mut self, page: &PageReader, now: Time, reading: &mut Reading) {
        let Some(share) = page.cpu_share.filter(|_| !page.counts_cpu()) else {
            return;
        };
        let Some(cores) = page.cores() else {
            return;
        };
        // The share is that since the page was last asked for.
        if let Some(last) = self.last.replace(now) {
            self.seconds += share * cores * now.since(last).as_secs_f64();
        }
        reading.add(SignalKind::ProcessCpu, Entity::new(), self.seconds);
    }
}
