//! Limits of some kinds of requests, and users who come in vain.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_text::{Catalog, Lang};

use super::{Noise, Scene, found_rules};
use crate::{ExplainedEndpoint, ExplainedRun, Explanation, RuleId, explain};

/// So many requests of a second take so long, ms.
struct Kind {
    name: &'static str,
    answered: u32,
    first_ms: f64,
    /// In which second.
    mean_ms: fn(f64) -> f64,
}

const SLOW: Kind = Kind {
    name: "GET /slow",
    answered: 10,
    first_ms: 201.0,
    mean_ms: |second| 201.0 + 350.0 * second,
};
const OK: Kind = Kind {
    name: "GET /ok",
    answered: 15,
    first_ms: 200.0,
    mean_ms: |_| 201.0,
};

impl Kind {
    fn endpoint(&self, is_open: bool) -> ExplainedEndpoint {
        let mut noise = Noise::new(4);
        let mut all = Histogram::new();
        let windows = (0..12_u32).map(|second| {
            let mut window = ComparedWindow {
                requests: f64::from(self.answered),
                planned: if is_open { 15.0 } else { 0.0 },
                users: 8.0,
                ..ComparedWindow::default()
            };
            for n in 0..self.answered {
                let mean_ms = (self.mean_ms)(f64::from(second));
                let is_first = second == 0 && n < 2;
                let took = if is_first {
                    self.first_ms
                } else {
                    mean_ms.max(self.first_ms) * noise.about(0.005).max(1.0)
                };
                window.durations.record(took);
            }
            window
        });
        let windows: Vec<ComparedWindow> = windows.collect();
        windows
            .iter()
            .for_each(|window| all.merge(&window.durations));
        ExplainedEndpoint {
            name: self.name.to_owned(),
            fastest_good_ms: all.min(),
            all,
            windows,
        }
    }
}

fn run_of(kinds: &[Kind], is_open: bool) -> ExplainedRun {
    let endpoints: Vec<ExplainedEndpoint> =
        kinds.iter().map(|kind| kind.endpoint(is_open)).collect();
    let mut run = ExplainedRun {
        windows: vec![ComparedWindow::default(); 12],
        endpoints,
        ..ExplainedRun::default()
    };
    for endpoint in &run.endpoints {
        for (window, one) in run.windows.iter_mut().zip(&endpoint.windows) {
            window.add(one);
        }
    }
    run.load.is_open = is_open;
    run.load.users = 16.0;
    run
}

fn words(told: &Explanation) -> String {
    Catalog::new(Lang::En).text(&told.findings[0].statement)
}

/// Seen: "The target serves no more than about 5 at once (24.0/s); all others wait" of one endpoint that serves 2 at once, beside one
/// that never waits.
#[test]
fn a_limit_of_one_endpoint_is_told_of_that_endpoint() {
    let told = explain(&run_of(&[OK, SLOW], true), &[]);
    assert_eq!(found_rules(&told), [RuleId::ServedAtOnce]);
    let said = words(&told);
    let is_of_it = said.contains("Of GET /slow") && said.contains("no more than about 2 at once");
    assert!(is_of_it, "{said}");
    // Where both wait it is of both.
    let both = Kind {
        name: "GET /also",
        ..SLOW
    };
    let told = explain(&run_of(&[both, SLOW], true), &[]);
    let said = words(&told);
    assert!(said.contains("no more than about 4 at once"), "{said}");
    assert!(!said.contains("GET"), "{said}");
    let both = Kind {
        name: "GET /also",
        ..SLOW
    };
    let said = words(&explain(&run_of(&[both, SLOW, OK], true), &[]));
    assert!(said.contains("GET /also, GET /slow"), "{said}");
    assert!(said.contains("about 4 at once"), "{said}");
}

/// Users in loops, eight of each kind, who all began at once: those of one wait for four others each time.
#[test]
fn users_in_loops_who_wait_for_one_endpoint_are_told_of_it() {
    let slow = Kind {
        mean_ms: |_| 800.0,
        ..SLOW
    };
    // Seen: "NO SIGN OF A LIMIT", where fewer than a fourth of the requests were of it.
    let often = Kind { answered: 40, ..OK };
    let told = explain(&run_of(&[often, slow], false), &[]);
    let said = words(&told);
    assert!(said.contains("Of GET /slow"), "{said}");
    assert!(said.contains("about 2 at once"), "{said}");
}

/// Seen: "Callers see that requests take longer", and not how many are served at once, of users 1 to 20 in loops on 5 places.
#[test]
fn more_users_in_vain_tell_how_many_are_served_at_once() {
    let mut scene = Scene::new(1);
    scene.load.is_open = false;
    scene.load.users = 20.0;
    scene.windows.clear();
    scene.callers(50.0, 0.0, 100.0, 0.0);
    scene.windows.truncate(11);
    let waited = [
        108.0, 160.0, 221.0, 283.0, 343.0, 393.0, 404.0, 404.0, 404.0, 405.0, 404.0,
    ];
    for ((second, window), mean_ms) in (0_u32..).zip(&mut scene.windows).zip(waited) {
        (window.requests, window.planned) = (50.0, 0.0);
        window.users = (7.0 + 3.0 * f64::from(second)).min(20.0);
        window.durations = Histogram::from_values(&[mean_ms; 50]);
    }
    let told = explain(&scene.run(), &[]);
    assert_eq!(found_rules(&told), [RuleId::ServedAtOnce]);
    let said = words(&told);
    assert!(said.contains("about 5 at once"), "{said}");
}
