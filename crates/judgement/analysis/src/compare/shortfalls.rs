//! What only the second side fell short of.

use loadline_record::Shortfall;

use super::ComparedRun;

/// What every run of the second side fell short of, as its last run did, and none of the first.
/// Load, errors and checks are left out: they are compared as shares.
pub(super) fn only_after(before: &[ComparedRun], after: &[ComparedRun]) -> Vec<Shortfall> {
    let has = |run: &ComparedRun, word: &str| run.shortfalls.iter().any(|one| one.word() == word);
    let last = after.last().map_or(&[][..], |run| &run.shortfalls);
    let is_new = |short: &&Shortfall| {
        let is_told_alone = matches!(
            short,
            Shortfall::Cut { .. }
                | Shortfall::Calls { .. }
                | Shortfall::Redirects { .. }
                | Shortfall::Exceptions { .. }
                | Shortfall::Users { .. }
        );
        is_told_alone
            && after.iter().all(|run| has(run, short.word()))
            && !before.iter().any(|run| has(run, short.word()))
    };
    last.iter().filter(is_new).copied().collect()
}
