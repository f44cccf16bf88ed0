//! Measured times: how one compares with what several runs of k6 showed, and the rules that times of one run keep
//! among themselves on any machine.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::normalise::Class;
use super::observation::Metric;

/// A time may be this many times shorter or longer than any run of k6 showed.
const TIME_RATIO_MAX: f64 = 10.0;

/// Milliseconds below which minimum and median count as this long: a core that another process holds for a moment.
const MEDIAN_FLOOR_MS: f64 = 2.0;

/// The same for averages, maxima and high percentiles, which a single time slice of another process moves.
const MEAN_FLOOR_MS: f64 = 10.0;

/// How much less than the shortest run of k6 a wait may be, in milliseconds: nothing waits shorter than it was told to.
const EARLIER_MS_MAX: f64 = 100.0;

/// How much longer the longest run of k6 may be than its shortest for a time to count as a wait. What takes processor
/// time varies more, and how long it takes tells of the machine: a quicker one needs less.
const WAIT_SPREAD_MAX: f64 = 1.25;

/// How much more than the longest a minimum or median may be, in milliseconds.
const MEDIAN_LATER_MS_MAX: f64 = 250.0;

/// The same for averages, maxima and high percentiles.
const MEAN_LATER_MS_MAX: f64 = 1_000.0;

/// Times are exported with nine digits after the point of a millisecond; sums of them lose the last ones.
const ROUNDING_MS: f64 = 1e-6;

/// Lowest and highest value of one statistic over the runs of k6, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Spread {
    /// Of the run where it was lowest.
    pub low: f64,
    /// Of the run where it was highest.
    pub high: f64,
}

