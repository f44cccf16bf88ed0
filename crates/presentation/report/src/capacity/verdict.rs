//! The first line: what was found, and the exit code.

use loadline_analysis::capacity::{Answer, Ceiling, LevelOutcome, SearchEnd, SentAtLoad, Unit};
use loadline_analysis::slo::Statistic;
use loadline_record::FAULTS_ALLOWED;
use loadline_text::{Catalog, Exit, Message, capacity, grouped, percent, significant, verdicts};

use super::CapacityFacts;
use super::file::FaultsInFile;
use super::words::Words;

/// Whether more fail than may.
fn is_much(part: f64, all: f64) -> bool {
    part > FAULTS_ALLOWED * all
}

/// How the program ends with an answer.
#[must_use]
pub fn exit(answer: &Answer, facts: &CapacityFacts) -> Exit {
    match &answer.end {
        SearchEnd::NotRecovered => Exit::NotRecovered,
        SearchEnd::NoAnswer => Exit::NoAnswer,
        SearchEnd::NoRequests { iterations, broken } if is_much(*broken, *iterations) => {
            Exit::FellShort
        }
        SearchEnd::NoSample { .. } | SearchEnd::NoRequests { .. } => Exit::InvalidConfig,
        SearchEnd::Interrupted => Exit::Interrupted,
        _ if hardly_tried(answer).is_some() && unjudged(answer).is_empty() => Exit::CannotJudge,
        SearchEnd::AtLeast(Ceiling::Generator(_)) => Exit::GeneratorLimited,
        SearchEnd::AtLeast(_) if answer.line.is_none() => Exit::GeneratorLimited,
        SearchEnd::NoneHolds
        | SearchEnd::MissedAtAnyLoad { .. }
        | SearchEnd::FailsWithoutLoad(_) => Exit::ThresholdsFailed,
        SearchEnd::OutOfTime if answer.line.is_none() => Exit::CannotJudge,
        SearchEnd::Found | SearchEnd::OutOfTime | SearchEnd::AtLeast(_) => {
            let line = answer.line.as_ref().map_or(0.0, |line| line.load.middle);
            let beyond = answer.line.as_ref().and_then(|line| line.beyond);
            match facts.goal {
                Some(goal) if line < goal && beyond.is_some() => Exit::ThresholdsFailed,
                _ if !unjudged(answer).is_empty() => Exit::FellShort,
                _ => Exit::Success,
            }
        }
    }
}

/// What was sent at the load that held, where that is so little that it is no answer.
fn hardly_tried(answer: &Answer) -> Option<SentAtLoad> {
    let step = answer.line_step()?;
    let is_over = matches!(
        answer.end,
        SearchEnd::Found | SearchEnd::OutOfTime | SearchEnd::AtLeast(_)
    );
    let is_open = is_over && !answer.line.as_ref()?.is_sure;
    let sent = SentAtLoad::of_steps(&answer.steps, step.load);
    (is_open && sent.is_few()).then_some(sent)
}

/// The verdict of a search that knows too little of what held.
fn hardly_tried_verdict(answer: &Answer, words: Words<'_>) -> Option<Message> {
    let sent = hardly_tried(answer)?;
    let load = words.load(answer.line_step()?.load);
    let (requests, held) = (grouped(sent.requests, 0), grouped(sent.seconds, 0));
    Some(match answer.end {
        SearchEnd::AtLeast(Ceiling::Generator(_)) => {
            capacity::verdict_hardly_tried_here(load, requests, held)
        }
        _ => capacity::verdict_hardly_tried(load, requests, held),
    })
}

/// The first line: what the search came to.
#[must_use]
pub fn verdict(answer: &Answer, catalog: &Catalog) -> String {
    let words = Words {
        unit: answer.unit,
        terms: &answer.terms,
        catalog,
    };
    let said = words.text(&verdict_message(answer, words));
    match wrong_there(&unjudged(answer), catalog) {
        Some(wrong) if answer.line.is_some() => format!("{said}; {wrong}"),
        _ => said,
    }
}

/// What is wrong at the line and not judged by the objective.
fn unjudged(answer: &Answer) -> Vec<Message> {
    let judges_checks = (answer.terms.iter()).any(|term| term.statistic == Statistic::Checks);
    let faults = answer.line_step().map(|step| step.faults.into());
    faults.map_or_else(Vec::new, |faults| faults_of(faults, judges_checks))
}

/// Failed checks, unless they are judged, redirects and broken iterations, where they are too many.
pub(super) fn faults_of(faults: FaultsInFile, judges_checks: bool) -> Vec<Message> {
    let mut said = Vec::new();
    let count = |n: f64| grouped(n, 0);
    if !judges_checks && is_much(faults.failed_checks, faults.checks) {
        let (failed, all) = (count(faults.failed_checks), count(faults.checks));
        said.push(verdicts::short_checks(failed, all));
    }
    if is_much(faults.redirects, faults.iterations) {
        // Each iteration of a URL is one request.
        let all = faults.iterations.max(faults.redirects);
        let (redirects, all) = (count(faults.redirects), count(all));
        said.push(verdicts::short_redirects(redirects, all));
    }
    if is_much(faults.broken, faults.iterations) {
        let all = faults.iterations.max(faults.broken);
        said.push(capacity::broken_iterations(
            count(faults.broken),
            count(all),
        ));
    }
    said
}

