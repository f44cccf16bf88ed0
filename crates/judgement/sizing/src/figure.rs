//! A number of the plan, with its formula and notes.

use loadline_text::{Message, grouped, significant_decimals};

/// A number with more decimals is a long one: it is rounded.
const DECIMALS_MAX: usize = 4;
/// A rate with more decimals is shown with three significant digits.
const RATE_DECIMALS_MAX: usize = 2;
/// Two values that differ by no more, as a share of them, are the same: floating point.
const SAME_MAX: f64 = 1e-9;

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureUnit {
    /// Requests (or iterations) per second.
    PerSecond,
    /// Virtual users.
    Users,
    /// Seconds.
    Seconds,
    /// A whole number of something.
    Count,
    /// Threads or connections; may have a fraction before it is rounded.
    Slots,
    /// Mebibytes.
    Mebibytes,
    /// Whether a condition holds: 1 or 0.
    Holds,
}

impl FigureUnit {
    /// Its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PerSecond => "per_second",
            Self::Users => "users",
            Self::Seconds => "seconds",
            Self::Count => "count",
            Self::Slots => "slots",
            Self::Mebibytes => "mebibytes",
            Self::Holds => "holds",
        }
    }

    /// A value as text for people.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        let number = trimmed(&grouped(value, self.decimals(value)));
        match self {
            Self::PerSecond => format!("{number}/s"),
            Self::Users | Self::Count | Self::Slots => number,
            Self::Seconds => format!("{number} s"),
            Self::Mebibytes => format!("{number} MiB"),
            Self::Holds if value > 0.0 => "✓".to_owned(),
            Self::Holds => "✗".to_owned(),
        }
    }

    /// What stands before a value that was worked out: `=`, or `≈` where it was rounded.
    #[must_use]
    pub fn relation(self, value: f64) -> &'static str {
        if self.is_exact(value) { "=" } else { "≈" }
    }

    /// Whether what is shown is the value itself, not one near it.
    fn is_exact(self, value: f64) -> bool {
        self == Self::Holds
            || decimals_of(value).is_some_and(|needed| needed <= self.decimals(value))
    }

    /// How many decimals of a value are shown.
    fn decimals(self, value: f64) -> usize {
        match self {
            // A rate that was typed is shown as it was typed.
            Self::PerSecond => decimals_of(value)
                .filter(|decimals| *decimals <= RATE_DECIMALS_MAX)
                .unwrap_or_else(|| significant_decimals(value)),
            // Two significant digits below ten.
            Self::Users if value < 0.995 => 2,
            Self::Users if value < 9.95 => 1,
            Self::Users | Self::Mebibytes | Self::Holds => 0,
            // Half a person of a day is shown, so that the next line's division comes out.
            Self::Count if value < 1000.0 => decimals_of(value).unwrap_or(1).min(1),
            Self::Count => 0,
            Self::Slots => 2,
            // A short time has three digits.
            Self::Seconds => match value {
                short if short <= 0.0 || short >= 0.1 => 3,
                short if short >= 0.01 => 4,
                short if short >= 0.001 => 5,
                _ => 6,
            },
        }
    }
}

/// The decimals that a number is written with in full, if it is a short one.
fn decimals_of(value: f64) -> Option<usize> {
    let mut scaled = value;
    (0..=DECIMALS_MAX).find(|_| {
        let is_whole = (scaled - scaled.round()).abs() <= SAME_MAX * scaled.abs().max(1.0);
        scaled *= 10.0;
        is_whole
    })
}

/// A number that went into a formula: as it was typed, or with so many decimals if it is a long one.
fn operand(value: f64, else_decimals: usize) -> String {
    trimmed(&grouped(value, decimals_of(value).unwrap_or(else_decimals)))
}

/// Seconds: `0.1 s`, `0.0735 s`, `86,400 s`.
pub(crate) fn seconds(value: f64) -> String {
    format!("{} s", operand(value, 3))
}

/// Milliseconds: `73.52 ms`.
pub(crate) fn millis(seconds: f64) -> String {
    format!("{} ms", operand(seconds * 1000.0, 2))
}

/// A number without a unit.
pub(crate) fn number(value: f64) -> String {
    operand(value, 2)
}

/// A share as a percentage.
pub(crate) fn share(value: f64) -> String {
    format!("{} %", operand(value * 100.0, 2))
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.to_owned();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whether a note is an assumption or a doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// An assumption.
    Assumes,
    /// The figure is likely to be wrong or misleading.
    Doubts,
}

/// A note about a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureNote {
    /// Whether it is an assumption or a doubt.
    pub kind: NoteKind,
    /// What it says.
    pub text: Message,
}

/// A number of the plan, with its formula and notes.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFigure {
    /// Its name in JSON; never changes.
    pub id: String,
    /// Its name for people.
    pub label: Message,
    /// The number.
    pub value: f64,
    /// What it counts.
    pub unit: FigureUnit,
    /// The formula with its numbers: `10,000 × 5 / 86,400 s`.
    pub formula: String,
    /// The author of the formula, if it has a name.
    pub source: Option<&'static str>,
    /// Its assumptions and doubts.
    pub notes: Vec<FigureNote>,
}

impl PlanFigure {
    pub(crate) fn new(
        id: impl Into<String>,
        label: Message,
        value: f64,
        unit: FigureUnit,
        formula: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            label,
            value,
            unit,
            formula: formula.into(),
            source: None,
            notes: Vec::new(),
        }
    }

    pub(crate) fn source(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }

    pub(crate) fn assumes(mut self, text: Message) -> Self {
        let kind = NoteKind::Assumes;
        self.notes.push(FigureNote { kind, text });
        self
    }

    pub(crate) fn doubts(mut self, text: Message) -> Self {
        let kind = NoteKind::Doubts;
        self.notes.push(FigureNote { kind, text });
        self
    }

    /// The number as text for people.
    #[must_use]
    pub fn shown(&self) -> String {
        self.unit.show(self.value)
    }

    /// What stands between the formula and the number: `=`, or `≈` where the number was rounded.
    #[must_use]
    pub fn relation(&self) -> &'static str {
        self.unit.relation(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_the_cases_write_them() {
        assert_eq!(FigureUnit::PerSecond.show(0.578_703_7), "0.579/s");
        assert_eq!(FigureUnit::PerSecond.show(5.787_037), "5.79/s");
        assert_eq!(FigureUnit::PerSecond.show(100.0), "100/s");
        assert_eq!(FigureUnit::Users.show(0.636_574), "0.64");
        assert_eq!(FigureUnit::Users.show(6.365_74), "6.4");
        assert_eq!(FigureUnit::Users.show(8.680_5), "8.7");
        assert_eq!(FigureUnit::Users.show(299.9), "300");
        assert_eq!(FigureUnit::Slots.show(5.676), "5.68");
        assert_eq!(seconds(86_400.0), "86,400 s");
        assert_eq!(seconds(0.1), "0.1 s");
        assert_eq!(millis(0.073_52), "73.52 ms");
    }

    #[test]
    fn what_was_typed_stands_in_a_formula_as_it_was_typed() {
        assert_eq!(seconds(0.073_5), "0.0735 s");
        assert_eq!(FigureUnit::PerSecond.show(1234.5), "1,234.5/s");
        assert_eq!(number(1.125), "1.125");
        assert_eq!(share(0.001_25), "0.125 %");
        assert_eq!(number(100.0 / 3.0), "33.33");
        assert_eq!(FigureUnit::Count.show(102.5), "102.5");
        assert_eq!(FigureUnit::Count.show(1_000_000.0 / 3.0), "333,333");
    }
}
