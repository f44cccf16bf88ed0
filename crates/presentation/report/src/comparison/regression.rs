//! Why a check for regressions fails.

use loadline_analysis::compare::{Concern, ConcernKind, Regression};
use loadline_text::{Catalog, percent, records};

use super::measure;

/// Why a check for regressions fails at `limit`, a share; nothing when it passes.
#[must_use]
pub fn reasons(found: &Regression, limit: f64, catalog: &Catalog) -> Vec<String> {
    let named = |concerns: &[&Concern]| {
        let names = concerns.iter().map(|one| concern(one, catalog));
        names.collect::<Vec<_>>().join(", ")
    };
    let is_of_answers = |one: &&Concern| one.of == ConcernKind::Answers;
    let (changed, worse): (Vec<_>, Vec<_>) = found.worse.iter().partition(is_of_answers);
    let mut reasons = Vec::new();
    if !worse.is_empty() {
        reasons.push(catalog.text(&records::compare_fails_worse(named(&worse))));
    }
    // Other answers may be better or worse ones.
    if !changed.is_empty() {
        reasons.push(catalog.text(&records::compare_fails_changed(named(&changed))));
    }
    if !found.unsure.is_empty() {
        let unsure: Vec<&Concern> = found.unsure.iter().collect();
        let unsure = records::compare_fails_unsure(percent(limit), named(&unsure));
        reasons.push(catalog.text(&unsure));
    }
    reasons
}

fn concern(of: &Concern, catalog: &Catalog) -> String {
    let name = match of.endpoint.as_str() {
        "" => catalog.text(&records::compare_all()),
        name => name.to_owned(),
    };
    match of.of {
        ConcernKind::Answers => catalog.text(&records::compare_answers(name)),
        ConcernKind::Measure(of_all) if of.endpoint.is_empty() => catalog.text(&measure(of_all)),
        ConcernKind::Measure(of_one) => format!("{} ({name})", catalog.text(&measure(of_one))),
        ConcernKind::Shortfall(short) => catalog.text(&crate::facts::counted(short)),
    }
}
