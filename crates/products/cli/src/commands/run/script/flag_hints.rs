//! Flags that neither k6 nor loadline has, typed by people who know other tools: what does the
//! same is named before k6's own words.

use loadline_k6_options::flags::{FlagError, FlagSpec, TABLE};
use loadline_text::{Catalog, problem};
use loadline_units::nearest;

use super::LOADLINE_FLAGS;
use crate::context::Context;
use crate::launch::flags_elsewhere::{KnownFlags, is_needless};

/// Prints what a flag that nobody knows was probably meant to be.
pub(super) fn print(context: &mut Context, error: &FlagError, catalog: &Catalog) {
    let typed = match error {
        FlagError::Unknown { name } => format!("--{name}"),
        FlagError::UnknownShort { short, .. } => format!("-{short}"),
        _ => return,
    };
    let specs = || TABLE.iter().chain(&LOADLINE_FLAGS);
    let known = KnownFlags::from(specs().map(|spec: &FlagSpec| spec.name));
    let bare = typed.trim_start_matches('-');
    let similar = nearest(bare, specs().map(|spec| spec.name)).filter(|_| typed.starts_with("--"));
    let hint = match (known.named_elsewhere(&typed), similar) {
        (Some(ours), _) => problem::option_elsewhere(typed, ours),
        (None, _) if is_needless(&typed) => problem::option_needless(typed),
        (None, Some(similar)) => problem::option_misspelt(&typed, format!("--{similar}")),
        (None, None) => return,
    };
    context.err(&format!("{}\n", catalog.problem(&hint)));
}
