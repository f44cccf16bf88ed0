//! `observe --init`: looks around a target, and names the sources that answer in `loadline.yaml`.

use std::fmt::Write as _;
use std::path::Path;

use loadline_net::Url;
use loadline_observe::SourceAddress;
use loadline_record::MASK;
use loadline_record::signals::{Signals, SourceError};
use loadline_report::sources;
use loadline_session::observe;
use loadline_text::{Catalog, Exit, Message, problem};

use super::given_file;
use super::given_sources::GivenSource;
use super::request;
use crate::context::Context;
use crate::found_project;
use crate::project::{self, Project};
use crate::refusal::Refusal;

/// Where servers have their metrics, the most telling first.
const PAGES: [&str; 4] = [
    "/actuator/prometheus",
    "/q/metrics",
    "/metrics",
    "/prometheus",
];
/// Databases and caches of this machine, by the ports they usually have.
const SERVICE_PORTS: [u16; 3] = [5432, 3306, 6379];
/// What is asked without a password.
const OPEN: [&str; 2] = ["redis://127.0.0.1:6379", "prometheus://127.0.0.1:9090"];
/// What needs a user, and the port that tells that it is there.
const WITH_USER: [(&str, &str); 2] = [
    (
        "port:5432",
        "postgres://${LOADLINE_POSTGRES}@127.0.0.1:5432/postgres",
    ),
    ("port:3306", "mysql://${LOADLINE_MYSQL}@127.0.0.1:3306"),
];

/// A source that may be written, and how it is named in the file; as it is shown where nothing else is said.
struct Candidate {
    address: SourceAddress,
    named: Option<String>,
}

impl Candidate {
    fn name(&self) -> String {
        let shown = || self.address.to_string();
        self.named.clone().unwrap_or_else(shown)
    }
}

/// Writes the file with the sources that answer: those typed, those of files, and what usually runs beside them.
pub(super) fn write(
    typed: &[SourceAddress],
    files: &[String],
    context: &mut Context,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let path = context.working_dir.join(project::FILE);
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(Refusal::config(problem::file_unreadable(
                project::FILE,
                error.to_string(),
            )));
        }
    };
    if old.lines().any(|line| line.starts_with("observe:")) {
        return Err(Refusal::config(problem::observe_there(project::FILE)));
    }
    let given = given_file::read(files, context)?;
    context.err(&format!(
        "loadline: {}\n",
        catalog.text(&loadline_text::observe::init_looks())
    ));
    let mut candidates: Vec<Candidate> = given.sources.into_iter().map(Candidate::from).collect();
    // Files name what there is; beside a URL is looked around.
    if !typed.is_empty() {
        for address in self::candidates(typed) {
            if !candidates.iter().any(|known| known.address == address) {
                candidates.push(Candidate {
                    address,
                    named: None,
                });
            }
        }
    }
    let addresses: Vec<SourceAddress> = candidates.iter().map(|one| one.address.clone()).collect();
    let all = observe(&request(&addresses, context));
    let pairs = candidates.iter().zip(&all);
    let answering: Vec<_> = pairs
        .filter(|(_, signals)| sources::is_answering(signals))
        .collect();
    let found: Vec<_> = answering
        .iter()
        .map(|(_, signals)| (*signals).clone())
        .collect();
    context.out(&sources::check(&found, catalog));
    tell_left_out(&candidates, &all, &given.left_out, context, catalog);
    let names: Vec<String> = answering.iter().map(|(source, _)| source.name()).collect();
    // A page that is found twice under one address is the more telling one.
    let is_weaker = |name: &String| {
        let page = PAGES.iter().position(|page| name.ends_with(page));
        page.is_some_and(|page| {
            let base = &name[..name.len() - PAGES[page].len()];
            PAGES[..page]
                .iter()
                .any(|better| names.contains(&format!("{base}{better}")))
        })
    };
    let named: Vec<String> = names
        .iter()
        .filter(|name| !is_weaker(name))
        .cloned()
        .collect();
    if named.is_empty() {
        context.err(&format!(
            "{}\n",
            catalog.text(&loadline_text::observe::init_nothing())
        ));
        return Ok(Exit::NoAnswer);
    }
    let text = text(&named, catalog);
    save(&path, &old, &text)?;
    confirm_own(context, &path)?;
    context.out(&text);
    context.err(&format!(
        "loadline: {}\n",
        catalog.text(&loadline_text::observe::init_wrote(project::FILE))
    ));
    Ok(Exit::Success)
}

impl From<GivenSource> for Candidate {
    fn from(given: GivenSource) -> Self {
        Self {
            address: given.address,
            named: Some(given.named),
        }
    }
}

