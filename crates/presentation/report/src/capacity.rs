//! What a search for capacity came to, in words, tables, pages and files.
//!
//! [`text`] is the whole answer, [`step_row`] one level as it ends, [`table`] the judgement of
//! a curve measured elsewhere, [`compare`] two answers beside each other, [`file`] what is
//! exported, [`document`] the whole answer with its curve.

pub mod compare;
pub mod document;
pub mod file;
mod goal;
mod kept;
mod laws;
mod levels;
mod likely;
pub mod shown;
pub mod table;
mod verdict;
pub(crate) mod words;

use loadline_analysis::capacity::{
    AbortReason, Answer, LevelOutcome, Purpose, SearchEnd, SoakEnd, Step, Unit,
};
use loadline_analysis::compare::TargetSettings;
use loadline_analysis::usl::{FitError, MIN_LEVELS, UslFit};
use loadline_record::LimitVerdict;
use loadline_text::{Catalog, Message, capacity, explain, grouped, latency, millis, significant};

use crate::explanation::verdict as explained;
use crate::table::Table;
use goal::AskedLoad;
use levels::steps;
use likely::LikelyLine;
use words::{Words, peak_rate, rate};

pub(crate) use kept::{SoakWords, outcome_of, soak_told};
pub use levels::{about, holding, load, purpose, step_row};
pub use verdict::{exit, verdict};

/// Loads up to so many times another are about as high.
const ABOUT_AS_HIGH: f64 = 1.05;
/// A level on the way up takes 5 s; one that takes longer than this waits for slow iterations.
const CLIMB_SECONDS_SLOW: f64 = 7.0;
/// A curve that is off by more than this share is said to be near only.
const USL_NEAR_SHARE: f64 = 0.05;

/// What an answer does not know of itself.
#[derive(Debug, Clone, Default)]
pub struct CapacityFacts {
    /// The load that was planned: requests or iterations per second, as the unit is.
    pub goal: Option<f64>,
    /// What limits, as `explain` says of the level that shows it; `None` where nothing was stored.
    pub limit: Option<LimitVerdict>,
    /// How the target was set up, as far as it was observed.
    pub target: TargetSettings,
}

/// The whole answer; ends with a line break.
#[must_use]
pub fn text(answer: &Answer, facts: &CapacityFacts, catalog: &Catalog) -> String {
    let words = Words {
        unit: answer.unit,
        terms: &answer.terms,
        catalog,
    };
    let mut text = format!("{}\n\n", verdict(answer, catalog));
    let mut points = Table::default();
    let has_capacity = !matches!(
        answer.end,
        SearchEnd::MissedAtAnyLoad { .. }
            | SearchEnd::FailsWithoutLoad(_)
            | SearchEnd::NoSample { .. }
            | SearchEnd::NoRequests { .. }
    );
    if has_capacity && (answer.line.is_some() || answer.peak.is_some()) {
        points.list(words.text(&capacity::row_line()), line_lines(answer, words));
        points.list(words.text(&capacity::row_knee()), knee_lines(answer, words));
        points.list(words.text(&capacity::row_peak()), peak_lines(answer, words));
    }
    if answer.baseline.load > 0.0 {
        let baseline = capacity::baseline(
            latency(answer.baseline.request_ms),
            latency(answer.baseline.p95_ms),
            words.load(answer.baseline.load),
        );
        points.list(
            words.text(&capacity::row_baseline()),
            vec![words.text(&baseline)],
        );
    }
    if let Some(goal) = facts.goal {
        points.list(
            words.text(&capacity::row_goal()),
            vec![AskedLoad::of_answer(answer, goal, words).row(words)],
        );
    }
    if let Some(soak) = answer.soak {
        let held = &answer.steps[soak.step];
        let load = words.load(held.load);
        let said = match soak.end {
            SoakEnd::Held => capacity::soak_holds(load, held.held),
            SoakEnd::Missed => capacity::soak_misses(load, words.outcome(held)),
            SoakEnd::Unknown if held.outcome == LevelOutcome::Cut => {
                capacity::soak_cut(load, held.held)
            }
            SoakEnd::Unknown => capacity::soak_unknown(load, held.held, words.outcome(held)),
        };
        points.list(words.text(&capacity::row_soak()), vec![words.text(&said)]);
    }
    if answer.line.is_some() {
        points.list(
            words.text(&capacity::row_usl()),
            vec![usl_line(answer, words)],
        );
    }
    if answer.line.is_some() || facts.limit.is_some() {
        // What the target itself says needs no level that was held.
        let is_asked = |limit: &&LimitVerdict| answer.asks_to_wait.is_some() && !limit.is_cause();
        let limit = match facts.limit.as_ref() {
            Some(limit) if is_asked(&limit) => vec![words.text(&capacity::limit_waits())],
            Some(limit) => limit_lines(limit, answer.unit, catalog),
            None if answer.asks_to_wait.is_some() => vec![words.text(&capacity::limit_waits())],
            None => vec![words.text(&capacity::limit_not_stored())],
        };
        points.list(words.text(&capacity::row_limit()), limit);
    }
    for note in notes(answer, words) {
        points.list(words.text(&capacity::row_note()), vec![note]);
    }
    text.push_str(&points.render());
    text.push('\n');
    text.push_str(&steps(answer, words));
    text
}

