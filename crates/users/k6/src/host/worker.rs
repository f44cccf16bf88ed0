//! What the users of one worker share for the network.

use std::rc::Rc;

use loadline_net::{AgentContext, Network};

/// The way to the network of one worker, kept as host state by users that run on it.
pub(crate) struct WorkerNetwork {
    pub(crate) network: Network,
    pub(crate) agents: Rc<AgentContext>,
}

impl WorkerNetwork {
    /// Random bytes, for what must not be guessed twice.
    pub(crate) fn fill_random(&self, bytes: &mut [u8]) {
        fill_random(bytes);
    }
}

/// Random bytes from the system.
pub(crate) fn fill_random(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the system's random numbers cannot be read");
}
