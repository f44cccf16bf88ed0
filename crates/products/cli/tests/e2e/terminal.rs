//! A pseudo-terminal, the way a person sits at one.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::common::{assert_counts_add_up, until};

/// Written to the terminal once the run is over: what it wrote itself stands before it. No
/// terminal shows these characters.
const END_OF_OUTPUT: &str = "\x01\x02\x01";

/// A run at a terminal of its own.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    /// Held open so that its settings can be looked at after the run.
    line: File,
    written: Arc<Mutex<Written>>,
}

/// A number of rows or columns.
fn some(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

/// What came from the run.
struct Written {
    bytes: Vec<u8>,
    /// What a terminal makes of it.
    parser: vt100::Parser,
}

impl Terminal {
    /// Of 24 rows of 80 characters.
    pub(crate) fn run(args: &[&str]) -> Self {
        Self::with(args, 24, 80, &[])
    }

    /// Of so many rows and columns, with these variables beside the usual ones.
    pub(crate) fn with(args: &[&str], rows: u16, columns: u16, env: &[(&str, &str)]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let line = File::options().read(true).write(true).open(&name).unwrap();
        let end = || Stdio::from(line.try_clone().unwrap());
        let mut terminal = Self {
            // `setsid` makes the terminal the run's own, as a login does.
            child: Command::new("setsid")
                .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_loadline")])
                .args(args)
                .env("LANG", "C")
                .env("TERM", "xterm")
                .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
                .env_remove("LC_ALL")
                .env_remove("NO_COLOR")
                .envs(env.iter().copied())
                .stdin(end())
                .stdout(end())
                .stderr(end())
                .spawn()
                .unwrap(),
            keyboard: File::from(master),
            line,
            written: Arc::new(Mutex::new(Written {
                bytes: Vec::new(),
                parser: vt100::Parser::new(some(rows), some(columns), 1000),
            })),
        };
        terminal.resize(rows, columns);
        let mut output = terminal.keyboard.try_clone().unwrap();
        let written = terminal.written.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut written = written.lock().unwrap();
                written.bytes.extend_from_slice(&buffer[..count]);
                written.parser.process(&buffer[..count]);
            }
        });
        terminal
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Rows and columns from now on.
    pub(crate) fn resize(&mut self, rows: u16, columns: u16) {
        let mut written = self.written.lock().unwrap();
        written
            .parser
            .screen_mut()
            .set_size(some(rows), some(columns));
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&self.keyboard, size).unwrap();
    }

    /// All that was written, as it came.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap().bytes).into_owned()
    }

    /// What was written before a run took the whole screen, and after it gave it back.
    pub(crate) fn outside_of_the_whole_screen(&self) -> String {
        let screen = self.screen();
        let mut parts = screen.split("\x1b[?1049h");
        let before = parts.next().unwrap_or_default();
        let after = parts.filter_map(|part| part.split_once("\x1b[?1049l"));
        std::iter::once(before)
            .chain(after.map(|(_, after)| after))
            .collect()
    }

    /// What a person sees now.
    pub(crate) fn seen(&self) -> String {
        self.written.lock().unwrap().parser.screen().contents()
    }

    /// Whether the run has the whole screen.
    pub(crate) fn is_whole_screen(&self) -> bool {
        self.written
            .lock()
            .unwrap()
            .parser
            .screen()
            .alternate_screen()
    }

    /// Whether a cursor is to be seen.
    pub(crate) fn has_cursor(&self) -> bool {
        !self.written.lock().unwrap().parser.screen().hide_cursor()
    }

    pub(crate) fn wait_for(&self, text: &str) {
        until(text, || self.screen().contains(text));
    }

    pub(crate) fn wait_to_see(&self, text: &str) {
        until(text, || self.seen().contains(text));
    }

    /// Whether keys come one by one and unseen.
    pub(crate) fn is_ours(&self) -> bool {
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Asks the run to end, as a system does that shuts down. `setsid` became the run.
    pub(crate) fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    /// Waits for the end of the run, and until all it wrote has been read.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let code = self.child.wait().unwrap().code();
        self.line.write_all(END_OF_OUTPUT.as_bytes()).unwrap();
        until("end of the output", || {
            self.screen().contains(END_OF_OUTPUT)
        });
        assert_counts_add_up(&self.screen());
        code
    }

    /// The same; the terminal is as it was before.
    pub(crate) fn end_sane(&mut self) -> Option<i32> {
        let code = self.end();
        assert!(!self.is_ours(), "keys come as before");
        until("usual screen", || {
            !self.is_whole_screen() && self.has_cursor()
        });
        code
    }
}
