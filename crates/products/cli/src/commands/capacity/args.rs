//! The flags of `capacity`, taken out of those of `run`.

use std::time::Duration;

use clap::{Args, FromArgMatches};
use loadline_analysis::capacity::{Answer, Step, Unit};
use loadline_analysis::slo::Term;
use loadline_experiment::capacity::Goal;
use loadline_report::capacity::table::TableGoal;
use loadline_session::WarmUpSetting;
use loadline_sizing::PlanFile;
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, arguments, problem};
use loadline_units::Rate;

use super::super::run;
use crate::context::Context;
use crate::launch::launch_flags::{Arrivals, typed_warm_up};
use crate::launch::problems::RefusedValue;
use crate::launch::test_kind::{FlagTable, Place};
use crate::refusal::Refusal;
use crate::typed_numbers::{duration, positive_duration, rate};
use crate::typed_shares::percentage;

/// Find the load a back end can carry: capacity under an objective, knee, peak
#[derive(Debug, Clone, Default, clap::Args)]
#[command(
    override_usage = "loadline capacity <TEST> --slo TERM... [OPTIONS] [OPTIONS OF RUN]\n       loadline capacity --table FILE.csv --slo TERM...",
    after_help = "\
Examples:
  loadline capacity http://127.0.0.1:8080/pooled --slo 'p(95)<500ms' --slo 'errors<1%'
  loadline capacity script.js -e BASE=http://10.0.0.5:8080 --slo 'p(95){endpoint:/orders}<300ms' --goal 100/s
  loadline capacity test.yml --slo 'mean<100ms' --unit vus --max-vus 400
  loadline capacity script.js --slo 'p(95)<800ms' --export gate.json --report capacity.html
  loadline capacity script.js --slo 'p(95)<800ms' --start-at 200/s --max-rate 2000/s
  loadline capacity script.js --slo 'p(95)<800ms' --near latest --budget 90s
  loadline capacity --table measured.csv --slo 'mean<=100ms'

A term is p(N), mean, max, errors or checks, an operator and a limit; {endpoint:..}, {scenario:..} or
{group:..} after it asks for a part. All flags of run hold for the test; its stages are replaced."
)]
pub(crate) struct CapacityArgs {
    /// The test: a k6 script, an Artillery file or a URL
    #[arg(value_name = "TEST")]
    pub(super) test: Vec<String>,
    /// A term of the objective, repeatable: 'p(95)<500ms' [default: errors<1%]
    #[arg(long, value_name = "TERM", allow_hyphen_values = true)]
    pub(super) slo: Vec<String>,
    /// In what load is counted [default: rate]
    #[arg(long, value_enum, value_name = "UNIT")]
    pub(super) unit: Option<UnitArg>,
    /// The highest rate, iterations per second [default: 10000/s]
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true)]
    pub(super) max_rate: Option<Rate>,
    /// The first load after the baseline, at least 2/s or 2 users; from there it is doubled [default: 2/s or 2 users]
    #[arg(long, value_name = "LOAD")]
    pub(super) start_at: Option<String>,
    /// Look first beside the line of a former search: its run (number, name, tag, latest), or its file of --export
    #[arg(long, value_name = "RUN|FILE", conflicts_with = "start_at")]
    pub(super) near: Option<String>,
    /// Virtual users at most [default: 10000 for a URL, 2000 for a script]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_vus: Option<u32>,
    /// How long the search may take; --soak comes on top [default: 10m]
    #[arg(long, value_parser = positive_duration, value_name = "TIME")]
    pub(super) budget: Option<Duration>,
    /// How near the line it is closed in on, percent [default: 2.5]
    #[arg(long, value_parser = precision, value_name = "PERCENT")]
    pub(super) precision: Option<f64>,
    /// How long the line is held to be sure of it [default: 75s]
    #[arg(long, value_parser = positive_duration, value_name = "TIME")]
    pub(super) confirm: Option<Duration>,
    /// How long 85 % of the line are held in the end [default: 2m]
    #[arg(long, value_parser = duration, value_name = "TIME")]
    pub(super) soak: Option<Duration>,
    /// Hold nothing in the end
    #[arg(long, conflicts_with = "soak")]
    pub(super) no_soak: bool,
    /// Warm the target up first, with 2 users in a loop, for so long or until it gets no faster: 30s, auto
    #[arg(long, value_parser = typed_warm_up, value_name = "TIME|auto")]
    pub(super) warmup: Option<WarmUpSetting>,
    /// How starts are spaced: at random as people come, evenly, or one search after the other
    /// [default: poisson]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) arrivals: Option<ArrivalsArg>,
    /// Seed of random starts [default: another each time]
    #[arg(long, value_name = "N")]
    pub(super) arrivals_seed: Option<u32>,
    /// Load this scenario only
    #[arg(long, value_name = "NAME")]
    pub(super) scenario: Option<String>,
    /// The load that is needed: iterations per second, or virtual users
    #[arg(long, value_name = "LOAD", conflicts_with = "plan")]
    pub(super) goal: Option<String>,
    /// End the search as soon as the load that is needed is confirmed
    #[arg(long)]
    pub(super) stop_at_goal: bool,
    /// Take the load that is needed from a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<String>,
    /// Write the answer as JSON, for the waiting room and for compare --capacity
    #[arg(long, value_name = "FILE")]
    pub(super) export: Option<String>,
    /// Write the answer as one HTML page with its curve, or as the file ends: .json, .md, .xml
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<String>,
    /// Judge a table of virtual users, TPS and latency measured elsewhere (CSV)
    #[arg(long, value_name = "FILE")]
    pub(super) table: Option<String>,
    /// Think time of the users of the table, for Little's law
    #[arg(long, value_parser = duration, value_name = "TIME", requires = "table")]
    pub(super) think: Option<Duration>,
}

