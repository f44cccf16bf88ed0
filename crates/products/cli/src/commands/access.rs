//! `access`: another link to the web pages, or the token for scripts.

use loadline_text::{Exit, Message, arguments, problem};
use loadline_web::AccessRole;

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::page_secret::{PageSecret, random};
use crate::refusal::Refusal;
use crate::stored::{now_ms, store_path};

/// Print a link to the web pages, or the token that scripts send
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline access                                   # a link to the pages of loadline serve
  loadline access --role read                       # one for a person who is to look only
  loadline access --address https://load.example:8443
  loadline access --role read --token               # for scripts: Authorization: Bearer TOKEN
  loadline access --renew                           # no link, cookie or token of before holds

A link opens once, within 12 hours.
")]
pub(crate) struct AccessArgs {
    /// What the link or token allows
    #[arg(long, value_enum, value_name = "ROLE", default_value_t = RoleName::Own)]
    role: RoleName,
    /// The token itself instead of a link
    #[arg(long, conflicts_with = "address")]
    token: bool,
    /// Where the pages are served: HOST:PORT, or with http:// or https:// before it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8089")]
    address: String,
    /// Make all links, cookies and tokens of before invalid first
    #[arg(long)]
    renew: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// What a link or token allows.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RoleName {
    /// Look at runs, studies, comparisons and plans
    Read,
    /// Start tests, steer runs, write notes and tags, too
    Run,
    /// Remove runs and studies, too
    Own,
}

impl From<RoleName> for AccessRole {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Read => Self::Read,
            RoleName::Run => Self::Run,
            RoleName::Own => Self::Own,
        }
    }
}

impl AccessArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.print(context);
        ended(context, self.store.lang, result)
    }

    fn print(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let store = store_path(context, self.store.store.as_deref());
        let store = store.ok_or_else(|| Refusal::config(problem::no_store()))?;
        let origin = origin(&self.address).map_err(|expected| {
            let catalog = context.catalog(self.store.lang);
            Refusal::flag("--address", &self.address, &expected, &catalog)
        })?;
        let secret = PageSecret::find(context)?;
        if self.renew {
            secret.renew()?;
        }
        let tokens = secret.tokens(&store)?;
        let role = self.role.into();
        let text = if self.token {
            tokens.token(role).to_owned()
        } else {
            let token = tokens.link(role, now_ms(context), random);
            format!("{origin}/?token={token}")
        };
        context.out(&format!("{text}\n"));
        Ok(Exit::Success)
    }
}

/// What stands before a path.
fn origin(address: &str) -> Result<String, Message> {
    let (scheme, host) = match address.split_once("://") {
        Some((scheme, host)) => (scheme, host.trim_end_matches('/')),
        None => ("http", address),
    };
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    if !["http", "https"].contains(&scheme) || host.is_empty() || !host.chars().all(is_host) {
        return Err(arguments::expected_address());
    }
    Ok(format!("{scheme}://{host}"))
}
