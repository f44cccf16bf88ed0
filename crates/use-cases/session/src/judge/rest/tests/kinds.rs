//! Goals of windows, groups, endpoints and of what a test measures itself.

use loadline_metrics::{Kind, ValueType};

use super::*;

const FASTEST_MS: f64 = 110.0;
/// Answers wait up to so long to be read.
const READ_LATE_MS: f64 = 11.0;

/// A target of 110 to 130 ms whose answers are read late in some seconds; the goal is one of
/// requests, of a group, an endpoint or of a metric of the test's own.
struct ReadLate<'a> {
    metric: &'a str,
    condition: &'a str,
    /// Whether answers of a second are read late.
    late: &'a dyn Fn(u64) -> bool,
    /// By how much the target is slower in a second, ms.
    slower: &'a dyn Fn(u64) -> f64,
}

impl ReadLate<'_> {
    fn run(&self) -> Summary {
        let mut seeded = Seeded(7);
        let registry = Arc::new(Registry::new());
        let page_time = registry.register("page_time", Kind::Trend, ValueType::Time);
        let page = registry.register("page", Kind::Trend, ValueType::Default);
        let (page_time, page) = (page_time.unwrap(), page.unwrap());
        let mut parts = Submetrics::default();
        let source = ThresholdSource {
            metric: self.metric.to_owned(),
            conditions: vec![Condition {
                text: self.condition.to_owned(),
                abort_on_fail: false,
                delay_abort: None,
            }],
        };
        let thresholds = Thresholds::compile(&[source], &registry, &mut parts).unwrap();
        let run_state = Arc::new(RunState::new(Vec::new()));
        let (events, _) = crossbeam_channel::unbounded();
        let mut judge = Judge::new(
            thresholds,
            HealthWatch::new(1),
            run_state.clone(),
            events,
            WarmUpSetting::None,
        );
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        let tags = [("status", "200"), ("name", "list"), ("group", "::list")];
        let tags = shard.tags.extend(TagSetId::EMPTY, &tags);
        let mut merger = Merger::new(1, registry.clone(), parts);
        for second in 0..RUN_SECONDS {
            for _ in 0..STARTS_A_SECOND {
                let waits = f64::from(u8::from((self.late)(second)));
                let waited = READ_LATE_MS * waits * seeded.share();
                let took = FASTEST_MS + SPREAD_MS * seeded.share() + (self.slower)(second);
                let shown = took + waited;
                shard.record_all(
                    tags,
                    &[
                        (builtin::HTTP_REQS, 1.0),
                        (builtin::ITERATIONS, 1.0),
                        (builtin::HTTP_REQ_DURATION, shown),
                        (builtin::GROUP_DURATION, shown),
                        (builtin::READ_LAG, waited),
                        (page_time, shown),
                        (page, shown),
                    ],
                );
            }
            merger.absorb(shard.take_window(second));
            let window = merger.next_ready().unwrap();
            let delays = judge.touched.delays(&run_state, None);
            judge.count(&window, delays, &mut merger);
        }
        let length = Duration::from_secs(RUN_SECONDS);
        judge.finish(&merger, length);
        let mut run = Run::finished(length);
        run.generator = judge.health.report(&run_state, &merger);
        assert!(run.generator.limits(length).is_empty());
        let mut whole = Summary::new(&merger, &registry, &judge.thresholds, run);
        judge.look_again(&mut whole, &merger, None);
        whole
    }
}

fn read_late(metric: &str, condition: &str, late: &dyn Fn(u64) -> bool) -> Summary {
    ReadLate {
        metric,
        condition,
        late,
        slower: &|_| 0.0,
    }
    .run()
}

/// Goals of times whose parts are known, and windows of each.
fn goals() -> Vec<(String, String)> {
    let metrics = [
        "http_req_duration",
        "http_req_duration{name:list}",
        "group_duration",
        "group_duration{group:::list}",
        "page_time",
        "page_time{name:list}",
    ];
    let windows = ["", " every 4s", " every 10s"];
    let all = metrics
        .iter()
        .flat_map(|metric| windows.map(|window| ((*metric).to_owned(), window.to_owned())));
    all.collect()
}

/// Seen: goals of windows, of groups and of a test's own metrics were FAILED where answers were
/// read late by what they were missed by.
#[test]
fn goals_of_any_part_are_void_where_reading_late_may_be_why_they_are_missed() {
    for (metric, window) in goals() {
        let close = format!("p(95)<130{window}");
        let everywhere = read_late(&metric, &close, &|_| true);
        assert_eq!(everywhere.goals(), (0, 1), "{metric} {close}");
        let nothing_left = Some(VerdictStanding::NothingLeft);
        assert_eq!(standing(&everywhere), nothing_left, "{metric} {close}");
        assert_eq!(everywhere.verdict().word(), "not-valid");

        let half = read_late(&metric, &close, &|second| second % 8 >= 4);
        let differs = Some(VerdictStanding::Differs);
        assert_eq!(standing(&half), differs, "{metric} {close}");
        assert_eq!(half.verdict().word(), "not-valid");

        let far = format!("p(95)<118{window}");
        let missed = read_late(&metric, &far, &|second| second % 8 >= 4);
        assert_eq!(
            missed.verdict(),
            Verdict::ThresholdsFailed,
            "{metric} {far}"
        );
        let met = read_late(&metric, "p(95)<145", &|_| true);
        assert_eq!(met.verdict(), Verdict::Passed, "{metric}");
    }
}

/// A window that the target itself misses is a missed goal, however many others are in doubt.
#[test]
fn one_window_that_the_target_misses_is_a_missed_goal() {
    let run = |slower: f64| {
        ReadLate {
            metric: "http_req_duration",
            condition: "p(95)<130 every 4s",
            late: &|second| second % 8 >= 6,
            slower: &|second| {
                if (12..16).contains(&second) {
                    slower
                } else {
                    0.0
                }
            },
        }
        .run()
    };
    assert_eq!(run(0.0).verdict().word(), "not-valid");
    assert_eq!(run(30.0).verdict(), Verdict::ThresholdsFailed);
    assert_eq!(standing(&run(30.0)), None);
}

/// Nobody says whether a plain trend is of times: the verdict counts all seconds, and says so.
#[test]
fn a_goal_of_plain_numbers_is_missed_and_what_is_not_known_is_noted() {
    let close = read_late("page", "p(95)<130", &|_| true);
    assert_eq!(close.verdict(), Verdict::ThresholdsFailed);
    assert_eq!(close.run.untold_goals, ["page p(95)<130"]);
    let far = read_late("page", "p(95)<118", &|_| true);
    assert_eq!(far.verdict(), Verdict::ThresholdsFailed);
    assert!(far.run.untold_goals.is_empty(), "no delay is so long");
    let prompt = read_late("page", "p(95)<128", &|_| false);
    assert!(prompt.run.untold_goals.is_empty(), "none was read late");
}
