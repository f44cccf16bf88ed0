//! Reads a study file.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use loadline_analysis::tuning::goal::TuningGoal;
use loadline_text::tune;
use loadline_units::nearest;

use super::fields::{Fields, Mistakes, command, scalar};
use super::knob::{Knob, KnobMethod, PasteText, ReadMethod};
use super::limits::HardLimit;
use super::tree::{self, Node, NodeValue};
use super::{ReadyCondition, StudyFile, StudyMistake, TargetHooks};

/// Values of one knob.
const MOST_VALUES: usize = 100;
/// Knobs of one study.
const MOST_KNOBS: usize = 16;
const PAUSE: Duration = Duration::from_secs(1);
const START_TIMEOUT: Duration = Duration::from_secs(60);
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
const HOOK_TIMEOUT: Duration = Duration::from_secs(30);
const MOST_TIME: Duration = Duration::from_secs(3600);
const MOST_TRIALS: usize = 120;

/// Reads the text of a study file that stands in `folder`.
///
/// # Errors
/// All mistakes, in the order of their lines.
pub fn read(text: &str, name: &str, folder: &Path) -> Result<StudyFile, Vec<StudyMistake>> {
    let mut mistakes = Mistakes::default();
    let file = match tree::parse(text) {
        Ok(root) => study(&root, name, folder, &mut mistakes),
        Err(malformed) => {
            mistakes.add(malformed.place, tune::mistake_yaml(malformed.reason));
            None
        }
    };
    let mut mistakes = mistakes.0;
    mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
    match file {
        Some(file) if mistakes.is_empty() => Ok(file),
        _ => Err(mistakes),
    }
}

fn study(root: &Node, name: &str, folder: &Path, mistakes: &mut Mistakes) -> Option<StudyFile> {
    let mut fields = Fields::of(root, mistakes)?;
    let name = fields.text("name", mistakes).unwrap_or(name).to_owned();
    let test = fields
        .required("test", mistakes)
        .and_then(|node| command("test", node, mistakes));
    let goal = fields
        .required("goal", mistakes)
        .and_then(|node| goal(node, mistakes));
    let warm_up = match fields.get("warm_up").map(|node| &node.value) {
        Some(NodeValue::Scalar(text)) if text == "auto" => Some(text.clone()),
        Some(_) => {
            let time = fields.time("warm_up", Duration::ZERO, mistakes);
            Some(format!("{}ms", time.as_millis()))
        }
        None => None,
    };
    let pause = fields.time("pause", PAUSE, mistakes);
    let target = fields.get("target");
    let target = target.map_or_else(|| Some(no_hooks()), |node| hooks(node, mistakes));
    let before = mistakes.0.len();
    let knobs = fields
        .required("knobs", mistakes)
        .map(|node| knobs(node, target.as_ref(), mistakes));
    let known = knobs.as_deref().unwrap_or_default();
    // Beside a knob with a mistake its name would be told as unknown.
    let are_whole = mistakes.0.len() == before;
    let limited = fields.get("limits").filter(|_| are_whole);
    let limits = limited.map(|node| limits(node, known, mistakes));
    let guessed = fields.get("guesses").filter(|_| are_whole);
    let guesses = guessed.map(|node| guesses(node, known, mistakes));
    let budget = fields.get("budget").and_then(|node| budget(node, mistakes));
    let (most_trials, most_time) = budget.unwrap_or((MOST_TRIALS, MOST_TIME));
    let place = fields.place();
    fields.finish(mistakes);
    let (goal_text, goal) = goal?;
    let file = StudyFile {
        name,
        test: test?,
        goal,
        goal_text,
        warm_up,
        pause,
        target: target?,
        knobs: knobs?,
        limits: limits.unwrap_or_default(),
        guesses: guesses.unwrap_or_default(),
        most_trials,
        most_time,
        folder: folder.to_owned(),
    };
    if mistakes.0.is_empty() && !file.allows(&file.start()) {
        mistakes.add(
            place,
            tune::mistake_start_forbidden(file.label(&file.start())),
        );
    }
    Some(file)
}

