//! Replays the fuzz corpus: inputs that once mattered keep being read the same way however
//! they are cut up.

mod oracle;

#[test]
fn every_corpus_entry_reads_the_same_in_pieces() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/http1_response");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        oracle::check(&std::fs::read(entry.unwrap().path()).unwrap());
        seen += 1;
    }
    assert!(seen >= 40, "only {seen} entries were found");
}
