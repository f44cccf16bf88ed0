//! Flags that neither k6 nor loadline has, typed by people who know other tools, and values that
//! k6's flags do not take: what does the same, or is expected, is named before k6's own words.

use loadline_k6_options::flags::{FlagError, FlagKind, FlagSpec, TABLE};
use loadline_text::{Catalog, Message, Problem, arguments, problem};

use super::LOADLINE_FLAGS;
use crate::context::Context;
use crate::launch::flags_elsewhere::{KnownFlags, in_script, is_needless};

/// Prints what a flag that nobody knows was probably meant to be, or what its value may be.
pub(super) fn print(context: &mut Context, error: &FlagError, catalog: &Catalog) {
    if let Some(hint) = hint(error, catalog) {
        context.err(&format!("{}\n", catalog.problem(&hint)));
    }
}

fn hint(error: &FlagError, catalog: &Catalog) -> Option<Problem> {
    match error {
        FlagError::Unknown { name } => of_unknown(&format!("--{name}")),
        FlagError::UnknownShort { short, .. } => of_unknown(&format!("-{short}")),
        FlagError::Tag { written, .. } => Some(problem::script_tag(written)),
        FlagError::Kind { flag, value, .. } => {
            let expected = catalog.text(&expected(flag)?);
            let long = flag.rsplit(' ').next().unwrap_or(flag);
            Some(problem::option_invalid(long, value, expected))
        }
        _ => None,
    }
}

/// What a flag of k6 takes, by how it is shown (`-u, --vus`).
fn expected(shown: &str) -> Option<Message> {
    let is_it = |spec: &&FlagSpec| spec.shown() == shown;
    match TABLE.iter().find(is_it)?.kind {
        FlagKind::Int => Some(arguments::expected_whole()),
        FlagKind::Duration => Some(arguments::expected_duration()),
        FlagKind::Switch => Some(arguments::expected_one_of("true, false")),
        FlagKind::Text | FlagKind::Repeated | FlagKind::List => None,
    }
}

/// What was probably meant by a flag that nobody knows.
fn of_unknown(typed: &str) -> Option<Problem> {
    let specs = || TABLE.iter().chain(&LOADLINE_FLAGS);
    let known = KnownFlags::from(specs().map(|spec: &FlagSpec| spec.name));
    let similar = known.similar(typed);
    if let Some(spelling) = in_script(typed) {
        return Some(problem::option_in_script(typed, spelling));
    }
    match (known.named_elsewhere(typed), similar) {
        (Some(ours), _) => Some(problem::option_elsewhere(typed, ours)),
        (None, _) if is_needless(typed) => Some(problem::option_needless(typed)),
        (None, Some(similar)) => Some(problem::option_misspelt(typed, similar)),
        (None, None) => None,
    }
}
