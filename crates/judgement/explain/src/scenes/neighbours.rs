//! Beside other programs: what runs of the labs showed while others used 1 to 1.9 of two cores.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::untuned::{first_words, growing};
use super::{FindingRole, RuleId, Scene, explained};
use crate::{BottleneckFinding, CallerTimes, EvidenceGrade, Explanation, explain};

/// What was recorded of a run.
struct Recorded {
    answered: f64,
    mean_ms: f64,
    /// Of a request inside the target, s.
    inside: f64,
    cpu: f64,
    cores: f64,
    /// Waiting for a core, s a second.
    delay: f64,
    database_cpu: f64,
    /// The heaviest statement: calls of a request, and its time in s.
    statement: (f64, f64),
}

impl Recorded {
    fn scene(&self, seed: u64) -> Scene {
        let mut scene = Scene::new(seed);
        scene.load.is_open = false;
        scene.load.users = 8.0;
        scene.callers(self.answered, 0.0, self.mean_ms, 0.3);
        let any = Entity::new();
        let (rate, (calls, each)) = (self.answered, self.statement);
        let statement = Entity::new().with(
            Label::Statement,
            "select name from place where content = $1",
        );
        for (kind, of, grows) in [
            (Kind::ServerRequests, &any, rate),
            (Kind::ServerRequestTime, &any, rate * self.inside),
            (Kind::ProcessCpu, &any, self.cpu),
            (Kind::RunDelay, &any, self.delay),
            (Kind::DatabaseCpu, &any, self.database_cpu),
            (Kind::StatementCalls, &statement, rate * calls),
            (Kind::StatementTime, &statement, rate * calls * each),
            (Kind::StatementRows, &statement, rate * calls * 21.0),
            (Kind::StatementBlocks, &statement, rate * calls * 1038.0),
        ] {
            scene.counter(kind, of, grows, 0.05);
        }
        scene.limit(Kind::CoresAvailable, &any, self.cores);
        scene.limit(Kind::DatabaseCores, &any, 1.0);
        scene.gauge(Kind::WorkersBusy, &any, rate * self.inside, 0.05);
        scene.limit(Kind::WorkersMax, &any, 200.0);
        scene
    }
}

fn neighbour(explanation: &Explanation) -> &BottleneckFinding {
    let mut findings = explanation.findings.iter();
    findings
        .find(|finding| finding.rule == RuleId::NoisyNeighbour)
        .unwrap()
}

/// 111/s here, 110.6/s on a quiet machine: it was named as a limit of grade A next to the missing index.
#[test]
fn requests_that_wait_for_statements_are_not_limited_by_those_who_share_the_cores() {
    for seed in 0..10 {
        let missing_index = Recorded {
            answered: 111.0,
            mean_ms: 71.5,
            inside: 0.0435,
            cpu: 0.246,
            cores: 1.0,
            delay: 3.66,
            database_cpu: 0.679,
            statement: (0.995, 0.0242),
        };
        let explanation = explained(missing_index.scene(seed));
        assert_eq!(explanation.findings[0].rule, RuleId::MissingIndex);
        let neighbour = neighbour(&explanation);
        assert_eq!(
            (neighbour.role, neighbour.grade),
            (FindingRole::Slow, EvidenceGrade::B)
        );
        assert_eq!(neighbour.contradictions.len(), 1);
    }
}

/// 9.1/s here, 164/s on a quiet machine: those who share the cores are the limit, whatever the requests do wrong.
#[test]
fn requests_that_wait_for_a_core_are_limited_by_those_who_share_it() {
    for seed in 0..10 {
        let n_plus_one = Recorded {
            answered: 9.13,
            mean_ms: 415.0,
            inside: 0.375,
            cpu: 0.191,
            cores: 1.0,
            delay: 6.02,
            database_cpu: 0.061,
            statement: (104.0, 0.000_004),
        };
        let explanation = explained(n_plus_one.scene(seed));
        let first = &explanation.findings[0];
        assert_eq!(
            (first.rule, first.grade),
            (RuleId::NoisyNeighbour, EvidenceGrade::A)
        );
        let rules: Vec<RuleId> = explanation.findings.iter().map(|f| f.rule).collect();
        assert!(rules.contains(&RuleId::ManyStatements), "{rules:?}");
    }
}

/// 302/s on one core that nobody else used: a pool of threads at 69 % of a core makes a queue of 1.5 by itself.
#[test]
fn threads_that_wait_for_each_other_have_no_neighbour() {
    let starting = Recorded {
        answered: 302.0,
        mean_ms: 6.26,
        inside: 0.0041,
        cpu: 0.686,
        cores: 1.0,
        delay: 1.056,
        database_cpu: 0.05,
        statement: (1.0, 0.000_05),
    };
    for is_open in [true, false] {
        let mut scene = starting.scene(3);
        scene.load.is_open = is_open;
        let explanation = explained(scene);
        let is_neighbour = |finding: &BottleneckFinding| finding.rule == RuleId::NoisyNeighbour;
        assert!(!explanation.findings.iter().any(is_neighbour));
    }
}

/// 40/s were asked for and answered.
#[test]
fn a_rate_that_was_asked_for_and_answered_is_not_limited() {
    let all_answered = Recorded {
        answered: 40.2,
        mean_ms: 79.9,
        inside: 0.0297,
        cpu: 0.089,
        cores: 2.0,
        delay: 2.82,
        database_cpu: 0.01,
        statement: (0.802, 0.000_054),
    };
    let mut scene = all_answered.scene(1);
    scene.load.is_open = true;
    let explanation = explained(scene);
    assert_eq!(neighbour(&explanation).role, FindingRole::Slow);
    let is_limit = |finding: &BottleneckFinding| finding.role == FindingRole::Limit;
    assert!(!explanation.findings.iter().any(is_limit));
}

