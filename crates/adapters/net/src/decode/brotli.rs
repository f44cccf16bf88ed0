//! Brotli (RFC 7932), without its large-window extension.

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};

use super::sink::{Fault, Sink};

/// Decodes a Brotli stream.
pub(super) async fn brotli(input: &[u8], sink: &mut Sink<'_>) -> Result<(), Fault> {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    state.large_window = false;
    let (mut left, mut at) = (input.len(), 0);
    let mut written = 0;
    loop {
        let from = sink.out.len();
        sink.make_room();
        // Clears no more than was written before, whatever the buffer's capacity.
        let mut room = (sink.out.capacity() - from).min(from.max(Sink::STEP_BYTES_MIN));
        sink.out.resize(from + room, 0);
        let mut to = from;
        let result = BrotliDecompressStream(
            &mut left,
            &mut at,
            input,
            &mut room,
            &mut to,
            sink.out,
            &mut written,
            &mut state,
        );
        sink.out.truncate(to);
        sink.end_step().await?;
        match result {
            BrotliResult::ResultSuccess if left == 0 => return Ok(()),
            BrotliResult::ResultSuccess => return Err(broken("excessive input")),
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::NeedsMoreInput => return Err(Fault::ends_too_soon()),
            BrotliResult::ResultFailure => {
                let name = format!("{:?}", state.error_code);
                let name = name
                    .trim_start_matches("BROTLI_DECODER_ERROR_")
                    .trim_start_matches("FORMAT_")
                    .trim_start_matches("ALLOC_");
                return Err(broken(name));
            }
        }
    }
}

fn broken(what: &str) -> Fault {
    Fault::BrokenOnce(format!("brotli: {what}"))
}
