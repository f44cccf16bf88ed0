//! `--near`: the line of a former search, beside which this one looks first.

use loadline_analysis::capacity::Unit;
use loadline_report::capacity::file::CapacityFile;
use loadline_text::problem;

use super::CapacityArgs;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

impl CapacityArgs {
    /// The load at which a former search, a stored one or a file of `--export`, found the line; what it got to, where it was ended
    /// before.
    ///
    /// # Errors
    /// There is no such search, it counts load in another unit, or it found no load that is carried.
    pub(super) fn former_line(
        &self,
        context: &Context,
        unit: Unit,
        store: Option<&str>,
    ) -> Result<Option<f64>, Refusal> {
        let Some(name) = self.near.as_deref() else {
            return Ok(None);
        };
        let text = if name.ends_with(".json") {
            std::fs::read_to_string(context.working_dir.join(name))
                .map_err(|error| Refusal::unread(name, &error))?
        } else {
            let stored = Stored::open(context, store)?;
            let run = stored.store.read(stored.find(name)?);
            let run = run.map_err(|error| stored.refusal(error))?;
            let found = run.capacity_found();
            let found = found.ok_or_else(|| Refusal::config(problem::no_capacity(name)))?;
            found.to_string()
        };
        let file = CapacityFile::parse(&text)
            .map_err(|error| Refusal::config(problem::capacity_file(name, error)))?;
        if file.load_unit() != unit {
            return Err(Refusal::config(problem::capacity_unit(name)));
        }
        let line = file.line.as_ref();
        let line = line.ok_or_else(|| Refusal::config(problem::capacity_no_line(name)))?;
        let between = line.beyond.map(|beyond| (line.load * beyond).sqrt());
        let likely = line.likely.as_ref().map(|likely| likely.load);
        Ok(likely.or(between).or(Some(line.load)))
    }
}
