//! `--near`: the line of a former search, beside which this one looks first.

use loadline_analysis::capacity::Unit;
use loadline_text::problem;

use super::{CapacityArgs, NamedCapacity};
use crate::context::Context;
use crate::refusal::Refusal;

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
        let file = NamedCapacity::read(context, name, store)?.file;
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
