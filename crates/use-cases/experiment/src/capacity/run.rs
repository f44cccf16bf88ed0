//! Runs a search against a runner.

use loadline_analysis::capacity::{Answer, Step};

use super::{Action, Search};
use crate::runner::Running;
use crate::window::LoadWindow;

/// SearchProgress of a search, for display.
#[derive(Debug)]
pub enum SearchProgress<'a> {
    /// A level begins.
    Begins(f64),
    /// A window is over.
    Window(&'a LoadWindow),
    /// A level is over.
    Ends(&'a Step),
}

/// Runs a search to its end: passes windows in and sets levels. If the load ends first, the
/// answer is based on the windows so far.
pub fn run_search<R: Running>(
    running: &mut R,
    search: &mut Search,
    mut report: impl FnMut(&SearchProgress<'_>),
) -> Answer {
    let mut action = search.begin();
    let mut reported = 0;
    loop {
        match action {
            Action::Load(level) => {
                running.set_level(level);
                report(&SearchProgress::Begins(level));
            }
            Action::Keep => {}
            Action::Done => break,
        }
        let Some(window) = running.next_window() else {
            search.interrupt();
            break;
        };
        report(&SearchProgress::Window(&window));
        action = search.step(&window);
        for step in &search.steps()[reported..] {
            report(&SearchProgress::Ends(step));
        }
        reported = search.steps().len();
    }
    running.set_level(0.0);
    search.answer()
}
