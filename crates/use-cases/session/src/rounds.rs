//! The rounds of an experiment, from stored runs and searches.
//!
//! Elsewhere: how a story reads (`report::rounds`), what people type of rounds (`loadline-cli`,
//! `commands/rounds`).

use std::collections::BTreeMap;

use loadline_analysis::compare::{ComparisonSettings, compare};
use loadline_analysis::estimate::median;
use loadline_analysis::same_answers::AnswerBaseline;
use loadline_record::saved_answers::SavedAnswers;
use loadline_record::{LimitVerdict, SEARCH_VERDICT};
use loadline_report::answers as report;
use loadline_report::capacity::compare::ComparedLine;
use loadline_report::capacity::file::CapacityFile;
use loadline_report::comparison::{ComparisonFacts, document};
use loadline_report::rounds::{
    ComparedRound, FigureRange, Round, RoundCapacity, RoundFigures, RoundReport,
};
use loadline_report::runs::{self, RunLine};
use loadline_store::{RunRow, Store, StoreError};
use loadline_text::{Catalog, rounds};

use crate::answers;
use crate::comparison::{ComparedRuns, SharedRuns, caveats, limits, moved_resources};

/// What a round may be called before its number.
const ROUND_WORDS: [&str; 2] = ["round", "라운드"];
/// Verdicts of runs that measured something of the target.
const MEASURED: [&str; 4] = ["passed", "failed", "no-goals", "not-judged"];
/// The setting that is the version that ran.
const COMMIT: &str = "commit";

/// Why a round cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RoundError {
    /// A run is not there, or cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The answer of a stored search cannot be read.
    #[error("the answer of the search cannot be read: {reason}")]
    Search {
        /// Why.
        reason: String,
    },
}

/// A round and the stored runs that it is of.
#[derive(Debug)]
pub struct StoredRound {
    round: Round,
    /// None of a round that was typed, and of a search: its levels are compared with nothing.
    runs: Option<ComparedRuns>,
    /// The answers that they kept.
    answers: Vec<SavedAnswers>,
}

impl StoredRound {
    /// A round that is of no stored run.
    #[must_use]
    pub const fn typed(round: Round) -> Self {
        Self {
            round,
            runs: None,
            answers: Vec::new(),
        }
    }

    /// What the stored runs that a person means say of a round, beside what was typed of it, which counts more.
    /// `now_ms` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`RoundError`].
    pub fn read(
        store: &Store,
        reference: &str,
        typed: Round,
        now_ms: i64,
        catalog: &Catalog,
    ) -> Result<Self, RoundError> {
        let runs = ComparedRuns::read(store, reference, now_ms)?;
        let mut round = typed;
        let search = runs.runs.iter().rev().find_map(|run| run.capacity_found());
        if let Some(found) = search {
            let file =
                CapacityFile::parse(&found.to_string()).map_err(|error| RoundError::Search {
                    reason: error.to_string(),
                })?;
            searched(&mut round, &file);
        }
        let of_loads = runs
            .runs
            .iter()
            .filter(|run| run.row.verdict != SEARCH_VERDICT);
        let lines = of_loads.map(|run| run_line(store, run.row.clone(), String::new()));
        let lines: Vec<RunLine> = lines.collect::<Result<_, _>>()?;
        round.fill(figures(&lines));
        if let Some(line) = lines.last().filter(|line| is_doubtful(line)) {
            round.doubt = runs::verdict(line, catalog);
        }
        let newest = runs.runs.last();
        round.runs = runs.runs.iter().map(|run| run.row.name.clone()).collect();
        if round.name.is_empty() && !reference.contains(',') {
            reference.clone_into(&mut round.name);
        }
        if let Some(run) = newest {
            if round.change.is_empty() {
                round.change = run.row.note.lines().next().unwrap_or_default().to_owned();
            }
            let others = runs.runs.iter().map(|one| &one.row.settings);
            let differing = differing_settings(others);
            if !differing.is_empty() && round.doubt.is_empty() {
                round.doubt = catalog.text(&rounds::doubt_settings(differing.join("; ")));
            }
            for (name, value) in &run.row.settings {
                (round.settings.entry(name.clone())).or_insert_with(|| value.clone());
            }
        }
        let is_told = |limit: &&LimitVerdict| limit.is_cause() || limit.answer == "no-bottleneck";
        if let Some(limit) = runs.limits.iter().rev().find(is_told) {
            set_limit(limit, &mut round, catalog);
        }
        let is_search = search.is_some();
        let names: Vec<&str> = round.runs.iter().map(String::as_str).collect();
        let answers = answers::of_runs(store, &names, now_ms)?;
        let runs = (!is_search).then_some(runs);
        Ok(Self {
            round,
            runs,
            answers,
        })
    }
}

