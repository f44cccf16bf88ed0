//! Why a story cannot be told.

use loadline_text::{Catalog, Exit, Problem};

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
