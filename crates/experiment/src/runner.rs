//! The contract between an experiment and whoever makes the load.

use loadline_analysis::capacity::{Answer, Step, Unit};
use loadline_analysis::slo::Term;

use crate::capacity::{Action, Search};
use crate::window::Window;

/// What an experiment needs of a runner.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In what levels are counted.
    pub unit: Unit,
    /// Virtual users at most.
    pub most_users: u64,
    /// How long the experiment may take in all, seconds.
    pub longest: f64,
    /// The only scenario to load; all of them, in their own mix, unless named.
    pub scenario: Option<String>,
    /// Terms whose requests windows hold apart.
    pub terms: Vec<Term>,
}

/// Makes load as an experiment asks.
pub trait Runner {
    /// Load under way.
    type Running: Running;
    /// Why it cannot be started.
    type Error;

    /// Starts, with no load.
    ///
    /// # Errors
    /// The runner's.
    fn start(&mut self, plan: &Plan) -> Result<Self::Running, Self::Error>;
}

/// Load under way.
pub trait Running {
    /// Loads the target at `level` from now on: iterations per second or users.
    fn set_level(&mut self, level: f64);

    /// Waits for the next window; `None` when there will be no more.
    fn next_window(&mut self) -> Option<Window>;

    /// Ends the load at once.
    fn stop(&mut self);
}

/// Something a person who waits wants to know.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A level begins.
    Begins(f64),
    /// A window is over.
    Window(&'a Window),
    /// A level is over.
    Ends(&'a Step),
}

/// Carries a search through: windows in, levels out. When the load ends by itself the
/// search is answered with what it has.
pub fn carry_out<R: Running>(
    running: &mut R,
    search: &mut Search,
    mut tell: impl FnMut(&Progress<'_>),
) -> Answer {
    let mut action = search.begin();
    let mut told = 0;
    loop {
        match action {
            Action::Load(level) => {
                running.set_level(level);
                tell(&Progress::Begins(level));
            }
            Action::Keep => {}
            Action::Done => break,
        }
        let Some(window) = running.next_window() else {
            search.interrupt();
            break;
        };
        tell(&Progress::Window(&window));
        action = search.step(&window);
        for step in &search.steps()[told..] {
            tell(&Progress::Ends(step));
        }
        told = search.steps().len();
    }
    running.set_level(0.0);
    search.answer()
}
