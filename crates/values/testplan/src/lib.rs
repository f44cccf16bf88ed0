//! The validated test plan.
//!
//! A reader of tests (k6's options, Artillery's files, flags) fills a [`draft::PlanDraft`] with
//! what was written. [`Plan::check`] turns it into a [`Plan`] whose values are valid, or into a
//! list of all mistakes. Load shapes are exact: [`Arrivals`] says when each iteration starts,
//! [`VuSteps`] how many virtual users run, both in whole nanoseconds without rounding drift.
//!
//! Elsewhere: files and their syntax (`k6`, `artillery`, `cli`), running the plan (`engine`).

mod arrivals;
pub mod draft;
pub mod executor;
mod mistake;
mod part;
mod plan;
mod requirement;
mod scenario;
mod share;
mod stripe;
mod vu_steps;

pub use arrivals::{ArrivalSpacing, Arrivals, ShapeError, Starts};
pub use executor::Executor;
pub use mistake::{PlanError, ScenarioError};
pub use plan::{Plan, ScenarioLoad, SteeredLoad};
pub use requirement::VuRequirement;
pub use scenario::Scenario;
pub use share::share_of;
pub use stripe::{Stripe, StripeError, Stripes};
pub use vu_steps::{VuStep, VuSteps};
