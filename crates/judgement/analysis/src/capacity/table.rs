//! The same judgement of a load curve somebody else measured.
//!
//! Rows pair virtual users with throughput and response times. The line is interpolated
//! between the last row that keeps the objective and the first that does not, and says so;
//! a term whose column is missing cannot be judged, and is reported instead of guessed.

use crate::curve::{self, Crossing, CurveKnee, Level};
use crate::slo::{Statistic, Term};
use crate::usl::{self, FitError, UslFit};

/// A row of a table; times in ms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Row {
    /// Virtual users.
    pub users: f64,
    /// Completed per second.
    pub throughput: f64,
    /// Mean response time.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Longest.
    pub max: Option<f64>,
    /// Share of errors.
    pub errors: Option<f64>,
}

impl Row {
    /// The value a term asks for; `None` when the table does not have it.
    #[must_use]
    pub fn value(&self, term: &Term) -> Option<f64> {
        if !term.scope.is_empty() {
            return None;
        }
        match term.statistic {
            Statistic::Mean => self.mean,
            Statistic::Max => self.max,
            Statistic::Errors => self.errors,
            Statistic::Checks => None,
            Statistic::Percentile(percentile) => {
                let is = |other: f64| (percentile - other).abs() < 1e-9;
                match percentile {
                    _ if is(50.0) => self.p50,
                    _ if is(95.0) => self.p95,
                    _ if is(99.0) => self.p99,
                    _ => None,
                }
            }
        }
    }
}

/// Why rows cannot be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// Too few rows for a curve.
    #[error("{found} rows, at least 2 are needed")]
    TooFewRows {
        /// How many there are.
        found: usize,
    },
    /// A row's users or throughput cannot be.
    #[error("row {row}: users and throughput must be above zero")]
    NotPositive {
        /// The row, from 1.
        row: usize,
    },
    /// Two rows have the same users.
    #[error("{users} users stand in two rows")]
    Twice {
        /// The users.
        users: f64,
    },
    /// No term can be judged.
    #[error("`{term}` needs a column the table does not have")]
    NoColumn {
        /// The term.
        term: String,
    },
}

/// A last row with so much more throughput than all before is no peak.
const RISING_FACTOR_MIN: f64 = 1.02;

/// What a table says.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The rows by users.
    pub rows: Vec<Row>,
    /// Terms that were judged.
    pub judged: Vec<Term>,
    /// Where the objective is crossed, and by which term: its place among the judged.
    pub crossing: Crossing,
    /// The term that is missed first.
    pub term: Option<usize>,
    /// The knee.
    pub knee: Option<CurveKnee>,
    /// The peak's place; `None` where throughput still rises in the last row.
    pub peak: Option<usize>,
    /// Where power is greatest.
    pub power: Option<usize>,
    /// Kneedle's point.
    pub kneedle: Option<usize>,
    /// The Universal Scalability Law, or why it was not fitted.
    pub usl: Result<UslFit, FitError>,
    /// Think time of a user between two requests.
    pub think_s: f64,
    /// How far each row is off Little's law with this think time, where a mean is known.
    pub off_law: Vec<Option<f64>>,
}

/// Judges rows in any order, with `think_s` seconds of think time.
///
/// # Errors
/// [`TableError`].
pub fn judge(mut rows: Vec<Row>, terms: &[Term], think_s: f64) -> Result<Judgement, TableError> {
    if rows.len() < 2 {
        return Err(TableError::TooFewRows { found: rows.len() });
    }
    let is_sound = |value: f64| value.is_finite() && value > 0.0;
    if let Some(place) = rows
        .iter()
        .position(|row| !is_sound(row.users) || !is_sound(row.throughput))
    {
        return Err(TableError::NotPositive { row: place + 1 });
    }
    rows.sort_by(|a, b| a.users.total_cmp(&b.users));
    if let Some(pair) = rows.windows(2).find(|p| p[1].users - p[0].users < 1e-9) {
        return Err(TableError::Twice {
            users: pair[0].users,
        });
    }
    for term in terms {
        if rows.iter().any(|row| row.value(term).is_none()) {
            return Err(TableError::NoColumn {
                term: term.to_string(),
            });
        }
    }
    let levels: Vec<Level> = rows
        .iter()
        .map(|row| Level {
            load: row.users,
            throughput: row.throughput,
        })
        .collect();
    let (crossing, term) = first_crossing(&rows, &levels, terms);
    let response: Vec<f64> = rows.iter().map(|row| row.mean.unwrap_or(0.0)).collect();
    let points: Vec<(f64, f64)> = rows.iter().map(|r| (r.users, r.throughput)).collect();
    let off_law = rows.iter().map(|row| {
        let response = row.mean? / 1000.0;
        Some(curve::off_littles_law(
            row.users,
            row.throughput,
            response,
            think_s,
        ))
    });
    Ok(Judgement {
        judged: terms.to_vec(),
        crossing,
        term,
        knee: curve::knee(&levels).filter(|_| !is_rising(&levels)),
        peak: curve::peak(&levels).filter(|_| !is_rising(&levels)),
        power: curve::power(&levels, &response),
        kneedle: curve::kneedle(&levels),
        usl: usl::fit(&points),
        think_s,
        off_law: off_law.collect(),
        rows,
    })
}

/// The last row has the most throughput, and much more than any other: neither knee nor peak was reached.
fn is_rising(levels: &[Level]) -> bool {
    let Some((last, before)) = levels.split_last() else {
        return false;
    };
    let most = before.iter().map(|level| level.throughput);
    last.throughput > RISING_FACTOR_MIN * most.fold(0.0, f64::max) && !before.is_empty()
}

