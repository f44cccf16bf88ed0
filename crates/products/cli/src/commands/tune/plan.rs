//! What a study would try, and how long that takes.

use loadline_knobs::study::StudyFile;
use loadline_text::{Catalog, grouped, tune};
use loadline_units::duration::go_string;
use loadline_units::parse_duration;

/// Trials of a study that the first race decides: noise, race, confirmation.
const STUDY_TRIALS_MIN: usize = 20;

/// The plan; `each` is how long a trial takes, if it is known.
pub(super) fn text(study: &StudyFile, each: Option<f64>, catalog: &Catalog) -> String {
    let mut lines = vec![
        tune::plan_goal(&study.goal_text),
        tune::plan_test(study.test.join(" ")),
    ];
    for knob in &study.knobs {
        let now = &knob.values[knob.now];
        lines.push(tune::plan_knob(&knob.name, knob.values.join(", "), now));
    }
    lines.extend(study.limits.iter().map(tune::plan_limit));
    let (settings, forbidden) = size(study);
    lines.push(match forbidden {
        None => tune::plan_size(settings),
        Some(forbidden) => tune::plan_size_limited(settings, forbidden),
    });
    if study.restarts() {
        lines.push(tune::plan_restarts());
    }
    for guess in &study.guesses {
        lines.push(tune::plan_first(study.label(guess)));
    }
    let time = catalog.length(&go_string(study.most_time));
    let seconds = |time: f64| catalog.length(&seconds(time));
    let each = each.or_else(|| planned(study));
    match each {
        Some(each) => {
            let shown = seconds(each);
            lines.push(tune::plan_budget(study.most_trials, time, shown));
            let most = (each * study.most_trials as f64).min(study.most_time.as_secs_f64());
            let least = each * STUDY_TRIALS_MIN as f64;
            lines.push(if least > most {
                tune::plan_short(seconds(most), STUDY_TRIALS_MIN)
            } else {
                tune::plan_lasts(seconds(least), seconds(most))
            });
        }
        None => lines.push(tune::plan_budget_unknown(study.most_trials, time)),
    }
    lines.iter().map(|line| catalog.text(line) + "\n").collect()
}

fn seconds(seconds: f64) -> String {
    go_string(std::time::Duration::from_secs_f64(seconds.max(0.0).ceil()))
}

/// How long a trial takes by its test's own words; a restart comes on top.
fn planned(study: &StudyFile) -> Option<f64> {
    let place = study
        .test
        .iter()
        .position(|word| word == "--duration" || word == "-d")?;
    let length = parse_duration(study.test.get(place + 1)?).ok()?;
    let warm_up = study
        .warm_up
        .as_deref()
        .and_then(|text| parse_duration(text).ok());
    let all = length.max(warm_up.unwrap_or_default()) + study.pause;
    Some(all.as_secs_f64())
}

/// How many settings there are, and how many of them the limits forbid, if any.
fn size(study: &StudyFile) -> (String, Option<String>) {
    let shown = |count: usize| grouped(count as f64, 0);
    match study.counted() {
        Some((all, 0)) => (shown(all), None),
        Some((all, forbidden)) => (shown(all), Some(shown(forbidden))),
        None if study.limits.is_empty() => (grouped(study.combinations() as f64, 0), None),
        None => (
            grouped(study.combinations() as f64, 0),
            Some("?".to_owned()),
        ),
    }
}
