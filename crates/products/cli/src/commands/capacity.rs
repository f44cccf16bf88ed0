//! `capacity`: the load a back end can carry, and three points of it.
//!
//! The test is any that `run` accepts, with the same flags ([`args`] takes its own out);
//! `session::steered` makes the load, `experiment` decides on it, `report` shows the answer.

mod args;
pub(super) mod hosts;
mod kept;
mod limit;
mod named;
mod near;
mod progress;
mod searched;
pub(super) mod table;
mod warming;
mod written;

use loadline_analysis::capacity::{SearchEnd, Unit};
use loadline_analysis::slo::{Statistic, Term};
use loadline_experiment::capacity::SearchSettings;
use loadline_record::ArrivalProcess;
use loadline_report::{arrivals, capacity as report};
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, Dialect, Exit, capacity, grouped, messages, percent, problem};
use loadline_units::duration::go_string;

use super::run::{self, Steerable};
use crate::context::Context;
use crate::launch::announcement::{self, AnnouncedTest};
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::problems;
use crate::launch::test_kind::Place;
use crate::live::{LiveMode, SearchScreen};
use crate::refusal::Refusal;
use crate::stored::written_report::ReportFormat;
use crate::terminal::keys::Keyboard;
pub(crate) use args::CapacityArgs;
use args::Parted;
pub(super) use named::NamedCapacity;
pub(super) use searched::{Asked, Found, SearchInterrupts, broken};
pub(super) use warming::{Warming, warm_up};
use written::export;

/// A capacity for which the precision is given before anything is known.
const EXAMPLE_CAPACITY: f64 = 200.0;

/// Searches as `args` say; gives the exit code.
pub(crate) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let folder = context.working_dir.clone();
    let place = Place {
        folder: &folder,
        is_k6: false,
    };
    let args = problems::with_negative_values(args.iter().cloned());
    match Parted::new(&args, place) {
        Ok(parted) => finish(context, |context| search(context, &parted)),
        Err(error) => super::usage(context, &error, &known_flags()),
    }
}

/// The flags of a search for a URL.
fn known_flags() -> KnownFlags {
    let [url, _] = run::own_commands();
    KnownFlags::of_search(&CapacityArgs::command(), &url)
}

impl CapacityArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let parted = Parted::plain(self);
        finish(context, |context| search(context, &parted))
    }
}

/// What is wrong with arguments of `capacity`, if anything is.
#[cfg(test)]
pub(crate) fn mistake_of(args: &[String]) -> Option<String> {
    let place = Place {
        folder: std::path::Path::new("."),
        is_k6: false,
    };
    match Parted::new(args, place) {
        Ok(parted) if parted.rest.is_empty() => None,
        Ok(parted) => run::mistake_of(&parted.rest),
        Err(error) => Some(error.to_string()),
    }
}

fn finish(context: &mut Context, run: impl FnOnce(&mut Context) -> Result<Exit, Refusal>) -> u8 {
    let exit = run(context).unwrap_or_else(|refusal| {
        let catalog = context.catalog(None);
        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
        refusal.exit
    });
    exit.code(Dialect::Loadline)
}

