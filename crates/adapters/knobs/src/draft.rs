//! A study file to begin with, written for a target that runs.
//!
//! What the target's command, variables and metrics show becomes knobs; what only a person knows
//! is marked. The file is read by [`crate::study`] without a mistake.

mod knobs;

use std::fmt::Write as _;
use std::path::Path;

use loadline_record::redact::{MASK, Redactor, is_secret_name, looks_secret};
use loadline_text::{Catalog, Message, tune};

use crate::inspect::{AnsweredPages, RunningProcess};
use knobs::DraftKnob;

/// What a person has to look at.
const MARK: &str = "   # <--";
/// Variables of a terminal or a login, which no target needs.
const SHELLS: [&str; 16] = [
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "TERM",
    "COLUMNS",
    "LINES",
    "SHELL",
    "USER",
    "LOGNAME",
    "MAIL",
    "HOME",
    "LANG",
    "PATH",
    "HOSTNAME",
    "LS_COLORS",
];
/// What a draft is written from.
pub struct DraftSource<'a> {
    /// The target's process, if it runs on this machine.
    pub process: Option<&'a RunningProcess>,
    /// What it answers to.
    pub pages: &'a AnsweredPages,
    /// Where load goes: `http://127.0.0.1:8080/`.
    pub url: &'a str,
    /// The variables of the process that will start it.
    pub own_variables: &'a dyn Fn(&str) -> Option<String>,
    /// The folder of the study file.
    pub folder: &'a Path,
    /// The words of comments.
    pub catalog: &'a Catalog,
}

/// The text of the study file.
#[must_use]
pub fn text(source: &DraftSource<'_>) -> String {
    let writer = Writer { source };
    let knobs = knobs::find(source.process, source.pages);
    let mut out = String::new();
    writer.comment(&mut out, tune::draft_title());
    let _ = writeln!(out, "name: {}\n", quoted(&writer.name()));
    writer.comment(&mut out, tune::draft_test());
    let observe = match &source.pages.metrics {
        Some((url, _)) => format!(" --observe {url}"),
        None => String::new(),
    };
    let url = source.url;
    let _ = writeln!(out, "test: {url} --rate 50/s --duration 30s{observe}{MARK}");
    let _ = writeln!(out, "warm_up: 10s\n");
    writer.comment(&mut out, tune::draft_goal());
    let _ = writeln!(
        out,
        "goal: throughput max subject to p(95)<500ms, errors<1%{MARK}\n"
    );
    writer.target(&mut out, &knobs);
    let _ = writeln!(out, "knobs:");
    if knobs.is_empty() {
        writer.comment(&mut out, tune::draft_no_knob());
        let example = DraftKnob::example(source.process.is_some());
        writer.knob(&mut out, &example);
    }
    for knob in &knobs {
        writer.knob(&mut out, knob);
    }
    out.push('\n');
    writer.comment(&mut out, tune::draft_limits());
    let _ = writeln!(out, "# limits: [pool * 2 <= 100]\n");
    let _ = writeln!(out, "budget: {{time: 1h, trials: 80}}");
    out
}

struct Writer<'a> {
    source: &'a DraftSource<'a>,
}

