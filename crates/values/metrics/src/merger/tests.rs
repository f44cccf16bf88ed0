#![expect(clippy::float_cmp, reason = "sums are exact, that is the point")]

use super::*;
use crate::builtin;
use crate::kind::Kind;
use crate::shard::Shard;
use proptest::prelude::*;
use std::time::Duration;

struct Workers {
    registry: Arc<Registry>,
    shards: Vec<Shard>,
}

fn workers(n: u16) -> Workers {
    let registry = Arc::new(Registry::new());
    let shard = |w| Shard::new(WorkerId(w), Arc::clone(&registry));
    Workers {
        shards: (0..n).map(shard).collect(),
        registry: Arc::clone(&registry),
    }
}

impl Workers {
    fn merger(&self, submetrics: &[&str]) -> Merger {
        let mut wanted = Submetrics::default();
        for name in submetrics {
            wanted.add(name, &self.registry).unwrap();
        }
        Merger::new(self.shards.len(), Arc::clone(&self.registry), wanted)
    }

    fn record(&mut self, worker: usize, metric: MetricId, name: &str, sample: f64) {
        let shard = &mut self.shards[worker];
        let tags = shard.tags.extend(TagSetId::EMPTY, &[("name", name)]);
        shard.record(metric, tags, sample);
    }

    fn take(&mut self, worker: usize, window: u64) -> ShardWindow {
        self.shards[worker].take_window(window)
    }
}

fn sum(value: Option<&MetricValue>) -> f64 {
    match value {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    }
}

#[test]
fn equal_series_of_two_workers_become_one() {
    let mut w = workers(2);
    let mut merger = w.merger(&["http_reqs{name:b}"]);
    w.record(0, builtin::HTTP_REQS, "a", 1.0);
    w.record(0, builtin::HTTP_REQS, "b", 2.0);
    w.record(1, builtin::HTTP_REQS, "b", 4.0);
    merger.absorb(w.take(0, 0));
    assert!(merger.next_ready().is_none(), "worker 1 is still to come");
    merger.absorb(w.take(1, 0));

    let window = merger.next_ready().unwrap();
    assert_eq!(window.series.len(), 2);
    assert!(!window.is_partial());
    let all = window.of_metric(builtin::HTTP_REQS, Kind::Counter);
    assert_eq!(sum(Some(&all)), 7.0);
    assert_eq!(sum(merger.totals().metric(builtin::HTTP_REQS)), 7.0);
    assert_eq!(sum(merger.totals().submetric(SubmetricId(0))), 6.0);
    let second = window.series[1].series;
    assert_eq!(
        merger.tags().get(merger.series(second).tags, "name"),
        Some("b")
    );
    assert_eq!(sum(merger.totals().series(second)), 6.0);
}

#[test]
fn a_later_delivery_says_that_earlier_windows_are_complete() {
    let mut w = workers(2);
    let mut merger = w.merger(&[]);
    w.record(0, builtin::HTTP_REQS, "a", 1.0);
    merger.absorb(w.take(0, 0));
    w.record(1, builtin::HTTP_REQS, "a", 1.0);
    merger.absorb(w.take(1, 3)); // worker 1 slept through windows 0 to 2

    assert_eq!(merger.next_ready().map(|w| w.series.len()), Some(1));
    assert!(merger.next_ready().is_none());
}

#[test]
fn a_part_that_comes_late_is_handed_on_and_counted() {
    let mut w = workers(2);
    let mut merger = w.merger(&[]);
    w.record(0, builtin::HTTP_REQS, "a", 1.0);
    w.record(1, builtin::HTTP_REQS, "a", 10.0);
    let slow = w.take(1, 0);
    merger.absorb(w.take(0, 0));

    let partial = merger.force_next();
    assert_eq!(partial.missing, [WorkerId(1)]);
    assert_eq!(sum(merger.totals().metric(builtin::HTTP_REQS)), 1.0);

    merger.absorb(slow);
    assert_eq!(sum(merger.totals().metric(builtin::HTTP_REQS)), 11.0);
    merger.absorb(w.take(0, 1));
    merger.absorb(w.take(1, 1));
    let next = merger.next_ready().unwrap();
    assert_eq!((next.late.len(), next.late[0].window), (1, 0));
    assert_eq!(sum(Some(&next.late[0].series[0].value)), 10.0);
}