/// Answers of 100 kB over a line of 2.5 MB/s, for 8 users: on a busy machine they came one after the other.
#[test]
fn a_line_that_carries_one_answer_after_the_other_is_full() {
    for (receiving, told) in [(59.9, true), (2.0, false)] {
        let mut scene = Scene::new(2);
        scene.load.is_open = false;
        scene.load.users = 8.0;
        scene.callers(24.8, 0.0, 322.0, 0.3);
        for window in &mut scene.windows {
            window.bytes = window.requests * 100_000.0;
        }
        let any = Entity::new();
        scene.counter(Kind::ServerRequests, &any, 24.8, 0.02);
        scene.counter(Kind::ServerRequestTime, &any, 24.8 * 0.0016, 0.02);
        scene.counter(Kind::ProcessCpu, &any, 0.04, 0.02);
        scene.limit(Kind::CoresAvailable, &any, 2.0);
        let mut run = scene.run();
        run.times = Some(CallerTimes {
            connecting: 0.1,
            waiting: 260.0,
            receiving,
            ..CallerTimes::default()
        });
        let findings = explain(&run, &[]).findings;
        let is_told = findings
            .iter()
            .any(|finding| finding.rule == RuleId::NetworkBandwidth);
        assert_eq!(is_told, told, "{findings:?}");
    }
}

/// Seen: "something else uses its cores" (A) of a target whose collections stop it for half of the time, on a host whose cores
/// nobody else used.
#[test]
fn threads_that_wait_for_each_other_have_no_neighbour_where_the_host_counts_none() {
    let of = |others: f64| {
        let mut scene = Scene::new(3);
        growing(&mut scene, 19.0);
        let any = Entity::new();
        scene.counter(Kind::ProcessCpu, &any, 1.99, 0.02);
        scene.limit(Kind::CoresAvailable, &any, 4.0);
        scene.counter(Kind::RunDelay, &any, 60.0, 0.05);
        scene.counter(Kind::HostCpu, &any, 1.99 + others, 0.02);
        scene.limit(Kind::HostCores, &any, 4.0);
        let told = explained(scene);
        let rules: Vec<RuleId> = told.findings.iter().map(|one| one.rule).collect();
        rules.contains(&RuleId::NoisyNeighbour)
    };
    assert!(!of(0.05));
    assert!(of(1.9));
}

/// A server on a host of two cores that answers ever later, what it gets and waits for of them, and what others use.
fn queued(used: f64, delay: f64, others: Option<f64>) -> Explanation {
    let mut scene = Scene::new(5);
    growing(&mut scene, 60.0);
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, used, 0.02);
    scene.limit(Kind::CoresAvailable, &any, 2.0);
    scene.counter(Kind::RunDelay, &any, delay, 0.05);
    if let Some(others) = others {
        scene.counter(Kind::HostCpu, &any, used + others, 0.02);
        scene.limit(Kind::HostCores, &any, 2.0);
    }
    explained(scene)
}

/// Seen: "what limits is not seen (C): the target mostly waits" of a server whose cores other programs used.
#[test]
fn a_target_that_others_crowd_out_is_limited_by_them_however_few_threads_it_has() {
    for (used, delay) in [(0.38, 0.58), (0.33, 4.6), (0.6, 1.1)] {
        let told = queued(used, delay, Some(1.97 - used));
        let first = &told.findings[0];
        assert_eq!(
            (first.rule, first.role),
            (RuleId::NoisyNeighbour, FindingRole::Limit),
            "{used} {delay}: {told:?}"
        );
        assert!(first.grade <= EvidenceGrade::B, "{told:?}");
    }
    // Cores are free, or it waits for something else most of the time.
    for (used, delay, others) in [(0.38, 0.58, 0.6), (0.1, 0.3, 1.85)] {
        let told = queued(used, delay, Some(others));
        assert_eq!(told.findings[0].rule, RuleId::UnknownLimit, "{told:?}");
    }
}

/// Where the host does not count who uses it, or most of the time goes elsewhere, its wait for a core is told all the same.
#[test]
fn what_is_not_seen_to_limit_still_says_that_threads_wait_for_cores() {
    for others in [None, Some(1.6)] {
        let told = queued(0.2, 0.45, others);
        assert_eq!(told.findings[0].rule, RuleId::UnknownLimit);
        let words = first_words(&told);
        assert!(
            words.contains("s each second for cores that other programs use"),
            "{words}"
        );
        assert!(!words.contains("mostly waits"), "{words}");
    }
    let alone = first_words(&queued(0.2, 0.02, None));
    assert!(alone.contains("mostly waits"), "{alone}");
}

/// Seen: "other cores cannot help it", and below it a limit of the CPU at twice the rate, for two cores.
#[test]
fn a_loop_that_computes_is_used_up_at_what_one_core_does() {
    let mut scene = Scene::new(6);
    growing(&mut scene, 60.0);
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, 0.97, 0.01);
    scene.limit(Kind::CoresAvailable, &any, 2.0);
    scene.gauge(Kind::EventLoopUse, &any, 0.99, 0.005);
    let four = "cores=4".parse().unwrap();
    let told = explain(&scene.run(), &[four]);
    assert_eq!(told.findings[0].rule, RuleId::EventLoop, "{told:?}");
    let cpu = (told.ceilings.iter()).find(|one| one.part == crate::BottleneckPart::Cpu);
    let cpu = cpu.unwrap();
    assert!((cpu.capacity - 1.0).abs() < 1e-9, "{cpu:?}");
    assert!(cpu.rate < 1.1 * told.rate, "{cpu:?}");
    let predicted = told.predictions[0].rate.unwrap();
    assert!(predicted < 1.1 * told.rate, "{predicted}");
}
