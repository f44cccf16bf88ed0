//! What searches of one law come to.

use loadline_analysis::capacity::{Answer, Step};
use loadline_experiment::capacity::{Search, SearchSettings, run_search};
use loadline_experiment::runner::{Runner, Running};
use loadline_experiment::simulated::SimulatedTarget;

use crate::forty::Law;
use crate::rivals;

/// A way to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Ours.
    Search,
    /// Robbins and Monro's stochastic approximation.
    Approximation,
    /// Probabilistic bisection: Bayes' rule over what each level seems to say.
    Bisection,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Search, Self::Approximation, Self::Bisection];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Search => "loadline",
            Self::Approximation => "stochastic approximation",
            Self::Bisection => "Bayesian bisection",
        }
    }
}

/// What searches of one law come to: of each, by how much the estimate is off, as a share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Score {
    pub(crate) all: u32,
    /// Told a load that is carried for sure, ...
    pub(crate) sure: u32,
    /// ... and of these, above the truth.
    pub(crate) above: u32,
    below: f64,
    pub(crate) offs: Vec<f64>,
    covered: u32,
    /// Told a load that is safe, ...
    safe: u32,
    /// ... and of these, above the truth, ...
    safe_above: u32,
    /// ... and by how much they lie below it.
    safe_below: f64,
    /// How wide the ranges are, by the line.
    widths: Vec<f64>,
    /// Estimates below a level that held.
    contradicted: u32,
    seconds: Vec<f64>,
}

/// What of a search is not as usual.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// How long it may take, seconds.
    pub(crate) budget: Option<f64>,
    /// Where each search is written, one a line.
    pub(crate) each: Option<String>,
}

impl Asked {
    /// Writes what a search told, beside the truth.
    fn keep(&self, law: &Law, seed: u64, told: &Told) {
        let Some(path) = &self.each else {
            return;
        };
        use std::io::Write;
        let mut open = std::fs::OpenOptions::new();
        let mut file = open.create(true).append(true).open(path).unwrap();
        let share = |load: Option<f64>| {
            let off = load.map(|load| 100.0 * (load / law.line_at(told.seconds) - 1.0));
            off.map_or("-".to_owned(), |off| format!("{off:+.2}"))
        };
        let range = told.range;
        // At once: two threads write it.
        let line = format!(
            "{}\t{seed}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.0}\t{:.1}\n",
            law.name,
            share(told.estimate),
            share(range.map(|range| range.0)),
            share(range.map(|range| range.1)),
            share(told.sure),
            share(told.held),
            share(told.safe),
            told.seconds,
            law.line_at(told.seconds),
        );
        file.write_all(line.as_bytes()).unwrap();
    }
}

/// What one search told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) estimate: Option<f64>,
    pub(crate) range: Option<(f64, f64)>,
    pub(crate) sure: Option<f64>,
    pub(crate) safe: Option<f64>,
    /// The highest load that held, for sure or not.
    pub(crate) held: Option<f64>,
    pub(crate) seconds: f64,
}

impl Score {
    pub(crate) const HEAD: &str = "| target | way | line | searches | sure | too high | below the line | safe | too high | below the line | estimated | off by, median | within 3 % | \
         range holds it | width | below what held | minutes, median | nine in ten |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

    /// So many searches, one after the other.
    pub(crate) fn new(law: &Law, way: Way, asked: &Asked, first_seed: u64, count: u32) -> Self {
        let mut score = Self::default();
        for seed in first_seed..first_seed + u64::from(count) {
            let target = SimulatedTarget {
                seed,
                ..law.target.clone()
            };
            let told = match way {
                Way::Search => search(law, target, asked),
                Way::Approximation => rivals::approximate(law, target),
                Way::Bisection => rivals::bisect(law, target),
            };
            asked.keep(law, seed, &told);
            score.add(law, told);
        }
        score
    }

    /// The same on two cores.
    pub(crate) fn abreast(law: &Law, way: Way, asked: &Asked, first_seed: u64, count: u32) -> Self {
        let half = count / 2;
        std::thread::scope(|scope| {
            let other = scope.spawn(|| Self::new(law, way, asked, first_seed, half));
            let mut score = Self::new(law, way, asked, first_seed + u64::from(half), count - half);
            score.merge(other.join().unwrap());
            score
        })
    }

