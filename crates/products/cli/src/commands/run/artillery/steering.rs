//! An Artillery file for what steers its load itself: searches and preflights.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use loadline_artillery::model::ExpectFormat;
use loadline_artillery::{load, scenario_weights};
use loadline_session::answers::AnswerOptions;
use loadline_session::artillery::{ArtilleryRequest, prepare};
use loadline_session::{RunOptions, WarmUpSetting};
use loadline_text::{problem, shell_word};

use super::super::{Steerable, SteerableFacts};
use super::args::ArtilleryArgs;
use super::record::RecordedTest;
use super::{Stop, findings, request};
use crate::context::Context;
use crate::launch::observation;
use crate::live::LiveMode;
use crate::printer::Printer;
use crate::refusal::Refusal;

/// A scenario of a file.
pub(in crate::commands) struct NamedScenario {
    pub(in crate::commands) name: Option<String>,
    /// How often it is chosen beside the others.
    pub(in crate::commands) weight: f64,
}

/// The scenarios of a file, from the arguments of `run`.
pub(in crate::commands) fn scenarios(
    context: &mut Context,
    args: &[String],
) -> Result<Vec<NamedScenario>, Refusal> {
    let broken = || Refusal::config(problem::test_file(as_typed(args)));
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    let args = ArtilleryArgs::try_parse_from(words)
        .map_err(|error| Refusal::config(problem::usage(error)))?;
    let catalog = context.catalog(args.lang);
    let refused = |stop: Stop| match stop {
        Stop::Refused(refusal) => refusal,
        Stop::Code(_) => broken(),
    };
    let environment = args.environment_of(context).map_err(refused)?;
    let request = request(context, &args, &environment, None, &catalog).map_err(refused)?;
    let test = load::load(&request).test.ok_or_else(broken)?;
    let weights = scenario_weights(&test);
    let scenarios = test.script.scenarios.into_iter().zip(weights);
    let named = scenarios.map(|(scenario, weight)| NamedScenario {
        name: scenario.name,
        weight: weight as f64,
    });
    Ok(named.collect())
}

/// A file made ready to be steered, from the arguments of `run`.
pub(in crate::commands::run) fn steerable(
    context: &mut Context,
    args: &[String],
) -> Result<Steerable, Refusal> {
    let words = std::iter::once("loadline run".to_owned()).chain(args.iter().cloned());
    let args = ArtilleryArgs::try_parse_from(words)
        .map_err(|error| Refusal::config(problem::usage(error)))?;
    let catalog = context.catalog(args.lang);
    let names = args.files();
    let broken = || Refusal::config(problem::test_file(as_typed(&names)));
    let refused = |stop: Stop| match stop {
        Stop::Refused(refusal) => refusal,
        Stop::Code(_) => broken(),
    };
    args.check(&catalog).map_err(refused)?;
    let environment = args.environment_of(context).map_err(refused)?;
    let request = request(context, &args, &environment, None, &catalog).map_err(refused)?;
    let mut loaded = load::load(&request);
    context.err(&findings::text(&loaded, args.strict, &catalog));
    if loaded.is_broken(args.strict) {
        return Err(broken());
    }
    let mut test = loaded.test.take().ok_or_else(broken)?;
    // Thousands of expectations would bury the levels; those that failed are counted at the end.
    if let Some(expect) = &mut test.script.config.expect {
        expect.format = ExpectFormat::Silent;
    }
    context.trial_rows.go_on(&test)?;
    let folder = test.folder.clone();
    let recorded = RecordedTest::new(context, &args, &environment, None, None)?;
    let ready = prepare(ArtilleryRequest {
        test,
        only: args.scenario_name.clone(),
        environment,
        console: Arc::new(Printer::start(context)),
        wall_clock: context.wall_clock,
        watch: None,
    })
    .map_err(|error| Refusal::config(problem::usage(error)))?;
    context.trial_rows.follow(folder, ready.factory.clone());
    let hash = recorded
        .config
        .as_ref()
        .map(|config| config.about.hash.clone());
    let observe = observation::request(context, &recorded.flags.observe, &catalog)?;
    Ok(Steerable {
        test: ready.test,
        options: RunOptions {
            workers: args.threads,
            drain: Duration::ZERO,
            warm_up: WarmUpSetting::None,
            force: args.force,
            series: None,
            keep: recorded.config,
            arrivals: args.spacing()?,
            paused: false,
            outputs: None,
            observe,
            answers: AnswerOptions::default(),
        },
        recording: recorded.flags,
        announce: recorded.announce,
        facts: SteerableFacts {
            name: recorded.name,
            kind: "artillery",
            hash: hash.unwrap_or_default(),
        },
        text: match &args.target {
            Some(target) => target.clone(),
            None => recorded.texts.join("\n"),
        },
        variables: Vec::new(),
        quiet: args.quiet,
        live: LiveMode::default(),
        lang: args.lang,
        usual_users: 5_000,
        is_each_function: false,
    })
}

/// The words of a command as they can be pasted into a shell again.
fn as_typed<T: AsRef<str>>(words: &[T]) -> String {
    let words = words.iter().map(|word| shell_word(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}
