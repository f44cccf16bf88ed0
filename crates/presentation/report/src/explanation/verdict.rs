//! An explanation in short, as searches, studies and comparisons carry it: in all languages, since they are kept.

use loadline_explain::{Advice, BottleneckFinding, BottleneckPart, Explanation};
use loadline_record::{LimitAdvice, LimitText, LimitVerdict};
use loadline_text::{Catalog, Lang, explain, grouped, records, significant};

use crate::document::{DocumentCause, printable};

/// What the judge says of a run.
#[must_use]
pub fn limit_verdict(explanation: &Explanation) -> LimitVerdict {
    let cause = explanation.cause();
    // Of a limit that is not seen at all there is nothing to name.
    let named = cause.filter(|finding| finding.part != BottleneckPart::Unknown);
    let said = Lang::ALL.into_iter().map(|lang| {
        let catalog = Catalog::new(lang);
        let words = LimitText {
            text: printable::line(&super::cause(explanation, &catalog)),
            advice: cause.map_or_else(Vec::new, |finding| advice(finding, &catalog)),
            settings: settings(explanation, &catalog),
        };
        (lang.tag().to_owned(), words)
    });
    LimitVerdict {
        answer: explanation.answer.name().to_owned(),
        part: named.map(|finding| finding.part.name().to_owned()),
        rule: cause.map(|finding| finding.rule.name().to_owned()),
        grade: named.map(|finding| finding.grade.letter().to_owned()),
        decides: explanation
            .deciding_part()
            .map(|part| part.name().to_owned()),
        load: None,
        carried: explanation.carried,
        window_s: explanation.window,
        spare_threads: explanation.spare_threads,
        said: said.collect(),
    }
}

fn advice(finding: &BottleneckFinding, catalog: &Catalog) -> Vec<LimitAdvice> {
    let all = finding.advice.iter().map(|advice| LimitAdvice {
        action: printable::line(&action(advice, catalog)),
        setting: advice.setting.as_deref().map(printable::line),
        is_setting: advice.setting.is_some() || advice.is_stack_unknown,
    });
    all.collect()
}

/// Settings that have a reason of their own, whatever limits: each in one line, with how it is typed.
fn settings(explanation: &Explanation, catalog: &Catalog) -> Vec<String> {
    let found = explanation.findings.iter();
    let found = found.filter(|finding| finding.rule.is_of_settings());
    let lines = found.filter_map(|finding| {
        let advice = finding.advice.first()?;
        // Each by itself is short enough for a line.
        let said = |message| printable::line(&catalog.text(message));
        let (why, what) = (said(&finding.statement), said(&advice.action));
        let line = match &advice.setting {
            Some(setting) => explain::setting_first_by(why, what, printable::line(setting)),
            None => explain::setting_first(why, what),
        };
        Some(catalog.text(&line))
    });
    lines.collect()
}

/// The settings that come before others are tuned, a line each.
#[must_use]
pub fn settings_first(verdict: &LimitVerdict, catalog: &Catalog) -> Vec<String> {
    let words = verdict.words(catalog.lang().tag());
    words.map_or_else(Vec::new, |words| words.settings.clone())
}

/// The advice in one line, with what it is predicted to give.
fn action(advice: &Advice, catalog: &Catalog) -> String {
    let action = catalog.text(&advice.action);
    let predicted = advice.predicted.map(|rate| match advice.then {
        Some(then) => explain::predicted_then(significant(rate), super::part(then, catalog)),
        None => explain::predicted(significant(rate)),
    });
    match predicted {
        Some(predicted) => format!("{action} ({})", catalog.text(&predicted)),
        None => action,
    }
}

/// What a verdict says, in a language.
#[must_use]
pub fn text(verdict: &LimitVerdict, catalog: &Catalog) -> String {
    let words = verdict.words(catalog.lang().tag());
    let said = words.map_or_else(String::new, |words| words.text.clone());
    let (from, to) = verdict.window_s;
    // A share beside that of the whole run is another one: it is of the seconds that were looked at.
    if to > from && said.contains('%') {
        let [from, to] = [from, to].map(|second| grouped(second, 0));
        return catalog.text(&explain::verdict_of_seconds(said, from, to));
    }
    said
}

