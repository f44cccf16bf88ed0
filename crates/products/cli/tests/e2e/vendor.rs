//! Modules of the web stored beside a script, and runs that need no network for them.

use std::path::PathBuf;
use std::process::Output;

use loadline_testkit::server::{Options, TestServer, TlsMaterial};

use crate::common::{assert_counts_add_up, command, no_folder, stderr, stdout};

/// A folder with a script's home, and an https server to import from.
struct Web {
    folder: PathBuf,
    tls: TlsMaterial,
    base: String,
    plain: String,
    server: Option<(TestServer, tokio::runtime::Runtime)>,
}

impl Web {
    fn start(name: &str) -> Self {
        let folder = no_folder(name);
        std::fs::create_dir_all(&folder).unwrap();
        let tls = TlsMaterial::generate(&folder).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(TestServer::start(&Options::default(), &tls));
        let server = server.unwrap();
        let base = |wanted: &str| {
            let bases = server.bases().environment();
            let found = bases.into_iter().find(|(name, _)| *name == wanted);
            found.unwrap().1.to_string()
        };
        Self {
            base: base("TLS_BASE"),
            plain: base("BASE"),
            folder,
            tls,
            server: Some((server, runtime)),
        }
    }

    /// Writes a script that imports this page. A page without a character is a module
    /// without a statement.
    fn imports(&self, file: &str, path: &str) {
        let text = format!(
            "import '{}{path}'; export default function () {{}}",
            self.base
        );
        std::fs::write(self.folder.join(file), text).unwrap();
    }

    fn loadline(&self, args: &[&str]) -> Output {
        let mut command = command(args);
        command
            .current_dir(&self.folder)
            .env("XDG_CACHE_HOME", self.folder.join("cache"))
            .env("SSL_CERT_FILE", &self.tls.authority);
        command.output().unwrap()
    }