#[test]
fn finishing_gives_out_what_is_left_once() {
    let mut w = workers(2);
    let mut merger = w.merger(&[]);
    w.record(0, builtin::HTTP_REQS, "a", 1.0);
    merger.absorb(w.take(0, 2));
    let windows = merger.finish();
    assert_eq!(windows.len(), 3);
    assert_eq!(windows[2].series.len(), 1);
    assert!(merger.finish().is_empty());
}

#[test]
fn after_a_warm_up_only_later_windows_count() {
    let mut w = workers(2);
    let mut merger = w.merger(&["http_reqs{name:a}"]);
    w.record(0, builtin::HTTP_REQS, "a", 1.0);
    w.record(1, builtin::HTTP_REQS, "a", 2.0);
    merger.absorb(w.take(0, 0));
    merger.force_next();
    merger.reset_totals();
    merger.absorb(w.take(1, 0)); // late, and still warm-up
    w.record(0, builtin::HTTP_REQS, "a", 5.0);
    merger.absorb(w.take(0, 1));
    merger.absorb(w.take(1, 1));
    merger.next_ready().unwrap();

    assert_eq!(sum(merger.totals().metric(builtin::HTTP_REQS)), 5.0);
    assert_eq!(sum(merger.totals().submetric(SubmetricId(0))), 5.0);
}

#[test]
fn refused_samples_are_counted() {
    let mut w = workers(1);
    let mut merger = w.merger(&[]);
    w.record(0, builtin::HTTP_REQS, "a", f64::NAN);
    merger.absorb(w.take(0, 0));
    assert_eq!(merger.next_ready().unwrap().not_finite, 1);
    assert_eq!(merger.totals().not_finite(), 1);
}

#[test]
fn series_are_listed_by_their_first_sample_whichever_worker_comes_first() {
    let registry = Arc::new(Registry::new());
    let mut merger = Merger::new(2, registry.clone(), Submetrics::default());
    for (worker, second, tag) in [(0, 2, "later"), (1, 1, "earlier")] {
        let mut shard = Shard::new(WorkerId(worker), registry.clone());
        shard.set_now(Time::ZERO + Duration::from_secs(second));
        let tags = shard.tags.extend(TagSetId::EMPTY, &[("check", tag)]);
        shard.record(builtin::CHECKS, tags, 1.0);
        merger.absorb(shard.take_window(0));
    }
    let names: Vec<_> = merger
        .all_series()
        .filter_map(|(_, info)| merger.tags().get(info.tags, "check"))
        .collect();
    assert_eq!(names, ["earlier", "later"]);
}

/// Everything a merger knows at the end, in a form that compares.
fn summary(merger: &Merger) -> Vec<String> {
    let mut lines: Vec<String> = merger
        .all_series()
        .map(|(id, info)| {
            let tags: Vec<_> = merger.tags().tags(info.tags).collect();
            let value = match merger.totals().series(id) {
                Some(MetricValue::Trend(t)) => format!("{:?} {}", t.buckets(), t.count()),
                Some(MetricValue::Counter(Some(c))) => c.value().to_string(),
                other => format!("{other:?}"),
            };
            format!("{:?} {tags:?} {value}", info.metric)
        })
        .collect();
    lines.sort();
    lines
}

proptest! {
    #[test]
    fn the_order_in_which_parts_arrive_does_not_matter(
        samples in prop::collection::vec((0..3_usize, 0..4_u64, 0..5_u8, 0.0..1e4_f64), 0..400),
        order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut outcomes = Vec::new();
        for shuffled in [false, true] {
            let mut w = workers(3);
            let mut merger = w.merger(&[]);
            let mut parts: Vec<Option<ShardWindow>> = Vec::new();
            for window in 0..4 {
                for (worker, at, name, sample) in &samples {
                    if *at == window {
                        let name = format!("n{name}");
                        w.record(*worker, builtin::HTTP_REQ_DURATION, &name, *sample);
                        w.record(*worker, builtin::DATA_SENT, &name, *sample);
                    }
                }
                for worker in 0..3 {
                    parts.push(Some(w.take(worker, window)));
                }
            }
            // Parts of one worker keep their order (a queue delivers them); between
            // workers any order may happen.
            let turns: Vec<usize> = if shuffled { order.clone() } else { (0..12).collect() };
            let mut next = [0_usize; 3];
            for turn in turns {
                let worker = turn % 3;
                let part = parts[next[worker] * 3 + worker].take().unwrap();
                next[worker] += 1;
                merger.absorb(part);
                while merger.next_ready().is_some() {}
            }
            outcomes.push(summary(&merger));
        }
        prop_assert_eq!(&outcomes[0], &outcomes[1]);
    }
}
