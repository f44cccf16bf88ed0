//! The heads of the frames that a server sends, counted as their bytes pass.
//!
//! `h2` answers or ignores control frames and tells nobody. A server that sends nothing else takes
//! a worker's time for as long as it likes, so somebody must count.

/// The length of a frame's head.
const FRAME_HEAD_BYTES: usize = 9;
/// Control frames in a row, with no part of an answer between them, after which a server is taken
/// for one that floods. Pings every ten seconds reach it in a day.
const CONTROL_FRAMES_MAX: u32 = 10_000;

const DATA: u8 = 0x0;
const HEADERS: u8 = 0x1;
/// An upload gets one for each few kilobytes, and nothing else.
const WINDOW_UPDATE: u8 = 0x8;
const CONTINUATION: u8 = 0x9;

/// The server sends control frames and no answers.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("http2: the server sent {CONTROL_FRAMES_MAX} control frames in a row")]
pub(super) struct ControlFlood;

/// Follows the frames of one direction of a connection.
#[derive(Debug, Default)]
pub(super) struct Frames {
    head: [u8; FRAME_HEAD_BYTES],
    /// Bytes of `head` that have arrived.
    in_head: usize,
    /// Bytes of the present frame that are still to come.
    payload_left: usize,
    control_in_a_row: u32,
}

impl Frames {
    /// Takes bytes that arrived, however they are split.
    ///
    /// # Errors
    /// [`ControlFlood`] at the limit.
    pub(super) fn saw(&mut self, mut bytes: &[u8]) -> Result<(), ControlFlood> {
        loop {
            let skipped = self.payload_left.min(bytes.len());
            self.payload_left -= skipped;
            bytes = &bytes[skipped..];
            if bytes.is_empty() {
                return Ok(());
            }
            let wanted = FRAME_HEAD_BYTES - self.in_head;
            let (part, rest) = bytes.split_at(wanted.min(bytes.len()));
            self.head[self.in_head..self.in_head + part.len()].copy_from_slice(part);
            self.in_head += part.len();
            bytes = rest;
            if self.in_head == FRAME_HEAD_BYTES {
                self.in_head = 0;
                self.begin_frame()?;
            }
        }
    }

    fn begin_frame(&mut self) -> Result<(), ControlFlood> {
        let [high, middle, low, kind, ..] = self.head;
        self.payload_left = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        match kind {
            DATA | HEADERS | CONTINUATION => self.control_in_a_row = 0,
            WINDOW_UPDATE => {}
            _ => self.control_in_a_row += 1,
        }
        if self.control_in_a_row > CONTROL_FRAMES_MAX {
            return Err(ControlFlood);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).unwrap().to_be_bytes();
        let mut bytes = vec![length[1], length[2], length[3], kind, 0, 0, 0, 0, 0];
        bytes.resize(FRAME_HEAD_BYTES + payload, 0xff);
        bytes
    }

    fn read(bytes: &[u8], piece: usize) -> Result<(), ControlFlood> {
        let mut frames = Frames::default();
        bytes.chunks(piece).try_for_each(|piece| frames.saw(piece))
    }

    #[test]
    fn a_flood_is_noticed_however_it_is_split() {
        let limit = CONTROL_FRAMES_MAX as usize;
        for kind in [0x2, 0x3, 0x4, 0x6, 0xbb] {
            let flood = frame(kind, 6).repeat(limit + 1);
            for piece in [1, 7, 9, 4096, flood.len()] {
                assert_eq!(read(&flood, piece), Err(ControlFlood));
                assert_eq!(read(&flood[..flood.len() - 15], piece), Ok(()));
            }
        }
    }

    #[test]
    fn answers_and_window_updates_are_no_flood() {
        let answer = [frame(0x4, 0), frame(HEADERS, 5), frame(DATA, 300)].concat();
        let many = answer.repeat(CONTROL_FRAMES_MAX as usize + 1);
        assert_eq!(read(&many, 1000), Ok(()));
        let upload = frame(WINDOW_UPDATE, 4).repeat(CONTROL_FRAMES_MAX as usize + 1);
        assert_eq!(read(&upload, 1000), Ok(()));
    }
}
