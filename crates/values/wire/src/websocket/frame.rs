//! One frame: parsing its head, and writing it masked.

/// The longest payload of a control frame, in bytes.
pub const LONGEST_CONTROL: usize = 125;

/// The type of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opcode {
    /// The continuation of a message.
    Continuation,
    /// A text message, or its start.
    Text,
    /// A binary message, or its start.
    Binary,
    /// A close.
    Close,
    /// A ping, which asks for a pong.
    Ping,
    /// Answers a ping.
    Pong,
    /// An undefined type.
    Other(u8),
}

impl From<u8> for Opcode {
    fn from(number: u8) -> Self {
        match number {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            other => Self::Other(other),
        }
    }
}

impl Opcode {
    const fn number(self) -> u8 {
        match self {
            Self::Continuation => 0,
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
            Self::Other(number) => number & 0x0f,
        }
    }

    pub(super) const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// Appends a whole frame with this payload, masked with `mask`. `compressed` sets the bit for
/// compressed payloads.
pub fn write_frame(
    out: &mut Vec<u8>,
    opcode: Opcode,
    compressed: bool,
    mask: [u8; 4],
    payload: &[u8],
) {
    out.reserve(payload.len() + 14);
    let reserved = if compressed { 0x40 } else { 0 };
    out.push(0x80 | reserved | opcode.number());
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ ..=125), _) => out.push(0x80 | length),
        (_, Ok(length)) => {
            out.push(0x80 | 126);
            out.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            out.push(0x80 | 127);
            out.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(&mask);
    let start = out.len();
    out.extend_from_slice(payload);
    let mut words = out[start..].chunks_exact_mut(4);
    for word in &mut words {
        for (byte, mask) in word.iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }
    for (byte, mask) in words.into_remainder().iter_mut().zip(mask) {
        *byte ^= mask;
    }
}

/// The head of a frame from a server. A mask, which servers may not use, is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) fin: bool,
    pub(super) reserved: [bool; 3],
    pub(super) opcode: Opcode,
    pub(super) masked: bool,
    pub(super) length: u64,
}

/// Parses heads, however they are split.
#[derive(Debug, Default)]
pub(super) struct HeadReader {
    bytes: [u8; 10],
    have: usize,
}

impl HeadReader {
    /// How many bytes were taken, and the head once it is complete.
    pub(super) fn read(&mut self, input: &[u8]) -> (usize, Option<Head>) {
        let mut used = 0;
        while self.have < self.wanted() {
            let Some(byte) = input.get(used) else {
                return (used, None);
            };
            self.bytes[self.have] = *byte;
            self.have += 1;
            used += 1;
        }
        self.have = 0;
        (used, Some(self.head()))
    }

    fn wanted(&self) -> usize {
        if self.have < 2 || self.bytes[1] & 0x80 != 0 {
            // A masked frame is an error before its length matters.
            return 2;
        }
        match self.bytes[1] & 0x7f {
            126 => 4,
            127 => 10,
            _ => 2,
        }
    }

    fn head(&self) -> Head {
        let [first, second, rest @ ..] = self.bytes;
        let masked = second & 0x80 != 0;
        let length = match second & 0x7f {
            126 if !masked => u64::from(u16::from_be_bytes([rest[0], rest[1]])),
            127 if !masked => u64::from_be_bytes(rest),
            short => u64::from(short),
        };
        Head {
            fin: first & 0x80 != 0,
            reserved: [0x40, 0x20, 0x10].map(|bit| first & bit != 0),
            opcode: Opcode::from(first & 0x0f),
            masked,
            length,
        }
    }
}
