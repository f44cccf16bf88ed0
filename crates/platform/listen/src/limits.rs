//! What one server may be made to hold, and for how long.

use std::time::Duration;

/// Bounds of one server. Each field is a bound that a client can run into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once; further ones wait in the kernel's accept queue.
    pub connections: usize,
    /// From so many open connections on, idle ones are told to go when another one comes.
    pub shed_at: usize,
    /// Length of the kernel's accept queue, cut by the kernel to its own maximum.
    pub backlog: u32,
    /// Bytes of a request head (request line and headers), at least 8 KiB; more is answered 431.
    pub head_bytes: usize,
    /// Bytes of a request body that an extractor reads; more is answered 413.
    pub body_bytes: usize,
    /// How long a connection may take to send the next request head, counted
    /// from when it was opened or last answered; after that it is closed.
    pub idle: Duration,
    /// How long requests in flight may take to finish once the server is told to stop.
    pub drain: Duration,
    /// Bytes that the kernel keeps each way for a connection: of answers that a client does not
    /// read, and of requests that are not read yet; `None` leaves it to the kernel (megabytes).
    pub socket_buffer: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 65_536,
            shed_at: usize::MAX,
            backlog: 4_096,
            head_bytes: 64 * 1024,
            body_bytes: 1024 * 1024,
            idle: Duration::from_secs(75),
            drain: Duration::from_secs(5),
            socket_buffer: None,
        }
    }
}