impl Spread {
    /// Of the values of all runs; None when there are none, or one is no number.
    #[must_use]
    pub fn from_values(values: &[f64]) -> Option<Self> {
        let numbers = !values.is_empty() && values.iter().all(|value| value.is_finite());
        numbers.then(|| Self {
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// With two digits, outwards: what is recorded.
    #[must_use]
    pub fn rounded(self) -> Self {
        let digits = |value: f64, round: fn(f64) -> f64| {
            if value == 0.0 {
                return 0.0;
            }
            // No time is read to less than a microsecond.
            let unit = 10_f64.powf(value.abs().log10().floor() - 1.0).max(1e-3);
            let places = (-unit.log10().round()).max(0.0);
            let scaled = round(value / unit);
            if places > 0.0 {
                scaled / 10_f64.powf(places)
            } else {
                scaled * unit
            }
        };
        Self {
            low: digits(self.low, f64::floor),
            high: digits(self.high, f64::ceil),
        }
    }

    /// A value in it.
    #[must_use]
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Whether a time is of the order of magnitude that k6 showed.
    #[must_use]
    pub fn accepts(&self, class: Class, got: f64) -> bool {
        !self.is_sooner(class, got) && !self.is_later(class, got, 1.0)
    }

    /// Whether a wait is shorter than k6 showed: what was to be waited for was not.
    #[must_use]
    pub fn is_sooner(&self, class: Class, got: f64) -> bool {
        let at_least = |value: f64| value.max(floor(class));
        self.is_wait()
            && (at_least(got) * TIME_RATIO_MAX < at_least(self.low)
                || got < self.low - EARLIER_MS_MAX)
    }

    /// Whether the runs of k6 agree, as waits do.
    fn is_wait(&self) -> bool {
        self.high <= self.low * WAIT_SPREAD_MAX
    }

    /// Whether a time is longer than k6 showed, on a machine that took `slowness` times as long for the same work.
    #[must_use]
    pub fn is_later(&self, class: Class, got: f64, slowness: f64) -> bool {
        let slowness = slowness.max(1.0);
        let at_least = |value: f64| value.max(floor(class));
        let later = match class {
            Class::Time => MEDIAN_LATER_MS_MAX,
            _ => MEAN_LATER_MS_MAX,
        };
        at_least(got) > at_least(self.high) * TIME_RATIO_MAX * slowness
            || got > self.high + later * slowness
    }
}

/// Milliseconds below which all times of a class count as this long.
fn floor(class: Class) -> f64 {
    match class {
        Class::Time => MEDIAN_FLOOR_MS,
        _ => MEAN_FLOOR_MS,
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} ms", self.low, self.high)
    }
}

impl From<Spread> for String {
    fn from(spread: Spread) -> Self {
        spread.to_string()
    }
}

impl TryFrom<String> for Spread {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (low, high) = text
            .strip_suffix(" ms")
            .and_then(|text| text.split_once(" to "))
            .ok_or_else(|| format!("{text:?}: LOW to HIGH ms wanted"))?;
        let number = |part: &str| part.parse().map_err(|_| format!("{part:?}: no number"));
        Ok(Self {
            low: number(low)?,
            high: number(high)?,
        })
    }
}

/// Rules that times of one run keep, and that these do not: what is named, and the values that break it.
#[must_use]
pub(super) fn broken_rules(metrics: &BTreeMap<String, Metric>) -> Vec<(String, String)> {
    let mut broken = Vec::new();
    for (name, metric) in metrics.iter().filter(|(_, metric)| metric.kind == "trend") {
        if let Some(values) = out_of_order(metric) {
            broken.push((format!("metrics.{name}.order"), values));
        }
    }
    for (name, metric) in metrics {
        let Some(tags) = name.strip_prefix("http_req_duration") else {
            continue;
        };
        let average = |of: &str| metrics.get(&format!("{of}{tags}"))?.values.get("avg");
        let parts = ["http_req_sending", "http_req_waiting", "http_req_receiving"].map(average);
        let ([Some(sending), Some(waiting), Some(receiving)], Some(whole)) =
            (parts, metric.values.get("avg"))
        else {
            continue;
        };
        let sum = sending + waiting + receiving;
        if (sum - whole).abs() > ROUNDING_MS * whole.max(1.0) {
            broken.push((
                format!("metrics.{name}.parts"),
                format!("{sending} + {waiting} + {receiving} is not {whole}"),
            ));
        }
    }
    broken
}

/// The middles of several runs' spreads, made to keep the rule of the parts: the waiting gets what is left.
#[must_use]
pub(super) fn with_whole_parts(mut metrics: BTreeMap<String, Metric>) -> BTreeMap<String, Metric> {
    let names: Vec<String> = metrics
        .keys()
        .filter_map(|name| Some(name.strip_prefix("http_req_duration")?.to_owned()))
        .collect();
    for tags in names {
        let average = |of: &str| {
            metrics
                .get(&format!("{of}{tags}"))?
                .values
                .get("avg")
                .copied()
        };
        let (Some(whole), Some(sending), Some(receiving)) = (
            average("http_req_duration"),
            average("http_req_sending"),
            average("http_req_receiving"),
        ) else {
            continue;
        };
        let Some(waiting) = metrics.get_mut(&format!("http_req_waiting{tags}")) else {
            continue;
        };
        let left = whole - sending - receiving;
        for (statistic, value) in &mut waiting.values {
            match statistic.as_str() {
                "avg" => *value = left,
                "min" => *value = value.min(left),
                "max" => *value = value.max(left),
                _ => {}
            }
        }
    }
    metrics
}

/// The statistics of a trend in the order of their ranks, when their values are not in that order.
fn out_of_order(metric: &Metric) -> Option<String> {
    let rank = |statistic: &str| match statistic {
        "min" => Some(0.0),
        "med" => Some(50.0),
        "max" => Some(100.0),
        other => other
            .strip_prefix("p(")?
            .strip_suffix(')')?
            .parse::<f64>()
            .ok(),
    };
    let mut ranked: Vec<(f64, &String, f64)> = metric
        .values
        .iter()
        .filter_map(|(statistic, value)| Some((rank(statistic)?, statistic, *value)))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let slack = |value: f64| ROUNDING_MS * value.abs().max(1.0);
    let rises = ranked
        .windows(2)
        .all(|pair| pair[0].2 <= pair[1].2 + slack(pair[1].2));
    let of = |statistic: &str| metric.values.get(statistic).copied();
    let average = of("avg").is_none_or(|average| {
        of("min").is_none_or(|min| min <= average + slack(average))
            && of("max").is_none_or(|max| average <= max + slack(max))
    });
    (!rises || !average).then(|| format!("{:?}", metric.values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(values: &[(&str, f64)]) -> Metric {
        Metric {
            kind: "trend".to_owned(),
            values: values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            ..Metric::default()
        }
    }

    #[test]
    fn a_time_is_accepted_within_the_magnitude_of_the_spread() {
        let fast = Spread {
            low: 0.2,
            high: 0.4,
        };
        assert!(fast.accepts(Class::Time, 0.1) && fast.accepts(Class::Time, 15.0));
        assert!(!fast.accepts(Class::Time, 30.0), "a hundredfold");
        assert!(!fast.accepts(Class::Peak, 999.0));
    }

    #[test]
    fn a_wait_may_not_be_cut_short() {
        let second = Spread {
            low: 1_000.0,
            high: 1_010.0,
        };
        assert!(second.accepts(Class::Time, 1_001.0));
        assert!(!second.accepts(Class::Time, 800.0));
        assert!(!second.accepts(Class::Time, 1.0));
    }

    /// k6 computed for 25 to 68 ms, on a machine that had other work; a quick one takes less than 2 ms.
    #[test]
    fn being_sooner_where_the_runs_of_k6_disagree_is_no_difference() {
        let computed = Spread {
            low: 25.0,
            high: 68.0,
        };
        assert!(computed.accepts(Class::Time, 1.6) && computed.accepts(Class::Peak, 1.6));
        assert!(!computed.accepts(Class::Time, 700.0), "tenfold is later");
        let waited = Spread {
            low: 50.0,
            high: 53.0,
        };
        assert!(!waited.accepts(Class::Time, 1.6), "a lost wait");
    }

    /// What of a script that only computes is compared: see `@computes`.
    #[test]
    fn being_sooner_and_being_later_are_told_apart() {
        let computed = Spread {
            low: 430.0,
            high: 530.0,
        };
        assert!(
            computed.is_sooner(Class::Time, 14.0) && !computed.is_later(Class::Time, 14.0, 1.0)
        );
        assert!(
            computed.is_later(Class::Time, 6_000.0, 1.0)
                && !computed.is_sooner(Class::Time, 6_000.0)
        );
    }

    /// A TLS handshake beside eight programs that compute on two cores.
    #[test]
    fn being_later_on_a_slow_machine_is_no_difference() {
        let handshake = Spread {
            low: 7.2,
            high: 15.0,
        };
        assert!(handshake.is_later(Class::Peak, 211.0, 1.0));
        assert!(!handshake.is_later(Class::Peak, 211.0, 4.0));
        assert!(
            handshake.is_later(Class::Peak, 4_100.0, 4.0),
            "a stall of seconds"
        );
    }

    #[test]
    fn rounding_goes_outwards() {
        let spread = Spread {
            low: 0.2345,
            high: 123.4,
        };
        assert_eq!(
            spread.rounded(),
            Spread {
                low: 0.23,
                high: 130.0
            }
        );
    }

    #[test]
    fn parts_that_do_not_sum_up_are_named() {
        let metrics = BTreeMap::from([
            ("http_req_duration{a:b}".to_owned(), trend(&[("avg", 10.0)])),
            ("http_req_sending{a:b}".to_owned(), trend(&[("avg", 1.0)])),
            ("http_req_waiting{a:b}".to_owned(), trend(&[("avg", 8.0)])),
            ("http_req_receiving{a:b}".to_owned(), trend(&[("avg", 0.5)])),
        ]);
        let broken = broken_rules(&metrics);
        assert_eq!(broken.len(), 1);
        assert_eq!(broken[0].0, "metrics.http_req_duration{a:b}.parts");
    }

    #[test]
    fn percentiles_out_of_order_are_named() {
        let wrong = trend(&[("min", 1.0), ("med", 3.0), ("p(95)", 2.0), ("max", 4.0)]);
        let broken = broken_rules(&BTreeMap::from([("took".to_owned(), wrong)]));
        assert_eq!(broken[0].0, "metrics.took.order");
    }
}