    fn add(&mut self, law: &Law, told: Told) {
        self.all += 1;
        self.seconds.push(told.seconds);
        let truth = law.line_at(told.seconds);
        if let Some(estimate) = told.estimate {
            self.offs.push(estimate / truth - 1.0);
        }
        if let Some((low, high)) = told.range {
            self.widths.push((high - low) / truth);
        }
        let is_below = told.estimate.zip(told.held);
        let is_below = is_below.is_some_and(|(estimate, held)| estimate < 0.999 * held);
        self.contradicted += u32::from(is_below);
        if told
            .range
            .is_some_and(|(low, high)| low <= truth && truth <= high)
        {
            self.covered += 1;
        }
        if let Some(safe) = told.safe {
            self.safe += 1;
            self.safe_above += u32::from(safe > truth);
            self.safe_below += 1.0 - safe / truth;
        }
        if let Some(sure) = told.sure {
            self.sure += 1;
            self.above += u32::from(sure > truth);
            self.below += 1.0 - sure / truth;
        }
    }

    fn merge(&mut self, other: Self) {
        self.all += other.all;
        self.sure += other.sure;
        self.above += other.above;
        self.below += other.below;
        self.safe += other.safe;
        self.safe_above += other.safe_above;
        self.safe_below += other.safe_below;
        self.offs.extend(other.offs);
        self.covered += other.covered;
        self.widths.extend(other.widths);
        self.contradicted += other.contradicted;
        self.seconds.extend(other.seconds);
    }

    /// How many estimates are off by at most this share.
    pub(crate) fn within(&self, share: f64) -> usize {
        self.offs.iter().filter(|off| off.abs() <= share).count()
    }

    pub(crate) fn row(&self, law: &Law) -> String {
        let told = self.offs.len() as f64;
        let all = f64::from(self.all);
        let at = |of: &[f64], share: f64| {
            let mut sorted = of.to_vec();
            sorted.sort_by(f64::total_cmp);
            let place = (share * sorted.len() as f64).floor();
            sorted.get(place as usize).copied().unwrap_or(f64::NAN)
        };
        format!(
            "{:.1}/s | {} | {:.0} % | {:.1} % | {:.1} % | {:.0} % | {:.1} % | {:.1} % | {:.0} % | {:+.1} % | {:.0} % | {:.0} % | {:.0} % | {:.0} % | {:.1} | {:.1} |",
            law.line_rate,
            self.all,
            100.0 * f64::from(self.sure) / all,
            100.0 * f64::from(self.above) / all,
            100.0 * self.below / f64::from(self.sure.max(1)),
            100.0 * f64::from(self.safe) / all,
            100.0 * f64::from(self.safe_above) / all,
            100.0 * self.safe_below / f64::from(self.safe.max(1)),
            100.0 * told / all,
            100.0 * at(&self.offs, 0.5),
            100.0 * self.within(0.03) as f64 / told,
            100.0 * f64::from(self.covered) / told,
            100.0 * at(&self.widths, 0.5),
            100.0 * f64::from(self.contradicted) / told,
            at(&self.seconds, 0.5) / 60.0,
            at(&self.seconds, 0.9) / 60.0,
        )
    }
}

fn search(law: &Law, target: SimulatedTarget, asked: &Asked) -> Told {
    let answer = answer(law, target, asked);
    let last = answer.steps.last().unwrap();
    let sure = answer.line.as_ref().filter(|line| line.is_sure);
    Told {
        estimate: answer.crossing.map(|crossing| crossing.middle),
        range: answer
            .crossing
            .map(|crossing| (crossing.low, crossing.high)),
        held: answer.line.as_ref().map(|line| line.load.middle),
        sure: sure.map(|line| line.load.middle),
        safe: answer.safe_load(),
        seconds: last.began + last.held as f64,
    }
}

fn settings(law: &Law, asked: &Asked) -> SearchSettings {
    let usual = SearchSettings::new(vec![law.term.parse().unwrap()]);
    SearchSettings {
        soak: 0.0,
        budget: asked.budget.unwrap_or(usual.budget),
        ..usual
    }
}

fn answer(law: &Law, mut target: SimulatedTarget, asked: &Asked) -> Answer {
    let mut search = Search::new(settings(law, asked));
    let Ok(mut running) = target.start(&search.plan());
    let answer = run_search(&mut running, &mut search, |_| ());
    running.stop();
    answer
}

/// Each level of one search, and where the line most likely lies by all of them.
pub(crate) fn levels(law: &Law, seed: u64) -> Vec<String> {
    let target = SimulatedTarget {
        seed,
        ..law.target.clone()
    };
    let answer = answer(law, target, &Asked::default());
    let line = |step: &Step| {
        let value = step.terms[0].value;
        let value = value.map(|value| [value.low, value.middle, value.high]);
        format!(
            "{:4.0} s  {:>9.2}/s  {:?} for {} s: {:?}, {value:.4?}, {:.1} carried, mean {:.1?}, alike {:.2?}",
            step.began,
            step.load,
            step.purpose,
            step.held,
            step.outcome,
            step.sustained,
            step.durations.mean(),
            step.resemblance,
        )
    };
    let mut lines: Vec<String> = answer.steps.iter().map(line).collect();
    lines.push(format!("most likely {:.1?}", answer.crossing));
    lines
}
