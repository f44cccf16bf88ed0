//! What limits the two sides, and whether it moved.

use loadline_record::LimitVerdict;
use loadline_text::{Catalog, records};

use crate::explanation::verdict;

/// What `explain` says of the runs of both sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ComparedLimits {
    /// Of the runs of the first side.
    pub before: Vec<LimitVerdict>,
    /// Of the runs of the second side.
    pub after: Vec<LimitVerdict>,
}

/// The verdict of most runs of a side.
pub(super) struct SideLimit<'a> {
    pub(super) verdict: &'a LimitVerdict,
    count: usize,
    runs: usize,
}

impl<'a> SideLimit<'a> {
    /// `None` of a side without runs.
    pub(super) fn new(runs: &'a [LimitVerdict]) -> Option<Self> {
        let count = |one: &LimitVerdict| runs.iter().filter(|other| one.is_same(other)).count();
        // Of several that are as frequent, that of the first run.
        let most = runs.iter().rev().max_by_key(|one| count(one))?;
        Some(Self {
            verdict: most,
            count: count(most),
            runs: runs.len(),
        })
    }

    /// What it says, and of how many runs where they differ.
    pub(super) fn text(&self, catalog: &Catalog) -> String {
        let text = verdict::text(self.verdict, catalog);
        if self.count == self.runs {
            return text;
        }
        catalog.text(&records::compare_limit_of(text, self.count, self.runs))
    }
}

impl ComparedLimits {
    /// Both sides, where there is something to say of one: a limit, or a target that was observed well enough to have none.
    pub(super) fn shown(&self) -> Option<(SideLimit<'_>, SideLimit<'_>)> {
        let mut all = self.before.iter().chain(&self.after);
        let is_said = all.any(|one| one.is_cause() || one.answer == "no-bottleneck");
        let sides = SideLimit::new(&self.before).zip(SideLimit::new(&self.after));
        sides.filter(|_| is_said)
    }

    /// Whether the limit moved, in one line; `None` where there is nothing to say.
    #[must_use]
    pub fn moved(&self, catalog: &Catalog) -> Option<String> {
        let (before, after) = self.shown()?;
        Some(verdict::moved(before.verdict, after.verdict, catalog))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadline_text::Lang;

    fn verdict(answer: &str, part: Option<&str>) -> LimitVerdict {
        LimitVerdict {
            answer: answer.to_owned(),
            part: part.map(str::to_owned),
            ..LimitVerdict::default()
        }
    }

    fn moved(before: &[LimitVerdict], after: &[LimitVerdict]) -> Option<String> {
        let limits = ComparedLimits {
            before: before.to_vec(),
            after: after.to_vec(),
        };
        limits.moved(&Catalog::new(Lang::En))
    }

    #[test]
    fn what_limits_most_runs_of_each_side_is_told_and_whether_it_moved() {
        let pool = verdict("limited", Some("pool"));
        let cpu = verdict("limited", Some("cpu"));
        let free = verdict("no-bottleneck", None);
        let unseen = verdict("unknown-limit", None);
        let pools = [cpu.clone(), pool.clone(), pool.clone()];
        let told = |before: &[LimitVerdict], after: &LimitVerdict| {
            moved(before, std::slice::from_ref(after)).unwrap()
        };
        let expected = "the limit moved: from the connection pool to the target's CPU";
        assert_eq!(told(&pools, &cpu), expected);
        let expected = "the same limit before and after: the connection pool";
        assert_eq!(told(&pools, &pool), expected);
        assert_eq!(told(&pools, &free), "the connection pool no longer limits");
        let is_open = told(&pools, &unseen);
        assert!(
            is_open.starts_with("whether the limit moved cannot be told"),
            "{is_open}"
        );
        // Seen: the pool was named on one side, held on the other, and nothing could be told.
        let held = verdict("unknown-limit", Some("pool"));
        let expected =
            "the connection pool is used up before and after; why is not seen on every side";
        assert_eq!(told(&pools, &held), expected);
        let expected = "the limit seems to have moved: from the target's CPU to the connection pool, which is used up; why is not seen on every side";
        assert_eq!(told(std::slice::from_ref(&cpu), &held), expected);
        let none = [verdict("no-sign", None)];
        assert_eq!(moved(&none, &none), None);
    }
}