/// What limits, at which load, and what to do about it.
fn limit_lines(limit: &LimitVerdict, unit: Unit, catalog: &Catalog) -> Vec<String> {
    let text = explained::text(limit, catalog);
    let text = match limit.load {
        Some(at) => catalog.text(&capacity::limit_at(load(at, unit, catalog), text)),
        None => text,
    };
    let advice = explained::advised(limit, catalog).into_iter();
    let advice = advice.map(|line| catalog.text(&explain::advice_is(line)));
    std::iter::once(text).chain(advice).collect()
}

fn line_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let (Some(line), Some(step)) = (&answer.line, answer.line_step()) else {
        return vec![words.text(&capacity::not_seen())];
    };
    let load = words.load(line.load.middle);
    let mut lines = vec![words.text(&capacity::line(load, significant(line.requests), step.held))];
    let (low, high) = (words.load(line.load.low), words.load(line.load.high));
    if line.load.high.is_finite() && low != high {
        lines.push(words.text(&capacity::line_between(low, high)));
    }
    if let Some(likely) = LikelyLine::of_answer(answer) {
        lines.push(likely.row(words));
    } else if let Some(load) = line.interpolated {
        lines.push(words.text(&capacity::line_interpolated(words.about(load))));
    }
    if !line.is_sure {
        let requests = grouped(step.requests * step.held as f64, 0);
        lines.push(words.text(&if line.is_doubted {
            capacity::line_doubted()
        } else if answer.end == SearchEnd::OutOfTime {
            capacity::line_unsure_time(requests)
        } else {
            capacity::line_unsure(requests)
        }));
    }
    lines
}

fn knee_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let Some(knee) = &answer.knee else {
        return vec![words.text(&capacity::not_seen())];
    };
    let mut lines = vec![kept::knee(&file::KneeInFile::from(knee), words)];
    if let (Some(power), Some(kneedle)) = (knee.power, knee.kneedle) {
        lines.push(words.text(&capacity::second(words.load(power), words.load(kneedle))));
    }
    lines
}

fn peak_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let said = match &answer.peak {
        None => capacity::not_seen(),
        Some(peak) => capacity::peak(peak_rate(&peak.throughput), words.load(peak.load)),
    };
    vec![words.text(&said)]
}

/// A share in whole percent, which may exceed the whole.
fn percent_of(share: f64) -> String {
    format!("{} %", grouped(share * 100.0, 0))
}

fn usl_line(answer: &Answer, words: Words<'_>) -> String {
    let message = match &answer.usl {
        Err(FitError::TooFewLevels { found }) => capacity::usl_none(found, MIN_LEVELS),
        Err(_) => capacity::usl_failed(),
        Ok(fit) => {
            if let Some(step) = contradiction(answer, fit).filter(|_| fit.is_trusted()) {
                let measured = rate(step.throughput.middle);
                return words.text(&capacity::usl_contradicted(
                    significant(step.in_flight),
                    measured,
                ));
            }
            let worst = fit.worst();
            let at = fit
                .residuals
                .iter()
                .position(|r| (r - worst).abs() < f64::EPSILON);
            let at = at.map_or(0.0, |place| place_in_flight(answer, place));
            let curve = answer.curve();
            let measured = curve.iter().map(|step| step.throughput.middle);
            let measured = measured.fold(0.0, f64::max);
            usl_message(fit, significant(at), measured, significant)
        }
    };
    words.text(&message)
}

/// A fit that gives so much more than was measured is not used.
const USL_ABOVE_MEASURED: f64 = 1.1;
/// Nor is one whose highest rate is so many times what was carried at most: nothing was seen of it there.
const USL_BEYOND_MEASURED: f64 = 1.5;

/// The level with the most in flight, where it completed far less than the fit gives: levels that were too much are not part
/// of the fit.
fn contradiction<'a>(answer: &'a Answer, fit: &UslFit) -> Option<&'a Step> {
    let steps = answer.steps.iter();
    let too_much = steps.filter(|step| step.outcome == LevelOutcome::Overloaded);
    let busiest = too_much.max_by(|a, b| a.in_flight.total_cmp(&b.in_flight))?;
    let most = fit
        .peak()
        .map_or(busiest.in_flight, |peak| peak.min(busiest.in_flight));
    let given = fit.at(most).max(fit.at(busiest.in_flight));
    (given > USL_ABOVE_MEASURED * busiest.throughput.middle).then_some(busiest)
}

