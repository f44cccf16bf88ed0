//! Computes the results from the sums.

use std::collections::BTreeMap;

use jiff::{SignedDuration, civil};
use loadline_metrics::Histogram;

use super::clients::SESSION_ENDS;
use super::formats::Format;
use super::reader::{LogReader, METHODS};
use super::timeline::DaySum;
use super::times::{TimeRefusal, TimeSource};
use super::troubles::LineProblems;

/// The results of reading logs.
#[derive(Debug)]
pub struct TrafficHistory {
    /// Lines read, without empty ones and headings.
    pub lines: u64,
    /// Requests counted.
    pub requests: u64,
    /// Lines by format.
    pub formats: Vec<(Format, u64)>,
    /// Lines that could not be parsed.
    pub troubles: LineProblems,
    /// Seconds from the first request to the last.
    pub length: f64,
    /// Mean requests per second over that length.
    pub mean_rate: f64,
    /// The time of the first request, in the log's own zone.
    pub first: String,
    /// The time of the last one.
    pub last: String,
    /// Seconds that the log's own zone is ahead of UTC; `None` where times have no zone, and are
    /// taken for UTC.
    pub offset: Option<i32>,
    /// The busiest day.
    pub day: PeakSpan,
    /// The busiest minute.
    pub minute: PeakSpan,
    /// The busiest second.
    pub second: PeakSpan,
    /// The number of days with requests.
    pub days: u64,
    /// Requests on days that were already closed.
    pub late: u64,
    /// Each method of each path template, most frequent first.
    pub endpoints: Vec<EndpointLoad>,
    /// Fields that were taken for the time of a request.
    pub times: Vec<TimeSource>,
    /// Fields that look like one and were not taken.
    pub refused_times: Vec<TimeRefusal>,
    /// Whether so many requests came from one address that it is a proxy's, or a tool's.
    pub is_one_address: bool,
    /// How people behave.
    pub behaviour: UserBehaviour,
    /// The growth of the load.
    pub growth: Option<MonthlyGrowth>,
}

/// The busiest day, minute or second.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeakSpan {
    /// When it begins, in the log's own zone.
    pub at: String,
    /// How many requests.
    pub requests: u64,
}

impl TrafficHistory {
    /// Seconds of the busiest minute that the log covers: all of a log that is shorter.
    #[must_use]
    pub fn minute_seconds(&self) -> f64 {
        self.length.clamp(1.0, 60.0)
    }

    /// Requests per second in the busiest minute.
    #[must_use]
    pub fn minute_rate(&self) -> f64 {
        self.minute.requests as f64 / self.minute_seconds()
    }
}

/// The requests of a method to a path template.
#[derive(Debug)]
pub struct EndpointLoad {
    /// The method.
    pub method: &'static str,
    /// The path, with identifiers folded to `{id}`.
    pub template: String,
    /// Number of requests.
    pub requests: u64,
    /// Its share of all, 0 to 1.
    pub share: f64,
    /// Requests by the first digit of their status; 0 is no status.
    pub statuses: [u64; 6],
    /// The status from 500 on that was there most often.
    pub usual_failure: Option<u16>,
    /// Durations in ms; empty if the log has none.
    pub took: Histogram,
    /// Example paths.
    pub samples: Vec<String>,
}

/// How people behave.
#[derive(Debug, Clone, PartialEq)]
pub struct UserBehaviour {
    /// Number of sessions; an estimate if there are more clients than are kept.
    pub sessions: f64,
    /// Mean number of requests per session.
    pub requests_per_session: f64,
    /// Median pause in seconds between requests of a session, leaving out pauses below a second.
    pub think_time: Option<f64>,
    /// Share of requests that repeat one that had just failed.
    pub retry_share: f64,
    /// Share of pauses below a second, which logs cannot resolve.
    pub at_once: f64,
}

/// Growth of the requests per day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonthlyGrowth {
    /// Mean requests per day in the first 28 days.
    pub first: f64,
    /// Mean requests per day in the last 28 days.
    pub last: f64,
    /// Months of 30 days between the two.
    pub months: f64,
}

