//! Stages of a load: rates that are gone to one after the other, each with the requests that it asks for.

use loadline_text::{Message, plan};

use crate::figure::{FigureUnit, PlanFigure, number, seconds};
use crate::values;

/// A stage: from the rate before it to its own, in a straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadStage {
    /// How long it takes, seconds.
    pub seconds: f64,
    /// Requests per second at its beginning.
    pub from: f64,
    /// At its end.
    pub to: f64,
}

impl LoadStage {
    /// Its requests: the area under the line.
    #[must_use]
    pub fn requests(&self) -> f64 {
        (self.from + self.to) / 2.0 * self.seconds
    }

    fn formula(&self) -> String {
        let [from, to] = [self.from, self.to].map(|rate| FigureUnit::PerSecond.show(rate));
        let length = seconds(self.seconds);
        if (self.from - self.to).abs() <= 0.0 {
            format!("{to} × {length}")
        } else {
            format!("({from} + {to}) / 2 × {length}")
        }
    }
}

/// Stages from `300/s,10s:300,10s:150`: the rate at the beginning, 0 without it, then a length and the rate at its end each, as k6's
/// `--stage` has them.
pub(crate) fn parse(text: &str) -> Result<Vec<LoadStage>, Message> {
    let mut stages: Vec<LoadStage> = Vec::new();
    let mut rate = 0.0;
    for (place, part) in text.split(',').map(str::trim).enumerate() {
        let Some((length, to)) = part.split_once(':') else {
            if place > 0 {
                return Err(plan::why_no_stage(part));
            }
            rate = values::rate_or_none(part)?;
            continue;
        };
        let stage = LoadStage {
            seconds: values::positive_seconds(length.trim())?,
            from: rate,
            to: values::rate_or_none(to.trim())?,
        };
        rate = stage.to;
        stages.push(stage);
    }
    if stages.iter().all(|stage| stage.requests() <= 0.0) {
        return Err(plan::why_no_stage(text));
    }
    Ok(stages)
}

/// What all stages come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StagedLoad {
    /// Requests per second on average.
    pub(crate) mean: f64,
    /// At most.
    pub(crate) peak: f64,
}

/// The requests of each stage and of all, and their mean and highest rate.
pub(crate) fn figures(stages: &[LoadStage]) -> (Vec<PlanFigure>, StagedLoad) {
    let mut figures: Vec<PlanFigure> = Vec::new();
    for (place, stage) in (1..).zip(stages) {
        figures.push(PlanFigure::new(
            format!("stage-{place}"),
            plan::stage(place),
            stage.requests(),
            FigureUnit::Count,
            stage.formula(),
        ));
    }
    let total: f64 = stages.iter().map(LoadStage::requests).sum();
    let length: f64 = stages.iter().map(|stage| stage.seconds).sum();
    let parts: Vec<String> = figures.iter().map(PlanFigure::shown).collect();
    figures.push(PlanFigure::new(
        "stages",
        plan::stages_total(),
        total,
        FigureUnit::Count,
        parts.join(" + "),
    ));
    let mean = total / length;
    let formula = format!("{} / {}", number(total), seconds(length));
    let label = plan::mean_rate();
    let unit = FigureUnit::PerSecond;
    figures.push(PlanFigure::new("mean-rate", label, mean, unit, formula));
    let rates = stages.iter().flat_map(|stage| [stage.from, stage.to]);
    let peak = rates.fold(0.0_f64, f64::max);
    (figures, StagedLoad { mean, peak })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case E: 300/s for 10 s, then 150, 100, 50, 30, 0 over three minutes.
    #[test]
    fn stages_add_up_to_what_the_case_counted() {
        let stages = parse("300/s, 10s:300, 10s:150, 30s:100, 50s:50, 50s:30, 30s:0").unwrap();
        let (figures, load) = figures(&stages);
        let shown: Vec<String> = figures.iter().map(PlanFigure::shown).collect();
        assert_eq!(
            shown,
            [
                "3,000", "2,250", "3,750", "3,750", "2,000", "450", "15,200", "84.4/s"
            ]
        );
        assert_eq!(figures[0].formula, "300/s × 10 s");
        assert_eq!(figures[1].formula, "(300/s + 150/s) / 2 × 10 s");
        let total = "3,000 + 2,250 + 3,750 + 3,750 + 2,000 + 450";
        assert_eq!(figures[6].formula, total);
        assert!((load.peak - 300.0).abs() < 1e-9);
    }

    #[test]
    fn stages_begin_at_nothing_where_no_rate_is_given_and_nonsense_is_refused() {
        let stages = parse("1m:6000/m,1m:100").unwrap();
        assert!((stages[0].requests() - 3000.0).abs() < 1e-6);
        assert!((stages[1].from - 100.0).abs() < 1e-9);
        for text in [
            "",
            "300/s",
            "10s",
            "10s:300,150",
            "0s:10",
            "10s:0",
            "10s:-1",
            "x:1",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
