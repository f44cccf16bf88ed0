//! Targets that stand still for a while: once, or again and again; and generators that do.

use loadline_metrics::Histogram;
use loadline_text::{Catalog, Lang};

use super::{Noise, Scene, explained, found_rules};
use crate::input::{GivenObjective, GoalVerdict, ObjectiveMeasure};
use crate::{Explanation, ExplanationAnswer, FindingRole, RuleId, explain};

/// A request that waits for nothing takes so long, ms.
const ALONE_MS: f64 = 21.0;

/// Twenty requests a second by chance, of a target that stands still at these times of the run: from second to second.
fn standing_still(seed: u64, seconds: usize, stops: &[(f64, f64)]) -> Scene {
    let mut noise = Noise::new(seed);
    let mut scene = Scene::new(seed);
    scene.callers(20.0, 0.0, ALONE_MS, 0.0);
    scene.windows.truncate(seconds);
    for window in &mut scene.windows {
        (window.requests, window.durations) = (0.0, Histogram::new());
    }
    let mut at = 0.0;
    loop {
        at -= noise.even().max(1e-9).ln() / 20.0;
        let stop = stops.iter().find(|(from, to)| at >= *from && at < *to);
        let ends = stop.map_or(at, |(_, to)| *to) + ALONE_MS / 1000.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a second of the run"
        )]
        let Some(window) = scene.windows.get_mut(ends as usize) else {
            break;
        };
        window.requests += 1.0;
        window.durations.record((ends - at) * 1000.0);
    }
    scene
}

fn explained_with_goal(
    scene: Scene,
    measure: ObjectiveMeasure,
    most: f64,
    value: f64,
) -> Explanation {
    let mut run = scene.run();
    let mut alike = Histogram::default();
    for window in &run.windows {
        alike.merge(&window.durations);
    }
    run.alike = Some(alike);
    run.objectives = vec![GivenObjective {
        text: "goal".to_owned(),
        measure,
        most,
        endpoint: None,
        is_of_starts: false,
        verdict: Some(GoalVerdict {
            value,
            is_missed: true,
        }),
    }];
    explain(&run, &[])
}

fn first_words(told: &Explanation) -> String {
    Catalog::new(Lang::En).text(&told.findings[0].statement)
}

fn stalled_share(told: &Explanation) -> f64 {
    let evidence = &told.findings[0].evidence;
    let stalled = evidence.iter().find(|one| one.name == "stalled");
    stalled.expect("the share of the time").value
}

/// Seen: "LIMITED at 20.1 requests/s, by something that is not seen" of a target that was stopped once for 2 s, where 20/s
/// were asked and all were answered.
#[test]
fn a_target_that_stood_still_once_is_not_limited() {
    for seed in 0..10 {
        let scene = standing_still(seed, 12, &[(4.3, 6.3)]);
        let told = explained_with_goal(scene, ObjectiveMeasure::Longest, 1_000.0, 2_021.0);
        assert_eq!(told.answer, ExplanationAnswer::Slow, "{seed}: {told:?}");
        assert_eq!(found_rules(&told), [RuleId::Stalls], "{seed}");
        let words = first_words(&told);
        assert!(words.contains("once, from second 4 on"), "{seed}: {words}");
    }
    // Where no goal is missed for it, it is a note.
    let told = explained(standing_still(3, 12, &[(4.3, 6.3)]));
    assert_eq!(told.answer, ExplanationAnswer::NoSign);
    assert_eq!(told.findings[0].role, FindingRole::Notice);
}

/// Seen: "2 times, 13.3 % of the time" of three stops of a second each in 16 s, the last of them at the end.
#[test]
fn each_stop_is_counted_with_its_length() {
    for seed in 0..10 {
        let stops = [(4.1, 5.1), (9.1, 10.1), (14.1, 15.05)];
        let scene = standing_still(seed, 16, &stops);
        let told = explained_with_goal(scene, ObjectiveMeasure::Percentile(0.95), 300.0, 762.0);
        assert_eq!(told.answer, ExplanationAnswer::Slow);
        let words = first_words(&told);
        assert!(words.contains("3 times"), "{seed}: {words}");
        let share = stalled_share(&told);
        assert!((0.165..0.195).contains(&share), "{seed}: {share}");
        // Seen: "19.9 % of the requests take about 532 ms ...: they do another kind of work".
        assert_eq!(found_rules(&told), [RuleId::Stalls], "{seed}");
    }
}

/// A machine that stands still for the generator stands still for the target on it, too.
#[test]
fn a_generator_that_stood_still_makes_no_stop_of_the_target() {
    // Where its worker goes on with the second in which it stopped, the delay is told of that one.
    for second in [4, 6] {
        let mut scene = standing_still(5, 12, &[(4.3, 6.3)]);
        scene.windows[second].own_delay_ms = 1_900.0;
        let told = explained_with_goal(scene, ObjectiveMeasure::Longest, 1_000.0, 2_021.0);
        let rules = found_rules(&told);
        assert!(!rules.contains(&RuleId::Stalls), "{second}: {rules:?}");
    }
}

/// Seen: "something warms up, such as a cache or a pool" of a machine that stood still for a second at first, and nothing of that.
#[test]
fn a_machine_that_stood_still_at_first_is_told_and_nothing_warms_up() {
    let told = |own_ms: f64| {
        let mut scene = standing_still(5, 12, &[]);
        for (at, window) in scene.windows.iter_mut().enumerate() {
            let mean_ms = if at < 4 { 900.0 } else { 203.0 };
            window.durations = Histogram::from_values(&[mean_ms; 20]);
            window.requests = 20.0;
            window.own_delay_ms = if at < 2 { own_ms } else { 1.0 };
        }
        found_rules(&explained(scene))
    };
    assert_eq!(told(1_155.0), [RuleId::Generator]);
    assert_eq!(told(1.0), [RuleId::Warming]);
}

/// Seen: "used up at the connection pool: 317 requests/s" of ten connections that are held for 20.7 ms each, by nine looks.
#[test]
fn what_a_pool_counts_of_its_holds_tells_before_looks_do() {
    use loadline_record::signals::{Entity, Label, SignalKind as Kind};
    let mut scene = standing_still(5, 12, &[]);
    let pool = Entity::new().with(Label::Pool, "main");
    for (second, held) in [1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0]
        .into_iter()
        .enumerate()
    {
        let at_ms = second as u64 * 1000 + 300;
        scene.signals.push(Kind::PoolActive, &pool, at_ms, held);
    }
    scene.limit(Kind::PoolMax, &pool, 10.0);
    scene.counter(Kind::PoolHolds, &pool, 20.0, 0.02);
    scene.counter(Kind::PoolHoldTime, &pool, 20.0 * 0.020_7, 0.02);
    let told = explained(scene);
    let pool = told
        .ceilings
        .iter()
        .find(|one| one.part == crate::BottleneckPart::Pool);
    let rate = pool.expect("a pool").rate;
    assert!((450.0..520.0).contains(&rate), "{rate}");
}