impl MonthlyGrowth {
    /// The last mean divided by the first.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.last / self.first
    }

    /// The growth factor per month.
    #[must_use]
    pub fn per_month(&self) -> f64 {
        self.factor().powf(1.0 / self.months)
    }
}

/// So many requests from one address are not one person's.
const ONE_ADDRESS_REQUESTS_MIN: u64 = 30;
/// So many times are needed to say that they are longer than the log.
const LONG_TIMES_MIN: u64 = 10;
/// How many days are averaged at each end.
const AVERAGED_DAYS: usize = 28;

impl LogReader {
    /// The results of what was read so far.
    #[must_use]
    pub fn finish(mut self) -> TrafficHistory {
        self.count_waiting();
        let timeline = std::mem::take(&mut self.timeline);
        let own_offset = (!self.is_zone_missing).then(|| timeline.offset());
        let offset = i64::from(timeline.offset());
        let late = timeline.late;
        let days = timeline.days();
        let first = self.first.unwrap_or(0);
        // A single second is one second long.
        let length = (self.last - first + 1).max(1) as f64;
        let most = |of: fn(&DaySum) -> (i64, u64)| {
            let busiest = days.values().map(of).max_by_key(|(at, n)| (*n, -at));
            let (at, requests) = busiest.unwrap_or((0, 0));
            PeakSpan {
                at: moment(at),
                requests,
            }
        };
        self.refuse_times_longer_than(length);
        let day = days.iter().max_by_key(|(day, sum)| (sum.requests, -**day));
        let formats = Format::ALL.iter().zip(self.formats);
        TrafficHistory {
            lines: self.read,
            requests: self.counted,
            formats: formats
                .filter(|(_, count)| *count > 0)
                .map(|(format, count)| (*format, count))
                .collect(),
            length,
            mean_rate: self.counted as f64 / length,
            first: moment(first + offset),
            last: moment(self.last + offset),
            offset: own_offset,
            day: PeakSpan {
                at: day.map_or_else(String::new, |(day, _)| {
                    moment(day * 86_400)[..10].to_owned()
                }),
                requests: day.map_or(0, |(_, sum)| sum.requests),
            },
            // Of a log that is shorter, all of it.
            minute: if length < 60.0 {
                PeakSpan {
                    at: moment(first + offset),
                    requests: self.counted,
                }
            } else {
                most(|sum| sum.minute)
            },
            second: most(|sum| sum.second),
            days: days.len() as u64,
            late,
            is_one_address: self.addresses.is_single() && self.counted >= ONE_ADDRESS_REQUESTS_MIN,
            times: std::mem::take(&mut self.lines.times.taken),
            refused_times: std::mem::take(&mut self.lines.times.refused),
            endpoints: self.endpoints(),
            behaviour: self.behaviour(),
            growth: growth(&days),
            troubles: self.troubles,
        }
    }

    /// Forgets times of which most are longer than all of the log: they are in another unit, or
    /// no times of requests.
    fn refuse_times_longer_than(&mut self, length: f64) {
        let mut all = Histogram::new();
        for sums in &self.sums {
            all.absorb(sums.took.clone());
        }
        let median_ms = all.percentile(0.5).unwrap_or(0.0);
        // Of a few lines each may be longer than the time between them.
        if all.count() < LONG_TIMES_MIN || median_ms <= length * 1000.0 {
            return;
        }
        for sums in &mut self.sums {
            sums.took = Histogram::new();
        }
        let taken = std::mem::take(&mut self.lines.times.taken);
        let fields: Vec<String> = taken.into_iter().map(|source| source.field).collect();
        self.lines.times.refuse(TimeRefusal::LongerThanLog {
            field: fields.join(", "),
            median_ms,
        });
    }