/// The crossing at the lowest load, and its term.
fn first_crossing(rows: &[Row], levels: &[Level], terms: &[Term]) -> (Crossing, Option<usize>) {
    let mut found: Option<(f64, Crossing, usize)> = None;
    for (place, term) in terms.iter().enumerate() {
        let excess: Vec<Option<f64>> = rows
            .iter()
            .map(|row| row.value(term).map(|value| excess(term, value)))
            .collect();
        let crossing = curve::crossing(levels, &excess);
        let load = match crossing {
            Crossing::Below => 0.0,
            Crossing::Between { first, load, .. } => load.unwrap_or(levels[first].load),
            Crossing::Above { .. } => continue,
        };
        if found.as_ref().is_none_or(|(other, ..)| load < *other) {
            found = Some((load, crossing, place));
        }
    }
    match found {
        Some((_, crossing, term)) => (crossing, Some(term)),
        None => (
            Crossing::Above {
                last: levels.len() - 1,
            },
            None,
        ),
    }
}

/// Above zero when the term is missed: the limit itself may or may not be.
fn excess(term: &Term, value: f64) -> f64 {
    let excess = term.excess(value);
    if term.holds(value) {
        excess.min(0.0)
    } else {
        excess.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::SUBMISSIONS;

    fn rows(table: &[(f64, f64, f64)]) -> Vec<Row> {
        let table = table.iter();
        table
            .map(|(users, throughput, mean)| Row {
                users: *users,
                throughput: *throughput,
                mean: Some(*mean),
                ..Row::default()
            })
            .collect()
    }

    const TWO: [(f64, f64, f64); 5] = [
        (50.0, 213.6, 235.3),
        (300.0, 327.7, 938.1),
        (400.0, 347.4, 1190.4),
        (500.0, 316.6, 1631.6),
        (1000.0, 303.1, 3143.8),
    ];

    fn mean_100() -> Vec<Term> {
        vec!["mean<=100ms".parse().unwrap()]
    }

    /// What a team measured by hand, and called 15 users the last good level and 200 the
    /// saturation point.
    #[test]
    fn three_points_of_a_published_table_of_one_instance() {
        let one = judge(rows(&SUBMISSIONS), &mean_100(), 0.0).unwrap();
        let Crossing::Between {
            last,
            first,
            load,
            throughput,
        } = one.crossing
        else {
            unreachable!()
        };
        assert!((one.rows[last].users - 10.0).abs() < 1e-9);
        assert!((one.rows[first].users - 15.0).abs() < 1e-9);
        assert!((load.unwrap() - 14.7).abs() < 0.05);
        assert!((throughput.unwrap() - 144.0).abs() < 0.5);
        assert!((one.rows[one.knee.unwrap().place].users - 20.0).abs() < 1e-9);
        assert!((one.rows[one.peak.unwrap()].users - 200.0).abs() < 1e-9);
        let usl = one.usl.unwrap();
        let top = usl.peak().unwrap();
        assert!((165.0..=180.0).contains(&top), "{top}");
        assert!(usl.worst() > 0.09, "{usl:?}");
        assert!(one.off_law.iter().flatten().all(|off| off.abs() < 0.03));
    }

    #[test]
    fn two_instances_hold_the_goal_nowhere_and_peak_at_twice_the_throughput() {
        let one = judge(rows(&SUBMISSIONS), &mean_100(), 0.0).unwrap();
        let two = judge(rows(&TWO), &mean_100(), 0.0).unwrap();
        assert_eq!(two.crossing, Crossing::Below);
        assert!((two.rows[two.peak.unwrap()].users - 400.0).abs() < 1e-9);
        let gain =
            two.rows[two.peak.unwrap()].throughput / one.rows[one.peak.unwrap()].throughput - 1.0;
        assert!((gain - 1.08).abs() < 0.002, "{gain}");
    }

    /// Seen: "knee 20 VUs (100 % of the peak), peak 20 VUs" of a table that ends there and rises by half.
    #[test]
    fn a_table_whose_throughput_still_rises_reached_neither_knee_nor_peak() {
        let rising = [
            (5.0, 50.0, 100.0),
            (10.0, 100.0, 200.0),
            (20.0, 150.0, 400.0),
        ];
        let judged = judge(rows(&rising), &mean_100(), 0.0).unwrap();
        assert_eq!((judged.knee.is_none(), judged.peak), (true, None));
        let flat = [
            (5.0, 50.0, 100.0),
            (10.0, 100.0, 100.0),
            (20.0, 101.0, 198.0),
        ];
        assert!(judge(rows(&flat), &mean_100(), 0.0).unwrap().peak.is_some());
        // A row that recovers from a dip lies below the peak all the same.
        let dip = [
            (5.0, 100.0, 50.0),
            (10.0, 200.0, 50.0),
            (20.0, 150.0, 133.0),
            (40.0, 170.0, 235.0),
        ];
        assert_eq!(judge(rows(&dip), &mean_100(), 0.0).unwrap().peak, Some(1));
    }

    #[test]
    fn what_a_table_does_not_have_is_not_guessed() {
        let p95: Vec<Term> = vec!["p(95)<500ms".parse().unwrap()];
        let missing = TableError::NoColumn {
            term: "p(95)<500ms".to_owned(),
        };
        assert_eq!(judge(rows(&TWO), &p95, 0.0).unwrap_err(), missing);
        let twice = [(5.0, 10.0, 1.0), (5.0, 11.0, 1.0)];
        assert_eq!(
            judge(rows(&twice), &[], 0.0).unwrap_err(),
            TableError::Twice { users: 5.0 }
        );
    }
}
