//! A script of nGrinder, made into one of k6.

use std::path::Path;

use loadline_ngrinder::{ConversionError, ConvertedScript, ScriptLang, convert};
use loadline_text::{Catalog, Location, Problem, ngrinder, problem, shell_word};

use super::NewArgs;
use crate::context::Context;
use crate::refusal::Refusal;

impl NewArgs {
    /// Writes the script; what is said of it: where it is, and what is lost.
    pub(super) fn convert(
        &self,
        context: &Context,
        catalog: &Catalog,
        source: &str,
    ) -> Result<String, Problem> {
        let language =
            ScriptLang::from_name(source).ok_or_else(|| problem_from(source, None, catalog))?;
        let path = context.working_dir.join(source);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Refusal::unread(source, &error).problem)?;
        let script = convert(&text, language, catalog)
            .map_err(|error| problem_from(source, Some(error), catalog))?;
        let named = Path::new(source).with_extension("js");
        let beside = named.file_name().unwrap_or(named.as_os_str());
        let file = match &self.script.file {
            Some(file) => file.clone(),
            None => beside.to_string_lossy().into_owned(),
        };
        self.script.write(context, &file, &script.text)?;
        Ok(summary(catalog, &script, &file, source))
    }
}

fn problem_from(source: &str, error: Option<ConversionError>, catalog: &Catalog) -> Problem {
    let (what, way) = match error {
        None => (ngrinder::ending(), ngrinder::ending_way()),
        Some(ConversionError::TooLong) => (ngrinder::too_long(), ngrinder::too_long_way()),
        Some(ConversionError::Unread { .. }) => (ngrinder::cut(), ngrinder::cut_way()),
        Some(ConversionError::NotNgrinder) => (ngrinder::foreign(), ngrinder::elsewhere_way()),
        Some(ConversionError::NoTest) => (ngrinder::no_test(), ngrinder::no_test_way()),
    };
    let problem = problem::ngrinder_refused(source, catalog.text(&what), catalog.text(&way));
    match error {
        Some(ConversionError::Unread { line }) => problem.at(Location::file(source).line(line, 1)),
        _ => problem,
    }
}

fn summary(catalog: &Catalog, script: &ConvertedScript, file: &str, source: &str) -> String {
    let mut text = catalog.text(&ngrinder::written(shell_word(file), source));
    text.push('\n');
    if script.losses.is_empty() {
        return text;
    }
    text.push_str(&catalog.text(&ngrinder::lost(script.losses.len())));
    text.push('\n');
    for loss in &script.losses {
        let reason = catalog.text(&loss.reason.message());
        let line = catalog.text(&ngrinder::loss(loss.line, &loss.source, reason));
        text.push_str(&format!("  {line}\n"));
    }
    text
}
