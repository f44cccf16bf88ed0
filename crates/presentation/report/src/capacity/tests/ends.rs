//! Sentences that say no more than was seen.

use loadline_analysis::slo::{JudgedTerm, TermState};

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

/// Seen: "CAPACITY AT LEAST 1.00/s ... the generator reached its limit first" of 11 requests.
#[test]
fn a_handful_of_requests_is_no_capacity_however_the_search_ended() {
    let steps = [Step {
        requests: 1.1,
        held: 10,
        ..step(1.0, Purpose::Confirm, LevelOutcome::Likely, 1.0)
    }];
    let bounds = Bounds {
        low: Some(0),
        ..Bounds::default()
    };
    let here = "CANNOT TELL: 1.00/s held, with 11 requests in 10 s alone, and beyond it this machine was the limit: keep other programs off it, or use another one";
    let generator = || Ceiling::Generator(vec![Limit::StartLag]);
    for ceiling in [generator(), Ceiling::Users, Ceiling::Highest] {
        let is_here = ceiling == generator();
        let tried = answer(&steps, bounds, Some(SearchEnd::AtLeast(ceiling)));
        let catalog = Catalog::new(Lang::En);
        let said = verdict(&tried, &catalog);
        assert!(said.starts_with("CANNOT TELL: 1.00/s held"), "{said}");
        assert_eq!(said == here, is_here, "{said}");
        let facts = CapacityFacts::default();
        assert_eq!(exit(&tried, &facts), Exit::CannotJudge);
        let page = document::of_answer(&tried, &facts, "t", &catalog).verdict;
        assert_eq!((page.word.as_str(), page.text), ("not judged", said));
    }
}

/// Seen: "CANNOT TELL, with 24 requests alone" of the highest load that was allowed, held twice.
#[test]
fn all_levels_of_a_load_count_together() {
    let held = |purpose| Step {
        requests: 8.0,
        held: 3,
        ..step(8.0, purpose, LevelOutcome::Likely, 8.0)
    };
    let steps = [held(Purpose::Climb), held(Purpose::Confirm)];
    let bounds = Bounds {
        low: Some(1),
        ..Bounds::default()
    };
    let exits = |steps: &[Step], bounds| {
        let tried = answer(steps, bounds, Some(SearchEnd::AtLeast(Ceiling::Highest)));
        let (catalog, facts) = (Catalog::new(Lang::En), CapacityFacts::default());
        let page = document::of_answer(&tried, &facts, "t", &catalog).verdict;
        (exit(&tried, &facts), page.word != "not judged")
    };
    assert_eq!(exits(&steps, bounds), (Exit::Success, true));
    let once = Bounds {
        low: Some(0),
        ..Bounds::default()
    };
    assert_eq!(exits(&steps[..1], once), (Exit::CannotJudge, false));
}

/// Seen: "holds, too near the limit to be sure" of a p95 of 39.7 ms under 500 ms.
#[test]
fn a_level_far_from_its_limit_is_unsure_for_its_few_requests() {
    let said = |ms: f64| {
        let soak = Step {
            held: 130,
            terms: vec![judged(ms), judged(0.0)],
            ..step(3.0, Purpose::Soak, LevelOutcome::Likely, 3.0)
        };
        let (terms, catalog) = (terms(), Catalog::new(Lang::En));
        let words = Words {
            unit: Unit::Users,
            terms: &terms,
            catalog: &catalog,
        };
        let kept = serde_json::from_value(file::step_json(&soak, &terms)).unwrap();
        let said = words.outcome(&soak);
        assert_eq!(said, kept::outcome_of(&kept, &catalog));
        said
    };
    assert_eq!(said(39.7), "holds, with too few requests to be sure");
    assert_eq!(said(480.0), "holds, too near the limit to be sure");
}

/// What is said of steps, of which none was carried, on the screen and as exit code.
fn lowest(outcome: LevelOutcome) -> (String, Exit) {
    let steps = [Step {
        requests: 4.3,
        terms: vec![JudgedTerm {
            value: Some(Estimate::exact(561.8)),
            standing: TermState::Open,
            is_within: false,
        }],
        ..step(4.0, Purpose::Confirm, outcome, 4.0)
    }];
    let bounds = Bounds {
        high: Some(0),
        ..Bounds::default()
    };
    let tried = answer(&steps, bounds, None);
    let facts = CapacityFacts::default();
    let said = verdict(&tried, &Catalog::new(Lang::En));
    (said, exit(&tried, &facts))
}

