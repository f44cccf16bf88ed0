//! What Artillery's plugin `slack` posts when a run is over.

use serde_json::{Value, json};

use super::{Period, console};

/// No more characters of a test's name.
const LONGEST_NAME: usize = 80;

/// More errors or checks than this are summed up.
const LISTED_MAX: usize = 10;

/// A check as it was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlackCheck<'c> {
    /// As it is shown.
    pub text: &'c str,
    /// Whether it holds.
    pub holds: bool,
    /// Whether the run passes without it.
    pub optional: bool,
}

/// The message, as JSON; `checks` is `None` where a file has none.
#[must_use]
pub fn message(totals: &Period, checks: Option<&[SlackCheck<'_>]>, code: u8, name: &str) -> String {
    let label = match shortened(name) {
        Some(name) => format!(" ({name})"),
        None => String::new(),
    };
    let header = if code == 0 {
        format!("🟢 Artillery test run finished{label}")
    } else {
        format!("🔴 Artillery test run failed{label}")
    };
    let field = |text: String| json!({"type": "mrkdwn", "text": text});
    let counter = |name: &str| totals.counters.get(name).copied().unwrap_or(0.0);
    let users = format!(
        "*VUs*\n{} completed / {} created",
        counter("vusers.completed"),
        counter("vusers.created")
    );
    let mut numbers = vec![field(users)];
    if totals.first_metric_at() > 0 {
        let millis = totals.last_metric_at() - totals.first_metric_at();
        let length = console::length(u64::try_from(millis / 1000).unwrap_or(0));
        numbers.push(field(format!("*Duration*\n{length}")));
    }
    let section = |fields: Vec<Value>| json!({"type": "section", "fields": fields});
    let judged = vec![field(checks_of(checks)), field(errors_of(totals))];
    let title = json!({"type": "plain_text", "text": header, "emoji": true});
    let blocks = [
        json!({"type": "header", "text": title}),
        section(numbers),
        section(judged),
    ];
    json!({"text": header, "blocks": blocks}).to_string()
}

fn shortened(name: &str) -> Option<String> {
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    if name.chars().count() <= LONGEST_NAME {
        return Some(name.to_owned());
    }
    let kept: String = name.chars().take(LONGEST_NAME - 1).collect();
    Some(format!("{kept}…"))
}

fn checks_of(checks: Option<&[SlackCheck<'_>]>) -> String {
    let Some(checks) = checks else {
        return "*Checks*\nNone defined".to_owned();
    };
    let passed = checks.iter().filter(|check| check.holds).count();
    let (all, failed) = (checks.len(), checks.len() - passed);
    if all > LISTED_MAX {
        let mut lines = Vec::new();
        if passed > 0 {
            lines.push(format!("🟢 {passed} checks passed"));
        }
        if failed > 0 {
            lines.push(format!("🔴 {failed} checks failed"));
        }
        let lines = lines.join("\n");
        return format!("*Checks ({passed}/{all})*\n```\n{lines}\n```");
    }
    let mut sorted: Vec<&SlackCheck<'_>> = checks.iter().rev().collect();
    sorted.sort_by_key(|check| !check.holds);
    let lines = sorted.iter().map(|check| {
        let optional = if check.optional && !check.holds {
            " (optional)"
        } else {
            ""
        };
        let mark = if check.holds { "🟢" } else { "🔴" };
        format!("{mark} {}{optional}", check.text)
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!("*Checks ({passed} / {all})*\n```\n{lines}\n```")
}

fn errors_of(totals: &Period) -> String {
    let errors: Vec<String> = totals
        .counters
        .iter()
        .filter_map(|(name, count)| {
            let error = name.strip_prefix("errors.")?;
            Some(format!("❌ {error} ({count})"))
        })
        .collect();
    if errors.is_empty() {
        return "*Errors*\nNone".to_owned();
    }
    let mut lines: Vec<String> = errors.iter().take(LISTED_MAX).cloned().collect();
    if errors.len() > LISTED_MAX {
        lines.push(format!("➕ {} more…", errors.len() - LISTED_MAX));
    }
    format!(
        "*Errors ({})*\n```\n{}\n```",
        errors.len(),
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_the_one_of_artillerys_plugin() {
        let totals = Period {
            counters: [
                ("vusers.completed".to_owned(), 4.0),
                ("vusers.created".to_owned(), 4.0),
            ]
            .into(),
            first_counter_at: 1000,
            last_counter_at: 2579,
            ..Period::default()
        };
        let check = SlackCheck {
            text: "http.response_time.p95 < 1",
            holds: false,
            optional: false,
        };
        let text = message(&totals, Some(&[check]), 1, "slack.yml");
        // As Artillery 2.0.34 posted it.
        let wanted = r#"{"text":"🔴 Artillery test run failed (slack.yml)","blocks":[{"type":"header","text":{"type":"plain_text","text":"🔴 Artillery test run failed (slack.yml)","emoji":true}},{"type":"section","fields":[{"type":"mrkdwn","text":"*VUs*\n4 completed / 4 created"},{"type":"mrkdwn","text":"*Duration*\n1 second"}]},{"type":"section","fields":[{"type":"mrkdwn","text":"*Checks (0 / 1)*\n```\n🔴 http.response_time.p95 < 1\n```"},{"type":"mrkdwn","text":"*Errors*\nNone"}]}]}"#;
        assert_eq!(
            serde_json::from_str::<Value>(&text).ok(),
            serde_json::from_str::<Value>(wanted).ok()
        );
    }

    #[test]
    fn many_errors_and_checks_are_summed_up() {
        let errors = (10..22).map(|number| (format!("errors.E{number}"), 1.0));
        let totals = Period {
            counters: errors.collect(),
            ..Period::default()
        };
        let text = errors_of(&totals);
        assert!(
            text.starts_with("*Errors (12)*\n```\n❌ E10 (1)\n"),
            "{text}"
        );
        assert!(text.ends_with("➕ 2 more…\n```"), "{text}");
        let check = SlackCheck {
            text: "a",
            holds: true,
            optional: false,
        };
        let text = checks_of(Some(&[check; 11]));
        assert_eq!(text, "*Checks (11/11)*\n```\n🟢 11 checks passed\n```");
        assert_eq!(checks_of(None), "*Checks*\nNone defined");
    }
}