/// Says what files name and the list does not, and why.
fn tell_left_out(
    candidates: &[Candidate],
    all: &[Signals],
    unread: &[Message],
    context: &mut Context,
    catalog: &Catalog,
) {
    let mut lines: Vec<String> = unread.iter().map(|one| catalog.text(one)).collect();
    for (one, signals) in candidates.iter().zip(all) {
        let Some(name) = one
            .named
            .as_ref()
            .filter(|_| !sources::is_answering(signals))
        else {
            continue;
        };
        let failures = signals.sources.iter().flat_map(|source| &source.failures);
        let reason = failures.last().map_or(SourceError::TimedOut, |failure| {
            SourceError::of_code(&failure.error)
        });
        let reason = sources::error(&reason, catalog);
        lines.push(catalog.text(&loadline_text::observe::init_no_answer(name, reason)));
    }
    for line in lines {
        context.err(&format!("loadline: {line}\n"));
    }
}

/// What was just written here was seen here: nobody is asked about it again. What the file ordered
/// before stays to be confirmed.
fn confirm_own(context: &Context, path: &Path) -> Result<(), Refusal> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Refusal::other(problem::file_unreadable(project::FILE, error)))?;
    let list = found_project::trust_list(context);
    let Some((list, project)) = list.zip(Project::read(&text).ok()) else {
        return Ok(());
    };
    if project.notify.is_some() {
        return Ok(());
    }
    list.add(path, &text)
        .map_err(|error| Refusal::other(problem::write_failed("trusted-projects", error)))
}

/// What to look at: what was typed, pages of servers that were typed, and what usually runs next to them here.
fn candidates(typed: &[SourceAddress]) -> Vec<SourceAddress> {
    let mut all: Vec<SourceAddress> = Vec::new();
    let mut add = |text: &str| {
        if let Ok(source) = text.parse::<SourceAddress>()
            && !all.contains(&source)
        {
            all.push(source);
        }
    };
    for source in typed {
        let Some(url) = source.page() else {
            continue;
        };
        let is_server = matches!(url.path(), "" | "/");
        for page in PAGES.iter().filter(|_| is_server) {
            add(&format!("{}://{}{page}", url.scheme(), url.host()));
        }
        if let Some(port) = local_port(url) {
            add(&format!("port:{port}"));
        }
    }
    for port in SERVICE_PORTS {
        add(&format!("port:{port}"));
    }
    for source in OPEN {
        add(source);
    }
    let is_server = |source: &&SourceAddress| {
        source
            .page()
            .is_some_and(|url| matches!(url.path(), "" | "/"))
    };
    let own: Vec<SourceAddress> = typed
        .iter()
        .filter(|one| !is_server(one))
        .cloned()
        .collect();
    all.retain(|one| !own.contains(one));
    own.into_iter().chain(all).collect()
}

/// The port of a server on this machine.
fn local_port(url: &Url) -> Option<u16> {
    let is_local = matches!(url.host_name(), "127.0.0.1" | "localhost" | "[::1]" | "::1");
    is_local.then(|| url.port()).flatten()
}

/// The part of the file that names sources.
fn text(named: &[String], catalog: &Catalog) -> String {
    let mut text = format!(
        "# {}\nobserve:\n",
        catalog.text(&loadline_text::observe::init_head())
    );
    for (number, name) in (1..).zip(named) {
        // What was typed with a password is named without it.
        let variable = format!("${{LOADLINE_LOGIN_{number}}}");
        let is_masked = name.contains(MASK);
        if is_masked {
            let note = catalog.text(&loadline_text::observe::init_variable(format!(
                "LOADLINE_LOGIN_{number}"
            )));
            let _ = writeln!(text, "  # {note}");
        }
        let _ = writeln!(text, "  - {}", quoted(&name.replace(MASK, &variable)));
    }
    let has = |port: &str| named.iter().any(|name| name == port);
    for (port, source) in WITH_USER {
        let scheme = source.split("://").next().unwrap_or_default();
        let is_named = named.iter().any(|name| name.starts_with(scheme));
        if has(port) && !is_named {
            let note = catalog.text(&loadline_text::observe::init_with_user());
            let _ = writeln!(text, "  # {note}\n  # - {source}");
        }
    }
    text
}

/// As YAML wants a text that may hold any letter.
fn quoted(text: &str) -> String {
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || ":/.-_@".contains(c));
    if is_plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn save(path: &Path, old: &str, new: &str) -> Result<(), Refusal> {
    let gap = if old.is_empty() || old.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    std::fs::write(path, format!("{old}{gap}{new}"))
        .map_err(|error| Refusal::other(problem::write_failed(project::FILE, error.to_string())))
}
