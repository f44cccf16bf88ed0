//! Files that one command writes and another reads: plans, capacities, studies, and results of k6 and
//! Artillery. What is read and written again is read as the same, and can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_report::capacity::file::CapacityFile;
use loadline_report::imported;
use loadline_report::tuning::file::TuningFile;
use loadline_sizing::PlanFile;
use loadline_text::{Catalog, Lang};

/// Texts of a language are kept at their first use.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 20_000,
    bytes_base: 16 << 20,
};

fuzz_target!(|text: &str| {
    if let Ok(plan) = PlanFile::parse(text) {
        let written = plan.text();
        assert_eq!(
            PlanFile::parse(&written)
                .expect("what was written is read")
                .text(),
            written
        );
    }
    let catalog = Catalog::new(Lang::En);
    BOUND.hold(text.len(), || {
        if let Ok(file) = CapacityFile::parse(text) {
            let written = file.to_json();
            assert_eq!(
                CapacityFile::parse(&written)
                    .expect("what was written is read")
                    .to_json(),
                written
            );
            assert!(!loadline_report::capacity::shown::text(&file, &catalog).is_empty());
        }
        if let Ok(file) = TuningFile::parse(text) {
            let written = file.to_json();
            assert_eq!(
                TuningFile::parse(&written)
                    .expect("what was written is read")
                    .to_json(),
                written
            );
        }
        let _ = imported::document(text, "result.json", &catalog);
    });
});