fn goal(node: &Node, mistakes: &mut Mistakes) -> Option<(String, TuningGoal)> {
    let text = scalar("goal", node, mistakes)?;
    match text.parse() {
        Ok(goal) => Some((text.trim().to_owned(), goal)),
        Err(_) => {
            mistakes.add(node.place, tune::mistake_goal(text));
            None
        }
    }
}

const fn no_hooks() -> TargetHooks {
    TargetHooks {
        start: None,
        restart: None,
        stop: None,
        ready: None,
        start_timeout: START_TIMEOUT,
        stop_timeout: STOP_TIMEOUT,
        hook_timeout: HOOK_TIMEOUT,
    }
}

fn hooks(node: &Node, mistakes: &mut Mistakes) -> Option<TargetHooks> {
    let mut fields = Fields::of(node, mistakes)?;
    let ready = fields.get("ready").and_then(|node| match &node.value {
        NodeValue::Scalar(text) if is_url(text) => Some(ReadyCondition::Url(text.clone())),
        _ => command("ready", node, mistakes).map(ReadyCondition::Command),
    });
    let hooks = TargetHooks {
        start: fields.command("start", mistakes),
        restart: fields.command("restart", mistakes),
        stop: fields.command("stop", mistakes),
        ready,
        start_timeout: fields.time("start_timeout", START_TIMEOUT, mistakes),
        stop_timeout: fields.time("stop_timeout", STOP_TIMEOUT, mistakes),
        hook_timeout: fields.time("hook_timeout", HOOK_TIMEOUT, mistakes),
    };
    if hooks.start.is_some() && hooks.restart.is_some() {
        mistakes.add(node.place, tune::mistake_both("start", "restart"));
    }
    fields.finish(mistakes);
    Some(hooks)
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn knobs(node: &Node, target: Option<&TargetHooks>, mistakes: &mut Mistakes) -> Vec<Knob> {
    let NodeValue::List(items) = &node.value else {
        mistakes.add(node.place, tune::mistake_list("knobs"));
        return Vec::new();
    };
    if items.is_empty() || items.len() > MOST_KNOBS {
        mistakes.add(node.place, tune::mistake_count("knobs", MOST_KNOBS));
    }
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for item in items {
        let Some(knob) = knob(item, target, mistakes) else {
            continue;
        };
        if !names.insert(knob.name.clone()) {
            mistakes.add(item.place, tune::mistake_twice(&knob.name));
        }
        found.push(knob);
    }
    found
}

fn knob(node: &Node, target: Option<&TargetHooks>, mistakes: &mut Mistakes) -> Option<Knob> {
    let mut fields = Fields::of(node, mistakes)?;
    let name = fields
        .required("name", mistakes)
        .and_then(|node| scalar("name", node, mistakes));
    let values = values(&mut fields, mistakes);
    let now = fields.required("now", mistakes).and_then(|node| {
        let text = scalar("now", node, mistakes)?;
        let values = values.as_ref()?;
        let found = values.iter().position(|value| value == text);
        if found.is_none() {
            mistakes.add(
                node.place,
                tune::mistake_choice("now", text, values.join(", ")),
            );
        }
        found
    });
    let cheaper = fields.get("cheaper").and_then(|node| {
        let text = scalar("cheaper", node, mistakes)?;
        if !["less", "more", "same"].contains(&text) {
            mistakes.add(
                node.place,
                tune::mistake_choice("cheaper", text, "less, more, same"),
            );
        }
        Some(text)
    });
    let method = method(&mut fields, mistakes);
    let asked = fields.flag("restart", mistakes);
    let read = fields.get("read").and_then(|node| readback(node, mistakes));
    let paste = fields.get("paste").and_then(|node| pasting(node, mistakes));
    fields.finish(mistakes);
    let (name, values, now, method) = (name?, values?, now?, method?);
    let has_start = target.is_some_and(|target| target.start.is_some());
    let can_restart = has_start || target.is_some_and(|target| target.restart.is_some());
    let needs_start = matches!(method, KnobMethod::Env(_) | KnobMethod::Argument(_));
    let is_file = matches!(
        method,
        KnobMethod::Property { .. } | KnobMethod::Template { .. }
    );
    let restart = asked.unwrap_or(needs_start || (is_file && can_restart));
    if needs_start && !has_start {
        mistakes.add(node.place, tune::mistake_needs_start(name));
    } else if restart && !can_restart {
        mistakes.add(node.place, tune::mistake_needs_restart(name));
    }
    if matches!(method, KnobMethod::Manual(_)) && read.is_none() {
        mistakes.add(node.place, tune::mistake_needs_read(name));
    }
    Some(Knob {
        name: name.to_owned(),
        costs: costs(values.len(), cheaper.unwrap_or("less")),
        values,
        now,
        restart,
        method,
        read,
        paste,
    })
}

/// What levels cost: `less` means that the first ones are cheap.
fn costs(count: usize, cheaper: &str) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    let cost = |level: usize| match cheaper {
        "more" => 1.0 - level as f64 / last,
        "same" => 0.0,
        _ => level as f64 / last,
    };
    (0..count).map(cost).collect()
}

