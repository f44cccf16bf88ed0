//! What an Artillery file has published of each period, to where its plugin says.

use std::collections::BTreeMap;

use loadline_artillery::model::{PublishEvent, PublishTarget};
use loadline_outputs::{
    OtlpReceiver, PeriodSender, PeriodValues, PrometheusReceiver, PublishReceiver, StatsdEvent,
    StatsdReceiver,
};
use loadline_record::Redactor;
use loadline_report::artillery::Period;

use crate::network::plain;

/// Starts publishing; `None` when the file names no receiver. `id` names the run, `now` is the time of
/// day in ms since 1970.
///
/// # Errors
/// Why it could not start.
pub fn publisher(
    targets: &[PublishTarget],
    environment: &BTreeMap<String, String>,
    id: &str,
    now: i64,
) -> Result<Option<PeriodSender>, String> {
    if targets.is_empty() {
        return Ok(None);
    }
    let settings = plain(environment, false).map_err(|error| error.to_string())?;
    let receivers = targets.iter().map(|target| receiver(target, id, now));
    PeriodSender::start(receivers.collect(), settings).map(Some)
}

/// A period's values, for publishing. Names of metrics may hold URLs and errors' texts: secrets in them
/// are masked.
#[must_use]
pub fn values_of(period: &Period, redactor: &Redactor) -> PeriodValues {
    let sums = |values: &BTreeMap<String, f64>| {
        let mut sums = BTreeMap::new();
        for (name, value) in values {
            // Two names may differ in what is masked alone.
            *sums.entry(redactor.text(name)).or_insert(0.0) += value;
        }
        sums
    };
    let summaries = period.summaries.iter();
    PeriodValues {
        counters: sums(&period.counters),
        rates: sums(&period.rates),
        summaries: summaries
            .map(|(name, distribution)| (redactor.text(name), distribution.named().to_vec()))
            .collect(),
        first_at: period.first_metric_at(),
        last_at: period.last_metric_at(),
    }
}

fn receiver(target: &PublishTarget, id: &str, now: i64) -> PublishReceiver {
    match target.clone() {
        PublishTarget::Statsd(statsd) => PublishReceiver::Statsd(StatsdReceiver {
            host: statsd.host,
            port: statsd.port,
            prefix: statsd.prefix,
            tags: statsd.tags,
            is_telegraf: statsd.is_telegraf,
            include_only: statsd.include_only,
            excluded: statsd.excluded,
            event: statsd.event.map(|event| statsd_event(event, now)),
        }),
        PublishTarget::Prometheus { url, prefix, tags } => {
            PublishReceiver::Prometheus(PrometheusReceiver {
                url,
                prefix,
                tags,
                job: id.to_owned(),
            })
        }
        PublishTarget::OpenTelemetry(collector) => PublishReceiver::Otlp(OtlpReceiver {
            endpoint: collector.endpoint,
            is_grpc: collector.is_grpc,
            headers: collector.headers,
            service_name: collector.service_name,
            resource: collector.resource,
            meter: collector.meter,
            attributes: collector.attributes,
            include_only: collector.include_only,
            exclude: collector.exclude,
        }),
    }
}

fn statsd_event(event: PublishEvent, now: i64) -> StatsdEvent {
    let title = event.title;
    StatsdEvent {
        title: title.unwrap_or_else(|| format!("Artillery.io Test {now}")),
        text: event.text,
        priority: event.priority,
        alert_type: event.alert_type,
        aggregation_key: event.aggregation_key,
        source_type: event.source_type,
        tags: event.tags,
    }
}
