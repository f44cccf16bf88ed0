//! The screen of a run that goes on.
//!
//! A [`LiveView`] holds what is known, [`draw`] puts it on a terminal of any size: what matters
//! most stays longest as the window shrinks. Nothing here reads a clock, a key or a file.
//!
//! Elsewhere: who fills the view and owns the terminal (`cli`), the words (`text`).

mod area;
mod draw;
mod figures;
mod history;
mod theme;
mod view;

pub use draw::draw;
pub use figures::cut;
pub use history::{LiveHistory, SecondFigures};
pub use theme::ColorMode;
pub use view::{
    FailureView, GoalView, LatencyView, LiveState, LiveView, LoadView, ScenarioView, WindowFigures,
};
