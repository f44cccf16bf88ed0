//! A run's record, made readable.
//!
//! [`k6`] shows it as k6 v1.8.1 does, byte for byte, and makes the data that
//! `handleSummary` and `--summary-export` get. Reports only read
//! [`loadline_record::Summary`]; nothing is measured or judged here.
//!
//! Elsewhere: where the text goes (`cli`), words in two languages (`text`).

pub mod k6;
