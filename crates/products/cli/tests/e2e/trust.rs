//! Files that are found give no orders that nobody confirmed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::{Loadline, Server, command, signal, stderr, stdout, until};

/// A folder with a `loadline.yaml`, a folder below it in which commands run, and a user's data.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let project = Self { folder };
        project.write(text);
        project
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("loadline.yaml")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.file(), text).unwrap();
        self.set_mode(0o644);
    }

    fn set_mode(&self, mode: u32) {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(self.file(), permissions).unwrap();
    }

    fn command(&self, args: &[&str]) -> Loadline {
        let mut command = command(args);
        command.current_dir(self.folder.path().join("work"));
        command.env("XDG_DATA_HOME", self.folder.path().join("data"));
        command
    }

    fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn run(&self, server: &Server) -> Output {
        self.output(&["run", &server.base, "-i", "1", "--no-store"])
    }
}

fn ordering(folder: &Path) -> String {
    format!("observe:\n  - 'command:touch {}/ran'\n", folder.display())
}

#[test]
fn a_found_command_runs_once_it_was_confirmed_and_is_asked_anew_when_the_file_changed() {
    let server = Server::start();
    let project = Project::new("");
    let ran = project.folder.path().join("ran");
    project.write(&ordering(project.folder.path()));
    let out = project.run(&server);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(
        stderr(&out).contains("nobody confirmed"),
        "{}",
        stderr(&out)
    );
    assert!(!ran.exists());

    let out = project.output(&["trust"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(stdout(&out).contains("command:touch"), "{}", stdout(&out));
    // A run of one request may be over before its command begins.
    let args = ["run", &server.base, "--duration", "60s", "--no-store"];
    let mut run = project.command(&args);
    let run = run
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the confirmed command has run", || ran.exists());
    signal(&run, "INT");
    let out = run.wait_with_output().unwrap();
    assert!(
        !stderr(&out).contains("nobody confirmed"),
        "{}",
        stderr(&out)
    );

    std::fs::remove_file(&ran).unwrap();
    project.write(&format!("{}# more\n", ordering(project.folder.path())));
    let out = project.run(&server);
    assert!(
        stderr(&out).contains("nobody confirmed"),
        "{}",
        stderr(&out)
    );
    assert!(!ran.exists());
}

#[test]
fn a_found_file_reads_no_environment_and_posts_no_notice_unconfirmed() {
    let (server, hook) = (Server::start(), Server::start());
    let page = hook.base.clone();
    let project = Project::new(&format!(
        "observe:\n  - '{page}/${{MY_SECRET}}'\nnotify: {page}/notice\n"
    ));
    let mut command = project.command(&["run", &server.base, "-i", "1", "--no-store"]);
    let out = command.env("MY_SECRET", "abc").output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert_eq!(hook.requests(), 0);
    // What is typed needs no confirmation.
    let typed = format!("{page}/typed");
    let out = project.output(&[
        "run",
        &server.base,
        "-i",
        "1",
        "--no-store",
        "--notify",
        &typed,
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert_eq!(hook.requests(), 2);
}

#[test]
fn a_file_that_others_may_write_cannot_be_confirmed_and_is_not_used() {
    let server = Server::start();
    let project = Project::new("");
    project.write(&ordering(project.folder.path()));
    project.set_mode(0o666);
    let out = project.output(&["trust"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        stderr(&out).contains("others may write it"),
        "{}",
        stderr(&out)
    );
    let out = project.run(&server);
    assert!(stderr(&out).contains("is not used"), "{}", stderr(&out));
    assert!(!project.folder.path().join("ran").exists());
}

#[test]
fn without_a_file_or_without_orders_trust_says_so() {
    let project = Project::new("shared:\n  - host: 127.0.0.1:1\n");
    let out = project.output(&["trust", "--lang", "ko"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(
        stdout(&out).contains("허용할 요청이 없습니다"),
        "{}",
        stdout(&out)
    );
    std::fs::remove_file(project.file()).unwrap();
    let out = project.output(&["trust"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(stderr(&out).contains("observe --init"), "{}", stderr(&out));
}

/// An archive as anybody may send one: metadata and a script, nothing else.
fn archived(folder: &Path, script: &str) -> Output {
    let metadata = r#"{"type":"js","options":{},"filename":"file:///somewhere/test.js","env":{}}"#;
    std::fs::write(folder.join("metadata.json"), metadata).unwrap();
    std::fs::write(folder.join("data"), script).unwrap();
    let made = std::process::Command::new("tar")
        .args(["cf", "a.tar", "metadata.json", "data"])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(made.success());
    let temp = folder.join("temp");
    std::fs::create_dir_all(&temp).unwrap();
    command(&["run", "-q", "--no-store", "--offline", "a.tar"])
        .current_dir(folder)
        // Archives are laid out there.
        .env("TMPDIR", temp)
        .output()
        .unwrap()
}

#[test]
fn an_archive_sees_the_archive_and_no_file_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.js");
    std::fs::write(&secret, "export const found = 'found it'; // found it").unwrap();
    let secret = secret.display();
    let packages = folder.path().join("temp/node_modules/loadline-planted");
    std::fs::create_dir_all(&packages).unwrap();
    std::fs::write(
        packages.join("index.js"),
        "export const found = 'found it';",
    )
    .unwrap();
    for script in [
        format!("const text = open('{secret}'); export default function () {{ console.log(text); }}"),
        format!("import {{ found }} from '{secret}'; export default function () {{ console.log(found); }}"),
        format!("import {{ found }} from 'file://{secret}'; export default function () {{ console.log(found); }}"),
        format!("import {{ found }} from 'https://{secret}'; export default function () {{ console.log(found); }}"),
        format!("import {{ found }} from 'https:///../..{secret}'; export default function () {{ console.log(found); }}"),
        format!("const text = open('../../../../../../../..{secret}'); export default function () {{ console.log(text); }}"),
        format!("import {{ open }} from 'k6/experimental/fs'; const file = await open('{secret}'); export default function () {{ console.log('found it'); }}"),
        "import { found } from 'loadline-planted'; export default function () { console.log(found); }".to_owned(),
    ] {
        let out = archived(folder.path(), &script);
        assert_ne!(out.status.code(), Some(0), "{script}");
        let text = format!("{}{}", stdout(&out), stderr(&out));
        assert!(!text.contains("found it"), "{script}\n{text}");
    }
}

/// As k6 does: what was opened by its whole path is in the archive by its whole path.
#[test]
fn an_archive_has_the_files_that_its_script_named_by_their_whole_paths() {
    let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = data.path().join("ids.txt");
    std::fs::write(&file, "seven").unwrap();
    let script = format!(
        "const text = open('{}'); export default function () {{ if (text !== 'seven') throw new Error(text); }}",
        file.display()
    );
    std::fs::write(folder.path().join("test.js"), script).unwrap();
    let run = |args: &[&str]| command(args).current_dir(folder.path()).output().unwrap();
    let made = run(&["archive", "-O", "t.tar", "test.js"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    std::fs::write(&file, "eight").unwrap();
    let out = run(&["run", "-q", "--no-store", "t.tar"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(!stderr(&out).contains("eight"), "{}", stderr(&out));
}
