//! `--init`: a study file to begin with, of the built-in target or of one that runs.

use std::path::Path;
use std::sync::Arc;

use loadline_knobs::draft::{self, DraftSource};
use loadline_knobs::inspect::{self, AnsweredPages, RunningProcess};
use loadline_session::network;
use loadline_text::{Catalog, Exit, Lang, arguments, problem, shell_word, tune};

use crate::context::Context;
use crate::refusal::Refusal;

/// A study of the built-in target, with the other ways to set a knob beside it.
const STUDY: &str = include_str!("study.yaml");
const STUDY_KO: &str = include_str!("study.ko.yaml");

/// Writes the file, unless there is one; `from` names a target that runs.
pub(super) fn write(
    context: &mut Context,
    path: &Path,
    name: &str,
    from: Option<&str>,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    if path.exists() {
        return Err(Refusal::config(problem::file_exists(name)));
    }
    let text = match from {
        Some(from) => of_target(context, path, from, catalog)?,
        None if catalog.lang() == Lang::Ko => STUDY_KO.to_owned(),
        None => STUDY.to_owned(),
    };
    std::fs::write(path, text)
        .map_err(|error| Refusal::other(problem::write_failed(name, error)))?;
    context.out(&format!(
        "{}\n",
        catalog.text(&tune::init_written(shell_word(name)))
    ));
    Ok(Exit::Success)
}

/// What `--from` names.
enum InitSource {
    Process(u32),
    Port(u16),
    /// A URL, its address (`http://host:port`), and the port if it is one of this machine.
    Url(String, Option<u16>),
}

fn source(text: &str) -> Option<InitSource> {
    if let Some(port) = text.strip_prefix(':') {
        return port.parse().ok().map(InitSource::Port);
    }
    if let Ok(pid) = text.parse() {
        return Some(InitSource::Process(pid));
    }
    let (scheme, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (authority, if scheme == "https" { 443 } else { 80 }),
    };
    let is_here = ["localhost", "[::1]"].contains(&host) || host.starts_with("127.");
    let is_url = ["http", "https"].contains(&scheme) && !host.is_empty();
    is_url.then(|| InitSource::Url(format!("{scheme}://{authority}"), is_here.then_some(port)))
}

fn of_target(
    context: &Context,
    path: &Path,
    from: &str,
    catalog: &Catalog,
) -> Result<String, Refusal> {
    let expected = arguments::expected_running_target();
    let source = source(from).ok_or_else(|| Refusal::flag("--from", from, &expected, catalog))?;
    let absent = || Refusal::config(problem::target_absent(from));
    let listening = |port| RunningProcess::listening(port).ok().flatten();
    let (process, given) = match &source {
        InitSource::Process(pid) => (
            Some(
                RunningProcess::from_pid(*pid)
                    .map_err(|error| Refusal::config(problem::target_unseen(from, error)))?,
            ),
            None,
        ),
        InitSource::Port(port) => (Some(listening(*port).ok_or_else(absent)?), None),
        InitSource::Url(base, port) => (port.and_then(listening), Some(base.clone())),
    };
    let ports = process.iter().flat_map(|process| process.ports.clone());
    let own = ports.map(|port| format!("http://127.0.0.1:{port}"));
    let mut bases: Vec<String> = given.clone().into_iter().chain(own).collect();
    bases.dedup();
    let network = network::plain(&context.env, false)
        .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
    let pages = inspect::answered(&Arc::new(network), &bases);
    if process.is_none() && pages == AnsweredPages::default() {
        return Err(absent());
    }
    let url = match (&source, given) {
        (InitSource::Url(..), _) if !is_metrics(from) => from.to_owned(),
        (_, Some(base)) => format!("{base}/"),
        (_, None) => bases
            .iter()
            .find(|base| !is_management(base, &pages))
            .map_or_else(
                || "http://127.0.0.1:8080/".to_owned(),
                |base| format!("{base}/"),
            ),
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    Ok(draft::text(&DraftSource {
        process: process.as_ref(),
        pages: &pages,
        url: &url,
        own_variables: &|name| context.env.get(name).cloned(),
        folder,
        catalog,
    }))
}

/// Whether a URL is a page of metrics, which is no test.
fn is_metrics(url: &str) -> bool {
    url.ends_with("/actuator/prometheus") || url.ends_with("/metrics")
}

/// Whether an address serves metrics on a port of its own.
fn is_management(base: &str, pages: &AnsweredPages) -> bool {
    let is_of = |url: Option<&str>| url.is_some_and(|url| url.starts_with(&format!("{base}/")));
    let metrics = pages.metrics.as_ref().map(|(url, _)| url.as_str());
    is_of(metrics) && metrics.is_some_and(|url| url.contains("/actuator/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_to_begin_with_have_no_mistakes_and_say_the_same() {
        let read = |text| loadline_knobs::study::read(text, "study", Path::new("/tmp")).unwrap();
        assert_eq!(read(STUDY).knobs.len(), 2);
        assert_eq!(read(STUDY), read(STUDY_KO));
    }

    #[test]
    fn a_target_is_named_by_its_number_its_port_or_its_url() {
        assert!(matches!(source("123"), Some(InitSource::Process(123))));
        assert!(matches!(source(":8080"), Some(InitSource::Port(8080))));
        assert!(matches!(
            source("http://127.0.0.1:9/a?b"),
            Some(InitSource::Url(base, Some(9))) if base == "http://127.0.0.1:9"
        ));
        assert!(matches!(
            source("https://app.example/"),
            Some(InitSource::Url(_, None))
        ));
        for wrong in ["app", "ftp://a/", "http://", ":x", "-5"] {
            assert!(source(wrong).is_none(), "{wrong}");
        }
    }
}
