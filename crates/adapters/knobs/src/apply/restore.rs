//! Puts a target back as it was found: all of it is tried, and what is left is named with the
//! command that mends it.

use std::path::{Path, PathBuf};

use loadline_text::{Catalog, tune};

use super::TargetControl;
use super::process::{self, ProcessIdentity};
use crate::error::{HookError, RestoreFailure, original_error};
use crate::journal::{JournalEntry, JournalState};
use crate::study::{Knob, KnobMethod};

/// Something of a target that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoredPart {
    /// A process group that the study had started, ended with all in it.
    Process(i32),
    /// A file has its original text.
    File(String),
    /// A knob was set at a running target.
    Knob {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
}

impl RestoredPart {
    /// As people read it.
    #[must_use]
    pub fn text(&self, catalog: &Catalog) -> String {
        match self {
            Self::Process(group) => catalog.text(&tune::restored_process(group)),
            Self::File(file) => file.clone(),
            Self::Knob { name, value } => format!("{name}={value}"),
        }
    }
}

impl TargetControl {
    /// Puts everything back; gives what that was.
    ///
    /// # Errors
    /// [`HookError::NotRestored`] with each thing that could not be put back; the rest was.
    pub fn restore(&mut self) -> Result<Vec<RestoredPart>, HookError> {
        self.is_restored = true;
        let state = self.journal.state().clone();
        let mut done = self.end_processes(&state);
        let mut left = Vec::new();
        self.restore_files(&state, &mut done, &mut left);
        if !state.is_changed() {
            return Ok(done);
        }
        self.restore_running(&mut done, &mut left);
        if left.is_empty() {
            self.journal.append(JournalEntry::Restored)?;
            return Ok(done);
        }
        Err(HookError::NotRestored(left))
    }

    fn end_processes(&mut self, state: &JournalState) -> Vec<RestoredPart> {
        let mut done = Vec::new();
        if let Some((group, started)) = state.process {
            self.stop();
            process::kill_left_behind(ProcessIdentity { group, started });
            done.push(RestoredPart::Process(group));
        }
        if state.is_starting {
            let (name, value) = self.marker();
            let ended = process::kill_marked(&name, &value);
            done.extend(ended.into_iter().map(RestoredPart::Process));
        }
        done
    }

    fn restore_files(
        &self,
        state: &JournalState,
        done: &mut Vec<RestoredPart>,
        left: &mut Vec<RestoreFailure>,
    ) {
        let of_study = self.files();
        for original in state.originals.values() {
            let file = original.file.display().to_string();
            // A journal that somebody put there may name any file.
            let put_back = if of_study.contains(&place(&original.file)) {
                let put_back = original.put_back();
                put_back.map_err(|error| original_error(&original.file, error))
            } else {
                Err(HookError::NotOfStudy { file: file.clone() })
            };
            match put_back {
                Ok(()) => done.push(RestoredPart::File(file)),
                Err(error) => left.push(RestoreFailure {
                    error,
                    command: None,
                }),
            }
        }
    }

    /// The files that the study may write.
    fn files(&self) -> Vec<PathBuf> {
        let named = self
            .study
            .knobs
            .iter()
            .filter_map(|knob| match &knob.method {
                KnobMethod::Property { file, .. } | KnobMethod::Template { file, .. } => {
                    Some(place(&self.path(file)))
                }
                _ => None,
            });
        named.collect()
    }

    /// Restarts a target that somebody else owns, and sets at it what was set.
    fn restore_running(&mut self, done: &mut Vec<RestoredPart>, left: &mut Vec<RestoreFailure>) {
        let start = self.study.start();
        if self.study.restarts() && self.study.target.start.is_none() {
            let restart = self.study.target.restart.clone().unwrap_or_default();
            let restarted = self.hook(&restart, &start);
            if let Err(error) = restarted.and_then(|()| self.until_ready(&start)) {
                let command = Some(self.typed(&self.filled_words(&restart, &start)));
                left.push(RestoreFailure { error, command });
            }
        }
        let owns = self.study.target.start.is_some();
        let knobs = self.study.knobs.clone();
        for (knob, level) in knobs.iter().zip(&start) {
            // What a target that is gone was told needs no taking back.
            let is_gone = owns && matches!(knob.method, KnobMethod::Http { .. });
            if is_gone || !self.journal.state().set.contains(&knob.name) {
                continue;
            }
            let value = &knob.values[*level];
            match self.set_knob(knob, value, &start) {
                Ok(is_set) => done.extend(is_set.then(|| RestoredPart::Knob {
                    name: knob.name.clone(),
                    value: value.clone(),
                })),
                Err(error) => left.push(RestoreFailure {
                    error,
                    command: self.set_command(knob, value, &start),
                }),
            }
        }
    }

    /// What a person types to set a knob; `None` where it is no command.
    fn set_command(&self, knob: &Knob, value: &str, setting: &[usize]) -> Option<String> {
        let with = |text: &str| self.filled(&text.replace("{value}", value), setting);
        match &knob.method {
            KnobMethod::Http { method, url, body } => {
                let mut words: Vec<String> = ["curl", "-f", "-X", method, &with(url)]
                    .map(str::to_owned)
                    .to_vec();
                if let Some(body) = body {
                    words.extend(["-d".to_owned(), with(body)]);
                }
                Some(shell_words(&words))
            }
            KnobMethod::Command(words) => {
                let words: Vec<String> = words.iter().map(|word| with(word)).collect();
                Some(self.typed(&words))
            }
            KnobMethod::Manual(text) => Some(with(text)),
            _ => None,
        }
    }

    /// A hook as a person types it: hooks run in the study's folder.
    fn typed(&self, words: &[String]) -> String {
        let folder = self.study.folder.display().to_string();
        format!("cd {} && {}", shell_word(&folder), shell_words(words))
    }
}

/// A file's place, however the way to its folder is written.
fn place(file: &Path) -> PathBuf {
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}

fn shell_words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    words.join(" ")
}

/// A word as a shell takes it.
fn shell_word(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
