//! What all commands over stored runs take, and how they end.

use loadline_text::{Dialect, Exit, Lang};

use crate::context::Context;
use crate::refusal::Refusal;

/// Flags of all commands over stored runs.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StoreArgs {
    /// Where runs are kept [default: loadline/runs.db in the user's data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<String>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    pub(crate) lang: Option<Lang>,
}

/// Ends a command over stored runs: the code, or what was wrong.
pub(crate) fn ended(
    context: &mut Context,
    lang: Option<Lang>,
    result: Result<Exit, Refusal>,
) -> u8 {
    let exit = result.unwrap_or_else(|refusal| {
        let catalog = context.catalog(lang);
        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
        refusal.exit
    });
    exit.code(Dialect::Loadline)
}
