//! Conditions of Artillery files (`ifTrue`): read or refused, and what is read has a value.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;
use loadline_units::Random;
use serde_json::json;

#[path = "../../crates/users/artillery/src"]
mod artillery {
    pub mod filtrex;
    pub mod text;
}

use artillery::{filtrex, text};

fuzz_target!(|text: &str| {
    let names = ["user name", "a.b"];
    for expression in [
        filtrex::FiltrexExpression::parse(text),
        LINEAR.hold(text.len(), || {
            filtrex::FiltrexExpression::parse_with_names(text, &names)
        }),
    ] {
        let Ok(expression) = expression else { continue };
        let mut symbols = Vec::new();
        expression.symbols(&mut symbols);
        assert!(symbols.len() <= text.len());
        let lookup = |name: &str| (name.len() % 2 == 0).then(|| json!({"a": [1, "x"], name: 2}));
        let random = Random::new(7);
        assert_eq!(
            expression.holds(&lookup, &random),
            text::is_true(expression.value(&lookup, &Random::new(7)).as_ref())
        );
    }
});
