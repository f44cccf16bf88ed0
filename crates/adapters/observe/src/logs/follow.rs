//! New lines of a file, or of what a command prints.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use loadline_record::signals::SourceError;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::LineFeed;

/// Bytes of a file that are read at one look; of more, the last so many.
const LOOK_BYTES_MAX: u64 = 16 << 20;
/// A line whose end has not come is kept to so many bytes.
const LINE_BYTES_MAX: usize = 64 << 10;
/// Parts of a command's output that are taken at one look, and that wait for it; then the command has to wait.
const LOOK_CHUNKS_MAX: usize = 64;
const WAITING_CHUNKS_MAX: usize = 16;
const CHUNK_BYTES: usize = 64 << 10;
/// How long what a command started may take to end by itself.
const COMMAND_END_TIMEOUT: Duration = Duration::from_millis(300);
const COMMAND_END_INTERVAL: Duration = Duration::from_millis(10);

/// Something that gets new lines.
pub(super) struct Follower {
    input: Input,
    /// A line whose end has not come yet.
    begun: Vec<u8>,
}

enum Input {
    File {
        path: PathBuf,
        file: File,
        inode: u64,
    },
    Command {
        child: Child,
        parts: Receiver<Vec<u8>>,
    },
}

impl Follower {
    /// From the file's present end on.
    pub(super) fn of_file(path: &Path) -> Result<Self, SourceError> {
        let (mut file, inode) = open(path)?;
        file.seek(SeekFrom::End(0))
            .map_err(|error| error_of(&error))?;
        let path = path.to_owned();
        Ok(Self::new(Input::File { path, file, inode }))
    }

