//! `runs export`: a run's windows for other programs.
//!
//! A line is what one series gained in one stored window; late parts have lines of their
//! own. Sums over all lines are therefore the run's own, warm-up included.

use std::io::Write;

use loadline_metrics::MetricValue;
use loadline_report::runs as report;
use loadline_store::{SeriesDef, StoredRun, StoredWindow};
use loadline_text::{Exit, problem};

use super::StoreArgs;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Percentiles of each line.
const EXPORTED_QUANTILES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];

#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// The run
    run: String,
    /// The form
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
    /// Minutes instead of seconds
    #[arg(long)]
    minutes: bool,
    /// Only this metric, repeatable
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// JSON lines: first the run, then a line for each series and window
    Jsonl,
    /// CSV with a head
    Csv,
}

impl ExportArgs {
    pub(super) fn exec(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let row = stored.find(&self.run)?;
        let run = stored.store.read(row);
        let run = run.map_err(|error| stored.refusal(error))?;
        let mut to: Box<dyn Write> = match &self.output {
            Some(path) => {
                let file = std::fs::File::create(context.working_dir.join(path));
                let refuse = |error: std::io::Error| {
                    Refusal::other(problem::write_failed(path, error.to_string()))
                };
                Box::new(std::io::BufWriter::new(file.map_err(refuse)?))
            }
            None => Box::new(std::io::BufWriter::new(std::io::stdout())),
        };
        let mut written = to.write_all(self.head(&run).as_bytes());
        let each = |window: StoredWindow| {
            for (id, value) in &window.gains {
                let def = &run.series[*id as usize];
                if written.is_ok() && (self.metric.is_empty() || self.metric.contains(&def.metric))
                {
                    let line = match self.format {
                        Format::Jsonl => json_line(&run, &window, def, value),
                        Format::Csv => csv_line(&run, &window, def, value),
                    };
                    written = to.write_all(line.as_bytes());
                }
            }
        };
        let read = if self.minutes {
            stored.store.minutes(&run.row, each)
        } else {
            stored.store.windows(&run.row, each)
        };
        read.map_err(|error| stored.refusal(error))?;
        match written.and_then(|()| to.flush()) {
            Ok(()) => Ok(Exit::Success),
            // A reader that has enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Exit::Success),
            Err(error) => {
                let path = self.output.as_deref().unwrap_or("-");
                Err(Refusal::other(problem::write_failed(path, error)))
            }
        }
    }

    fn head(&self, run: &StoredRun) -> String {
        match self.format {
            Format::Csv => {
                "time_ms,window,windows,late,metric,tags,kind,count,value,min,max,p50,p90,p95,p99,p99_9\n".to_owned()
            }
            Format::Jsonl => {
                let head = serde_json::json!({
                    "type": "run", "name": run.row.name, "started_ms": run.row.started_ms,
                    "verdict": run.row.verdict, "about": run.about, "end": run.end,
                    "events": run.events, "tags": run.row.tags, "note": run.row.note,
                    "settings": run.row.settings,
                });
                format!("{head}\n")
            }
        }
    }
}

/// What a line says of a value: how many samples, and what they come to.
struct Figures {
    count: Option<u64>,
    value: f64,
    ends: Option<(f64, f64)>,
    percentiles: Vec<f64>,
}

impl Figures {
    fn new(value: &MetricValue) -> Self {
        let plain = |value| Self {
            count: None,
            value,
            ends: None,
            percentiles: Vec::new(),
        };
        match value {
            MetricValue::Counter(sum) => plain(sum.map_or(0.0, loadline_metrics::Sum::value)),
            MetricValue::Gauge(None) => plain(0.0),
            MetricValue::Gauge(Some(gauge)) => Self {
                ends: Some((gauge.min, gauge.max)),
                ..plain(gauge.last)
            },
            MetricValue::Rate(rate) => Self {
                count: Some(rate.total),
                ..plain(rate.trues as f64)
            },
            MetricValue::Trend(trend) => Self {
                count: Some(trend.count()),
                ends: trend.min().zip(trend.max()),
                percentiles: trend.percentiles(&EXPORTED_QUANTILES).unwrap_or_default(),
                ..plain(trend.sum())
            },
        }
    }
}

/// When a window began, milliseconds since 1970.
fn time_ms(run: &StoredRun, window: &StoredWindow) -> i64 {
    run.row.started_ms + i64::try_from(window.first).unwrap_or(0) * 1000
}

fn json_line(
    run: &StoredRun,
    window: &StoredWindow,
    def: &SeriesDef,
    value: &MetricValue,
) -> String {
    let figures = Figures::new(value);
    let tags: serde_json::Map<String, serde_json::Value> = def
        .tags
        .iter()
        .map(|(key, value)| (key.clone(), value.clone().into()))
        .collect();
    let mut line = serde_json::json!({
        "type": "point", "time_ms": time_ms(run, window), "window": window.first,
        "windows": window.span, "metric": def.metric, "kind": def.kind.name(), "tags": tags,
        "value": figures.value,
    });
    if window.late {
        line["late"] = true.into();
    }
    if let Some(count) = figures.count {
        line["count"] = count.into();
    }
    if let Some((min, max)) = figures.ends {
        line["min"] = min.into();
        line["max"] = max.into();
    }
    for (share, value) in EXPORTED_QUANTILES.iter().zip(&figures.percentiles) {
        line[format!("p{}", share * 100.0)] = (*value).into();
    }
    format!("{line}\n")
}

fn csv_line(
    run: &StoredRun,
    window: &StoredWindow,
    def: &SeriesDef,
    value: &MetricValue,
) -> String {
    let figures = Figures::new(value);
    let tags: Vec<String> = def.tags.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let mut cells = vec![
        time_ms(run, window).to_string(),
        window.first.to_string(),
        window.span.to_string(),
        window.late.to_string(),
        report::csv_cell(&def.metric),
        report::csv_cell(&tags.join(";")),
        def.kind.name().to_owned(),
        figures
            .count
            .map_or_else(String::new, |count| count.to_string()),
        figures.value.to_string(),
    ];
    let (min, max) = figures.ends.unzip();
    let numbers = [min, max].into_iter();
    let percentiles =
        (0..EXPORTED_QUANTILES.len()).map(|place| figures.percentiles.get(place).copied());
    cells.extend(
        numbers
            .chain(percentiles)
            .map(|number| number.map_or_else(String::new, |number| number.to_string())),
    );
    format!("{}\n", cells.join(","))
}
