//! gzip and zlib: deflate and the frames around it.
//!
//! The frames are parsed here and not by the deflate library, so that each error has Go's text.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::sink::{Fault, Sink};

const GZIP_HEADER: Fault = Fault::Broken("gzip: invalid header");

/// Decodes gzip members one after the other.
pub(super) async fn gzip(input: &[u8], sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut rest = gzip_header(input).map_err(|fault| match fault {
        // k6 parses the first header when it makes the decoder, and so reports it differently.
        Fault::Plain(_) if input.is_empty() => Fault::BrokenOnce("EOF".to_owned()),
        Fault::Plain(text) => Fault::BrokenOnce(text),
        fault => fault,
    })?;
    let mut inflater = Decompress::new(false);
    loop {
        let mut crc = Crc::new();
        rest = inflate(&mut inflater, rest, sink, |bytes| crc.update(bytes)).await?;
        let (trailer, after) = split(rest, 8)?;
        let expected = [crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat();
        if trailer != expected {
            return Err(Fault::Broken("gzip: invalid checksum"));
        }
        if after.is_empty() {
            return Ok(());
        }
        rest = gzip_header(after)?;
        inflater.reset(false);
    }
}

/// Parses a member's header; returns the rest.
fn gzip_header(input: &[u8]) -> Result<&[u8], Fault> {
    const HAS_CRC: u8 = 2;
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    const HAS_COMMENT: u8 = 16;
    let (fixed, mut rest) = split(input, 10)?;
    if fixed[..3] != [0x1f, 0x8b, 8] {
        return Err(GZIP_HEADER);
    }
    let flags = fixed[3];
    if flags & HAS_EXTRA != 0 {
        let (length, after) = split(rest, 2)?;
        let length = u16::from_le_bytes([length[0], length[1]]);
        rest = split(after, usize::from(length))?.1;
    }
    for flag in [HAS_NAME, HAS_COMMENT] {
        if flags & flag != 0 {
            rest = skip_text(rest)?;
        }
    }
    if flags & HAS_CRC != 0 {
        let head = &input[..input.len() - rest.len()];
        let (found, after) = split(rest, 2)?;
        let mut crc = Crc::new();
        crc.update(head);
        if found != &crc.sum().to_le_bytes()[..2] {
            return Err(GZIP_HEADER);
        }
        rest = after;
    }
    Ok(rest)
}

/// Skips a text that ends in zero and is within Go's length limit.
fn skip_text(input: &[u8]) -> Result<&[u8], Fault> {
    const TEXT_BYTES_MAX: usize = 512;
    let searched = &input[..input.len().min(TEXT_BYTES_MAX)];
    match searched.iter().position(|&b| b == 0) {
        Some(end) => Ok(&input[end + 1..]),
        None if searched.len() < TEXT_BYTES_MAX => Err(Fault::ends_too_soon()),
        None => Err(GZIP_HEADER),
    }
}

/// Decodes a zlib stream; ignores what follows it.
pub(super) async fn zlib(input: &[u8], sink: &mut Sink<'_>) -> Result<(), Fault> {
    const HAS_DICTIONARY: u8 = 0x20;
    let [method, flags, rest @ ..] = input else {
        return Err(Fault::BrokenOnce("unexpected EOF".to_owned()));
    };
    let both = u16::from_be_bytes([*method, *flags]);
    if method & 0x0f != 8 || method >> 4 > 7 || both % 31 != 0 {
        return Err(Fault::Broken("zlib: invalid header"));
    }
    let mut rest = rest;
    if flags & HAS_DICTIONARY != 0 {
        let (id, after) =
            split(rest, 4).map_err(|_| Fault::BrokenOnce("unexpected EOF".to_owned()))?;
        // Only the empty dictionary is supported.
        if id != [0, 0, 0, 1] {
            return Err(Fault::Broken("zlib: invalid dictionary"));
        }
        rest = after;
    }
    let mut checksum = Adler32::default();
    let mut inflater = Decompress::new(false);
    rest = inflate(&mut inflater, rest, sink, |bytes| checksum.update(bytes)).await?;
    let (found, _) = split(rest, 4)?;
    if found != checksum.sum().to_be_bytes() {
        return Err(Fault::Broken("zlib: invalid checksum"));
    }
    Ok(())
}

/// Decodes one deflate stream; returns the rest. `checked` takes each step's output.
async fn inflate<'i>(
    inflater: &mut Decompress,
    input: &'i [u8],
    sink: &mut Sink<'_>,
    mut checked: impl FnMut(&[u8]),
) -> Result<&'i [u8], Fault> {
    let start = inflater.total_in();
    let mut at = 0;
    loop {
        sink.make_room();
        let before = sink.out.len();
        let status = inflater.decompress_vec(&input[at..], sink.out, FlushDecompress::None);
        let taken = inflater.total_in() - start;
        at = usize::try_from(taken).expect("no more is taken than there is");
        checked(&sink.out[before..]);
        let is_longer = sink.out.len() > before;
        sink.end_step().await?;
        match status {
            Ok(Status::StreamEnd) => return Ok(&input[at..]),
            Ok(_) if at == input.len() && !is_longer => {
                return Err(Fault::ends_too_soon());
            }
            Ok(_) => {}
            Err(_) => {
                let text = format!("flate: corrupt input before offset {taken}");
                return Err(Fault::Plain(text));
            }
        }
    }
}

fn split(input: &[u8], at: usize) -> Result<(&[u8], &[u8]), Fault> {
    input.split_at_checked(at).ok_or_else(Fault::ends_too_soon)
}

/// The checksum of RFC 1950.
struct Adler32 {
    low: u32,
    high: u32,
}

impl Default for Adler32 {
    fn default() -> Self {
        Self { low: 1, high: 0 }
    }
}

impl Adler32 {
    const ADLER_MODULUS: u32 = 65521;
    /// Sums over this many bytes do not overflow 32 bits (zlib's NMAX).
    const BYTES_PER_SUM: usize = 5552;

    fn update(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(Self::BYTES_PER_SUM) {
            for &byte in piece {
                self.low += u32::from(byte);
                self.high += self.low;
            }
            self.low %= Self::ADLER_MODULUS;
            self.high %= Self::ADLER_MODULUS;
        }
    }

    fn sum(&self) -> u32 {
        self.high << 16 | self.low
    }
}
