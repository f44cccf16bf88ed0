//! k6's end-of-test summaries, as k6 prints and exports them.
//!
//! Widths, roundings and even slips are kept, because people and programs compare and
//! parse these texts. Metrics that k6 does not know are left out.

mod blocks;
mod collate;
mod columns;
mod compact;
mod json;
mod legacy;
mod machine;
mod names;
mod number;
mod options;
mod shown;
mod style;

pub use json::{Tty, handle_summary_data, summary_export};
pub use legacy::{LegacyError, LegacyOptions, text_summary};
pub use machine::{MachineFacts, machine_readable, machine_readable_text};
pub use names::for_terminal;
pub use number::{js_number, to_fixed};
pub use options::{SummaryDetail, SummaryOptions, TimeUnit, TrendStat, TrendStatError};

use loadline_record::Summary;

/// The summary as k6 prints it at the end of a run, with the empty lines around it.
#[must_use]
pub fn text(summary: &Summary, mode: SummaryDetail, options: &SummaryOptions) -> String {
    let body = match mode {
        SummaryDetail::Compact | SummaryDetail::Full => {
            compact::render(&blocks::Report::new(summary, mode, options), options)
        }
        SummaryDetail::Legacy => legacy::of_summary(summary, options),
    };
    format!("\n{body}\n\n")
}

#[cfg(test)]
mod tests;
