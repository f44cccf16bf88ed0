//! Places of values on an axis, and the ticks that are written beside it.

use loadline_text::grouped;

use super::super::{AxisKind, ChartAxis};

/// An axis between two places of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    least: f64,
    most: f64,
    kind: AxisKind,
    /// Values with what is written there.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// The axis for `values` between the places `from` and `to`, with about `wanted` ticks.
    pub(super) fn new(
        axis: &ChartAxis,
        values: impl Iterator<Item = f64> + Clone,
        from: f64,
        to: f64,
        wanted: usize,
    ) -> Self {
        let known = values.filter(|value| value.is_finite());
        let high = known
            .clone()
            .fold(0.0, f64::max)
            .max(axis.most.unwrap_or(0.0));
        let (least, most, ticks) = match axis.kind {
            AxisKind::Linear => linear(high, wanted),
            AxisKind::Log => {
                let positive = known.filter(|value| *value > 0.0);
                log(positive.fold(f64::INFINITY, f64::min), high)
            }
            AxisKind::Time(_) => time(high, wanted),
        };
        Self {
            from,
            to,
            least,
            most,
            kind: axis.kind,
            ticks,
        }
    }

    /// Where a value lies.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = match self.kind {
            AxisKind::Log => {
                let value = value.max(self.least);
                (value / self.least).log10() / (self.most / self.least).log10()
            }
            AxisKind::Linear | AxisKind::Time(_) => (value - self.least) / (self.most - self.least),
        };
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }
}

type Ticks = (f64, f64, Vec<(f64, String)>);

/// From zero to a round number.
fn linear(high: f64, wanted: usize) -> Ticks {
    let high = if high > 0.0 { high } else { 1.0 };
    let raw = high / wanted.max(1) as f64;
    let power = 10_f64.powf(raw.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(power * 10.0);
    let count = (high / step - 1e-9).ceil().max(1.0);
    let digits = decimals(step);
    let mut ticks = Vec::new();
    let mut place = 0.0;
    while place <= count {
        ticks.push((place * step, short(place * step, digits)));
        place += 1.0;
    }
    (0.0, count * step, ticks)
}

/// Decimals that tell multiples of a step apart.
fn decimals(step: f64) -> usize {
    let is_whole = |digits: usize| {
        let scaled = step * 10_f64.powf(digits as f64);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0)
    };
    (0..=6).find(|digits| is_whole(*digits)).unwrap_or(6)
}

/// A number that is short beside an axis: thousands and millions by their letter.
fn short(value: f64, digits: usize) -> String {
    let trimmed = |value: f64| {
        let text = grouped(value, 2);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value.abs() {
        v if v >= 1e9 => format!("{}G", trimmed(value / 1e9)),
        v if v >= 1e6 => format!("{}M", trimmed(value / 1e6)),
        v if v > 0.0 && v < 0.001 => format!("{value:.0e}"),
        v if v >= 10_000.0 => format!("{}k", trimmed(value / 1e3)),
        _ => grouped(value, digits),
    }
}

/// From below the least to above the greatest, at 1, 2 and 5 times powers of ten.
fn log(low: f64, high: f64) -> Ticks {
    let (low, high) = if low.is_finite() && high > 0.0 {
        (low, high.max(low))
    } else {
        (1.0, 10.0)
    };
    let rounds = |exponent: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(exponent));
    #[expect(clippy::cast_possible_truncation, reason = "an exponent of ten")]
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all: Vec<f64> = (first..=last).flat_map(rounds).collect();
    let from = all
        .iter()
        .rposition(|tick| *tick <= low * 1.0001)
        .unwrap_or(0);
    let to = all.iter().position(|tick| *tick >= high * 0.9999);
    let to = to.unwrap_or(all.len() - 1).max(from + 1).min(all.len() - 1);
    let chosen = &all[from..=to];
    let is_power = |value: f64| (value.log10() - value.log10().round()).abs() < 1e-6;
    // Many decades are told by their powers alone.
    let shown = chosen
        .iter()
        .filter(|tick| chosen.len() <= 9 || is_power(**tick));
    let ticks: Vec<(f64, String)> = shown
        .map(|tick| (*tick, short(*tick, decimals(*tick))))
        .collect();
    (chosen[0], chosen[chosen.len() - 1], ticks)
}

/// From the beginning of a run: minutes and seconds.
fn time(high: f64, wanted: usize) -> Ticks {
    const TICK_STEPS: [f64; 16] = [
        1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0,
        14_400.0, 43_200.0,
    ];
    let high = high.max(1.0);
    let fits = |step: &f64| high / step <= wanted as f64;
    let step = TICK_STEPS.into_iter().find(fits).unwrap_or(86_400.0);
    let mut ticks = Vec::new();
    let mut at = 0.0;
    while at <= high + 1e-9 {
        ticks.push((at, clock(at)));
        at += step;
    }
    (0.0, high, ticks)
}

/// Seconds as `m:ss`, or `h:mm:ss`.
pub(crate) fn clock(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds of a run; the cast saturates"
    )]
    let all = seconds.round() as u64;
    let (minutes, seconds) = (all / 60 % 60, all % 60);
    match all / 3600 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> String {
        let labels: Vec<&str> = ticks.2.iter().map(|(_, label)| label.as_str()).collect();
        labels.join(" ")
    }

    #[test]
    fn ticks_are_round_and_hold_the_highest_value() {
        assert_eq!(labels(&linear(97.0, 4)), "0 25 50 75 100");
        assert_eq!(labels(&linear(0.07, 4)), "0.00 0.02 0.04 0.06 0.08");
        assert_eq!(labels(&linear(1.0, 4)), "0.00 0.25 0.50 0.75 1.00");
        assert_eq!(labels(&linear(0.0, 4)), "0.00 0.25 0.50 0.75 1.00");
        assert_eq!(labels(&linear(48_211.0, 4)), "0 20k 40k 60k");
        assert_eq!(labels(&log(3.0, 480.0)), "2 5 10 20 50 100 200 500");
        assert_eq!(labels(&log(0.4, 90_000.0)), "1 10 100 1,000 10k 100k");
        assert_eq!(labels(&log(f64::INFINITY, 0.0)), "1 2 5 10");
        assert_eq!(labels(&log(7.0, 7.0)), "5 10");
        assert_eq!(labels(&time(60.0, 6)), "0:00 0:10 0:20 0:30 0:40 0:50 1:00");
        assert_eq!(
            labels(&time(5000.0, 6)),
            "0:00 15:00 30:00 45:00 1:00:00 1:15:00"
        );
    }

    #[test]
    fn values_lie_between_the_ends() {
        let axis = |kind| ChartAxis {
            label: String::new(),
            kind,
            most: None,
        };
        let values = [3.0, 480.0].into_iter();
        let scale = Scale::new(&axis(AxisKind::Log), values.clone(), 100.0, 0.0, 4);
        assert!(scale.at(3.0) < 100.0 && scale.at(480.0) > 0.0);
        assert!(
            (scale.at(0.0) - 100.0).abs() < 1e-9,
            "what is below lies at the end"
        );
        let scale = Scale::new(&axis(AxisKind::Linear), values, 0.0, 100.0, 4);
        assert!((scale.at(300.0) - 50.0).abs() < 1e-9);
    }
}
