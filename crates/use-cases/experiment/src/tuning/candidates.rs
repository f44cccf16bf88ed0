//! Which settings are tried.

use std::collections::BTreeSet;

use loadline_units::random::Random;

use super::tried::TriedSettings;

/// The part of a range that the first steps go.
pub(super) const FIRST_STEP: f64 = 1.0 / 3.0;
/// Settings of the Latin hypercube for each knob.
const SETTINGS_PER_KNOB: usize = 2;
/// Settings of which is asked whether they may be the best.
const OPEN_MAX: usize = 240;
/// Settings around which others are looked for.
const CENTERS_MAX: usize = 6;
/// Knobs that are changed two at a time.
const PAIRED_KNOBS_MAX: usize = 3;

/// First guesses, the ends of each knob's range, and a Latin hypercube between them: `most`
/// settings at most.
pub(super) fn first(
    tried: &mut TriedSettings,
    guesses: &[Vec<usize>],
    most: usize,
    random: &Random,
) -> Vec<usize> {
    let start = tried.space.start();
    let levels: Vec<usize> = tried
        .space
        .knobs
        .iter()
        .map(super::KnobSpace::levels)
        .collect();
    let mut settings: Vec<Vec<usize>> = guesses.to_vec();
    for (knob, count) in levels.iter().enumerate() {
        for level in [0, count - 1] {
            let mut setting = start.clone();
            setting[knob] = level;
            settings.push(setting);
        }
    }
    if let [only] = levels[..] {
        // One knob: its levels in between, too.
        let steps = (only / 6).max(1);
        settings.extend((0..only).step_by(steps).map(|level| vec![level]));
    } else {
        settings.extend(hypercube(&levels, SETTINGS_PER_KNOB * levels.len(), random));
    }
    let mut ids = new_ids(tried, settings);
    ids.truncate(most);
    ids
}

/// A Latin hypercube: in each knob every part of the range is met once.
fn hypercube(levels: &[usize], count: usize, random: &Random) -> Vec<Vec<usize>> {
    let mut settings = vec![vec![0; levels.len()]; count];
    for (knob, all) in levels.iter().enumerate() {
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            parts.swap(last, random.below(last + 1));
        }
        for (setting, part) in settings.iter_mut().zip(parts) {
            setting[knob] = (part * all + all / 2) / count;
        }
    }
    settings
}

