//! `plan`: people to rates, users, settings and tests.

mod args;
mod inputs_file;
mod written;

pub(crate) use args::PlanArgs;

use loadline_report::plan as report;
use loadline_sizing::{Inputs, LoadPlan, Mistake, SizingError};
use loadline_text::{Catalog, Dialect, Exit, Problem, problem, significant};

use super::run::problems::Refusal;
use crate::context::Context;

/// Everything wrong with what was typed.
enum Stop {
    /// Numbers that cannot be.
    Mistakes(Vec<Mistake>),
    /// Anything else.
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl PlanArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.plan(context, &catalog) {
            Ok(()) => Exit::Success,
            Err(Stop::Refused(refusal)) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
            Err(Stop::Mistakes(mistakes)) => {
                for mistake in mistakes {
                    let why = catalog.text(&mistake.why);
                    let problem = problem::plan_input(mistake.name, mistake.value, why);
                    context.err(&format!("{}\n", catalog.problem(&problem)));
                }
                Exit::InvalidConfig
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn plan(&self, context: &mut Context, catalog: &Catalog) -> Result<(), Stop> {
        let mut given = match &self.from {
            Some(path) => inputs_file::read(context, path)?,
            None => Vec::new(),
        };
        given.extend(self.numbers.given());
        let mut inputs = Inputs::default();
        let pairs = given.iter();
        inputs
            .read(pairs.map(|(name, text)| (name.as_str(), text.as_str())))
            .map_err(Stop::Mistakes)?;
        let plan = LoadPlan::of(&inputs).map_err(|error| Refusal::config(of_sizing(&error)))?;
        let text = if self.json {
            report::json(&plan, catalog)
        } else {
            report::text(&plan, catalog)
        };
        // A wrong folder or kind is said before pages of figures.
        let said = match &self.write {
            Some(write) => written::write(context, write, &self.target, &plan, catalog)?,
            None => String::new(),
        };
        context.out(&text);
        if self.json {
            context.err(&said);
        } else {
            context.out(&said);
        }
        Ok(())
    }
}

/// Why no plan can be made, as people read it.
fn of_sizing(error: &SizingError) -> Problem {
    match error {
        SizingError::NothingToGoOn => problem::plan_nothing(),
        SizingError::Missing { input, beside } => problem::plan_missing(input, beside),
        SizingError::RateTooLarge { rate } => {
            problem::plan_rate(format!("{}/s", significant(*rate)))
        }
    }
}
