//! Commands that end in time, and a target that runs as long as it is wanted.
//!
//! Each has a process group of its own: what it started is ended with it, and Ctrl-C at the
//! terminal is heard by the study alone.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::HookError;

/// What of a hook's output is kept: its end.
const OUTPUT_BYTES_MAX: usize = 2000;
/// How long the output of a hook that ended is waited for.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(300);
/// How long a killed process may take to be gone.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// How often is looked whether it is.
const GONE_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// Variables and folder of what is started.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommandContext<'a> {
    pub(super) folder: &'a Path,
    pub(super) variables: &'a [(String, String)],
}

fn command(words: &[String], context: CommandContext<'_>) -> Result<Command, HookError> {
    let (program, arguments) = words.split_first().ok_or_else(|| HookError::Missing {
        hook: String::new(),
        reason: "no command".to_owned(),
    })?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(context.folder)
        .envs(context.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .process_group(0);
    Ok(command)
}

fn missing(words: &[String], error: &std::io::Error) -> HookError {
    HookError::Missing {
        hook: words.join(" "),
        reason: error.to_string(),
    }
}

/// Runs a hook; gives what it printed. One that takes longer than `timeout` is killed with its
/// process group.
pub(super) fn run(
    words: &[String],
    context: CommandContext<'_>,
    timeout: Duration,
) -> Result<String, HookError> {
    let mut command = command(words, context)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| missing(words, &error))?;
    let output: Arc<Mutex<Vec<u8>>> = Arc::default();
    let errors: Arc<Mutex<Vec<u8>>> = Arc::default();
    let (done, read) = channel();
    let parts = [
        child
            .stdout
            .take()
            .map(|pipe| (Box::new(pipe) as Box<dyn Read + Send>, output.clone())),
        child
            .stderr
            .take()
            .map(|pipe| (Box::new(pipe) as Box<dyn Read + Send>, errors.clone())),
    ];
    for (mut pipe, kept) in parts.into_iter().flatten() {
        let done = done.clone();
        // A process that outlives the hook may hold the pipe: nobody waits for this thread.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&bytes[..count]);
                let surplus = kept.len().saturating_sub(1 << 20);
                kept.drain(..surplus);
            }
            let _ = done.send(());
        });
    }
    let running = Running::new(child);
    let status = running.wait(timeout);
    if status.is_none() {
        running.kill();
        return Err(HookError::TimedOut {
            hook: words.join(" "),
            time: timeout,
        });
    }
    for _ in 0..2 {
        let _ = read.recv_timeout(OUTPUT_TIMEOUT);
    }
    let text = |bytes: &Arc<Mutex<Vec<u8>>>| {
        let bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).trim().to_owned()
    };
    if status.is_some_and(|status| status.success()) {
        return Ok(text(&output));
    }
    let told = [text(&errors), text(&output)].join(" ");
    Err(HookError::Failed {
        hook: words.join(" "),
        output: end_of(told.trim(), status),
    })
}

/// The end of an output, or how the process ended if it said nothing.
fn end_of(text: &str, status: Option<ExitStatus>) -> String {
    if text.is_empty() {
        return status.map_or_else(String::new, |status| status.to_string());
    }
    let from = text.len().saturating_sub(OUTPUT_BYTES_MAX);
    let from = (from..text.len()).find(|at| text.is_char_boundary(*at));
    let end = text[from.unwrap_or(0)..].trim();
    end.lines()
        .rev()
        .take(3)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join(" / ")
}

/// A process that is waited for on a thread of its own.
#[derive(Debug)]
struct Running {
    group: i32,
    ended: Receiver<ExitStatus>,
    status: std::cell::Cell<Option<ExitStatus>>,
}

