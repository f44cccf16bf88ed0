//! Defects put in on purpose. A comparator that does not notice one of them is worth nothing.

use super::Line;
use super::observation::Observation;
use super::run::Subject;
use crate::server::{Defect, Options};

/// A deliberate defect: of the server, of the flags, or of what was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it; `describe` says it in words")]
pub enum Plant {
    RedirectCount,
    CookieNotReset,
    CookieNotDeleted,
    BodiesDropped,
    ThresholdsIgnored,
    TeardownSkipped,
    StatusWrong,
    BodyShort,
    ExitAlwaysZero,
    RequestLost,
    CheckMiscounted,
    ConsoleLineLost,
    ConsoleReordered,
    MetricTypeWrong,
    SubMetricLost,
    ThresholdInverted,
    TenfoldTimes,
    IterationTwice,
    LogWordChanged,
    LogLevelChanged,
    LogLineLost,
    LogLineTwice,
    LogFieldsLost,
    LogReordered,
    StackFrameLost,
    LogNumberChanged,
    LogCutShort,
    LogTextEmpty,
    TimesHundredfold,
    TimesInSeconds,
    WaitCutShort,
    WaitDoubled,
    WaitingLost,
    MinAndMaxSwapped,
    PercentileOverMax,
    ConstantAdded,
    TimesZero,
}

impl Plant {
    /// All of them.
    pub const ALL: [Self; 37] = [
        Self::RedirectCount,
        Self::CookieNotReset,
        Self::CookieNotDeleted,
        Self::BodiesDropped,
        Self::ThresholdsIgnored,
        Self::TeardownSkipped,
        Self::StatusWrong,
        Self::BodyShort,
        Self::ExitAlwaysZero,
        Self::RequestLost,
        Self::CheckMiscounted,
        Self::ConsoleLineLost,
        Self::ConsoleReordered,
        Self::MetricTypeWrong,
        Self::SubMetricLost,
        Self::ThresholdInverted,
        Self::TenfoldTimes,
        Self::IterationTwice,
        Self::LogWordChanged,
        Self::LogLevelChanged,
        Self::LogLineLost,
        Self::LogLineTwice,
        Self::LogFieldsLost,
        Self::LogReordered,
        Self::StackFrameLost,
        Self::LogNumberChanged,
        Self::LogCutShort,
        Self::LogTextEmpty,
        Self::TimesHundredfold,
        Self::TimesInSeconds,
        Self::WaitCutShort,
        Self::WaitDoubled,
        Self::WaitingLost,
        Self::MinAndMaxSwapped,
        Self::PercentileOverMax,
        Self::ConstantAdded,
        Self::TimesZero,
    ];

