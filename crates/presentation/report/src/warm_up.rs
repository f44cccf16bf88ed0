//! The line about a warm-up.

use loadline_record::{WarmUp, WarmUpEnd};
use loadline_text::{Catalog, messages, millis, percent, significant};

use crate::numbers::seconds;

/// The warm-up's length, what it measured, and why it ended.
#[must_use]
pub fn line(warm_up: &WarmUp, catalog: &Catalog) -> String {
    let length = seconds(warm_up.duration);
    if warm_up.end == WarmUpEnd::Never {
        return catalog.text(&messages::warm_up_never(length));
    }
    let text = catalog.text(&messages::run_warm_up_measured(
        length,
        significant(warm_up.rate()),
        warm_up.p95_ms.map_or_else(|| "–".to_owned(), millis),
        percent(warm_up.errors),
    ));
    let why = match warm_up.end {
        WarmUpEnd::Steady => messages::warm_up_steady(),
        WarmUpEnd::Longest => messages::warm_up_longest(),
        WarmUpEnd::Time | WarmUpEnd::Never => return text,
    };
    format!("{text}; {}", catalog.text(&why))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loadline_text::Lang;

    use super::*;

    #[test]
    fn every_end_of_a_warm_up_has_its_words() {
        let mut lines = String::new();
        for lang in Lang::ALL {
            for end in [
                WarmUpEnd::Time,
                WarmUpEnd::Steady,
                WarmUpEnd::Longest,
                WarmUpEnd::Never,
            ] {
                let warm_up = WarmUp {
                    duration: Duration::from_secs(12),
                    end,
                    requests: 1200.0,
                    p95_ms: Some(41.0),
                    errors: 0.001,
                };
                lines.push_str(&line(&warm_up, &Catalog::new(lang)));
                lines.push('\n');
            }
        }
        insta::assert_snapshot!(lines);
    }
}
