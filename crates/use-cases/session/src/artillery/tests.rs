use loadline_artillery::load::LoadRequest;
use loadline_metrics::{Shard, TagSetId};
use loadline_units::WorkerId;

use super::*;

const FILE: &str = "
config:
  target: http://127.0.0.1:1
  phases: [{duration: 1, arrivalRate: 1}]
  plugins: {ensure: {}}
  ensure:
    thresholds: [{http.response_time.p95: 100}]
    conditions:
      - expression: http.requests >= 100
      - {expression: http.response_time.max < 100, strict: false}
scenarios: [{flow: [{get: {url: /}}]}]
";

struct Silent;

impl Console for Silent {
    fn print(&self, _: String) {}
    fn print_error(&self, _: String) {}
}

fn prepared() -> ArtilleryTest {
    let request = LoadRequest {
        files: vec!["t.yml".to_owned()],
        inline: Some(FILE.to_owned()),
        ..LoadRequest::default()
    };
    let loaded = load::load(&request);
    let test = loaded
        .test
        .unwrap_or_else(|| panic!("{:?}", loaded.findings));
    prepare(ArtilleryRequest {
        test,
        only: None,
        environment: BTreeMap::new(),
        console: Arc::new(Silent),
        wall_clock: || UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        watch: None,
    })
    .unwrap()
}

/// `ensure` of ten seconds with ten requests each, which take so long in each (ms): judged by all
/// of it, and without the times of some seconds.
fn judged(took_ms: [f64; 10], touched: &[usize]) -> [loadline_record::Goals; 2] {
    let ready = prepared();
    let metrics = ready.factory.metrics();
    let registry = ready.test.registry.clone();
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut named = |name| shard.tags.extend(TagSetId::EMPTY, &[(NAME_TAG, name)]);
    let (times, requests) = (named("http.response_time"), named("http.requests"));
    let mut merger = Merger::new(1, registry, Submetrics::default());
    for (second, took) in took_ms.iter().enumerate() {
        for _ in 0..10 {
            shard.record(metrics.summaries, times, *took);
            shard.record(metrics.counters, requests, 1.0);
        }
        merger.absorb(shard.take_window(second as u64));
        let window = merger.next_ready().unwrap();
        ready.periods.window(&window, &merger);
        if !touched.contains(&second) {
            ready.periods.calm_window(&window, &merger);
        }
    }
    let goals = ready.test.goals.unwrap();
    [goals.judge().unwrap(), goals.judge_rest().unwrap()]
}

/// Seen: `ensure` was judged with the seconds in which the generator was away, and that alone.
#[test]
fn ensure_is_judged_once_more_without_the_times_of_touched_seconds() {
    let goals = |met| loadline_record::Goals { met, all: 2 };
    let mut some = [20.0; 10];
    (some[3], some[7]) = (500.0, 500.0);
    // All requests are counted, also where their times are left out.
    assert_eq!(judged(some, &[3, 7]), [goals(1), goals(2)]);
    assert_eq!(
        judged(some, &[3]),
        [goals(1), goals(1)],
        "one is the target's"
    );
    assert_eq!(judged([20.0; 10], &[3, 7]), [goals(2), goals(2)]);
    assert_eq!(judged([500.0; 10], &[3, 7]), [goals(1), goals(1)]);
}

#[test]
fn what_a_warm_up_measured_is_in_neither() {
    let ready = prepared();
    let metrics = ready.factory.metrics();
    let mut shard = Shard::new(WorkerId(0), ready.test.registry.clone());
    let times = shard
        .tags
        .extend(TagSetId::EMPTY, &[(NAME_TAG, "http.response_time")]);
    let mut merger = Merger::new(1, ready.test.registry.clone(), Submetrics::default());
    for (second, took) in [900.0, 20.0].into_iter().enumerate() {
        shard.record(metrics.summaries, times, took);
        merger.absorb(shard.take_window(second as u64));
        let window = merger.next_ready().unwrap();
        ready.periods.window(&window, &merger);
        ready.periods.calm_window(&window, &merger);
        if second == 0 {
            ready.periods.counted_from_here();
        }
    }
    let goals = ready.test.goals.unwrap();
    assert_eq!(goals.judge().unwrap().met, 1, "its time, not their number");
    assert_eq!(goals.judge_rest().unwrap().met, 1);
}