impl Writer<'_> {
    fn comment(&self, out: &mut String, message: Message) {
        let _ = writeln!(out, "# {}", self.source.catalog.text(&message));
    }

    fn name(&self) -> String {
        let words = self.source.process.map(|process| process.words.as_slice());
        let named = words.and_then(|words| {
            let jar = words.iter().find(|word| word.ends_with(".jar"));
            let script = words.iter().skip(1).find(|word| word.ends_with(".js"));
            let name = jar.or(script).or(words.first())?;
            let stem = Path::new(name).file_stem()?;
            Some(stem.to_string_lossy().into_owned())
        });
        named.unwrap_or_else(|| "study".to_owned())
    }

    fn target(&self, out: &mut String, knobs: &[DraftKnob]) {
        let ready = self.source.pages.ready.as_deref();
        let ready = ready.map_or_else(
            || {
                let port = self
                    .source
                    .process
                    .and_then(|process| process.ports.first());
                let port = port.map_or_else(|| "8080".to_owned(), ToString::to_string);
                format!("[bash, -c, '</dev/tcp/127.0.0.1/{port}']")
            },
            str::to_owned,
        );
        let _ = writeln!(out, "target:");
        match self.source.process {
            Some(process) => {
                out.push_str("  ");
                self.comment(out, tune::draft_start(process.pid));
                let words = self.start(process, knobs);
                let _ = writeln!(out, "  start: [{}]", words.join(", "));
                if words.iter().any(|word| word.contains(MASK)) {
                    out.push_str("  ");
                    self.comment(out, tune::draft_secret_word(MASK));
                }
                for name in self.missing_secrets(process) {
                    out.push_str("  ");
                    self.comment(out, tune::draft_secret(name));
                }
            }
            None => {
                out.push_str("  ");
                self.comment(out, tune::draft_no_start());
            }
        }
        let _ = writeln!(out, "  ready: {ready}");
        let _ = writeln!(out, "  start_timeout: 120s\n");
    }

    /// The command, each word quoted where YAML needs it: in its folder, with its variables, and
    /// places for the knobs that stand in it.
    fn start(&self, process: &RunningProcess, knobs: &[DraftKnob]) -> Vec<String> {
        let mut all = Vec::new();
        let is_elsewhere = process.folder != self.source.folder;
        let variables: Vec<String> = self
            .own(process)
            .filter(|(name, value)| !is_secret(name, value))
            .filter(|(name, _)| !knobs.iter().any(|knob| knob.is_variable(name)))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if is_elsewhere || !variables.is_empty() {
            all.push("env".to_owned());
        }
        if is_elsewhere {
            all.extend(["-C".to_owned(), process.folder.display().to_string()]);
        }
        all.extend(variables);
        let jar = process.words.iter().position(|word| word == "-jar");
        let words = Redactor::default().command(&process.words);
        for (place, word) in words.iter().enumerate() {
            // Options of the machine that were not given stand before the program.
            let before = jar == Some(place);
            let added = knobs.iter().filter(|knob| before && knob.is_added_before());
            all.extend(added.map(|knob| format!("{{{}}}", knob.name)));
            let held = knobs.iter().find(|knob| knob.stands_at(place));
            match held {
                Some(knob) => all.push(format!("{{{}}}", knob.name)),
                None if knobs.iter().any(|knob| knob.stands_at_two(place)) => {}
                None => all.push(word.clone()),
            }
        }
        all.iter().map(|word| quoted(word)).collect()
    }

    /// Variables of the process that this one does not have.
    fn own<'p>(&'p self, process: &'p RunningProcess) -> impl Iterator<Item = (&'p str, &'p str)> {
        let all = process.variables.iter();
        all.map(|(name, value)| (name.as_str(), value.as_str()))
            .filter(|(name, _)| !SHELLS.contains(name))
            .filter(|(name, value)| (self.source.own_variables)(name).as_deref() != Some(*value))
    }

    fn missing_secrets<'p>(&'p self, process: &'p RunningProcess) -> Vec<&'p str> {
        let own = self.own(process);
        own.filter(|(name, value)| is_secret(name, value))
            .map(|(name, _)| name)
            .collect()
    }

    fn knob(&self, out: &mut String, knob: &DraftKnob) {
        let values: Vec<String> = knob.values.iter().map(|value| quoted(value)).collect();
        let _ = writeln!(out, "  - name: {}", knob.name);
        let _ = writeln!(out, "    values: [{}]{MARK}", values.join(", "));
        let _ = writeln!(out, "    now: {}", quoted(&knob.now));
        let _ = writeln!(out, "    {}", knob.method());
        if let (Some(metric), Some((url, _))) = (&knob.metric, &self.source.pages.metrics) {
            let metric = quoted(metric);
            let _ = writeln!(out, "    read: {{url: {}, metric: {metric}}}", quoted(url));
        }
    }
}

/// Whether a variable is not written into a file, by the rule of stored runs.
fn is_secret(name: &str, value: &str) -> bool {
    let assigned = format!("{name}={value}");
    is_secret_name(name)
        || looks_secret(value)
        || Redactor::default().text(value) != value
        || Redactor::default().text(&assigned) != assigned
}

/// A text as a value in YAML.
fn quoted(text: &str) -> String {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_./=+".contains(&byte));
    let is_word = text.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '/');
    if !text.is_empty() && is_plain && is_word {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests;
