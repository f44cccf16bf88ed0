//! The simulated backend: a virtual clock, in-memory connections, a seeded order.
//!
//! A [`World`] holds the clock and everything that will happen on it. Servers are
//! [`Peer`]s that answer bytes with bytes, delays and endings. Nothing happens until the
//! test's driver calls [`World::advance`]; two runs with one seed are the same run.

mod wire;
mod world;

pub use wire::{Peer, PeerActions};
pub(crate) use world::Endpoint;
pub use world::World;