/// Settings by which runs of one round differ: `pool 10, 30`.
fn differing_settings<'a>(runs: impl Iterator<Item = &'a BTreeMap<String, String>>) -> Vec<String> {
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in runs.flatten().filter(|(name, _)| *name != COMMIT) {
        let of_name = values.entry(name).or_default();
        if !of_name.contains(&value.as_str()) {
            of_name.push(value);
        }
    }
    let several = values.into_iter().filter(|(_, values)| values.len() > 1);
    several
        .map(|(name, values)| format!("{name} {}", values.join(", ")))
        .collect()
}

/// The round with which the next one is compared.
struct RoundBefore {
    name: String,
    runs: ComparedRuns,
    answers: Vec<SavedAnswers>,
}

/// That the answers of a round are other than those of the one before, and where they differ first; `None` where they
/// are the same, or not both kept answers.
fn other_answers(
    before: &RoundBefore,
    after: &[SavedAnswers],
    catalog: &Catalog,
) -> Option<String> {
    if before.answers.is_empty() {
        return None;
    }
    let baseline = AnswerBaseline::new(&before.name, &before.answers);
    let mut compared = after.iter().map(|run| baseline.compare(run));
    let found = compared.find(|found| found.differing > 0)?;
    let first = found.differences.first();
    let first = first.map(|first| report::sentence(first, catalog));
    let said = [Some(report::headline(&found, catalog)), first];
    Some(said.into_iter().flatten().collect::<Vec<_>>().join(": "))
}

/// The story of `rounds`: each beside the one before, and what only the whole of it tells.
#[must_use]
pub fn story_of(
    mut story: RoundReport,
    rounds: impl IntoIterator<Item = StoredRound>,
    catalog: &Catalog,
) -> RoundReport {
    let mut before: Option<RoundBefore> = None;
    for stored in rounds {
        let StoredRound {
            mut round,
            runs,
            answers,
        } = stored;
        if let Some(runs) = runs {
            if let Some(earlier) = &before {
                round.compared = compared(&earlier.name, &earlier.runs, &runs, catalog);
                let other = other_answers(earlier, &answers, catalog);
                if let Some((compared, other)) = round.compared.as_mut().zip(other) {
                    compared.said = format!("{}; {other}", compared.said);
                }
            }
            if !round.is_rejected {
                before = Some(RoundBefore {
                    name: round.name.clone(),
                    runs,
                    answers,
                });
            }
        } else if !round.is_rejected {
            before = None;
        }
        story.rounds.push(round);
    }
    settle(&mut story);
    story
}

/// A run as lists show it; `started` is when it began, ready to be read.
///
/// # Errors
/// The store cannot be read.
pub fn run_line(store: &Store, row: RunRow, started: String) -> Result<RunLine, StoreError> {
    let end = store.end(&row)?;
    let (detail, lower_bounds) = end
        .map(|end| (end.detail, end.lower_bounds))
        .unwrap_or_default();
    Ok(RunLine {
        started,
        number: row.number,
        name: row.name,
        test: row.test,
        verdict: row.verdict,
        misses_goals: detail.goals.met < detail.goals.all,
        shortfalls: detail.shortfalls,
        seconds: row.seconds,
        vus: row.vus,
        rate: row.rate,
        mean_ms: row.mean_ms,
        p95_ms: row.p95_ms,
        lower_bounds,
        errors: row.errors,
        settings: row.settings,
        tags: row.tags,
        note: row.note,
    })
}

