//! Against files and shell commands; the network and real targets are met in the tests of the
//! whole command.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

use loadline_units::Time;

use super::*;
use crate::journal;
use crate::study;

/// A clock that goes on by a second each time it is asked.
struct Steps(AtomicU64);

impl Clock for Steps {
    fn now(&self) -> Time {
        Time::from_nanos(self.0.fetch_add(1_000_000_000, Ordering::SeqCst))
    }
}

/// The sender keeps the setter's waits from ending.
fn setter(folder: &Path, text: &str) -> (TargetControl, Sender<()>) {
    let study = study::read(text, "study", folder).unwrap();
    let journal = StudyJournal::open(&journal::path_of(&folder.join("study.yaml"))).unwrap();
    let (sender, interrupts) = channel();
    let context = SetterContext {
        network: Arc::default(),
        clock: Arc::new(Steps(AtomicU64::new(0))),
        ask: Box::new(|_| {}),
        interrupts,
    };
    (TargetControl::new(study, journal, context), sender)
}

const FILES: &str = "
test: http://127.0.0.1:1/
goal: throughput max
knobs:
  - name: threads
    values: [200, 10]
    now: 200
    property: {file: app.properties, key: threads.max}
  - name: pool
    values: [10, 5]
    now: 10
    template: {file: pool.conf, from: pool.conf.in}
";

#[test]
fn files_are_changed_with_their_diff_in_the_journal_and_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("app.properties"), "a=1\nthreads.max=200\n").unwrap();
    std::fs::write(path("pool.conf.in"), "pool {pool} of {threads}\n").unwrap();
    let (mut setter, _keep) = setter(folder.path(), FILES);
    assert_eq!(setter.mismatch().unwrap(), None);
    setter.set(&[1, 1]).unwrap();
    let text = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(text("app.properties"), "a=1\nthreads.max=10\n");
    assert_eq!(text("pool.conf"), "pool 5 of 10\n");
    let journal = text("study.yaml.journal");
    assert!(
        journal.contains("-threads.max=200\\n+threads.max=10"),
        "{journal}"
    );
    assert_eq!(setter.restore().unwrap().len(), 2);
    assert_eq!(text("app.properties"), "a=1\nthreads.max=200\n");
    assert!(!path("pool.conf").exists());
}

/// A panic or an early return drops the setter.
#[test]
fn a_setter_that_is_dropped_puts_everything_back() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("app.properties"), "threads.max=200\n").unwrap();
    std::fs::write(folder.path().join("pool.conf.in"), "x").unwrap();
    let (mut dropped, _keep) = setter(folder.path(), FILES);
    dropped.set(&[1, 0]).unwrap();
    drop(dropped);
    let text = std::fs::read_to_string(folder.path().join("app.properties")).unwrap();
    assert_eq!(text, "threads.max=200\n");
}

/// After `kill -9` nothing is dropped: the next start finds the originals in the journal.
#[test]
fn a_study_that_was_killed_is_put_back_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("app.properties"), "threads.max=200\n").unwrap();
    std::fs::write(folder.path().join("pool.conf.in"), "x").unwrap();
    let (mut killed, _keep) = setter(folder.path(), FILES);
    killed.set(&[1, 0]).unwrap();
    std::mem::forget(killed);
    let (mut next, _keep_too) = setter(folder.path(), FILES);
    assert!(next.journal().state().is_changed());
    next.restore().unwrap();
    let text = std::fs::read_to_string(folder.path().join("app.properties")).unwrap();
    assert_eq!(text, "threads.max=200\n");
}

/// Seen: the first command that failed kept all others from being tried, and was not named.
#[test]
fn every_knob_is_put_back_when_one_fails_and_what_is_left_is_named_with_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let text = "
test: http://127.0.0.1:1/
goal: throughput max
knobs:
  - name: first
    values: [5, 6]
    now: 5
    command: [sh, -c, 'test {value} = 6 || exit 1']
  - name: second
    values: [1, 2]
    now: 1
    command: [sh, -c, 'echo {value} > second']
";
    let (mut setter, _keep) = setter(folder.path(), text);
    setter.set(&[1, 1]).unwrap();
    let error = setter.restore().unwrap_err();
    let HookError::NotRestored(left) = error else {
        panic!("{error:?}");
    };
    let commands: Vec<Option<String>> = left.into_iter().map(|left| left.command).collect();
    let by_hand = format!(
        "cd {} && sh -c 'test 5 = 6 || exit 1'",
        folder.path().display()
    );
    assert_eq!(commands, [Some(by_hand)]);
    let second = std::fs::read_to_string(folder.path().join("second")).unwrap();
    assert_eq!(second.trim(), "1");
    assert!(setter.journal().state().is_changed());
}

/// Seen: `tune --restore` wrote any path that a planted journal named.
#[test]
fn a_file_that_only_the_journal_names_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("study.yaml.journal");
    std::fs::write(
        journal,
        "{\"entry\":\"begun\",\"study\":\"s\",\"hash\":\"h\",\"seed\":1,\"at_ms\":1}\n\
         {\"entry\":\"original\",\"file\":\"../other\",\"content\":\"x\"}\n",
    )
    .unwrap();
    let (mut setter, _keep) = setter(folder.path(), FILES);
    let error = setter.restore().unwrap_err();
    assert!(matches!(
        error,
        HookError::NotRestored(left) if matches!(left[0].error, HookError::NotOfStudy { .. })
    ));
    assert!(!Path::new("../other").exists());
}