fn values(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let place = fields.place();
    let listed = fields.get("values");
    let (from, to) = (
        fields.number("from", mistakes),
        fields.number("to", mistakes),
    );
    let (step, factor) = (
        fields.number("step", mistakes),
        fields.number("factor", mistakes),
    );
    let values = match (listed, from, to) {
        (Some(node), None, None) => {
            let NodeValue::List(items) = &node.value else {
                mistakes.add(node.place, tune::mistake_list("values"));
                return None;
            };
            let items = items
                .iter()
                .map(|item| scalar("values", item, mistakes).map(str::to_owned));
            items.collect::<Option<Vec<String>>>()?
        }
        (None, Some(from), Some(to)) => range(from, to, step, factor),
        _ => {
            mistakes.add(place, tune::mistake_values());
            return None;
        }
    };
    let distinct: BTreeSet<&String> = values.iter().collect();
    if values.len() < 2 || values.len() > MOST_VALUES || distinct.len() < values.len() {
        mistakes.add(place, tune::mistake_values_count(MOST_VALUES));
        return None;
    }
    Some(values)
}

/// Numbers from one to another, by a step or a factor.
fn range(from: f64, to: f64, step: Option<f64>, factor: Option<f64>) -> Vec<String> {
    let mut values = Vec::new();
    let mut value = from;
    while value <= to && values.len() <= MOST_VALUES {
        values.push(format!("{value}"));
        let next = match (step, factor) {
            (_, Some(factor)) if factor > 1.0 => (value * factor).round(),
            (Some(step), _) if step > 0.0 => value + step,
            _ => value + 1.0,
        };
        if next <= value {
            break;
        }
        value = next;
    }
    values
}

const METHODS: &str = "env, argument, property, template, http, command, manual";

fn method(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<KnobMethod> {
    let place = fields.place();
    let mut found = Vec::new();
    let before = mistakes.0.len();
    let text = |key, fields: &mut Fields<'_>, mistakes: &mut Mistakes| {
        fields.text(key, mistakes).map(str::to_owned)
    };
    found.extend(text("env", fields, mistakes).map(KnobMethod::Env));
    found.extend(text("argument", fields, mistakes).map(KnobMethod::Argument));
    found.extend(text("manual", fields, mistakes).map(KnobMethod::Manual));
    found.extend(fields.command("command", mistakes).map(KnobMethod::Command));
    if let Some(node) = fields.get("property") {
        found.extend(two(node, ["file", "key"], mistakes).map(|[file, key]| {
            KnobMethod::Property {
                file: file.into(),
                key,
            }
        }));
    }
    if let Some(node) = fields.get("template") {
        found.extend(two(node, ["file", "from"], mistakes).map(|[file, from]| {
            KnobMethod::Template {
                file: file.into(),
                from: from.into(),
            }
        }));
    }
    if let Some(node) = fields.get("http") {
        found.extend(http(node, mistakes));
    }
    if found.len() == 1 {
        return found.pop();
    }
    if mistakes.0.len() == before {
        mistakes.add(place, tune::mistake_method(METHODS));
    }
    None
}

