//! The compatibility table can be read, and the page people read is the one it renders to.

use loadline_testkit::compatibility::{RENDER, Status, render, rendered, rows, source};

#[test]
fn the_page_is_rendered_from_the_table() {
    let rows = rows(&std::fs::read_to_string(source()).unwrap()).unwrap();
    let page = std::fs::read_to_string(rendered()).unwrap();
    assert_eq!(page, render(&rows), "{RENDER}");
}

#[test]
fn contributing_names_the_command_that_renders_it() {
    let contributing = source().with_file_name("../../CONTRIBUTING.md");
    assert!(
        std::fs::read_to_string(contributing)
            .unwrap()
            .contains(RENDER)
    );
}

#[test]
fn what_differs_says_how() {
    let rows = rows(&std::fs::read_to_string(source()).unwrap()).unwrap();
    for row in rows.iter().filter(|row| row.status == Status::Differs) {
        assert!(!row.note.is_empty(), "{} {}", row.section, row.name);
    }
}

#[test]
fn an_unknown_status_is_refused() {
    assert!(rows("[flags]\n\"--vus\" = \"perhaps\"\n").is_err());
}
