//! For tests only: a deterministic HTTP test server that can also misbehave, and the comparison of k6 scripts.
//!
//! `server` answers the same request the same way on every machine and counts what it was asked. `corpus` runs the
//! scripts of `tests/k6/scripts` under a binary, records what k6 did and says where another binary differs. `documents`
//! has the commands that READMEs and guides show. `attacks` are servers that flood, bomb and stall.
//! Nothing here knows how loadline works inside: the binary under test is a path.

pub mod artillery;
pub mod attacks;
pub mod compatibility;
pub mod corpus;
pub mod documents;
pub mod server;
mod source_hash;
