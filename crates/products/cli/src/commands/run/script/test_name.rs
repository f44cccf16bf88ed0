//! What was typed for a script and is none.

use loadline_text::{Catalog, problem};

use crate::context::Context;
use crate::launch::foreign_file::ForeignFile;
use crate::refusal::Refusal;

/// Refuses what looks like a URL that no load can be sent to as it was typed, folders, and files of
/// other tools. Other files that are not there are k6's to refuse, in its words.
pub(super) fn check(context: &Context, name: &str, catalog: &Catalog) -> Result<(), Refusal> {
    let path = context.working_dir.join(name);
    if name != "-" && path.is_dir() {
        return Err(Refusal::config(problem::file_is_folder(name)));
    }
    let is_there = path.exists();
    let is_local = is_there || !name.contains("://");
    if let Some(file) = ForeignFile::from_name(name).filter(|_| is_local) {
        return Err(file.refusal(name, is_there, catalog));
    }
    if is_there || name == "-" {
        return Ok(());
    }
    match name.split_once("://") {
        Some(("file", _)) => Ok(()),
        Some(_) => Err(Refusal::config(problem::scheme_unknown(name))),
        None if is_like_url(name) => Err(Refusal::config(problem::url_without_scheme(name))),
        None => Ok(()),
    }
}

/// The same of the first word of a line that k6's flags do not explain: those of a URL run are none of them.
pub(super) fn check_first(
    context: &Context,
    args: &[String],
    catalog: &Catalog,
) -> Result<(), Refusal> {
    let first = args.iter().find(|arg| !arg.starts_with('-'));
    match first.filter(|word| is_like_url(word)) {
        Some(word) => check(context, word, catalog),
        None => Ok(()),
    }
}

/// The same where a script must be there before anything is loaded.
pub(super) fn must_be_there(
    context: &Context,
    name: &str,
    catalog: &Catalog,
) -> Result<(), Refusal> {
    check(context, name, catalog)?;
    let is_file = name != "-" && !name.starts_with("file://");
    let path = context.working_dir.join(name);
    if is_file && !path.exists() {
        return Err(Refusal::config(problem::file_missing(name)));
    }
    Ok(())
}

/// `host:8080`, `host:8080/path`, `localhost/path`, `127.0.0.1/path`.
fn is_like_url(name: &str) -> bool {
    let authority = name.split('/').next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) => {
            let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
            return is_port && !host.is_empty();
        }
        None => authority,
    };
    host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_like_url;

    #[test]
    fn hosts_with_a_port_and_this_machine_are_like_urls_and_files_are_not() {
        for url in [
            "localhost:8080/x",
            "api.example:80",
            "localhost/x",
            "127.0.0.1",
            "[::1]:8080/",
        ] {
            assert!(is_like_url(url), "{url}");
        }
        for file in ["test.js", "tests/a.ts", "a:b.js", "localhost.js", "", "C:"] {
            assert!(!is_like_url(file), "{file}");
        }
    }
}
