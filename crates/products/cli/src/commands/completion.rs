//! `completion SHELL`, and what its script asks at each Tab: commands, every flag, values, stored runs and their tags.
//!
//! The script is short and stays as it is: it starts the program again with [`ASKED`] set, and what is completed is
//! read from the commands themselves.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Command;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use loadline_store::Store;
use loadline_text::{Dialect, Exit, Lang, messages};

use super::whole;
use crate::context::Context;
use crate::help;
use crate::stored::{now_ms, store_path};

/// The variable that a shell's script sets, to the shell's name.
const ASKED: &str = "LOADLINE_COMPLETE";
/// Runs that are offered, the latest first.
const RUNS_MAX: usize = 100;
/// Arguments that are stored runs, by their ids.
const RUN_IDS: [&str; 5] = ["run", "runs", "a", "b", "baseline"];

/// Prints the script for a shell.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let name = program_name(context);
    let shells = Shells::builtins();
    let shell = args.first().and_then(|shell| shells.completer(shell));
    let mut script = Vec::new();
    let written = shell.map(|shell| shell.write_registration(ASKED, name, name, name, &mut script));
    match written {
        Some(Ok(())) => {
            context.out(&String::from_utf8_lossy(&script));
            Exit::Success.code(Dialect::K6)
        }
        Some(Err(error)) => {
            context.err(&format!("{error}\n"));
            Exit::Other.code(Dialect::Loadline)
        }
        None => {
            let text = context.catalog(None).text(&messages::completion_shells());
            context.err(&format!("{text}\n"));
            Exit::InvalidConfig.code(Dialect::Loadline)
        }
    }
}

/// Answers a shell that asks how a command line goes on; `None` where none asks.
pub(super) fn answered(context: &mut Context) -> Option<u8> {
    context.env.get(ASKED)?;
    let words = std::iter::once(&context.program).chain(&context.args);
    let words: Vec<OsString> = words.map(OsString::from).collect();
    let env = CompleteEnv::with_factory(|| completed(context)).var(ASKED);
    let answer = env.try_complete(words, Some(&context.working_dir));
    Some(match answer {
        Ok(_) => Exit::Success.code(Dialect::Loadline),
        Err(error) => {
            context.err(&error.render().to_string());
            Exit::InvalidConfig.code(Dialect::Loadline)
        }
    })
}

fn program_name(context: &Context) -> &'static str {
    if context.is_k6() { "k6" } else { "loadline" }
}

/// What is completed, in the reader's language.
fn completed(context: &Context) -> Command {
    let lang = context.catalog(None).lang();
    if context.is_k6() {
        return localized(whole::k6_commands(), lang);
    }
    let shells: Vec<&'static str> = Shells::builtins().names().collect();
    let program = whole::commands().mut_subcommand("completion", |completion| {
        completion.mut_arg("rest", |arg| arg.value_parser(shells))
    });
    let runs = RunNames {
        store: store_path(context, None),
        now_ms: now_ms(context),
    };
    localized(with_runs(program, &runs), lang)
}

/// Where names of runs are read.
#[derive(Clone)]
struct RunNames {
    store: Option<PathBuf>,
    now_ms: i64,
}

impl RunNames {
    /// Names and tags of the latest runs. A store that cannot be read has none: a Tab prints no errors.
    fn candidates(&self) -> Vec<CompletionCandidate> {
        let rows = self
            .store
            .as_deref()
            .and_then(|path| Store::open(path).ok())
            .and_then(|store| store.runs(self.now_ms).ok())
            .unwrap_or_default();
        let mut tags = BTreeSet::new();
        let mut named = vec![CompletionCandidate::new("latest")];
        for row in rows.iter().take(RUNS_MAX) {
            tags.extend(row.tags.iter().cloned());
            let about = [row.test.as_str(), row.note.as_str()].join(" ");
            let help = about.trim().to_owned();
            named.push(CompletionCandidate::new(&row.name).help(Some(help.into())));
        }
        named.extend(tags.into_iter().map(CompletionCandidate::new));
        named
    }
}

/// Arguments that are stored runs offer them.
fn with_runs(command: Command, names: &RunNames) -> Command {
    let is_test = ["run", "capacity", "matrix", "archive", "inspect"].contains(&command.get_name());
    let command = command.mut_args(|arg| {
        if is_test || !RUN_IDS.contains(&arg.get_id().as_str()) {
            return arg;
        }
        let names = names.clone();
        arg.add(ArgValueCandidates::new(move || names.candidates()))
    });
    command.mut_subcommands(|inner| with_runs(inner, names))
}

/// What flags and commands do, in the reader's language.
fn localized(command: Command, lang: Lang) -> Command {
    let about = command
        .get_about()
        .map(|about| help::text(&about.to_string(), lang));
    command
        .about(about.unwrap_or_default())
        .mut_args(|arg| {
            let what = arg
                .get_help()
                .map(|what| help::text(&what.to_string(), lang));
            arg.help(what.unwrap_or_default())
        })
        .mut_subcommands(|inner| localized(inner, lang))
}
