//! `plan`: people to rates, users, settings and tests.

mod args;
mod history;
mod inputs_file;
mod written;

pub(crate) use args::PlanArgs;

use loadline_report::{history as history_report, plan as report};
use loadline_sizing::{InputError, LoadPlan, PlanInputs, SizingError};
use loadline_text::{Catalog, Dialect, Exit, Problem, problem, significant};

use crate::context::Context;
use crate::refusal::Refusal;
use history::LogForm;
use inputs_file::FileInput;

/// Everything wrong with what was typed.
enum PlanRefusal {
    /// Numbers that cannot be, and what the file says.
    Mistakes {
        mistakes: Vec<InputError>,
        of_file: Vec<FileInput>,
    },
    /// Anything else.
    Refused(Refusal),
}

impl From<Refusal> for PlanRefusal {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl PlanArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.plan(context, &catalog) {
            Ok(()) => Exit::Success,
            Err(PlanRefusal::Refused(refusal)) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
            Err(PlanRefusal::Mistakes { mistakes, of_file }) => {
                for mistake in mistakes {
                    let why = catalog.text(&mistake.why);
                    let problem = self.wrong_input(mistake, &of_file, why);
                    context.err(&format!("{}\n", catalog.problem(&problem)));
                }
                Exit::InvalidConfig
            }
        };
        exit.code(Dialect::Loadline)
    }

    /// What the file and the flags say.
    fn inputs(&self, context: &Context) -> Result<PlanInputs, PlanRefusal> {
        let of_file = match &self.from {
            Some(path) => inputs_file::read(context, path)?,
            None => Vec::new(),
        };
        let of_flags = self.numbers.given();
        let mut inputs = PlanInputs::default();
        let of_file_first = of_file
            .iter()
            .map(|input| (input.name.as_str(), input.text.as_str()));
        let flags = of_flags
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        inputs
            .read(of_file_first.chain(flags))
            .map_err(|mistakes| PlanRefusal::Mistakes { mistakes, of_file })?;
        Ok(inputs)
    }

    /// How a wrong value is told, by where it stands.
    fn wrong_input(&self, mistake: InputError, of_file: &[FileInput], why: String) -> Problem {
        let is_same = |name: &str, text: &str| mistake.name == name && mistake.value == text;
        let of_flags = self.numbers.given();
        let is_of_flag = of_flags.iter().any(|(name, text)| is_same(name, text));
        let mut in_file = of_file.iter();
        let in_file = in_file.find(|input| !is_of_flag && is_same(&input.name, &input.text));
        match (&self.from, in_file) {
            (Some(path), Some(input)) => {
                problem::plan_file_input(path, input.line, mistake.name, mistake.value, why)
            }
            _ => problem::plan_input(mistake.name, mistake.value, why),
        }
    }

    fn plan(&self, context: &mut Context, catalog: &Catalog) -> Result<(), PlanRefusal> {
        let mut inputs = self.inputs(context)?;
        let logs = match self.log.as_slice() {
            [] => None,
            files => {
                let form = LogForm {
                    format: self.log_format.as_deref(),
                    fields: self.log_fields.as_deref(),
                };
                Some(history::read(context, files, form, catalog)?)
            }
        };
        let (history, fields) = match logs {
            Some(logs) => (Some(logs.history), logs.fields),
            None => (None, None),
        };
        let mut samples = Vec::new();
        if let Some(history) = &history {
            if history.requests == 0 {
                let read = history_report::text(history, self.log.len(), catalog);
                context.out(&format!("{read}\n"));
                let files = self.log.join(", ");
                if let Some(names) = fields.filter(|_| self.log_fields.is_none()) {
                    return Err(Refusal::config(problem::log_columns(files, names)).into());
                }
                return Err(Refusal::config(problem::log_empty(files)).into());
            }
            samples = history::fill(&mut inputs, history);
        }
        let plan = match (LoadPlan::from_inputs(&inputs), &history) {
            (Ok(plan), _) => Some(plan),
            // What was read is shown although no rate came of it.
            (Err(SizingError::NothingToGoOn), Some(_)) => None,
            (Err(error), _) => return Err(Refusal::config(of_sizing(&error)).into()),
        };
        let text = if self.json {
            let mut whole = plan
                .as_ref()
                .map_or(serde_json::json!({}), |plan| report::json(plan, catalog));
            if let Some(history) = &history {
                whole["history"] = history_report::json(history);
            }
            format!("{whole:#}\n")
        } else {
            let of_history = history
                .as_ref()
                .map(|history| history_report::text(history, self.log.len(), catalog) + "\n");
            let of_plan = plan.as_ref().map(|plan| report::text(plan, catalog));
            of_history.unwrap_or_default() + &of_plan.unwrap_or_default()
        };
        // A wrong folder or kind is said before pages of figures.
        let mut said = match (&self.write, &plan) {
            (Some(write), Some(plan)) => {
                written::write(context, write, &self.target, plan, samples, catalog)?
            }
            (Some(_), None) => return Err(Refusal::config(problem::plan_no_rate()).into()),
            (None, _) => String::new(),
        };
        if let (Some(path), Some(history)) = (&self.write_mock, &history) {
            said += &history::write_mock(context, path, history, catalog)?;
        }
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
