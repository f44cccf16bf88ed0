//! `--fail-on`: what makes a run end with an exit code of its own, in addition to the dialect's.

use loadline_record::{Shortfall, Summary};
use loadline_text::Exit;

/// The reasons there are, as typed.
pub(crate) const REASONS: [&str; 7] = [
    "errors",
    "load",
    "cut",
    "redirects",
    "checks",
    "exceptions",
    "invalid",
];

/// Those that a URL run can have: it has no checks, and nothing that throws.
pub(crate) const REASONS_OF_URL_RUNS: [&str; 5] = ["errors", "load", "cut", "redirects", "invalid"];

/// Reasons to fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FailOn {
    reasons: Vec<String>,
}

impl FailOn {
    /// Those of a URL run: what its two words `load` and `answers` stand for.
    pub(crate) fn of_url_runs() -> Self {
        Self {
            reasons: REASONS_OF_URL_RUNS.map(str::to_owned).into(),
        }
    }

    /// None: the dialect's own codes say all.
    pub(crate) const fn nothing() -> Self {
        Self {
            reasons: Vec::new(),
        }
    }

    /// `errors,load`, or `none`, of what a URL run can have.
    pub(crate) fn parse_of_url_run(text: &str) -> Option<Self> {
        let known = |reason: &String| REASONS_OF_URL_RUNS.contains(&reason.as_str());
        Self::parse(text).filter(|found| found.reasons.iter().all(known))
    }

    /// `errors,load`, or `none`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.trim() == "none" {
            return Some(Self::nothing());
        }
        let reasons = text.split(',').map(|reason| {
            let reason = reason.trim();
            REASONS.contains(&reason).then(|| reason.to_owned())
        });
        let reasons: Vec<String> = reasons.collect::<Option<_>>()?;
        Some(Self { reasons })
    }

    fn has(&self, reason: &str) -> bool {
        self.reasons.iter().any(|known| known == reason)
    }

    /// Whether a generator that was the bottleneck fails a run.
    pub(crate) fn invalid(&self) -> bool {
        self.has("invalid")
    }

    /// Whether one of these fails a run.
    pub(crate) fn any(&self, short: &[Shortfall]) -> bool {
        // Calls and WebSockets that failed are errors, too.
        let is_asked = |short: &Shortfall| match short {
            Shortfall::Calls { .. } => self.has("errors"),
            // Whoever holds a run to answers asks for nothing else.
            Shortfall::Answers { .. } => true,
            other => self.has(other.word()),
        };
        short.iter().any(is_asked)
    }

    /// How a run ends that would end well otherwise; `None` when it may.
    pub(crate) fn exit(&self, summary: &Summary) -> Option<Exit> {
        let run = &summary.run;
        // Whatever is asked for: of nothing, nothing can be said.
        if summary.sent_nothing() && !self.reasons.is_empty() {
            return Some(Exit::FellShort);
        }
        if self.any(&summary.certain_shortfalls()) {
            return Some(Exit::FellShort);
        }
        if self.invalid() && !run.generator_limits().is_empty() {
            return Some(Exit::NotValid);
        }
        self.any(&summary.shortfalls()).then_some(Exit::FellShort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_a_list_or_none() {
        let two = FailOn::parse("errors, invalid").unwrap();
        assert!(two.has("errors") && two.invalid() && !two.has("load"));
        assert_eq!(FailOn::parse("none"), Some(FailOn::nothing()));
        assert_eq!(FailOn::parse("errors,bugs"), None);
        assert_eq!(FailOn::parse(""), None);
        assert_eq!(FailOn::parse_of_url_run("checks"), None);
        assert!(FailOn::parse_of_url_run("errors,cut").is_some());
    }
}
