//! Reports on a run's record.
//!
//! [`k6`] shows it as k6 does, byte for byte, and makes the data that
//! `handleSummary` and `--summary-export` get. [`url`] is our own summary, of URL runs,
//! and [`health`] the lines about the generator; [`verdict`] is the line that comes before
//! all others, [`warm_up`] the line about a warm-up, [`series`] the table over
//! repetitions, [`artillery`] Artillery's console and result file. [`problems`] turns
//! mistakes in thresholds and plans into problems for the user. [`plan`] shows a load plan and
//! compares a run with it; [`tracing`] tells what traces cost, [`capacity`] shows the result of a capacity search. Reports only
//! read [`loadline_record::Summary`]; nothing is measured or judged here.
//!
//! Elsewhere: where the text goes (`cli`), the words themselves (`text`).

pub mod accounting;
pub mod answers;
pub mod arrivals;
pub mod artillery;
mod bodies;
pub mod capacity;
pub mod comparison;
pub mod document;
pub mod explanation;
pub mod facts;
mod filled_column;
pub mod goals;
mod grid;
pub mod health;
pub mod history;
pub mod imported;
pub mod k6;
pub mod matrix;
mod numbers;
pub mod plan;
pub mod planned_load;
pub mod preflight;
pub mod problems;
pub mod rounds;
pub mod run;
pub mod runs;
pub mod series;
pub mod sources;
mod table;
mod telling_interval;
pub mod tracing;
pub mod tuning;
pub mod url;
pub mod verdict;
pub mod warm_up;
