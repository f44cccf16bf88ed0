//! Sentences about a run's load, checks and failed requests.

use std::collections::BTreeMap;

use loadline_analysis as analysis;
use loadline_metrics::{Histogram, MetricValue};
use loadline_record::{DropCounts, Metric, Shortfall, Summary, Verdict};
use loadline_sizing::history::routes;
use loadline_text::{Catalog, Message, grouped, messages, millis, verdicts};

use crate::answers;
use crate::document::printable;
use crate::numbers::bytes;

/// How many kinds of failures are named in a line before the rest is only counted.
const FAILURE_KINDS_MAX: usize = 4;

/// A shortfall in words, with what caused it.
#[must_use]
pub fn shortfall(short: Shortfall, summary: &Summary, catalog: &Catalog) -> String {
    let counted = counted(short);
    match short {
        Shortfall::Load { .. } => {
            let mut said = vec![counted];
            said.extend(drops(summary.run.generator.drops));
            said.extend(users_needed(summary));
            let said = said.iter().map(|message| catalog.text(message));
            said.collect::<Vec<_>>().join(", ")
        }
        Shortfall::Errors { .. } => with_kinds(&counted, summary, catalog),
        Shortfall::Answers { .. } => {
            let first = summary
                .run
                .answers
                .as_ref()
                .and_then(|all| all.differences.first());
            let first = first.map(|found| answers::sentence(found, catalog));
            let said = [Some(catalog.text(&counted)), first];
            said.into_iter().flatten().collect::<Vec<_>>().join(": ")
        }
        _ => catalog.text(&counted),
    }
}

/// A shortfall's counts in words.
#[must_use]
pub fn counted(short: Shortfall) -> Message {
    let count = |n: u64| grouped(n as f64, 0);
    match short {
        Shortfall::Load { planned, started } => {
            verdicts::short_load(count(started), count(planned))
        }
        Shortfall::Cut { sent, cut } => verdicts::short_cut(count(cut), count(sent)),
        Shortfall::Errors { all, failed } => verdicts::short_errors(count(failed), count(all)),
        Shortfall::Calls { all, failed } => verdicts::short_calls(count(failed), count(all)),
        Shortfall::Redirects { all, redirects } => {
            verdicts::short_redirects(count(redirects), count(all))
        }
        Shortfall::Checks { all, failed } => verdicts::short_checks(count(failed), count(all)),
        Shortfall::Exceptions { all, thrown } => {
            verdicts::short_exceptions(count(thrown), count(all))
        }
        Shortfall::Answers { compared: 0, .. } => verdicts::short_answers_none(),
        Shortfall::Answers {
            compared,
            differing,
        } => verdicts::short_answers(count(differing), count(compared)),
        Shortfall::Users { all, failed } => verdicts::short_users(count(failed), count(all)),
    }
}

/// Why starts were dropped, the most frequent reason first.
fn drops(counts: DropCounts) -> Vec<Message> {
    let said = |count: u64| grouped(count as f64, 0);
    let mut reasons = [
        (
            counts.no_free_user,
            verdicts::drop_no_free_user(said(counts.no_free_user)),
        ),
        (
            counts.user_limit,
            verdicts::drop_user_limit(said(counts.user_limit)),
        ),
        (counts.late, verdicts::drop_late(said(counts.late))),
        (
            counts.no_user_made,
            verdicts::drop_no_user_made(said(counts.no_user_made)),
        ),
        (
            counts.time_over,
            verdicts::drop_time_over(said(counts.time_over)),
        ),
    ];
    reasons.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let some = reasons.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(_, message)| message).collect()
}

/// Why starts were dropped and how many users they need, where the verdict does not say so.
pub(crate) fn unsaid_drops(summary: &Summary) -> Vec<Message> {
    let is_said = match summary.verdict() {
        Verdict::FellShort(short) => short
            .iter()
            .any(|one| matches!(one, Shortfall::Load { .. })),
        Verdict::GeneratorLimited(_) => summary.shortfalls().iter().any(|one| one.word() == "load"),
        _ => false,
    };
    if is_said {
        return Vec::new();
    }
    let mut said = drops(summary.run.generator.drops);
    said.extend(users_needed(summary));
    said
}

/// How many users the planned starts need at once (Little's law), where there were too few.
fn users_needed(summary: &Summary) -> Option<Message> {
    let run = &summary.run;
    let drops = run.generator.drops;
    let seconds = run.duration.as_secs_f64();
    let lacked = drops.no_free_user + drops.user_limit > 0;
    if !(lacked || waited_for_users(summary)) || seconds <= 0.0 {
        return None;
    }
    let mean_ms = iteration_ms(summary)?;
    // What waits for users at the end of the load goes on after it; the last to be served waited longest.
    // Where starts are dropped, those under way are ended.
    let drained = if lacked {
        mean_ms / 1000.0
    } else {
        trend(summary, "intended_latency")?.max().unwrap_or(0.0) / 1000.0
    };
    let seconds = (seconds - drained).max(seconds * LOAD_LENGTH_SHARE_MIN);
    let needed = run.generator.planned_starts as f64 / seconds * mean_ms / 1000.0;
    // Of a load that rises the mean says less than its end needs.
    let is_more = needed > run.most_vus as f64;
    is_more.then(|| verdicts::drop_users_needed(grouped(needed.ceil(), 0), millis(mean_ms)))
}

