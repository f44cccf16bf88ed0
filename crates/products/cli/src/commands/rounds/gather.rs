//! Rounds from stored runs, searches, files and tables.

use loadline_analysis::compare::{ComparisonSettings, compare};
use loadline_analysis::estimate::median;
use loadline_analysis::same_answers::AnswerBaseline;
use loadline_record::{LimitVerdict, SEARCH_VERDICT};
use loadline_report::answers as report;
use loadline_report::capacity::compare::ComparedLine;
use loadline_report::capacity::file::CapacityFile;
use loadline_report::comparison::{ComparisonFacts, document};
use loadline_report::rounds::{
    ComparedRound, FigureRange, Round, RoundCapacity, RoundFigures, RoundReport,
};
use loadline_report::runs::RunLine;
use loadline_session::answers;
use loadline_session::comparison::{ComparedRuns, SharedRuns, caveats, limits, moved_resources};
use loadline_text::{Catalog, counted, problem, rounds};

use super::refusal::StoryRefusal;
use super::story_file::{FiledRound, StoryFile};
use crate::context::Context;
use crate::measured::{self, MeasuredRow, NeededColumns};
use crate::refusal::Refusal;
use crate::stored::Stored;

/// Verdicts of runs that measured something of the target.
const MEASURED: [&str; 4] = ["passed", "failed", "no-goals", "not-judged"];
/// The setting that is the version that ran.
const COMMIT: &str = "commit";

/// A round and the stored runs that it is of.
struct GatheredRound {
    round: Round,
    runs: Option<ComparedRuns>,
}

/// The story of the rounds that were named.
pub(super) fn story(
    context: &Context,
    named: &[String],
    store: Option<&str>,
    catalog: &Catalog,
) -> Result<RoundReport, StoryRefusal> {
    let mut gatherer = Gatherer {
        context,
        store,
        opened: None,
        catalog,
        story: RoundReport::default(),
        rounds: Vec::new(),
    };
    for name in named {
        gatherer.add(name)?;
    }
    gatherer.finish()
}

/// Fills in what only the whole story tells: names, and what was changed from one round to the next.
pub(super) fn settle(story: &mut RoundReport) {
    let mut before: Option<Round> = None;
    for (place, round) in story.rounds.iter_mut().enumerate() {
        if round.name.is_empty() {
            round.name = (place + 1).to_string();
        }
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
            found.is_of_goal = *objective == goal;
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

struct Gatherer<'a> {
    context: &'a Context,
    store: Option<&'a str>,
    opened: Option<Stored>,
    catalog: &'a Catalog,
    story: RoundReport,
    rounds: Vec<GatheredRound>,
}

impl Gatherer<'_> {
    fn add(&mut self, name: &str) -> Result<(), StoryRefusal> {
        let path = std::path::Path::new(name);
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("yaml" | "yml") => self.add_file(name),
            Some("csv" | "tsv") => Ok(self.add_table(name)?),
            _ => {
                let gathered = self.stored_round(name, Round::default())?;
                self.rounds.push(gathered);
                Ok(())
            }
        }
    }

    fn text_of(&self, path: &str) -> Result<String, Refusal> {
        std::fs::read_to_string(self.context.working_dir.join(path))
            .map_err(|error| Refusal::unread(path, &error))
    }

    fn add_file(&mut self, path: &str) -> Result<(), StoryRefusal> {
        let (text, before) = (self.text_of(path)?, self.rounds.len());
        let file =
            StoryFile::read(&text, path, before, self.catalog).map_err(StoryRefusal::from)?;
        if !file.title.is_empty() {
            self.story.title.clone_from(&file.title);
        }
        self.story.goal.extend(file.goal);
        for FiledRound { round, runs } in file.rounds {
            let gathered = if runs.is_empty() {
                GatheredRound { round, runs: None }
            } else {
                self.stored_round(&runs.join(","), round)?
            };
            self.rounds.push(gathered);
        }
        Ok(())
    }

    fn add_table(&mut self, path: &str) -> Result<(), Refusal> {
        let needed = NeededColumns {
            names: &["tps"],
            is_above_zero: false,
        };
        let rows = measured::rows(&self.text_of(path)?, needed)
            .map_err(|mistake| mistake.refusal(path, self.catalog))?;
        let rounds = rows.into_iter().map(|row| GatheredRound {
            round: of_row(row),
            runs: None,
        });
        self.rounds.extend(rounds);
        Ok(())
    }

    /// What stored runs say of a round, beside what was typed of it, which counts more.
    fn stored_round(&mut self, reference: &str, typed: Round) -> Result<GatheredRound, Refusal> {
        if self.opened.is_none() {
            self.opened = Some(Stored::open(self.context, self.store)?);
        }
        let Some(stored) = &self.opened else {
            return Err(Refusal::config(problem::no_store()));
        };
        let runs = ComparedRuns::read(&stored.store, reference, stored.now_ms);
        let runs = runs.map_err(|error| stored.refusal(error))?;
        let mut round = typed;
        let search = runs.runs.iter().rev().find_map(|run| run.capacity_found());
        if let Some(found) = search {
            let file = CapacityFile::parse(&found.to_string())
                .map_err(|error| Refusal::config(problem::capacity_file(reference, error)))?;
            round.objective = Some(file.objective.clone());
            round.figures.capacity = round.figures.capacity.or_else(|| line_of(&file));
        }
        let of_loads = runs
            .runs
            .iter()
            .filter(|run| run.row.verdict != SEARCH_VERDICT);
        let lines = of_loads.map(|run| stored.line(run.row.clone()));
        let lines: Vec<RunLine> = lines.collect::<Result<_, _>>()?;
        round.fill(figures(&lines));
        if let Some(line) = lines.last().filter(|line| is_doubtful(line)) {
            round.doubt = loadline_report::runs::verdict(line, self.catalog);
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
            for (name, value) in &run.row.settings {
                (round.settings.entry(name.clone())).or_insert_with(|| value.clone());
            }
        }
        let is_told = |limit: &&LimitVerdict| limit.is_cause() || limit.answer == "no-bottleneck";
        if let Some(limit) = runs.limits.iter().rev().find(is_told) {
            self.set_limit(limit, &mut round);
        }
        let is_search = search.is_some();
        let runs = (!is_search).then_some(runs);
        Ok(GatheredRound { round, runs })
    }

    fn set_limit(&self, limit: &LimitVerdict, round: &mut Round) {
        let Some(words) = limit.words(self.catalog.lang().tag()) else {
            return;
        };
        if !round.limit.is_empty() {
            return;
        }
        if !limit.is_cause() {
            round.advice = vec![self.catalog.text(&rounds::next_more_load())];
            return;
        }
        round.limit.clone_from(&words.text);
        round.advice = words
            .advice
            .iter()
            .map(|advice| advice.action.clone())
            .collect();
    }

    fn finish(mut self) -> Result<RoundReport, StoryRefusal> {
        let mut before: Option<(String, ComparedRuns)> = None;
        let opened = self.opened.as_ref();
        for gathered in self.rounds {
            let GatheredRound { mut round, runs } = gathered;
            if let Some(runs) = runs {
                if let Some((name, earlier)) = &before {
                    round.compared = compared(name, earlier, &runs, self.catalog);
                    let answers = opened
                        .map(|stored| other_answers(stored, name, earlier, &runs, self.catalog));
                    let answers = answers.transpose()?.flatten();
                    if let Some((compared, answers)) = round.compared.as_mut().zip(answers) {
                        compared.said = format!("{}; {answers}", compared.said);
                    }
                }
                if !round.is_rejected {
                    before = Some((round.name.clone(), runs));
                }
            } else if !round.is_rejected {
                before = None;
            }
            self.story.rounds.push(round);
        }
        Ok(self.story)
    }
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
        Some(format!("{}: {}", found.word, found.text)),
        facts.limits.moved(catalog),
    ];
    Some(ComparedRound {
        with: name.to_owned(),
        said: said.into_iter().flatten().collect::<Vec<_>>().join("; "),
    })
}

