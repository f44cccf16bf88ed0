//! Zstandard (RFC 8878).

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::sink::{Fault, Sink};

/// Decodes frames one after the other; an empty input is no frame.
pub(super) async fn zstd(input: &[u8], sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut decoder = Decoder::new().map_err(|error| Fault::Plain(error.to_string()))?;
    let mut input = InBuffer::around(input);
    let mut wanted = 0;
    loop {
        let ended = input.pos() == input.src.len();
        if ended && wanted == 0 {
            return Ok(());
        }
        sink.make_room();
        let before = sink.out.len();
        let mut output = OutBuffer::around_pos(sink.out, before);
        let outcome = decoder.run(&mut input, &mut output);
        sink.end_step().await?;
        wanted = outcome.map_err(|error| fault(&error.to_string()))?;
        if ended && wanted != 0 && sink.out.len() == before {
            return Err(Fault::ends_too_soon());
        }
    }
}

/// Maps libzstd's texts to those of k6's library.
fn fault(text: &str) -> Fault {
    match text {
        "Unknown frame descriptor" => Fault::Broken("invalid input: magic number mismatch"),
        "Restored data doesn't match checksum" => Fault::Broken("CRC check failed"),
        "Frame requires too much memory for decoding" => Fault::Broken("window size exceeded"),
        "Dictionary mismatch" => Fault::Broken("unknown dictionary"),
        text => Fault::BrokenOnce(format!("zstd: {}", text.to_lowercase())),
    }
}
