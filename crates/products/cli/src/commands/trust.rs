//! `trust`: confirms what a `loadline.yaml` orders, for commands that nobody can answer, and whose code runs.

use std::path::{Path, PathBuf};

use loadline_text::{Exit, Lang, problem, testbed};

use super::store_args::ended;
use crate::code_trust::trusted_code;
use crate::context::Context;
use crate::found_project::{self, Found};
use crate::refusal::Refusal;

/// Confirm what loadline.yaml orders (commands, notices, variables that it reads), or a folder's code
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline trust              # of the file that holds in this folder; shows its orders
  loadline trust && loadline run test.js
  loadline trust /srv/tests/lib   # its code runs in tests of other folders, whoever owns it

A file that was changed is confirmed anew. One of another user, or one that others may write, gives
no orders. At a terminal, run asks by itself.

Code outside the test's folder (node_modules above, files imported by path) runs if it is yours,
root's or of whom the test file is.
")]
pub(crate) struct TrustArgs {
    /// A folder whose code runs, whoever owns it
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl TrustArgs {
    pub(crate) fn exec(&self, context: &mut Context) -> u8 {
        let result = match &self.folder {
            Some(folder) => self.trust_code(context, folder),
            None => self.trust(context),
        };
        ended(context, self.lang, result)
    }

    fn trust_code(&self, context: &mut Context, folder: &Path) -> Result<Exit, Refusal> {
        let place = context.working_dir.join(folder);
        if !place.exists() {
            return Err(Refusal::config(problem::file_missing(folder.display())));
        }
        let list = trusted_code(context);
        let list = list.ok_or_else(|| Refusal::config(problem::no_store()))?;
        let real = list
            .add(&place)
            .map_err(|error| Refusal::other(problem::write_failed(list.path().display(), error)))?;
        let text = context
            .catalog(self.lang)
            .text(&testbed::code_trusted(real.display()));
        context.out(&format!("{text}\n"));
        Ok(Exit::Success)
    }

    fn trust(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.lang);
        let found = found_project::find(context)?;
        let file = match found {
            None => return Err(Refusal::config(problem::project_absent())),
            Some(Found::Distrusted { path, reason }) => {
                let reason = catalog.text(&found_project::distrusted(&path, reason));
                return Err(Refusal::config(problem::project_distrusted(reason)));
            }
            Some(Found::Trusted(file)) => file,
        };
        let orders = file.project.orders();
        if orders.is_empty() {
            let text = catalog.text(&testbed::project_no_orders(file.path.display()));
            context.out(&format!("{text}\n"));
            return Ok(Exit::Success);
        }
        let list = found_project::trust_list(context);
        let list = list.ok_or_else(|| Refusal::config(problem::no_store()))?;
        list.add(&file.path, &file.text)
            .map_err(|error| Refusal::other(problem::write_failed("trusted-projects", error)))?;
        let text = testbed::project_trusted(file.path.display(), orders.join(", "));
        context.out(&format!("{}\n", catalog.text(&text)));
        Ok(Exit::Success)
    }
}