    /// Name for the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RedirectCount => "redirect-count",
            Self::CookieNotReset => "cookie-not-reset",
            Self::CookieNotDeleted => "cookie-not-deleted",
            Self::BodiesDropped => "bodies-dropped",
            Self::ThresholdsIgnored => "thresholds-ignored",
            Self::TeardownSkipped => "teardown-skipped",
            Self::StatusWrong => "status-wrong",
            Self::BodyShort => "body-short",
            Self::ExitAlwaysZero => "exit-always-zero",
            Self::RequestLost => "request-lost",
            Self::CheckMiscounted => "check-miscounted",
            Self::ConsoleLineLost => "console-line-lost",
            Self::ConsoleReordered => "console-reordered",
            Self::MetricTypeWrong => "metric-type-wrong",
            Self::SubMetricLost => "sub-metric-lost",
            Self::ThresholdInverted => "threshold-inverted",
            Self::TenfoldTimes => "tenfold-times",
            Self::IterationTwice => "iteration-twice",
            Self::LogWordChanged => "log-word-changed",
            Self::LogLevelChanged => "log-level-changed",
            Self::LogLineLost => "log-line-lost",
            Self::LogLineTwice => "log-line-twice",
            Self::LogFieldsLost => "log-fields-lost",
            Self::LogReordered => "log-reordered",
            Self::StackFrameLost => "stack-frame-lost",
            Self::LogNumberChanged => "log-number-changed",
            Self::LogCutShort => "log-cut-short",
            Self::LogTextEmpty => "log-text-empty",
            Self::TimesHundredfold => "times-hundredfold",
            Self::TimesInSeconds => "times-in-seconds",
            Self::WaitCutShort => "wait-cut-short",
            Self::WaitDoubled => "wait-doubled",
            Self::WaitingLost => "waiting-lost",
            Self::MinAndMaxSwapped => "min-and-max-swapped",
            Self::PercentileOverMax => "percentile-over-max",
            Self::ConstantAdded => "constant-added",
            Self::TimesZero => "times-zero",
        }
    }

    /// The plant of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plant| plant.name() == name)
    }

    /// Whether it needs a binary to run; the others alter what was observed.
    #[must_use]
    pub fn needs_run(self) -> bool {
        self.defect().is_some() || self.flag().is_some()
    }

    fn defect(self) -> Option<Defect> {
        match self {
            Self::RedirectCount => Some(Defect::RedirectOneMore),
            Self::CookieNotDeleted => Some(Defect::CookieStays),
            Self::StatusWrong => Some(Defect::Created),
            Self::BodyShort => Some(Defect::ShortBody),
            _ => None,
        }
    }

    fn flag(self) -> Option<&'static str> {
        match self {
            Self::CookieNotReset => Some("K6_NO_COOKIES_RESET=true"),
            Self::BodiesDropped => Some("--discard-response-bodies"),
            Self::ThresholdsIgnored => Some("--no-thresholds"),
            Self::TeardownSkipped => Some("--no-teardown"),
            _ => None,
        }
    }

    /// Puts the defect into the server and the flags.
    pub(super) fn before(
        self,
        subject: &mut Subject,
        server: &mut Options,
        environment: &mut Vec<(String, String)>,
    ) {
        server.defect = self.defect();
        match self.flag() {
            Some(flag) if flag.starts_with("--") => subject.arguments.push(flag.to_owned()),
            Some(variable) => {
                let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
                environment.push((name.to_owned(), value.to_owned()));
            }
            None => {}
        }
    }

    /// Puts the defect into what was observed.
    pub fn after(self, seen: &mut Observation) {
        match self {
            Self::ExitAlwaysZero => seen.exit = 0,
            Self::RequestLost => add(seen, "http_reqs", -1.0),
            Self::IterationTwice => add(seen, "iterations", 1.0),
            Self::CheckMiscounted => {
                if let Some(tally) = seen.checks.values_mut().find(|tally| tally.passes > 0) {
                    tally.passes -= 1;
                    tally.fails += 1;
                }
            }
            Self::ConsoleLineLost => drop(seen.console.pop()),
            Self::ConsoleReordered => reorder(&mut seen.console),
            Self::MetricTypeWrong => {
                if let Some(metric) = seen.metrics.get_mut("iteration_duration") {
                    "gauge".clone_into(&mut metric.kind);
                }
            }
            Self::SubMetricLost => seen.metrics.retain(|name, _| !name.contains('{')),
            Self::ThresholdInverted => {
                let thresholds = seen
                    .metrics
                    .values_mut()
                    .flat_map(|metric| metric.thresholds.values_mut());
                thresholds.for_each(|failed| *failed = !*failed);
            }
            Self::TenfoldTimes => {
                let times = seen
                    .metrics
                    .iter_mut()
                    .filter(|(name, _)| name.starts_with("http_req_duration"));
                for value in times.flat_map(|(_, metric)| metric.values.values_mut()) {
                    *value = *value * 10.0 + 600.0;
                }
            }
            _ => {
                self.in_log(&mut seen.log);
                self.in_times(seen);
            }
        }
    }

    /// Whether the defect is one of text: of the log or the console.
    #[must_use]
    pub fn is_of_log(self) -> bool {
        matches!(
            self,
            Self::ConsoleLineLost
                | Self::ConsoleReordered
                | Self::LogWordChanged
                | Self::LogLevelChanged
                | Self::LogLineLost
                | Self::LogLineTwice
                | Self::LogFieldsLost
                | Self::LogReordered
                | Self::StackFrameLost
                | Self::LogNumberChanged
                | Self::LogCutShort
                | Self::LogTextEmpty
        )
    }

    /// Whether the defect is one of a measured time.
    #[must_use]
    pub fn is_of_time(self) -> bool {
        matches!(
            self,
            Self::TenfoldTimes
                | Self::TimesHundredfold
                | Self::TimesInSeconds
                | Self::WaitCutShort
                | Self::WaitDoubled
                | Self::WaitingLost
                | Self::MinAndMaxSwapped
                | Self::PercentileOverMax
                | Self::ConstantAdded
                | Self::TimesZero
        )
    }

    fn in_log(self, log: &mut Vec<Line>) {
        match self {
            Self::LogWordChanged => {
                for line in log {
                    line.text = line.text.replacen("could not", "cannot", 1);
                }
            }
            Self::LogLevelChanged => {
                for line in log.iter_mut().filter(|line| line.level == "warning") {
                    "error".clone_into(&mut line.level);
                }
            }
            Self::LogLineLost => drop(log.pop()),
            Self::LogLineTwice => log.extend(log.last().cloned()),
            Self::LogFieldsLost => {
                for line in log {
                    let end = line.text.find(" | ").unwrap_or(line.text.len());
                    line.text.truncate(end);
                }
            }
            Self::LogReordered => reorder(log),
            Self::StackFrameLost => {
                for line in log {
                    if let Some(frame) = line.text.rfind("\n\tat ") {
                        let end = line.text[frame + 1..].find('\n');
                        let end = end.map_or(line.text.len(), |end| frame + 1 + end);
                        line.text.replace_range(frame..end, "");
                    }
                }
            }
            Self::LogNumberChanged => {
                for line in log {
                    line.text = line.text.replace('2', "3");
                }
            }
            Self::LogCutShort => {
                for line in log {
                    line.text = line.text.chars().take(20).collect();
                }
            }
            Self::LogTextEmpty => {
                for line in log {
                    line.text.clear();
                }
            }
            _ => {}
        }
    }

    fn in_times(self, seen: &mut Observation) {
        let times = seen.metrics.iter_mut().filter(|(name, _)| {
            name.starts_with("http_req_") || name.starts_with("iteration_duration")
        });
        for (name, metric) in times.filter(|(_, metric)| metric.kind == "trend") {
            let is_iteration = name.starts_with("iteration_duration");
            let of = |statistic: &str| metric.values.get(statistic).copied().unwrap_or_default();
            let (min, max) = (of("min"), of("max"));
            for (statistic, value) in &mut metric.values {
                match self {
                    Self::TimesHundredfold => *value *= 100.0,
                    Self::TimesInSeconds => *value /= 1_000.0,
                    Self::TimesZero => *value = 0.0,
                    Self::WaitCutShort if is_iteration && *value > 900.0 => *value -= 500.0,
                    Self::WaitDoubled if is_iteration && *value > 900.0 => *value *= 2.0,
                    Self::WaitingLost if name.starts_with("http_req_waiting") => *value = 0.0,
                    Self::MinAndMaxSwapped if statistic == "min" => *value = max,
                    Self::MinAndMaxSwapped if statistic == "max" => *value = min,
                    Self::PercentileOverMax if statistic == "p(95)" => *value = max + 1.0,
                    Self::ConstantAdded if !is_iteration => *value += 250.0,
                    _ => {}
                }
            }
        }
    }
}

fn add(seen: &mut Observation, metric: &str, amount: f64) {
    if let Some(count) = seen
        .metrics
        .get_mut(metric)
        .and_then(|metric| metric.values.get_mut("count"))
    {
        *count += amount;
    }
}

fn reorder(lines: &mut [Line]) {
    let Some(first) = lines.first().cloned() else {
        return;
    };
    let different = lines
        .iter()
        .position(|line| *line != first)
        .unwrap_or_default();
    if different > 0 {
        lines.swap(0, different);
    }
}
