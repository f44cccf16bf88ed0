//! The `loadline.yaml` that holds where a command runs, with the orders that a person confirmed.

use std::fs::File;
use std::io::{BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use loadline_text::{Catalog, Message, problem, testbed};

use crate::context::Context;
use crate::project::trust::{Distrust, SUDO_VARIABLE, TrustList, TrustedOwners};
use crate::project::{FILE, Project, ProjectMistake};
use crate::refusal::Refusal;
use crate::stored::data_folder;

/// A file that was found, read.
pub(crate) struct ProjectFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) project: Project,
}

/// The settings that hold where a command runs: those of the file that is nearest above, if it may
/// give orders here, without orders that nobody confirmed. A person at a terminal is asked once.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn load(context: &Context, catalog: &Catalog) -> Result<Project, Refusal> {
    if let Some(known) = context.project.get() {
        return Ok(known.clone());
    }
    let project = match find(context)? {
        None => Project::default(),
        Some(Found::Distrusted { path, reason }) => {
            print(catalog, &distrusted(&path, reason));
            Project::default()
        }
        Some(Found::Trusted(file)) => with_confirmed_orders(context, file, catalog),
    };
    Ok(context.project.get_or_init(|| project).clone())
}

/// What was found.
pub(crate) enum Found {
    Trusted(ProjectFile),
    /// One that gives no orders here.
    Distrusted {
        path: PathBuf,
        reason: Distrust,
    },
}

/// The nearest file.
///
/// # Errors
/// It cannot be read.
pub(crate) fn find(context: &Context) -> Result<Option<Found>, Refusal> {
    let files = context
        .working_dir
        .ancestors()
        .map(|folder| folder.join(FILE));
    let Some(path) = files.into_iter().find(|file| file.is_file()) else {
        return Ok(None);
    };
    let invalid =
        |reason: String| Refusal::config(problem::project_invalid(path.display(), reason));
    let sudo_uid = context.env.get(SUDO_VARIABLE).map(String::as_str);
    // What was opened is judged and read: the path may lead elsewhere a moment later.
    let mut file = File::open(&path).map_err(|error| invalid(error.to_string()))?;
    let metadata = file
        .metadata()
        .map_err(|error| invalid(error.to_string()))?;
    if let Some(reason) = TrustedOwners::of_process(sudo_uid).distrust(&metadata) {
        return Ok(Some(Found::Distrusted { path, reason }));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)
        .map_err(|error| invalid(error.to_string()))?;
    let project = Project::read(&text).map_err(|mistake| match mistake {
        ProjectMistake::Text(reason) => invalid(reason),
        ProjectMistake::Key(unknown) => {
            let (path, line, key) = (path.display(), unknown.line, unknown.key);
            Refusal::config(match unknown.similar {
                Some(similar) => problem::project_key_misspelt(path, line, key, similar),
                None => problem::project_key(path, line, key, unknown.known),
            })
        }
    })?;
    Ok(Some(Found::Trusted(ProjectFile {
        path,
        text,
        project,
    })))
}

/// Why a file gives no orders.
pub(crate) fn distrusted(path: &Path, reason: Distrust) -> Message {
    match reason {
        Distrust::Owner(owner) => testbed::project_foreign(path.display(), owner),
        Distrust::Writable(mode) => testbed::project_writable(path.display(), format!("{mode:o}")),
    }
}

/// The list of files whose orders were confirmed; `None` without a folder for a user's data.
pub(crate) fn trust_list(context: &Context) -> Option<TrustList> {
    data_folder(context).map(|folder| TrustList::new(&folder))
}

fn with_confirmed_orders(context: &Context, file: ProjectFile, catalog: &Catalog) -> Project {
    let orders = file.project.orders();
    let list = trust_list(context);
    let is_kept = list
        .as_ref()
        .is_some_and(|list| list.has(&file.path, &file.text));
    if orders.is_empty() || is_kept {
        return file.project;
    }
    let orders = orders.join(", ");
    if context.is_interactive() && is_confirmed(&file.path, &orders, catalog) {
        let kept = list.map(|list| list.add(&file.path, &file.text));
        if let Some(Err(error)) = kept {
            print(catalog, &testbed::project_not_kept(error));
        }
        return file.project;
    }
    print(
        catalog,
        &testbed::project_left_out(file.path.display(), orders),
    );
    file.project.without_orders()
}

fn is_confirmed(path: &Path, orders: &str, catalog: &Catalog) -> bool {
    let ask = catalog.text(&testbed::project_ask(path.display(), orders));
    Context::print_err(&format!("{ask} "));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    let answer = answer.trim().to_lowercase();
    read.is_ok() && ["y", "yes", "예", "네"].contains(&answer.as_str())
}

fn print(catalog: &Catalog, message: &Message) {
    Context::print_err(&format!("loadline: {}\n", catalog.text(message)));
}
