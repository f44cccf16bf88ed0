//! What Prometheus' HTTP API answers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use loadline_record::Redactor;
use loadline_record::signals::SourceError;
use serde::Deserialize;

use crate::exposition::Sample;

/// An answer to a question for samples of some time.
#[derive(Deserialize)]
pub(super) struct Answer<'a> {
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    result: Vec<Series<'a>>,
}

#[derive(Deserialize)]
struct Series<'a> {
    #[serde(borrow)]
    metric: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    #[serde(default, borrow)]
    values: Vec<(f64, Cow<'a, str>)>,
}

/// What was scraped from one target.
pub(super) struct Scraped<'a> {
    series: Vec<&'a Series<'a>>,
    /// When last, s by Prometheus' clock.
    pub(super) newest: f64,
    /// Between the last two scrapes, s.
    pub(super) apart: Option<f64>,
}

impl<'a> Answer<'a> {
    pub(super) fn read(text: &'a [u8]) -> Result<Self, SourceError> {
        serde_json::from_slice(text).map_err(|error| {
            if error.is_eof() {
                SourceError::CutOff
            } else {
                SourceError::Unexpected
            }
        })
    }

    /// By `job` and `instance`.
    pub(super) fn by_target(&'a self) -> BTreeMap<(String, String), Scraped<'a>> {
        let mut all: BTreeMap<(String, String), Scraped<'a>> = BTreeMap::new();
        for series in &self.data.result {
            let label = |name: &str| series.metric.get(name).map_or("", |value| value.as_ref());
            let Some(newest) = series.values.last().map(|(at, _)| *at) else {
                continue;
            };
            let name = (label("job").to_owned(), label("instance").to_owned());
            let target = all.entry(name).or_insert_with(|| Scraped {
                series: Vec::new(),
                newest,
                apart: None,
            });
            target.newest = target.newest.max(newest);
            if let [.., (before, _), (last, _)] = series.values[..] {
                let least = target.apart.unwrap_or(f64::INFINITY);
                target.apart = Some(least.min(last - before));
            }
            target.series.push(series);
        }
        all
    }
}

impl Scraped<'_> {
    /// Whether Prometheus itself does not reach it.
    pub(super) fn is_down(&self) -> bool {
        let up = self.series.iter().find(|series| {
            let name = series.metric.get("__name__");
            name.is_some_and(|name| name == "up")
        });
        up.is_some_and(|up| up.values.last().is_some_and(|(_, value)| value == "0"))
    }

    /// All samples of each series, each with its time where it was not dated by the scrape alone: then it has that of
    /// `up`, which no exporter dates.
    pub(super) fn each_of_all(&self, mut each: impl FnMut(&Sample<'_>)) {
        let is_up = |series: &Series<'_>| {
            let name = series.metric.get("__name__");
            name.is_some_and(|name| name == "up")
        };
        let ups = self.series.iter().filter(|series| is_up(series));
        let scrapes: BTreeSet<u64> = ups
            .flat_map(|series| series.values.iter().map(|(at, _)| at.to_bits()))
            .collect();
        for series in self.series.iter().filter(|series| !is_up(series)) {
            let name = series.metric.get("__name__");
            let name = name.map_or("", |name| name.as_ref());
            let labels = series.metric.iter();
            let labels = labels.map(|(name, value)| (name.as_ref(), Cow::Borrowed(value.as_ref())));
            let labels: Vec<_> = labels.collect();
            let is_dated = |at: f64| !scrapes.contains(&at.to_bits());
            let values = series.values.iter().enumerate();
            // Of what the scrape alone dates, the newest says all.
            let last = series.values.len().saturating_sub(1);
            for (_, (at, value)) in
                values.filter(|(number, (at, _))| *number == last || is_dated(*at))
            {
                let Ok(value) = value.parse::<f64>() else {
                    continue;
                };
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "times are far below 2^63 ms"
                )]
                let at_ms = is_dated(*at).then_some((at * 1000.0) as i64);
                each(&Sample {
                    name,
                    labels: labels.clone(),
                    value,
                    is_gauge: false,
                    at_ms,
                });
            }
        }
    }

    /// The newest sample of each series that was there at the last scrape.
    pub(super) fn each(&self, mut each: impl FnMut(&Sample<'_>)) {
        // Exporters may date their samples themselves, a little before the scrape.
        let oldest = self.newest - self.apart.unwrap_or(0.0).max(1.0);
        for series in &self.series {
            let Some((at, value)) = series.values.last() else {
                continue;
            };
            let value = value.parse::<f64>().ok().filter(|_| *at >= oldest);
            let Some(value) = value else { continue };
            let labels = series.metric.iter();
            let labels = labels.map(|(name, value)| (name.as_ref(), Cow::Borrowed(value.as_ref())));
            each(&Sample {
                name: series
                    .metric
                    .get("__name__")
                    .map_or("", |name| name.as_ref()),
                labels: labels.collect(),
                value,
                is_gauge: false,
                at_ms: None,
            });
        }
    }
}

