//! Modules of the web that scripts import: how this process gets them, and what it says of them
//! and of names in scripts that mean nothing.

use std::path::PathBuf;
use std::sync::Arc;

use loadline_k6::vendor::LOCK;
use loadline_k6::{FetchError, ModuleError, ModuleNote, RemoteModules, ScriptMistake};
use loadline_session::vendor::Web;
use loadline_text::{Catalog, grouped, modules};

use crate::code_trust::code_trust;
use crate::context::Context;
use crate::stored::local_time;

/// How they are got: over the network unless `offline`, else from the cache.
///
/// # Errors
/// Why this machine's network settings cannot be used.
pub(crate) fn remote_modules(
    context: &Context,
    catalog: &Catalog,
    offline: bool,
) -> Result<RemoteModules, String> {
    let web = || Web::new(&context.env, context.wall_clock).map_err(|error| error.to_string());
    let web = (!offline).then(web).transpose()?;
    let words = Catalog::new(catalog.lang());
    Ok(RemoteModules {
        fetch: web.map(|web| Arc::new(web) as _),
        cache: cache(context),
        archive: None,
        words: Arc::new(move |error| error_text(error, &words)),
        trust: code_trust(context, catalog),
        wall_clock: context.wall_clock,
    })
}

/// The folder in which fetched modules are kept; `None` where there is no home.
fn cache(context: &Context) -> Option<PathBuf> {
    let set = |name: &str| context.env.get(name).filter(|value| !value.is_empty());
    let base = match (set("XDG_CACHE_HOME"), set("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => PathBuf::from(home).join(".cache"),
        (None, None) => return None,
    };
    Some(base.join("loadline").join("modules"))
}

/// Says what must be known of modules that were had all the same.
pub(crate) fn print_notes(context: &mut Context, notes: &[ModuleNote], catalog: &Catalog) {
    for note in notes {
        context.err(&format!("loadline: {}\n", note_text(note, catalog)));
    }
}

/// Says which names of a script mean nothing, and which were probably meant.
pub(crate) fn print_hints(context: &mut Context, hints: &[ScriptMistake], catalog: &Catalog) {
    for hint in hints {
        let said = match (&hint.module, &hint.nearest) {
            (Some(module), Some(nearest)) => modules::import_misspelt(&hint.name, module, nearest),
            (Some(module), None) => modules::import_unknown(&hint.name, module),
            (None, Some(nearest)) if hint.is_executor => {
                modules::script_executor_misspelt(&hint.name, nearest)
            }
            (None, None) if hint.is_executor => modules::script_executor_unknown(&hint.name),
            (None, Some(nearest)) => modules::script_option_misspelt(&hint.name, nearest),
            (None, None) => modules::script_option_unknown(&hint.name),
        };
        let said = catalog.text(&said);
        let line = match hint.place.as_str() {
            "" => said,
            place => format!("{place}: {said}"),
        };
        context.err(&format!("loadline: {line}\n"));
    }
}

/// Names files that a script opened and that hold nothing: what it makes of their rows is undefined,
/// and says so in words that name no file.
pub(crate) fn print_blank_files(
    context: &mut Context,
    opened: &[(PathBuf, Vec<u8>)],
    catalog: &Catalog,
) {
    let is_blank = |bytes: &[u8]| matches!(bytes.trim_ascii(), [] | b"[]" | b"\xef\xbb\xbf");
    for (path, _) in opened.iter().filter(|(_, bytes)| is_blank(bytes)) {
        let path = path.strip_prefix(&context.working_dir).unwrap_or(path);
        let said = catalog.text(&modules::script_file_blank(path.display()));
        context.err(&format!("loadline: {said}\n"));
    }
}

fn note_text(note: &ModuleNote, catalog: &Catalog) -> String {
    catalog.text(&match note {
        ModuleNote::Stale {
            url,
            error,
            fetched,
        } => {
            let ms = i64::try_from(fetched * 1000).unwrap_or(i64::MAX);
            let date = local_time(ms, "%Y-%m-%d %H:%M");
            modules::module_stale(url, reason(error, catalog), date)
        }
        ModuleNote::BuiltIn {
            url,
            error: Some(error),
        } => modules::module_built_in(url, reason(error, catalog)),
        ModuleNote::BuiltIn { url, error: None } => modules::module_built_in_offline(url),
        ModuleNote::NotLocked { url } => modules::module_not_locked(url, LOCK),
        ModuleNote::NotCached { path, errno } => modules::module_not_cached(path.display(), errno),
    })
}

fn error_text(error: &ModuleError, catalog: &Catalog) -> String {
    catalog.text(&match error {
        // k6's own words.
        ModuleError::Fetch {
            url,
            error: FetchError::Status { status, url: asked },
        } if *status < 500 => return not_answered(url, *status, asked),
        ModuleError::Fetch { url, error } if error.is_outage() => {
            modules::module_unreachable(url, reason(error, catalog))
        }
        ModuleError::Fetch { url, error } => {
            modules::module_not_fetched(url, reason(error, catalog))
        }
        ModuleError::Offline { url } => modules::module_offline(url),
        ModuleError::Changed { url, locked, found } => modules::module_changed(url, locked, found),
        ModuleError::Tampered {
            url,
            file,
            locked,
            found,
        } => modules::module_tampered(url, file.display(), locked, found),
        ModuleError::Unreadable { url, file, errno } => {
            modules::module_unreadable(url, file.display(), errno)
        }
        ModuleError::Lock { path, reason } => modules::module_lock(path, reason),
        ModuleError::TooDeep { url, most } => modules::module_too_deep(url, most),
        ModuleError::TooMany { url, most } => modules::module_too_many(url, most),
        ModuleError::TooLargeTogether { url, limit } => {
            modules::module_too_large_together(url, bytes(*limit as f64))
        }
    })
}

fn not_answered(url: &str, status: u16, asked: &str) -> String {
    let reason = match status {
        404 => format!("not found: {asked}"),
        status => format!("wrong status code ({status}) for: {asked}"),
    };
    format!(
        "The moduleSpecifier \"{url}\" couldn't be retrieved from the resolved url \"{url}\". Error : \"{reason}\""
    )
}

fn reason(error: &FetchError, catalog: &Catalog) -> String {
    catalog.text(&match error {
        FetchError::InvalidUrl { url } => modules::fetch_invalid_url(url),
        FetchError::NoSuchHost { host } => modules::fetch_no_such_host(host),
        FetchError::Refused { address } => modules::fetch_refused(address),
        FetchError::TimedOut { seconds } => modules::fetch_timed_out(seconds),
        FetchError::Certificate { host } => modules::fetch_certificate(host),
        FetchError::Connection { detail } => modules::fetch_connection(detail),
        FetchError::Status { status, url } => modules::fetch_status(url, status),
        FetchError::TooLarge { limit } => modules::fetch_too_large(bytes(*limit as f64)),
        FetchError::LeavesHttps { to } => modules::fetch_leaves_https(to),
        FetchError::TooManyRedirects { most } => modules::fetch_too_many_redirects(most),
        FetchError::Setup { errno } => modules::fetch_setup(errno),
    })
}

fn bytes(count: f64) -> String {
    grouped(count, 0)
}
