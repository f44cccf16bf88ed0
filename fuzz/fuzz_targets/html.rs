//! Any document is read, or goes too deep; what a selector finds in it matches the selector.
//!
//! The selections of `k6/html`, which know nothing of scripts, are compiled here by themselves:
//! the crate they belong to takes minutes.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/users/k6/src/modules/html/selection.rs"]
mod selection;

mod html {
    use crate::selection::{Selection, Siblings};
    use loadline_html::{CssSelector, parse};

    pub fn look_through(selector: &str, text: &str) {
        let Ok(document) = parse(text) else { return };
        let root = Selection::root(document, "http://h/p?q".into());
        let selector = CssSelector::new(selector);
        let found = root.find(&selector);
        let mut once = std::collections::HashSet::new();
        for node in &found.nodes {
            assert!(once.insert(*node), "found twice");
            assert!(
                found.detached(vec![*node]).is(&selector),
                "found, and does not match"
            );
        }
        assert_eq!(root.text(), root.eq(0).text());
        // In SVG an element that never has an end may have something within it.
        let void = "area,base,br,col,embed,hr,img,input,keygen,link,meta,param,source,track,wbr";
        let mut void = root.find(&CssSelector::new(void)).nodes.clone().into_iter();
        let is_odd = void.any(|node| root.document.first_child(node).is_some());
        assert_eq!(
            root.html().is_none(),
            is_odd,
            "what can be written is written"
        );
        for selection in [&root, &found] {
            selection.ancestors();
            selection.siblings(Siblings::All);
            assert!(selection.filter(&selector).nodes.len() <= selection.nodes.len());
        }
    }
}

fuzz_target!(|input: (&str, &str)| html::look_through(input.0, input.1));
