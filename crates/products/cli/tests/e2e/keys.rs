//! Keys at a terminal: a pseudo-terminal, the way a person sits at one.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::common::{Server, assert_counts_add_up, until};

/// A run at a terminal of its own.
struct Terminal {
    child: Child,
    keyboard: File,
    /// Held open so that its settings can be looked at after the run.
    line: OwnedFd,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// `setsid` makes the terminal the run's own, as a login does.
    fn run(args: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let line = File::options().read(true).write(true).open(&name).unwrap();
        let end = || Stdio::from(line.try_clone().unwrap());
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_loadline")])
            .args(args)
            .env("LANG", "C")
            .env("TERM", "xterm")
            .env_remove("LC_ALL")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let mut output = keyboard.try_clone().unwrap();
        let screen = Arc::new(Mutex::new(Vec::new()));
        let seen = screen.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                seen.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
        Self {
            child,
            keyboard,
            line: line.into(),
            screen,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    fn wait_for(&self, text: &str) {
        until(text, || self.screen().contains(text));
    }

    /// Whether keys come one by one and unseen.
    fn is_ours(&self) -> bool {
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
    }

    fn end(&mut self) -> Option<i32> {
        let code = self.child.wait().unwrap().code();
        assert_counts_add_up(&self.screen());
        code
    }
}

#[test]
fn keys_pause_change_the_load_and_stop_and_the_terminal_is_given_back() {
    let server = Server::start();
    let args = ["run", &server.base, "--rate", "20/s", "-d", "60s"];
    let mut terminal = Terminal::run(&args);
    server.wait_for(3);
    assert!(terminal.is_ours());
    terminal.press("?");
    terminal.wait_for("keys: p pause");
    terminal.press("+\x1b[A");
    terminal.wait_for("load at 110 %");
    terminal.press("-");
    terminal.wait_for("load at 100 %");

    terminal.press("p");
    terminal.wait_for("paused");
    // What was on its way has come by now.
    std::thread::sleep(Duration::from_millis(500));
    let paused = server.requests();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(server.requests(), paused, "nothing begins");
    terminal.press("p");
    server.wait_for(paused + 3);

    terminal.press("q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    terminal.wait_for("STOPPED");
    assert!(
        !terminal.is_ours(),
        "the terminal has its own settings back"
    );
}

/// A run that a person slowed down is not compared with others as if nothing had happened.
#[test]
fn what_a_key_changes_in_the_load_is_an_event_of_the_run() {
    let server = Server::start();
    let store = std::env::temp_dir().join(format!("keys-{}.db", std::process::id()));
    let store = store.to_str().unwrap();
    let args = ["run", &server.base, "--rate", "20/s", "-d", "60s"];
    let mut terminal = Terminal::run(&[&args[..], &["--store", store]].concat());
    server.wait_for(3);
    terminal.press("+");
    terminal.wait_for("load at 110 %");
    terminal.press("p");
    terminal.wait_for("paused");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    let events = crate::common::loadline(&["show", "latest", "--events", "--store", store]);
    let said = crate::common::stdout(&events);
    let changes: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("load-changed"))
        .collect();
    assert!(
        changes[0].contains(r#""by":"key","change":"scaled""#),
        "{said}"
    );
    assert!(
        changes[1].contains(r#""by":"key","change":"paused""#),
        "{said}"
    );
    std::fs::remove_file(store).unwrap();
}

#[test]
fn a_script_at_a_terminal_begins_its_summary_with_the_verdict() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         import {{ sleep }} from 'k6';
         export const options = {{ vus: 2, duration: '60s' }};
         export default function () {{ http.get('{}'); sleep(0.2); }}",
        server.base
    );
    let path = crate::common::script("terminal.js", &text);
    let mut terminal = Terminal::run(&["run", path.to_str().unwrap()]);
    server.wait_for(3);
    terminal.press("p");
    terminal.wait_for("paused");
    std::thread::sleep(Duration::from_millis(500));
    let paused = server.requests();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(server.requests(), paused, "a closed model pauses too");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(105), "{}", terminal.screen());
    assert!(!terminal.is_ours());
    terminal.wait_for("TOTAL RESULTS");
    let screen = terminal.screen();
    assert!(
        screen.find("STOPPED") < screen.find("TOTAL RESULTS"),
        "{screen}"
    );
}

#[test]
fn a_capital_q_waits_for_nothing() {
    let server = Server::answering_after(Duration::from_secs(60));
    let mut terminal = Terminal::run(&["run", &server.base, "-d", "60s", "--graceful-stop", "60s"]);
    server.wait_for(1);
    let asked = crate::common::Stopwatch::start();
    terminal.press("Q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    asked.assert_within(Duration::from_millis(1000));
    assert!(!terminal.is_ours());
}

#[test]
fn a_quiet_run_leaves_the_terminal_alone() {
    let server = Server::start();
    let mut terminal = Terminal::run(&["run", &server.base, "-d", "2s", "-q"]);
    server.wait_for(3);
    assert!(!terminal.is_ours());
    terminal.press("q");
    assert_ne!(terminal.end(), Some(130), "{}", terminal.screen());
    terminal.wait_for("exit code");
}
