//! JSON lines: each metric before its first sample, then its samples.

use std::fmt::Write;

use super::{FileMetadata, Lines};
use crate::catalog::Catalog;
use crate::frame::Sample;
use crate::go_text::{Times, float, json_string};
use crate::weighted::WeightedPoint;

/// k6's JSON lines.
pub(crate) struct Json {
    facts: FileMetadata,
    times: Times,
    /// By metric: whether its definition was written.
    told: Vec<bool>,
    /// By tag set: its JSON object.
    tags: Vec<Option<String>>,
}

impl Json {
    pub(crate) fn new(facts: FileMetadata) -> Self {
        Self {
            facts,
            times: Times::default(),
            told: Vec::new(),
            tags: Vec::new(),
        }
    }

    fn metric(&mut self, out: &mut String, metric: u32, catalog: &Catalog) {
        let place = metric as usize;
        if self.told.len() <= place {
            self.told.resize(place + 1, false);
        }
        if std::mem::replace(&mut self.told[place], true) {
            return;
        }
        let def = catalog.metric(metric);
        let thresholds = found(&self.facts.thresholds, &def.name);
        out.push_str("{\"type\":\"Metric\",\"data\":{\"name\":");
        json_string(out, &def.name);
        let _ = write!(
            out,
            ",\"type\":\"{}\",\"contains\":\"{}\",\"thresholds\":[",
            def.kind, def.contains
        );
        list(out, thresholds.into_iter().flatten(), |out, source| {
            json_string(out, source);
        });
        out.push_str("],\"submetrics\":");
        match found(&self.facts.submetrics, &def.name) {
            None => out.push_str("null"),
            Some(submetrics) => {
                out.push('[');
                list(out, submetrics, |out, submetric| {
                    out.push_str("{\"name\":");
                    json_string(out, &submetric.name);
                    out.push_str(",\"suffix\":");
                    json_string(out, &submetric.suffix);
                    out.push_str(",\"tags\":");
                    let tags = submetric.tags.iter();
                    object(out, tags.map(|(k, v)| (k.as_str(), v.as_str())));
                    out.push('}');
                });
                out.push(']');
            }
        }
        out.push_str("},\"metric\":");
        json_string(out, &def.name);
        out.push_str("}\n");
    }
}

impl Lines for Json {
    fn head(&mut self) -> String {
        String::new()
    }

    fn line(
        &mut self,
        out: &mut String,
        sample: Sample,
        of_window: Option<WeightedPoint>,
        catalog: &Catalog,
    ) {
        self.metric(out, sample.metric, catalog);
        out.push_str("{\"metric\":");
        json_string(out, &catalog.metric(sample.metric).name);
        out.push_str(",\"type\":\"Point\",\"data\":{\"time\":\"");
        self.times.rfc3339_nano(out, sample.at);
        out.push_str("\",\"value\":");
        float(out, sample.value);
        if let Some(point) = of_window {
            out.push_str(",\"window\":true");
            if let Some(count) = point.count {
                let _ = write!(out, ",\"count\":{count}");
            }
        }
        out.push_str(",\"tags\":");
        let place = sample.tags as usize;
        if self.tags.len() <= place {
            self.tags.resize(place + 1, None);
        }
        out.push_str(self.tags[place].get_or_insert_with(|| {
            let mut text = String::new();
            let tags = catalog.tags(sample.tags).iter();
            object(&mut text, tags.map(|(k, v)| (&**k, &**v)));
            text
        }));
        out.push_str("}}\n");
    }
}

fn found<'a, T>(of: &'a [(String, Vec<T>)], name: &str) -> Option<&'a Vec<T>> {
    let found = of.iter().find(|(metric, _)| metric == name);
    found.map(|(_, values)| values)
}

fn list<'a, T: 'a>(
    out: &mut String,
    items: impl IntoIterator<Item = &'a T>,
    mut write: impl FnMut(&mut String, &'a T),
) {
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

fn object<'a>(out: &mut String, pairs: impl Iterator<Item = (&'a str, &'a str)>) {
    out.push('{');
    for (place, (key, value)) in pairs.enumerate() {
        if place > 0 {
            out.push(',');
        }
        json_string(out, key);
        out.push(':');
        json_string(out, value);
    }
    out.push('}');
}
