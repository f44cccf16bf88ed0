//! A former search by the name a person gives it: a stored run, or a file of `--export`.

use loadline_report::capacity::file::CapacityFile;
use loadline_store::RunRow;
use loadline_text::problem;

use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// A former search.
pub(in crate::commands) struct NamedCapacity {
    pub(in crate::commands) file: CapacityFile,
    /// Where it is kept; `None` for a file.
    pub(in crate::commands) kept: Option<(Stored, RunRow)>,
}

impl NamedCapacity {
    /// Reads the file, where the name ends with `.json`, or the run of the store.
    ///
    /// # Errors
    /// There is no such file or run, or it is no search.
    pub(in crate::commands) fn read(
        context: &Context,
        name: &str,
        store: Option<&str>,
    ) -> Result<Self, Refusal> {
        let (text, kept) = if name.ends_with(".json") {
            let text = context
                .read_text(name)
                .map_err(|error| Refusal::unread(name, &error))?;
            (text, None)
        } else {
            let stored = Stored::open(context, store)?;
            let run = stored.store.read(stored.find(name)?);
            let run = run.map_err(|error| stored.refusal(error))?;
            let found = run.capacity_found();
            let found = found.ok_or_else(|| Refusal::config(problem::no_capacity(name)))?;
            (found.to_string(), Some((stored, run.row)))
        };
        let file = CapacityFile::parse(&text)
            .map_err(|error| Refusal::config(problem::capacity_file(name, error)))?;
        Ok(Self { file, kept })
    }
}
