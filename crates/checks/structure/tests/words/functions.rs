//! Functions and files are named as a programmer of the field would guess, and parameters have names.

use super::code::{Found, Named};
use super::sources::FILES;

/// Of each kind of place below, fewer than this many may stand: where the kind is right, as a table of cases is.
const PLACES_MAX: usize = 10;

/// First words of functions; what they do is to print, show, write, describe or report.
const SPEAKING: [&str; 6] = ["say", "says", "said", "tell", "tells", "told"];

/// Of files: they say nothing of what is inside.
const VAGUE_FILES: [&str; 8] = [
    "care", "holes", "keep", "misc", "odd", "own", "seen", "utils",
];

#[test]
fn constructors_are_named_new_or_from() {
    check("`fn of`", |found| {
        named(&found.functions, |name| name == "of")
    });
}

#[test]
fn functions_do_not_tell_or_say() {
    check("functions that speak", |found| {
        named(&found.functions, |name| {
            let first = name.split('_').next();
            first.is_some_and(|word| SPEAKING.contains(&word))
        })
    });
}

#[test]
fn parameters_are_no_tuples() {
    check("tuples as parameters", |found| {
        named(&found.tuple_parameters, |_| true)
    });
}

#[test]
fn a_bool_is_asked_not_matched() {
    check("matches on a bool", |found| {
        named(&found.matched_bools, |_| true)
    });
}

#[test]
fn files_are_named_by_what_is_inside() {
    let vague = FILES.iter().map(|file| &file.path).filter(|path| {
        let stem = path.file_stem().unwrap();
        VAGUE_FILES.iter().any(|name| stem == *name)
    });
    let vague: Vec<_> = vague.map(|path| path.display().to_string()).collect();
    assert!(vague.is_empty(), "{}", vague.join("\n"));
}

#[test]
fn planted_places_are_found() {
    let planted = "impl A { fn of(a: u8, (b, c): (u8, u8), d: &(u8, u8), e: (u8,)) {} }
        #[test] fn it_is_told() {} fn tell() { match a { true => 1, false => 2 }; match b { Some(true) => 1, _ => 2 }; }";
    let found = Found::in_file(&syn::parse_file(planted).unwrap());
    let names: Vec<_> = found
        .functions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["of", "tell"]);
    assert_eq!(found.tuple_parameters.len(), 2);
    assert_eq!(found.matched_bools.len(), 1);
}

/// Fails when there are too many places of a kind, and names them.
fn check(kind: &str, places_of: fn(&Found) -> Vec<&Named>) {
    let places = FILES.iter().flat_map(|file| {
        let rows = places_of(&file.found).into_iter();
        rows.map(|one| format!("{}:{}: {}", file.path.display(), one.line, one.name))
    });
    let places: Vec<_> = places.collect();
    assert!(
        places.len() < PLACES_MAX,
        "{} {kind}:\n{}",
        places.len(),
        places.join("\n")
    );
}

fn named(all: &[Named], is_meant: impl Fn(&str) -> bool) -> Vec<&Named> {
    all.iter().filter(|one| is_meant(&one.name)).collect()
}
