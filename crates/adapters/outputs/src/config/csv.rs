//! `csv=FILE` or `csv=fileName=...,saveInterval=...,timeFormat=...`, and `K6_CSV_*`.

use std::collections::BTreeMap;

use super::fields::{Env, duration};
use super::{FileName, OutputKind};
use crate::files::TimeFormat;

/// The default file name (k6's).
const FILE: &str = "file.csv";

pub(super) fn read(
    argument: &str,
    environment: &BTreeMap<String, String>,
) -> Result<OutputKind, String> {
    let env = Env(environment);
    let mut file = env.text("K6_CSV_FILENAME").unwrap_or(FILE);
    let mut format = env.text("K6_CSV_TIME_FORMAT").unwrap_or("unix");
    // Only validated: lines are written when windows end.
    env.duration("K6_CSV_SAVE_INTERVAL")?;
    if !argument.is_empty() && !argument.contains('=') {
        file = argument;
    } else if !argument.is_empty() {
        for pair in argument.split(',') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            if value.is_empty() {
                return Err(format!(
                    "couldn't parse {argument:?} as argument for csv output"
                ));
            }
            match key {
                "saveInterval" => drop(duration(key, value)?),
                "fileName" => file = value,
                "timeFormat" => format = value,
                _ => return Err(format!("unknown key {key:?} as argument for csv output")),
            }
        }
    }
    Ok(OutputKind::Csv {
        file: FileName::from(file),
        format: TimeFormat::named(format)
            .ok_or_else(|| format!("{format} does not belong to TimeFormat values"))?,
    })
}
