//! Scripts of nGrinder in both languages: any text is a k6 script or refused, and what is lost has a line of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;
use loadline_ngrinder::{ScriptLang, convert};
use loadline_text::{Catalog, Lang};

/// A token is copied some times, and a text in a text is read once for each level.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 50_000,
    bytes_base: 4 << 20,
};

fuzz_target!(|text: &str| {
    let catalog = Catalog::new(Lang::En);
    let sources = [
        text.to_owned(),
        format!("import net.grinder.x\nclass A {{\n @Test void t() {{\n{text}\n}}\n}}\n"),
    ];
    for source in sources {
        for language in [ScriptLang::Groovy, ScriptLang::Jython] {
            let converted = BOUND.hold(source.len(), || convert(&source, language, &catalog));
            if let Ok(script) = converted {
                let lines = u32::try_from(source.lines().count()).unwrap_or(u32::MAX);
                assert!(script.losses.iter().all(|loss| loss.line <= lines + 1));
            }
        }
    }
});
