use std::sync::Arc;

use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, TapPool, builtin};
use loadline_units::{Time, WorkerId};

use super::*;
use crate::batch::{WallClock, numbered};
use crate::catalog::SeriesTracker;

/// A run with one worker that records a number of requests in each window.
struct Run {
    shard: Shard,
    merger: Merger,
    registry: Arc<Registry>,
    series_tracker: SeriesTracker,
    window: u64,
}

impl Run {
    fn new() -> Self {
        let registry = Arc::new(Registry::new());
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        shard.tap(TapPool::new(1_000_000));
        Self {
            merger: Merger::new(1, registry.clone(), Submetrics::default()),
            shard,
            registry,
            series_tracker: SeriesTracker::default(),
            window: 0,
        }
    }

    fn window(&mut self, requests: u64) -> Batch {
        for n in 0..requests {
            self.shard.set_now(Time::from_nanos(n));
            self.shard.record(builtin::HTTP_REQS, TagSetId::EMPTY, 1.0);
            self.shard
                .record(builtin::HTTP_REQ_DURATION, TagSetId::EMPTY, n as f64);
        }
        self.merger.absorb(self.shard.take_window(self.window));
        self.window += 1;
        let window = self.merger.next_ready().expect("the only worker delivered");
        let second = i64::try_from(window.index).unwrap() * 1_000_000_000;
        Batch {
            new: self.series_tracker.take_new(
                &self.merger,
                &self.registry,
                &loadline_record::Redactor::default(),
            ),
            wall: WallClock { origin: 0 },
            from: second,
            until: second + 1_000_000_000,
            raw: window.raw,
            series: numbered(&window.series),
        }
    }
}

fn queue(limit: u64) -> Queue {
    Queue::new(InputKind::Samples, Spool::new(std::env::temp_dir(), limit))
}

/// The number of requests that come out, and how many of them as single samples.
fn requests(queue: &Queue) -> (f64, u64) {
    let (mut total, mut single) = (0.0, 0);
    while let Some(frame) = queue.pop() {
        match frame {
            Frame::Samples(samples) => {
                let own = samples.iter().filter(|sample| sample.metric == 0);
                single += own.clone().count() as u64;
                total += own.map(|sample| sample.value).sum::<f64>();
            }
            Frame::Sums(sums) => {
                for (_, value) in sums.series {
                    if let MetricValue::Counter(Some(sum)) = value {
                        total += sum.value();
                    }
                }
            }
        }
    }
    (total, single)
}

#[test]
fn a_queue_with_room_gives_every_sample_back() {
    let (mut run, queue) = (Run::new(), queue(64 * 1024 * 1024));
    for _ in 0..10 {
        assert_eq!(queue.push(&run.window(1000)), None);
    }
    queue.close();
    assert_eq!(requests(&queue), (10_000.0, 10_000));
    assert_eq!(queue.replaced(), ReplacedSamples::default());
}

#[test]
fn a_full_queue_replaces_samples_by_sums_says_so_once_and_loses_no_count() {
    let (mut run, queue) = (Run::new(), queue(1024 * 1024));
    let mut changes = Vec::new();
    for _ in 0..60 {
        changes.extend(queue.push(&run.window(2000)));
    }
    queue.close();
    let replaced = queue.replaced();
    let (total, single) = requests(&queue);
    let full = ReplaceCause::Full;
    assert!(matches!(changes.as_slice(), [QueueEvent::Replacing { cause, .. }] if *cause == full));
    assert_eq!(total.to_bits(), 120_000.0_f64.to_bits());
    assert_eq!(replaced.samples, 2 * (120_000 - single));
    assert!(single > 0 && replaced.samples > 0);
}

#[test]
fn samples_that_cannot_be_written_to_disk_are_replaced_and_the_reason_is_told_once() {
    let nowhere = tempfile::tempdir().unwrap().path().join("gone");
    let mut run = Run::new();
    let queue = Queue::new(InputKind::Samples, Spool::new(nowhere, 1024 * 1024));
    let mut changes = Vec::new();
    for _ in 0..30 {
        changes.extend(queue.push(&run.window(500)));
    }
    let [QueueEvent::Replacing { cause, .. }] = changes.as_slice() else {
        panic!("{changes:?}");
    };
    let reason = "No such file or directory (os error 2)";
    assert!(matches!(cause, ReplaceCause::Disk { reason: told } if told.starts_with(reason)));
    queue.close();
    assert_eq!(requests(&queue).0.to_bits(), 15_000.0_f64.to_bits());
}

#[test]
fn when_sums_find_no_room_either_they_are_joined_and_nothing_is_lost() {
    let (mut run, queue) = (Run::new(), queue(4 * 1024));
    for _ in 0..200 {
        queue.push(&run.window(300));
    }
    assert!(queue.state().held.is_some());
    queue.close();
    // The first window was sent next, whatever its size.
    assert_eq!(requests(&queue), (60_000.0, 300));
    assert_eq!(queue.replaced().samples, 120_000 - 600);
}

#[test]
fn a_queue_that_was_emptied_keeps_samples_again() {
    let (mut run, queue) = (Run::new(), queue(256 * 1024));
    let mut changes = Vec::new();
    for _ in 0..20 {
        changes.extend(queue.push(&run.window(500)));
    }
    let mut state = queue.state();
    while state.pop().is_some() {}
    drop(state);
    changes.extend(queue.push(&run.window(500)));
    assert!(matches!(
        changes.as_slice(),
        [QueueEvent::Replacing { .. }, QueueEvent::Resumed { .. }]
    ));
}

#[test]
fn a_window_whose_samples_the_tap_could_not_hold_is_replaced_alone() {
    let mut run = Run::new();
    run.shard.tap(TapPool::new(1));
    let queue = queue(64 * 1024 * 1024);
    queue.push(&run.window(5000));
    assert!(queue.replaced().samples > 0);
    queue.push(&run.window(10));
    queue.close();
    assert_eq!(requests(&queue), (5010.0, 10));
}
