//! Any bytes are read to the end, and any cut of them gives the same counts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_sizing::history::{LogReader, TrafficHistory};
use loadline_text::{Catalog, Lang};

fn read(parts: &[&[u8]]) -> TrafficHistory {
    let mut reader = LogReader::default();
    let file = reader.begin_file("fuzz");
    for part in parts {
        reader.feed(file, part);
    }
    reader.end_file(file, false);
    reader.finish()
}

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let (head, tail) = bytes.split_at(usize::from(cut).min(bytes.len()));
    let (whole, cut) = (read(&[bytes]), read(&[head, tail]));
    assert_eq!((whole.lines, whole.requests), (cut.lines, cut.requests));
    assert_eq!(whole.troubles, cut.troubles);
    assert_eq!(whole.endpoints.len(), cut.endpoints.len());
    let left_out = whole.troubles.left_out();
    assert_eq!(whole.lines, whole.requests + left_out);
    let _ = (whole.features(), whole.mock_file(&Catalog::new(Lang::En)));
});
