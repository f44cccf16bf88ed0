//! InfluxDB 1.x: every sample is a point in the line protocol.
//!
//! InfluxDB keeps one point for each series and timestamp: a second point with the same timestamp
//! replaces the first. So each point of a series gets a timestamp of its own: a sample with a
//! used timestamp is written one nanosecond after the last one. A point that stands for the
//! samples of a window has the field `window`, and `count` if it stands for a number of samples.
//! Times are always written in nanoseconds; a coarser `precision` would make points collide.

use std::collections::VecDeque;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{NetworkSettings, Url};
use rustc_hash::FxHashMap;

use crate::catalog::Catalog;
use crate::config::influxdb::{FieldKind, InfluxDb};
use crate::frame::{Frame, Sample};
use crate::post::Poster;
use crate::sink::{Sink, Tally};
use crate::weighted::{WeightedPoint, each_point};

/// A body is closed when it exceeds this many bytes; receivers accept 25 MB.
const BODY_BYTES_MIN: usize = 4 * 1024 * 1024;

/// The timeout of a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Writes points.
pub(crate) struct InfluxSink {
    poster: Poster,
    write: Url,
    create: Url,
    fields: Vec<(String, String)>,
    lines: LineWriter,
    is_created: bool,
    open: String,
    in_open: u64,
    bodies: VecDeque<(Bytes, u64)>,
    tally: Tally,
}

impl InfluxSink {
    pub(crate) fn new(config: &InfluxDb, settings: Arc<NetworkSettings>) -> Self {
        Self {
            poster: Poster::new(settings, WRITE_TIMEOUT),
            write: config.write_url.clone(),
            create: config.create_url.clone(),
            fields: config.fields.clone(),
            lines: LineWriter::new(config.tags_as_fields.clone()),
            is_created: false,
            open: String::new(),
            in_open: 0,
            bodies: VecDeque::new(),
            tally: Tally::default(),
        }
    }

    fn add(&mut self, sample: Sample, of_window: Option<WeightedPoint>, catalog: &Catalog) {
        self.lines.line(&mut self.open, sample, of_window, catalog);
        self.in_open += 1;
        if self.open.len() >= BODY_BYTES_MIN {
            self.close_body();
        }
    }

    fn close_body(&mut self) {
        if !self.open.is_empty() {
            let body = std::mem::take(&mut self.open);
            let points = std::mem::take(&mut self.in_open);
            self.bodies.push_back((body.into(), points));
        }
    }

    /// Creates the database; this does nothing if it exists. A user without the right to create
    /// it may still write into it.
    fn create(&mut self) -> Result<(), String> {
        if !self.is_created {
            self.poster.post(&self.create, &self.fields, Bytes::new())?;
            self.is_created = true;
        }
        Ok(())
    }
}

impl Sink for InfluxSink {
    fn take(&mut self, frame: Frame, catalog: &Catalog) {
        each_point(frame, catalog, |sample, of_window| {
            self.add(sample, of_window, catalog);
        });
        self.close_body();
    }

    fn flush(&mut self, _: bool) -> Result<(), String> {
        self.create()?;
        while let Some((body, points)) = self.bodies.front().cloned() {
            let answer = self.poster.post(&self.write, &self.fields, body)?;
            if !answer.is_taken() {
                if answer.status == 404 {
                    self.is_created = false;
                }
                if answer.may_change() {
                    return Err(answer.words());
                }
                self.tally.refuse(points, answer.words());
            } else {
                self.tally.points += points;
            }
            self.bodies.pop_front();
        }
        Ok(())
    }

