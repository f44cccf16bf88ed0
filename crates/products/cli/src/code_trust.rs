//! Whose code runs in tests: that of this user and root, and what a person allowed.

use std::path::PathBuf;
use std::sync::Arc;

use loadline_k6::{CodeTrust, ForeignCode};
use loadline_text::{Catalog, modules};

use crate::context::Context;
use crate::project::trust::{SUDO_VARIABLE, TrustedOwners};
use crate::project::trusted_code::TrustedCode;
use crate::stored::data_folder;

/// Whose code runs in tests of this process; each test adds its own folder and owner.
pub(crate) fn code_trust(context: &Context, catalog: &Catalog) -> CodeTrust {
    let sudo_uid = context.env.get(SUDO_VARIABLE).map(String::as_str);
    let owners = TrustedOwners::of_process(sudo_uid);
    let words = Catalog::new(catalog.lang());
    CodeTrust::new(
        owners.all(),
        allowed(context),
        Arc::new(move |foreign| refused(foreign, &words)),
    )
}

/// The list of folders that a person allowed; `None` without a folder for a user's data.
pub(crate) fn trusted_code(context: &Context) -> Option<TrustedCode> {
    data_folder(context).map(|folder| TrustedCode::new(&folder))
}

fn allowed(context: &Context) -> Vec<PathBuf> {
    trusted_code(context).map_or_else(Vec::new, |list| list.folders())
}

/// The file, whose it is, and what allows it.
fn refused(foreign: &ForeignCode, catalog: &Catalog) -> String {
    let folder = match foreign.path.parent() {
        Some(folder) if foreign.path.is_file() => folder,
        _ => &foreign.path,
    };
    catalog.text(&modules::code_foreign(
        foreign.path.display(),
        foreign.owner,
        folder.display(),
    ))
}
