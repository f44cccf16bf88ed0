//! A number of the plan, with its formula and notes.

use loadline_text::{Message, grouped, significant};

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
        match self {
            Self::PerSecond => format!("{}/s", trimmed(&significant(value))),
            Self::Users => users(value),
            Self::Seconds => seconds(value),
            Self::Count => grouped(value, 0),
            Self::Slots => trimmed(&grouped(value, 2)),
            Self::Mebibytes => format!("{} MiB", grouped(value, 0)),
            Self::Holds if value > 0.0 => "✓".to_owned(),
            Self::Holds => "✗".to_owned(),
        }
    }
}

/// Users: two significant digits below ten, whole above.
fn users(value: f64) -> String {
    let digits = match value {
        v if v < 0.995 => 2,
        v if v < 9.95 => 1,
        _ => 0,
    };
    trimmed(&grouped(value, digits))
}

/// Seconds with up to three decimals, short ones with three digits: `0.1 s`, `86,400 s`, `0.0735 s`.
pub(crate) fn seconds(value: f64) -> String {
    let digits = match value {
        short if short <= 0.0 || short >= 0.1 => 3,
        short if short >= 0.01 => 4,
        short if short >= 0.001 => 5,
        _ => 6,
    };
    format!("{} s", trimmed(&grouped(value, digits)))
}

/// Milliseconds with up to two decimals: `73.52 ms`.
pub(crate) fn millis(seconds: f64) -> String {
    format!("{} ms", trimmed(&grouped(seconds * 1000.0, 2)))
}

/// A number with up to two decimals.
pub(crate) fn number(value: f64) -> String {
    trimmed(&grouped(value, 2))
}

/// A share as a percentage, with as many decimals as it needs.
pub(crate) fn share(value: f64) -> String {
    format!("{} %", trimmed(&grouped(value * 100.0, 2)))
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
}
