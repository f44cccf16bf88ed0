//! Rows of an Artillery file: each of its scenarios, and all of them by their weights.

use loadline_report::matrix::RowKind;
use loadline_testplan::ScenarioLoad;
use loadline_text::problem;

use super::{MIX, RowSource, RowSources};
use crate::commands::run::{self, artillery};
use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::launch::test_kind::SplitLine;
use crate::refusal::Refusal;

pub(super) fn rows(
    context: &mut Context,
    line: &SplitLine,
    known: &KnownFlags,
) -> Result<RowSources, Refusal> {
    let args = [&line.words[..], &line.flags[..]].concat();
    let ready = run::steerable(context, &args, known)?;
    let all: f64 = (ready.test.plan.mix().iter())
        .map(|load| match load {
            ScenarioLoad::Starts(rate) => *rate,
            ScenarioLoad::Users(_) => 0.0,
        })
        .sum();
    let planned = (all > 0.0).then_some(all);
    let named = artillery::scenarios(context, &args)?;
    let file = line.words.first().cloned().unwrap_or_default();
    let mut sources = RowSources::default();
    if let [only] = named.as_slice() {
        let name = only.name.clone().unwrap_or(file);
        sources.rows.push(RowSource {
            planned,
            ..RowSource::new(name, args)
        });
        return Ok(sources);
    }
    let weights: f64 = named.iter().map(|scenario| scenario.weight).sum();
    for (place, scenario) in named.iter().enumerate() {
        let Some(name) = &scenario.name else {
            return Err(Refusal::config(problem::matrix_unnamed(place + 1, file)));
        };
        let share = (weights > 0.0).then(|| scenario.weight / weights);
        let alone = ["--scenario-name".to_owned(), exactly(name)];
        sources.rows.push(RowSource {
            planned: planned
                .zip(share)
                .map(|(all, share)| all * share)
                .filter(|rate| *rate > 0.0),
            ..RowSource::new(name, [&args[..], &alone[..]].concat())
        });
    }
    sources.rows.push(RowSource {
        kind: RowKind::Flow,
        planned,
        ..RowSource::new(MIX, args)
    });
    Ok(sources)
}

/// A pattern that fits this name alone.
fn exactly(name: &str) -> String {
    let mut pattern = "^".to_owned();
    for sign in name.chars() {
        if r"\^$.|?*+()[]{}/".contains(sign) {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    pattern + "$"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_one_name_alone() {
        assert_eq!(exactly("order"), "^order$");
        assert_eq!(exactly("GET /a?b (1)"), r"^GET \/a\?b \(1\)$");
    }
}
