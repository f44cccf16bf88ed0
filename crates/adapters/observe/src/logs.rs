//! Lines of logs: a file that grows, what a command prints, or what a Loki has.
//!
//! A line is folded to its wording: numbers, quoted texts and identifiers give way to `#`, so that the
//! lines of one statement in the code are one. Each wording is counted; stack traces belong to the
//! line before them. Nothing else of a line is kept, but its level, where its form tells one, and one
//! sample of each wording, masked.

mod fold;
mod follow;
mod form;
mod loki;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use loadline_net::Url;
use loadline_record::Redactor;
use loadline_record::signals::{
    Entity, Label, LineLevel, MissingSignal, SignalKind, SourceError, TargetSetting,
};

use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::Source;
use fold::{LineKind, LineReader};
use follow::Follower;
use loki::LokiFeed;

/// Wordings that are told apart; the rest is one.
const WORDINGS_MAX: usize = 200;
/// A line that is longer is cut.
const LINE_BYTES_MAX: usize = 64 << 10;
/// What the rest is called.
const OTHERS: &str = "(others)";

/// How many lines an answer of a Loki has.
pub(crate) fn read_loki(body: &[u8]) -> usize {
    loki::lines(body).map_or(0, |lines| lines.len())
}

/// Where lines come from.
trait LineFeed {
    /// The lines that came since the last look.
    fn lines(&mut self) -> Result<Vec<String>, SourceError>;

    /// What it could tell and does not.
    fn lacks(&self) -> Vec<MissingSignal> {
        Vec::new()
    }
}

/// A log that is followed.
pub(crate) struct LogSource {
    feed: Box<dyn LineFeed>,
    redactor: Redactor,
    reader: LineReader,
    wordings: BTreeMap<LeveledWording, Wording>,
}

/// What lines have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LeveledWording {
    text: String,
    level: Option<LineLevel>,
}

#[derive(Debug, Default)]
struct Wording {
    lines: f64,
    errors: f64,
    /// The first line, masked; told once.
    sample: Option<String>,
    is_told: bool,
}

impl LogSource {
    pub(crate) fn of_file(path: &Path) -> Result<Self, SourceError> {
        Ok(Self::new(Follower::of_file(path)?))
    }

    pub(crate) fn of_command(command: &str) -> Result<Self, SourceError> {
        Ok(Self::new(Follower::of_command(command)?))
    }

    /// Lines that a Loki has for a query.
    pub(crate) fn of_loki(
        url: &Url,
        query: &str,
        tenant: Option<&str>,
        setup: &ObserverSetup,
    ) -> Result<Self, SourceError> {
        Ok(Self::new(LokiFeed::new(url, query, tenant, setup)?))
    }

    fn new(feed: impl LineFeed + 'static) -> Self {
        Self {
            feed: Box::new(feed),
            redactor: Redactor::default(),
            reader: LineReader::default(),
            wordings: BTreeMap::new(),
        }
    }

    fn take(&mut self, text: &str) {
        let Some(line) = self.reader.read(text) else {
            return;
        };
        let own = LeveledWording {
            text: line.wording,
            level: line.level,
        };
        let is_known = self.wordings.contains_key(&own);
        let name = if is_known || self.wordings.len() < WORDINGS_MAX {
            own
        } else {
            LeveledWording {
                text: OTHERS.to_owned(),
                level: None,
            }
        };
        let redactor = &self.redactor;
        let wording = self.wordings.entry(name).or_insert_with(|| Wording {
            sample: Some(redactor.text(&line.sample)),
            ..Wording::default()
        });
        wording.lines += 1.0;
        if line.kind == LineKind::Error {
            wording.errors += 1.0;
        }
    }

    fn give(&mut self, reading: &mut Reading) {
        for (name, wording) in &mut self.wordings {
            let level = name.level.map_or("", LineLevel::name);
            let of = Entity::new()
                .with(Label::Line, &name.text)
                .with(Label::Level, level);
            if !wording.is_told {
                // There was none before.
                reading.add_before(SignalKind::LogLines, of.clone(), 0.0);
                reading.add_before(SignalKind::LogErrors, of.clone(), 0.0);
                wording.is_told = true;
            }
            if let Some(sample) = wording.sample.take() {
                let sample = TargetSetting::new("log.sample", &sample, of.clone());
                reading.settings.push(sample);
            }
            reading.add(SignalKind::LogLines, of.clone(), wording.lines);
            reading.add(SignalKind::LogErrors, of, wording.errors);
        }
    }
}