    /// What a command of the shell prints, until this is dropped.
    pub(super) fn of_command(command: &str) -> Result<Self, SourceError> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Its own group: what it started ends with it.
            .process_group(0)
            .spawn()
            .map_err(|error| error_of(&error))?;
        let mut output = child.stdout.take().ok_or(SourceError::Defect)?;
        let (send, parts) = bounded(WAITING_CHUNKS_MAX);
        let read = move || {
            let mut part = vec![0; CHUNK_BYTES];
            while let Ok(count @ 1..) = output.read(&mut part) {
                if send.send(part[..count].to_vec()).is_err() {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(read).map_err(|error| error_of(&error))?;
        Ok(Self::new(Input::Command { child, parts }))
    }

    fn new(input: Input) -> Self {
        Self {
            input,
            begun: Vec::new(),
        }
    }
}

impl LineFeed for Follower {
    fn lines(&mut self) -> Result<Vec<String>, SourceError> {
        let mut new = std::mem::take(&mut self.begun);
        let has_ended = match &mut self.input {
            Input::File { path, file, inode } => {
                read_file(path, file, inode, &mut new)?;
                false
            }
            Input::Command { parts, .. } => take_parts(parts, &mut new),
        };
        let end = new
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        self.begun = new.split_off(end);
        self.begun.truncate(LINE_BYTES_MAX);
        if has_ended && new.is_empty() {
            return Err(SourceError::CutOff);
        }
        // One text of all lines: a text for each would cost many times what it holds.
        Ok(vec![String::from_utf8_lossy(&new).into_owned()])
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if let Input::Command { child, .. } = &mut self.input {
            end_group(child);
        }
    }
}

/// Ends a command and all that it started: a shell does not end the parts of a pipeline. The child is
/// not waited for before, so that no other group can have its number.
fn end_group(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let Some(group) = group else {
        return;
    };
    // What is gone already needs no end.
    let _ = kill_process_group(group, Signal::TERM);
    let mut waited = Duration::ZERO;
    while waited < COMMAND_END_TIMEOUT && test_kill_process_group(group).is_ok() {
        // A child that ended is there until it is waited for.
        if !matches!(child.try_wait(), Ok(None)) {
            break;
        }
        waited += COMMAND_END_INTERVAL;
        std::thread::park_timeout(COMMAND_END_INTERVAL);
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

fn open(path: &Path) -> Result<(File, u64), SourceError> {
    let file = File::open(path).map_err(|error| error_of(&error))?;
    let inode = file.metadata().map_err(|error| error_of(&error))?.ino();
    Ok((file, inode))
}

/// Goes on with the file of this name, which may be another one by now or have been emptied.
fn read_file(
    path: &Path,
    file: &mut File,
    inode: &mut u64,
    new: &mut Vec<u8>,
) -> Result<(), SourceError> {
    read_rest(file, new)?;
    let is_other = std::fs::metadata(path).is_ok_and(|now| now.ino() != *inode);
    if is_other {
        (*file, *inode) = open(path)?;
        read_rest(file, new)?;
    }
    Ok(())
}

fn read_rest(file: &mut File, new: &mut Vec<u8>) -> Result<(), SourceError> {
    let mut read = || -> std::io::Result<()> {
        let length = file.metadata()?.len();
        let at = file.stream_position()?;
        if length < at {
            file.seek(SeekFrom::Start(0))?;
        } else if length - at > LOOK_BYTES_MAX {
            file.seek(SeekFrom::Start(length - LOOK_BYTES_MAX))?;
        }
        file.take(LOOK_BYTES_MAX).read_to_end(new)?;
        Ok(())
    };
    read().map_err(|error| error_of(&error))
}

/// Takes what was printed; whether the command has ended.
fn take_parts(parts: &Receiver<Vec<u8>>, new: &mut Vec<u8>) -> bool {
    // One that prints without a pause would never be read to its end.
    for _ in 0..LOOK_CHUNKS_MAX {
        match parts.try_recv() {
            Ok(part) => new.extend(part),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
    false
}

fn error_of(error: &std::io::Error) -> SourceError {
    match error.kind() {
        ErrorKind::NotFound => SourceError::NoFile,
        ErrorKind::PermissionDenied => SourceError::NoPermission,
        _ => SourceError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_prints_is_read_to_its_end() {
        let mut follower = Follower::of_command("printf 'a\\nb\\nc'").unwrap();
        let mut lines = Vec::new();
        // The command ends by itself; then there is an error.
        while let Ok(new) = follower.lines() {
            lines.extend(new.iter().flat_map(|text| text.lines()).map(str::to_owned));
            std::thread::yield_now();
        }
        assert_eq!(lines, ["a", "b"], "the last line never ended");
    }

    /// Seen: `yes` was read without an end, 2.6 GB in 8 s.
    #[test]
    fn a_command_that_prints_without_a_pause_is_read_in_parts() {
        let mut follower = Follower::of_command("yes").unwrap();
        for _ in 0..3 {
            let bytes: usize = follower.lines().unwrap().iter().map(String::len).sum();
            assert!(bytes <= LOOK_CHUNKS_MAX * CHUNK_BYTES, "{bytes}");
        }
    }

    /// Seen: the parts of a pipeline stayed behind.
    #[test]
    fn what_a_command_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let command = format!(
            "sh -c 'echo $$ > {0}; exec sleep 1000' | cat",
            file.display()
        );
        let follower = Follower::of_command(&command).unwrap();
        let pid = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if text.ends_with('\n') {
                break text.trim().to_owned();
            }
            std::thread::yield_now();
        };
        drop(follower);
        // It dies when it is next given a core, and whoever takes over orphans waits for it later.
        let mut looks = 0..1_000_000;
        let is_gone = looks.any(|_| {
            std::thread::yield_now();
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z")
        });
        assert!(is_gone);
    }

    #[test]
    fn a_file_that_is_emptied_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        std::fs::write(&path, "one\ntwo\n").unwrap();
        let mut follower = Follower::of_file(&path).unwrap();
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!(follower.lines().unwrap(), ["new\n"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error() {
        let missing = Follower::of_file(Path::new("/nowhere/a.log"));
        assert_eq!(missing.err(), Some(SourceError::NoFile));
    }
}
