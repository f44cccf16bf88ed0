//! Scenes: synthetic runs of back ends with a known truth, and what `explain` says of them.
//!
//! Signals follow the laws of queues, with noise from a seed. Each truth is generated with several
//! seeds and sizes; the control must have no finding at all.

mod agreement;
mod backend;
mod busy_process;
mod cold;
mod confusion;
mod growing_queues;
mod holders;
mod instances;
mod judged;
mod kinds_seen;
mod logs;
mod managed;
mod neighbours;
mod nodes;
mod objectives;
mod one_endpoint;
mod others_served;
mod outages;
mod partial;
mod predictions;
mod processes;
mod refusals;
mod searched;
mod settings_first;
mod statements;
mod stood_still;
mod strangers_met;
mod truths;
mod unplanned;
mod untuned;

use loadline_record::signals::{Entity, SignalKind, Signals};
use loadline_units::random::Random;

use super::{ExplainedLoad, ExplainedRun, Explanation, FindingRole, RuleId, explain};
use loadline_analysis::compare::ComparedWindow;

/// Seconds of a scene.
const SCENE_SECONDS: u64 = 40;

/// Noise from a seed.
struct Noise(Random);

impl Noise {
    fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// 0 to 1.
    fn even(&mut self) -> f64 {
        self.0.unit()
    }

    /// About 1, off by at most `share`.
    fn about(&mut self, share: f64) -> f64 {
        1.0 + share * (2.0 * self.even() - 1.0)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.even()
    }
}

/// A run that is being made up.
struct Scene {
    noise: Noise,
    signals: Signals,
    windows: Vec<ComparedWindow>,
    load: ExplainedLoad,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut scene = Self {
            noise: Noise::new(seed),
            signals: Signals::default(),
            windows: Vec::new(),
            load: ExplainedLoad {
                is_open: true,
                users: 100.0,
                ..ExplainedLoad::default()
            },
        };
        // A scrape is never at the exact second, and the first comes before the load.
        scene.noise.even();
        scene
    }

    /// A gauge of this mean, noisy by a share of it.
    fn gauge(&mut self, kind: SignalKind, entity: &Entity, mean: f64, noise: f64) {
        for second in 0..SCENE_SECONDS {
            let value = mean * self.noise.about(noise);
            self.signals.push(kind, entity, second * 1000 + 300, value);
        }
    }

    /// A gauge that is never noisy: a limit.
    fn limit(&mut self, kind: SignalKind, entity: &Entity, value: f64) {
        self.gauge(kind, entity, value, 0.0);
    }

    /// A counter that grows by so much a second, noisy by a share.
    fn counter(&mut self, kind: SignalKind, entity: &Entity, rate: f64, noise: f64) {
        let mut count = 1000.0 * self.noise.even();
        for second in 0..SCENE_SECONDS {
            self.signals.push(kind, entity, second * 1000 + 300, count);
            count += rate * self.noise.about(noise);
        }
    }

    /// What callers see: so many requests a second are answered, others fail.
    fn callers(&mut self, answered: f64, failed: f64, mean_ms: f64, spread: f64) {
        for _ in 0..SCENE_SECONDS {
            let mut window = ComparedWindow {
                requests: (answered + failed) * self.noise.about(0.1),
                planned: answered + failed,
                ..ComparedWindow::default()
            };
            window.failed = window.requests * failed / (answered + failed);
            for _ in 0..50 {
                window.durations.record(mean_ms * self.noise.about(spread));
            }
            self.windows.push(window);
        }
    }

    fn run(self) -> ExplainedRun {
        ExplainedRun {
            from_ms: 0,
            windows: self.windows,
            load: self.load,
            signals: self.signals,
            ..ExplainedRun::default()
        }
    }
}

fn explained(scene: Scene) -> Explanation {
    explain(&scene.run(), &[])
}

/// The rules that say what limits or slows, in order.
fn found_rules(explanation: &Explanation) -> Vec<RuleId> {
    let findings = explanation.findings.iter();
    let told = findings.filter(|finding| finding.role != FindingRole::Next);
    told.map(|finding| finding.rule).collect()
}