/// What a fit says, `at` being where it misses most and `measured` the highest rate among its levels.
pub(crate) fn usl_message(
    fit: &UslFit,
    at: String,
    measured: f64,
    load: impl Fn(f64) -> String,
) -> Message {
    let worst = percent_of(fit.worst().abs());
    let peak = fit.peak().map(&load);
    let ceiling = fit.ceiling();
    if fit.is_trusted() && ceiling.is_finite() && ceiling > USL_BEYOND_MEASURED * measured {
        return capacity::usl_beyond(worst, rate(measured));
    }
    match (peak, fit.peak()) {
        (Some(peak), _) if !fit.is_trusted() => capacity::usl_misses(worst, at, peak),
        (None, _) if !fit.is_trusted() => capacity::usl_misses_flat(worst, at),
        (Some(peak), _) if fit.worst().abs() > USL_NEAR_SHARE => {
            capacity::usl_near(worst, at, peak)
        }
        (None, _) if fit.worst().abs() > USL_NEAR_SHARE => capacity::usl_near_flat(worst, at),
        (Some(peak), Some(top)) => capacity::usl_good(peak, rate(fit.at(top)), worst),
        // What grows in proportion has no bound that was seen.
        _ if fit.sigma <= 0.0 => capacity::usl_linear(worst),
        _ => capacity::usl_flat(rate(fit.lambda / fit.sigma), worst),
    }
}

/// Iterations in flight at a level of the curve: levels by load, as the fit took them.
fn place_in_flight(answer: &Answer, place: usize) -> f64 {
    let mut curve = answer.curve();
    if place < curve.len() {
        curve.swap_remove(place).in_flight
    } else {
        0.0
    }
}

/// Whether a load about as high, or lower, was too much later, too.
fn is_still_slow(later: &[Step], slow: &Step) -> bool {
    let mut later = later.iter();
    later.any(|step| step.outcome.is_too_much() && step.load <= slow.load * ABOUT_AS_HIGH)
}

/// That the target got slower for good, by what this was seen, and which of the two the line is of.
fn slower(answer: &Answer, words: Words<'_>) -> Vec<Message> {
    let Some((before, after)) = answer.slowed else {
        return Vec::new();
    };
    let (then, now) = (&answer.steps[before], &answer.steps[after]);
    let [began, again] = [then, now].map(|step| grouped(step.began, 0));
    let (held, missed) = (words.load(then.load), words.load(now.load));
    if then.outcome.is_carried() && !is_still_slow(&answer.steps[after + 1..], now) {
        return vec![capacity::note_slower_once(held, began, missed, again)];
    }
    let seen = if then.outcome.is_carried() {
        capacity::note_slower(held, began, missed, again)
    } else {
        let [much, little] = [then, now].map(|step| rate(step.throughput.middle));
        capacity::note_completes_less(much, began, little, missed, again)
    };
    let result = answer.line.as_ref().map(|line| {
        if line.step < after {
            capacity::note_slower_unsure()
        } else {
            capacity::note_slower_result()
        }
    });
    std::iter::once(seen).chain(result).collect()
}

/// Levels on the way up that took much longer than they usually do, where the time was up before a level was too much.
fn slow_levels(answer: &Answer) -> Option<Message> {
    let is_open = answer
        .line
        .as_ref()
        .is_some_and(|line| line.beyond.is_none());
    if answer.end != SearchEnd::OutOfTime || !is_open {
        return None;
    }
    let mut took: Vec<f64> = answer
        .steps
        .windows(2)
        .filter(|pair| pair[0].purpose == Purpose::Climb)
        .map(|pair| pair[1].began - pair[0].began)
        .collect();
    took.sort_by(f64::total_cmp);
    let usual = *took.get(took.len() / 2)?;
    (usual > CLIMB_SECONDS_SLOW).then(|| {
        let iteration = latency(answer.baseline.iteration_ms);
        capacity::note_slow_levels(grouped(usual, 0), iteration)
    })
}

/// Everything else that was seen.
fn notes(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(slow_levels(answer));
    if let Some(load) = answer.asks_to_wait {
        notes.push(capacity::note_waits(words.load(load)));
    }
    if let Some(late) = answer.late {
        notes.push(capacity::note_late(late));
    }
    if answer.warmed_up {
        notes.push(capacity::note_warm());
    }
    notes.extend(slower(answer, words));
    if let (Some(line), Some(knee)) = (&answer.line, &answer.knee)
        && knee.load.middle > line.load.middle * 1.001
        && answer.slowed.is_none_or(|(_, now)| line.step >= now)
    {
        notes.push(capacity::note_knee_above());
    }
    if let Some(pauses) = answer.pauses {
        let every = significant(pauses.every);
        notes.push(capacity::note_pauses(
            millis(pauses.about_ms),
            every,
            pauses.count,
        ));
    }
    let is_death = |s: &&Step| {
        matches!(
            s.outcome,
            LevelOutcome::Aborted(AbortReason::Refused | AbortReason::NoAnswers)
        )
    };
    if let Some(death) = answer.steps.iter().rfind(is_death)
        && answer.line.is_some()
    {
        notes.push(capacity::note_died(words.load(death.load)));
    }
    for step in answer.steps.iter().filter(|s| !s.outcome.is_too_much()) {
        if let Some(off) = step.off_law {
            notes.push(capacity::note_law(
                words.load(step.load),
                percent_of(off.abs()),
            ));
        }
    }
    notes.iter().map(|note| words.text(note)).collect()
}

#[cfg(test)]
mod tests;