/// These faults at the end of a verdict; none without any.
pub(super) fn wrong_there(faults: &[Message], catalog: &Catalog) -> Option<String> {
    let faults: Vec<String> = faults.iter().map(|fault| catalog.text(fault)).collect();
    (!faults.is_empty()).then(|| catalog.text(&capacity::wrong_there(faults.join(", "))))
}

/// The verdict of a search whose levels say where the line most likely lies.
fn likely_verdict(answer: &Answer, words: Words<'_>) -> Option<Message> {
    let line = answer.line.as_ref()?;
    // Between whole users there is nothing to estimate.
    let is_next = answer.unit == Unit::Users && line.load.high - line.load.low < 1.5;
    let likely = answer.crossing.filter(|_| !is_next)?;
    let of_answer = super::likely::LikelyLine::of_answer(answer);
    let below = of_answer.and_then(|likely| likely.verdict_below(line.requests, words));
    let is_bound = of_answer.is_none_or(|likely| !likely.may_be_below_held(words));
    let (load, requests) = (words.load(line.load.middle), significant(line.requests));
    let [low, likely, high] = [likely.low, likely.middle, likely.high].map(|at| words.load(at));
    let terms = words.objective();
    match answer.end {
        SearchEnd::Found | SearchEnd::OutOfTime if below.is_some() => below,
        SearchEnd::Found if !line.is_sure => {
            of_answer.map(|likely| likely.verdict_estimated(line.requests, words))
        }
        SearchEnd::Found if !is_bound => Some(capacity::verdict_found_about(
            load, requests, terms, likely, low, high,
        )),
        SearchEnd::Found => Some(capacity::verdict_found_likely(
            load, requests, terms, likely, low, high,
        )),
        SearchEnd::OutOfTime if line.load.high.is_finite() && is_bound => Some(
            capacity::verdict_time_likely(load, requests, terms, likely, low, high),
        ),
        SearchEnd::OutOfTime if line.load.high.is_finite() => Some(capacity::verdict_time_about(
            load, requests, terms, likely, low, high,
        )),
        _ => None,
    }
}

fn verdict_message(answer: &Answer, words: Words<'_>) -> Message {
    let terms = words.objective();
    let line = answer.line.as_ref();
    let (load, requests) = line.map_or_else(Default::default, |line| {
        (words.load(line.load.middle), significant(line.requests))
    });
    let ends = line.map(|line| (line.load.low, line.load.high));
    if let Some(said) = hardly_tried_verdict(answer, words) {
        return said;
    }
    if let Some(said) = likely_verdict(answer, words) {
        return said;
    }
    match (&answer.end, ends) {
        (SearchEnd::Found, Some((_, high))) => {
            capacity::verdict_found(load, requests, terms, words.load(high))
        }
        (SearchEnd::OutOfTime, Some((_, high))) if high.is_finite() => {
            capacity::verdict_time(load, requests, terms, words.load(high))
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
                .map_or_else(String::new, |term| words.value(term, *value));
            capacity::verdict_any(words.term(*term), value, words.load(*from), words.load(*to))
        }
        (SearchEnd::NoSample { term, known }, _) => {
            let asked = answer.terms.get(*term);
            match asked.map(|term| (term.statistic, term.scope.is_empty())) {
                Some((Statistic::Checks, true)) => capacity::verdict_no_checks(words.term(*term)),
                _ => capacity::verdict_no_sample(words.term(*term), known.join(", ")),
            }
        }
        (SearchEnd::NoRequests { iterations, broken }, _) => {
            let count = |n: f64| grouped(n, 0);
            if is_much(*broken, *iterations) {
                capacity::verdict_all_broken(count(*broken), count(*iterations))
            } else {
                capacity::verdict_no_requests(count(*iterations))
            }
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
        (SearchEnd::Interrupted, Some(_)) if answer.soak.is_some() => {
            capacity::verdict_interrupted_soak(load, requests, terms)
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
    if let LevelOutcome::Misses { term, sure: false } = lowest.outcome
        && answer.end == SearchEnd::OutOfTime
        && let Some(asked) = answer.terms.get(term)
        && let Some(value) = lowest.terms.get(term).and_then(|judged| judged.value)
    {
        let requests = grouped(lowest.requests * lowest.held as f64, 0);
        let value = words.value(asked, value.middle);
        return capacity::verdict_unsure(asked, load, value, requests);
    }
    if answer.end == SearchEnd::OutOfTime {
        return capacity::verdict_unclear(words.objective(), load);
    }
    if let LevelOutcome::Misses { term, .. } = lowest.outcome
        && let Some(asked) = answer.terms.get(term)
        && let Some(value) = lowest.terms.get(term).and_then(|judged| judged.value)
    {
        return capacity::verdict_none(asked, words.value(asked, value.middle), load);
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
        _ => capacity::verdict_unclear(words.objective(), load),
    }
}
