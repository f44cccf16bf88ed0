//! How crates and modules may use each other, and the picture of it in `docs/structure.md`.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

mod cycles;
mod layers;
mod modules;
mod packages;
mod paths;
mod picture;
mod tree;
