//! What people read, in English and Korean.
//!
//! Other crates say *what* happened with a [`Message`] or a [`Problem`]; a [`Catalog`]
//! finds the words. Sentences are built with fixed nouns around their arguments, so
//! that Korean particles never depend on one. Exit codes stand here too, because they
//! are the shortest thing a run says.

pub mod answers;
pub mod arguments;
pub mod capacity;
mod catalog;
pub mod doubt;
pub mod evidence;
mod exit;
pub mod explain;
pub mod findings;
mod foreign;
pub mod gate;
pub mod generator;
pub mod glossary;
pub mod help;
mod lang;
pub mod lint;
pub mod matrix;
mod message;
pub mod messages;
pub mod modules;
pub mod ngrinder;
mod number;
pub mod observe;
pub mod pages;
pub mod phrase;
pub mod plan;
pub mod problem;
pub mod records;
pub mod report;
pub mod rounds;
pub mod screen;
mod shell;
pub mod testbed;
pub mod tracing;
pub mod tune;
pub mod verdicts;

pub use catalog::Catalog;
pub use exit::{Dialect, Exit};
pub use lang::Lang;
pub use message::Message;
pub use number::{counted, grouped, latency, millis, percent, significant, significant_decimals};
pub use problem::{Code, Location, Problem, ProblemClass};
pub use shell::{shell_quoted, shell_word};
