//! Probes for Kubernetes that let a pod get requests once it is warm.
//!
//! Nothing compiles or fills caches before requests come, and none come before the pod is
//! ready: so the pod sends them to itself, in its startup probe, and no other probe begins
//! before that one succeeds.

use std::fmt::Write as _;

use loadline_explain::{WarmingSpan, WarmingState};
use loadline_text::{Catalog, Message, explain, grouped, latency, shell_quoted};

/// What a pod is asked, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProbeFacts {
    /// The port on which the target listens; `None` where it is not known.
    pub port: Option<u16>,
    /// Paths that can be asked for again and again: those of GET without an id.
    pub paths: Vec<String>,
}

/// The port where none is known.
const PORT_USUAL: u16 = 8080;
/// What Spring Boot answers when it is ready.
const READY_PATH: &str = "/actuator/health/readiness";
/// Seconds from one try of a probe to the next.
const PERIOD_SECONDS: u64 = 5;
/// A pod with less of a core is slower than the target that was measured: so many times the time is allowed.
const TIME_FACTOR: u64 = 3;
/// Tries of the startup probe: the first ones fail while the process starts.
const STARTUP_TRIES_MAX: u64 = 30;

/// The probes as YAML, to be pasted into a container of a pod.
#[must_use]
pub fn text(seen: WarmingState, facts: &ProbeFacts, catalog: &Catalog) -> String {
    let mut yaml = String::new();
    let mut comment = |line: &Message| {
        let _ = writeln!(yaml, "# {}", catalog.text(line));
    };
    match seen {
        WarmingState::None => comment(&explain::probe_not_cold()),
        WarmingState::NotKnown => comment(&explain::probe_not_known()),
        WarmingState::Span(span) => {
            let (early, late) = (latency(span.early_ms), latency(span.late_ms));
            let requests = grouped(span.requests, 0);
            comment(&explain::probe_measured(
                early,
                late,
                span.seconds,
                requests,
            ));
            comment(&explain::probe_why());
            comment(&explain::probe_curl());
            if facts.paths.is_empty() {
                comment(&explain::probe_no_path());
            }
        }
    }
    if facts.port.is_none() {
        comment(&explain::probe_no_port());
    }
    if let WarmingState::Span(span) = seen {
        startup(&mut yaml, &span, facts);
    }
    let _ = write!(
        yaml,
        "readinessProbe:\n  httpGet:\n    path: {READY_PATH}  # {}\n    port: {}\n  periodSeconds: {PERIOD_SECONDS}\n",
        catalog.text(&explain::probe_ready()),
        facts.port.unwrap_or(PORT_USUAL),
    );
    yaml
}

fn startup(yaml: &mut String, span: &WarmingSpan, facts: &ProbeFacts) {
    let root = ["/".to_owned()];
    let paths = match facts.paths.as_slice() {
        [] => &root,
        some => some,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of requests of a run"
    )]
    let rounds = (span.requests / paths.len() as f64).ceil().max(1.0) as u64;
    let _ = write!(
        yaml,
        "startupProbe:\n  exec:\n    command:\n      - sh\n      - -ec\n      - |\n        for i in $(seq {rounds}); do\n"
    );
    // A path that nobody named may be answered with an error, and a pod that waits for it would never start.
    let unknown = if facts.paths.is_empty() {
        " || true"
    } else {
        ""
    };
    for path in paths {
        let url = format!(
            "http://127.0.0.1:{}{path}",
            facts.port.unwrap_or(PORT_USUAL)
        );
        let _ = writeln!(
            yaml,
            "          curl -fsS -o /dev/null {}{unknown}",
            shell_quoted(&url)
        );
    }
    // One request after the other, each as slow as the first ones were.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds of a run"
    )]
    let in_turn = (span.requests * span.early_ms / 1000.0).ceil().max(0.0) as u64;
    let timeout = (span.seconds.max(in_turn) * TIME_FACTOR).max(PERIOD_SECONDS);
    let _ = write!(
        yaml,
        "        done\n  timeoutSeconds: {timeout}\n  periodSeconds: {PERIOD_SECONDS}\n  failureThreshold: {STARTUP_TRIES_MAX}\n"
    );
}

#[cfg(test)]
mod tests {
    use loadline_text::Lang;

    use super::*;

    const SPAN: WarmingSpan = WarmingSpan {
        seconds: 14,
        requests: 139.0,
        early_ms: 205.0,
        late_ms: 46.7,
    };

    #[test]
    fn a_pod_asks_itself_as_much_as_it_took_to_get_warm() {
        let facts = ProbeFacts {
            port: Some(9090),
            paths: vec!["/a?b=it's".to_owned(), "/c".to_owned()],
        };
        insta::assert_snapshot!(text(
            WarmingState::Span(SPAN),
            &facts,
            &Catalog::new(Lang::En)
        ));
    }

    #[test]
    fn a_target_that_was_never_cold_needs_no_startup_probe() {
        let yaml = text(
            WarmingState::None,
            &ProbeFacts::default(),
            &Catalog::new(Lang::En),
        );
        assert!(
            !yaml.contains("startupProbe") && yaml.contains("readinessProbe:"),
            "{yaml}"
        );
        let unseen = text(
            WarmingState::NotKnown,
            &ProbeFacts::default(),
            &Catalog::new(Lang::En),
        );
        assert!(
            unseen.starts_with("# This run does not tell") && !unseen.contains("startupProbe"),
            "{unseen}"
        );
    }

    #[test]
    fn what_is_not_known_is_said_in_either_language() {
        insta::assert_snapshot!(text(
            WarmingState::Span(SPAN),
            &ProbeFacts::default(),
            &Catalog::new(Lang::Ko)
        ));
    }
}
