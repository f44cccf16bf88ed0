//! `--out`: where samples go besides the summary, and what is said about it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_outputs::{ConfigError, OutputConfig, OutputReport};
use loadline_record::Redactor;
use loadline_session::{OutputsRequest, SPOOL_MAX};
use loadline_text::{Catalog, Message, grouped, messages};

use crate::context::Context;
use crate::live::LiveMode;
use crate::output_notice::moment;

/// What is typed about outputs.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputFlags {
    /// Each `--out` as typed.
    pub(crate) outs: Vec<String>,
    /// Most bytes that wait for one output, if typed.
    pub(crate) spool_max: Option<u64>,
    /// Variables in place of the process's.
    pub(crate) variables: Option<BTreeMap<String, String>>,
}

/// `1MiB`, `500MB`, `2GiB`, or a number of bytes.
pub(crate) fn size(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 7] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("B", 1),
    ];
    let text = text.trim();
    let found = UNITS.iter().find_map(|(unit, bytes)| {
        let number = text.strip_suffix(unit)?;
        Some((number.trim(), *bytes))
    });
    let (number, bytes) = found.unwrap_or((text, 1));
    let size = number.parse::<u64>().ok()?.checked_mul(bytes)?;
    (size >= 64 * 1024).then_some(size)
}

/// Reads what is typed; `None` when there are no outputs.
///
/// # Errors
/// The first output that cannot be.
pub(crate) fn request(
    context: &Context,
    flags: &OutputFlags,
    system_tags: Option<Vec<String>>,
    redactor: Redactor,
) -> Result<Option<Arc<OutputsRequest>>, ConfigError> {
    let variables = flags.variables.as_ref().unwrap_or(&context.env);
    let outs = flags.outs.iter().filter(|out| !out.is_empty());
    let configs = outs
        .map(|out| OutputConfig::read(out, variables))
        .collect::<Result<Vec<_>, _>>()?;
    if configs.is_empty() {
        return Ok(None);
    }
    Ok(Some(Arc::new(OutputsRequest {
        configs,
        redactor,
        system_tags,
        spool_max: flags.spool_max.unwrap_or(SPOOL_MAX),
        spool_dir: spool_dir(context),
        working_dir: context.working_dir.clone(),
        environment: context.env.clone(),
        stdout: || Box::new(std::io::stdout()) as Box<dyn Write + Send>,
        wall_clock: context.wall_clock,
    })))
}

/// How a run with these outputs is shown: samples on standard output leave no whole screen.
pub(crate) fn live_mode(outputs: Option<&OutputsRequest>, asked: LiveMode) -> LiveMode {
    let is_mixed =
        outputs.is_some_and(|outputs| outputs.configs.iter().any(OutputConfig::is_stdout));
    if is_mixed { LiveMode::Lines } else { asked }
}

/// A folder on disk: `/tmp` may be memory.
fn spool_dir(context: &Context) -> PathBuf {
    let named = context.env.get("TMPDIR").filter(|dir| !dir.is_empty());
    match named {
        Some(dir) => PathBuf::from(dir),
        None if Path::new("/var/tmp").is_dir() => PathBuf::from("/var/tmp"),
        None => PathBuf::from("/tmp"),
    }
}

/// What of the samples did not get where they should, one by one; nothing when all did.
pub(crate) fn loss_lines(reports: &[OutputReport], catalog: &Catalog) -> Vec<String> {
    let count = |count: u64| grouped(count as f64, 0);
    let mut lines: Vec<Message> = Vec::new();
    for report in reports {
        let output = &report.output;
        if let Some((from, until)) = report.replaced_between {
            let replaced = count(report.replaced);
            let message = messages::output_replaced(output, replaced, moment(from), moment(until));
            lines.push(message);
        }
        if report.refused > 0 {
            let why = report.refusal.clone().unwrap_or_default();
            lines.push(messages::output_refused(output, count(report.refused), why));
        }
        if report.unsent_samples > 0 || report.unsent_windows > 0 {
            let (samples, windows) = (count(report.unsent_samples), count(report.unsent_windows));
            lines.push(messages::output_unsent(output, samples, windows));
        }
        if report.unreadable > 0 {
            lines.push(messages::output_unreadable(
                output,
                count(report.unreadable),
            ));
        }
    }
    lines.iter().map(|message| catalog.text(message)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_are_not_too_small_to_be_of_use() {
        for (text, bytes) in [
            ("1MiB", 1 << 20),
            ("2 GiB", 2 << 30),
            ("500MB", 500_000_000),
            ("100000", 100_000),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for wrong in ["", "1", "MiB", "-1MiB", "1XB", "99999999999GiB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_missing_is_said_and_nothing_else() {
        let catalog = Catalog::new(loadline_text::Lang::En);
        let whole = OutputReport {
            output: "json (a)".to_owned(),
            points: 5,
            ..OutputReport::default()
        };
        let replaced = OutputReport {
            output: "InfluxDBv1 (x)".to_owned(),
            replaced: 12_345,
            replaced_between: Some((1_000_000_000, 3_500_000_000)),
            ..OutputReport::default()
        };
        let said = loss_lines(&[whole, replaced], &catalog);
        assert_eq!(said.len(), 1);
        assert!(
            said[0].contains("12,345") && said[0].contains("00:00:03.500Z"),
            "{said:?}"
        );
    }
}
