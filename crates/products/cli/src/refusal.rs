//! Why a command does not start: a problem for the user, and the exit code.

use std::io;

use loadline_analysis::slo::TermError;
use loadline_session::SessionError;
use loadline_session::comparison::SharedRuns;
use loadline_text::{Catalog, Exit, Message, Problem, arguments, problem};
use loadline_units::duration::go_string;

use crate::typed_numbers::why_nothing;

/// A problem and how the program ends with it.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) problem: Problem,
    pub(crate) exit: Exit,
}

impl Refusal {
    /// Something typed or written is wrong.
    pub(crate) fn config(problem: Problem) -> Self {
        Self {
            problem,
            exit: Exit::InvalidConfig,
        }
    }

    /// Something here does not work.
    pub(crate) fn other(problem: Problem) -> Self {
        Self {
            problem,
            exit: Exit::Other,
        }
    }

    /// A file that was named and cannot be read.
    pub(crate) fn unread(path: &str, error: &io::Error) -> Self {
        Self::config(match error.kind() {
            io::ErrorKind::NotFound => problem::file_missing(path),
            io::ErrorKind::IsADirectory => problem::file_is_folder(path),
            io::ErrorKind::InvalidData => problem::file_not_text(path),
            _ => problem::file_unreadable(path, error),
        })
    }

    /// A flag whose value cannot be used.
    pub(crate) fn flag(flag: &str, value: &str, expected: &Message, catalog: &Catalog) -> Self {
        let words = catalog.text(expected);
        Self::config(match why_nothing(value, expected) {
            Some(why) => problem::option_refused(flag, value, catalog.text(&why), words),
            None => problem::option_invalid(flag, value, words),
        })
    }

    /// Sides of a comparison on which the same runs stand.
    pub(crate) fn shared_runs(shared: &SharedRuns, before: &str, after: &str) -> Self {
        Self::config(if shared.are_all {
            problem::same_runs(before, after)
        } else {
            problem::shared_runs(shared.names.join(", "), before, after)
        })
    }

    /// A goal of a flag that cannot be read, with its cause.
    pub(crate) fn goal(flag: &str, text: &str, error: &TermError, catalog: &Catalog) -> Self {
        let (why, expected) = (error.words(), arguments::expected_slo());
        let (why, expected) = (catalog.text(&why), catalog.text(&expected));
        Self::config(problem::option_refused(flag, text, why, expected))
    }

    /// Why a session did not start.
    pub(crate) fn session(error: &SessionError, catalog: &Catalog) -> Self {
        match error {
            SessionError::OpenFiles(files) => Self::config(problem::open_files(
                files.vus,
                files.needed,
                files.limit,
                files.fits,
            )),
            SessionError::WarmUpTooLong { warm_up, test } => {
                let expected = arguments::expected_shorter(go_string(*test));
                Self::flag("--warmup", &go_string(*warm_up), &expected, catalog)
            }
            SessionError::Output(error) => Self::config(problem::output_invalid(error.to_string())),
            SessionError::Engine(error) => {
                Self::other(problem::start_failed("loadline", error.to_string()))
            }
            SessionError::Thread(error) => {
                Self::other(problem::start_failed("loadline", error.to_string()))
            }
        }
    }
}