impl Running {
    fn new(mut child: Child) -> Self {
        let group = i32::try_from(child.id()).unwrap_or(0);
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            if let Ok(status) = child.wait() {
                let _ = sender.send(status);
            }
        });
        Self {
            group,
            ended,
            status: std::cell::Cell::new(None),
        }
    }

    /// How it ended, if it does within `patience`.
    fn wait(&self, patience: Duration) -> Option<ExitStatus> {
        if self.status.get().is_none() {
            match self.ended.recv_timeout(patience) {
                Ok(status) => self.status.set(Some(status)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
        self.status.get()
    }

    fn signal(&self, signal: Signal) {
        signal_group(self.group, signal);
    }

    fn kill(&self) {
        self.signal(Signal::KILL);
        self.wait(KILL_TIMEOUT);
    }
}

fn signal_group(group: i32, signal: Signal) {
    // A group that is gone needs no signal.
    if let Some(group) = Pid::from_raw(group).filter(|_| group > 1) {
        let _ = kill_process_group(group, signal);
    }
}

/// A target that the study started.
#[derive(Debug)]
pub(super) struct TargetProcess {
    running: Running,
}

/// What identifies a process group after a crash: its leader's number and when it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessIdentity {
    pub(super) group: i32,
    pub(super) started: u64,
}

impl TargetProcess {
    /// Starts it; what it prints goes to `log`.
    pub(super) fn start(
        words: &[String],
        context: CommandContext<'_>,
        log: &Path,
    ) -> Result<Self, HookError> {
        let file = |error: std::io::Error| HookError::File {
            file: log.display().to_string(),
            reason: error.to_string(),
        };
        let out = File::create(log).map_err(file)?;
        let errors = out.try_clone().map_err(file)?;
        let mut command = command(words, context)?;
        command.stdout(out).stderr(errors);
        let child = command.spawn().map_err(|error| missing(words, &error))?;
        Ok(Self {
            running: Running::new(child),
        })
    }

    pub(super) fn identity(&self) -> ProcessIdentity {
        let group = self.running.group;
        ProcessIdentity {
            group,
            started: started(group).unwrap_or(0),
        }
    }

    /// Whether it still runs.
    pub(super) fn is_alive(&self) -> bool {
        self.running.wait(Duration::ZERO).is_none()
    }

    /// Asks it to stop, and kills it with its group when it does not within `patience`.
    pub(super) fn stop(&self, patience: Duration) {
        self.running.signal(Signal::TERM);
        self.running.wait(patience);
        // What it started may still be there.
        self.running.kill();
    }

    /// Waits for its own end after somebody else told it to stop.
    pub(super) fn wait_or_kill(&self, patience: Duration) {
        self.running.wait(patience);
        self.running.kill();
    }
}

impl Drop for TargetProcess {
    fn drop(&mut self) {
        self.running.kill();
    }
}

/// The last lines of a target's output.
pub(super) fn last_lines(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    end_of(String::from_utf8_lossy(&text).trim(), None)
}

/// When a process was started, in ticks since the machine was.
fn started(pid: i32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold spaces.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    // One that only waits for its parent holds nothing any more.
    let is_over = matches!(fields.next(), Some("Z" | "X"));
    let started = fields.nth(18)?.parse().ok()?;
    (!is_over).then_some(started)
}

/// Kills a process group that an earlier study left behind, unless its number belongs to
/// somebody else by now. Whether it was there.
pub(super) fn kill_left_behind(identity: ProcessIdentity) -> bool {
    let is_there = || started(identity.group).is_some_and(|started| started == identity.started);
    let is_same = is_there();
    if is_same {
        signal_group(identity.group, Signal::KILL);
        // Its ports are free once it is gone.
        let rounds = KILL_TIMEOUT.as_millis() / GONE_CHECK_INTERVAL.as_millis();
        for _ in 0..rounds {
            if !is_there() {
                break;
            }
            wait_before_next_check(GONE_CHECK_INTERVAL);
        }
    }
    is_same
}

/// Lets time pass until the kernel is asked once more whether a process is gone.
///
/// The kernel reports the end of a process to its parent alone, and these are no children of ours: there is nothing
/// to wait on but the time. Ctrl-C must not end the wait: what it interrupts is put back first.
fn wait_before_next_check(interval: Duration) {
    let (_nobody_sends, end_of_interval) = channel::<()>();
    let _ = end_of_interval.recv_timeout(interval);
}

/// Kills the process groups of all processes that were started with a variable; gives the groups.
pub(super) fn kill_marked(name: &str, value: &str) -> Vec<i32> {
    let mark = format!("{name}={value}");
    let own = rustix::process::getpgrp().as_raw_nonzero().get();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut groups: Vec<i32> = processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| is_marked(*pid, mark.as_bytes()))
        .filter_map(|pid| {
            Some(
                rustix::process::getpgid(Pid::from_raw(pid))
                    .ok()?
                    .as_raw_nonzero()
                    .get(),
            )
        })
        .filter(|group| *group != own)
        .collect();
    groups.sort_unstable();
    groups.dedup();
    for group in &groups {
        signal_group(*group, Signal::KILL);
    }
    groups
}