/// The numbers of those that may be tried and were not.
fn new_ids(tried: &mut TriedSettings, settings: Vec<Vec<usize>>) -> Vec<usize> {
    let mut ids = Vec::new();
    for setting in settings {
        if !(tried.space.allowed)(&setting) {
            continue;
        }
        let id = tried.id(&setting);
        if id != TriedSettings::START_SETTING && !tried.is_tried(id) && !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// How many levels a step goes in a knob.
fn step_of(levels: usize, step: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    let step = (levels as f64 * step).round().max(1.0) as usize;
    step
}

/// Whether all steps are single levels.
pub(super) fn is_smallest(tried: &TriedSettings, step: f64) -> bool {
    let mut knobs = tried.space.knobs.iter();
    knobs.all(|knob| step_of(knob.levels(), step) == 1)
}

/// The neighbours of a setting: one knob up or down, and with single steps two knobs at once.
pub(super) fn around(tried: &mut TriedSettings, center: usize, step: f64) -> Vec<usize> {
    let center = tried.setting(center).to_vec();
    let mut settings = Vec::new();
    for knob in 0..center.len() {
        for up in [true, false] {
            settings.extend(moved(tried, &center, knob, step, up));
        }
    }
    if is_smallest(tried, step) {
        for first in 0..center.len().min(PAIRED_KNOBS_MAX) {
            for second in first + 1..center.len().min(PAIRED_KNOBS_MAX) {
                for (up, also_up) in [(true, true), (true, false), (false, true), (false, false)] {
                    let once = moved(tried, &center, first, step, up);
                    settings
                        .extend(once.and_then(|once| moved(tried, &once, second, step, also_up)));
                }
            }
        }
    }
    new_ids(tried, settings)
}

/// The neighbours that cost less, and for each knob its cheapest level: what lies between a
/// setting and a cheap one need not work for the cheap one to work.
pub(super) fn cheaper(tried: &mut TriedSettings, center: usize, step: f64) -> Vec<usize> {
    let of_center = tried.space.cost(tried.setting(center));
    let ends = (0..tried.space.knobs.len()).map(|knob| {
        let costs = &tried.space.knobs[knob].costs;
        let mut setting = tried.setting(center).to_vec();
        setting[knob] = (0..costs.len())
            .min_by(|a, b| costs[*a].total_cmp(&costs[*b]))
            .unwrap_or(setting[knob]);
        setting
    });
    let ends = ends.collect();
    let mut all = around(tried, center, step);
    let ends = new_ids(tried, ends);
    all.extend(
        ends.into_iter()
            .filter(|id| !all.contains(id))
            .collect::<Vec<_>>(),
    );
    let is_cheaper = |id: &usize| tried.space.cost(tried.setting(*id)) < of_center;
    all.into_iter().filter(is_cheaper).collect()
}

/// The nearest settings that cost less than `center`, may be tried and were not: a single level
/// down in a single knob.
pub(super) fn cheaper_untried(tried: &TriedSettings, center: usize) -> Vec<Vec<usize>> {
    let setting = tried.setting(center);
    let of_center = tried.space.cost(setting);
    let near = (0..setting.len()).flat_map(|knob| {
        let steps = [true, false].into_iter();
        steps.filter_map(move |up| moved(tried, setting, knob, 0.0, up))
    });
    near.filter(|near| tried.space.cost(near) < of_center && (tried.space.allowed)(near))
        .filter(|near| !tried.find(near).is_some_and(|id| tried.is_tried(id)))
        .collect()
}

/// Settings that may be the best: all that there are, or where those are many, `best` and what lies around the first of them, and
/// others anywhere.
pub(super) fn open(
    tried: &TriedSettings,
    best: Vec<Vec<usize>>,
    random: &Random,
) -> Vec<Vec<usize>> {
    let levels: Vec<usize> = tried
        .space
        .knobs
        .iter()
        .map(super::KnobSpace::levels)
        .collect();
    let mut settings = best;
    if tried.space.size() <= OPEN_MAX {
        settings = (0..tried.space.size())
            .map(|number| numbered(number, &levels))
            .collect();
    } else {
        let centers: Vec<Vec<usize>> = settings.iter().take(CENTERS_MAX).cloned().collect();
        for center in &centers {
            for knob in 0..center.len() {
                for up in [true, false] {
                    settings.extend(moved(tried, center, knob, 0.0, up));
                }
            }
        }
        settings.extend(hypercube(&levels, OPEN_MAX / 2, random));
    }
    let mut seen = BTreeSet::new();
    settings.retain(|setting| seen.insert(setting.clone()) && tried.is_open(setting));
    settings.truncate(OPEN_MAX);
    settings
}

/// The setting with this number of all.
fn numbered(mut number: usize, levels: &[usize]) -> Vec<usize> {
    let each = levels.iter().map(|count| {
        let level = number % count;
        number /= count;
        level
    });
    each.collect()
}

fn moved(
    tried: &TriedSettings,
    from: &[usize],
    knob: usize,
    step: f64,
    up: bool,
) -> Option<Vec<usize>> {
    let levels = tried.space.knobs[knob].levels();
    let by = step_of(levels, step);
    let level = if up {
        (from[knob] + by).min(levels - 1)
    } else {
        from[knob].saturating_sub(by)
    };
    let mut setting = from.to_vec();
    setting[knob] = level;
    (level != from[knob]).then_some(setting)
}

/// The winner with each of its changes taken back alone; tried ones, too.
pub(super) fn without(tried: &mut TriedSettings, winner: usize) -> Vec<usize> {
    let start = tried.space.start();
    let winner = tried.setting(winner).to_vec();
    let changed: Vec<usize> = (0..start.len())
        .filter(|knob| start[*knob] != winner[*knob])
        .collect();
    if changed.len() < 2 {
        return Vec::new();
    }
    let mut ids = Vec::new();
    for knob in changed {
        let mut setting = winner.clone();
        setting[knob] = start[knob];
        if (tried.space.allowed)(&setting) {
            let id = tried.id(&setting);
            if !tried.is_excluded(id) {
                ids.push(id);
            }
        }
    }
    ids
}
