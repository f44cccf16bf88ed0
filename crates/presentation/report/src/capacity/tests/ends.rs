//! Sentences that say no more than was seen.

use super::*;

#[test]
fn a_load_that_was_missed_once_is_not_told_as_slow_for_good() {
    let mut steps = vec![
        step(1.0, Purpose::Baseline, LevelOutcome::Likely, 1.0),
        step(64.0, Purpose::Refine, LevelOutcome::Likely, 64.0),
        step(50.0, Purpose::Refine, LevelOutcome::Overloaded, 45.0),
        step(40.0, Purpose::Confirm, LevelOutcome::Holds, 40.0),
    ];
    let bounds = Bounds {
        low: Some(3),
        high: Some(2),
        ceiling: None,
    };
    let said = |steps: &[Step]| {
        let answer = answer(steps, bounds, None);
        text(&answer, &CapacityFacts::default(), &Catalog::new(Lang::En))
    };
    let once = said(&steps);
    assert!(
        once.contains("whether it stayed slow is not known"),
        "{once}"
    );
    assert!(!once.contains("and stayed slow"), "{once}");
    steps.push(step(50.0, Purpose::Refine, LevelOutcome::Overloaded, 45.0));
    let again = said(&steps);
    assert!(again.contains("and stayed slow"), "{again}");
}

#[test]
fn a_handful_of_requests_is_no_capacity() {
    let steps = [Step {
        requests: 1.0,
        held: 5,
        ..step(1.0, Purpose::Baseline, LevelOutcome::Likely, 1.0)
    }];
    let bounds = Bounds {
        low: Some(0),
        ..Bounds::default()
    };
    let tried = answer(&steps, bounds, Some(SearchEnd::OutOfTime));
    let said = verdict(&tried, &Catalog::new(Lang::En));
    let told = "CANNOT TELL: 1.00/s held, with 5 requests in 5 s alone; give it more with --budget";
    assert_eq!(said, told);
    assert_eq!(exit(&tried, &CapacityFacts::default()), Exit::CannotJudge);
    let catalog = Catalog::new(Lang::En);
    let page = document::of_answer(&tried, &CapacityFacts::default(), "t", &catalog);
    assert_eq!(
        (page.verdict.word.as_str(), page.verdict.text.as_str()),
        ("not judged", told)
    );
}
