//! `--init`: a study file to begin with.

use std::path::Path;

use loadline_text::{Catalog, Exit, problem, tune};

use super::super::run::problems::Refusal;
use crate::context::Context;

/// A study of the built-in target, with the other ways to set a knob beside it.
const STUDY: &str = include_str!("study.yaml");

/// Writes the file, unless there is one.
pub(super) fn write(
    context: &mut Context,
    path: &Path,
    name: &str,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    if path.exists() {
        return Err(Refusal::config(problem::file_exists(name)));
    }
    std::fs::write(path, STUDY)
        .map_err(|error| Refusal::other(problem::write_failed(name, error)))?;
    context.out(&format!("{}\n", catalog.text(&tune::init_written(name))));
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_to_begin_with_has_no_mistakes() {
        let study = loadline_knobs::study::read(STUDY, "study", Path::new("/tmp")).unwrap();
        assert_eq!(study.knobs.len(), 2);
    }
}
