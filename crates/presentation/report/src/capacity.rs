//! What a search for capacity came to, in words, tables, pages and files.
//!
//! [`text`] is the whole answer, [`step_row`] one level as it ends, [`table`] the judgement of
//! a curve measured elsewhere, [`compare`] two answers beside each other, [`file`] what is
//! exported, [`page`] one HTML page with the curve.

pub mod compare;
pub mod file;
pub mod page;
pub mod table;
pub(crate) mod words;

use loadline_analysis::capacity::{
    AbortReason, Answer, Ceiling, LevelOutcome, Purpose, SearchEnd, Step, Unit,
};
use loadline_analysis::slo::Term;
use loadline_analysis::usl::{FitError, MIN_LEVELS, UslFit};
use loadline_text::{Catalog, Exit, Message, capacity, grouped, millis, percent, significant};

use crate::grid::{Grid, Side};
use crate::table::Table;
use words::{Words, rate};

/// What an answer does not know of itself.
#[derive(Debug, Clone, Default)]
pub struct CapacityFacts {
    /// The load that was planned: requests or iterations per second, as the unit is.
    pub goal: Option<f64>,
}

/// How the program ends with an answer.
#[must_use]
pub fn exit(answer: &Answer, facts: &CapacityFacts) -> Exit {
    match &answer.end {
        SearchEnd::NotRecovered => Exit::NotRecovered,
        SearchEnd::NoAnswer => Exit::NoAnswer,
        SearchEnd::NoSample { .. } => Exit::InvalidConfig,
        SearchEnd::Interrupted => Exit::Interrupted,
        SearchEnd::AtLeast(Ceiling::Generator(_)) => Exit::GeneratorLimited,
        SearchEnd::AtLeast(_) if answer.line.is_none() => Exit::GeneratorLimited,
        SearchEnd::NoneHolds
        | SearchEnd::MissedAtAnyLoad { .. }
        | SearchEnd::FailsWithoutLoad(_) => Exit::ThresholdsFailed,
        SearchEnd::Found | SearchEnd::OutOfTime | SearchEnd::AtLeast(_) => {
            let line = answer.line.as_ref().map_or(0.0, |line| line.load.middle);
            let beyond = answer.line.as_ref().and_then(|line| line.beyond);
            match facts.goal {
                Some(goal) if line < goal && beyond.is_some() => Exit::ThresholdsFailed,
                _ => Exit::Success,
            }
        }
    }
}

/// The first line: what the search came to.
#[must_use]
pub fn verdict(answer: &Answer, catalog: &Catalog) -> String {
    let words = Words {
        unit: answer.unit,
        terms: &answer.terms,
        catalog,
    };
    words.say(&verdict_message(answer, words))
}

