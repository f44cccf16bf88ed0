//! What a study names on this machine and is not there: files, folders and programs. Told before
//! the first trial, which would fail for it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use loadline_text::{Message, tune};

use super::{Knob, KnobMethod, ReadMethod, ReadyCondition, StudyFile, StudyMistake};

impl StudyFile {
    /// What this study names and is not there; programs without a folder are looked for in `path`,
    /// the variable of that name.
    #[must_use]
    pub fn absent(&self, path: Option<&OsStr>) -> Vec<StudyMistake> {
        let mut mistakes = Vec::new();
        let mut tell = |(line, column), what: Option<Message>| {
            mistakes.extend(what.map(|what| StudyMistake { line, column, what }));
        };
        let target = &self.target;
        let ready = match &target.ready {
            Some(ReadyCondition::Command(words)) => Some(words),
            _ => None,
        };
        for words in [&target.start, &target.restart, &target.stop]
            .into_iter()
            .flatten()
            .chain(ready)
        {
            tell(target.place, self.absent_program(words, path));
        }
        for knob in &self.knobs {
            tell(knob.place, self.absent_file(knob));
            if let KnobMethod::Command(words) = &knob.method {
                tell(knob.place, self.absent_program(words, path));
            }
            if let Some(ReadMethod::Command(words)) = &knob.read {
                tell(knob.place, self.absent_program(words, path));
            }
        }
        mistakes
    }

    fn absent_file(&self, knob: &Knob) -> Option<Message> {
        let is_there = |file: &Path| self.folder.join(file).is_file();
        match &knob.method {
            // A file that the study would make, the target may not read.
            KnobMethod::Property { file, .. } => {
                (!is_there(file)).then(|| tune::mistake_property_file(&knob.name, file.display()))
            }
            KnobMethod::Template { file, from } => {
                if !is_there(from) {
                    return Some(tune::mistake_template_file(&knob.name, from.display()));
                }
                let folder = self.folder.join(file);
                let folder = folder.parent().filter(|folder| !folder.is_dir())?;
                Some(tune::mistake_file_folder(&knob.name, folder.display()))
            }
            _ => None,
        }
    }

    fn absent_program(&self, words: &[String], path: Option<&OsStr>) -> Option<Message> {
        let program = words.first()?;
        // A knob's value may choose the program.
        if program.contains('{') {
            return None;
        }
        let is_there = if program.contains('/') {
            is_program(&self.folder.join(program))
        } else {
            let folders = std::env::split_paths(path.unwrap_or_default());
            let mut places: Vec<PathBuf> = folders.map(|folder| folder.join(program)).collect();
            places.retain(|place| is_program(place));
            !places.is_empty()
        };
        (!is_there).then(|| tune::mistake_program(program))
    }
}

fn is_program(path: &Path) -> bool {
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::read;

    const STUDY: &str = "\
test: http://127.0.0.1:1/ --rate 5/s --duration 1s
goal: throughput max
target:
  start: [sh, -c, 'sleep 1']
  ready: ./ready.sh
knobs:
  - {name: pool, values: [1, 2], now: 1, property: {file: app.properties, key: pool}}
  - {name: heap, values: [1, 2], now: 1, template: {file: out/app.conf, from: app.conf.in}}
  - name: size
    values: [1, 2]
    now: 1
    command: [no-such-program-here, '{value}']
    read: {command: /bin/sh}
";

    fn absent_in(folder: &Path) -> Vec<String> {
        let study = read(STUDY, "study", folder).unwrap();
        let path = std::env::var_os("PATH");
        let absent = study.absent(path.as_deref());
        absent
            .iter()
            .map(|one| format!("{}:{} {}", one.line, one.column, one.what.key()))
            .collect()
    }

    #[test]
    fn what_is_not_there_is_told_at_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let expected = [
            "4:3 tune-mistake-program",
            "7:5 tune-mistake-property-file",
            "8:5 tune-mistake-template-file",
            "9:5 tune-mistake-program",
        ];
        assert_eq!(absent_in(folder.path()), expected);
        std::fs::write(folder.path().join("app.conf.in"), "").unwrap();
        assert_eq!(absent_in(folder.path())[2], "8:5 tune-mistake-file-folder");
    }

    #[test]
    fn nothing_is_told_of_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("out")).unwrap();
        for name in ["app.properties", "app.conf.in", "ready.sh"] {
            std::fs::write(path(name), "").unwrap();
        }
        // A program must be allowed to run.
        assert_eq!(absent_in(folder.path())[0], "4:3 tune-mistake-program");
        let may_run = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path("ready.sh"), may_run).unwrap();
        assert_eq!(absent_in(folder.path()), ["9:5 tune-mistake-program"]);
    }
}
