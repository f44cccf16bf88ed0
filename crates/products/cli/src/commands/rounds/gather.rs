//! Rounds from stored runs, searches, files and tables.

use loadline_analysis::slo::Term;
use loadline_report::capacity::compare::ComparedLine;
use loadline_report::rounds::{FigureRange, Round, RoundFigures, RoundReport};
use loadline_session::rounds::{RoundError, StoredRound, capacity_of, story_of};
use loadline_text::{Catalog, counted, problem, rounds};

use super::refusal::StoryRefusal;
use super::story_file::{FiledRound, StoryFile};
use crate::commands::capacity::table::judge_text;
use crate::context::Context;
use crate::measured::{self, MeasuredRow, NeededColumns};
use crate::refusal::Refusal;
use crate::stored::Stored;

/// The story of the rounds that were named.
pub(super) fn story(
    context: &Context,
    named: &[String],
    goal: Vec<Term>,
    store: Option<&str>,
    catalog: &Catalog,
) -> Result<RoundReport, StoryRefusal> {
    let is_goal_typed = !goal.is_empty();
    let mut gatherer = Gatherer {
        context,
        store,
        opened: None,
        catalog,
        story: RoundReport {
            goal,
            ..RoundReport::default()
        },
        is_goal_typed,
        rounds: Vec::new(),
    };
    let wrong = named.iter().filter_map(|name| gatherer.add(name).err());
    match wrong.reduce(StoryRefusal::and) {
        Some(wrong) => Err(wrong),
        None => Ok(story_of(gatherer.story, gatherer.rounds, catalog)),
    }
}

struct Gatherer<'a> {
    context: &'a Context,
    store: Option<&'a str>,
    opened: Option<Stored>,
    catalog: &'a Catalog,
    story: RoundReport,
    /// The goal was typed beside the files, and counts more than theirs.
    is_goal_typed: bool,
    rounds: Vec<StoredRound>,
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
        self.context
            .read_text(path)
            .map_err(|error| Refusal::unread(path, &error))
    }

    fn add_file(&mut self, path: &str) -> Result<(), StoryRefusal> {
        let (text, before) = (self.text_of(path)?, self.rounds.len());
        let file =
            StoryFile::read(&text, path, before, self.catalog).map_err(StoryRefusal::from)?;
        if !file.title.is_empty() {
            self.story.title.clone_from(&file.title);
        }
        if !self.is_goal_typed {
            self.story.goal.extend(file.goal);
        }
        let mut wrong = Vec::new();
        for mut filed in file.rounds {
            let place = filed.place.take();
            match self.filed_round(filed, path) {
                Ok(gathered) => self.rounds.push(gathered),
                Err(refusal) => wrong.push(StoryRefusal::named_at(refusal, place)),
            }
        }
        wrong
            .into_iter()
            .reduce(StoryRefusal::and)
            .map_or(Ok(()), Err)
    }

    /// A round of the file at `of`.
    fn filed_round(&mut self, filed: FiledRound, of: &str) -> Result<StoredRound, Refusal> {
        let round = match &filed.table {
            Some(table) => self.with_table(filed.round, of, table)?,
            None => filed.round,
        };
        if filed.runs.is_empty() {
            return Ok(StoredRound::typed(round));
        }
        self.stored_round(&filed.runs.join(","), round)
    }

    /// A round with what its table of a stress test comes to, judged by the story's goal.
    fn with_table(&self, mut round: Round, of: &str, table: &str) -> Result<Round, Refusal> {
        let path = std::path::Path::new(of).with_file_name(table);
        let path = path.display().to_string();
        let text = self.text_of(&path)?;
        let judgement = judge_text(&text, &path, &self.story.goal, 0.0, self.catalog)?;
        let line = ComparedLine::of_table(&judgement);
        let at = |place: usize| judgement.rows[place].throughput;
        let mut found = RoundFigures {
            capacity: line.map(capacity_of),
            knee: judgement.knee.map(|knee| at(knee.place)),
            peak: judgement.peak.map(at),
            ..RoundFigures::default()
        };
        // Where no row holds, the one with the least load says by how much.
        if let (None, Some(least)) = (line, judgement.rows.first()) {
            found.users = Some(least.users);
            round.least_missed_users = Some(least.users);
            if least.users > 1.0 {
                let said = rounds::doubt_least(counted(least.users));
                round.doubt = self.catalog.text(&said);
            }
            found.rate = Some(least.throughput);
            found.mean_ms = least.mean.map(FigureRange::from);
            found.p95_ms = least.p95.map(FigureRange::from);
            found.errors = least.errors;
        }
        let objective = judgement.judged.iter().map(ToString::to_string);
        round.objective = Some(objective.collect());
        round.fill(found);
        Ok(round)
    }

    fn add_table(&mut self, path: &str) -> Result<(), Refusal> {
        let needed = NeededColumns {
            names: &["tps"],
            is_above_zero: false,
        };
        let rows = measured::rows(&self.text_of(path)?, needed)
            .map_err(|mistake| mistake.refusal(path, self.catalog))?;
        let rounds = rows.into_iter().map(|row| StoredRound::typed(of_row(row)));
        self.rounds.extend(rounds);
        Ok(())
    }

    /// What stored runs say of a round, beside what was typed of it, which counts more.
    fn stored_round(&mut self, reference: &str, typed: Round) -> Result<StoredRound, Refusal> {
        if self.opened.is_none() {
            self.opened = Some(Stored::open(self.context, self.store)?);
        }
        let Some(stored) = &self.opened else {
            return Err(Refusal::config(problem::no_store()));
        };
        let found = StoredRound::read(&stored.store, reference, typed, stored.now_ms, self.catalog);
        found.map_err(|error| match error {
            RoundError::Store(error) => stored.refusal(error),
            RoundError::Search { reason } => {
                Refusal::config(problem::capacity_file(reference, reason))
            }
        })
    }
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
            ..RoundFigures::default()
        },
        ..Round::default()
    }
}
