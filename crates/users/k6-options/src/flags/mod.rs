//! The flags of `k6 run`, as data and as a parser.
//!
//! [`TABLE`] lists every flag with its type, default, help and effect. [`parse`] reads
//! arguments by the rules of k6's own flag library: `--vus=5`, `--vus 5`, `-u5`, `-u 5`,
//! `-u=5`, combined switches (`-qw`), flags before and after the script, `--` to end them.
//! [`RunFlags::resolve`] adds the environment variables that stand for flags.

mod csv;
mod error;
mod log_output;
mod parse;
mod read;
mod runtime;
mod spec;
mod table;
mod traces_output;

pub use error::FlagError;
pub use log_output::{LogOutput, LokiSettings};
pub use parse::{ParsedFlags, given};
pub use read::{ParsedArguments, RunFlags, parse, parse_with};
pub use runtime::{CompatibilityMode, LogFormat, Runtime, SummaryMode};
pub use spec::{FlagGroup, FlagKind, FlagSpec, FlagStatus};
pub use table::{TABLE, VERSION_FLAG};
pub use traces_output::check_traces_output;
