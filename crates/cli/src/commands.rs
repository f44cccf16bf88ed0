//! Which subcommand was meant.

mod run;

use clap::{Parser, Subcommand};

use crate::context::Context;
use crate::exit::Exit;

/// Finds the load a back end can safely carry, says why the limit lies there, and holds
/// real traffic at it.
#[derive(Debug, Parser)]
#[command(name = "loadline", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a k6 script or send load to a URL, live, and judge it
    Run(run::RunArgs),
}

pub(crate) fn dispatch(context: &mut Context) -> Exit {
    let args = std::iter::once("loadline".to_owned()).chain(context.args.clone());
    match Cli::try_parse_from(args) {
        Ok(Cli {
            command: Command::Run(args),
        }) => args.exec(context),
        Err(error) => usage(context, &error),
    }
}

/// Help goes to standard output and is no error; a wrong command line is.
fn usage(context: &mut Context, error: &clap::Error) -> Exit {
    if error.use_stderr() {
        context.err(&error.render().to_string());
        Exit::Usage
    } else {
        context.out(&error.render().to_string());
        Exit::Success
    }
}
