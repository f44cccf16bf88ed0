//! Code that another user put where it may be found does not run, and nothing is read for completions.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Loadline, Server, command, stderr, stdout};

/// A user that is nobody here.
const STRANGER_UID: u32 = 64_123;
const PACKAGE: &str =
    "exports.hit = (context, events, done) => { console.log('planted'); done(); };";

/// `work/` of this user below a folder in which others may have put things.
struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Whether what is there could be given to another user, which root alone can.
    fn give_away(&self, names: &[&str]) -> bool {
        names.iter().all(|name| {
            let given = chown(self.folder.path().join(name), Some(STRANGER_UID), None);
            given.is_ok()
        })
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

    fn artillery_file(&self, name: &str, processor: &str) -> Server {
        let server = Server::start();
        let text = format!(
            "config:\n  target: {}\n  processor: {processor}\n  phases: [{{duration: 1, arrivalCount: 1}}]\n\
             scenarios:\n  - flow: [{{function: hit}}, {{get: {{url: /}}}}]\n",
            server.base
        );
        self.write(name, &text);
        server
    }
}

/// What was printed, with the test that ran nothing of somebody else's and says whose it is.
fn assert_refused(out: &Output, file: &str) {
    let text = format!("{}{}", stdout(out), stderr(out));
    assert_ne!(out.status.code(), Some(0), "{text}");
    assert!(!text.contains("planted"), "{text}");
    assert!(text.contains(file), "{text}");
    assert!(text.contains("64123"), "{text}");
    assert!(text.contains("loadline trust "), "{text}");
}

fn assert_ran(out: &Output) {
    let text = format!("{}{}", stdout(out), stderr(out));
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(text.contains("planted"), "{text}");
}

