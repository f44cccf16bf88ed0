//! Why a check for regressions does not pass.

use loadline_analysis::compare::{Concern, ConcernKind, Regression, SHARE_CHANGE_MIN};
use loadline_text::{Catalog, grouped, percent, records};

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
    let unsure = found.unsure.iter();
    let (shares, others): (Vec<_>, Vec<_>) = unsure.partition(|one: &&Concern| one.of.is_share());
    let points = records::compare_points(grouped(SHARE_CHANGE_MIN * 100.0, 2));
    for (concerns, limit) in [(others, percent(limit)), (shares, catalog.text(&points))] {
        if !concerns.is_empty() {
            let unsure = records::compare_fails_unsure(limit, named(&concerns));
            reasons.push(catalog.text(&unsure));
        }
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

#[cfg(test)]
mod tests {
    use loadline_analysis::compare::Measure;
    use loadline_text::Lang;

    use super::*;

    /// Seen: errors that might be 1.94 points more, and a limit of 5 %, which is one of times.
    #[test]
    fn shares_have_a_limit_of_their_own() {
        let of = |measure| Concern {
            endpoint: String::new(),
            of: ConcernKind::Measure(measure),
        };
        let found = Regression {
            worse: Vec::new(),
            unsure: [Measure::P95, Measure::Errors, Measure::Dropped]
                .map(of)
                .to_vec(),
        };
        let said = |language| reasons(&found, 0.05, &Catalog::new(language));
        assert_eq!(
            said(Lang::En),
            [
                "cannot rule out that it is worse by more than 5.00 %: p95",
                "cannot rule out that it is worse by more than 1.00 points: errors, starts not answered",
            ]
        );
        assert_eq!(
            said(Lang::Ko),
            [
                "5.00 %보다 크게 나빠지지 않았다고 판단할 수 없음: p95",
                "1.00 %p보다 크게 나빠지지 않았다고 판단할 수 없음: 오류, 응답받지 못한 시작",
            ]
        );
    }
}
