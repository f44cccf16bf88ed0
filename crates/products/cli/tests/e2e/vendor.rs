//! Modules of the web stored beside a script, and runs that need no network for them.

use loadline_testkit::server::{Options, TestServer, TlsMaterial};

use crate::common::{command, no_folder, stderr, stdout};

#[test]
fn a_script_with_modules_of_the_web_is_stored_and_runs_without_them() {
    let folder = no_folder("vendor");
    std::fs::create_dir_all(&folder).unwrap();
    let tls = TlsMaterial::generate(&folder).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let server = runtime.block_on(TestServer::start(&Options::default(), &tls));
    let server = server.unwrap();
    let bases: Vec<(&str, String)> = server
        .bases()
        .environment()
        .into_iter()
        .map(|(name, base)| (name, base.to_string()))
        .collect();
    let base = &bases
        .iter()
        .find(|(name, _)| *name == "TLS_BASE")
        .unwrap()
        .1;
    // A page without a character is a module without a statement.
    let text = format!("import '{base}/redirect-to?url=/text/0'; export default function () {{}}");
    std::fs::write(folder.join("main.js"), text).unwrap();
    let run = |args: &[&str]| {
        let mut command = command(args);
        command
            .current_dir(&folder)
            .env("SSL_CERT_FILE", &tls.authority);
        command.output().unwrap()
    };

    let refused = run(&["run", "-q", "main.js"]);
    assert!(
        stderr(&refused).contains("loadline vendor"),
        "{}",
        stderr(&refused)
    );
    let stored = run(&["vendor", "main.js"]);
    assert_eq!(stored.status.code(), Some(0), "{}", stderr(&stored));
    assert!(
        stdout(&stored).contains("vendor/127.0.0.1_"),
        "{}",
        stdout(&stored)
    );
    drop((server, runtime));
    let ran = run(&["run", "-q", "main.js"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));

    let again = run(&["vendor", "main.js"]);
    assert_eq!(again.status.code(), Some(2), "{}", stdout(&again));
    assert!(
        stderr(&again).contains("connection refused"),
        "{}",
        stderr(&again)
    );
    let file = std::fs::read_dir(folder.join("vendor"))
        .unwrap()
        .next()
        .unwrap();
    let file = std::fs::read_dir(file.unwrap().path())
        .unwrap()
        .next()
        .unwrap();
    std::fs::write(file.unwrap().path(), "console.log('other')").unwrap();
    let changed = run(&["run", "-q", "main.js"]);
    assert_ne!(changed.status.code(), Some(0));
    assert!(stderr(&changed).contains("SHA-256"), "{}", stderr(&changed));
}

#[test]
fn a_package_of_npm_is_imported_by_its_name() {
    let folder = no_folder("packages");
    let package = folder.join("node_modules/shouting");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("package.json"), r#"{"main": "./lib"}"#).unwrap();
    std::fs::write(
        package.join("lib.js"),
        "exports.shout = require('./up').up;",
    )
    .unwrap();
    std::fs::write(
        package.join("up.js"),
        "exports.up = (text) => text.toUpperCase();",
    )
    .unwrap();
    let text = "import { shout } from 'shouting';
        export default function () { console.log(shout('heard')); }";
    std::fs::write(folder.join("main.js"), text).unwrap();
    let output = command(&["run", "-q", "main.js"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(stderr(&output).contains("HEARD"), "{}", stderr(&output));
}