fn trend<'a>(summary: &'a Summary, name: &str) -> Option<&'a Histogram> {
    match &summary.metric(name)?.value {
        MetricValue::Trend(times) if !times.is_empty() => Some(times),
        _ => None,
    }
}

/// How long an iteration takes once a user has begun it, ms.
fn iteration_ms(summary: &Summary) -> Option<f64> {
    let mean = |name| trend(summary, name)?.mean();
    mean("iteration_duration").or_else(|| mean("http_req_duration"))
}

/// Starts came late because no user was free for them: they took longer than their iterations.
fn waited_for_users(summary: &Summary) -> bool {
    let intended = trend(summary, "intended_latency").and_then(Histogram::mean);
    let both = intended.zip(iteration_ms(summary));
    both.is_some_and(|(intended, own)| intended >= QUEUED_FACTOR_MIN * own)
}

/// From planned start an iteration takes so many times as long as by itself where starts wait for users.
const QUEUED_FACTOR_MIN: f64 = 1.1;
/// Load lasts for at least this share of its run; what was left waiting was served in the rest.
const LOAD_LENGTH_SHARE_MIN: f64 = 0.5;

/// Everything that is missing or went wrong, even a little, and is not a reason of the verdict.
/// The reasons in `said` are left out.
#[must_use]
pub fn lines(summary: &Summary, said: &[Shortfall], catalog: &Catalog) -> Vec<String> {
    let is_said = |word: &str| said.iter().any(|short| short.word() == word);
    let mut all = Vec::new();
    let generator = &summary.run.generator;
    if generator.dropped_starts > 0 {
        all.push(Shortfall::Load {
            planned: generator.planned_starts,
            started: generator
                .planned_starts
                .saturating_sub(generator.dropped_starts),
        });
    }
    if let Some(requests) = summary.run.accounting.map(|all| all.requests)
        && requests.cut > requests.ramped_down
    {
        all.push(Shortfall::Cut {
            sent: requests.sent,
            cut: requests.cut - requests.ramped_down,
        });
    }
    let (failed, requests) = summary.failed_requests();
    if failed > 0 {
        let all_of_them = requests;
        all.push(Shortfall::Errors {
            all: all_of_them,
            failed,
        });
    }
    let (failed, calls) = summary.failed_calls();
    if failed > 0 {
        all.push(Shortfall::Calls { all: calls, failed });
    }
    let (redirects, answers) = summary.redirects();
    if redirects > 0 {
        all.push(Shortfall::Redirects {
            all: answers,
            redirects,
        });
    }
    if let Some((failed, of)) = failed_checks(summary) {
        all.push(Shortfall::Checks { all: of, failed });
    }
    let run = &summary.run;
    if run.exceptions > 0 {
        all.push(Shortfall::Exceptions {
            all: run.complete_iterations + run.interrupted_iterations,
            thrown: run.exceptions,
        });
    }
    if run.failed_users > 0 {
        all.push(Shortfall::Users {
            all: run.complete_iterations + run.interrupted_iterations,
            failed: run.failed_users,
        });
    }
    all.retain(|short| !is_said(short.word()));
    let mut lines: Vec<String> = all
        .into_iter()
        .map(|short| shortfall(short, summary, catalog))
        .collect();
    // Where starts were dropped it stands beside them.
    let queued = users_needed(summary).filter(|_| generator.dropped_starts == 0);
    lines.extend(queued.map(|queued| catalog.text(&queued)));
    lines
}

/// What makes a good verdict say less than it seems to: goals judged by very few values, and
/// answers that are mostly redirects, as those of a site that asks for a login are.
#[must_use]
pub fn doubts(summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let mut doubts = Vec::new();
    let statuses = || summary.statuses.iter();
    let all: u64 = statuses().map(|(_, count)| count).sum();
    let redirects = statuses().filter(|(status, _)| REDIRECTS.contains(&status.as_str()));
    let redirects: u64 = redirects.map(|(_, count)| count).sum();
    // Each followed redirect is an answer more.
    if redirects > 0 && redirects * 3 >= all && summary.run.redirects == 0 {
        let [redirects, all] = [redirects, all].map(|n| grouped(n as f64, 0));
        doubts.push(verdicts::mostly_redirects(redirects, all));
    }
    doubts.extend(small_answers(summary));
    if summary.verdict() == Verdict::Passed {
        doubts.extend(summary.metrics.iter().flat_map(few_values));
    }
    doubts.iter().map(|doubt| catalog.text(doubt)).collect()
}