/// That the answers of a round are other than those of the one before, and where they differ first; `None` where they are the
/// same, or not all runs kept answers.
fn other_answers(
    stored: &Stored,
    name: &str,
    before: &ComparedRuns,
    after: &ComparedRuns,
    catalog: &Catalog,
) -> Result<Option<String>, Refusal> {
    let saved = |runs: &ComparedRuns| {
        let names: Vec<&str> = (runs.runs.iter())
            .map(|run| run.row.name.as_str())
            .collect();
        let saved = answers::of_runs(&stored.store, &names, stored.now_ms);
        saved.map_err(|error| stored.refusal(error))
    };
    let (earlier, later) = (saved(before)?, saved(after)?);
    if earlier.is_empty() {
        return Ok(None);
    }
    let baseline = AnswerBaseline::new(name, &earlier);
    let compared = later.iter().map(|run| baseline.compare(run));
    let other = compared.into_iter().find(|found| found.differing > 0);
    Ok(other.map(|found| {
        let first = found.differences.first();
        let first = first.map(|first| report::sentence(first, catalog));
        let said = [Some(report::headline(&found, catalog)), first];
        said.into_iter().flatten().collect::<Vec<_>>().join(": ")
    }))
}

/// Whether a run says little of the target: it is not valid, or failed for more than its goals.
fn is_doubtful(line: &RunLine) -> bool {
    !MEASURED.contains(&line.verdict.as_str()) || !line.shortfalls.is_empty()
}

/// The line that a search found.
fn line_of(file: &CapacityFile) -> Option<RoundCapacity> {
    let line = ComparedLine::of_file(file)?;
    Some(RoundCapacity {
        middle: line.middle,
        low: line.low,
        high: line.high,
        is_of_goal: false,
    })
}

/// What a table that is full of settings calls threads are the target's, and no virtual users as in JMeter's.
const THREADS: [&str; 2] = ["threads", "스레드"];

fn of_row(mut row: MeasuredRow) -> Round {
    let head = row.users_head.trim().to_lowercase();
    if !row.others.is_empty()
        && THREADS.contains(&head.as_str())
        && let Some(threads) = row.users.take()
    {
        row.others.insert(row.users_head, counted(threads));
    }
    Round {
        name: row.name,
        change: row.note,
        settings: row.others,
        figures: RoundFigures {
            users: row.users,
            rate: row.throughput,
            mean_ms: row.mean.map(FigureRange::from),
            p95_ms: row.p95.map(FigureRange::from),
            errors: row.errors,
            capacity: None,
        },
        ..Round::default()
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
        capacity: None,
    }
}
