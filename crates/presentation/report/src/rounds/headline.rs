//! What an experiment came to.

use loadline_text::{Catalog, Message, percent, rounds, significant};

use super::words::{self, Words};
use super::{GoalState, Round, RoundReport};
use crate::document::StatementClass;

/// What an experiment came to, by its goal.
#[derive(Debug, Clone, PartialEq)]
pub enum StoryEnd<'a> {
    /// No goal was given.
    NoGoal,
    /// The last round that was kept meets it.
    Met(&'a Round),
    /// The last round that was kept is a search under the goal: that it is met says nothing, how much is carried does.
    Carried {
        /// The last one that was kept.
        last: &'a Round,
        /// Another that clearly carries more.
        more: Option<&'a Round>,
    },
    /// Others that were kept meet it, and the last one does not, or is not known to.
    MetBefore(Vec<&'a Round>),
    /// None that was kept meets it.
    Missed,
    /// None is known to, and of some it cannot be told.
    Unknown,
}

impl<'a> From<&'a RoundReport> for StoryEnd<'a> {
    fn from(story: &'a RoundReport) -> Self {
        if story.goal.is_empty() {
            return Self::NoGoal;
        }
        let is = |round: &Round, wanted| story.goal_state(round) == Some(wanted);
        match story.kept().next_back() {
            Some(last) if last.line().is_some() => {
                let more = most_carried(story).filter(|most| carries_more(most, last));
                return Self::Carried { last, more };
            }
            Some(last) if is(last, GoalState::Met) => return Self::Met(last),
            _ => {}
        }
        let met: Vec<&Round> = (story.kept())
            .filter(|round| is(round, GoalState::Met))
            .collect();
        if !met.is_empty() {
            Self::MetBefore(met)
        } else if story.kept().any(|round| is(round, GoalState::Unknown)) {
            Self::Unknown
        } else {
            Self::Missed
        }
    }
}

impl StoryEnd<'_> {
    /// For programs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::NoGoal => "no-goal",
            Self::Met(_) | Self::Carried { .. } => "met",
            Self::MetBefore(_) => "met-before",
            Self::Missed => "missed",
            Self::Unknown => "unknown",
        }
    }

    pub(super) const fn class(&self) -> StatementClass {
        match self {
            Self::NoGoal => StatementClass::Neutral,
            Self::Met(_) | Self::Carried { .. } => StatementClass::Good,
            Self::MetBefore(_) | Self::Unknown => StatementClass::Doubtful,
            Self::Missed => StatementClass::Bad,
        }
    }

    pub(super) fn label(&self) -> Message {
        match self {
            Self::NoGoal => rounds::word_no_goal(),
            Self::Met(_) | Self::Carried { .. } | Self::MetBefore(_) => rounds::word_met(),
            Self::Missed => rounds::word_missed(),
            Self::Unknown => rounds::word_unknown(),
        }
    }

    /// The first sentence.
    pub(super) fn sentence(&self, story: &RoundReport, catalog: &Catalog) -> String {
        let goal = story.goal_text();
        let message = match self {
            Self::NoGoal => rounds::end_no_goal(story.rounds.len()),
            Self::Met(round) => rounds::end_met(goal, &round.name),
            Self::Carried { last, more } => {
                let words = Words { catalog };
                let carried = |round: &Round| {
                    (round.figures.capacity).map_or_else(String::new, |found| words.capacity(found))
                };
                match more {
                    Some(more) => rounds::end_carried_before(
                        goal,
                        &more.name,
                        carried(more),
                        &last.name,
                        carried(last),
                    ),
                    None => rounds::end_carried(goal, &last.name, carried(last)),
                }
            }
            Self::MetBefore(met) => {
                let named: Vec<String> = met.iter().map(|round| shown(round, story)).collect();
                rounds::end_met_before(goal, named.join("; "))
            }
            Self::Missed if story.rounds.iter().any(|round| round.is_rejected) => {
                rounds::end_missed_by_kept(goal)
            }
            Self::Missed => rounds::end_missed(goal),
            Self::Unknown => {
                let doubtful: Vec<&str> = (story.kept())
                    .filter(|round| !round.doubt.is_empty())
                    .map(|round| round.name.as_str())
                    .collect();
                if doubtful.is_empty() {
                    rounds::end_unknown(goal)
                } else {
                    rounds::end_unknown_doubtful(goal, doubtful.join(", "))
                }
            }
        };
        catalog.text(&message)
    }
}

/// The round whose search under the goal found the highest line.
fn most_carried(story: &RoundReport) -> Option<&Round> {
    let middle = |round: &Round| round.line().map_or(0.0, |line| line.middle);
    (story.kept())
        .filter(|round| round.line().is_some())
        .max_by(|a, b| middle(a).total_cmp(&middle(b)))
}

