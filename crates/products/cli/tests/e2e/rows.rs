//! Rows of Artillery files that may be used only once: from one run to the next, until none is left.

use std::path::Path;

use crate::common::{Server, command, no_folder, stderr, stdout};

struct Rows {
    folder: std::path::PathBuf,
    server: Server,
}

impl Rows {
    /// A test that starts 10 users a second for a second, each of whom takes a row.
    fn new(name: &str, rows: u32, more: &str) -> Self {
        let folder = no_folder(name);
        std::fs::create_dir_all(&folder).unwrap();
        let server = Server::start();
        let text = format!(
            "config:\n  target: {}\n  phases: [{{duration: 1, arrivalCount: 10}}]\n  \
             payload: {{path: n.csv, fields: [id], order: unique{more}}}\n\
             scenarios:\n  - flow: [{{get: {{url: '/?id={{{{ id }}}}'}}}}]\n",
            server.base
        );
        std::fs::write(folder.join("t.yml"), text).unwrap();
        let kept = Self { folder, server };
        kept.write(1, rows);
        kept
    }

    fn write(&self, first: u32, last: u32) {
        let rows: String = (first..=last).map(|row| format!("{row}\n")).collect();
        std::fs::write(self.folder.join("n.csv"), rows).unwrap();
    }

    /// The exit code and what was said.
    fn run(&self, more: &[&str]) -> (i32, String) {
        let args: Vec<&str> = [&["run", "t.yml"], more].concat();
        let output = command(&args)
            .current_dir(&self.folder)
            .env("LOADLINE_STORE", self.store())
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            stdout(&output) + &stderr(&output),
        )
    }

    fn store(&self) -> std::path::PathBuf {
        Path::new(&self.folder).join("runs.db")
    }
}

/// Seen: each trial of a study, and each load of a matrix, began at the first row: the target answered "duplicate", and that
/// quickly.
#[test]
fn loads_of_one_command_go_on_behind_each_other() {
    let rows = Rows::new("rows-loads", 1, "");
    let file = std::fs::read_to_string(rows.folder.join("t.yml")).unwrap();
    let named = file.replace("  - flow:", "  - name: pair\n    flow:");
    std::fs::write(rows.folder.join("t.yml"), named).unwrap();
    let args = [
        "matrix",
        "t.yml",
        "--slo",
        "errors<1%",
        "--rate",
        "2/s",
        "--quick",
        "--row-budget",
        "6s",
    ];
    let output = command(&args)
        .current_dir(&rows.folder)
        .env("LOADLINE_STORE", rows.store())
        .output()
        .unwrap();
    let said = stdout(&output) + &stderr(&output);
    // The one iteration of the smoke test took the only row.
    assert!(
        said.contains("all 1 row of `n.csv` are used by the loads so far"),
        "{said}"
    );
    assert_eq!(rows.server.requests(), 1, "{said}");
}

#[test]
fn rows_that_a_run_used_are_left_out_by_the_next_until_none_is_left() {
    let rows = Rows::new("rows-continue", 25, "");
    let (code, said) = rows.run(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("10 of 25 rows are used; the next run goes on at row 11 with --continue"),
        "{said}"
    );
    let (_, said) = rows.run(&["--no-store"]);
    assert!(said.contains("write from: 11 in the payload"), "{said}");
    assert_eq!(rows.run(&[]).0, 0);
    let (code, said) = rows.run(&["--continue"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("n.csv goes on at row 11: 15 rows are left"),
        "{said}"
    );

    let (code, said) = rows.run(&["--continue"]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("the rows of n.csv ran out: all 25"), "{said}");
    assert_eq!(rows.server.requests(), 45, "each row once");

    let (code, said) = rows.run(&["--continue"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("all 25 rows of `n.csv` are used"), "{said}");
    rows.write(2, 60);
    let (code, said) = rows.run(&["--continue", "--lang", "ko"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("25행의 내용이 바뀌었습니다"), "{said}");
    // Without the flag the first row is first again.
    assert_eq!(rows.run(&[]).0, 0);
}

#[test]
fn repetitions_use_no_row_twice_and_from_says_where_to_begin() {
    let rows = Rows::new("rows-repeat", 40, ", from: 21, onExhausted: fail");
    let (code, said) = rows.run(&["--repeat", "2"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("n.csv goes on at row 31: 10 rows are left"),
        "{said}"
    );
    let (code, said) = rows.run(&["--repeat", "3", "--no-store"]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("all 40 rows of `n.csv` are used"), "{said}");
}

#[test]
fn a_run_that_was_killed_leaves_rows_out_rather_than_use_some_twice() {
    let rows = Rows::new("rows-killed", 1000, "");
    let text = std::fs::read_to_string(rows.folder.join("t.yml")).unwrap();
    let text = text.replace(
        "duration: 1, arrivalCount: 10",
        "duration: 60, arrivalRate: 20",
    );
    std::fs::write(rows.folder.join("t.yml"), text).unwrap();
    let mut child = command(&["run", "t.yml"])
        .current_dir(&rows.folder)
        .env("LOADLINE_STORE", rows.store())
        .spawn()
        .unwrap();
    rows.server.wait_for(60);
    child.kill().unwrap();
    child.wait().unwrap();
    let sent = rows.server.requests();
    let journal = std::fs::read_to_string(rows.store().with_extension("db.rows.json")).unwrap();
    let journal: serde_json::Value = serde_json::from_str(&journal).unwrap();
    let place = journal.as_object().unwrap().values().next().unwrap();
    let used = place["used"].as_u64().unwrap();
    assert!(used >= sent && used < sent + 200, "{used} of {sent}");
}

/// A damaged file would let rows be used twice.
#[test]
fn a_damaged_account_of_used_rows_is_refused_and_left_as_it_is() {
    let rows = Rows::new("rows-damaged", 40, "");
    let account = rows.store().with_extension("db.rows.json");
    std::fs::write(&account, "{\"n.cs").unwrap();
    let (code, said) = rows.run(&["--continue"]);
    assert_ne!(code, 0, "{said}");
    assert!(
        said.contains("does not say how far rows are used"),
        "{said}"
    );
    assert_eq!(rows.server.requests(), 0, "{said}");
    let (_, said) = rows.run(&[]);
    assert!(said.contains("cannot be written"), "{said}");
    assert_eq!(std::fs::read_to_string(&account).unwrap(), "{\"n.cs");
}

/// Before: "all 10 were used once" of a file whose first seven rows were never touched.
#[test]
fn a_file_used_from_a_later_row_says_which_rows_ran_out_and_refuses_a_row_it_lacks() {
    let rows = Rows::new("rows-from", 24, ", from: 21");
    let (code, said) = rows.run(&[]);
    assert_eq!(code, 3, "{said}");
    let ran_out = "the rows of n.csv ran out: all from 21 to 24 were used once";
    assert!(said.contains(ran_out), "{said}");
    assert!(
        said.contains("only 4 rows of n.csv are left to use"),
        "{said}"
    );
    assert_eq!(rows.server.requests(), 4);

    rows.write(1, 20);
    let (code, said) = rows.run(&[]);
    assert_eq!(code, 1, "{said}");
    let behind = "`from: 21` is behind the last row of n.csv, which has 20 rows";
    assert!(said.contains(behind), "{said}");
    assert_eq!(rows.server.requests(), 4, "nothing was sent");
}
