use loadline_analysis::capacity::table::{Row, judge};
use loadline_analysis::capacity::{
    Baseline, Bounds, Ceiling, IterationFaults, Purpose, SearchSpec, Unit,
};
use loadline_analysis::estimate::Estimate;
use loadline_analysis::slo::{JudgedTerm, Term, TermState};
use loadline_metrics::Histogram;
use loadline_record::Limit;
use loadline_text::{Exit, Lang};

use super::*;

mod ends;
mod estimates;

fn terms() -> Vec<Term> {
    ["p(95)<500ms", "errors<1%"]
        .map(|term| term.parse().unwrap())
        .to_vec()
}

fn step(load: f64, purpose: Purpose, outcome: LevelOutcome, made: f64) -> Step {
    let ms = if outcome.is_too_much() { 900.0 } else { 50.0 };
    Step {
        load,
        purpose,
        began: load,
        held: 10,
        late: 0,
        outcome,
        throughput: Estimate {
            low: made - 1.0,
            middle: made,
            high: made + 1.0,
        },
        sustained: made,
        requests: 2.0 * made,
        in_flight: made * ms / 1000.0,
        durations: Histogram::from_values(&[ms, ms + 2.0, ms + 4.0]),
        iteration_ms: Some(ms),
        errors: 0.0,
        asked_to_wait: 0.0,
        faults: IterationFaults::default(),
        terms: vec![judged(ms + 4.0), judged(0.0)],
        off_law: None,
        resemblance: None,
        pauses: None,
        target_cpu: None,
    }
}

/// A term's value, known to a twentieth.
fn judged(value: f64) -> JudgedTerm {
    JudgedTerm {
        value: Some(Estimate {
            low: 0.95 * value,
            middle: value,
            high: 1.05 * value,
        }),
        standing: TermState::Open,
        is_within: true,
    }
}

fn answer(steps: &[Step], bounds: Bounds, end: Option<SearchEnd>) -> Answer {
    let asked = SearchSpec {
        unit: Unit::Rate,
        terms: terms(),
        highest: 10_000.0,
        precision: 0.025,
    };
    let baseline = Baseline {
        load: 1.0,
        request_ms: 50.0,
        p95_ms: 52.0,
        iteration_ms: 51.0,
    };
    Answer::from_steps(&asked, steps, bounds, end, baseline)
}

fn pool() -> Answer {
    let steps = [
        step(1.0, Purpose::Baseline, LevelOutcome::Likely, 1.0),
        step(128.0, Purpose::Climb, LevelOutcome::Holds, 128.0),
        step(256.0, Purpose::Climb, LevelOutcome::Overloaded, 198.0),
        step(196.0, Purpose::Confirm, LevelOutcome::Holds, 196.0),
        step(200.0, Purpose::Refine, LevelOutcome::Overloaded, 199.0),
        step(166.0, Purpose::Soak, LevelOutcome::Holds, 166.0),
    ];
    let bounds = Bounds {
        low: Some(3),
        high: Some(4),
        ceiling: None,
    };
    answer(&steps, bounds, None)
}

#[test]
fn an_answer_names_three_points_with_their_ranges() {
    let facts = CapacityFacts {
        goal: Some(150.0),
        ..CapacityFacts::default()
    };
    insta::assert_snapshot!(
        "capacity_en",
        text(&pool(), &facts, &Catalog::new(Lang::En))
    );
    insta::assert_snapshot!(
        "capacity_ko",
        text(&pool(), &facts, &Catalog::new(Lang::Ko))
    );
}

#[test]
fn a_goal_that_is_missed_fails_and_one_beyond_what_was_tried_is_not_known() {
    let missed = CapacityFacts {
        goal: Some(300.0),
        ..CapacityFacts::default()
    };
    assert_eq!(exit(&pool(), &missed), Exit::ThresholdsFailed);
    assert_eq!(exit(&pool(), &CapacityFacts::default()), Exit::Success);
    let steps = [step(8.0, Purpose::Climb, LevelOutcome::Holds, 8.0)];
    let bounds = Bounds {
        low: Some(0),
        ..Bounds::default()
    };
    let open = answer(&steps, bounds, Some(SearchEnd::AtLeast(Ceiling::Highest)));
    assert_eq!(exit(&open, &missed), Exit::Success);
    assert!(
        text(&open, &missed, &Catalog::new(Lang::En))
            .contains("unknown: higher than any load that was tried")
    );
}