/// Two texts that must both be there.
fn two(node: &Node, keys: [&'static str; 2], mistakes: &mut Mistakes) -> Option<[String; 2]> {
    let mut fields = Fields::of(node, mistakes)?;
    let mut text = |key| {
        let node = fields.required(key, mistakes)?;
        scalar(key, node, mistakes).map(str::to_owned)
    };
    let (first, second) = (text(keys[0]), text(keys[1]));
    fields.finish(mistakes);
    Some([first?, second?])
}

fn http(node: &Node, mistakes: &mut Mistakes) -> Option<KnobMethod> {
    let mut fields = Fields::of(node, mistakes)?;
    let url = url(&mut fields, mistakes);
    let body = fields.text("body", mistakes).map(str::to_owned);
    let usual = if body.is_some() { "PUT" } else { "POST" };
    let method = fields.text("method", mistakes).unwrap_or(usual).to_owned();
    fields.finish(mistakes);
    Some(KnobMethod::Http {
        method,
        url: url?,
        body,
    })
}

fn url(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let node = fields.required("url", mistakes)?;
    let text = scalar("url", node, mistakes)?;
    if !is_url(text) {
        mistakes.add(node.place, tune::mistake_url(text));
        return None;
    }
    Some(text.to_owned())
}

fn readback(node: &Node, mistakes: &mut Mistakes) -> Option<ReadMethod> {
    let mut fields = Fields::of(node, mistakes)?;
    if let Some(words) = fields.command("command", mistakes) {
        fields.finish(mistakes);
        return Some(ReadMethod::Command(words));
    }
    let url = url(&mut fields, mistakes);
    let pointer = fields.text("json", mistakes).map(str::to_owned);
    let name = fields.text("metric", mistakes).map(str::to_owned);
    let place = fields.place();
    fields.finish(mistakes);
    match (pointer, name) {
        (Some(pointer), None) => Some(ReadMethod::Json { url: url?, pointer }),
        (None, Some(name)) => Some(ReadMethod::Metric { url: url?, name }),
        _ => {
            mistakes.add(place, tune::mistake_method("json, metric"));
            None
        }
    }
}

fn pasting(node: &Node, mistakes: &mut Mistakes) -> Option<PasteText> {
    two(node, ["place", "text"], mistakes).map(|[place, text]| PasteText { place, text })
}

fn limits(node: &Node, knobs: &[Knob], mistakes: &mut Mistakes) -> Vec<HardLimit> {
    let NodeValue::List(items) = &node.value else {
        mistakes.add(node.place, tune::mistake_list("limits"));
        return Vec::new();
    };
    let names: Vec<&str> = knobs.iter().map(|knob| knob.name.as_str()).collect();
    let mut found = Vec::new();
    for item in items {
        let Some(text) = scalar("limits", item, mistakes) else {
            continue;
        };
        let Some(limit) = HardLimit::read(text) else {
            mistakes.add(item.place, tune::mistake_limit(text));
            continue;
        };
        for name in limit.names().filter(|name| !names.contains(name)) {
            mistakes.add(item.place, unknown_knob(name, &names));
        }
        found.push(limit);
    }
    found
}

fn unknown_knob(name: &str, names: &[&str]) -> loadline_text::Message {
    match nearest(name, names.iter().copied()) {
        Some(similar) => tune::mistake_key_misspelt(name, similar),
        None => tune::mistake_knob(name, names.join(", ")),
    }
}

fn guesses(node: &Node, knobs: &[Knob], mistakes: &mut Mistakes) -> Vec<Vec<usize>> {
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

fn budget(node: &Node, mistakes: &mut Mistakes) -> Option<(usize, Duration)> {
    let mut fields = Fields::of(node, mistakes)?;
    let time = fields.time("time", MOST_TIME, mistakes);
    let trials = fields.number("trials", mistakes);
    fields.finish(mistakes);
    let trials = trials.map_or(MOST_TRIALS, |trials| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to a small whole number"
        )]
        let trials = trials.clamp(1.0, 10_000.0) as usize;
        trials
    });
    Some((trials, time))
}

#[cfg(test)]
mod tests;