/// Before: "NO LOAD HOLDS ... at 4.00/s already" of 43 requests that were "probably" too slow.
#[test]
fn what_is_probably_missed_by_few_requests_is_not_told_as_none_holds() {
    let misses = |sure| LevelOutcome::Misses { term: 0, sure };
    let (said, code) = lowest(misses(false));
    assert!(
        said.starts_with(
            "CANNOT TELL whether p(95)<500ms holds: at 4.00/s it is probably missed ("
        ),
        "{said}"
    );
    assert!(
        said.ends_with("), by 43 requests alone; give it more with --budget"),
        "{said}"
    );
    assert_eq!(code, Exit::CannotJudge);
    let (said, code) = lowest(misses(true));
    assert!(said.starts_with("NO LOAD HOLDS"), "{said}");
    assert_eq!(code, Exit::ThresholdsFailed);
}

/// Before: "use a longer --confirm", though the time was up before it could have been held that long.
#[test]
fn what_was_short_is_named_the_budget_or_the_confirmation() {
    let told = |end: SearchEnd| {
        let mut answer = pool();
        answer.end = end;
        let line = answer.line.as_mut().unwrap();
        (line.is_sure, line.is_doubted) = (false, false);
        text(&answer, &CapacityFacts::default(), &Catalog::new(Lang::En))
    };
    let short = told(SearchEnd::OutOfTime);
    assert!(
        short.contains("as the time was up; use a longer --budget to be sure"),
        "{short}"
    );
    assert!(!short.contains("--confirm"), "{short}");
    let found = told(SearchEnd::Found);
    assert!(
        found.contains("use a longer --confirm to be sure"),
        "{found}"
    );
}

/// Before: nothing said why `--budget 90s` reached 32/s only.
#[test]
fn levels_that_wait_for_slow_iterations_are_told_where_the_time_was_up() {
    let told = |seconds: f64| {
        let level = |place: u32| Step {
            began: seconds * f64::from(place),
            requests: 100.0,
            ..step(
                2.0_f64.powi(place as i32),
                Purpose::Climb,
                LevelOutcome::Likely,
                1.0,
            )
        };
        let steps: Vec<Step> = (0..5).map(level).collect();
        let bounds = Bounds {
            low: Some(4),
            ..Bounds::default()
        };
        let mut answer = answer(&steps, bounds, Some(SearchEnd::OutOfTime));
        answer.baseline.iteration_ms = 2700.0;
        text(&answer, &CapacityFacts::default(), &Catalog::new(Lang::En))
    };
    let slow = told(10.0);
    let why = "each level on the way up took about 10 s, as an iteration takes 2,700 ms";
    assert!(slow.contains(why), "{slow}");
    assert!(!told(5.0).contains("on the way up"));
}

/// Before: "knee 4 VUs (from 2 VUs on)", also where there is no lower level.
#[test]
fn a_knee_is_above_the_level_below_it_if_there_is_one() {
    let mut answer = pool();
    let knee = |answer: &Answer| {
        let said = text(answer, &CapacityFacts::default(), &Catalog::new(Lang::En));
        said.lines()
            .find(|line| line.starts_with("knee"))
            .unwrap()
            .to_owned()
    };
    assert!(
        knee(&answer).contains("196/s (above 166/s): "),
        "{}",
        knee(&answer)
    );
    let load = answer.knee.as_ref().unwrap().load.middle;
    answer.knee.as_mut().unwrap().load.low = load;
    assert!(knee(&answer).contains("196/s: "), "{}", knee(&answer));
}

/// Before: "out-of-time", "climb" and "likely" in what `show` prints, in both languages.
#[test]
fn a_kept_search_is_shown_in_words() {
    let file = file::CapacityFile::new(
        &pool(),
        file::TestInFile::default(),
        serde_json::Value::Null,
    );
    for (lang, words) in [
        (
            Lang::En,
            ["capacity 196/s: carries", "holds (short look)", "climb"],
        ),
        (Lang::Ko, ["용량 196/s: ", "충족(짧은 확인)", "탐색"]),
    ] {
        let said = shown::text(&file, &Catalog::new(lang));
        for word in words {
            assert!(said.contains(word), "{word}: {said}");
        }
        for raw in ["found", "likely  ", "at-least", "out-of-time"] {
            assert!(!said.contains(raw), "{raw}: {said}");
        }
        let is_korean = lang == Lang::Ko;
        assert!(!is_korean || !said.contains("climb"), "{said}");
    }
}
