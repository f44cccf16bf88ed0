//! A study of a user who may write a file of the target, and does not own it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output};

use crate::common::{Server, stderr};

/// A user that is nobody here.
const STUDENT_UID: u32 = 64_124;

/// A study of that user, in a folder of theirs; `None` where this process may not become another user.
fn study() -> Option<(tempfile::TempDir, Output)> {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("home")).unwrap();
    std::fs::write(path("app.conf"), "# shop\nthreads=5\n").unwrap();
    std::fs::write(path("home/t.conf"), "threads={threads}\n").unwrap();
    let text = format!(
        "test: {}/ --rate 20/s --duration 1s --no-store\ngoal: throughput max\npause: 0s\nknobs:\n  - name: threads\n    \
         values: [5, 10]\n    now: 5\n    template: {{file: ../app.conf, from: t.conf}}\nbudget: {{trials: 2}}\n",
        server.base
    );
    std::fs::write(path("home/s.study.yaml"), text).unwrap();
    let mode = |name: &str, mode: u32| {
        std::fs::set_permissions(path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("", 0o755);
    mode("app.conf", 0o666);
    for name in ["home", "home/t.conf", "home/s.study.yaml"] {
        chown(path(name), Some(STUDENT_UID), Some(STUDENT_UID)).ok()?;
    }
    let mut tune = Command::new(env!("CARGO_BIN_EXE_loadline"));
    tune.args(["tune", "home/s.study.yaml", "-q"])
        .current_dir(folder.path())
        .env("LANG", "C")
        .env("HOME", path("home"))
        .env_remove("LOADLINE_STORE")
        .env("XDG_DATA_HOME", path("home/data"))
        .gid(STUDENT_UID)
        .uid(STUDENT_UID);
    // The binary may lie where other users do not come.
    let output = tune.output().ok()?;
    Some((folder, output))
}

/// Only the owner may set a file's time of change: each such study said that it was not put back.
#[test]
fn a_file_of_somebody_else_comes_back_with_what_this_user_may_set() {
    let Some((folder, output)) = study() else {
        return;
    };
    let said = stderr(&output);
    assert_ne!(output.status.code(), Some(1), "{said}");
    let file = folder.path().join("app.conf");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "# shop\nthreads=5\n"
    );
    let metadata = std::fs::metadata(&file).unwrap();
    assert_eq!(
        (metadata.mode() & 0o7777, metadata.uid()),
        (0o666, 0),
        "{said}"
    );
}