#[test]
fn every_other_end_has_words_of_its_own_and_no_number_that_is_not_the_targets() {
    let carried = [
        step(1.0, Purpose::Baseline, LevelOutcome::Likely, 1.0),
        step(64.0, Purpose::Climb, LevelOutcome::Likely, 64.0),
        step(
            128.0,
            Purpose::Climb,
            LevelOutcome::Aborted(AbortReason::Refused),
            20.0,
        ),
    ];
    let low = Bounds {
        low: Some(1),
        high: Some(2),
        ceiling: None,
    };
    let ends = [
        (
            SearchEnd::AtLeast(Ceiling::Generator(vec![Limit::Cpu])),
            low,
            Exit::GeneratorLimited,
        ),
        (SearchEnd::AtLeast(Ceiling::Users), low, Exit::Success),
        (SearchEnd::AtLeast(Ceiling::Highest), low, Exit::Success),
        (SearchEnd::OutOfTime, low, Exit::Success),
        (SearchEnd::NotRecovered, low, Exit::NotRecovered),
        (SearchEnd::Interrupted, low, Exit::Interrupted),
        (SearchEnd::Interrupted, Bounds::default(), Exit::Interrupted),
        (SearchEnd::NoAnswer, Bounds::default(), Exit::NoAnswer),
        (
            SearchEnd::FailsWithoutLoad(0.5),
            Bounds::default(),
            Exit::ThresholdsFailed,
        ),
        (
            SearchEnd::MissedAtAnyLoad {
                term: 1,
                value: 0.02,
                from: 1.0,
                to: 128.0,
            },
            low,
            Exit::ThresholdsFailed,
        ),
    ];
    let catalog = Catalog::new(Lang::En);
    let mut said = String::new();
    for (end, bounds, code) in ends {
        let answer = answer(&carried, bounds, Some(end));
        assert_eq!(exit(&answer, &CapacityFacts::default()), code);
        said.push_str(&verdict(&answer, &catalog));
        said.push('\n');
    }
    insta::assert_snapshot!("capacity_verdicts", said);
}

#[test]
fn a_search_none_of_whose_levels_was_valid_was_not_stopped_by_anybody() {
    let said = |ceiling: Ceiling| {
        let steps = [1.0, 1.2].map(|made| {
            let outcome = LevelOutcome::Invalid(ceiling.clone());
            step(1.0, Purpose::Baseline, outcome, made)
        });
        let bounds = Bounds {
            ceiling: Some(1),
            ..Bounds::default()
        };
        let answer = answer(&steps, bounds, None);
        let code = exit(&answer, &CapacityFacts::default());
        (verdict(&answer, &Catalog::new(Lang::En)), code)
    };
    let (generator, code) = said(Ceiling::Generator(vec![Limit::Cpu]));
    assert!(
        generator.starts_with("NO LEVEL COULD BE TRIED: the generator"),
        "{generator}"
    );
    assert_eq!(code, Exit::GeneratorLimited);
    let (users, code) = said(Ceiling::Users);
    assert!(
        users.starts_with("NO LEVEL COULD BE TRIED: the test"),
        "{users}"
    );
    assert_eq!(code, Exit::GeneratorLimited);
}

/// The form is a promise to others: what the schema requires is written.
#[test]
fn the_file_has_what_its_schema_requires() {
    let schema: serde_json::Value = serde_json::from_str(include_str!(
        "../../../../../docs/schemas/capacity.schema.json"
    ))
    .unwrap();
    let file = file::CapacityFile::new(&pool(), file::TestInFile::default(), serde_json::json!({}));
    let written: serde_json::Value = serde_json::from_str(&file.to_json()).unwrap();
    let has = |schema: &serde_json::Value, value: &serde_json::Value, place: &str| {
        for name in schema["required"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            assert!(value.get(name).is_some(), "{place}.{name} is missing");
        }
        for (name, _) in value.as_object().unwrap() {
            assert!(
                schema["properties"].get(name).is_some(),
                "{place}.{name} is not in the schema"
            );
        }
    };
    has(&schema, &written, "");
    let properties = &schema["properties"];
    for name in ["test", "baseline"] {
        has(&properties[name], &written[name], name);
    }
    for name in ["line", "knee", "peak", "soak"] {
        has(&properties[name]["oneOf"][1], &written[name], name);
    }
    has(&properties["steps"]["items"], &written["steps"][0], "steps");
    let ends = properties["end"]["enum"].as_array().unwrap();
    assert!(ends.contains(&written["end"]));
    let read = file::CapacityFile::parse(&file.to_json()).unwrap();
    assert_eq!(
        (read.steps.len(), read.objective),
        (file.steps.len(), file.objective)
    );
}

