//! The simulated backend: a virtual clock, in-memory connections, a seeded order.
//!
//! A [`World`] holds the clock and all events to come. Servers are [`Peer`]s, which answer bytes
//! with bytes, delays and closes. Nothing happens until the test calls [`World::advance`]. Two
//! runs with the same seed are identical.

mod wire;
mod world;

pub use wire::{Peer, PeerActions};
pub(crate) use world::Endpoint;
pub use world::World;
