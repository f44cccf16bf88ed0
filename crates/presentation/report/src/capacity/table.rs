//! The judgement of a load curve measured elsewhere, in words.

use std::collections::BTreeMap;

use loadline_analysis::capacity::Unit;
use loadline_analysis::capacity::table::{Judgement, Row};
use loadline_analysis::curve::Crossing;
use loadline_analysis::slo::Term;
use loadline_text::{Catalog, Message, capacity, grouped, messages, millis, percent};

use super::file::{
    BaselineInFile, CapacityFile, FaultsInFile, GoalRequestsInFile, KneeInFile, LineInFile,
    PeakInFile, StepInFile, TestInFile, UnitInFile,
};
use super::goal::AskedLoad;
use super::laws::TableLaws;
use super::percent_of;
use super::words::{Words, interpolated_users, rate};
use crate::grid::{Grid, Side};
use crate::table::Table;

/// That a level misses its goal by less than this share is told.
const AT_GOAL: f64 = 0.01;

/// The whole judgement of the table in `file`; ends with a line break.
#[must_use]
pub fn text(
    judgement: &Judgement,
    file: &str,
    goal: Option<TableGoal>,
    catalog: &Catalog,
) -> String {
    let page = Page {
        judgement,
        laws: TableLaws::from_judgement(judgement),
        words: Words {
            unit: Unit::Users,
            terms: &judgement.judged,
            catalog,
        },
    };
    let say = |message| page.words.text(&message);
    let mut text = format!(
        "{}\n{}\n\n",
        say(capacity::table_title(file, judgement.rows.len())),
        say(capacity::note_judged(page.words.objective()))
    );
    let mut points = Table::default();
    points.list(say(capacity::row_line()), page.line());
    points.list(say(capacity::row_knee()), page.knee());
    let peak = judgement.peak.map(|place| &judgement.rows[place]);
    let peak = peak.map_or_else(capacity::not_seen, |peak| {
        capacity::table_peak(page.words.load(peak.users), rate(peak.throughput))
    });
    points.list(say(capacity::row_peak()), vec![say(peak)]);
    if let Some(goal) = goal {
        points.list(
            say(capacity::row_goal()),
            vec![goal.asked(judgement).row(page.words)],
        );
    }
    points.list(say(capacity::row_usl()), vec![page.laws.usl(page.words)]);
    points.list(say(capacity::row_note()), page.laws.littles_law(page.words));
    text.push_str(&points.render());
    text.push('\n');
    text.push_str(&page.rows());
    text
}

/// The load up to which the objective holds, and the lowest measured one at which it does not.
fn line(judgement: &Judgement) -> (Option<f64>, Option<f64>) {
    let users = |place: usize| judgement.rows[place].users;
    match judgement.crossing {
        Crossing::Below => (None, Some(users(0))),
        Crossing::Above { last } => (Some(users(last)), None),
        Crossing::Between {
            last, first, load, ..
        } => (Some(load.unwrap_or(users(last))), Some(users(first))),
    }
}

/// The users that a table comes to where the objective is crossed, as its text and its page have them.
fn about(judgement: &Judgement) -> Option<f64> {
    let Crossing::Between {
        last, first, load, ..
    } = judgement.crossing
    else {
        return None;
    };
    let users = |place: usize| judgement.rows[place].users;
    Some(interpolated_users(users(last), load?, users(first)))
}

/// The load that the table shows to hold.
fn held(judgement: &Judgement) -> f64 {
    let (load, _) = line(judgement);
    about(judgement).or(load).unwrap_or(0.0)
}

/// Requests per second at the load that the table shows to hold.
fn carried(judgement: &Judgement) -> f64 {
    let made = |place: usize| judgement.rows[place].throughput;
    match judgement.crossing {
        Crossing::Below => 0.0,
        Crossing::Above { last } => made(last),
        Crossing::Between {
            last, throughput, ..
        } => throughput.unwrap_or(made(last)),
    }
}

/// What is asked of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableGoal {
    /// So many users.
    Users(f64),
    /// So many requests per second.
    Requests(f64),
}

impl TableGoal {
    fn asked(self, judgement: &Judgement) -> AskedLoad {
        let (_, beyond) = line(judgement);
        let (goal, carried, is_rate) = match self {
            Self::Users(users) => (users, held(judgement), false),
            Self::Requests(rate) => (rate, carried(judgement), true),
        };
        AskedLoad {
            goal,
            carried,
            is_open: beyond.is_none(),
            is_doubted: false,
            is_rate,
        }
    }

