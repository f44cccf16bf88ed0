//! What bounds a study: limits of its settings, where it begins, how long it may take.

use std::time::Duration;

use loadline_text::{Message, tune};
use loadline_units::nearest;

use crate::study::fields::{Fields, Mistakes, scalar};
use crate::study::knob::Knob;
use crate::study::limits::HardLimit;
use crate::study::tree::{Node, NodeValue};

pub(super) const DEFAULT_TIME_MAX: Duration = Duration::from_secs(3600);
pub(super) const DEFAULT_TRIALS_MAX: usize = 120;
/// The most trials that a file may ask for.
const TRIALS_MAX: f64 = 10_000.0;

/// Limits of a study whose knobs have these names, as far as each has one; `knobs` are those without a mistake.
pub(super) fn limits(
    node: &Node,
    names: Option<&[&str]>,
    knobs: &[Knob],
    mistakes: &mut Mistakes,
) -> Vec<HardLimit> {
    let NodeValue::List(items) = &node.value else {
        mistakes.add(node.place, tune::mistake_list("limits"));
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items {
        let Some(text) = scalar("limits", item, mistakes) else {
            continue;
        };
        let Some(limit) = HardLimit::read(text) else {
            mistakes.add(item.place, tune::mistake_limit(text));
            continue;
        };
        let names = names.unwrap_or_default();
        for name in limit.names() {
            if !names.is_empty() && !names.contains(&name) {
                mistakes.add(item.place, unknown_knob(name, names));
            }
        }
        check_limit(&limit, item, knobs, mistakes);
        found.push(limit);
    }
    found
}

/// Tells a limit of what is no number, and one that the current setting breaks.
fn check_limit(limit: &HardLimit, item: &Node, knobs: &[Knob], mistakes: &mut Mistakes) {
    let named = |name: &str| knobs.iter().find(|knob| knob.name == name);
    let no_number = limit.names().find_map(|name| {
        let values = &named(name)?.values;
        let value = values.iter().find(|value| value.parse::<f64>().is_err())?;
        Some((name, value))
    });
    if let Some((name, value)) = no_number {
        let what = tune::mistake_limit_number(limit, name, value);
        mistakes.add(item.place, what);
        return;
    }
    let now = |name: &str| named(name).and_then(|knob| knob.values[knob.now].parse().ok());
    if limit.holds(now) == Some(false) {
        let setting = limit
            .names()
            .filter_map(|name| Some(format!("{name}={}", now(name)?)));
        let setting: Vec<String> = setting.collect();
        let what = tune::mistake_start_forbidden(limit, setting.join(" "));
        mistakes.add(item.place, what);
    }
}

fn unknown_knob(name: &str, names: &[&str]) -> Message {
    match nearest(name, names.iter().copied()) {
        Some(similar) => tune::mistake_key_misspelt(name, similar),
        None => tune::mistake_knob(name, names.join(", ")),
    }
}

pub(super) fn guesses(node: &Node, knobs: &[Knob], mistakes: &mut Mistakes) -> Vec<Vec<usize>> {
    let NodeValue::List(items) = &node.value else {
        mistakes.add(node.place, tune::mistake_list("guesses"));
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|item| guess(item, knobs, mistakes))
        .collect()
}

/// A guess names some knobs; the others stay as they are.
fn guess(node: &Node, knobs: &[Knob], mistakes: &mut Mistakes) -> Option<Vec<usize>> {
    let NodeValue::Map(entries) = &node.value else {
        mistakes.add(node.place, tune::mistake_no_map());
        return None;
    };
    let mut setting: Vec<usize> = knobs.iter().map(|knob| knob.now).collect();
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name.as_str()).collect();
    for (name, place, value) in entries {
        let text = scalar(name, value, mistakes)?;
        let Some(at) = names.iter().position(|known| known == name) else {
            mistakes.add(*place, unknown_knob(name, &names));
            continue;
        };
        match knobs[at].values.iter().position(|value| value == text) {
            Some(level) => setting[at] = level,
            None => {
                let known = knobs[at].values.join(", ");
                mistakes.add(value.place, tune::mistake_choice(name, text, known));
            }
        }
    }
    Some(setting)
}

/// The most trials and the longest time.
pub(super) fn budget(node: &Node, mistakes: &mut Mistakes) -> Option<(usize, Duration)> {
    let mut fields = Fields::from_map(node, mistakes)?;
    let time = fields.time_above_zero("time", DEFAULT_TIME_MAX, mistakes);
    let trials = fields.number("trials", mistakes);
    let place = fields.place_of("trials");
    fields.finish(mistakes);
    let Some(trials) = trials else {
        return Some((DEFAULT_TRIALS_MAX, time));
    };
    if trials.fract() != 0.0 || !(1.0..=TRIALS_MAX).contains(&trials) {
        let what = tune::mistake_whole("trials", trials, TRIALS_MAX);
        mistakes.add(place, what);
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    let trials = trials as usize;
    Some((trials, time))
}
