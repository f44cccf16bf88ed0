//! Sorts the samples of windows into periods.

use std::collections::BTreeMap;

use loadline_metrics::Histogram;

use super::{Distribution, PERIOD_MS, Period, Report, earliest, rounded};

/// What a metric gained in a window of a second.
#[derive(Debug)]
pub enum Gain<'g> {
    /// A counter.
    Counter(f64),
    /// A distribution.
    Summary(&'g Histogram),
    /// Events of a rate.
    Rate(f64),
}

/// Metrics by period.
#[derive(Debug, Default)]
pub struct Collector {
    periods: BTreeMap<i64, Data>,
}

#[derive(Debug, Default)]
struct Data {
    counters: BTreeMap<String, f64>,
    summaries: BTreeMap<String, Histogram>,
    rates: BTreeMap<String, Events>,
    counted: Span,
    summed: Span,
}

/// Events of a rate and when they happened.
#[derive(Debug, Default)]
struct Events {
    count: f64,
    span: Span,
}

/// From the first to the last instant; zero for none.
#[derive(Debug, Default, Clone, Copy)]
struct Span {
    first: i64,
    last: i64,
}

impl Span {
    fn add(&mut self, from: i64, until: i64) {
        self.first = earliest(self.first, from);
        self.last = self.last.max(until);
    }
}

impl Events {
    /// Per second, over a second at least.
    fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a period's length")]
        let millis = (self.span.last - self.span.first).max(1000) as f64;
        rounded(self.count / (millis / 1000.0), 1.0)
    }
}

impl Collector {
    /// Adds what `name` gained in the second that begins at `at` (ms since 1970).
    pub fn add(&mut self, at: i64, name: &str, gain: &Gain<'_>) {
        let data = self
            .periods
            .entry(at - at.rem_euclid(PERIOD_MS))
            .or_default();
        let until = at + 1000;
        match gain {
            Gain::Counter(value) => {
                *data.counters.entry(name.to_owned()).or_default() += value;
                data.counted.add(at, until);
            }
            Gain::Summary(histogram) => {
                data.summaries
                    .entry(name.to_owned())
                    .or_default()
                    .merge(histogram);
                data.summed.add(at, until);
            }
            Gain::Rate(count) => {
                let events = data.rates.entry(name.to_owned()).or_default();
                events.count += count;
                events.span.add(at, until);
            }
        }
    }

    /// When each period begins that has anything in it.
    pub fn begins(&self) -> impl Iterator<Item = i64> {
        self.periods.keys().copied()
    }

    /// A period's numbers.
    #[must_use]
    pub fn period(&self, begins: i64) -> Option<Period> {
        self.periods.get(&begins).map(|data| data.period(begins))
    }

    /// Everything.
    #[must_use]
    pub fn report(&self) -> Report {
        let intermediate: Vec<Period> = self
            .periods
            .iter()
            .map(|(begins, data)| data.period(*begins))
            .collect();
        let mut all = Data::default();
        for data in self.periods.values() {
            for (name, value) in &data.counters {
                *all.counters.entry(name.clone()).or_default() += value;
            }
            for (name, histogram) in &data.summaries {
                all.summaries
                    .entry(name.clone())
                    .or_default()
                    .merge(histogram);
            }
            all.counted.add(data.counted.first, data.counted.last);
            all.summed.add(data.summed.first, data.summed.last);
        }
        let last = intermediate.last().map_or(0, |period| period.begins);
        let mut aggregate = all.period(last);
        aggregate.rates = mean_rates(&intermediate);
        Report {
            aggregate,
            intermediate,
        }
    }
}

/// Upstream's rates of a whole run: the mean over all periods, rounded.
fn mean_rates(periods: &[Period]) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (name, rate) in periods.iter().flat_map(|period| &period.rates) {
        *sums.entry(name.clone()).or_default() += rate;
    }
    #[expect(clippy::cast_precision_loss, reason = "a number of periods")]
    let count = periods.len().max(1) as f64;
    sums.into_iter()
        .map(|(name, sum)| (name, rounded(sum / count, 1.0)))
        .collect()
}

impl Data {
    fn period(&self, begins: i64) -> Period {
        Period {
            begins,
            counters: self.counters.clone(),
            rates: self
                .rates
                .iter()
                .map(|(name, events)| (name.clone(), events.rate()))
                .collect(),
            summaries: self
                .summaries
                .iter()
                .map(|(name, histogram)| (name.clone(), Distribution::from_histogram(histogram)))
                .collect(),
            first_counter_at: self.counted.first,
            last_counter_at: self.counted.last,
            first_histogram_at: self.summed.first,
            last_histogram_at: self.summed.last,
        }
    }
}
