//! Sets knobs at a target, and puts everything back.
//!
//! Before a trial: files are written, the target is restarted if a knob needs it, requests and
//! commands are sent, and every knob that can be read is read back. What cannot be set, does not
//! start or hangs is a result of the trial, not an end of the study.

mod files;
mod process;
mod readback;
mod restore;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use loadline_net::NetworkSettings;
use loadline_text::{Message, tune};
use loadline_units::Clock;

pub use crate::error::{HookError, RestoreFailure};
use crate::error::{file_error, original_error};
use crate::journal::{JournalEntry, StudyJournal};
use crate::original::{self, OriginalFile};
use crate::study::{Knob, KnobMethod, ReadyCondition, StudyFile};
use crate::web::{self, WebRequest};
use process::{CommandContext, ProcessIdentity, TargetProcess};
pub use readback::KnobMismatch;
use readback::is_same;
pub use restore::RestoredPart;

/// How often a target is asked whether it is ready, or a knob whether it is set.
const PROBE_INTERVAL: Duration = Duration::from_millis(100);
/// How long a knob may take to show its new value.
const READ_BACK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a person may take.
const MANUAL_TIMEOUT: Duration = Duration::from_secs(1800);

/// What a setter needs of the process it runs in.
pub struct SetterContext {
    /// Name look-ups and proxies of requests.
    pub network: Arc<NetworkSettings>,
    /// The clock.
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Asks a person to set something.
    pub ask: Box<dyn FnMut(&Message)>,
    /// Messages that end a wait.
    pub interrupts: Receiver<()>,
}

/// Sets knobs at a target. Dropped, it puts everything back as well as it can.
pub struct TargetControl {
    study: StudyFile,
    journal: StudyJournal,
    context: SetterContext,
    process: Option<TargetProcess>,
    is_restored: bool,
}

impl TargetControl {
    /// A setter that keeps `journal`.
    #[must_use]
    pub fn new(study: StudyFile, journal: StudyJournal, context: SetterContext) -> Self {
        let is_restored = !journal.state().is_changed();
        Self {
            study,
            journal,
            context,
            process: None,
            is_restored,
        }
    }

    /// Whether nothing is to be put back, or all of it was tried.
    #[must_use]
    pub const fn is_restored(&self) -> bool {
        self.is_restored
    }

    /// The journal.
    pub const fn journal(&mut self) -> &mut StudyJournal {
        &mut self.journal
    }

    /// Whether nobody answers yet where a target that the study starts is to answer: trials would
    /// measure that one.
    ///
    /// # Errors
    /// [`HookError::NotFree`].
    pub fn is_free(&self) -> Result<(), HookError> {
        let start = self.study.start();
        let (Some(_), Some(ready)) = (&self.study.target.start, &self.study.target.ready) else {
            return Ok(());
        };
        if self.probe(&start).is_err() {
            return Ok(());
        }
        Err(HookError::NotFree {
            ready: match ready {
                ReadyCondition::Url(url) => url.clone(),
                ReadyCondition::Command(words) => words.join(" "),
            },
        })
    }

    /// Sets everything for a trial.
    ///
    /// # Errors
    /// Why the setting cannot be tried.
    pub fn set(&mut self, setting: &[usize]) -> Result<(), HookError> {
        self.is_restored = false;
        self.write_files(setting)?;
        let owns = self.study.target.start.is_some();
        let runs = self.process.as_ref().is_some_and(TargetProcess::is_alive);
        if owns && (!runs || self.study.restarts()) {
            self.stop();
            self.start(setting)?;
        } else if self.study.restarts() {
            let restart = self.study.target.restart.clone().unwrap_or_default();
            self.hook(&restart, setting)?;
        }
        self.until_ready(setting)?;
        self.set_running(setting)?;
        self.read_back(setting)
    }

    /// Whether a target that was started still runs and says that it is ready.
    pub fn is_alive(&mut self, setting: &[usize]) -> bool {
        let is_gone = self
            .process
            .as_ref()
            .is_some_and(|process| !process.is_alive());
        !is_gone && self.probe(setting).is_ok()
    }

    fn path(&self, file: &std::path::Path) -> PathBuf {
        self.study.folder.join(file)
    }

    fn text_of(&self, file: &std::path::Path) -> Result<Option<String>, HookError> {
        let path = self.path(file);
        original::text_of(&path).map_err(|error| file_error(&path, &error))
    }

