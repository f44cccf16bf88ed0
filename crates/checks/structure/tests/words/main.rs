//! Names are words of the field: of types (in `docs/glossary.md`, or usual in programming), of constants (what and unit),
//! of functions and of files; and parameters are named, not numbered.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

mod code;
mod constants;
mod functions;
mod programming;
mod sources;
mod types;