#[test]
fn a_file_that_says_something_else_than_the_study_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("app.properties"), "threads.max=50\n").unwrap();
    let (mut setter, _keep) = setter(folder.path(), FILES);
    let mismatch = setter.mismatch().unwrap().unwrap();
    assert_eq!(
        (mismatch.file.as_str(), mismatch.seen.as_str()),
        ("200", "50")
    );
}

#[test]
fn a_command_is_read_back_and_what_does_not_take_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "
test: http://127.0.0.1:1/
goal: throughput max
knobs:
  - name: pool
    values: [10, 20, 30]
    now: 10
    command: [sh, -c, 'test {value} = 30 || echo {value} > value']
    read: {command: [cat, value]}
";
    std::fs::write(folder.path().join("value"), "10").unwrap();
    let (mut setter, _keep) = setter(folder.path(), text);
    assert_eq!(setter.mismatch().unwrap(), None);
    setter.set(&[1]).unwrap();
    let error = setter.set(&[2]).unwrap_err();
    assert!(matches!(error, HookError::ReadBack { seen, .. } if seen == "20"));
    let pool = RestoredPart::Knob {
        name: "pool".to_owned(),
        value: "10".to_owned(),
    };
    assert_eq!(setter.restore().unwrap(), [pool]);
    let value = std::fs::read_to_string(folder.path().join("value")).unwrap();
    assert_eq!(value.trim(), "10");
}

const STARTED: &str = "
test: http://127.0.0.1:1/
goal: throughput max
target:
  start: [sh, -c, 'test \"$HEAP\" != small || exit 7; echo {threads} > up; exec sleep 1000']
  ready: [test, -e, up]
knobs:
  - name: heap
    values: [small, large]
    now: large
    env: HEAP
  - name: threads
    values: [4, 8]
    now: 4
    argument: '{value}'
";

#[test]
fn a_target_is_started_with_variables_and_arguments_and_ended_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (mut setter, _keep) = setter(folder.path(), STARTED);
    setter.set(&[1, 1]).unwrap();
    let up = std::fs::read_to_string(folder.path().join("up")).unwrap();
    assert_eq!(up.trim(), "8");
    assert!(setter.is_alive(&[1, 1]));
    let group = setter.journal().state().process.unwrap().0;
    setter.restore().unwrap();
    assert!(!Path::new(&format!("/proc/{group}")).exists());
}

#[test]
fn a_setting_under_which_the_target_does_not_start_is_told_as_that() {
    let folder = tempfile::tempdir().unwrap();
    let (mut setter, _keep) = setter(folder.path(), STARTED);
    let error = setter.set(&[0, 0]).unwrap_err();
    assert!(matches!(error, HookError::Ended { .. }), "{error:?}");
    setter.set(&[1, 0]).unwrap();
}

/// Seen: "복원함: process 25080".
#[test]
fn what_came_back_is_told_in_the_language_of_its_reader() {
    use loadline_text::{Catalog, Lang};
    let process = RestoredPart::Process(25_080);
    assert_eq!(process.text(&Catalog::new(Lang::Ko)), "프로세스 25080");
    assert_eq!(process.text(&Catalog::new(Lang::En)), "process 25080");
}

/// Seen: a study of a file that a template makes, and of a command that reads a value of its own, began with another value than the
/// target had: all its trials were compared with a setting that nobody had.
#[test]
fn another_value_than_now_is_seen_wherever_it_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("app.properties"), "threads.max=200\n").unwrap();
    std::fs::write(path("pool.conf.in"), "pool {pool} of {threads}\n").unwrap();
    std::fs::write(path("pool.conf"), "pool 5 of 200\n").unwrap();
    let (mut templated, _keep) = setter(folder.path(), FILES);
    let found = templated.mismatch().unwrap().unwrap();
    assert_eq!(
        (&*found.knob, &*found.file, &*found.seen),
        ("pool", "10", "5")
    );
    assert_eq!((&*found.source, found.place), ("pool.conf", (11, 10)));
    std::fs::write(path("pool.conf"), "pool 10 of 200\n").unwrap();
    assert_eq!(templated.mismatch().unwrap(), None);

    // The target is started by the study, so that it cannot be asked yet; the command can.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("size"), "7\n").unwrap();
    let text = "
test: http://127.0.0.1:1/
goal: throughput max
target: {start: [sleep, '100']}
knobs:
  - name: size
    values: [3, 7]
    now: 3
    command: [sh, -c, 'echo {value} > size']
    read: {command: [cat, size]}
";
    let (mut started, _keep) = setter(folder.path(), text);
    let found = started.mismatch().unwrap().unwrap();
    assert_eq!((&*found.seen, &*found.source), ("7", "cat size"));
    std::fs::write(folder.path().join("size"), "not there\n").unwrap();
    assert_eq!(started.mismatch().unwrap(), None);
}
