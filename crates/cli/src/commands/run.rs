//! `run`: sends load, shows it live, judges it.

mod follow;
mod url;

use crate::context::Context;
use crate::exit::Exit;

/// Arguments of `run` for a URL.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    url: url::UrlArgs,
}

const EXAMPLES: &str = "\
Examples:
  loadline run http://127.0.0.1:8080/fast --vus 64 --duration 30s
  loadline run http://127.0.0.1:8080/fast --rate 2000/s --duration 1m
  loadline run http://127.0.0.1:8080/deers -m POST -b '{\"userId\":1}' -H 'Content-Type: application/json' -i 100
";

impl RunArgs {
    pub(crate) fn exec(self, context: &mut Context) -> Exit {
        self.url.exec(context)
    }
}
