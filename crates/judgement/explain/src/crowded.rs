//! Whether others on the host leave the target no cores.
//!
//! A target of few threads never wants all cores of a host, and still gets too little of them: what counts is whether
//! those that it wants are taken.

use loadline_record::signals::{Entity, SignalKind};

use super::context::RuleContext;

/// A host that uses this share of its cores has none left for what comes next.
const HOST_FULL_SHARE_MIN: f64 = 0.9;
/// Others who use a smaller share of the host's cores do not crowd anybody out.
const OTHERS_SHARE_MIN: f64 = 0.25;
/// Used and waited for together, cores: one thread at least is due all the time.
const WANTED_CORES_MIN: f64 = 0.9;

impl RuleContext<'_> {
    /// Cores that others on the target's host use, where the host counts all who do.
    pub(super) fn cores_of_others(&self) -> Option<f64> {
        let any = Entity::new();
        let cpu = self.measured.cpu.as_ref()?;
        let stolen = self.view.rate(SignalKind::HostStolen, &any);
        let host = self.view.rate(SignalKind::HostCpu, &any)?;
        Some((host + stolen.unwrap_or(0.0) - cpu.used).max(0.0))
    }

    /// All cores of the host are used, a good part of them by others, and the target's threads wait for one for longer than
    /// they run: what is due in the target waits for it, also what waits inside for the thread that may run.
    pub(super) fn is_crowded_out(&self) -> bool {
        let measured = self.measured;
        let (Some(cpu), Some(delay)) = (&measured.cpu, measured.run_delay) else {
            return false;
        };
        let host = self.view.smallest(SignalKind::HostCores, &Entity::new());
        let (Some(others), Some(host)) = (self.cores_of_others(), host) else {
            return false;
        };
        delay >= cpu.used
            && cpu.used + delay >= WANTED_CORES_MIN.min(WANTED_CORES_MIN * cpu.most)
            && others >= OTHERS_SHARE_MIN * host
            && others + cpu.used >= HOST_FULL_SHARE_MIN * host
    }
}
