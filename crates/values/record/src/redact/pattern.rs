//! Patterns that are known when the program is built.

use regex::Regex;

#[expect(clippy::expect_used, reason = "constants, covered by every test below")]
pub(super) fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant")
}