/// Whether a search found more than another, by more than their ranges leave open.
fn carries_more(round: &Round, than: &Round) -> bool {
    let found = round.line().zip(than.line());
    found.is_some_and(|(found, than)| than.high.is_some_and(|high| found.low > high))
}

/// A round with the settings by which it differs from others.
fn shown(round: &Round, story: &RoundReport) -> String {
    let settings: Vec<String> = (story.settings().into_iter())
        .filter_map(|name| Some(format!("{name} {}", round.settings.get(name)?)))
        .collect();
    if settings.is_empty() {
        return round.name.clone();
    }
    format!("{} ({})", round.name, settings.join(", "))
}

/// How the round that counts, the last one or the best that meets the goal, differs from the first one.
pub(super) fn way(story: &RoundReport, catalog: &Catalog) -> Option<String> {
    let mut kept = story.kept();
    let first = kept.next()?;
    let last = match StoryEnd::from(story) {
        StoryEnd::MetBefore(met) => best(&met, first)?,
        _ => kept.next_back()?,
    };
    if std::ptr::eq(first, last) {
        return None;
    }
    let words = Words { catalog };
    let mut parts = Vec::new();
    let loads = first.figures.load().zip(last.figures.load());
    // What was sent and what can be carried are two things.
    let alike = first.figures.capacity.is_some() == last.figures.capacity.is_some();
    if let Some((from, to)) = loads.filter(|_| alike) {
        let times = significant(to / from);
        let (from, to) = (words::rate(from), words::rate(to));
        let lines = first.figures.capacity.zip(last.figures.capacity);
        parts.push(catalog.text(&match lines {
            // How often a lower bound goes into another is not known.
            Some((first, last)) if first.is_bound() || last.is_bound() => {
                rounds::way_capacity_bound(words.bound(first), words.bound(last))
            }
            Some(_) => rounds::way_capacity(from, to, times),
            None => rounds::way_load(from, to, times),
        }));
    }
    if let Some((from, to)) = first.figures.p95_ms.zip(last.figures.p95_ms) {
        let (from, to) = (words.range(from), words.range(to));
        parts.push(catalog.text(&rounds::way_p95(from, to)));
    }
    if let Some((from, to)) = first.figures.errors.zip(last.figures.errors)
        && (from - to).abs() > f64::EPSILON
    {
        parts.push(catalog.text(&rounds::way_errors(percent(from), percent(to))));
    }
    (!parts.is_empty()).then(|| {
        let (from, to) = (&first.name, &last.name);
        catalog.text(&rounds::way(from, to, parts.join(", ")))
    })
}

/// The one that carries most of those that are measured as the first round is: what was sent
/// and what can be carried are two things.
fn best<'a>(met: &[&'a Round], first: &Round) -> Option<&'a Round> {
    let load = |round: &Round| round.figures.load().unwrap_or(0.0);
    let is_alike =
        |round: &Round| round.figures.capacity.is_some() == first.figures.capacity.is_some();
    let alike = met.iter().copied().filter(|round| is_alike(round));
    let most = alike.max_by(|a, b| load(a).total_cmp(&load(b)));
    most.or_else(|| {
        let all = met.iter().copied();
        all.max_by(|a, b| load(a).total_cmp(&load(b)))
    })
}

/// What to do next.
pub(super) fn next(story: &RoundReport, catalog: &Catalog) -> Vec<String> {
    let end = StoryEnd::from(story);
    let Some(last) = story.kept().next_back() else {
        return Vec::new();
    };
    if let StoryEnd::Met(_) | StoryEnd::Carried { more: None, .. } = end {
        let stop = match end {
            StoryEnd::Met(_) => rounds::next_stop(),
            _ => rounds::next_enough(),
        };
        let mut lines = vec![catalog.text(&stop)];
        if !last.limit.is_empty() {
            lines.push(catalog.text(&rounds::next_limit(&last.limit)));
        }
        return lines;
    }
    if let StoryEnd::Carried {
        more: Some(more), ..
    } = end
    {
        return vec![catalog.text(&rounds::next_take(shown(more, story)))];
    }
    if let StoryEnd::MetBefore(met) = &end
        && let Some(best) = story.kept().next().and_then(|first| best(met, first))
    {
        let best = shown(best, story);
        return vec![catalog.text(&rounds::next_take(best))];
    }
    let mut lines: Vec<String> = last.advice.iter().take(1).cloned().collect();
    if lines.is_empty() {
        lines.push(
            catalog.text(&match (last.runs.last(), last.limit.is_empty()) {
                (Some(run), true) => rounds::next_explain(&last.name, run),
                (_, false) => rounds::next_of_limit(&last.limit),
                (None, true) => rounds::next_observe(&last.name),
            }),
        );
    }
    lines
}
