//! Processors of Artillery files: where they run, and what is told of them before.

use crate::common::{Server, command, no_folder, stderr, stdout};

const FETCHES: &str = "exports.load = async (context) => { await fetch(context.vars.target); };\n\
                       exports.other = (context, events, done) => done();\n";

/// A run of a file whose users call `function` of a processor with this text; there is no Node.
fn run(name: &str, processor: &str, function: &str, more: &[&str]) -> (i32, String, String) {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    let server = Server::start();
    let file = format!(
        "config:\n  target: {}\n  processor: p.js\n  phases: [{{duration: 1, arrivalCount: 1}}]\n\
         scenarios:\n  - flow: [{{function: {function}}}, {{get: {{url: /}}}}]\n",
        server.base
    );
    std::fs::write(folder.join("t.yml"), file).unwrap();
    std::fs::write(folder.join("p.js"), processor).unwrap();
    let args: Vec<&str> = [&["run", "t.yml", "--no-store"], more].concat();
    let output = command(&args)
        .current_dir(&folder)
        .env("PATH", &folder)
        .output()
        .unwrap();
    let code = output.status.code().unwrap_or(-1);
    (code, stdout(&output), stderr(&output))
}

#[test]
fn what_a_processor_needs_of_node_is_told_where_there_is_none() {
    let (code, out, err) = run("no-node", FETCHES, "other", &[]);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains(
            "p.js:1:43), which loadline's interpreter does not have, and there is no `node`"
        ),
        "{err}"
    );
    assert!(out.contains("vusers.completed"), "{out}");
    // A function that reaches the place fails its user.
    let (_, out, _) = run("no-node-reached", FETCHES, "load", &[]);
    assert!(out.contains("errors.fetch is not defined"), "{out}");
}

#[test]
fn processors_that_need_nothing_are_not_spoken_of() {
    let plain = "const { createHash } = require('crypto');\n\
                 exports.f = (context, events, done) => { context.vars.h = createHash('md5').update('x').digest('hex'); done(); };\n";
    let (code, _, err) = run("no-need", plain, "f", &[]);
    assert_eq!(code, 0, "{err}");
    assert!(!err.contains("processor"), "{err}");
}

#[test]
fn functions_that_a_processor_lacks_are_told_by_a_check() {
    let (code, out, err) = run("no-function", FETCHES, "othre", &["--check"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("there is no function `othre`; did you mean `other`?"),
        "{err}"
    );
    assert!(!out.contains("Phase started"), "{out}");
}

#[test]
fn a_processor_that_is_not_there_is_told_with_its_line_and_ends_as_there() {
    let folder = no_folder("no-processor");
    std::fs::create_dir_all(&folder).unwrap();
    let file = "config:\n  target: http://127.0.0.1:1\n  processor: none.js\nscenarios: [{flow: [{get: {url: /}}]}]\n";
    std::fs::write(folder.join("t.yml"), file).unwrap();
    let output = command(&["run", "t.yml", "--no-store"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(11));
    let err = stderr(&output);
    assert!(
        err.contains("t.yml:3:14: `none.js` cannot be read"),
        "{err}"
    );
}
