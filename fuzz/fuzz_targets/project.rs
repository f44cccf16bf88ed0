//! `loadline.yaml`: any text is settings or a mistake; without its orders none is left.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::MemoryBound;

#[path = "../../crates/products/cli/src"]
mod cli {
    pub mod project;
}

use cli::project;

/// The library keeps events, anchors and paths of what it reads.
const BOUND: MemoryBound = MemoryBound {
    bytes_each: 20_000,
    bytes_base: 4 << 20,
};

fuzz_target!(|text: &str| {
    let read = BOUND.hold(text.len(), || project::Project::read(text));
    match read {
        Ok(project) => {
            let named = project.named_in(&[text]).len();
            assert!(named <= project.shared.len());
            let orders = project.orders().len();
            let kept = project.observe.len() + usize::from(project.notify.is_some());
            let rest = project.without_orders();
            assert!(rest.orders().is_empty());
            assert_eq!(rest.observe.len() + orders, kept);
        }
        Err(project::ProjectMistake::Text(words)) => assert!(!words.contains('\n')),
        Err(project::ProjectMistake::Key(_)) => {}
    }
});