/// Endpoints whose answers with 200 are empty, or partly much smaller than the others, as error pages are.
fn small_answers(summary: &Summary) -> Vec<Message> {
    let asked = summary.sizes.iter();
    let routes = routes(asked.map(|one| (one.name.as_str(), one.sizes.count())));
    let mut by_endpoint: BTreeMap<String, Histogram> = BTreeMap::new();
    for one in &summary.sizes {
        let route = routes.get(one.name.as_str()).unwrap_or(&one.name);
        let name = format!("{} {route}", one.method);
        let of = by_endpoint.entry(name.trim().to_owned()).or_default();
        of.merge(&one.sizes);
    }
    let told = by_endpoint.iter().filter_map(|(endpoint, sizes)| {
        // An answer to HEAD has no body.
        let is_empty = sizes.max().is_some_and(|most| most <= 0.0);
        if is_empty && sizes.count() >= EMPTY_ANSWERS_MIN && !endpoint.starts_with("HEAD") {
            let all = grouped(sizes.count() as f64, 0);
            return Some(verdicts::empty_answers(printable::line(endpoint), all));
        }
        let small = analysis::small_answers(sizes)?;
        Some(verdicts::small_answers(
            printable::line(endpoint),
            grouped(small.count as f64, 0),
            grouped(small.all as f64, 0),
            bytes(small.most_bytes),
            bytes(small.usual_bytes),
        ))
    });
    told.take(SMALL_ENDPOINTS_MAX).collect()
}

/// Fewer answers may all be empty by chance.
const EMPTY_ANSWERS_MIN: u64 = 20;
/// Endpoints with small answers that are told.
const SMALL_ENDPOINTS_MAX: usize = 3;

/// Answers that point elsewhere.
const REDIRECTS: [&str; 5] = ["301", "302", "303", "307", "308"];

/// The percentiles of a metric's goals of which fewer values lie beyond than one.
fn few_values(metric: &Metric) -> Vec<Message> {
    let MetricValue::Trend(trend) = &metric.value else {
        return Vec::new();
    };
    let count = trend.count();
    let goals = metric.thresholds.iter().filter(|goal| goal.ok);
    let few = goals.filter(|goal| {
        let percentile = goal.source.trim_start().strip_prefix("p(");
        let percentile = percentile.and_then(|rest| rest.split_once(')')?.0.trim().parse().ok());
        percentile.is_some_and(|percent: f64| (count as f64) * (1.0 - percent / 100.0) < 0.999)
    });
    let few = few.filter(|_| count > 0);
    few.map(|goal| {
        let goal = crate::goals::name(&metric.name, &goal.source);
        verdicts::few_values(goal, grouped(count as f64, 0))
    })
    .collect()
}

fn with_kinds(said: &Message, summary: &Summary, catalog: &Catalog) -> String {
    let mut kinds = failures(summary);
    let more = kinds.len().saturating_sub(FAILURE_KINDS_MAX);
    kinds.truncate(FAILURE_KINDS_MAX);
    if more > 0 {
        kinds.push(catalog.text(&messages::and_more(more)));
    }
    let said = catalog.text(said);
    if kinds.is_empty() {
        said
    } else {
        format!("{said} ({})", kinds.join(", "))
    }
}

/// Checks of the run that failed, and all of them; `None` when none failed.
#[must_use]
pub fn failed_checks(summary: &Summary) -> Option<(u64, u64)> {
    match summary.metric("checks").map(|metric| &metric.value) {
        Some(MetricValue::Rate(checks)) if checks.trues < checks.total => {
            Some((checks.total - checks.trues, checks.total))
        }
        _ => None,
    }
}

/// Each kind of failure with its count, the most frequent first: status and text of the
/// answer, or why there was none.
#[must_use]
pub fn failures(summary: &Summary) -> Vec<String> {
    let mut kinds: Vec<(u64, String)> = Vec::new();
    for answer in &summary.answers {
        kinds.push((answer.count, format!("{} {}", answer.status, answer.text)));
    }
    for (status, count) in &summary.failed_statuses {
        let told: u64 = summary
            .answers
            .iter()
            .filter(|answer| answer.status.to_string() == *status)
            .map(|answer| answer.count)
            .sum();
        if status != "0" && *count > told {
            kinds.push((count - told, status.clone()));
        }
    }
    for error in &summary.errors {
        kinds.push((error.count, format!("{} [{}]", error.text, error.code)));
    }
    kinds.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    kinds
        .into_iter()
        .map(|(count, kind)| {
            let kind = printable::line(kind.trim_end());
            format!("{kind} × {}", grouped(count as f64, 0))
        })
        .collect()
}
