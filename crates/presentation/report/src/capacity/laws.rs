//! What a table's levels come to by two laws: Little's, which tells whether its numbers fit each other, and the
//! Universal Scalability Law.

use loadline_analysis::capacity::table::Judgement;
use loadline_analysis::curve;
use loadline_analysis::usl::{self, FitError, MIN_LEVELS, UslFit};
use loadline_text::{capacity, millis, percent};

use super::file::CapacityFile;
use super::usl_message;
use super::words::Words;

/// A level further off Little's law than this is told.
const OFF_LAW: f64 = 0.05;

/// Levels of a table, held against both laws.
pub(super) struct TableLaws {
    levels: Vec<LevelByLaw>,
    /// What users think between two requests, s.
    think_s: f64,
    /// The highest throughput of a level.
    measured: f64,
    usl: Result<UslFit, FitError>,
}

/// A level of a table.
pub(super) struct LevelByLaw {
    users: f64,
    /// How far it is off Little's law, as a share of its users; `None` without a mean.
    pub(super) off_law: Option<f64>,
    /// How far its throughput lies above the curve, as a share of its own; `None` without a fit.
    pub(super) residual: Option<f64>,
}

impl TableLaws {
    pub(super) fn from_judgement(judgement: &Judgement) -> Self {
        let levels = judgement.rows.iter().zip(&judgement.off_law);
        let measured = judgement.rows.iter().map(|row| row.throughput);
        Self {
            measured: measured.fold(0.0, f64::max),
            ..Self::new(
                levels.map(|(row, off)| (row.users, *off)),
                judgement.think_s,
                judgement.usl.clone(),
            )
        }
    }

    /// The same, of the file of a table.
    pub(super) fn from_file(file: &CapacityFile) -> Self {
        let think_s = file.think_ms.unwrap_or(0.0) / 1000.0;
        let points: Vec<(f64, f64)> = file
            .steps
            .iter()
            .map(|step| (step.load, step.throughput))
            .collect();
        let levels = file.steps.iter().map(|step| {
            let off = step.mean_ms.map(|mean_ms| {
                curve::off_littles_law(step.load, step.throughput, mean_ms / 1000.0, think_s)
            });
            (step.load, off)
        });
        let measured = points.iter().map(|(_, throughput)| *throughput);
        Self {
            measured: measured.fold(0.0, f64::max),
            ..Self::new(levels, think_s, usl::fit(&points))
        }
    }

    fn new(
        levels: impl Iterator<Item = (f64, Option<f64>)>,
        think_s: f64,
        usl: Result<UslFit, FitError>,
    ) -> Self {
        let residual = |place: usize| usl.as_ref().ok()?.residuals.get(place).copied();
        let levels = levels
            .enumerate()
            .map(|(place, (users, off_law))| LevelByLaw {
                users,
                off_law,
                residual: residual(place),
            });
        Self {
            levels: levels.collect(),
            think_s,
            measured: 0.0,
            usl,
        }
    }

    pub(super) fn levels(&self) -> &[LevelByLaw] {
        &self.levels
    }

    /// The curve that fits, or why there is none.
    pub(super) fn usl(&self, words: Words<'_>) -> String {
        let message = match &self.usl {
            Err(FitError::TooFewLevels { found }) => capacity::usl_none(found, MIN_LEVELS),
            Err(_) => capacity::usl_failed(),
            Ok(fit) => {
                let worst = fit.worst();
                let is_worst = |r: &f64| (r - worst).abs() < f64::EPSILON;
                let at = fit.residuals.iter().position(is_worst);
                let at = at.map_or(0.0, |place| self.levels[place].users);
                let load = |load: f64| words.load(load.round());
                usl_message(fit, load(at), self.measured, load)
            }
        };
        words.text(&message)
    }

    /// Whether users, throughput and means fit each other; nothing where no mean is known.
    pub(super) fn littles_law(&self, words: Words<'_>) -> Vec<String> {
        let known = self.levels.iter();
        let known: Vec<(f64, f64)> = known
            .filter_map(|level| Some((level.off_law?, level.users)))
            .collect();
        let think = (self.think_s > 0.0).then(|| millis(1000.0 * self.think_s));
        let off = |size: &f64| percent((size.abs() * 1000.0).ceil() / 1000.0);
        let far: Vec<String> = known
            .iter()
            .filter(|(size, _)| size.abs() > OFF_LAW)
            .map(|(size, users)| {
                let load = words.load(*users);
                words.text(&match &think {
                    Some(think) => capacity::table_law_off_thinking(load, off(size), think),
                    // Users who think have fewer requests under way than there are users, never more.
                    None if *size < 0.0 => capacity::table_law_off_above(load, off(size)),
                    None => capacity::table_law_off(load, off(size)),
                })
            })
            .collect();
        if !far.is_empty() || known.is_empty() {
            return far;
        }
        let worst = known.iter().map(|(size, _)| size.abs()).fold(0.0, f64::max);
        vec![words.text(&match think {
            Some(think) => capacity::table_law_thinking(off(&worst), think),
            None => capacity::table_law(off(&worst)),
        })]
    }
}
