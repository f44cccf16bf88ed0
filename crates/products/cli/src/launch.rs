//! What the commands that run a test share: which kind of test a command line names
//! ([`test_kind`]), and one run of it from its announcement to its record
//! ([`launched_test`]).
//!
//! A kind of test has its own words and exit codes; those are in `commands::run`, which uses
//! this. Nothing here uses a command.

pub(crate) mod announcement;
pub(crate) mod answers;
pub(crate) mod asked_report;
mod expected_load;
pub(crate) mod fail_on;
pub(crate) mod flags_elsewhere;
pub(crate) mod follow;
pub(crate) mod foreign_file;
pub(crate) mod launch_flags;
pub(crate) mod launched_test;
pub(crate) mod observation;
pub(crate) mod once;
pub(crate) mod outputs;
pub(crate) mod plan_comparison;
pub(crate) mod problems;
pub(crate) mod recording;
pub(crate) mod repeat;
pub(crate) mod shared_targets;
pub(crate) mod test_kind;