/// The number that a question for the time is answered by.
pub(super) fn time(text: &[u8]) -> Result<f64, SourceError> {
    #[derive(Deserialize)]
    struct Time {
        data: Scalar,
    }
    #[derive(Deserialize)]
    struct Scalar {
        result: (f64, String),
    }
    let time: Time = serde_json::from_slice(text).map_err(|_| SourceError::Unexpected)?;
    time.data
        .result
        .1
        .parse()
        .map_err(|_| SourceError::Unexpected)
}

/// Why a question was refused, in Prometheus' words.
pub(super) fn refusal(text: &[u8]) -> SourceError {
    #[derive(Deserialize)]
    struct Refusal {
        error: String,
    }
    match serde_json::from_slice::<Refusal>(text) {
        Ok(refusal) => SourceError::Other(Redactor::default().text(&refusal.error)),
        Err(_) => SourceError::Unexpected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_by_target_with_the_time_of_the_scrape() {
        let text = br#"{"status":"success","data":{"resultType":"matrix","result":[
            {"metric":{"__name__":"up","job":"shop","instance":"a:1"},"values":[[10.5,"1"],[15.5,"1"]]},
            {"metric":{"__name__":"jvm_threads_live_threads","job":"shop","instance":"a:1"},"values":[[10.5,"7"],[15.5,"9"]]},
            {"metric":{"__name__":"gone","job":"shop","instance":"a:1"},"values":[[3.0,"7"]]},
            {"metric":{"__name__":"up","job":"shop","instance":"b:1"},"values":[[14.0,"0"]]}]}}"#;
        let answer = Answer::read(text).unwrap();
        let targets = answer.by_target();
        let a = &targets[&("shop".to_owned(), "a:1".to_owned())];
        assert_eq!((a.newest, a.apart, a.is_down()), (15.5, Some(5.0), false));
        let mut names = Vec::new();
        a.each(|sample| names.push((sample.name.to_owned(), sample.value)));
        let expected = [("up", 1.0), ("jvm_threads_live_threads", 9.0)];
        assert_eq!(
            names,
            expected.map(|(name, value)| (name.to_owned(), value))
        );
        let b = &targets[&("shop".to_owned(), "b:1".to_owned())];
        assert!(b.is_down());
    }

    /// A scrape dates what its exporter does not, and dates `up` always.
    #[test]
    fn values_that_their_exporter_dated_are_told_from_those_of_the_scrape() {
        let text = br#"{"data":{"result":[
            {"metric":{"__name__":"up","job":"rds","instance":"a:1"},"values":[[70.5,"1"],[130.5,"1"]]},
            {"metric":{"__name__":"dated","job":"rds","instance":"a:1"},"values":[[60.0,"7"],[120.0,"9"]]},
            {"metric":{"__name__":"undated","job":"rds","instance":"a:1"},"values":[[70.5,"1"],[130.5,"2"]]}]}}"#;
        let answer = Answer::read(text).unwrap();
        let mut told = Vec::new();
        answer.by_target()[&("rds".to_owned(), "a:1".to_owned())]
            .each_of_all(|one| told.push((one.name.to_owned(), one.value, one.at_ms)));
        let expected = [
            ("dated", 7.0, Some(60_000)),
            ("dated", 9.0, Some(120_000)),
            ("undated", 2.0, None),
        ];
        let expected = expected.map(|(name, value, at)| (name.to_owned(), value, at));
        assert_eq!(told, expected);
    }

    #[test]
    fn an_answer_that_is_none_is_an_error() {
        assert_eq!(Answer::read(b"<html>").err(), Some(SourceError::Unexpected));
        assert_eq!(
            Answer::read(b"{\"data\":{\"result\":[").err(),
            Some(SourceError::CutOff)
        );
        assert_eq!(time(b"{\"data\":{\"result\":[1.5,\"1.5\"]}}"), Ok(1.5));
        let refused =
            br#"{"status":"error","errorType":"bad_data","error":"parse error at char 7"}"#;
        assert_eq!(
            refusal(refused),
            SourceError::Other("parse error at char 7".to_owned())
        );
    }
}
