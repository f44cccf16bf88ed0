//! A number that has a name says what it is and in which unit: `BODY_BYTES_MAX`. One word seldom can.

use super::code::Found;
use super::sources::FILES;

/// Of a hundred constants of a number, how many may have a name of one word: what the field calls so.
const ONE_WORD_PERCENT_MAX: usize = 10;

#[test]
fn constants_say_what_and_unit() {
    let mut one_word = Vec::new();
    let mut constants_count = 0;
    for file in FILES.iter() {
        for constant in &file.found.constants {
            constants_count += 1;
            if is_one_word(&constant.name) {
                let place = file.path.display();
                one_word.push(format!("{place}:{}: {}", constant.line, constant.name));
            }
        }
    }
    assert!(constants_count > 1000, "constants are found");
    assert!(
        one_word.len() * 100 < constants_count * ONE_WORD_PERCENT_MAX,
        "{} of {constants_count} constants have a name of one word:\n{}",
        one_word.len(),
        one_word.join("\n")
    );
}

fn is_one_word(name: &str) -> bool {
    !name.contains('_')
}

#[test]
fn a_planted_constant_of_one_word_is_found() {
    let planted =
        "const PATIENCE: Duration = S; impl A { const MOST: u8 = 1; } const NAME: &str = \"\";
        fn f() { const BODY_BYTES_MAX: usize = 2; }";
    let found = Found::in_file(&syn::parse_file(planted).unwrap()).constants;
    let names: Vec<_> = found.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["PATIENCE", "MOST", "BODY_BYTES_MAX"]);
    assert!(is_one_word("PATIENCE") && !is_one_word("BODY_BYTES_MAX"));
}