/// Whether a variable was set when a process was started.
fn is_marked(pid: i32, mark: &[u8]) -> bool {
    // One that is gone, or somebody else's, is none of ours.
    let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    variables
        .split(|byte| *byte == 0)
        .any(|variable| variable == mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        ["sh", "-c", text].map(str::to_owned).to_vec()
    }

    fn here() -> CommandContext<'static> {
        CommandContext {
            folder: Path::new("/tmp"),
            variables: &[],
        }
    }

    const TEST_DEADLINE: Duration = Duration::from_secs(20);

    #[test]
    fn a_hook_gives_what_it_prints() {
        assert_eq!(
            run(&words("echo a; echo b >&2"), here(), TEST_DEADLINE).unwrap(),
            "a"
        );
    }

    #[test]
    fn a_hook_that_fails_tells_why() {
        let error = run(&words("echo broken >&2; exit 3"), here(), TEST_DEADLINE).unwrap_err();
        assert!(
            matches!(&error, HookError::Failed { output, .. } if output == "broken"),
            "{error:?}"
        );
        let error = run(&["/no/such/program".to_owned()], here(), TEST_DEADLINE).unwrap_err();
        assert!(matches!(error, HookError::Missing { .. }));
    }

    /// The hook's own children end with it.
    #[test]
    fn a_hook_that_hangs_is_killed_with_what_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let text = format!("sleep 1000 & echo $! > {}; wait", pid.display());
        let error = run(&words(&text), here(), Duration::from_millis(500)).unwrap_err();
        assert!(matches!(error, HookError::TimedOut { .. }), "{error:?}");
        let child = std::fs::read_to_string(pid).unwrap();
        // Gone, or waiting for its new parent to notice; the kernel takes a moment.
        let is_gone = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
            state.map_or(true, |state| state.contains(") Z "))
        };
        while !is_gone() {
            wait_before_next_check(GONE_CHECK_INTERVAL);
        }
    }

    #[test]
    fn a_target_runs_until_it_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let target =
            TargetProcess::start(&words("echo up; exec sleep 1000"), here(), &log).unwrap();
        assert!(target.is_alive());
        let identity = target.identity();
        target.stop(TEST_DEADLINE);
        assert!(!target.is_alive());
        assert!(!kill_left_behind(identity));
    }

    /// A study may be killed after the target was started and before that is on disk.
    #[test]
    fn a_target_whose_group_is_not_known_is_found_by_its_mark() {
        let mark = (
            "LOADLINE_STUDY".to_owned(),
            format!("/a/{}", std::process::id()),
        );
        let variables = [mark.clone()];
        let context = CommandContext {
            folder: Path::new("/tmp"),
            variables: &variables,
        };
        let mut command = command(&words("echo up; sleep 1000 & wait"), context).unwrap();
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        // A program that is just being loaded shows no variables: this one prints after that.
        let mut up = [0; 3];
        child.stdout.take().unwrap().read_exact(&mut up).unwrap();
        let running = Running::new(child);
        assert_eq!(kill_marked(&mark.0, "/a/other"), Vec::<i32>::new());
        assert_eq!(kill_marked(&mark.0, &mark.1), [running.group]);
        assert!(running.wait(TEST_DEADLINE).is_some());
    }

    #[test]
    fn what_a_killed_study_left_behind_is_found_again() {
        let child = command(&words("exec sleep 1000"), here())
            .unwrap()
            .spawn()
            .unwrap();
        let group = i32::try_from(child.id()).unwrap();
        let running = Running::new(child);
        let identity = ProcessIdentity {
            group,
            started: started(group).unwrap(),
        };
        let other = ProcessIdentity {
            started: identity.started + 1,
            ..identity
        };
        assert!(!kill_left_behind(other));
        assert!(running.wait(Duration::ZERO).is_none());
        assert!(kill_left_behind(identity));
        assert!(running.wait(TEST_DEADLINE).is_some());
    }
}
