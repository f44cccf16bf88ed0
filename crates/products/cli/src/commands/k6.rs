//! The commands of k6 other than `run`, `archive` and `inspect`, and the program under the name `k6`.
//!
//! Under that name it answers in k6's words; what exists for k6's cloud is refused with the
//! reason.

use loadline_k6::deps::{ScriptImports, dependencies};
use loadline_k6::log::{Entry, LogLevel};
use loadline_k6_options::{K6Feature, K6Version};
use loadline_text::{Catalog, Dialect, Exit, Message, messages};
use serde_json::json;

use super::run::PassedOn;
use super::{completion, new};
use crate::context::Context;
use crate::web_modules::remote_modules;

/// Makes a sentence.
type Wording = fn() -> Message;

/// Commands that k6 had and that are gone since version 2, with what to use instead.
const REMOVED: [(&str, Wording); 5] = [
    ("login", messages::command_login_removed),
    ("pause", messages::command_control_removed),
    ("resume", messages::command_control_removed),
    ("scale", messages::command_control_removed),
    ("status", messages::command_control_removed),
];

/// What `k6` does with its arguments; `None` for `run`, `archive` and `inspect`.
pub(super) fn dispatch(context: &mut Context) -> Option<u8> {
    let args = context.args.clone();
    let Some((command, rest)) = args.split_first() else {
        return Some(help(context));
    };
    let asks_help = rest.iter().any(|arg| arg == "--help" || arg == "-h");
    Some(match command.as_str() {
        "run" | "archive" | "inspect" => return None,
        "help" | "--help" | "-h" => help(context),
        "version" | "--version" => version(context, rest),
        "new" => new::exec_as_k6(context, rest),
        "deps" | "features" | "x" | "completion" | "cloud" if asks_help => help(context),
        "deps" => deps(context, rest),
        "features" => features(context, rest),
        "completion" => completion::exec(context, rest),
        "x" => extensions(context, rest),
        "cloud" => refuse(context, &messages::cloud_refused()),
        "stats" => refuse(context, &messages::stats_refused()),
        other => unknown(context, other),
    })
}

const HELP: &str = "\
k6 v2.2 as loadline has it: runs k6's scripts.

Usage:
  k6 [command]

Core Commands:
  new         Create a test
  run         Run a test

Additional Commands:
  archive     Create an archive
  completion  Generate the autocompletion script for the specified shell
  deps        Resolve and list the dependencies of a test
  features    List available feature flags
  inspect     Inspect a script or archive
  version     Show version information
  x           Extension subcommands

Examples:
  $ k6 new test.js
  $ k6 run test.js

Not here: cloud (needs an account elsewhere), stats (GET /v1/metrics of --address does it).
";

fn help(context: &mut Context) -> u8 {
    context.out(HELP);
    Exit::Success.code(Dialect::K6)
}

fn version(context: &mut Context, args: &[String]) -> u8 {
    let (number, own) = (K6Version::default().number(), env!("CARGO_PKG_VERSION"));
    if args.iter().any(|arg| arg == "--json") {
        let version = json!({ "loadline": own, "version": number });
        context.out(&format!("{version}\n"));
    } else {
        let (os, arch) = (std::env::consts::OS, go_arch());
        context.out(&format!("k6 v{number} (loadline v{own}, {os}/{arch})\n"));
    }
    Exit::Success.code(Dialect::K6)
}

/// The machine's architecture as Go names it.
fn go_arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

fn unknown(context: &mut Context, command: &str) -> u8 {
    let text = format!("unknown command {command:?} for \"k6\"");
    log(context, LogLevel::Error, &text);
    if let Some((_, instead)) = REMOVED.iter().find(|(name, _)| *name == command) {
        let catalog = context.catalog(None);
        context.err(&format!("loadline: {}\n", catalog.text(&instead())));
    }
    Exit::Other.code(Dialect::K6)
}

