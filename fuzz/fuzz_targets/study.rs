//! Study files and their journals, from which files of a target are put back: any text is a study or
//! mistakes with a place; a journal that was cut off says what its whole lines say.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_knobs::{journal, study};

/// The library keeps a dozen events; each mistake is a message of a few parts.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 20_000,
    bytes_base: 1 << 20,
};

fuzz_target!(|text: &str| {
    let folder = Path::new("/nonexistent");
    match BOUND.hold(text.len(), || study::read(text, "study", folder)) {
        Ok(file) => assert!(!file.knobs.is_empty()),
        Err(mistakes) => {
            // A carriage return alone ends a line of YAML, too.
            let lines = text.split(['\n', '\r']).count();
            let lines = u32::try_from(lines).unwrap_or(u32::MAX);
            assert!(!mistakes.is_empty());
            let is_within = |line: u32| line >= 1 && line <= lines.max(1) + 1;
            assert!(
                mistakes.iter().all(|mistake| is_within(mistake.line)),
                "{mistakes:?}"
            );
        }
    }
    if let Ok((state, is_over)) = BOUND.hold(text.len(), || journal::read(text)) {
        let cut = format!(
            "{}{{\"entry\":\"trial_en",
            text.get(..text.rfind('\n').map_or(0, |end| end + 1))
                .unwrap_or_default()
        );
        let (same, still) = journal::read(&cut).expect("the whole lines were read");
        assert_eq!((same, still), (state, is_over));
    }
});
