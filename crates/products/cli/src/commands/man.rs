//! `man`: the manual pages, made of the same words as `--help`.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use loadline_text::{Exit, problem};

use super::store_args::ended;
use super::whole;
use crate::context::Context;
use crate::refusal::Refusal;

/// Print the manual page of a command, or write all of them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline man | man -l -
  loadline man gate import
  loadline man --dir /usr/local/share/man/man1
")]
pub(crate) struct ManArgs {
    /// The command; none for the program
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    dir: Option<String>,
}

impl ManArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.print(context);
        ended(context, None, result)
    }

    fn print(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let program = whole::commands();
        if let Some(folder) = &self.dir {
            let folder = context.working_dir.join(folder);
            return written(program, &folder).map(|()| Exit::Success);
        }
        let mut command = program;
        let mut name = command.get_name().to_owned();
        for part in &self.command {
            let Some(inner) = command.find_subcommand(part) else {
                return Err(Refusal::config(problem::command_unknown(part)));
            };
            name = format!("{name}-{part}");
            command = inner.clone();
        }
        let mut page = Vec::new();
        let rendered = Man::new(
            command
                .name(name.clone())
                .version(env!("CARGO_PKG_VERSION")),
        )
        .render(&mut page);
        rendered.map_err(|error| Refusal::other(problem::write_failed("-", error.to_string())))?;
        context.out(&String::from_utf8_lossy(&page));
        Ok(Exit::Success)
    }
}

fn written(program: Command, folder: &Path) -> Result<(), Refusal> {
    let failed = |error: std::io::Error| {
        Refusal::config(problem::write_failed(folder.display(), error.to_string()))
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(program, folder).map_err(failed)
}
