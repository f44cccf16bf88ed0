//! `docs/structure.md` shows the layout as these tests see it. After a change of the layout:
//! `UPDATE_STRUCTURE=1 cargo test -p loadline-structure --test layout picture`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::layers::{ROLES, uses_of_crates};
use super::modules::{CRATES, CrateArrows, cycles_of_all};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/structure.md");

#[test]
fn the_picture_in_the_docs_is_of_this_workspace() {
    let drawn = picture();
    let page = Path::new(PAGE);
    if std::env::var_os("UPDATE_STRUCTURE").is_some() {
        std::fs::write(page, &drawn).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(page).unwrap_or_default();
    assert_eq!(kept, drawn, "docs/structure.md is of another layout");
}

fn picture() -> String {
    let uses = uses_of_crates();
    let level_of = levels();
    let mut page = String::from(HEAD);
    let arrows = || {
        let all = uses.iter();
        all.flat_map(|(from, used)| used.iter().map(move |to| (from, to)))
    };
    let count = |is: fn(std::cmp::Ordering) -> bool| {
        let compared =
            arrows().map(|(from, to)| level_of[to.as_str()].cmp(&level_of[from.as_str()]));
        compared.filter(|order| is(*order)).count()
    };
    let modules = &*CRATES;
    for (what, number) in [
        ("crates", uses.len()),
        ("arrows between crates", arrows().count()),
        ("arrows up", count(std::cmp::Ordering::is_gt)),
        (
            "arrows between crates of one level",
            count(std::cmp::Ordering::is_eq),
        ),
        (
            "top-level modules",
            modules.iter().map(|one| one.top_level).sum(),
        ),
        (
            "arrows between modules of one parent",
            modules.iter().map(CrateArrows::count).sum(),
        ),
        (
            "cycles between modules, at any depth",
            cycles_of_all().len(),
        ),
        ("exceptions", 0),
    ] {
        writeln!(page, "| {what} | {number} |").expect("text takes all");
    }
    page.push_str(TABLE);
    let size_of = |name: &str| -> usize {
        let own = modules.iter().filter(|one| one.name == name);
        own.map(|one| one.top_level).sum()
    };
    for (role, levels) in ROLES.iter().rev() {
        for name in levels.iter().rev().flat_map(|level| level.iter()) {
            let used = uses.get(*name).map(|used| by_level(used, &level_of));
            writeln!(
                page,
                "| {} | {role} | `{name}` | {} | {} |",
                level_of[name],
                size_of(name),
                used.filter(|used| !used.is_empty())
                    .unwrap_or_else(|| "nothing".into()),
            )
            .expect("text takes all");
        }
    }
    page
}

/// The number of each crate's level, from 1 at the ground.
fn levels() -> BTreeMap<&'static str, usize> {
    let levels = ROLES.iter().flat_map(|(_, levels)| levels.iter());
    (1..)
        .zip(levels)
        .flat_map(|(level, crates)| crates.iter().map(move |name| (*name, level)))
        .collect()
}

/// Names of crates, the highest level first.
fn by_level(names: &[String], level_of: &BTreeMap<&str, usize>) -> String {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_by_key(|name| (std::cmp::Reverse(level_of[name]), *name));
    names.join(" ")
}

const HEAD: &str = "# The structure, counted

Made from the manifests and sources by the structure tests, which fail when it is of another layout
(`cargo test -p loadline-structure --test layout`). A row uses rows below it only. How it was before, and why it is so now, is
in [the decision](decisions/layers.md).

| what | now |
|---|---|
";

const TABLE: &str = "
| level | role | crate | modules | uses, the highest first |
|---|---|---|---|---|
";