    /// Whether it is more than the table shows to hold.
    #[must_use]
    pub fn is_missed(self, judgement: &Judgement) -> bool {
        self.asked(judgement).is_met() == Some(false)
    }
}

/// Whether not even the lowest level of the table is within the objective.
#[must_use]
pub fn holds_nowhere(judgement: &Judgement) -> bool {
    judgement.crossing == Crossing::Below
}

/// The judgement as a file, as a search writes it, with the users that are planned; what a table does not tell is left open.
#[must_use]
pub fn file(judgement: &Judgement, name: &str, goal: Option<TableGoal>) -> CapacityFile {
    let rows = &judgement.rows;
    let (last, first) = match judgement.crossing {
        Crossing::Below => (None, Some(0)),
        Crossing::Above { last } => (Some(last), None),
        Crossing::Between { last, first, .. } => (Some(last), Some(first)),
    };
    let (interpolated, _) = line(judgement);
    let peak = judgement.peak.map(|place| &rows[place]);
    CapacityFile {
        loadline_capacity: super::file::CAPACITY_VERSION,
        test: TestInFile {
            name: name.to_owned(),
            kind: "table".to_owned(),
            ..TestInFile::default()
        },
        unit: UnitInFile::VirtualUsers,
        end: match (last, first) {
            (None, _) => "none-holds",
            (_, None) => "at-least-highest",
            _ => "found",
        }
        .to_owned(),
        objective: judgement.judged.iter().map(ToString::to_string).collect(),
        confidence: 0.0,
        line: last.map(|last| LineInFile {
            load: rows[last].users,
            beyond: first.map(|first| rows[first].users),
            throughput: rows[last].throughput,
            requests_per_second: rows[last].throughput,
            sure: false,
            held_s: 0.0,
            interpolated: interpolated.filter(|_| first.is_some()),
            about: about(judgement),
            safe: None,
            likely: None,
            faults: FaultsInFile::default(),
        }),
        knee: judgement.knee.as_ref().map(|knee| KneeInFile {
            load: rows[knee.place].users,
            low: rows[knee.place.saturating_sub(1)].users,
            throughput: rows[knee.place].throughput,
            in_flight: rows[knee.place].users,
            share_of_peak: knee.share,
        }),
        peak: peak.map(|peak| PeakInFile {
            throughput: peak.throughput,
            low: peak.throughput,
            high: peak.throughput,
            load: peak.users,
        }),
        baseline: BaselineInFile::default(),
        requests_per_session: None,
        session_ms: None,
        think_ms: (judgement.think_s > 0.0).then_some(judgement.think_s * 1000.0),
        soak: None,
        goal: match goal {
            Some(TableGoal::Users(users)) => Some(users),
            Some(TableGoal::Requests(_)) | None => None,
        },
        goal_requests: match goal {
            Some(TableGoal::Requests(goal)) => Some(GoalRequestsInFile {
                goal,
                carried: carried(judgement),
            }),
            Some(TableGoal::Users(_)) | None => None,
        },
        limited_by: None,
        limit: None,
        environment: serde_json::Value::Null,
        target: BTreeMap::new(),
        steps: rows
            .iter()
            .map(|row| level(row, &judgement.judged))
            .collect(),
    }
}

/// A row as a level. How long it was held is not in the table.
fn level(row: &Row, terms: &[Term]) -> StepInFile {
    let holds = |term: &Term| {
        let value = row.value(term)?;
        Some(value < term.limit || (term.inclusive && value <= term.limit))
    };
    let is_missed = terms.iter().any(|term| holds(term) == Some(false));
    StepInFile {
        load: row.users,
        why: "measured".to_owned(),
        outcome: if is_missed { "misses" } else { "holds" }.to_owned(),
        began_s: 0.0,
        held_s: 0.0,
        throughput: row.throughput,
        requests_per_second: row.throughput,
        mean_ms: row.mean,
        p50_ms: row.p50,
        p95_ms: row.p95,
        p99_ms: row.p99,
        errors: row.errors,
        in_flight: row.users,
        target_cpu: None,
        doubt: None,
    }
}

struct Page<'a> {
    judgement: &'a Judgement,
    laws: TableLaws,
    words: Words<'a>,
}

