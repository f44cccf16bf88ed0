//! What a client does with the body of a response.

/// What happens to a response's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyMode {
    /// It is kept, up to a limit; a longer one fails the exchange (1702).
    Keep {
        /// The limit in bytes.
        limit: u64,
    },
    /// It is read and discarded, in constant memory.
    Discard,
    /// The start of an answer with status 400 or more is kept; everything else is read and
    /// discarded.
    BeginningOfFailures {
        /// How many bytes are kept.
        most: usize,
    },
    /// The start of any answer is kept; the rest is read and discarded.
    Beginning {
        /// How many bytes are kept.
        most: usize,
    },
}

impl BodyMode {
    /// The default limit of kept bodies: 64 MiB.
    pub const DEFAULT_LIMIT: u64 = 64 * 1024 * 1024;

    pub(crate) fn limit(self) -> u64 {
        match self {
            Self::Keep { limit } => limit,
            Self::Discard | Self::BeginningOfFailures { .. } | Self::Beginning { .. } => u64::MAX,
        }
    }

    pub(crate) fn keeps(self) -> bool {
        matches!(self, Self::Keep { .. })
    }

    /// Adds what is to be kept of a piece of the body of an answer with this status.
    pub(crate) fn take(self, status: u16, body: &mut Vec<u8>, piece: &[u8]) {
        match self {
            Self::Keep { .. } => body.extend_from_slice(piece),
            Self::BeginningOfFailures { most } if status >= 400 => begin(body, piece, most),
            Self::Beginning { most } => begin(body, piece, most),
            Self::Discard | Self::BeginningOfFailures { .. } => {}
        }
    }
}

/// Adds a piece as far as there is room.
fn begin(body: &mut Vec<u8>, piece: &[u8], most: usize) {
    let room = most.saturating_sub(body.len());
    body.extend_from_slice(&piece[..piece.len().min(room)]);
}

impl Default for BodyMode {
    fn default() -> Self {
        Self::Keep {
            limit: Self::DEFAULT_LIMIT,
        }
    }
}
