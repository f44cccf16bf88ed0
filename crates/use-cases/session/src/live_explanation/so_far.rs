//! What the judge would say of the whole run so far, from what it said of its last seconds.
//!
//! A whole run is judged by the seconds in which most was asked of the target. So what was carried once counts on, and
//! a limit that was seen stays until as much is asked again and carried.

use loadline_explain::{ExplainedRun, Explanation, ExplanationAnswer};

/// Seconds over which the load is smoothed.
const SMOOTHING_SECONDS: usize = 5;
/// From this share of a load on, as much is asked.
const SAME_LOAD_SHARE_MIN: f64 = 0.9;

/// What has been said so far.
#[derive(Debug, Default)]
pub(super) struct ExplainedSoFar {
    /// Requests answered well per second, at most, while nothing was lost.
    pub(super) carried: f64,
    /// The limit that was seen last.
    limit: Option<SeenLimit>,
}

/// A limit with the load that showed it.
#[derive(Debug)]
struct SeenLimit {
    /// Starts per second, or users.
    load: f64,
    explanation: Explanation,
}

impl ExplainedSoFar {
    /// What is to be said, given what the last seconds say.
    pub(super) fn update(&mut self, run: &ExplainedRun, now: Explanation) -> Explanation {
        self.carried = carried(&now).max(self.carried);
        let load = load(run);
        let is_less = |known: &&SeenLimit| load < SAME_LOAD_SHARE_MIN * known.load;
        if let Some(known) = self.limit.as_ref().filter(is_less) {
            return known.explanation.clone();
        }
        let is_limit = matches!(
            now.answer,
            ExplanationAnswer::Limited | ExplanationAnswer::UnknownLimit
        );
        self.limit = is_limit.then(|| SeenLimit {
            load,
            explanation: now.clone(),
        });
        now
    }
}

/// The most that was carried: of seconds that show a limit, at their levels below it.
fn carried(now: &Explanation) -> f64 {
    let is_carried = matches!(
        now.answer,
        ExplanationAnswer::NoBottleneck | ExplanationAnswer::NoSign | ExplanationAnswer::Slow
    );
    if is_carried {
        return now.carried;
    }
    let carried = now.levels.iter().take_while(|level| level.is_carried);
    carried.map(|level| level.answered).fold(0.0, f64::max)
}

/// The highest load of these seconds: starts per second where they are planned, else users.
fn load(run: &ExplainedRun) -> f64 {
    let of_seconds = run.windows.iter().map(|window| {
        if run.load.is_open {
            window.planned
        } else {
            window.users
        }
    });
    let of_seconds: Vec<f64> = of_seconds.collect();
    let few = of_seconds.windows(SMOOTHING_SECONDS);
    let means = few.map(|few| few.iter().sum::<f64>() / SMOOTHING_SECONDS as f64);
    means.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::ComparedWindow;
    use loadline_explain::{ExplainedLoad, explain};
    use loadline_metrics::Histogram;

    use super::*;

    /// Seconds in which so many starts are asked for and `most` are answered at once; the others fail.
    fn seconds(asked: &[f64], most: f64) -> ExplainedRun {
        let second = |asked: &f64| ComparedWindow {
            requests: *asked,
            failed: (asked - most).max(0.0),
            planned: *asked,
            iterations: *asked,
            durations: Histogram::from_values(&[20.0; 20]),
            ..ComparedWindow::default()
        };
        ExplainedRun {
            windows: asked.iter().map(second).collect(),
            load: ExplainedLoad {
                is_open: true,
                ..ExplainedLoad::default()
            },
            ..ExplainedRun::default()
        }
    }

    fn explained(so_far: &mut ExplainedSoFar, asked: f64) -> Explanation {
        let mut run = seconds(&[asked; 30], 320.0);
        run.carried_before = so_far.carried;
        let now = explain(&run, &[]);
        so_far.update(&run, now)
    }

    #[test]
    fn what_was_carried_once_counts_under_a_load_that_falls() {
        let mut so_far = ExplainedSoFar::default();
        explained(&mut so_far, 300.0);
        for falling in [200.0, 91.0, 67.0] {
            let said = explained(&mut so_far, falling);
            assert!((said.carried - 300.0).abs() < 1.0, "{}", said.carried);
        }
    }

    #[test]
    fn a_limit_that_was_seen_stays_under_less_load_until_as_much_is_carried() {
        let mut so_far = ExplainedSoFar::default();
        explained(&mut so_far, 300.0);
        let limit = explained(&mut so_far, 400.0);
        assert_eq!(limit.answer, ExplanationAnswer::UnknownLimit);
        assert_eq!(explained(&mut so_far, 100.0).answer, limit.answer);
        let mut run = seconds(&[400.0; 30], 500.0);
        run.carried_before = so_far.carried;
        let said = so_far.update(&run, explain(&run, &[]));
        assert_eq!(said.answer, ExplanationAnswer::NoSign);
        assert!((said.carried - 400.0).abs() < 1.0, "{}", said.carried);
    }

    #[test]
    fn levels_below_a_limit_were_carried() {
        let asked = [vec![100.0; 10], vec![200.0; 10], vec![400.0; 10]].concat();
        let run = seconds(&asked, 320.0);
        let mut so_far = ExplainedSoFar::default();
        so_far.update(&run, explain(&run, &[]));
        assert!((so_far.carried - 200.0).abs() < 1.0, "{}", so_far.carried);
    }
}