impl Page<'_> {
    fn value(&self, row: &Row) -> String {
        let term = self
            .judgement
            .term
            .and_then(|place| self.judgement.judged.get(place));
        let value = term.and_then(|term| Some((term, row.value(term)?)));
        value.map_or_else(String::new, |(term, value)| self.words.value(term, value))
    }

    fn line(&self) -> Vec<String> {
        let rows = &self.judgement.rows;
        let say = |message| self.words.text(&message);
        let (load, made) = (
            |row: &Row| self.words.load(row.users),
            |row: &Row| rate(row.throughput),
        );
        match self.judgement.crossing {
            Crossing::Below => {
                let term = self
                    .judgement
                    .term
                    .map_or_else(String::new, |t| self.words.term(t));
                let lowest = &rows[0];
                vec![say(capacity::table_none(
                    term,
                    self.value(lowest),
                    load(lowest),
                ))]
            }
            Crossing::Above { last } => {
                vec![say(capacity::table_all(
                    load(&rows[last]),
                    made(&rows[last]),
                ))]
            }
            Crossing::Between {
                last,
                first,
                throughput,
                ..
            } => {
                let (last, first) = (&rows[last], &rows[first]);
                let mut lines = Vec::new();
                if let Some((users, throughput)) = about(self.judgement).zip(throughput) {
                    let users = self.words.about(users);
                    lines.push(say(capacity::table_line(users, rate(throughput))));
                }
                lines.push(say(capacity::table_last(
                    load(last),
                    made(last),
                    self.value(last),
                )));
                lines.push(say(self.first_missed(first)));
                lines
            }
        }
    }

    /// The first level that fails; one that misses its goal by next to nothing says so.
    fn first_missed(&self, first: &Row) -> Message {
        let excess = self.judgement.term.and_then(|place| {
            let term = self.judgement.judged.get(place)?;
            Some(term.excess(first.value(term)?))
        });
        let (load, made) = (self.words.load(first.users), rate(first.throughput));
        let value = self.value(first);
        if excess.is_some_and(|excess| excess < AT_GOAL) {
            let most = percent(AT_GOAL).replace(".00", "");
            capacity::table_first_near(load, made, value, most)
        } else {
            capacity::table_first(load, made, value)
        }
    }

    fn knee(&self) -> Vec<String> {
        let rows = &self.judgement.rows;
        let Some(knee) = self.judgement.knee else {
            return vec![self.words.text(&capacity::not_seen())];
        };
        let row = &rows[knee.place];
        let share = percent_of(knee.share);
        let mut lines = vec![self.words.text(&capacity::table_knee(
            self.words.load(row.users),
            rate(row.throughput),
            share,
        ))];
        let at = |place: Option<usize>| place.map(|place| self.words.load(rows[place].users));
        if let (Some(power), Some(kneedle)) = (at(self.judgement.power), at(self.judgement.kneedle))
        {
            lines.push(self.words.text(&capacity::second(power, kneedle)));
        }
        lines
    }

    fn rows(&self) -> String {
        let say = |message| self.words.text(&message);
        let mut grid = Grid::default();
        grid.column(say(capacity::column_load()), Side::Right);
        grid.column(say(capacity::column_rate()), Side::Right);
        grid.column(say(messages::column_mean()), Side::Right);
        for plain in ["p50", "p95", "p99"] {
            grid.column(plain.to_owned(), Side::Right);
        }
        grid.column(say(messages::row_errors()), Side::Right);
        grid.column(say(capacity::column_law()), Side::Right);
        grid.column(say(capacity::column_usl()), Side::Right);
        let time = |value: Option<f64>| value.map_or_else(String::new, millis);
        let signed = |share: f64| {
            let sign = if share < 0.0 { "-" } else { "+" };
            format!("{sign}{} %", grouped(share.abs() * 100.0, 1))
        };
        for (row, level) in self.judgement.rows.iter().zip(self.laws.levels()) {
            grid.row(vec![
                self.words.load(row.users),
                rate(row.throughput),
                time(row.mean),
                time(row.p50),
                time(row.p95),
                time(row.p99),
                row.errors.map_or_else(String::new, percent),
                level.off_law.map_or_else(String::new, signed),
                level.residual.map_or_else(String::new, signed),
            ]);
        }
        grid.render()
    }
}
