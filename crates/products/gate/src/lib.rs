//! The waiting room: holds visitors in a fair queue and admits them at the rate a service
//! can carry.
//!
//! From the inside out: [`queue`] decides who waits, who is next and who is inside, and is
//! pure. [`storage`] keeps commands in one order, in files or in Redis. [`replica`] is a
//! gate's copy of the state that the commands lead to. [`tokens`] signs what visitors carry,
//! [`directory`] knows tenants, keys and queues by their [`ids`], [`gate`] puts these
//! together, and [`http`] serves it.
//!
//! It knows nothing of load tests. Their result comes in as a file: [`capacity`].

pub mod address_range;
pub mod capacity;
pub mod directory;
pub mod gate;
pub mod http;
pub mod ids;

pub mod queue;
pub mod replica;
pub mod storage;
pub mod tokens;

mod machines;

/// A random number that identifies one gate process.
///
/// # Errors
/// The system's, when it has no randomness.
pub fn draw_number() -> Result<u64, getrandom::Error> {
    getrandom::u64()
}
