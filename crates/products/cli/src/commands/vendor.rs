//! `vendor`: the modules a script imports from the web, stored beside it.

use loadline_k6::vendor::{LOCK, StoredModule, VendorChange, VendorError, gather};
use loadline_text::{Catalog, Dialect, Exit, Lang, grouped, messages, problem};

use crate::context::Context;
use crate::refusal::Refusal;
use crate::web_modules::remote_modules;

/// Store the modules a k6 script imports from the web beside it, so that runs need no network
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline vendor test.js
  loadline vendor tests/*.js        # scripts of one folder share one list
  git add vendor loadline.lock      # and everybody runs the same code

The files lie in vendor/ in the script's folder; loadline.lock says which file is which URL's, and
the SHA-256 it must have. `run` reads them from there, asks nobody, and refuses a file that was
changed.
")]
pub(crate) struct VendorArgs {
    /// k6 scripts
    #[arg(required = true, value_name = "SCRIPT")]
    scripts: Vec<String>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

impl VendorArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.store(context, &catalog) {
            Ok(()) => Exit::Success,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn store(&self, context: &mut Context, catalog: &Catalog) -> Result<(), Refusal> {
        let modules = remote_modules(context, catalog, false)
            .map_err(|error| Refusal::other(problem::start_failed("vendor", error)))?;
        for script in &self.scripts {
            if !context.working_dir.join(script).exists() {
                return Err(Refusal::config(problem::file_missing(script)));
            }
            let refuse = |error: VendorError| of_vendor(script, &error);
            let gathered = gather(script, &context.working_dir, modules.clone()).map_err(refuse)?;
            let kept = gathered.write().map_err(refuse)?;
            let mut lines: Vec<String> = kept
                .iter()
                .map(|kept| line(kept, context, catalog))
                .collect();
            if lines.is_empty() {
                lines.push(catalog.text(&messages::vendor_nothing(script)));
            }
            context.out(&format!("{}\n", lines.join("\n")));
        }
        Ok(())
    }
}

fn line(kept: &StoredModule, context: &Context, catalog: &Catalog) -> String {
    let path = kept.path.strip_prefix(&context.working_dir);
    let path = path.unwrap_or(&kept.path).display().to_string();
    let bytes = grouped(kept.bytes as f64, 0);
    let (url, path) = (kept.url.as_str(), path.as_str());
    catalog.text(&match kept.change {
        VendorChange::New => messages::vendor_new(url, path, bytes),
        VendorChange::Changed => messages::vendor_changed(url, path, bytes),
        VendorChange::Same => messages::vendor_same(url, path, bytes),
    })
}

fn of_vendor(script: &str, error: &VendorError) -> Refusal {
    match error {
        VendorError::Load(error) => Refusal::config(problem::not_vendored(script, error)),
        VendorError::Lock { path, reason } => {
            Refusal::config(problem::lock_unreadable(path, reason, LOCK))
        }
        VendorError::Write { path, source } => Refusal::other(problem::write_failed(path, source)),
    }
}
