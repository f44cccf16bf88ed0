//! Cost of metrics work per request, and of joining a second's windows.
//!
//! Recording is the only metrics work on the load path, so it bounds the load one core
//! can send. Command: `cargo bench --manifest-path bench/metrics/Cargo.toml`.

use std::sync::Arc;

use loadline_metrics::{
    Histogram, Merger, MetricId, Registry, Shard, Submetrics, TagSetId, builtin,
};
use loadline_units::WorkerId;

fn main() {
    divan::main();
}

const TAGS: [(&str, &str); 7] = [
    ("expected_response", "true"),
    ("method", "GET"),
    ("name", "http://127.0.0.1:8080/products/list?page=1"),
    ("proto", "HTTP/1.1"),
    ("scenario", "default"),
    ("status", "200"),
    ("url", "http://127.0.0.1:8080/products/list?page=1"),
];

/// Latencies in ms with a long tail, the same on every machine.
fn latencies(n: usize) -> Vec<f64> {
    let mut state = 0x9E37_79B9_u32;
    let step = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let share = f64::from(state) / f64::from(u32::MAX);
        0.2 / (1.0 - share * 0.9999)
    };
    (0..n).map(step).collect()
}

#[divan::bench]
fn histogram_record_long_tail(bencher: divan::Bencher) {
    let values = latencies(10_000);
    bencher
        .counter(values.len())
        .with_inputs(Histogram::new)
        .bench_local_values(|mut histogram| {
            values.iter().for_each(|v| histogram.record(*v));
            histogram
        });
}

fn request(latency: f64) -> [(MetricId, f64); 9] {
    [
        (builtin::HTTP_REQS, 1.0),
        (builtin::HTTP_REQ_DURATION, latency),
        (builtin::HTTP_REQ_BLOCKED, 0.001),
        (builtin::HTTP_REQ_CONNECTING, 0.0),
        (builtin::HTTP_REQ_TLS_HANDSHAKING, 0.0),
        (builtin::HTTP_REQ_SENDING, 0.01),
        (builtin::HTTP_REQ_WAITING, latency * 0.9),
        (builtin::HTTP_REQ_RECEIVING, latency * 0.1),
        (builtin::HTTP_REQ_FAILED, 0.0),
    ]
}

#[divan::bench]
fn shard_record_nine_metrics_of_a_request(bencher: divan::Bencher) {
    let values = latencies(10_000);
    let mut shard = Shard::new(WorkerId(0), Arc::new(Registry::new()));
    let tags = shard.tags.extend(TagSetId::EMPTY, &TAGS);
    bencher.counter(values.len()).bench_local(|| {
        for latency in &values {
            shard.record_all(tags, &request(*latency));
        }
    });
}

#[divan::bench]
fn tags_extend_seven_known(bencher: divan::Bencher) {
    let mut shard = Shard::new(WorkerId(0), Arc::new(Registry::new()));
    bencher.bench_local(|| shard.tags.extend(TagSetId::EMPTY, divan::black_box(&TAGS)));
}

#[divan::bench(args = [10, 1000])]
fn merge_a_window_of_two_workers(bencher: divan::Bencher, names: usize) {
    let registry = Arc::new(Registry::new());
    let values = latencies(20_000);
    let filled = |worker| {
        let mut shard = Shard::new(WorkerId(worker), Arc::clone(&registry));
        for (i, latency) in values.iter().enumerate() {
            let name = (i % names).to_string();
            let tags = shard.tags.extend(TagSetId::EMPTY, &[("name", &name)]);
            shard.record_all(tags, &request(*latency));
        }
        shard.take_window(0)
    };
    bencher
        .with_inputs(|| {
            let merger = Merger::new(2, Arc::clone(&registry), Submetrics::default());
            (merger, [filled(0), filled(1)])
        })
        .bench_local_values(|(mut merger, parts)| {
            parts.into_iter().for_each(|part| merger.absorb(part));
            (merger.next_ready(), merger)
        });
}
