//! Reads a study file.

mod bounds;
mod knobs;
mod method;
mod values;

use std::path::Path;
use std::time::Duration;

use loadline_analysis::tuning::goal::TuningGoal;
use loadline_text::tune;

use super::fields::{Fields, Mistakes, command, command_words, is_url, scalar};
use super::tree::{self, Node, NodeValue};
use super::{ReadyCondition, StudyFile, StudyMistake, TargetHooks};
use bounds::{DEFAULT_TIME_MAX, DEFAULT_TRIALS_MAX, budget, guesses, limits};
use knobs::{knob_names, knobs};

const DEFAULT_PAUSE: Duration = Duration::from_secs(1);
const DEFAULT_START_TIMEOUT: Duration = Duration::from_secs(60);
const DEFAULT_STOP_TIMEOUT: Duration = Duration::from_secs(15);
const DEFAULT_HOOK_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads the text of a study file that stands in `folder`.
///
/// # Errors
/// All mistakes, in the order of their lines.
pub fn read(text: &str, name: &str, folder: &Path) -> Result<StudyFile, Vec<StudyMistake>> {
    let mut mistakes = Mistakes::default();
    let file = match tree::parse(text) {
        Ok(root) if root.value == NodeValue::Null => {
            mistakes.add(root.place, tune::mistake_empty());
            None
        }
        Ok(root) => read_as_meant(root, name, folder, &mut mistakes),
        Err(malformed) => {
            mistakes.add(malformed.place, malformed.what);
            None
        }
    };
    let mut mistakes = mistakes.all;
    mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
    match file {
        Some(file) if mistakes.is_empty() => Ok(file),
        _ => Err(mistakes),
    }
}

/// Reads a study; what stands under a misspelt name is read under the name that was meant, so that
/// its mistakes are told, too.
fn read_as_meant(
    mut root: Node,
    name: &str,
    folder: &Path,
    mistakes: &mut Mistakes,
) -> Option<StudyFile> {
    loop {
        let mut found = Mistakes::default();
        let file = study(&root, name, folder, &mut found);
        if found.misspelt.is_empty() {
            mistakes.all.append(&mut found.all);
            return file;
        }
        // The others come again, unless they are about a name that was there all along.
        let is_misspelt = |one: &StudyMistake| {
            let mut places = found.misspelt.iter();
            places.any(|(place, _)| *place == (one.line, one.column))
        };
        let misspelt = found.all.iter().filter(|one| is_misspelt(one));
        mistakes.all.extend(misspelt.cloned());
        for (place, meant) in &found.misspelt {
            root.rename(*place, meant);
        }
    }
}

fn study(root: &Node, name: &str, folder: &Path, mistakes: &mut Mistakes) -> Option<StudyFile> {
    let mut fields = Fields::from_map(root, mistakes)?;
    let name = fields.text("name", mistakes).unwrap_or(name).to_owned();
    let test_node = fields.required("test", mistakes);
    let test = test_node.and_then(|node| test_arguments(node, mistakes));
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
    let pause = fields.time("pause", DEFAULT_PAUSE, mistakes);
    let answers = fields.get("answers");
    let same_answers = answers.is_none_or(|node| same_answers(node, mistakes));
    let when_met = fields.get("when_met");
    let stops_when_met = when_met.is_none_or(|node| stops_when_met(node, mistakes));
    let target = fields.get("target");
    let target = target.map_or_else(|| Some(no_hooks()), |node| hooks(node, mistakes));
    let before = mistakes.all.len();
    let knobs_node = fields.required("knobs", mistakes);
    let names = knobs_node.and_then(knob_names);
    let knobs = knobs_node.map(|node| knobs(node, target.as_ref(), mistakes));
    let known = knobs.as_deref().unwrap_or_default();
    // Beside a knob with a mistake its name would be told as unknown.
    let are_whole = mistakes.all.len() == before;
    let limits_node = fields.get("limits");
    let limits = limits_node.map(|node| limits(node, names.as_deref(), known, mistakes));
    let guessed = fields.get("guesses").filter(|_| are_whole);
    let guesses = guessed.map(|node| guesses(node, known, mistakes));
    let budget = fields.get("budget").and_then(|node| budget(node, mistakes));
    let (most_trials, most_time) = budget.unwrap_or((DEFAULT_TRIALS_MAX, DEFAULT_TIME_MAX));
    fields.finish(mistakes);
    let (goal_text, goal) = goal?;
    let file = StudyFile {
        name,
        test: test?,
        test_place: test_node?.place,
        goal,
        goal_text,
        warm_up,
        pause,
        target: target?,
        knobs: knobs?,
        limits: limits.unwrap_or_default(),
        guesses: guesses.unwrap_or_default(),
        most_trials,
        same_answers,
        stops_when_met,
        most_time,
        folder: folder.to_owned(),
    };
    let is_whole = mistakes.all.is_empty();
    if let Some(node) = limits_node.filter(|_| is_whole && !file.has_choice()) {
        mistakes.add(node.place, tune::mistake_no_choice());
    }
    Some(file)
}

