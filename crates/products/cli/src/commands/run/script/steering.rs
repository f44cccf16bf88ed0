//! Scripts that something else runs: a search, a look before a run.

use loadline_session::{RunOptions, Test, WarmUpSetting};
use loadline_text::Lang;

use super::super::{Steerable, SteerableFacts, SteeredParts};
use super::Script;
use super::stop::Stop;
use super::test_name;
use crate::context::Context;
use crate::launch::test_kind::TestLine;
use crate::launch::{observation, recording};
use crate::refusal::Refusal;

/// Loads a script without saying anything, for what comes before a run.
pub(in super::super) fn load_quietly(
    context: &mut Context,
    name: &str,
    env: &[String],
    lang: Option<Lang>,
) -> Result<Test, Refusal> {
    test_name::must_be_there(context, name, &context.catalog(lang))?;
    let mut args = vec![name.to_owned(), "--quiet".to_owned()];
    args.extend(env.iter().map(|pair| format!("--env={pair}")));
    args.extend(lang.map(|lang| format!("--lang={}", lang.tag())));
    let loaded = Script::read(context, &args).and_then(|script| script.prepare(context, None));
    let test = loaded.map_err(|stop| stop.into_refusal(name))?;
    Ok(test.test)
}

/// A script made ready to be steered, from the arguments of `run`; what of it is loaded, says `parts`.
pub(in super::super) fn steerable(
    context: &mut Context,
    args: &[String],
    line: &TestLine,
    parts: SteeredParts,
) -> Result<Steerable, Refusal> {
    // Behind a flag that nobody knows, no word is surely the test.
    let named = if line.is_understood {
        line.test.as_ref()
    } else {
        args.first()
    };
    let name = named.cloned().unwrap_or_default();
    if named.is_some() {
        let catalog = context.catalog(line.last("lang").and_then(Lang::of_tag));
        test_name::must_be_there(context, &name, &catalog)?;
    }
    let quiet = line.has("quiet");
    let mut args = args.to_vec();
    if !quiet {
        args.insert(0, "--quiet".to_owned());
    }
    let refused = |stop: Stop| stop.into_refusal(&name);
    let mut script = Script::read(context, &args).map_err(refused)?;
    script.each_function = parts == SteeredParts::Functions;
    let mut ready = script.prepare(context, None).map_err(refused)?;
    // The search has a summary of its own.
    ready.test.summarizer = None;
    let env = &script.runtime.script_env;
    let read = recording::variables_read(&ready.source.text);
    let variables = read.filter_map(|name| Some((name.to_owned(), env.get(name)?.clone())));
    let variables = variables.collect();
    let observe = observation::request(context, &script.flags.recording.observe, &script.catalog)?;
    Ok(Steerable {
        options: RunOptions {
            keep: script.recorder_config(context, &ready)?,
            observe,
            warm_up: WarmUpSetting::None,
            ..script.flags.options.clone()
        },
        recording: script.flags.recording.clone(),
        announce: script.flags.announce.clone(),
        facts: SteerableFacts {
            name: script.name.clone(),
            kind: "k6",
            hash: ready.source.hash.clone(),
        },
        text: ready.source.text.clone(),
        variables,
        is_each_function: ready.is_each_function,
        test: ready.test,
        quiet,
        live: script.flags.live,
        lang: script.parsed.given.last("lang").and_then(Lang::of_tag),
        usual_users: 2_000,
    })
}
