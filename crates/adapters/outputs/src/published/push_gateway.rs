//! Prometheus' push gateway: three metrics whose label `metric` holds Artillery's name.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{NetworkSettings, Url};

use super::{PeriodValues, Publish, shown};
use crate::post::Poster;

/// The plugin's time-out.
const PUSH_TIMEOUT: Duration = Duration::from_secs(5);

/// A push gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrometheusReceiver {
    /// Its URL.
    pub url: String,
    /// What the names of the metrics begin with.
    pub prefix: String,
    /// `key:value`, labels of each series.
    pub tags: Vec<String>,
    /// The job's name: an id of the run.
    pub job: String,
}

impl PrometheusReceiver {
    pub(super) fn open(self, network: &Arc<NetworkSettings>) -> Result<OpenGateway, String> {
        let url = format!(
            "{}/metrics/job/{}",
            self.url.trim_end_matches('/'),
            self.job
        );
        let url = Url::parse(&url).map_err(|_| "the URL of the push gateway is malformed")?;
        let poster = Poster::new(network.clone(), PUSH_TIMEOUT);
        let labels = self.tags.iter().map(|tag| {
            let (name, value) = tag.split_once(':').unwrap_or((tag, "undefined"));
            // The plugin takes what is between the first two colons.
            let value = value.split(':').next().unwrap_or(value);
            format!(",{name}=\"{}\"", escaped(value))
        });
        Ok(OpenGateway {
            labels: labels.collect(),
            prefix: self.prefix,
            url,
            poster,
            counters: BTreeMap::new(),
            rates: BTreeMap::new(),
            summaries: BTreeMap::new(),
        })
    }
}

/// A push gateway with what was pushed so far: counters grow, the others keep their last value.
pub(super) struct OpenGateway {
    prefix: String,
    labels: String,
    url: Url,
    poster: Poster,
    counters: BTreeMap<String, f64>,
    rates: BTreeMap<String, f64>,
    summaries: BTreeMap<String, f64>,
}

impl OpenGateway {
    fn take(&mut self, values: &PeriodValues) {
        for (name, value) in &values.counters {
            *self.counters.entry(key(name)).or_default() += value;
        }
        for (name, value) in &values.rates {
            self.rates.insert(key(name), *value);
        }
        for (name, aggregations) in &values.summaries {
            for (aggregation, value) in aggregations {
                let name = format!("{}_{aggregation}", key(name));
                self.summaries.insert(name, *value);
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut family = |name: &str, help: &str, kind: &str, values: &BTreeMap<String, f64>| {
            let name = format!("{}_{name}", self.prefix);
            // Writing to a text cannot fail.
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
            for (metric, value) in values {
                let (metric, labels) = (escaped(metric), &self.labels);
                let _ = writeln!(
                    text,
                    "{name}{{metric=\"{metric}\"{labels}}} {}",
                    shown(*value)
                );
            }
            text.push('\n');
        };
        family(
            "counters",
            "counter based stats e.g.: core_vusers_created_total, engine.http.requests",
            "counter",
            &self.counters,
        );
        family(
            "rates",
            "rates based stats e.g.: engine_http_request_rate",
            "gauge",
            &self.rates,
        );
        family(
            "summaries",
            "summaries based stats e.g.: engine_http_response_time_min, engine_http_response_time_p999",
            "gauge",
            &self.summaries,
        );
        text
    }
}

impl Publish for OpenGateway {
    fn publish(&mut self, values: &PeriodValues) -> Result<(), String> {
        self.take(values);
        let body = Bytes::from(self.text());
        let fields = [(
            "Content-Type".to_owned(),
            "text/plain; version=0.0.4; charset=utf-8".to_owned(),
        )];
        let answer = self.poster.post(&self.url, &fields, body)?;
        if answer.is_taken() {
            return Ok(());
        }
        Err(answer.words())
    }
}

/// Artillery's name as the plugin writes it into the label.
fn key(name: &str) -> String {
    let keep = |c: char| {
        if c.is_whitespace() || c == '.' {
            '_'
        } else {
            c
        }
    };
    name.chars().map(keep).collect::<String>().to_lowercase()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_grow_and_the_others_keep_their_last_value() {
        let gateway = PrometheusReceiver {
            url: "http://127.0.0.1:9091/".to_owned(),
            prefix: "shop".to_owned(),
            tags: vec!["team:a".to_owned()],
            job: "id".to_owned(),
        };
        let opened = gateway.open(&Arc::default());
        let mut open = opened.unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!(open.url.to_string(), "http://127.0.0.1:9091/metrics/job/id");
        let values = PeriodValues {
            counters: [("http.codes.200".to_owned(), 4.0)].into(),
            rates: [("http.request_rate".to_owned(), 3.0)].into(),
            summaries: [("http.response time".to_owned(), vec![("p95", 1.5)])].into(),
            ..PeriodValues::default()
        };
        open.take(&values);
        open.take(&values);
        let text = open.text();
        let series: Vec<&str> = text.lines().filter(|line| line.contains('{')).collect();
        assert_eq!(
            series,
            [
                "shop_counters{metric=\"http_codes_200\",team=\"a\"} 8",
                "shop_rates{metric=\"http_request_rate\",team=\"a\"} 3",
                "shop_summaries{metric=\"http_response_time_p95\",team=\"a\"} 1.5",
            ]
        );
    }
}
