//! First settings of a Spring Boot application with Tomcat and HikariCP, with their formulas.
//!
//! They are a starting point for tuning: the formulas do not know what a request does. Threads
//! are in [`threads`], connections in [`pool`], memory in [`memory`], timeouts of HTTP servers
//! and clients in [`http`].

mod http;
mod memory;
mod pool;
mod threads;

use loadline_text::Message;

use crate::error::SizingError;
use crate::figure::PlanFigure;
use crate::inputs::PlanInputs;
use crate::people::People;

/// The file of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingScope {
    /// `application.yml`.
    Application,
    /// The JVM's flags.
    Jvm,
}

/// A setting and its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its file.
    pub place: SettingScope,
    /// Its name, with dots.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// The formula, its source and what else speaks for it, for a comment at the end of the line.
    pub reasons: Vec<Message>,
}

/// Settings for a number of instances.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsBlock {
    /// How many instances share the load and the database.
    pub instances: f64,
    /// The figures that they follow from.
    pub figures: Vec<PlanFigure>,
    /// The settings, in the order of the file.
    pub settings: Vec<Setting>,
}

/// The inputs of one block.
pub(crate) struct Case<'a> {
    pub(crate) inputs: &'a PlanInputs,
    /// The peak rate of one instance in requests per second, if known.
    pub(crate) peak: Option<f64>,
    pub(crate) instances: f64,
    pub(crate) cores: f64,
}

impl Case<'_> {
    /// An id that is unique among the blocks; the part before `@` does not depend on the number
    /// of instances.
    pub(crate) fn id(&self, name: &str) -> String {
        format!("{name}@{}", self.instances)
    }
}

/// Whether there is any input that only settings need.
pub(crate) fn is_asked(inputs: &PlanInputs) -> bool {
    inputs.service_time.is_some()
        || inputs.memory.is_some()
        || inputs.db_max_connections.is_some()
        || !inputs.instances.is_empty()
}

/// One block for each number of instances; none if the cores are not known.
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