    fn pending(&self) -> u64 {
        self.in_open + self.bodies.iter().map(|(_, points)| points).sum::<u64>()
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// Writes lines and keeps the last timestamp of each series.
struct LineWriter {
    tags_as_fields: Vec<(String, FieldKind)>,
    known: FxHashMap<(u32, u32), SeriesState>,
    /// By measurement and tags, which identify a series in InfluxDB: its index in `last`.
    series: FxHashMap<Rc<str>, usize>,
    last: Vec<i64>,
}

struct SeriesState {
    /// Measurement and tags.
    head: Rc<str>,
    /// Fields that sort before `value`, and those that sort after it.
    before: String,
    after: String,
    series: usize,
}

impl LineWriter {
    fn new(tags_as_fields: Vec<(String, FieldKind)>) -> Self {
        Self {
            tags_as_fields,
            known: FxHashMap::default(),
            series: FxHashMap::default(),
            last: Vec::new(),
        }
    }

    fn line(
        &mut self,
        out: &mut String,
        sample: Sample,
        of_window: Option<WeightedPoint>,
        catalog: &Catalog,
    ) {
        let key = (sample.metric, sample.tags);
        if !self.known.contains_key(&key) {
            let known = self.make(sample, catalog);
            self.known.insert(key, known);
        }
        let Some(known) = self.known.get(&key) else {
            return;
        };
        let last = &mut self.last[known.series];
        *last = sample.at.max(last.saturating_add(1));
        out.push_str(&known.head);
        out.push(' ');
        if let Some(count) = of_window.and_then(|point| point.count) {
            let _ = write!(out, "count={count}i,");
        }
        out.push_str(&known.before);
        let _ = write!(out, "value={}", sample.value);
        out.push_str(&known.after);
        if of_window.is_some() {
            out.push_str(",window=true");
        }
        let _ = writeln!(out, " {last}");
    }

    fn make(&mut self, sample: Sample, catalog: &Catalog) -> SeriesState {
        let mut head = escaped(&catalog.metric(sample.metric).name, &[',', ' ']);
        let (mut before, mut after) = (String::new(), String::new());
        for (key, value) in catalog.tags(sample.tags).iter() {
            let field = self.tags_as_fields.iter().find(|(tag, _)| **tag == **key);
            if let Some((_, kind)) = field {
                let written = format!("{}={}", escaped(key, TAG), kind.written(value));
                if &**key < "value" {
                    before.push_str(&written);
                    before.push(',');
                } else {
                    after.push(',');
                    after.push_str(&written);
                }
            } else if !value.is_empty() && !key.is_empty() {
                let _ = write!(head, ",{}={}", escaped(key, TAG), escaped(value, TAG));
            }
        }
        let head: Rc<str> = head.into();
        let next = self.last.len();
        let series = *self.series.entry(head.clone()).or_insert(next);
        if series == next {
            self.last.push(i64::MIN);
        }
        SeriesState {
            head,
            before,
            after,
            series,
        }
    }
}

/// Characters that are escaped in tag keys and values.
const TAG: &[char] = &[',', '=', ' '];

fn escaped(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => {
                if special.contains(&c) {
                    out.push('\\');
                }
                out.push(c);
            }
        }
    }
    // A trailing backslash would escape the next character.
    if out.ends_with('\\') {
        out.push_str("\\ ");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::SeriesTracker;
    use crate::catalog::SharedCatalog;
    use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
    use loadline_units::WorkerId;

    fn catalog(tags: &[(&str, &str)]) -> SharedCatalog {
        let registry = Arc::new(Registry::new());
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        let set = shard.tags.extend(TagSetId::EMPTY, tags);
        shard.record(builtin::HTTP_REQS, set, 1.0);
        let mut merger = Merger::new(1, registry.clone(), Submetrics::default());
        merger.absorb(shard.take_window(0));
        let catalog = SharedCatalog::default();
        catalog.add(&SeriesTracker::default().take_new(
            &merger,
            &registry,
            &loadline_record::Redactor::default(),
        ));
        catalog
    }

    fn lines(tags: &[(&str, &str)], times: &[i64]) -> String {
        let catalog = catalog(tags);
        let mut writer = LineWriter::new(vec![
            ("vu".to_owned(), FieldKind::Int),
            ("url".to_owned(), FieldKind::String),
        ]);
        let mut out = String::new();
        for at in times {
            let sample = Sample {
                metric: 0,
                tags: 1,
                at: *at,
                value: 1.5,
            };
            writer.line(&mut out, sample, None, &catalog.read());
        }
        out
    }

    #[test]
    fn samples_that_would_coincide_are_told_apart() {
        assert_eq!(
            lines(&[("a", "b")], &[5, 5, 4, 9]),
            "http_reqs,a=b value=1.5 5\nhttp_reqs,a=b value=1.5 6\nhttp_reqs,a=b value=1.5 7\nhttp_reqs,a=b value=1.5 9\n"
        );
    }

    #[test]
    fn tags_are_escaped_left_out_when_empty_and_fields_when_asked() {
        assert_eq!(
            lines(
                &[
                    ("group", ""),
                    ("name", "x y,z=1\\"),
                    ("url", "http://h/\"a\""),
                    ("vu", "3")
                ],
                &[1]
            ),
            "http_reqs,name=x\\ y\\,z\\=1\\\\  url=\"http://h/\\\"a\\\"\",value=1.5,vu=3i 1\n"
        );
    }
}
