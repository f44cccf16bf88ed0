//! The live view as lines: a few that are drawn anew, or one now and then.

use std::time::Duration;

use loadline_terminal::{LiveState, cut};
use loadline_text::{Catalog, Message, messages, millis, observe, percent, significant};

use super::observed_run::ObservedRun;
use crate::terminal;

/// Width of a progress bar.
const BAR_WIDTH: usize = 24;
/// Seconds that a curve shows.
const CURVE_SECONDS: usize = 40;

/// The lines of a terminal, each as wide as it at most.
pub(super) fn drawn(seen: &ObservedRun, catalog: &Catalog) -> Vec<String> {
    let mut lines = vec![headline(seen, catalog)];
    if is_under_way(seen) {
        lines.extend(bars(seen, catalog));
        lines.extend(second(seen, catalog));
        lines.extend(curves(seen, catalog));
        lines.extend(source_count(seen, catalog));
        lines.extend(seen.view.limit.clone());
        let states = [
            (seen.warming, messages::live_warming()),
            (seen.paused, messages::live_paused()),
        ];
        let holding = states.iter().filter(|(holds, _)| *holds);
        lines.extend(holding.map(|(_, state)| catalog.text(state)));
    }
    // A line that the terminal breaks, or one that scrolled away, could not be taken back.
    let size = terminal::size();
    lines.truncate(size.rows.saturating_sub(1).max(1).into());
    let columns = usize::from(size.columns.saturating_sub(1)).max(1);
    lines.iter().map(|line| cut(line, columns)).collect()
}

/// Takes `drawn` lines off the terminal.
pub(super) fn clear(drawn: usize) -> String {
    match drawn {
        0 => String::new(),
        drawn => format!("\x1b[{drawn}A\x1b[J"),
    }
}

/// One line with what matters most.
pub(super) fn plain(seen: &ObservedRun, catalog: &Catalog) -> String {
    let mut line = headline(seen, catalog);
    if seen.warming {
        line = format!("{line}; {}", catalog.text(&messages::live_warming()));
    }
    let parts = [
        second(seen, catalog),
        source_count(seen, catalog),
        seen.view.limit.clone(),
    ];
    for part in parts.into_iter().flatten() {
        line = format!("{line}; {part}");
    }
    line.push('\n');
    line
}

/// What is said of a pause where nothing is drawn anew.
pub(super) fn paused(seen: &ObservedRun, catalog: &Catalog) -> String {
    if seen.paused {
        format!("{}\n", catalog.text(&messages::live_paused()))
    } else {
        String::new()
    }
}

/// `12.3s`
pub(super) fn seconds(length: Duration) -> String {
    format!("{:.1}s", length.as_secs_f64())
}

fn is_under_way(seen: &ObservedRun) -> bool {
    !matches!(
        seen.view.state,
        LiveState::Making { .. } | LiveState::Setup | LiveState::Teardown
    )
}

/// How many sources answer; `None` where none is asked.
fn source_count(seen: &ObservedRun, catalog: &Catalog) -> Option<String> {
    let answering = seen.sources.values().filter(|answers| **answers).count();
    let text = observe::signals_live(answering, seen.sources.len());
    (!seen.sources.is_empty()).then(|| catalog.text(&text))
}

fn headline(seen: &ObservedRun, catalog: &Catalog) -> String {
    let load = seen.view.load;
    catalog.text(&match seen.view.state {
        LiveState::Making { made, planned } => messages::live_users(made, planned),
        LiveState::Setup => messages::live_setup(),
        LiveState::Teardown => messages::live_teardown(),
        _ => messages::live_running(
            seconds(seen.view.elapsed),
            load.users_active,
            load.users,
            load.complete,
            load.interrupted,
            load.dropped,
        ),
    })
}

fn bars(seen: &ObservedRun, catalog: &Catalog) -> Vec<String> {
    let bar = |share: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share from 0 to 1"
        )]
        let full = (share * BAR_WIDTH as f64).round() as usize;
        format!(
            "[{}{}]",
            "=".repeat(full),
            "-".repeat(BAR_WIDTH - full.min(BAR_WIDTH))
        )
    };
    let scenarios = seen.view.scenarios.iter();
    scenarios
        .map(|scenario| {
            let (share, users) = (scenario.share, scenario.users);
            let text = messages::live_scenario(&scenario.name, percent(share), users);
            format!("{} {}", bar(share), catalog.text(&text))
        })
        .collect()
}

/// The last seconds as curves, each with its highest value.
fn curves(seen: &ObservedRun, catalog: &Catalog) -> Vec<String> {
    let history = &seen.view.history;
    let row = |values: &[Option<f64>],
               message: &dyn Fn(String, String) -> Message,
               most: &dyn Fn(f64) -> String| {
        let (curve, highest) = curve(values)?;
        Some(catalog.text(&message(curve, most(highest))))
    };
    let rate = row(
        &history.requests(CURVE_SECONDS),
        &|a, b| messages::live_rate_curve(a, b),
        &significant,
    );
    let p95 = row(
        &history.p95_ms(CURVE_SECONDS),
        &|a, b| messages::live_p95_curve(a, b),
        &millis,
    );
    [rate, p95].into_iter().flatten().collect()
}

/// Values in eight heights, the highest the full one, and that value; nothing of fewer than two.
fn curve(values: &[Option<f64>]) -> Option<(String, f64)> {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if values.len() < 2 {
        return None;
    }
    let most = values.iter().flatten().copied().fold(0.0, f64::max);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of seven heights"
    )]
    let height = |value: &Option<f64>| {
        let share = value.unwrap_or(0.0) / most.max(f64::MIN_POSITIVE);
        HEIGHTS[((share * 7.0).round() as usize).min(7)]
    };
    Some((values.iter().map(height).collect(), most))
}

fn second(seen: &ObservedRun, catalog: &Catalog) -> Option<String> {
    let second = &seen.view.latency.second;
    let history = &seen.view.history;
    if history.requests(1).is_empty() {
        return None;
    }
    let quantile = |share| {
        let value = second.durations.percentile(share);
        value.map_or("–".to_owned(), millis)
    };
    let text = messages::live_second(
        significant(second.requests),
        quantile(0.5),
        quantile(0.95),
        percent(second.error_rate().unwrap_or(0.0)),
    );
    Some(catalog.text(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_shows_the_last_seconds_beside_the_highest() {
        assert_eq!(curve(&[Some(5.0)]), None);
        let values = [Some(5.0), None, Some(10.0), Some(5.0)];
        assert_eq!(curve(&values), Some(("▅▁█▅".to_owned(), 10.0)));
        assert_eq!(curve(&[None, None]), Some(("▁▁".to_owned(), 0.0)));
    }
}
