//! Outputs to files: JSON lines and CSV, in k6's form.
//!
//! A line stands for one sample. Where samples were replaced by sums, the line says so
//! (`window`), and for how many samples it stands (`count`). Metrics that k6 does not have are
//! left out.

mod csv;
mod json;

pub(crate) use csv::{Csv, TimeFormat};
pub(crate) use json::Json;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use loadline_metrics::Origin;

use crate::catalog::Catalog;
use crate::frame::{Frame, Sample};
use crate::sink::{Sink, Tally};
use crate::weighted::{WeightedPoint, each_point};

/// What files contain besides samples.
#[derive(Debug, Clone, Default)]
pub struct FileMetadata {
    /// By metric: its thresholds, as written.
    pub thresholds: Vec<(String, Vec<String>)>,
    /// By metric: its sub-metrics.
    pub submetrics: Vec<(String, Vec<SubmetricInfo>)>,
    /// The names of the system tags that samples have.
    pub system_tags: Vec<String>,
}

/// A sub-metric, as k6 lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmetricInfo {
    /// `metric{tag:value}`
    pub name: String,
    /// The text in the braces.
    pub suffix: String,
    /// The same, parsed.
    pub tags: Vec<(String, String)>,
}

/// The form of a file's lines.
pub(crate) trait Lines {
    /// The head of the file.
    fn head(&mut self) -> String;

    /// Adds the line of a sample, or of a window's point that stands for many samples.
    fn line(
        &mut self,
        out: &mut String,
        sample: Sample,
        of_window: Option<WeightedPoint>,
        catalog: &Catalog,
    );
}

/// A file being written.
pub(crate) enum Target {
    Plain(Box<dyn Write + Send>),
    Gzip(Option<Box<GzEncoder<BufWriter<File>>>>),
}

impl Target {
    /// Opens a file for writing, compressed if its name ends in `.gz`.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = File::create(path)?;
        let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
        Ok(if is_gzip {
            let encoder = GzEncoder::new(BufWriter::new(file), Compression::default());
            Self::Gzip(Some(Box::new(encoder)))
        } else {
            Self::Plain(Box::new(file))
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Gzip(Some(encoder)) => encoder.write(bytes),
            Self::Gzip(None) => Err(io::Error::other("the file is closed")),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(encoder) => match encoder.take() {
                Some(encoder) => encoder.finish()?.flush(),
                None => Ok(()),
            },
        }
    }
}

/// An output into a file.
pub(crate) struct FileSink<L> {
    lines: L,
    target: Target,
    pending: String,
    /// How many bytes of `pending` are written.
    written: usize,
    in_pending: u64,
    tally: Tally,
}

impl<L: Lines> FileSink<L> {
    pub(crate) fn new(mut lines: L, target: Target) -> Self {
        Self {
            pending: lines.head(),
            lines,
            target,
            written: 0,
            in_pending: 0,
            tally: Tally::default(),
        }
    }

    fn add(&mut self, sample: Sample, of_window: Option<WeightedPoint>, catalog: &Catalog) {
        if catalog.metric(sample.metric).origin == Origin::Loadline {
            return;
        }
        self.in_pending += 1;
        self.lines
            .line(&mut self.pending, sample, of_window, catalog);
    }
}

impl<L: Lines> Sink for FileSink<L> {
    fn take(&mut self, frame: Frame, catalog: &Catalog) {
        each_point(frame, catalog, |sample, of_window| {
            self.add(sample, of_window, catalog);
        });
    }

    fn flush(&mut self, all: bool) -> Result<(), String> {
        while self.written < self.pending.len() {
            let rest = &self.pending.as_bytes()[self.written..];
            match self.target.write(rest) {
                Ok(0) => return Err("nothing could be written".to_owned()),
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        self.pending.clear();
        self.written = 0;
        self.tally.points += std::mem::take(&mut self.in_pending);
        if all {
            self.target.finish().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn pending(&self) -> u64 {
        self.in_pending
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}
