//! Limits of a run: open files, series and the memory of scripts.
//!
//! Each connection is an open file. A run that reaches the limit would measure the limit, so it
//! is refused before anything is sent, unless `--force` is given.

use loadline_testplan::Plan;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::environment::free_memory;

/// Series beyond this number are folded, and the run warns.
pub const SERIES_MAX: u32 = 10_000;

/// Files open beside the users' connections: streams, logs, look-ups, and what files the
/// run writes at its end.
const RESERVED_FILES: u64 = 64;
/// Files of each worker: its poller and its eventfd.
const OF_WORKER: u64 = 4;

/// One part of the free memory in so many is never the script's.
const KEPT_FREE: u64 = 4;

/// Most bytes that each JavaScript runtime may take: three quarters of what is free, so that a
/// script that never stops collecting ends with an error and not with the machine. `None` if the
/// system does not say what is free.
#[must_use]
pub fn script_memory() -> Option<usize> {
    let free = free_memory()?;
    usize::try_from(free - free / KEPT_FREE).ok()
}

/// A test that needs more open files than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{vus} users need {needed} open files, {limit} are allowed, enough for {fits} users")]
pub struct TooManyFiles {
    /// Users at most.
    pub vus: u64,
    /// Files needed, reserve included.
    pub needed: u64,
    /// Files allowed.
    pub limit: u64,
    /// Users there could be.
    pub fits: u64,
}

/// Raises the number of files the process may open as far as it may itself; the number
/// then allowed, `None` when there is no limit.
pub(crate) fn raise_open_files() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return limit.current;
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current, // what is allowed already stays allowed
    }
}

/// Checks that `limit` files are enough for `plan`, each user with one connection: what a
/// URL run needs, and the least a script needs.
///
/// # Errors
/// [`TooManyFiles`].
pub(crate) fn check_open_files(
    plan: &Plan,
    workers: usize,
    limit: Option<u64>,
) -> Result<(), TooManyFiles> {
    let Some(limit) = limit else {
        return Ok(());
    };
    let vus = plan.possible_vus();
    let reserve = RESERVED_FILES + OF_WORKER * workers as u64;
    let needed = vus + reserve;
    if needed <= limit {
        return Ok(());
    }
    let fits = limit.saturating_sub(reserve);
    Err(TooManyFiles {
        vus,
        needed,
        limit,
        fits,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};

    use super::*;

    fn plan(vus: i64) -> Plan {
        let executor = ExecutorDraft::ConstantVus {
            vus: Some(vus),
            duration: Some(Duration::from_secs(1).into()),
        };
        Plan::check(PlanDraft {
            scenarios: vec![ScenarioDraft::new("default", executor)],
            ..PlanDraft::default()
        })
        .unwrap()
    }

    #[test]
    fn the_number_said_to_fit_fits_and_one_more_does_not() {
        let refused = check_open_files(&plan(20_000), 2, Some(1024)).unwrap_err();
        assert_eq!((refused.vus, refused.limit), (20_000, 1024));
        let fits = i64::try_from(refused.fits).unwrap();
        assert_eq!(check_open_files(&plan(fits), 2, Some(1024)), Ok(()));
        assert!(check_open_files(&plan(fits + 1), 2, Some(1024)).is_err());
    }

    #[test]
    fn without_a_limit_any_number_fits() {
        assert_eq!(check_open_files(&plan(2_000_000), 2, None), Ok(()));
    }
}