    /// Writes the files that hold settings, each with its original and its diff in the journal.
    fn write_files(&mut self, setting: &[usize]) -> Result<(), HookError> {
        let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
        let knobs = self.study.knobs.clone();
        for (knob, level) in knobs.iter().zip(setting) {
            match &knob.method {
                KnobMethod::Property { file, key } => {
                    let path = self.path(file);
                    let text = match texts.remove(&path) {
                        Some(text) => text,
                        None => self.text_of(file)?.unwrap_or_default(),
                    };
                    texts.insert(path, files::with_property(&text, key, &knob.values[*level]));
                }
                KnobMethod::Template { file, from } => {
                    let missing = || file_error(from, &rustix::io::Errno::NOENT.into());
                    let template = self.text_of(from)?.ok_or_else(missing)?;
                    texts.insert(self.path(file), self.filled(&template, setting));
                }
                _ => {}
            }
        }
        for (path, text) in texts {
            let before = OriginalFile::read(&path).map_err(|error| original_error(&path, error))?;
            if before.content.as_deref() == Some(&text) {
                continue;
            }
            let diff = files::diff(before.content.as_deref().unwrap_or_default(), &text);
            if !self.journal.state().originals.contains_key(&path) {
                self.journal.append(JournalEntry::Original(before))?;
            }
            let file = path.clone();
            self.journal.append(JournalEntry::Change { file, diff })?;
            let originals = &self.journal.state().originals;
            let room = originals.get(&path).map_or(0, OriginalFile::text_bytes);
            original::write(&path, &text, room).map_err(|error| file_error(&path, &error))?;
        }
        Ok(())
    }

    /// A text with the values of all knobs in place of `{name}`.
    fn filled(&self, text: &str, setting: &[usize]) -> String {
        let values = self.study.values(setting);
        let knobs = self.study.knobs.iter().zip(values);
        knobs.fold(text.to_owned(), |text, (knob, value)| {
            text.replace(&format!("{{{}}}", knob.name), value)
        })
    }

    fn filled_words(&self, words: &[String], setting: &[usize]) -> Vec<String> {
        words
            .iter()
            .map(|word| self.filled(word, setting))
            .collect()
    }

    fn hook(&self, words: &[String], setting: &[usize]) -> Result<(), HookError> {
        self.run(&self.filled_words(words, setting)).map(drop)
    }

    fn run(&self, words: &[String]) -> Result<String, HookError> {
        let context = CommandContext {
            folder: &self.study.folder,
            variables: &[],
        };
        process::run(words, context, self.study.target.hook_timeout)
    }

    fn start(&mut self, setting: &[usize]) -> Result<(), HookError> {
        let Some(start) = self.study.target.start.clone() else {
            return Ok(());
        };
        let (words, mut variables) = self.start_command(&start, setting);
        variables.push(self.marker());
        // A study that is killed before it knows the process finds it by its mark.
        self.journal.append(JournalEntry::ProcessStarting)?;
        let context = CommandContext {
            folder: &self.study.folder,
            variables: &variables,
        };
        let process = TargetProcess::start(&words, context, &self.log())?;
        let ProcessIdentity { group, started } = process.identity();
        self.process = Some(process);
        self.journal
            .append(JournalEntry::Process { group, started })?;
        Ok(())
    }

    /// The start command for a setting, and its variables.
    fn start_command(
        &self,
        start: &[String],
        setting: &[usize],
    ) -> (Vec<String>, Vec<(String, String)>) {
        let mut words = start.to_vec();
        let mut variables = Vec::new();
        for (knob, value) in self.study.knobs.iter().zip(self.study.values(setting)) {
            match &knob.method {
                KnobMethod::Env(name) => variables.push((name.clone(), value.to_owned())),
                KnobMethod::Argument(text) => {
                    let place = format!("{{{}}}", knob.name);
                    let argument = text.replace("{value}", value);
                    if words.iter().any(|word| word.contains(&place)) {
                        words = words
                            .iter()
                            .map(|word| word.replace(&place, &argument))
                            .collect();
                    } else {
                        words.push(argument);
                    }
                }
                _ => {}
            }
        }
        (self.filled_words(&words, setting), variables)
    }

