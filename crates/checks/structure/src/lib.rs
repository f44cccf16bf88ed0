//! Nothing but tests: crates and modules use each other in one direction, and public names
//! are the field's words. Each rule is a file in `tests/`.