#[test]
fn a_file_of_a_newer_version_is_refused_by_number() {
    let newer = r#"{"loadline_capacity": 2}"#;
    let error = file::CapacityFile::parse(newer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a capacity of version 2; this program reads version 1"
    );
}

#[test]
fn the_page_has_the_curve_and_escapes_what_the_test_is_called() {
    let catalog = Catalog::new(Lang::En);
    let document = document::of_answer(&pool(), &CapacityFacts::default(), "<b>&", &catalog);
    let page = crate::document::html::page(&document, &[], &catalog);
    assert!(page.contains("<svg class=\"plot\""));
    assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>&"));
    assert!(!page.contains("<script") && !page.contains("http://"));
}

/// Seen: a pool whose calls took twice as long from the middle of the search on. No level above
/// 32/s had held before, so nothing was said, and the knee stood at 60.9/s.
#[test]
fn a_target_that_slowed_for_good_is_told_by_what_it_completed() {
    let steps = [
        step(32.0, Purpose::Climb, LevelOutcome::Likely, 30.3),
        step(64.0, Purpose::Climb, LevelOutcome::Unclear, 60.9),
        step(128.0, Purpose::Climb, LevelOutcome::Overloaded, 61.7),
        step(41.9, Purpose::Refine, LevelOutcome::Overloaded, 31.3),
        step(36.6, Purpose::Refine, LevelOutcome::Overloaded, 30.9),
        step(16.0, Purpose::Confirm, LevelOutcome::Holds, 16.5),
    ];
    let low = |low| Bounds {
        low: Some(low),
        high: Some(4),
        ceiling: None,
    };
    let notes = |answer: &Answer, lang| {
        let all = text(answer, &CapacityFacts::default(), &Catalog::new(lang));
        let notes = all.lines().filter_map(|line| {
            let note = line
                .strip_prefix("note ")
                .or_else(|| line.strip_prefix("참고 "));
            note.map(|note| note.trim().to_owned())
        });
        notes.collect::<Vec<_>>().join("\n")
    };
    let answered = answer(&steps, low(5), None);
    insta::assert_snapshot!(notes(&answered, Lang::En), @r"
    the target slowed down during the search and stayed slow: it completed 60.9/s at 64 s, but only 31.3/s of the 41.9/s it was asked for at 42 s
    the result is for the slower target
    the knee lies above the capacity: throughput still grows beyond the line, but the objective is missed before it stops growing
    ");
    insta::assert_snapshot!(notes(&answered, Lang::Ko), @r"
    탐색 중 대상이 느려진 채로 유지됨: 64초에는 60.9/s 처리, 42초에는 요청한 41.9/s 중 31.3/s만 처리
    결과는 느려진 뒤의 값
    포화점이 용량보다 높음: 처리량은 용량 위에서도 늘지만 그 전에 목표를 벗어남
    ");
    let knee = answered.knee.unwrap();
    assert!(knee.throughput < 32.0, "of the faster target: {knee:?}");
    let before = answer(&steps, low(0), None);
    insta::assert_snapshot!(notes(&before, Lang::En), @r"
    the target slowed down during the search and stayed slow: it completed 60.9/s at 64 s, but only 31.3/s of the 41.9/s it was asked for at 42 s
    the capacity was held before that; how much the slower target carries was not seen
    ");
    insta::assert_snapshot!(notes(&before, Lang::Ko), @r"
    탐색 중 대상이 느려진 채로 유지됨: 64초에는 60.9/s 처리, 42초에는 요청한 41.9/s 중 31.3/s만 처리
    용량은 느려지기 전에 유지된 값이며, 느려진 대상이 얼마까지 견디는지는 확인하지 못함
    ");
}

/// A queue may grow by chance a little below what the target completes.
#[test]
fn a_target_that_is_only_near_its_limit_did_not_slow_down() {
    let steps = [
        step(64.0, Purpose::Climb, LevelOutcome::Overloaded, 61.7),
        step(58.0, Purpose::Refine, LevelOutcome::Overloaded, 55.0),
        step(50.0, Purpose::Confirm, LevelOutcome::Holds, 50.0),
    ];
    let bounds = Bounds {
        low: Some(2),
        high: Some(1),
        ceiling: None,
    };
    assert_eq!(answer(&steps, bounds, None).slowed, None);
}

/// Before: 250 of 250 expectations of an Artillery file failed, every virtual user gave up at a
/// capture, and the search said CAPACITY and ended with 0.
#[test]
fn what_the_objective_does_not_judge_is_in_the_verdict_where_it_went_wrong() {
    let faults = |checks: f64, failed_checks: f64, broken: f64| IterationFaults {
        checks,
        failed_checks,
        iterations: 200.0,
        broken,
        redirects: 0.0,
    };
    let said = |faults: IterationFaults| {
        let mut carried = step(10.0, Purpose::Confirm, LevelOutcome::Holds, 10.0);
        carried.faults = faults;
        let bounds = Bounds {
            low: Some(0),
            ..Bounds::default()
        };
        let answer = answer(&[carried], bounds, Some(SearchEnd::OutOfTime));
        let file = file::CapacityFile::new(
            &answer,
            file::TestInFile::default(),
            serde_json::Value::Null,
        );
        let catalog = Catalog::new(Lang::En);
        let page = document::of_file(&file, "", &catalog);
        let exit = exit(&answer, &CapacityFacts::default());
        (verdict(&answer, &catalog), page.verdict.text, exit)
    };
    let wrong = "; but at that load 250 of 250 checks failed, 12 of 200 iterations failed, \
                 which the objective does not judge";
    let (line, page, exit) = said(faults(250.0, 250.0, 12.0));
    assert!(line.ends_with(wrong), "{line}");
    assert!(page.ends_with(wrong), "{page}");
    assert_eq!(exit, Exit::FellShort);
    let moved = IterationFaults {
        redirects: 200.0,
        ..faults(0.0, 0.0, 0.0)
    };
    let (line, _, exit) = said(moved);
    assert!(
        line.contains("; but at that load 200 of 200 answers are redirects"),
        "{line}"
    );
    assert_eq!(exit, Exit::FellShort);
    let (line, page, exit) = said(faults(250.0, 2.0, 2.0));
    assert!(!line.contains("; but") && !page.contains("; but"), "{line}");
    assert_eq!(exit, Exit::Success);
}

/// Before: "STOPPED before any level was held" of a search that nobody stopped, and its goal
/// "missed by 100 %" though nothing was seen of that load.
#[test]
fn a_search_that_could_not_tell_says_so_and_of_its_goal_that_it_is_unknown() {
    let steps = [step(1.0, Purpose::Baseline, LevelOutcome::Unclear, 1.0)];
    let answer = answer(&steps, Bounds::default(), None);
    assert_eq!(answer.end, SearchEnd::OutOfTime);
    let facts = CapacityFacts {
        goal: Some(40.0),
        ..CapacityFacts::default()
    };
    assert_eq!(exit(&answer, &facts), Exit::CannotJudge);
    let catalog = Catalog::new(Lang::En);
    let said = text(&answer, &facts, &catalog);
    let line = "CANNOT TELL whether p(95)<500ms, errors<1% holds: at 1.00/s it was not clear";
    assert!(said.starts_with(line), "{said}");
    assert!(said.contains("40.0/s: unknown"), "{said}");
    let file = file::CapacityFile::new(
        &answer,
        file::TestInFile::default(),
        serde_json::Value::Null,
    );
    let page = document::of_file(&file, "", &catalog).verdict.text;
    assert!(page.contains("could not be told"), "{page}");
}