fn verdict_message(answer: &Answer, words: Words<'_>) -> Message {
    let terms = words.objective();
    let line = answer.line.as_ref();
    let (load, requests) = line.map_or_else(Default::default, |line| {
        (words.load(line.load.middle), significant(line.requests))
    });
    let ends = line.map(|line| (line.load.low, line.load.high));
    match (&answer.end, ends) {
        (SearchEnd::Found, Some((low, high))) => {
            capacity::verdict_found(load, requests, terms, words.load(low), words.load(high))
        }
        (SearchEnd::OutOfTime, Some((low, high))) if high.is_finite() => {
            capacity::verdict_time(load, requests, terms, words.load(low), words.load(high))
        }
        (SearchEnd::OutOfTime, Some(_)) => capacity::verdict_time_open(load, requests, terms),
        (SearchEnd::AtLeast(Ceiling::Generator(limits)), Some(_)) => {
            capacity::verdict_generator(load, requests, terms, words.limits(limits))
        }
        (SearchEnd::AtLeast(Ceiling::Users), Some(_)) => {
            capacity::verdict_users(load, requests, terms)
        }
        (SearchEnd::AtLeast(Ceiling::Highest), Some(_)) => {
            capacity::verdict_highest(load, requests, terms)
        }
        (SearchEnd::AtLeast(Ceiling::Goal), Some(_)) => {
            capacity::verdict_goal(load, requests, terms)
        }
        (
            SearchEnd::MissedAtAnyLoad {
                term,
                value,
                from,
                to,
            },
            _,
        ) => {
            let value = answer
                .terms
                .get(*term)
                .map_or_else(String::new, |term| Words::value(term, *value));
            capacity::verdict_any(words.term(*term), value, words.load(*from), words.load(*to))
        }
        (SearchEnd::NoSample { term, known }, _) => {
            capacity::verdict_no_sample(words.term(*term), known.join(", "))
        }
        (SearchEnd::FailsWithoutLoad(share), _) => capacity::verdict_fails(percent(*share)),
        (SearchEnd::NoAnswer, _) => capacity::verdict_no_answer(),
        (SearchEnd::NotRecovered, ends) => {
            let last = answer.steps.iter().rev().find(|s| s.outcome.is_too_much());
            let after = last.map_or_else(String::new, |step| words.load(step.load));
            match ends {
                Some((low, _)) => capacity::verdict_not_recovered(after, words.load(low)),
                None => capacity::verdict_not_recovered_none(after),
            }
        }
        (SearchEnd::Interrupted, Some(_)) => capacity::verdict_interrupted(load),
        (SearchEnd::Interrupted, None) => capacity::verdict_interrupted_none(),
        (_, None) | (SearchEnd::NoneHolds, _) => nothing_holds(answer, words),
    }
}

/// Why not even the lowest level holds.
fn nothing_holds(answer: &Answer, words: Words<'_>) -> Message {
    let too_much = answer.steps.iter().filter(|s| s.outcome.is_too_much());
    let lowest = too_much.reduce(|a, b| if b.load < a.load { b } else { a });
    let Some(lowest) = lowest else {
        return nothing_tried(answer, words);
    };
    let load = words.load(lowest.load);
    if let LevelOutcome::Misses { term, .. } = lowest.outcome
        && let Some(asked) = answer.terms.get(term)
        && let Some(value) = lowest.terms.get(term).and_then(|judged| judged.value)
    {
        return capacity::verdict_none(asked, Words::value(asked, value.middle), load);
    }
    capacity::verdict_none_plain(load)
}

/// Why no level says anything of the target.
fn nothing_tried(answer: &Answer, words: Words<'_>) -> Message {
    let Some(last) = answer.steps.last() else {
        return capacity::verdict_interrupted_none();
    };
    let load = words.load(last.load);
    match &last.outcome {
        LevelOutcome::Invalid(Ceiling::Generator(limits)) => {
            capacity::verdict_generator_none(words.limits(limits), load)
        }
        LevelOutcome::Invalid(_) => capacity::verdict_users_none(load),
        _ => capacity::verdict_interrupted_none(),
    }
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
    );
    if has_capacity && (answer.line.is_some() || answer.peak.is_some()) {
        points.list(words.say(&capacity::row_line()), line_lines(answer, words));
        points.list(words.say(&capacity::row_knee()), knee_lines(answer, words));
        points.list(words.say(&capacity::row_peak()), peak_lines(answer, words));
    }
    if answer.baseline.load > 0.0 {
        let baseline = capacity::baseline(
            millis(answer.baseline.request_ms),
            millis(answer.baseline.p95_ms),
            words.load(answer.baseline.load),
        );
        points.list(
            words.say(&capacity::row_baseline()),
            vec![words.say(&baseline)],
        );
    }
    if let Some(goal) = facts.goal {
        points.list(
            words.say(&capacity::row_goal()),
            vec![goal_line(answer, goal, words)],
        );
    }
    if let Some(soak) = answer.soak {
        let held = &answer.steps[soak.step];
        let load = words.load(held.load);
        let said = if soak.is_carried {
            capacity::soak_holds(load, held.held)
        } else {
            capacity::soak_misses(load, words.outcome(held))
        };
        points.list(words.say(&capacity::row_soak()), vec![words.say(&said)]);
    }
    if answer.line.is_some() {
        points.list(
            words.say(&capacity::row_usl()),
            vec![usl_line(answer, words)],
        );
        let limit = match answer.asks_to_wait {
            Some(_) => capacity::limit_waits(),
            None => capacity::limit_unknown(),
        };
        points.list(words.say(&capacity::row_limit()), vec![words.say(&limit)]);
    }
    for note in notes(answer, words) {
        points.list(words.say(&capacity::row_note()), vec![note]);
    }
    text.push_str(&points.render());
    text.push('\n');
    text.push_str(&steps(answer, words));
    text
}