/// `1` of `round-1`: sentences say of a name that it is a round's.
fn short_name(name: &str) -> &str {
    let name = name.trim();
    let rest = ROUND_WORDS.iter().find_map(|word| {
        let (head, rest) = name.split_at_checked(word.len())?;
        head.eq_ignore_ascii_case(word).then_some(rest)
    });
    let rest = rest.map(|rest| rest.trim_start_matches([' ', '-', '_', ':']));
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(name)
}

/// Fills in what only the whole story tells: names, and what was changed from one round to the next.
fn settle(story: &mut RoundReport) {
    let mut before: Option<Round> = None;
    for (place, round) in story.rounds.iter_mut().enumerate() {
        round.name = match short_name(&round.name) {
            "" => (place + 1).to_string(),
            name => name.to_owned(),
        };
        let commit = round.settings.remove(COMMIT);
        if let Some(commit) = commit.filter(|_| round.commit.is_empty()) {
            round.commit = commit;
        }
        if let Some(before) = before.as_ref().filter(|_| round.change.is_empty()) {
            round.change = changed_settings(before, round);
        }
        if !round.is_rejected {
            before = Some(round.clone());
        }
    }
    let goal: Vec<String> = story.goal.iter().map(ToString::to_string).collect();
    for round in &mut story.rounds {
        if let Some((found, objective)) = round
            .figures
            .capacity
            .as_mut()
            .zip(round.objective.as_ref())
        {
            // What it was searched under may ask for more than the goal does.
            found.is_of_goal = goal.iter().all(|term| objective.contains(term));
        }
    }
}

/// `pool 10 → 20`, of the settings that are not the same.
fn changed_settings(before: &Round, after: &Round) -> String {
    let changes =
        after
            .settings
            .iter()
            .filter_map(|(name, value)| match before.settings.get(name) {
                Some(old) if old == value => None,
                Some(old) => Some(format!("{name} {old} → {value}")),
                None => Some(format!("{name} {value}")),
            });
    changes.collect::<Vec<_>>().join(", ")
}

fn set_limit(limit: &LimitVerdict, round: &mut Round, catalog: &Catalog) {
    let Some(words) = limit.words(catalog.lang().tag()) else {
        return;
    };
    if !round.limit.is_empty() {
        return;
    }
    if !limit.is_cause() {
        round.advice = vec![catalog.text(&rounds::next_more_load())];
        return;
    }
    round.limit.clone_from(&words.text);
    round.advice = words
        .advice
        .iter()
        .map(|advice| advice.action.clone())
        .collect();
}

/// What a comparison says of a round and the one before; `None` where runs are of both.
fn compared(
    name: &str,
    before: &ComparedRuns,
    after: &ComparedRuns,
    catalog: &Catalog,
) -> Option<ComparedRound> {
    if SharedRuns::new(before, after).is_some() {
        return None;
    }
    let settings = ComparisonSettings::default();
    let comparison = compare(&before.side, &after.side, &settings);
    let facts = ComparisonFacts {
        before: name.to_owned(),
        after: String::new(),
        caveats: caveats(before, after),
        moved: moved_resources(before, after),
        limits: limits(before, after),
    };
    let found = document::document(&comparison, &facts, &settings, None, catalog).verdict;
    let said = [
        // The sentence has the word in it: *better: p95*.
        Some(found.text),
        facts.limits.moved(catalog),
    ];
    Some(ComparedRound {
        with: name.to_owned(),
        said: said.into_iter().flatten().collect::<Vec<_>>().join("; "),
    })
}

/// Whether a run says little of the target: it is not valid, or failed for more than its goals.
fn is_doubtful(line: &RunLine) -> bool {
    !MEASURED.contains(&line.verdict.as_str()) || !line.shortfalls.is_empty()
}

/// Takes in what a search found: the line, the knee and the peak.
fn searched(round: &mut Round, file: &CapacityFile) {
    round.objective = Some(file.objective.clone());
    round.fill(RoundFigures {
        capacity: ComparedLine::of_file(file).map(capacity_of),
        knee: file.knee.as_ref().map(|knee| knee.throughput),
        peak: file.peak.as_ref().map(|peak| peak.throughput),
        ..RoundFigures::default()
    });
}