fn refuse(context: &mut Context, why: &Message) -> u8 {
    let text = context.catalog(None).text(why);
    log(context, LogLevel::Error, &text);
    Exit::Other.code(Dialect::K6)
}

/// A line of k6's log.
fn log(context: &mut Context, level: LogLevel, text: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    context.err(&Entry::new(level, text).text_line(&time.to_string()));
}

/// `k6 x`: there are no subcommands of extensions.
fn extensions(context: &mut Context, args: &[String]) -> u8 {
    let catalog = context.catalog(None);
    match args.first() {
        None => {
            let text = catalog.text(&messages::extensions_listed());
            context.out(&format!("{text}\n"));
            Exit::Success.code(Dialect::K6)
        }
        Some(name) => refuse(context, &messages::extension_refused(name)),
    }
}

/// `features`, with `--json` as JSON.
pub(super) fn features(context: &mut Context, args: &[String]) -> u8 {
    if args.iter().any(|arg| arg == "--json") {
        let listed = K6Feature::ALL.map(|feature| {
            json!({
                "feature": feature.name(),
                "lifecycle": "Experimental",
                "description": feature.description(),
            })
        });
        let text = serde_json::to_string_pretty(&listed).unwrap_or_default();
        context.out(&format!("{text}\n"));
        return Exit::Success.code(Dialect::K6);
    }
    let mut text = format!("{:20}{:15}DESCRIPTION\n", "FEATURE", "LIFECYCLE");
    for feature in K6Feature::ALL {
        let (name, description) = (feature.name(), feature.description());
        text.push_str(&format!("{name:20}{:15}{description}\n", "Experimental"));
    }
    context.out(&text);
    Exit::Success.code(Dialect::K6)
}

/// `deps SCRIPT`, with `--json` as JSON.
pub(super) fn deps(context: &mut Context, args: &[String]) -> u8 {
    let catalog = context.catalog(None);
    let is_offline = args.iter().any(|arg| arg == "--offline");
    let mut scripts = args.iter().filter(|arg| !arg.starts_with("--"));
    let found = match (scripts.next(), scripts.next()) {
        (Some(script), None) => found_in(context, script, is_offline, &catalog),
        (first, _) => Err(format!(
            "accepts 1 arg(s), received {}: arg should either be \"-\", if reading script from stdin, or a path to a script file",
            first.map_or(0, |_| 2)
        )),
    };
    match found {
        Ok(found) => {
            let text = if args.iter().any(|arg| arg == "--json") {
                listed_as_json(&found)
            } else {
                listed(&found)
            };
            context.out(&text);
            Exit::Success.code(Dialect::K6)
        }
        Err(text) => {
            log(context, LogLevel::Error, &text);
            Exit::Other.code(Dialect::K6)
        }
    }
}

fn found_in(
    context: &mut Context,
    script: &str,
    is_offline: bool,
    catalog: &Catalog,
) -> Result<ScriptImports, String> {
    let modules = remote_modules(context, catalog, is_offline)?;
    dependencies(script, &context.working_dir, modules).map_err(|error| error.to_string())
}

fn listed(found: &ScriptImports) -> String {
    let mut text = "Build Dependencies:\n".to_owned();
    for (name, versions) in &found.build {
        text.push_str(&format!("  {name}: {versions}\n"));
    }
    text.push_str("\nImports:\n");
    for import in &found.imports {
        text.push_str(&format!("  {import}\n"));
    }
    let needed = found.extensions().next().is_some();
    let needed = if needed { "yes" } else { "no" };
    text + &format!("\nCustom Build Required: {needed}\n")
}

fn listed_as_json(found: &ScriptImports) -> String {
    let value = json!({
        "buildDependencies": found.build,
        "imports": found.imports,
        "customBuildRequired": found.extensions().next().is_some(),
    });
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// `deps`, `features` or `completion` under loadline's own name.
pub(super) fn own(
    context: &mut Context,
    exec: fn(&mut Context, &[String]) -> u8,
    passed: &PassedOn,
) -> u8 {
    exec(context, &passed.rest)
}