/// What load is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum UnitArg {
    /// Iterations per second
    Rate,
    /// Virtual users
    Vus,
}

impl UnitArg {
    pub(super) const fn unit(self) -> Unit {
        match self {
            Self::Rate => Unit::Rate,
            Self::Vus => Unit::Users,
        }
    }
}

/// How starts are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ArrivalsArg {
    /// At random, as people come
    #[default]
    Poisson,
    /// At equal distances
    Even,
    /// At random, and then evenly
    Both,
}

impl CapacityArgs {
    /// Its own flags, without those of a test.
    pub(in crate::commands) fn command() -> clap::Command {
        Self::augment_args(clap::Command::new("loadline capacity"))
    }

    /// The searches to make: how starts are spaced in each.
    ///
    /// # Errors
    /// Evenly spaced starts have no seed.
    pub(super) fn spacings(&self) -> Result<Vec<ArrivalSpacing>, Refusal> {
        let random = Arrivals::Poisson.spacing(self.arrivals_seed);
        match self.arrivals.unwrap_or_default() {
            ArrivalsArg::Poisson => Ok(vec![random]),
            ArrivalsArg::Both => Ok(vec![random, ArrivalSpacing::Even]),
            ArrivalsArg::Even if self.arrivals_seed.is_some() => Err(Refusal::config(
                problem::option_conflict("--arrivals even", "--arrivals-seed"),
            )),
            ArrivalsArg::Even => Ok(vec![ArrivalSpacing::Even]),
        }
    }
}

/// What was typed, in two parts.
#[derive(Debug)]
pub(super) struct Parted {
    pub(super) own: CapacityArgs,
    /// For `run`: the test and its flags.
    pub(super) rest: Vec<String>,
    /// A test is named among them.
    pub(super) has_test: bool,
}

impl Parted {
    /// Takes the flags of ours out of what was typed; `place` is where the test is.
    pub(super) fn new(args: &[String], place: Place<'_>) -> Result<Self, clap::Error> {
        let command = CapacityArgs::command();
        let dialects = run::dialects();
        let table = FlagTable::from_command(&command);
        // Whose test it is says which further flags take a value, that may look like a flag of ours.
        let guessed = table.part(args, &FlagTable::default());
        let kind = dialects.read(&guessed.others, place).kind;
        let parted = table.part(args, dialects.table(kind));
        let own = std::iter::once("loadline capacity".to_owned()).chain(parted.own);
        let matches = command.try_get_matches_from(own)?;
        let has_test = dialects.read(&parted.others, place).test.is_some();
        Ok(Self {
            own: CapacityArgs::from_arg_matches(&matches)?,
            rest: parted.others,
            has_test,
        })
    }

    /// Only flags of ours were typed.
    pub(super) fn plain(own: CapacityArgs) -> Self {
        Self {
            rest: own.test.clone(),
            has_test: !own.test.is_empty(),
            own,
        }
    }
}

fn precision(text: &str) -> Result<f64, RefusedValue> {
    let percent = percentage(text)?;
    let usable = Some(percent).filter(|percent| (0.5..=50.0).contains(percent));
    usable.ok_or_else(|| RefusedValue(arguments::outside_shares("0.5%", "50%")))
}

/// A goal in the unit of the search.
pub(super) fn goal_of(goal: Goal, answer: &Answer) -> f64 {
    let each = answer.line_step().map(Step::requests_per_iteration);
    goal.load(each.unwrap_or(1.0))
}

