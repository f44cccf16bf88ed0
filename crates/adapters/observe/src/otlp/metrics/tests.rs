use loadline_otlp::{OtlpGauge, OtlpHistogram, OtlpSum, ScopeMetrics};

use super::sender::SETTLE_TIME_MS;
use super::*;

fn metric(name: &str, unit: &str, data: MetricPoints) -> ResourceMetrics {
    ResourceMetrics {
        resource: Some(Resource::default()),
        scope_metrics: vec![ScopeMetrics {
            scope: None,
            metrics: vec![OtlpMetric {
                name: name.to_owned(),
                unit: unit.to_owned(),
                data: Some(data),
            }],
        }],
    }
}

fn names_and_values(metrics: &Metrics) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    metrics.each(SETTLE_TIME_MS, |_, samples| {
        all.extend(samples.iter().map(|one| (one.name.to_owned(), one.value)));
    });
    all.retain(|(name, _)| name != "target_info");
    all
}

fn number(value: f64) -> NumberDataPoint {
    NumberDataPoint {
        value: Some(NumberValue::Double(value)),
        ..NumberDataPoint::default()
    }
}

#[test]
fn names_are_those_of_the_exporter_for_prometheus() {
    let mut metrics = Metrics::default();
    let sum = |temporality, value| OtlpSum {
        data_points: vec![number(value)],
        aggregation_temporality: temporality,
        is_monotonic: true,
    };
    let histogram = OtlpHistogram {
        data_points: vec![HistogramDataPoint {
            count: 4,
            sum: Some(2.5),
            ..HistogramDataPoint::default()
        }],
        aggregation_temporality: 2,
    };
    let gauge = OtlpGauge {
        data_points: vec![number(7.0)],
    };
    metrics.take(
        &[
            metric("jvm.cpu.time", "s", MetricPoints::Sum(sum(2, 3.0))),
            metric(
                "http.server.request.duration",
                "s",
                MetricPoints::Histogram(histogram),
            ),
            metric(
                "db.client.connections.max",
                "{connections}",
                MetricPoints::Gauge(gauge),
            ),
        ],
        0,
    );
    let expected = [
        ("db_client_connections_max", 7.0),
        ("http_server_request_duration_seconds_count", 4.0),
        ("http_server_request_duration_seconds_sum", 2.5),
        ("jvm_cpu_time_seconds_total", 3.0),
    ];
    assert_eq!(
        names_and_values(&metrics),
        expected.map(|(name, value)| (name.to_owned(), value))
    );
}

#[test]
fn growth_is_added_up_and_counts_so_far_replace_each_other() {
    for (temporality, expected) in [(1, 5.0), (2, 3.0)] {
        let mut metrics = Metrics::default();
        for value in [2.0, 3.0] {
            let sum = OtlpSum {
                data_points: vec![number(value)],
                aggregation_temporality: temporality,
                is_monotonic: true,
            };
            metrics.take(&[metric("a", "", MetricPoints::Sum(sum))], 0);
        }
        assert_eq!(
            names_and_values(&metrics),
            [("a_total".to_owned(), expected)]
        );
    }
}

#[test]
fn what_a_sender_could_not_deliver_before_is_neither_growth_nor_a_new_start() {
    let mut metrics = Metrics::default();
    let mut take = |at: u64, value: f64, now_ms: u64| {
        let sum = OtlpSum {
            data_points: vec![NumberDataPoint {
                time_unix_nano: at,
                ..number(value)
            }],
            aggregation_temporality: 2,
            is_monotonic: true,
        };
        metrics.take(&[metric("a", "", MetricPoints::Sum(sum))], now_ms);
        let mut all = Vec::new();
        metrics.each(now_ms, |_, samples| all.push(samples[0].value));
        all
    };
    assert!(take(20, 900.0, 100).is_empty(), "it may be old");
    assert!(take(50, 1000.0, 300).is_empty());
    assert_eq!(take(30, 950.0, 2_100), [1000.0], "an older one came late");
    assert_eq!(take(60, 1010.0, 3_000), [1010.0]);
}

#[test]
fn values_of_a_sender_whose_clock_is_set_back_go_on_after_some_seconds() {
    let mut metrics = Metrics::default();
    let send = |metrics: &mut Metrics, at_s: u64, now_ms: u64, value: f64| {
        let mut point = number(value);
        point.time_unix_nano = at_s * 1_000_000_000;
        let gauge = OtlpGauge {
            data_points: vec![point],
        };
        metrics.take(&[metric("a", "", MetricPoints::Gauge(gauge))], now_ms);
    };
    send(&mut metrics, 1000, 0, 1.0);
    send(&mut metrics, 999, 1_000, 9.0);
    assert_eq!(
        names_and_values(&metrics),
        [("a".to_owned(), 1.0)],
        "it came late"
    );
    send(&mut metrics, 1002, 2_000, 2.0);
    for second in 3..=9 {
        // Five minutes back from here on.
        send(&mut metrics, 700 + second, second * 1_000, second as f64);
    }
    assert_eq!(names_and_values(&metrics), [("a".to_owned(), 9.0)]);
}