    fn endpoints(&mut self) -> Vec<EndpointLoad> {
        let mut requests = vec![0; self.templates.len()];
        for sums in &self.sums {
            requests[sums.template as usize] += sums.requests;
        }
        let paths = self.templates.folded(&requests);
        let mut joined: BTreeMap<(String, u8), EndpointLoad> = BTreeMap::new();
        let mut failures: BTreeMap<(String, u8), BTreeMap<u16, u64>> = BTreeMap::new();
        for sums in std::mem::take(&mut self.sums) {
            let template = paths[sums.template as usize].clone();
            let key = (template.clone(), sums.method);
            let endpoint = joined.entry(key.clone()).or_insert_with(|| EndpointLoad {
                method: METHODS[usize::from(sums.method)],
                template,
                requests: 0,
                share: 0.0,
                statuses: [0; 6],
                usual_failure: None,
                took: Histogram::new(),
                samples: Vec::new(),
            });
            endpoint.requests += sums.requests;
            let known = failures.entry(key).or_default();
            for (status, more) in sums.failures {
                *known.entry(status).or_default() += more;
            }
            // Of two that are as frequent, the lower one.
            let usual = known
                .iter()
                .max_by_key(|(status, count)| (**count, std::cmp::Reverse(**status)));
            endpoint.usual_failure = usual.map(|(status, _)| *status);
            for (sum, more) in endpoint.statuses.iter_mut().zip(sums.statuses) {
                *sum += more;
            }
            endpoint.took.absorb(sums.took);
            let room = 20_usize.saturating_sub(endpoint.samples.len());
            endpoint.samples.extend(sums.samples.into_iter().take(room));
        }
        let all = self.counted.max(1) as f64;
        let mut endpoints: Vec<EndpointLoad> = joined.into_values().collect();
        for endpoint in &mut endpoints {
            endpoint.share = endpoint.requests as f64 / all;
        }
        endpoints.sort_by_key(|endpoint| std::cmp::Reverse(endpoint.requests));
        endpoints
    }

    fn behaviour(&self) -> UserBehaviour {
        let clients = &self.clients;
        let pauses: u64 = clients.pauses.iter().sum();
        let at_once = clients.pauses.first().copied().unwrap_or(0);
        let seen = clients.requests.max(1) as f64;
        // Sessions are scaled up, requests are not: scale them the same way.
        let scale = if clients.requests == 0 {
            0.0
        } else {
            self.counted as f64
        };
        UserBehaviour {
            sessions: clients.sessions,
            requests_per_session: if clients.sessions > 0.0 {
                scale / clients.sessions
            } else {
                0.0
            },
            think_time: median(&clients.pauses),
            retry_share: clients.retries as f64 / seen,
            at_once: if pauses == 0 {
                0.0
            } else {
                at_once as f64 / pauses as f64
            },
        }
    }
}

/// The median of pauses of at least a second.
fn median(pauses: &[u64]) -> Option<f64> {
    let all: u64 = pauses.iter().skip(1).sum();
    let mut seen = 0;
    for (seconds, count) in (0..=SESSION_ENDS).zip(pauses).skip(1) {
        seen += count;
        if all > 0 && seen * 2 >= all {
            return Some(seconds as f64);
        }
    }
    None
}

/// Needs twice as many days as are averaged at each end.
fn growth(days: &BTreeMap<i64, DaySum>) -> Option<MonthlyGrowth> {
    // The first and the last day are usually incomplete.
    let whole: Vec<(i64, u64)> = days
        .iter()
        .skip(1)
        .take(days.len().saturating_sub(2))
        .map(|(day, sum)| (*day, sum.requests))
        .collect();
    if whole.len() < AVERAGED_DAYS * 2 {
        return None;
    }
    let mean = |part: &[(i64, u64)]| {
        part.iter()
            .map(|(_, requests)| *requests as f64)
            .sum::<f64>()
            / part.len() as f64
    };
    let middle = |part: &[(i64, u64)]| {
        part.iter().map(|(day, _)| *day as f64).sum::<f64>() / part.len() as f64
    };
    let (first, last) = (
        &whole[..AVERAGED_DAYS],
        &whole[whole.len() - AVERAGED_DAYS..],
    );
    Some(MonthlyGrowth {
        first: mean(first),
        last: mean(last),
        months: (middle(last) - middle(first)) / 30.0,
    })
}

/// `2024-05-06 07:08:09`.
fn moment(local: i64) -> String {
    let epoch = civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let time = epoch.saturating_add(SignedDuration::from_secs(local));
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}
