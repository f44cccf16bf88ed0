//! What records say.
//!
//! [`compare`] tells whether one system is better than another, by how much, or that it
//! cannot be told. Everything here is a pure function of measured numbers.
//!
//! Elsewhere: where the numbers come from (`store`), how findings look (`report`).

pub mod compare;
mod student;