fn search(context: &mut Context, parted: &Parted) -> Result<Exit, Refusal> {
    let own = &parted.own;
    own.report.as_deref().map(ReportFormat::asked).transpose()?;
    if let Some(file) = &own.table {
        let catalog = context.catalog(None);
        return table::judge_and_print(context, own, file, &catalog);
    }
    if !parted.has_test {
        return Err(Refusal::config(problem::argument_missing("TEST")));
    }
    for path in own.export.iter().chain(&own.report) {
        run::check_writable(&context.working_dir.join(path), path)?;
    }
    if let Some(setting) = own.warmup {
        let test = run::steerable(context, &parted.rest, &known_flags())?;
        let asked = Warming {
            setting,
            scenario: own.scenario.clone(),
            interrupts: SearchInterrupts::watch()?,
        };
        if !warm_up(context, test, asked)? {
            return Ok(Exit::Interrupted);
        }
    }
    let mut exit = Exit::Success;
    for (place, spacing) in own.spacings()?.into_iter().enumerate() {
        let test = run::steerable(context, &parted.rest, &known_flags())?;
        let once_more = one_search(context, own, test, spacing, place)?;
        if exit == Exit::Success {
            exit = once_more;
        }
        if once_more == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}

/// One search with its starts spaced so; files are those of the first.
fn one_search(
    context: &mut Context,
    own: &CapacityArgs,
    mut test: Steerable,
    spacing: ArrivalSpacing,
    place: usize,
) -> Result<Exit, Refusal> {
    test.options.arrivals = Some(spacing);
    let catalog = context.catalog(test.lang);
    let mut settings = settings(own, &test, &catalog)?;
    let store = test.recording.store.as_deref();
    settings.near = own.former_line(context, settings.unit, store)?;
    let goal = own.goal(context, settings.unit, &catalog)?;
    if own.stop_at_goal {
        let needed = || Refusal::config(problem::option_needs("--stop-at-goal", "--goal, --plan"));
        settings.stop_at = Some(goal.ok_or_else(needed)?);
    }
    let hosts = hosts::named(&test.text, &test.variables);
    let is_url = test.facts.kind == URL;
    context.err(&before(own, &settings, &hosts, spacing, is_url, &catalog));
    let texts: Vec<&str> = std::iter::once(test.text.as_str())
        .chain(test.variables.iter().map(|(_, value)| value.as_str()))
        .collect();
    let announced = AnnouncedTest {
        name: &test.facts.name,
        plan: &test.test.plan,
        texts: &texts,
    };
    let notices = announcement::begin(context, &test.announce, &announced, &catalog)?;
    let unit = settings.unit;
    let asked = Asked {
        settings,
        goal,
        interrupts: SearchInterrupts::watch()?,
        screen: screen(context, &test.facts.name, test.live, test.quiet, &catalog),
        is_part: false,
    };
    let found = asked.run(context, test, &catalog)?;
    let facts = report::CapacityFacts {
        goal: found.goal,
        limit: found.target.limit.clone(),
        target: found.target.setup.clone(),
    };
    let exit = report::exit(&found.answer, &facts);
    context.out(&report::text(&found.answer, &facts, &catalog));
    let is_ended = found.answer.end == SearchEnd::Interrupted && found.answer.line.is_some();
    if let Some(run) = found.run.as_ref().filter(|_| is_ended) {
        context.out(&format!("{}\n", catalog.text(&capacity::go_on(run))));
    }
    if !found.failures.is_empty() {
        let said = capacity::failures(found.failures.join(", "));
        context.out(&format!("{}\n", catalog.text(&said)));
    }
    let is_judged = |term: &Term| term.statistic == Statistic::Checks;
    if let Some((failed, all)) = found.failed_checks
        && !found.answer.terms.iter().any(is_judged)
    {
        let said = capacity::failed_checks(grouped(failed as f64, 0), grouped(all as f64, 0));
        context.out(&format!("{}\n", catalog.text(&said)));
    }
    if unit == Unit::Rate {
        let said = catalog.text(&messages::row_arrivals());
        let line = arrivals::line(process(spacing), &catalog);
        context.out(&format!("{said}: {line}\n"));
    }
    if let Some(notices) = notices {
        notices.end(context, &report::verdict(&found.answer, &catalog), &catalog);
    }
    if place == 0 {
        export(context, own, &found, &facts, hosts, &catalog)?;
    }
    Ok(exit)
}

/// How starts are spaced, as a file has it; nothing of users in a loop.
fn arrivals_word(unit: Unit, spacing: Option<ArrivalSpacing>) -> Option<String> {
    let word = match spacing? {
        ArrivalSpacing::Even => "even",
        ArrivalSpacing::Poisson { .. } => "random",
    };
    (unit == Unit::Rate).then(|| word.to_owned())
}

const fn process(spacing: ArrivalSpacing) -> ArrivalProcess {
    match spacing {
        ArrivalSpacing::Even => ArrivalProcess::Even,
        ArrivalSpacing::Poisson { seed } => ArrivalProcess::Poisson { seed },
    }
}

/// What is searched for, from what was typed.
fn settings(
    own: &CapacityArgs,
    test: &Steerable,
    catalog: &Catalog,
) -> Result<SearchSettings, Refusal> {
    let terms = own.terms(catalog)?;
    let unit = own.unit.unwrap_or(args::UnitArg::Rate).unit();
    let most_users = own.max_vus.map_or(test.usual_users, u64::from);
    let usual = SearchSettings::new(terms);
    let highest = match unit {
        Unit::Rate => own
            .max_rate
            .map_or(usual.highest, |rate| rate.as_per_second()),
        Unit::Users => most_users as f64,
    };
    let seconds = |time: Option<std::time::Duration>, usual: f64| {
        time.map_or(usual, |time| time.as_secs_f64())
    };
    Ok(SearchSettings {
        unit,
        start_at: own.first_load(unit, highest, catalog)?,
        highest,
        most_users,
        budget: seconds(own.budget, usual.budget),
        precision: own
            .precision
            .map_or(usual.precision, |percent| percent / 100.0),
        confirm: seconds(own.confirm, usual.confirm),
        soak: if own.no_soak {
            0.0
        } else {
            seconds(own.soak, usual.soak)
        },
        scenario: own.scenario.clone(),
        own_ceiling: test.test.plan.max_requests_per_second.map(|rps| rps as f64),
        ..usual
    })
}

/// The kind of a test that sends requests to URLs: an iteration is one of them.
const URL: &str = "url";

/// What is said before the first request.
fn before(
    own: &CapacityArgs,
    settings: &SearchSettings,
    hosts: &[String],
    spacing: ArrivalSpacing,
    is_url: bool,
    catalog: &Catalog,
) -> String {
    let terms: Vec<String> = settings.terms.iter().map(ToString::to_string).collect();
    let terms = terms.join(", ");
    let load = |load: f64| report::load(load, settings.unit, catalog);
    let time =
        |seconds: f64| catalog.length(&go_string(std::time::Duration::from_secs_f64(seconds)));
    let mut lines = vec![if own.slo.is_empty() {
        capacity::before_slo_default(terms)
    } else {
        capacity::before_slo(terms)
    }];
    lines.push(match settings.unit {
        Unit::Rate => {
            let highest = grouped(settings.highest, 0);
            let users = grouped(settings.most_users as f64, 0);
            if is_url {
                capacity::before_requests(highest, users)
            } else {
                capacity::before_rate(highest, users)
            }
        }
        Unit::Users => capacity::before_users(grouped(settings.highest, 0)),
    });
    if settings.unit == Unit::Rate {
        lines.push(match spacing {
            ArrivalSpacing::Even => capacity::before_even(),
            ArrivalSpacing::Poisson { seed } => capacity::before_poisson(seed),
        });
    }
    if let Some((near, name)) = settings.near.zip(own.near.as_ref()) {
        lines.push(capacity::before_near(load(near), name));
    }
    if let Some(name) = &settings.scenario {
        lines.push(capacity::before_scenario(name));
    }
    lines.push(if hosts.is_empty() {
        capacity::before_hosts_unknown()
    } else {
        capacity::before_hosts(hosts.join(", "))
    });
    let example = EXAMPLE_CAPACITY.min(settings.highest);
    let reach = settings.reach(0.0);
    lines.push(if !is_url {
        // A level takes as long as its iterations, which nothing tells before the first of them ends.
        capacity::before_time_untold(time(settings.budget))
    } else if reach < example {
        let needed = time(settings.budget_for(example, 0.0));
        let about = report::about(reach, settings.unit, catalog);
        capacity::before_time_short(time(settings.budget), about, load(example), needed)
    } else {
        let precision = percent((settings.precision_bought(example) * 1000.0).round() / 1000.0);
        capacity::before_time(time(settings.budget), precision, load(example))
    });
    if settings.soak > 0.0 {
        lines.push(capacity::before_soak(time(settings.soak)));
    }
    let lines = lines.iter().map(|line| catalog.text(line) + "\n");
    lines.collect::<String>() + "\n"
}

/// The whole screen, where a person sits at a terminal and did not ask for lines.
fn screen(
    context: &Context,
    title: &str,
    mode: LiveMode,
    is_quiet: bool,
    catalog: &Catalog,
) -> Option<(SearchScreen, Keyboard)> {
    let is_wanted = mode == LiveMode::Screen && !is_quiet && context.is_interactive();
    let keyboard = is_wanted.then(Keyboard::of_stdin)?;
    let screen = SearchScreen::new(title, context.has_colors(), catalog.lang());
    keyboard.is_held.then_some((screen, keyboard))
}
