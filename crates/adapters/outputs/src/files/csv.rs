//! CSV: one column for each system tag; the other tags share a column.

use std::fmt::Write;

use super::{FileMetadata, Lines};
use crate::catalog::Catalog;
use crate::frame::Sample;
use crate::go_text::{Times, csv_field, split};
use crate::weighted::WeightedPoint;

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TimeFormat {
    #[default]
    Unix,
    UnixMilli,
    UnixMicro,
    UnixNano,
    Rfc3339,
    Rfc3339Nano,
}

impl TimeFormat {
    /// By k6's name for it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "unix" => Self::Unix,
            "unix_milli" => Self::UnixMilli,
            "unix_micro" => Self::UnixMicro,
            "unix_nano" => Self::UnixNano,
            "rfc3339" => Self::Rfc3339,
            "rfc3339_nano" => Self::Rfc3339Nano,
            _ => return None,
        })
    }
}

/// System tags except `iter` and `vu`, which are metadata and have no column.
const SYSTEM_TAGS: [&str; 16] = [
    "check",
    "error",
    "error_code",
    "expected_response",
    "group",
    "ip",
    "method",
    "name",
    "ocsp_status",
    "proto",
    "scenario",
    "service",
    "status",
    "subproto",
    "tls_version",
    "url",
];

/// k6's CSV.
pub(crate) struct Csv {
    columns: Vec<String>,
    ignored: Vec<String>,
    format: TimeFormat,
    times: Times,
    /// By tag set: its columns and its other tags, without the end of the line.
    tags: Vec<Option<Row>>,
}

#[derive(Debug, Clone)]
struct Row {
    columns: String,
    extra: String,
}

impl Csv {
    pub(crate) fn new(facts: &FileMetadata, format: TimeFormat) -> Self {
        let has = |tag: &str| facts.system_tags.iter().any(|own| own == tag);
        let (columns, ignored) = SYSTEM_TAGS
            .iter()
            .map(|tag| (*tag).to_owned())
            .partition(|tag| has(tag));
        Self {
            columns,
            ignored,
            format,
            times: Times::default(),
            tags: Vec::new(),
        }
    }

    fn row(&self, tags: &[(Box<str>, Box<str>)]) -> Row {
        let mut columns = String::new();
        for column in &self.columns {
            columns.push(',');
            let value = tags.iter().find(|(key, _)| **key == **column);
            csv_field(&mut columns, value.map_or("", |(_, value)| value));
        }
        let is_extra = |key: &str| {
            let known = self.columns.iter().chain(&self.ignored);
            !known.into_iter().any(|tag| tag == key)
        };
        let extra: Vec<String> = tags
            .iter()
            .filter(|(key, _)| is_extra(key))
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        Row {
            columns,
            extra: extra.join("&"),
        }
    }

    fn time(&mut self, out: &mut String, at: i64) {
        let (second, nanos) = split(at);
        let _ = match self.format {
            TimeFormat::Unix => write!(out, "{second}"),
            TimeFormat::UnixMilli => write!(out, "{}", second * 1000 + nanos / 1_000_000),
            TimeFormat::UnixMicro => write!(out, "{}", second * 1_000_000 + nanos / 1000),
            TimeFormat::UnixNano => write!(out, "{at}"),
            TimeFormat::Rfc3339 => {
                self.times.rfc3339(out, at);
                Ok(())
            }
            TimeFormat::Rfc3339Nano => {
                self.times.rfc3339_nano(out, at);
                Ok(())
            }
        };
    }
}

impl Lines for Csv {
    fn head(&mut self) -> String {
        let mut head = "metric_name,timestamp,metric_value".to_owned();
        for column in &self.columns {
            head.push(',');
            csv_field(&mut head, column);
        }
        head + ",extra_tags,metadata\n"
    }

    fn line(
        &mut self,
        out: &mut String,
        sample: Sample,
        of_window: Option<WeightedPoint>,
        catalog: &Catalog,
    ) {
        out.push_str(&catalog.metric(sample.metric).name);
        out.push(',');
        self.time(out, sample.at);
        let _ = write!(out, ",{:.6}", sample.value);
        let place = sample.tags as usize;
        if self.tags.len() <= place {
            self.tags.resize(place + 1, None);
        }
        if self.tags[place].is_none() {
            self.tags[place] = Some(self.row(catalog.tags(sample.tags)));
        }
        let Some(row) = &self.tags[place] else {
            return;
        };
        out.push_str(&row.columns);
        out.push(',');
        match of_window {
            None => csv_field(out, &row.extra),
            Some(point) => {
                let joint = if row.extra.is_empty() { "" } else { "&" };
                let count = point.count.map(|count| format!("&count={count}"));
                let count = count.unwrap_or_default();
                csv_field(out, &format!("{}{joint}window=true{count}", row.extra));
            }
        }
        // No metadata.
        out.push_str(",\n");
    }
}