/// What it advises, a line each, with the setting as it is typed.
#[must_use]
pub fn advised(verdict: &LimitVerdict, catalog: &Catalog) -> Vec<String> {
    let words = verdict.words(catalog.lang().tag());
    let advice = words.into_iter().flat_map(|words| &words.advice);
    let lines = advice.map(|advice| match &advice.setting {
        Some(setting) => format!("{}: {setting}", advice.action),
        None => advice.action.clone(),
    });
    lines.collect()
}

/// What it advises that no setting does, a line each; nothing where nothing limits.
#[must_use]
pub fn of_code(verdict: &LimitVerdict, catalog: &Catalog) -> Vec<String> {
    let words = verdict.words(catalog.lang().tag());
    let advice = words.into_iter().flat_map(|words| &words.advice);
    let of_code = advice.filter(|advice| verdict.is_cause() && !advice.is_setting);
    of_code.map(|advice| advice.action.clone()).collect()
}

/// What limits, as a document carries it.
#[must_use]
pub fn document_cause(verdict: &LimitVerdict, catalog: &Catalog) -> DocumentCause {
    DocumentCause {
        answer: verdict.answer.clone(),
        part: verdict.part.clone(),
        rule: verdict.rule.clone(),
        grade: verdict.grade.clone(),
        text: printable::line(&text(verdict, catalog)),
        advice: advised(verdict, catalog)
            .iter()
            .map(|line| printable::line(line))
            .collect(),
    }
}

/// Whether the limit moved from one side to the other, in one line.
#[must_use]
pub fn moved(before: &LimitVerdict, after: &LimitVerdict, catalog: &Catalog) -> String {
    let named = |name: &str| part(name, catalog);
    // What is seen to be full, also where why it is so is not.
    let seen = |verdict: &LimitVerdict| {
        let part = verdict.part.clone().filter(|_| verdict.is_unknown());
        part.or_else(|| verdict.cause_part().map(str::to_owned))
    };
    let parts = (before.cause_part(), after.cause_part());
    catalog.text(&match parts {
        _ if !before.is_told() || !after.is_told() => records::compare_limit_unknown(),
        _ if before.is_unknown() || after.is_unknown() => match (seen(before), seen(after)) {
            (Some(one), Some(other)) if one == other => {
                records::compare_limit_same_seen(named(&one))
            }
            (Some(one), Some(other)) => {
                records::compare_limit_moved_seen(named(&one), named(&other))
            }
            _ => records::compare_limit_unknown(),
        },
        (Some(one), Some(other)) if one == other => records::compare_limit_same(named(one)),
        (Some(one), Some(other)) => records::compare_limit_moved(named(one), named(other)),
        (Some(one), None) => records::compare_limit_gone(named(one)),
        (None, Some(other)) => records::compare_limit_new(named(other)),
        (None, None) => records::compare_limit_none(),
    })
}

/// The name of a part as it is kept; a newer program may know others.
#[must_use]
pub fn part(name: &str, catalog: &Catalog) -> String {
    let known = BottleneckPart::named(name);
    known.map_or_else(|| printable::line(name), |part| super::part(part, catalog))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: "7.41 % of the requests fail" of a trial in whose row 21.6 % did.
    #[test]
    fn a_share_is_told_with_the_seconds_that_it_is_of() {
        let said = |text: &str, window_s| {
            let words = LimitText {
                text: text.to_owned(),
                ..LimitText::default()
            };
            let verdict = LimitVerdict {
                window_s,
                said: [("en".to_owned(), words)].into(),
                ..LimitVerdict::default()
            };
            super::text(&verdict, &Catalog::new(Lang::En))
        };
        assert_eq!(
            said("LIMITED: 7.41 % fail", (1.0, 4.0)),
            "LIMITED: 7.41 % fail (in 1 to 4 s of the run)"
        );
        assert_eq!(
            said("LIMITED: 7.41 % fail", (0.0, 0.0)),
            "LIMITED: 7.41 % fail"
        );
        assert_eq!(said("NO BOTTLENECK", (1.0, 4.0)), "NO BOTTLENECK");
    }
}
