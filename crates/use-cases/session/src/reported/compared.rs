//! Two sides compared as a report shows them.

use loadline_analysis::compare::{Caveat, Comparison, ComparisonSettings, compare};
use loadline_explain::UsageChange;
use loadline_report::comparison::ComparedLimits;
use loadline_report::run::ReportedRun;
use loadline_store::{Store, StoreError};

use crate::comparison::{ComparedRuns, SharedRuns, caveats, limits, moved_resources};

/// Two sides compared with the usual settings, for reports.
pub struct ComparisonResult {
    /// The comparison.
    pub comparison: Comparison,
    /// What keeps the sides from being alike.
    pub caveats: Vec<Caveat>,
    /// Resources of the target that moved.
    pub moved: Vec<UsageChange>,
    /// What limits each side.
    pub limits: ComparedLimits,
    /// How they were compared.
    pub settings: ComparisonSettings,
    /// The two runs, if each side is one.
    pub runs: Option<(ReportedRun, ReportedRun)>,
    /// Runs that stand on both sides: such sides are not compared.
    pub shared: Option<SharedRuns>,
}

impl ComparisonResult {
    /// Compares what `after` names with what `before` names. `now_ms` is in milliseconds since
    /// 1970. Without `settings` as carefully as is usual.
    ///
    /// # Errors
    /// A side has no runs, or they cannot be read.
    pub fn read(
        store: &Store,
        before: &str,
        after: &str,
        now_ms: i64,
        settings: Option<ComparisonSettings>,
    ) -> Result<Self, StoreError> {
        let settings = settings.unwrap_or_default();
        let a = ComparedRuns::read(store, before, now_ms)?;
        let b = ComparedRuns::read(store, after, now_ms)?;
        let runs = match (a.runs.as_slice(), b.runs.as_slice()) {
            ([one], [other]) => Some((
                super::read(store, one.row.clone(), now_ms)?,
                super::read(store, other.row.clone(), now_ms)?,
            )),
            _ => None,
        };
        Ok(Self {
            comparison: compare(&a.side, &b.side, &settings),
            caveats: caveats(&a, &b),
            moved: moved_resources(&a, &b),
            limits: limits(&a, &b),
            settings,
            runs,
            shared: SharedRuns::new(&a, &b),
        })
    }
}