/// Whether nothing else is tried where the target meets the goal as it is.
fn stops_when_met(node: &Node, mistakes: &mut Mistakes) -> bool {
    match scalar("when_met", node, mistakes).unwrap_or("stop") {
        "stop" => true,
        "cheaper" => false,
        other => {
            mistakes.add(node.place, tune::mistake_when_met(other));
            true
        }
    }
}

/// Whether settings are held to the answers of now.
fn same_answers(node: &Node, mistakes: &mut Mistakes) -> bool {
    let text = scalar("answers", node, mistakes).unwrap_or("same");
    match text {
        "same" => true,
        "any" => false,
        other => {
            mistakes.add(node.place, tune::mistake_answers(other));
            true
        }
    }
}

/// The arguments of `loadline run`.
fn test_arguments(node: &Node, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let Some(words) = command_words(node) else {
        mistakes.add(node.place, tune::mistake_test());
        return None;
    };
    if ["loadline", "run"].contains(&words[0].as_str()) {
        mistakes.add(node.place, tune::mistake_test_begins(&words[0]));
        return None;
    }
    Some(words)
}

fn goal(node: &Node, mistakes: &mut Mistakes) -> Option<(String, TuningGoal)> {
    let text = scalar("goal", node, mistakes)?;
    match text.parse::<TuningGoal>() {
        Ok(goal) => Some((text.trim().to_owned(), goal)),
        Err(error) => {
            mistakes.add(node.place, error.words());
            None
        }
    }
}

const fn no_hooks() -> TargetHooks {
    TargetHooks {
        place: (1, 1),
        start: None,
        restart: None,
        stop: None,
        ready: None,
        start_timeout: DEFAULT_START_TIMEOUT,
        stop_timeout: DEFAULT_STOP_TIMEOUT,
        hook_timeout: DEFAULT_HOOK_TIMEOUT,
    }
}

fn hooks(node: &Node, mistakes: &mut Mistakes) -> Option<TargetHooks> {
    let mut fields = Fields::from_map(node, mistakes)?;
    let ready = fields.get("ready").and_then(|node| match &node.value {
        NodeValue::Scalar(text) if is_url(text) => Some(ReadyCondition::Url(text.clone())),
        _ => command("ready", node, mistakes).map(ReadyCondition::Command),
    });
    let hooks = TargetHooks {
        place: node.place,
        start: fields.command("start", mistakes),
        restart: fields.command("restart", mistakes),
        stop: fields.command("stop", mistakes),
        ready,
        start_timeout: fields.time_above_zero("start_timeout", DEFAULT_START_TIMEOUT, mistakes),
        stop_timeout: fields.time("stop_timeout", DEFAULT_STOP_TIMEOUT, mistakes),
        hook_timeout: fields.time_above_zero("hook_timeout", DEFAULT_HOOK_TIMEOUT, mistakes),
    };
    if hooks.start.is_some() && hooks.restart.is_some() {
        mistakes.add(node.place, tune::mistake_both("start", "restart"));
    }
    fields.finish(mistakes);
    Some(hooks)
}

#[cfg(test)]
mod tests;