fn line_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let (Some(line), Some(step)) = (&answer.line, answer.line_step()) else {
        return vec![words.say(&capacity::not_seen())];
    };
    let load = words.load(line.load.middle);
    let mut lines = vec![words.say(&capacity::line(load, significant(line.requests), step.held))];
    if line.load.high.is_finite() {
        let between = capacity::line_between(words.load(line.load.low), words.load(line.load.high));
        lines.push(words.say(&between));
    }
    if let Some(load) = line.interpolated {
        lines.push(words.say(&capacity::line_interpolated(words.load(load))));
    }
    if !line.is_sure {
        let requests = grouped(line.requests * step.held as f64, 0);
        lines.push(words.say(&capacity::line_unsure(requests)));
    }
    lines
}

fn knee_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let Some(knee) = &answer.knee else {
        return vec![words.say(&capacity::not_seen())];
    };
    let mut lines = vec![words.say(&capacity::knee(
        words.load(knee.load.middle),
        words.load(knee.load.low),
        rate(knee.throughput),
        percent(knee.share),
        significant(knee.in_flight),
    ))];
    if let (Some(power), Some(kneedle)) = (knee.power, knee.kneedle) {
        lines.push(words.say(&capacity::second(words.load(power), words.load(kneedle))));
    }
    lines
}

fn peak_lines(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let said = match &answer.peak {
        None => capacity::not_seen(),
        Some(peak) => capacity::peak(
            rate(peak.throughput.middle),
            significant(peak.throughput.low),
            significant(peak.throughput.high),
            words.load(peak.load),
        ),
    };
    vec![words.say(&said)]
}

/// How the line compares with what was planned.
fn goal_line(answer: &Answer, goal: f64, words: Words<'_>) -> String {
    let shown = words.load(goal);
    let line = answer.line.as_ref();
    let load = line.map_or(0.0, |line| line.load.middle);
    let is_open = line.is_some_and(|line| line.beyond.is_none());
    words.say(&if load >= goal {
        capacity::goal_met(shown, percent_of(load / goal - 1.0))
    } else if is_open {
        capacity::goal_unknown(shown)
    } else {
        capacity::goal_missed(shown, percent_of(1.0 - load / goal))
    })
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
            let worst = fit.worst();
            let at = fit
                .residuals
                .iter()
                .position(|r| (r - worst).abs() < f64::EPSILON);
            let at = at.map_or(0.0, |place| place_in_flight(answer, place));
            usl_message(fit, significant(at), significant)
        }
    };
    words.say(&message)
}