    fn refused(&self, args: &[&str], words: &str) {
        let output = self.loadline(args);
        assert_eq!(output.status.code(), Some(107), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }

    fn runs(&self, args: &[&str]) -> String {
        let output = self.loadline(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    }

    fn stored_file(&self) -> PathBuf {
        let only = |folder: PathBuf| {
            let mut entries = std::fs::read_dir(folder).unwrap();
            entries.next().unwrap().unwrap().path()
        };
        only(only(self.folder.join("vendor")))
    }
}

#[test]
fn a_module_of_the_web_is_fetched_and_kept_for_when_its_server_is_away() {
    let mut web = Web::start("remote");
    web.imports("main.js", "/redirect-to?url=/text/0");
    web.refused(&["run", "-q", "--offline", "main.js"], "loadline vendor");
    let store = web.folder.join("runs.db").display().to_string();
    web.runs(&["run", "-q", "main.js", "--store", &store]);
    let shown = web.loadline(&["show", "latest", "--store", &store]);
    assert!(
        stdout(&shown).contains("/redirect-to?url=/text/0 e3b0c44298fc (server)"),
        "{}",
        stdout(&shown)
    );
    let said = web.runs(&["run", "-q", "--offline", "--no-store", "main.js"]);
    assert!(!said.contains("https://"), "{said}");
    web.server = None;
    let said = web.runs(&["run", "-q", "main.js"]);
    assert!(said.contains("connection refused"), "{said}");
    let said = web.runs(&["run", "-q", "--lang", "ko", "main.js"]);
    assert!(said.contains("연결 거부"), "{said}");
    std::fs::remove_dir_all(web.folder.join("cache")).unwrap();
    web.refused(&["run", "-q", "main.js"], "connection refused");
}

#[test]
fn what_is_no_module_is_refused() {
    let web = Web::start("remote-refused");
    let to_http = format!("/redirect-to?url={}/text/0", web.plain);
    for (file, path, words) in [
        ("http.js", to_http.as_str(), "which is not https"),
        ("loop.js", "/redirect-loop", "more than 10 times"),
        ("large.js", "/text/50000000", "more than 16,777,216 bytes"),
        ("gone.js", "/status/404", "couldn't be retrieved"),
        ("down.js", "/status/503", "answered with status 503"),
    ] {
        web.imports(file, path);
        web.refused(&["run", "-q", file], words);
    }
    // No lock is written of what went over http on its way.
    let output = web.loadline(&["vendor", "http.js"]);
    assert_ne!(output.status.code(), Some(0));
    let said = stderr(&output);
    assert!(said.contains("which is not https"), "{said}");
    assert!(!web.folder.join("loadline.lock").exists());
}

#[test]
fn an_archive_carries_what_was_fetched() {
    let mut web = Web::start("remote-archive");
    web.imports("main.js", "/text/0");
    web.runs(&["archive", "-O", "main.tar", "main.js"]);
    web.server = None;
    std::fs::remove_dir_all(web.folder.join("cache")).unwrap();
    web.runs(&["run", "-q", "main.tar"]);
}

#[test]
fn a_script_with_modules_of_the_web_is_stored_and_runs_without_them() {
    let mut web = Web::start("vendor");
    web.imports("main.js", "/redirect-to?url=/text/0");
    let stored = web.loadline(&["vendor", "main.js"]);
    assert_eq!(stored.status.code(), Some(0), "{}", stderr(&stored));
    assert!(
        stdout(&stored).contains("vendor/127.0.0.1_"),
        "{}",
        stdout(&stored)
    );
    let lock = std::fs::read_to_string(web.folder.join("loadline.lock")).unwrap();
    let file = web.stored_file();
    std::fs::remove_file(&file).unwrap();
    // The lock file alone holds a module to its digest.
    web.runs(&["run", "-q", "main.js"]);
    let other = lock.replace("e3b0c44298fc", "e3b0c44298fd");
    std::fs::write(web.folder.join("loadline.lock"), other).unwrap();
    web.refused(
        &["run", "-q", "main.js"],
        "its server sends SHA-256 e3b0c44298fc",
    );
    std::fs::write(web.folder.join("loadline.lock"), &lock).unwrap();
    std::fs::write(&file, "").unwrap();

    web.server = None;
    std::fs::remove_dir_all(web.folder.join("cache")).unwrap();
    let said = web.runs(&["run", "-q", "--offline", "--no-store", "main.js"]);
    assert!(!said.contains("https://"), "{said}");
    let again = web.loadline(&["vendor", "main.js"]);
    assert_eq!(again.status.code(), Some(2), "{}", stdout(&again));
    assert!(
        stderr(&again).contains("connection refused"),
        "{}",
        stderr(&again)
    );
    std::fs::write(&file, "console.log('other')").unwrap();
    web.refused(&["run", "-q", "main.js"], "its SHA-256 is");
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

/// `k6 run https://...`: the script itself lies on the web; as `loadline` such an address is what load is sent to.
#[test]
fn under_the_name_of_k6_a_script_is_had_from_the_web() {
    let web = Web::start("remote_script");
    let k6 = web.folder.join("k6");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_loadline"), &k6).unwrap();
    let run = |script: &str| {
        let output = std::process::Command::new(&k6)
            .args(["run", script])
            .current_dir(&web.folder)
            .env_clear()
            .env("HOME", &web.folder)
            .env("LANG", "C.UTF-8")
            .env("SSL_CERT_FILE", &web.tls.authority)
            .output()
            .unwrap();
        assert_counts_add_up(&stderr(&output));
        (output.status.code(), stderr(&output))
    };
    // Ten letters are a name that means nothing: the text was had and run.
    let (code, told) = run(&format!("{}/text/10", web.base));
    assert_eq!(code, Some(107), "{told}");
    assert!(told.contains("abcdefghij is not defined"), "{told}");
    let (_, told) = run(&format!("{}/status/404", web.base));
    assert!(told.contains("couldn't be retrieved"), "{told}");
    let (_, told) = run(&format!("{}/text/10", web.plain));
    assert!(
        told.contains("only supported schemes for imports are file and https"),
        "{told}"
    );
}
