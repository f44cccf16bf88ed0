//! A file system without room, a real one: a run says in the list that it was cut, a study puts back
//! what it changed and tells what it could not do.
//!
//! The file system is memory, mounted where only the shell of the test sees it. Where the kernel lets no
//! user mount anything the tests say so and do nothing.

use std::process::{Command, Output};
use std::time::Duration;

use crate::common::{Server, no_folder, stderr, stdout};

/// Runs `script` in a file system of 1 MB, and a second one in its folder `j`; `None` where there can be none.
#[expect(clippy::print_stderr, reason = "a test that does nothing says why")]
fn on_small_disk(name: &str, script: &str, server: &Server) -> Option<Output> {
    let allowed = Command::new("unshare").args(["-rm", "true"]).output();
    if !allowed.is_ok_and(|allowed| allowed.status.success()) {
        eprintln!("skipped: no mount of one's own is allowed here (unshare -rm)");
        return None;
    }
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    let begin = "set -u; mount -t tmpfs -o size=1m none . && cd \"$PWD\" && mkdir j &&
        mount -t tmpfs -o size=1m none j || exit 99
        fill() { dd if=/dev/zero of=\"$1/fill\" bs=1k 2>/dev/null; true; }\n";
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", &format!("{begin}{script}"), "sh"])
        .arg(env!("CARGO_BIN_EXE_loadline"))
        .arg(&server.base)
        .env("LOADLINE_STORE", "runs.db")
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .current_dir(&folder)
        .output()
        .unwrap();
    Some(output)
}

#[test]
fn a_run_that_the_full_disk_cut_says_so_in_the_list() {
    let server = Server::answering_after(Duration::from_millis(1));
    let script = "
        $1 run $2 -i 1 >/dev/null 2>&1 || exit 98
        $1 run $2 --rate 20/s --duration 4s >out 2>&1 &
        until [ \"$($1 runs --table | wc -l)\" = 3 ]; do :; done
        fill .
        wait $!; echo \"exit $?\"
        rm fill; $1 runs --table";
    let Some(output) = on_small_disk("full-disk-run", script, &server) else {
        return;
    };
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("cut: disk full"), "{said}");
}

/// A study whose template makes a file of three blocks one of a few bytes.
const STUDY: &str = "
    { head -c 11000 /dev/zero | tr '\\0' x; echo; echo threads=5; } >app.conf
    chmod 640 app.conf; touch -d 2020-01-01 app.conf
    cp app.conf original; stat -c '%s %a %u %g %Y' app.conf >before
    echo 'threads={threads}' >t.conf
    printf \"test: $2/ --rate 20/s --duration 1s --no-store
goal: throughput max
pause: 0s
knobs:
  - name: threads
    values: [5, 10]
    now: 5
    template: {file: ../app.conf, from: ../t.conf}
budget: {trials: 6}
\" >j/s.study.yaml
    $1 tune j/s.study.yaml -q >j/out 2>&1 &
    until grep -q '\"number\":2' j/s.study.yaml.journal 2>/dev/null; do :; done
    fill FULL
    wait $!; echo \"exit $?\"
    cmp app.conf original && stat -c '%s %a %u %g %Y' app.conf | cmp - before && echo 'as it was'
    rm FULL/fill; $1 tune j/s.study.yaml --restore; cat j/out";

/// The file stayed half of what it was, and the error named only the journal.
#[test]
fn a_study_whose_journal_has_no_room_puts_back_what_it_changed_and_says_so() {
    let server = Server::answering_after(Duration::from_millis(1));
    let script = STUDY.replace("FULL", "j").replace("j/out", "out");
    let Some(output) = on_small_disk("full-disk-journal", &script, &server) else {
        return;
    };
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("exit 1\nas it was\n"), "{said}");
    assert!(
        said.contains("No space left on device") && said.contains("restored: "),
        "{said}"
    );
}

/// Going back from a shorter text needed blocks that the disk no longer had.
#[test]
fn a_study_whose_target_has_no_room_puts_back_what_it_changed() {
    let server = Server::answering_after(Duration::from_millis(1));
    let script = STUDY.replace("FULL", ".");
    let Some(output) = on_small_disk("full-disk-target", &script, &server) else {
        return;
    };
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("as it was\n"), "{said}");
    assert!(said.contains("nothing to restore"), "{said}");
}