impl CapacityArgs {
    /// The objective.
    pub(super) fn terms(&self, catalog: &Catalog) -> Result<Vec<Term>, Refusal> {
        if self.slo.is_empty() {
            return Ok(vec![Term {
                statistic: loadline_analysis::slo::Statistic::Errors,
                scope: Vec::new(),
                inclusive: false,
                limit: 0.01,
            }]);
        }
        let terms = self.slo.iter().map(|text| {
            text.parse::<Term>()
                .map_err(|error| Refusal::goal("--slo", text, &error, catalog))
        });
        terms.collect()
    }

    /// The load that is needed, if it was said.
    pub(super) fn goal(
        &self,
        context: &Context,
        unit: Unit,
        catalog: &Catalog,
    ) -> Result<Option<Goal>, Refusal> {
        if let Some(path) = &self.plan {
            let plan = read_plan(context, path)?;
            return Ok(Some(match unit {
                Unit::Rate => Goal::Requests(plan.peak_rate),
                Unit::Users => Goal::Load(plan.peak_users),
            }));
        }
        let goal = self.goal.as_deref();
        let load = goal.map(|text| load_of("--goal", text, unit, catalog));
        Ok(load.transpose()?.map(Goal::Load))
    }

    /// The same of a table, whose rows have users and requests per second: `15`, or `100/s`.
    pub(super) fn goal_of_table(
        &self,
        context: &Context,
        catalog: &Catalog,
    ) -> Result<Option<TableGoal>, Refusal> {
        let of_rate = self.goal.as_deref().filter(|text| text.contains('/'));
        if let Some(text) = of_rate {
            let rate = load_of("--goal", text, Unit::Rate, catalog)?;
            return Ok(Some(TableGoal::Requests(rate)));
        }
        Ok(match self.goal(context, Unit::Users, catalog)? {
            Some(Goal::Load(users)) => Some(TableGoal::Users(users)),
            Some(Goal::Requests(rate)) => Some(TableGoal::Requests(rate)),
            None => None,
        })
    }

    /// The first load of the climb, if it was said.
    pub(super) fn first_load(
        &self,
        unit: Unit,
        highest: f64,
        catalog: &Catalog,
    ) -> Result<Option<f64>, Refusal> {
        let Some(text) = &self.start_at else {
            return Ok(None);
        };
        let load = load_of("--start-at", text, unit, catalog)?;
        if load <= highest {
            return Ok(Some(load));
        }
        let most = match unit {
            Unit::Rate => format!("--max-rate {highest}/s"),
            Unit::Users => format!("--max-vus {highest}"),
        };
        let why = catalog.text(&arguments::above_option(&most));
        let expected = catalog.text(&arguments::expected_at_most(&most));
        let refused = problem::option_refused("--start-at", text, why, expected);
        Err(Refusal::config(refused))
    }
}

/// A load that was typed, in the unit of the search.
fn load_of(flag: &str, text: &str, unit: Unit, catalog: &Catalog) -> Result<f64, Refusal> {
    let (read, expected) = match unit {
        Unit::Rate => {
            let rate = text.parse::<Rate>().ok().map(Rate::as_per_second);
            (rate, arguments::expected_rate())
        }
        Unit::Users => {
            let users = text.parse::<u32>().ok().map(f64::from);
            (users, arguments::expected_users())
        }
    };
    read.filter(|load| *load > 0.0)
        .ok_or_else(|| Refusal::flag(flag, text, &expected, catalog))
}

fn read_plan(context: &Context, path: &str) -> Result<PlanFile, Refusal> {
    let text = context
        .read_text(path)
        .map_err(|error| Refusal::unread(path, &error))?;
    PlanFile::parse(&text).map_err(|error| Refusal::config(problem::plan_file(path, error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(line: &str) -> Parted {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let place = Place {
            folder: std::path::Path::new("."),
            is_k6: false,
        };
        Parted::new(&args, place).unwrap()
    }

    #[test]
    fn flags_of_the_search_are_parted_from_those_of_the_test() {
        let both = parted("http://h/ -H A:b --slo p(95)<500ms --max-vus=50 --insecure --no-soak");
        assert_eq!(both.rest, ["http://h/", "-H", "A:b", "--insecure"]);
        assert_eq!(both.own.slo, ["p(95)<500ms"]);
        assert_eq!(both.own.max_vus, Some(50));
        assert!(both.own.no_soak);
    }

    #[test]
    fn a_value_of_the_tests_flag_is_none_of_the_search() {
        let both = parted("http://h/ -b --slo --slo p(95)<500ms");
        assert_eq!(both.rest, ["http://h/", "-b", "--slo"]);
        assert_eq!(both.own.slo, ["p(95)<500ms"]);
        let both = parted("test.js --note --no-soak");
        assert_eq!(both.rest, ["test.js", "--note", "--no-soak"]);
        assert!(!both.own.no_soak);
    }
}