impl Source for LogSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let texts = self.feed.lines()?;
        for line in texts.iter().flat_map(|text| text.lines()) {
            self.take(&line[..line.floor_char_boundary(LINE_BYTES_MAX)]);
        }
        self.give(reading);
        Ok(())
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.feed.lacks()
    }

    fn places(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn value(reading: &Reading, kind: SignalKind, wording: &str) -> Option<f64> {
        let of = |(known, entity, _): &&(SignalKind, Entity, f64)| {
            *known == kind && entity.get(Label::Line) == Some(wording)
        };
        reading.values.iter().find(of).map(|(_, _, value)| *value)
    }

    fn read(source: &mut LogSource) -> Reading {
        let mut reading = Reading::default();
        source.read(&mut reading).unwrap();
        reading
    }

    #[test]
    fn only_lines_after_the_first_look_count_and_a_new_file_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.log");
        std::fs::write(&path, "ERROR old 1\n").unwrap();
        let mut source = LogSource::of_file(&path).unwrap();
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap();
        write!(file, "ERROR order 7 failed\nERROR order 8 fai").unwrap();
        let reading = read(&mut source);
        assert_eq!(
            value(&reading, SignalKind::LogErrors, "ERROR order # failed"),
            Some(1.0)
        );
        assert_eq!(value(&reading, SignalKind::LogErrors, "ERROR old #"), None);
        assert_eq!(reading.before.len(), 2, "there was none before");
        writeln!(file, "led").unwrap();
        let reading = read(&mut source);
        assert_eq!(
            value(&reading, SignalKind::LogErrors, "ERROR order # failed"),
            Some(2.0)
        );
        // Rotated: another file of the same name.
        std::fs::rename(&path, folder.path().join("app.log.1")).unwrap();
        std::fs::write(&path, "INFO order 9 done\n").unwrap();
        let reading = read(&mut source);
        assert_eq!(
            value(&reading, SignalKind::LogLines, "INFO order # done"),
            Some(1.0)
        );
        assert_eq!(
            value(&reading, SignalKind::LogErrors, "INFO order # done"),
            Some(0.0)
        );
    }

    /// The same statement of three stacks, each at a level of its own: the level goes with the count.
    #[test]
    fn each_wording_is_told_with_its_level() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.log");
        std::fs::write(&path, "").unwrap();
        let mut source = LogSource::of_file(&path).unwrap();
        for line in [
            "2026-11-24 00:00:01,000 DEBUG c.shop.Db - no connection",
            r#"{"level":40,"time":1,"pid":2,"msg":"no connection"}"#,
            "CRITICAL:app:no connection",
            "no connection",
        ] {
            source.take(line);
        }
        let mut reading = Reading::default();
        source.give(&mut reading);
        let lines = reading.values.iter();
        let lines = lines.filter(|(kind, ..)| *kind == SignalKind::LogLines);
        let levels: Vec<(&str, Option<&str>)> = lines
            .map(|(_, of, _)| (of.get(Label::Line).unwrap(), of.get(Label::Level)))
            .collect();
        assert_eq!(
            levels,
            [
                ("CRITICAL:app:no connection", Some("fatal")),
                ("DEBUG c.shop.Db - no connection", Some("debug")),
                ("WARN no connection", Some("warn")),
                ("no connection", None),
            ]
        );
    }

    #[test]
    fn a_sample_is_told_once_and_masked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.log");
        std::fs::write(&path, "").unwrap();
        let mut source = LogSource::of_file(&path).unwrap();
        source.take(
            "ERROR timed out after 30000ms (active=10) for \"ann@example.org\" password=s3cret",
        );
        let mut reading = Reading::default();
        source.give(&mut reading);
        let sample = &reading.settings[0].value;
        assert!(sample.contains("30000ms (active=10)"), "{sample}");
        assert!(
            !sample.contains("ann@") && !sample.contains("s3cret"),
            "{sample}"
        );
        let mut reading = Reading::default();
        source.give(&mut reading);
        assert!(reading.settings.is_empty());
    }

    #[test]
    fn wordings_beyond_the_bound_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.log");
        std::fs::write(&path, "").unwrap();
        let mut source = LogSource::of_file(&path).unwrap();
        for number in 0..2 * WORDINGS_MAX {
            let word: String = number
                .to_string()
                .bytes()
                .map(|b| char::from(b + 49))
                .collect();
            source.take(&format!("WARN {word}"));
        }
        assert_eq!(source.wordings.len(), WORDINGS_MAX + 1);
        let others = LeveledWording {
            text: OTHERS.to_owned(),
            level: None,
        };
        let others = source.wordings[&others].lines;
        assert!(
            (others - f64::from(u32::try_from(WORDINGS_MAX).unwrap())).abs() < 0.5,
            "{others}"
        );
    }
}