/// A line as a round has it.
#[must_use]
pub const fn capacity_of(line: ComparedLine) -> RoundCapacity {
    RoundCapacity {
        middle: line.middle,
        low: line.low,
        high: line.high,
        is_of_goal: false,
    }
}

/// Figures of runs of one setting: medians of those that measured something of the target.
fn figures(lines: &[RunLine]) -> RoundFigures {
    let valid: Vec<&RunLine> = (lines.iter())
        .filter(|line| MEASURED.contains(&line.verdict.as_str()))
        .collect();
    let of = |value: &dyn Fn(&RunLine) -> Option<f64>| {
        let values: Vec<f64> = valid.iter().filter_map(|line| value(line)).collect();
        median(&values)
    };
    let bounded = |value: Option<f64>, is_bound: bool| {
        value.map(|low| FigureRange {
            low,
            high: if is_bound { f64::INFINITY } else { low },
        })
    };
    RoundFigures {
        #[expect(clippy::cast_precision_loss, reason = "users are far below 2^53")]
        users: of(&|line| Some(line.vus as f64)),
        rate: of(&|line| Some(line.rate)),
        mean_ms: bounded(
            of(&|line| line.mean_ms),
            valid.iter().any(|line| line.lower_bounds.mean),
        ),
        p95_ms: bounded(
            of(&|line| line.p95_ms),
            valid.iter().any(|line| line.lower_bounds.p95),
        ),
        errors: of(&|line| line.errors),
        ..RoundFigures::default()
    }
}

#[cfg(test)]
mod tests {
    use loadline_report::rounds::GoalState;
    use loadline_text::Lang;

    use super::*;

    /// Seen: runs of three settings under one tag were one round with the settings of the last, and no word of it.
    #[test]
    fn settings_by_which_runs_of_a_round_differ_are_named() {
        let of = |pool: &str| {
            let all = [("pool", pool), ("heap", "1g")];
            all.map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into()
        };
        let runs: [BTreeMap<String, String>; 3] = [of("10"), of("30"), of("10")];
        assert_eq!(differing_settings(runs.iter()), ["pool 10, 30"]);
        assert!(differing_settings(runs[..1].iter()).is_empty());
    }

    /// Seen: "in round round 2", "라운드 라운드 2", of the tags that the guide itself gives.
    #[test]
    fn a_name_that_says_that_it_is_a_rounds_is_its_number() {
        for (name, short) in [
            ("round-1", "1"),
            ("Round 2b", "2b"),
            ("라운드 3", "3"),
            ("라운드3", "3"),
            ("rounds", "rounds"),
            ("round-trip", "round-trip"),
            ("a-1", "a-1"),
            ("", ""),
        ] {
            assert_eq!(short_name(name), short, "{name}");
        }
    }

    /// Seen: no round was known to meet `p95<=800ms`, of searches under that and `checks>99%`.
    #[test]
    fn a_search_under_more_than_the_goal_meets_it() {
        let met = |objective: &[&str], goal: &[&str]| {
            let round = Round {
                objective: Some(objective.iter().map(|term| (*term).to_owned()).collect()),
                figures: RoundFigures {
                    capacity: Some(RoundCapacity {
                        middle: 20.0,
                        low: 18.0,
                        high: Some(22.0),
                        is_of_goal: false,
                    }),
                    ..RoundFigures::default()
                },
                ..Round::default()
            };
            let story = RoundReport {
                goal: goal.iter().map(|term| term.parse().unwrap()).collect(),
                ..RoundReport::default()
            };
            let told = story_of(story, [StoredRound::typed(round)], &Catalog::new(Lang::En));
            told.goal_state(&told.rounds[0])
        };
        let both = ["p(95)<=800ms", "checks>99%"];
        assert_eq!(met(&both, &["p95<=800ms"]), Some(GoalState::Met));
        assert_eq!(met(&both, &both), Some(GoalState::Met));
        assert_eq!(met(&["p(95)<=800ms"], &both), Some(GoalState::Unknown));
        assert_eq!(
            met(&["p(95)<=900ms"], &["p95<=800ms"]),
            Some(GoalState::Unknown)
        );
    }
}
