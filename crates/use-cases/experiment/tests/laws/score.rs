//! What searches of one law come to.

use std::hash::{Hash, Hasher};

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

/// What one search told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Told {
    pub(crate) estimate: Option<f64>,
    pub(crate) range: Option<(f64, f64)>,
    pub(crate) sure: Option<f64>,
    pub(crate) safe: Option<f64>,
    /// The highest load that held, for sure or not.
    pub(crate) held: Option<f64>,
    pub(crate) seconds: f64,
    /// Of all levels and the answer, to the last digit: two builds that search alike have the same.
    pub(crate) fingerprint: u64,
}

impl Told {
    /// What a search of a target comes to that draws by `seed`, in `budget` seconds where it is not as usual.
    pub(crate) fn new(law: &Law, way: Way, seed: u64, budget: Option<f64>) -> Self {
        let target = SimulatedTarget {
            seed,
            ..law.target.clone()
        };
        match way {
            Way::Search => search(law, target, budget),
            Way::Approximation => rivals::approximate(law, target),
            Way::Bisection => rivals::bisect(law, target),
        }
    }

    /// As it is kept, to the last digit.
    pub(crate) fn line(&self) -> String {
        let load = |load: Option<f64>| load.map_or("-".to_owned(), |load| load.to_string());
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:016x}",
            load(self.estimate),
            load(self.range.map(|range| range.0)),
            load(self.range.map(|range| range.1)),
            load(self.sure),
            load(self.safe),
            load(self.held),
            self.seconds,
            self.fingerprint,
        )
    }
}

impl From<&str> for Told {
    fn from(line: &str) -> Self {
        let parts: Vec<&str> = line.split('\t').collect();
        let [estimate, low, high, sure, safe, held, seconds, fingerprint] = parts[..] else {
            unreachable!("no line of a search: {line}");
        };
        let load = |text: &str| (text != "-").then(|| text.parse().unwrap());
        Self {
            estimate: load(estimate),
            range: load(low).zip(load(high)),
            sure: load(sure),
            safe: load(safe),
            held: load(held),
            seconds: seconds.parse().unwrap(),
            fingerprint: u64::from_str_radix(fingerprint, 16).unwrap(),
        }
    }
}

impl Score {
    pub(crate) const HEAD: &str = "| target | way | line | searches | minutes | range holds it | within 3 % | off by | width | sure | sure too high | safe too high | \
         safe below the line | estimated | below what held | nine in ten, minutes |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

    /// What these searches of a target come to.
    pub(crate) fn new<'a>(law: &Law, searches: impl IntoIterator<Item = &'a Told>) -> Self {
        let mut score = Self::default();
        for told in searches {
            score.add(law, *told);
        }
        score
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
        }
    }

    /// How many estimates are off by at most this share.
    pub(crate) fn within(&self, share: f64) -> usize {
        self.offs.iter().filter(|off| off.abs() <= share).count()
    }

    /// A row of the table, in percent but for the minutes.
    pub(crate) fn row(&self, law: &Law, way: Way) -> String {
        let (all, told) = (f64::from(self.all), self.offs.len() as f64);
        let of_all = |count: u32| 100.0 * f64::from(count) / all;
        let at = |of: &[f64], share: f64| {
            let mut sorted = of.to_vec();
            sorted.sort_by(f64::total_cmp);
            let place = (share * sorted.len() as f64).floor();
            sorted.get(place as usize).copied().unwrap_or(f64::NAN)
        };
        format!(
            "| {}, {} | {} | {:.1}/s | {} | {:.1} | {:.1} | {:.1} | {:+.1} | {:.0} | {:.0} | {:.1} | {:.1} | {:.1} | {:.0} | {:.0} | {:.1} |",
            law.name,
            law.term,
            way.name(),
            law.line_rate,
            self.all,
            at(&self.seconds, 0.5) / 60.0,
            100.0 * f64::from(self.covered) / told,
            100.0 * self.within(0.03) as f64 / told,
            100.0 * at(&self.offs, 0.5),
            100.0 * at(&self.widths, 0.5),
            of_all(self.sure),
            of_all(self.above),
            of_all(self.safe_above),
            100.0 * self.safe_below / f64::from(self.safe.max(1)),
            100.0 * told / all,
            100.0 * f64::from(self.contradicted) / told,
            at(&self.seconds, 0.9) / 60.0,
        )
    }
}

fn search(law: &Law, target: SimulatedTarget, budget: Option<f64>) -> Told {
    let answer = answer(law, target, budget);
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
        fingerprint: fingerprint(&answer),
    }
}

fn fingerprint(answer: &Answer) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    format!("{answer:?}").hash(&mut hasher);
    hasher.finish()
}

fn settings(law: &Law, budget: Option<f64>) -> SearchSettings {
    let usual = SearchSettings::new(vec![law.term.parse().unwrap()]);
    SearchSettings {
        soak: 0.0,
        budget: budget.unwrap_or(usual.budget),
        ..usual
    }
}

fn answer(law: &Law, mut target: SimulatedTarget, budget: Option<f64>) -> Answer {
    let mut search = Search::new(settings(law, budget));
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
    let answer = answer(law, target, None);
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
