use loadline_analysis::compare::ComparedWindow;
use loadline_explain::{BottleneckPart, ExplainedRun, explain};
use loadline_record::signals::{Entity, Label, SignalKind, Signals, SourceKind, SourceStatus};
use loadline_text::{Catalog, Lang};
use serde_json::Value;

use super::*;
use crate::comparison::file::tests::refused;

/// A pool of 10 whose connections are all held for 2 s.
fn starved() -> ExplainedRun {
    let mut signals = Signals::default();
    let pool = Entity::new().with(Label::Pool, "main");
    for second in 0..30_u32 {
        let at_ms = u64::from(second) * 1000;
        let mut push = |kind, value| signals.push(kind, &pool, at_ms, value);
        push(SignalKind::PoolActive, 10.0);
        push(SignalKind::PoolMax, 10.0);
        push(SignalKind::PoolPending, 25.0);
        push(SignalKind::PoolHolds, f64::from(second) * 5.0);
        push(SignalKind::PoolHoldTime, f64::from(second) * 10.0);
    }
    signals.sources.push(SourceStatus::new(
        "http://10.0.0.5/metrics",
        SourceKind::Page,
    ));
    let mut window = ComparedWindow {
        requests: 10.0,
        failed: 5.0,
        planned: 10.0,
        ..ComparedWindow::default()
    };
    window.durations.record(7000.0);
    ExplainedRun {
        windows: vec![window; 30],
        signals,
        ..ExplainedRun::default()
    }
}

#[test]
fn the_document_is_as_its_schema_says() {
    let schema = include_str!("../../../../../../docs/schemas/explanation.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let run = starved();
    let assumed = ["pool=30".parse().unwrap(), "outside=5s".parse().unwrap()];
    let catalog = Catalog::new(Lang::En);
    for run in [run, computing_database(), ExplainedRun::default()] {
        let explanation = explain(&run, &assumed);
        let file = ExplanationFile::new("k3f9", &explanation, &run.signals.sources, &catalog);
        let value: Value = serde_json::from_str(&file.to_json()).unwrap();
        assert_eq!(refused(&schema, &schema, &value, ""), Vec::<String>::new());
    }
}

/// Before: `files`, a new part, was in no list of the schema.
#[test]
fn the_schema_lists_every_part() {
    let schema = include_str!("../../../../../../docs/schemas/explanation.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let mut lists = Vec::new();
    collect_lists(&schema, &mut lists);
    let parts: Vec<&str> = BottleneckPart::ALL.iter().map(|part| part.name()).collect();
    let of_parts = lists.iter().filter(|list| list.contains(&"test-bed"));
    let of_parts: Vec<_> = of_parts.collect();
    assert!(!of_parts.is_empty());
    for list in of_parts {
        assert_eq!(*list, parts);
    }
}

/// Every list of names in a schema.
fn collect_lists<'a>(value: &'a Value, lists: &mut Vec<Vec<&'a str>>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Array(names)) = members.get("enum") {
                lists.push(names.iter().filter_map(Value::as_str).collect());
            }
            members
                .values()
                .for_each(|member| collect_lists(member, lists));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_lists(item, lists)),
        _ => {}
    }
}

#[test]
fn the_text_answers_first_and_says_what_was_not_seen() {
    let run = starved();
    let explanation = explain(&run, &["pool=30".parse().unwrap()]);
    let text = |lang| {
        let catalog = Catalog::new(lang);
        crate::explanation::text("k3f9", &explanation, &run.signals.sources, &catalog)
    };
    let english = text(Lang::En);
    assert!(
        english.contains("LIMITED at 5.00 requests/s, by a connection pool that is full"),
        "{english}"
    );
    assert!(english.contains("All 10 connections of the pool are held, 2,000 ms each"));
    assert!(
        english.contains("pool=30: at most 15.0 requests/s"),
        "{english}"
    );
    let korean = text(Lang::Ko);
    let held = "초당 5.00건에서 한계. 커넥션 풀이 가득 참";
    assert!(korean.contains(held), "{korean}");
}

#[test]
fn a_target_that_stopped_is_named_as_what_limits() {
    let window = |failed: f64| {
        let mut window = ComparedWindow {
            requests: 10.0,
            failed,
            planned: 10.0,
            ..ComparedWindow::default()
        };
        window.durations.record(20.0);
        window
    };
    let mut windows = vec![window(0.0); 15];
    windows.extend(vec![window(10.0); 15]);
    let run = ExplainedRun {
        windows,
        ..ExplainedRun::default()
    };
    let explanation = explain(&run, &[]);
    let answer = |lang| crate::explanation::answer(&explanation, &Catalog::new(lang));
    let english = answer(Lang::En);
    assert_eq!(
        english,
        "LIMITED BY a target that does not answer (grade A)"
    );
    assert_eq!(
        answer(Lang::Ko),
        "제한 요인: 응답하지 않는 대상 서버 (등급 A)"
    );
    let limit = crate::explanation::limit(&explanation.findings[0], &Catalog::new(Lang::En));
    assert!(limit.contains("a target that does not answer"), "{limit}");
}

/// A database of one core that is used up by one statement.
fn computing_database() -> ExplainedRun {
    let mut run = starved();
    let any = Entity::new();
    let text = format!("select {} from item order by stars", "name, ".repeat(20));
    let heavy = Entity::new().with(Label::Statement, &text);
    for second in 0..30_u32 {
        let at_ms = u64::from(second) * 1000;
        let second = f64::from(second);
        let mut push = |kind, of: &Entity, value| run.signals.push(kind, of, at_ms, value);
        push(SignalKind::DatabaseCpu, &any, second * 0.98);
        push(SignalKind::DatabaseCores, &any, 1.0);
        push(SignalKind::StatementCalls, &heavy, second * 10.0);
        push(SignalKind::StatementTime, &heavy, second * 4.0);
    }
    run
}

#[test]
fn a_finding_of_the_database_says_which_query_in_both_languages() {
    let run = computing_database();
    let explanation = explain(&run, &[]);
    let text = |lang| {
        let catalog = Catalog::new(lang);
        crate::explanation::text("k3f9", &explanation, &run.signals.sources, &catalog)
    };
    let english = text(Lang::En);
    let said = "statements  100 % of the time of all statements: 400 ms each, 2.00 times a request";
    assert!(english.contains(said), "{english}");
    // The advice shows the beginning of what was named above.
    assert_eq!(english.matches("order by stars").count(), 1, "{english}");
    assert_eq!(
        english.matches("select name, name,").count(),
        2,
        "{english}"
    );
    let korean = text(Lang::Ko);
    let said = "SQL        전체 SQL 시간의 100 %: 평균 400 ms, 요청당 2.00회";
    assert!(korean.contains(said), "{korean}");
    let catalog = Catalog::new(Lang::En);
    let file = ExplanationFile::new("k3f9", &explanation, &run.signals.sources, &catalog);
    let named = &file.findings[0].statements[0];
    assert_eq!((named.mean_ms, named.counted_by), (400.0, "database"));
}