#[test]
fn a_package_above_a_script_runs_if_it_is_ours_or_was_allowed() {
    let tree = Tree::new();
    let package = "export const greet = () => console.log('planted');";
    tree.write("node_modules/greeter/index.js", package);
    let script = "import { greet } from 'greeter'; export default function () { greet(); }";
    tree.write("work/t.js", script);
    let args = ["run", "-q", "--no-store", "t.js"];
    assert_ran(&tree.output(&args));
    if !tree.give_away(&["node_modules", "node_modules/greeter/index.js"]) {
        return;
    }
    let out = tree.output(&args);
    assert_refused(&out, "node_modules");
    let out = tree.output(&["run", "-q", "--no-store", "--lang", "ko", "t.js"]);
    assert!(
        stderr(&out).contains("소유자가 다른 사용자(64123)"),
        "{}",
        stderr(&out)
    );
    let out = tree.output(&["trust", "../node_modules"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert_ran(&tree.output(&args));
}

#[test]
fn a_file_imported_from_elsewhere_runs_if_it_belongs_to_whom_the_script_does() {
    let tree = Tree::new();
    tree.write(
        "lib/greet.js",
        "export const greet = () => console.log('planted');",
    );
    let script = "import { greet } from '../lib/greet.js'; export default function () { greet(); }";
    tree.write("work/t.js", script);
    if !tree.give_away(&["lib/greet.js"]) {
        return;
    }
    let args = ["run", "-q", "--no-store", "t.js"];
    assert_refused(&tree.output(&args), "greet.js");
    // A repository of another user that is typed, as in a container.
    assert!(tree.give_away(&["work/t.js"]));
    assert_ran(&tree.output(&args));
}

#[test]
fn code_in_the_typed_folder_runs_whoever_owns_it_unless_everybody_may_write_there() {
    let tree = Tree::new();
    tree.write(
        "work/greet.js",
        "export const greet = () => console.log('planted');",
    );
    let script = "import { greet } from './greet.js'; export default function () { greet(); }";
    tree.write("work/t.js", script);
    if !tree.give_away(&["work/greet.js"]) {
        return;
    }
    let args = ["run", "-q", "--no-store", "t.js"];
    assert_ran(&tree.output(&args));
    let work = tree.folder.path().join("work");
    let mode = |mode: u32| {
        std::fs::set_permissions(&work, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o1777);
    assert_refused(&tree.output(&args), "greet.js");
    mode(0o755);
}

#[test]
fn a_lock_file_in_a_folder_for_everybody_names_no_modules_of_somebody_else() {
    let tree = Tree::new();
    let url = "https://web.invalid/greet.js";
    let text = "export const greet = () => console.log('planted');";
    tree.write("work/vendor/greet.js", text);
    let sum = Command::new("sha256sum")
        .arg(tree.folder.path().join("work/vendor/greet.js"))
        .output()
        .unwrap();
    let sum = stdout(&sum);
    let sum = sum.split(' ').next().unwrap();
    let lock = format!(
        r#"{{"version": 1, "modules": {{"{url}": {{"file": "vendor/greet.js", "sha256": "{sum}"}}}}}}"#
    );
    tree.write("work/loadline.lock", &lock);
    let script =
        format!("import {{ greet }} from '{url}'; export default function () {{ greet(); }}");
    tree.write("work/t.js", &script);
    let args = ["run", "-q", "--no-store", "--offline", "t.js"];
    assert_ran(&tree.output(&args));
    let work = tree.folder.path().join("work");
    std::fs::set_permissions(&work, std::fs::Permissions::from_mode(0o1777)).unwrap();
    assert_ran(&tree.output(&args));
    if tree.give_away(&["work/loadline.lock"]) {
        assert_refused(&tree.output(&args), "loadline.lock");
    }
}

#[test]
fn a_processor_elsewhere_runs_if_it_belongs_to_whom_the_file_does() {
    let tree = Tree::new();
    tree.write("lib/p.js", PACKAGE);
    let server = tree.artillery_file("work/t.yml", "../lib/p.js");
    let args = ["run", "t.yml", "--no-store"];
    assert_ran(&tree.output(&args));
    let before = server.requests();
    if !tree.give_away(&["lib/p.js"]) {
        return;
    }
    assert_refused(&tree.output(&args), "p.js");
    assert_eq!(server.requests(), before);
    assert!(tree.give_away(&["work/t.yml"]));
    assert_ran(&tree.output(&args));
}

#[test]
fn packages_above_a_processor_are_refused_before_it_runs() {
    let tree = Tree::new();
    tree.write("node_modules/greeter/index.js", PACKAGE);
    tree.write("work/p.js", "module.exports = require('greeter');");
    let _server = tree.artillery_file("work/t.yml", "p.js");
    if !tree.give_away(&["node_modules"]) {
        return;
    }
    let args = ["run", "t.yml", "--no-store"];
    // In our own interpreter, where there is no Node, ...
    let bare = tree.command(&args).env("PATH", tree.folder.path()).output();
    assert_refused(&bare.unwrap(), "node_modules");
    // ... and before Node starts, where there is one.
    let node = tree.folder.path().join("bin");
    tree.write("bin/node", "#!/bin/sh\necho planted >&2\nexit 1\n");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(node.join("node"), executable).unwrap();
    let with_node = tree.command(&args).env("PATH", &node).output().unwrap();
    assert_refused(&with_node, "node_modules");
    // A package that names itself as the one that is asked for is found before others.
    std::fs::remove_dir_all(tree.folder.path().join("node_modules")).unwrap();
    tree.write(
        "package.json",
        r#"{"name": "greeter", "exports": "./planted.js"}"#,
    );
    assert!(tree.give_away(&["package.json"]));
    let with_node = tree.command(&args).env("PATH", &node).output().unwrap();
    assert_refused(&with_node, "package.json");
}

/// Names of files are completed by the shell: what is in them, or in them as commands, does not run.
#[test]
fn completion_reads_and_runs_nothing_of_what_lies_around() {
    let tree = Tree::new();
    tree.write("loadline.yaml", "observe: [");
    tree.write("work/$(touch ran)", "");
    tree.write("work/`touch ran`.js", "");
    let store = tree.folder.path().join("none.db");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let mut completion = tree.command(&["completion", shell]);
        let out = completion.env("LOADLINE_STORE", &store).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
        assert_eq!(stderr(&out), "");
    }
    assert!(!store.exists());
    let script = stdout(&tree.output(&["completion", "bash"]));
    tree.write("complete.bash", &script);
    for (word, place) in [
        ("", 2),
        ("$(touch ran)", 1),
        ("`touch ran`", 2),
        ("--$(touch ran)", 2),
        ("$(t", 2),
    ] {
        let driver = format!(
            "source ../complete.bash; COMP_WORDS=(loadline run \"$1\"); COMP_WORDS[{place}]=\"$1\"; \
             COMP_CWORD={place}; _clap_complete_loadline loadline \"$1\" run; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let out = shell(&tree.folder.path().join("work"), &driver, word);
        assert!(out.status.success(), "{}", stderr(&out));
        assert!(!tree.folder.path().join("work/ran").exists(), "{word}");
    }
}

fn shell(folder: &Path, script: &str, word: &str) -> Output {
    let mut bash = Command::new("bash");
    let program = Path::new(env!("CARGO_BIN_EXE_loadline")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    bash.env("PATH", format!("{}:{path}", program.display()));
    bash.args(["-c", script, "bash", word]).current_dir(folder);
    bash.output().unwrap()
}
