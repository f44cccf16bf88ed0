//! Why a story cannot be told.

use loadline_text::{Catalog, Exit, Location, Problem};

use crate::context::Context;
use crate::refusal::Refusal;

/// All mistakes of a file of rounds, or what else is in the way.
#[derive(Debug)]
pub(super) struct StoryRefusal {
    problems: Vec<Problem>,
    exit: Exit,
}

impl StoryRefusal {
    /// Prints each of them; the code to end with.
    pub(super) fn print(self, context: &mut Context, catalog: &Catalog) -> Exit {
        for problem in &self.problems {
            context.err(&format!("{}\n", catalog.problem(problem)));
        }
        self.exit
    }
}

impl StoryRefusal {
    /// With the mistakes of another part of the story; the exit code is that of the first.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.problems.extend(other.problems);
        self
    }

    /// A mistake in what a file names at `place`, where the mistake has no place of its own.
    pub(super) fn named_at(mut refusal: Refusal, place: Option<Location>) -> Self {
        refusal.problem.place = refusal.problem.place.or(place);
        refusal.into()
    }
}

impl From<Vec<Problem>> for StoryRefusal {
    fn from(mistakes: Vec<Problem>) -> Self {
        Self {
            problems: mistakes,
            exit: Exit::InvalidConfig,
        }
    }
}

impl From<Refusal> for StoryRefusal {
    fn from(refusal: Refusal) -> Self {
        Self {
            problems: vec![refusal.problem],
            exit: refusal.exit,
        }
    }
}