    /// The variable by which a target that this study started is known.
    fn marker(&self) -> (String, String) {
        let journal = std::path::absolute(self.journal.path());
        let journal = journal.unwrap_or_else(|_| self.journal.path().to_owned());
        ("LOADLINE_STUDY".to_owned(), journal.display().to_string())
    }

    /// Where a target that was started prints.
    fn log(&self) -> PathBuf {
        let path = self.journal.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.with_file_name(name.replace(".journal", ".target.log"))
    }

    /// Stops a target that was started.
    fn stop(&mut self) {
        let Some(process) = self.process.take() else {
            return;
        };
        let patience = self.study.target.stop_timeout;
        let stopped = self.study.target.stop.clone().map(|stop| self.run(&stop));
        match stopped {
            Some(Ok(_)) => process.wait_or_kill(patience),
            _ => process.stop(patience),
        }
        let group = process.identity().group;
        // What is not in the journal is looked for again later, and not found.
        let _ = self.journal.append(JournalEntry::ProcessEnded { group });
    }

    /// Waits until the target is ready.
    fn until_ready(&mut self, setting: &[usize]) -> Result<(), HookError> {
        let patience = self.study.target.start_timeout;
        let until = self.context.clock.now() + patience;
        loop {
            if self
                .process
                .as_ref()
                .is_some_and(|process| !process.is_alive())
            {
                let output = process::last_lines(&self.log());
                return Err(HookError::Ended { output });
            }
            if self.probe(setting).is_ok() {
                return Ok(());
            }
            if self.context.clock.now() >= until {
                return Err(HookError::NotReady(patience));
            }
            self.pause(PROBE_INTERVAL)?;
        }
    }

    fn probe(&self, setting: &[usize]) -> Result<(), HookError> {
        let patience = self.study.target.hook_timeout;
        match &self.study.target.ready {
            None => Ok(()),
            Some(ReadyCondition::Url(url)) => {
                let request = WebRequest::get(url);
                web::send(&self.context.network, request, patience).map(drop)
            }
            Some(ReadyCondition::Command(words)) => self.hook(words, setting),
        }
    }

    /// Waits, unless a person ends it.
    fn pause(&self, time: Duration) -> Result<(), HookError> {
        match self.context.interrupts.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            _ => Err(HookError::Interrupted),
        }
    }

    /// Sets knobs at the running target.
    fn set_running(&mut self, setting: &[usize]) -> Result<(), HookError> {
        let knobs = self.study.knobs.clone();
        for (knob, level) in knobs.iter().zip(setting) {
            self.set_knob(knob, &knob.values[*level], setting)?;
        }
        Ok(())
    }

    /// Sets one knob at the running target; whether there was something to do.
    fn set_knob(&mut self, knob: &Knob, value: &str, setting: &[usize]) -> Result<bool, HookError> {
        let with = |text: &str| self.filled(&text.replace("{value}", value), setting);
        let entry = JournalEntry::Set {
            knob: knob.name.clone(),
            value: value.to_owned(),
        };
        match &knob.method {
            KnobMethod::Http { method, url, body } => {
                let (url, body) = (with(url), body.as_deref().map(with));
                self.journal.append(entry)?;
                let request = WebRequest {
                    method,
                    url: &url,
                    body: body.as_deref(),
                };
                let patience = self.study.target.hook_timeout;
                web::send(&self.context.network, request, patience)?;
            }
            KnobMethod::Command(words) => {
                let words: Vec<String> = words.iter().map(|word| with(word)).collect();
                self.journal.append(entry)?;
                self.run(&words)?;
            }
            KnobMethod::Manual(text) => {
                let text = with(text);
                let is_set = |setter: &Self| {
                    let seen = knob.read.as_ref().map(|read| setter.read(read));
                    matches!(seen, Some(Ok(seen)) if is_same(&seen, value))
                };
                if is_set(self) {
                    return Ok(false);
                }
                self.journal.append(entry)?;
                (self.context.ask)(&tune::manual_asks(text));
                let until = self.context.clock.now() + MANUAL_TIMEOUT;
                while !is_set(self) && self.context.clock.now() < until {
                    self.pause(PROBE_INTERVAL * 5)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Drop for TargetControl {
    /// A panic, too, leaves the target as it was found. What cannot be put back here is put back
    /// from the journal.
    fn drop(&mut self) {
        if !self.is_restored {
            let _ = self.restore();
        }
    }
}

#[cfg(test)]
mod tests;
