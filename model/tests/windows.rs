//! Workers hand their windows over through a queue while the merger reads it: whatever
//! the interleaving, nothing is lost or counted twice.

use std::sync::Arc;

use loadline_metrics::{Merger, MetricValue, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_units::WorkerId;
use shuttle::sync::mpsc;
use shuttle::thread;

const WORKER_COUNT: u16 = 3;
const WINDOW_COUNT: u64 = 3;

#[test]
fn every_sample_is_counted_once_in_every_interleaving() {
    shuttle::check_random(one_run, 300);
}

fn one_run() {
    let registry = Arc::new(Registry::new());
    let (send, receive) = mpsc::channel();
    let workers: Vec<_> = (0..WORKER_COUNT)
        .map(|worker| {
            let (send, registry) = (send.clone(), Arc::clone(&registry));
            thread::spawn(move || {
                let mut shard = Shard::new(WorkerId(worker), registry);
                for window in 0..WINDOW_COUNT {
                    let name = window.to_string();
                    let tags = shard.tags.extend(TagSetId::EMPTY, &[("name", &name)]);
                    shard.record(builtin::HTTP_REQS, tags, 1.0);
                    send.send(shard.take_window(window))
                        .expect("the merger reads until all workers are done");
                }
            })
        })
        .collect();
    drop(send);

    let mut merger = Merger::new(usize::from(WORKER_COUNT), registry, Submetrics::default());
    let mut given_out = 0.0;
    let mut count = |window: loadline_metrics::Window| {
        let parts = window.late.into_iter().flat_map(|late| late.series);
        for gain in window.series.into_iter().chain(parts) {
            if let MetricValue::Counter(Some(sum)) = gain.value {
                given_out += sum.value();
            }
        }
    };
    let mut received = 0;
    while let Ok(part) = receive.recv() {
        merger.absorb(part);
        received += 1;
        if received == 4 {
            count(merger.force_next()); // the patience with slow workers ran out
        }
        while let Some(window) = merger.next_ready() {
            count(window);
        }
    }
    merger.finish().into_iter().for_each(&mut count);
    for worker in workers {
        worker.join().expect("a worker does not panic");
    }
    assert!((given_out - f64::from(WORKER_COUNT) * 3.0).abs() < 1e-9);
    let Some(MetricValue::Counter(Some(total))) = merger.totals().metric(builtin::HTTP_REQS) else {
        panic!("requests were recorded");
    };
    assert!((total.value() - given_out).abs() < 1e-9);
}
