//! `trust`: confirms what a `loadline.yaml` orders, for commands that nobody can answer.

use loadline_text::{Exit, Lang, problem, testbed};

use super::store_args::ended;
use crate::context::Context;
use crate::found_project::{self, Found};
use crate::refusal::Refusal;

/// Confirm what loadline.yaml orders: commands, notices, variables that it reads
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline trust              # of the file that holds in this folder; shows its orders
  loadline trust && loadline run test.js

A file that was changed is confirmed anew. One of another user, or one that others may write, gives
no orders. At a terminal, run asks by itself.
")]
pub(crate) struct TrustArgs {
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl TrustArgs {
    pub(crate) fn exec(&self, context: &mut Context) -> u8 {
        let result = self.trust(context);
        ended(context, self.lang, result)
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
