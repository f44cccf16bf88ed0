//! The `loadline` command.
//!
//! One file per subcommand under `commands`; everything that touches the terminal, the
//! environment or the process is in `context`. What a command does is a library call.

mod code_trust;
mod commands;
mod context;
mod control_folder;
#[cfg(feature = "fault-injection")]
mod fault;
mod found_project;
mod held;
mod help;
mod language;
mod launch;
mod listening;
mod live;
mod log;
mod measured;
mod output_notice;
mod page_secret;
mod printer;
mod project;
mod refusal;
mod remote;
mod signals;
mod stored;
mod terminal;
mod trial_rows;
mod typed_numbers;
mod typed_shares;
mod web_modules;
mod zone;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut context = context::Context::of_process();
    let code = commands::dispatch(&mut context);
    ExitCode::from(context.ended(code))
}
