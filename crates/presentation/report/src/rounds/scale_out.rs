//! What more instances brought, peak against peak: at equal users it is the users that limit.

use loadline_text::{Catalog, counted, percent, rounds, significant};

use super::{Round, RoundReport, words};

/// What a setting is called that says how many instances there are.
const INSTANCES_SETTINGS: [&str; 6] =
    ["instances", "replicas", "pods", "nodes", "인스턴스", "파드"];
/// Below this share of what so many instances should give, they share what limits.
const EFFICIENCY_MIN: f64 = 0.8;

/// How many instances a round ran on, where a setting says so.
fn instances(round: &Round) -> Option<f64> {
    let named = round.settings.iter().find(|(name, _)| {
        let name = name.to_lowercase();
        INSTANCES_SETTINGS.contains(&name.as_str())
    });
    let count = named?.1.trim().parse::<u32>().ok()?;
    (count > 0).then_some(f64::from(count))
}

/// A line for each step from a round to the next one with more or fewer instances.
pub(super) fn lines(story: &RoundReport, catalog: &Catalog) -> Vec<String> {
    let scaled = |round| Some((round, instances(round)?, round.figures.peak?));
    let scaled: Vec<(&Round, f64, f64)> = story.kept().filter_map(scaled).collect();
    let steps = scaled.windows(2).filter_map(|step| {
        let [(before, few, low), (after, many, high)] = step else {
            return None;
        };
        if few >= many || *low <= 0.0 {
            return None;
        }
        let gain = high / low;
        let efficiency = gain / (many / few);
        let said = rounds::scaled(
            &before.name,
            &after.name,
            format!("{} → {}", counted(*few), counted(*many)),
            format!("{} → {}", words::rate(*low), words::rate(*high)),
            significant(gain),
            percent(efficiency),
        );
        let mut said = catalog.text(&said);
        if efficiency < EFFICIENCY_MIN {
            let shared = match after.limit.as_str() {
                "" => rounds::scaled_shared(),
                limit => rounds::scaled_shared_limit(limit),
            };
            said.push(' ');
            said.push_str(&catalog.text(&shared));
        }
        Some(said)
    });
    steps.collect()
}
