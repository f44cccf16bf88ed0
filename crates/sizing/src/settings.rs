//! First settings of a Spring Boot application on Tomcat with HikariCP, each with the
//! formula that leads to it.
//!
//! They are where tuning starts, not where it ends: formulas know nothing of what a
//! request does. Threads are in [`threads`], connections in [`pool`], memory in
//! [`memory`], what HTTP servers and clients wait in [`http`].

mod http;
mod memory;
mod pool;
mod threads;

use crate::error::SizingError;
use crate::figure::PlanFigure;
use crate::inputs::PlanInputs;
use crate::people::People;

/// Where a setting goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingScope {
    /// `application.yml`.
    Application,
    /// The JVM's flags.
    Jvm,
}

/// A setting, its value, and the figure it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Where it goes.
    pub place: SettingScope,
    /// Its name, with dots.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// Where the value comes from, for the line's end: formula and source.
    pub reason: String,
}

/// Settings for a number of instances.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsBlock {
    /// How many instances share the load and the database.
    pub instances: f64,
    /// The figures that led to them.
    pub figures: Vec<PlanFigure>,
    /// The settings, in the order they are pasted.
    pub settings: Vec<Setting>,
}

/// What one block is made from.
pub(crate) struct Case<'a> {
    pub(crate) inputs: &'a PlanInputs,
    /// Requests per second at the peak that reach one instance, if known.
    pub(crate) peak: Option<f64>,
    pub(crate) instances: f64,
    pub(crate) cores: f64,
}

impl Case<'_> {
    /// An id that is the same whatever the number of instances, but unique among blocks.
    pub(crate) fn id(&self, name: &str) -> String {
        format!("{name}@{}", self.instances)
    }
}

/// Whether anything was given that only settings need.
pub(crate) fn is_asked(inputs: &PlanInputs) -> bool {
    inputs.service_time.is_some()
        || inputs.memory.is_some()
        || inputs.db_max_connections.is_some()
        || !inputs.instances.is_empty()
}

/// A block for each number of instances; none when the cores are not known.
pub(crate) fn blocks(
    inputs: &PlanInputs,
    people: Option<&People>,
) -> Result<Vec<SettingsBlock>, SizingError> {
    let Some(cores) = inputs.cores else {
        return Ok(Vec::new());
    };
    let one = [1.0];
    let counts = if inputs.instances.is_empty() {
        &one[..]
    } else {
        &inputs.instances
    };
    let each = counts.iter().map(|&instances| {
        let case = Case {
            inputs,
            peak: people.map(|people| people.peak / instances),
            instances,
            cores,
        };
        block(&case)
    });
    each.collect()
}

fn block(case: &Case<'_>) -> Result<SettingsBlock, SizingError> {
    let mut block = SettingsBlock {
        instances: case.instances,
        figures: Vec::new(),
        settings: Vec::new(),
    };
    let threads = threads::add(case, &mut block);
    http::add(case, threads, &mut block);
    pool::add(case, threads, &mut block);
    memory::add(case, threads, &mut block)?;
    Ok(block)
}