/// What a fit says, `at` being where it misses most.
pub(crate) fn usl_message(fit: &UslFit, at: String, load: impl Fn(f64) -> String) -> Message {
    let worst = percent_of(fit.worst().abs());
    let peak = fit.peak().map_or_else(|| "–".to_owned(), &load);
    if !fit.is_trusted() {
        return capacity::usl_misses(worst, at, peak);
    }
    if fit.worst().abs() > 0.05 {
        return capacity::usl_near(worst, at, peak);
    }
    match fit.peak() {
        Some(top) => capacity::usl_good(load(top), rate(fit.at(top)), worst),
        None => capacity::usl_flat(rate(fit.lambda / fit.sigma.max(1e-9)), worst),
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

/// Everything else that was seen.
fn notes(answer: &Answer, words: Words<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(load) = answer.asks_to_wait {
        notes.push(capacity::note_waits(words.load(load)));
    }
    if let Some(late) = answer.late {
        notes.push(capacity::note_late(late));
    }
    if answer.warmed_up {
        notes.push(capacity::note_warm());
    }
    if let Some((then, now)) = answer.slowed {
        let (then, now) = (&answer.steps[then], &answer.steps[now]);
        notes.push(capacity::note_slower(
            words.load(then.load),
            grouped(then.began, 0),
            words.load(now.load),
            grouped(now.began, 0),
        ));
    }
    if let (Some(line), Some(knee)) = (&answer.line, &answer.knee)
        && knee.load.middle > line.load.middle * 1.001
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
    notes.iter().map(|note| words.say(note)).collect()
}

/// All levels, in the order they were held.
fn steps(answer: &Answer, words: Words<'_>) -> String {
    let mut grid = Grid::default();
    for (head, side) in heads(words) {
        grid.column(head, side);
    }
    for step in &answer.steps {
        grid.row(cells(step, words));
    }
    grid.render()
}

fn heads(words: Words<'_>) -> Vec<(String, Side)> {
    let head = |message: Message| words.say(&message);
    let plain = |text: &str| text.to_owned();
    vec![
        (head(capacity::column_load()), Side::Right),
        (head(capacity::column_why()), Side::Left),
        (head(capacity::column_rate()), Side::Right),
        (head(capacity::column_requests()), Side::Right),
        (head(loadline_text::messages::column_mean()), Side::Right),
        (plain("p50"), Side::Right),
        (plain("p95"), Side::Right),
        (plain("p99"), Side::Right),
        (head(loadline_text::messages::row_errors()), Side::Right),
        (head(capacity::column_in_flight()), Side::Right),
        (head(capacity::column_cpu()), Side::Right),
        (head(capacity::column_held()), Side::Right),
        (head(capacity::column_outcome()), Side::Left),
    ]
}

fn cells(step: &Step, words: Words<'_>) -> Vec<String> {
    let at = |share: f64| {
        step.durations
            .percentile(share)
            .map_or_else(String::new, millis)
    };
    vec![
        words.load(step.load),
        words.purpose(step.purpose),
        significant(step.throughput.middle),
        significant(step.requests),
        step.durations.mean().map_or_else(String::new, millis),
        at(0.5),
        at(0.95),
        at(0.99),
        percent(step.errors),
        significant(step.in_flight),
        step.target_cpu.map_or_else(String::new, percent),
        format!("{} s", step.held),
        words.outcome(step),
    ]
}

/// A level as it ends, in one line; `asked` are the unit of loads and the objective.
#[must_use]
pub fn step_row(step: &Step, (unit, terms): (Unit, &[Term]), catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms,
        catalog,
    };
    let p95 = step
        .durations
        .percentile(0.95)
        .map_or_else(|| "–".to_owned(), millis);
    format!(
        "{:>9}  {:>9}  p95 {:>9}  {:>8}  {}",
        words.load(step.load),
        rate(step.throughput.middle),
        p95,
        percent(step.errors),
        words.outcome(step)
    )
}

/// That a level begins, in one line.
#[must_use]
pub fn holding(load: f64, purpose: Purpose, unit: Unit, catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    words.say(&capacity::holding(words.load(load), words.purpose(purpose)))
}

/// Why a level is held.
#[must_use]
pub fn purpose(purpose: Purpose, catalog: &Catalog) -> String {
    let words = Words {
        unit: Unit::Rate,
        terms: &[],
        catalog,
    };
    words.purpose(purpose)
}

/// A load in its unit.
#[must_use]
pub fn load(load: f64, unit: Unit, catalog: &Catalog) -> String {
    let words = Words {
        unit,
        terms: &[],
        catalog,
    };
    words.load(load)
}

#[cfg(test)]
mod tests;
