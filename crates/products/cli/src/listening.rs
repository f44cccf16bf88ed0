//! Addresses that servers of ours listen on: as they are typed, and why listening failed.

use std::net::SocketAddr;

use loadline_listen::{ListenError, parse_address};
use loadline_text::{Problem, problem};

/// Reads `--address` and its like. The command line's library asks for a text; what people read
/// is made from the flag's name.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    parse_address(text).map_err(|error| error.to_string())
}

/// Why nothing can listen there, and what to do.
pub(crate) fn problem(error: &ListenError) -> Problem {
    match error {
        ListenError::InUse { address } => problem::port_in_use(address),
        ListenError::NotPermitted { address } => problem::port_not_permitted(address),
        ListenError::NotHere { address } => problem::address_not_here(address),
        ListenError::Other { address, source } => problem::not_listening(address, source),
    }
}
