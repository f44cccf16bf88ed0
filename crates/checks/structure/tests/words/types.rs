//! Public types have names of the field: the last word of each name is in
//! `docs/glossary.md` or is a usual programming term, and no name is declared twice.
//!
//! A type counts as public when its item is `pub`; `unreachable_pub` keeps that word for
//! what leaves the crate. A re-export declares nothing, and private types do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::{Item, Visibility};

use super::programming::PROGRAMMING_TERMS;
use super::sources::{children, root, sources};

/// Crates that no product links.
const TEST_CRATES: [&str; 2] = ["testkit", "structure"];

/// Each public type's name, and the files that declare one.
type Declared = BTreeMap<String, BTreeSet<PathBuf>>;

#[test]
fn every_public_type_is_named_by_a_word_of_the_field() {
    let coined = coined(public_types_here(), &glossary());
    assert!(
        coined.is_empty(),
        "the last word is neither in docs/glossary.md nor a programming term:\n{}",
        coined.join("\n")
    );
}

#[test]
fn every_name_of_a_public_type_means_one_thing() {
    let double = double(public_types_here());
    assert!(double.is_empty(), "declared twice:\n{}", double.join("\n"));
}

#[test]
fn no_programming_term_is_a_domain_word_too_and_none_is_unused() {
    let glossary = glossary();
    let used: BTreeSet<String> = public_types_here().keys().map(|n| last_word(n)).collect();
    let surplus: Vec<_> = PROGRAMMING_TERMS
        .iter()
        .filter(|term| glossary.contains(**term) || !used.contains(**term))
        .collect();
    assert!(surplus.is_empty(), "take out: {surplus:?}");
}

#[test]
fn a_second_type_of_one_name_and_an_unknown_word_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let add = |name: &str, text: &str| {
        let source = folder.path().join("crates/values").join(name).join("src");
        fs::create_dir_all(&source).unwrap();
        fs::write(source.join("lib.rs"), text).unwrap();
    };
    add("one", "pub enum Outcome {} pub struct RequestQueue;");
    add(
        "two",
        "pub use one::Outcome; pub struct Blorb; struct RequestQueue;",
    );
    let known: BTreeSet<String> = ["queue", "outcome"].map(str::to_owned).into();
    let types = public_types(folder.path());
    assert_eq!(double(&types), Vec::<String>::new());
    let [blorb] = &coined(&types, &known)[..] else {
        panic!("one unknown word");
    };
    assert!(blorb.starts_with("Blorb: "), "{blorb}");

    add("three", "mod inner { pub struct Outcome; }");
    let [outcome] = &double(&public_types(folder.path()))[..] else {
        panic!("one name twice");
    };
    assert!(outcome.starts_with("Outcome: "), "{outcome}");
}

#[test]
fn plurals_are_compared_by_their_singular() {
    for (plural, singular) in [
        ("RunMetrics", "metric"),
        ("Proxies", "proxy"),
        ("HostAddress", "address"),
        ("Tls", "tls"),
        ("RunStatus", "status"),
        ("Heartbeats", "heartbeat"),
        ("Series", "series"),
    ] {
        assert_eq!(last_word(plural), singular);
    }
}

fn public_types_here() -> &'static Declared {
    static HERE: LazyLock<Declared> = LazyLock::new(|| public_types(&root()));
    &HERE
}

/// Types whose last word is neither in the glossary nor a programming term.
fn coined(types: &Declared, glossary: &BTreeSet<String>) -> Vec<String> {
    let is_known = |name: &str| {
        let word = last_word(name);
        glossary.contains(&word) || PROGRAMMING_TERMS.contains(&word.as_str())
    };
    let unknown = types.iter().filter(|(name, _)| !is_known(name));
    unknown.map(|(name, files)| row(name, files)).collect()
}

/// Names that more than one file declares.
fn double(types: &Declared) -> Vec<String> {
    let double = types.iter().filter(|(_, files)| files.len() > 1);
    double.map(|(name, files)| row(name, files)).collect()
}

fn row(name: &str, files: &BTreeSet<PathBuf>) -> String {
    let files: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!("{name}: {}", files.join(", "))
}

/// `HttpRequestQueues` to `queue`.
fn last_word(name: &str) -> String {
    let start = name.rfind(char::is_uppercase).unwrap_or(0);
    singular(&name[start..].to_lowercase())
}

fn singular(word: &str) -> String {
    const NO_PLURALS: [&str; 9] = [
        "alias", "bytes", "dns", "js", "postgres", "progress", "redis", "series", "tls",
    ];
    if NO_PLURALS.contains(&word) || word.ends_with("ss") || word.ends_with("us") && word != "vus" {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// Every word of the glossary's English column, in the singular.
fn glossary() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let terms = rows.filter_map(|row| row.split('|').nth(1));
    let words: BTreeSet<String> = terms
        .flat_map(|term| term.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(|word| singular(&word.to_lowercase()))
        .collect();
    assert!(words.len() > 100, "the glossary is read");
    words
}

fn public_types(root: &Path) -> Declared {
    let mut declared = Declared::new();
    let roles = children(&root.join("crates"));
    for krate in roles.iter().flat_map(|role| children(role)) {
        let is_test = TEST_CRATES.iter().any(|name| krate.ends_with(name));
        if is_test || !krate.join("src").exists() {
            continue;
        }
        for source in sources(&krate.join("src")) {
            let file = syn::parse_file(&fs::read_to_string(&source).unwrap()).unwrap();
            let path = source.strip_prefix(root).unwrap();
            for name in names_in(&file.items) {
                declared.entry(name).or_default().insert(path.to_owned());
            }
        }
    }
    declared
}

fn names_in(items: &[Item]) -> Vec<String> {
    let names = items.iter().flat_map(|item| match item {
        Item::Struct(item) => name_if_public(&item.vis, &item.ident),
        Item::Enum(item) => name_if_public(&item.vis, &item.ident),
        Item::Trait(item) => name_if_public(&item.vis, &item.ident),
        Item::Type(item) => name_if_public(&item.vis, &item.ident),
        Item::Mod(module) => {
            let inside = module.content.as_ref().map(|(_, items)| names_in(items));
            inside.unwrap_or_default()
        }
        _ => Vec::new(),
    });
    names.collect()
}

fn name_if_public(visibility: &Visibility, name: &syn::Ident) -> Vec<String> {
    match visibility {
        Visibility::Public(_) => vec![name.to_string()],
        _ => Vec::new(),
    }
}
