//! Which query? Findings of the database name the statements they are about.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::backend::Backend;
use super::truths::{database, one_row_at_a_time, overloaded};
use super::{FindingRole, Noise, RuleId, explained};
use crate::{HeavyStatement, StatementOrigin};

fn close(value: f64, expected: f64) -> bool {
    (value / expected - 1.0).abs() < 0.15
}

/// Two heavy statements and a light one, each once a request.
#[test]
fn a_database_without_cpu_left_names_both_heavy_statements_with_share_calls_and_mean() {
    let backend = database(&mut Noise::new(3));
    let steady = backend.steady();
    let explanation = explained(backend.scene(3));
    let first = &explanation.findings[0];
    assert_eq!(first.rule, RuleId::DatabaseCpu);
    let [rating, loads] = &first.statements[..] else {
        panic!("{:?}", first.statements);
    };
    assert!(rating.text.ends_with("avg(stars)"), "{rating:?}");
    assert!(loads.text.ends_with("count(loads)"), "{loads:?}");
    assert!(close(rating.share, 0.62) && close(loads.share, 0.3));
    assert!(close(rating.calls_of_request, 1.0), "{rating:?}");
    // All sessions work all the time.
    let each = steady.pool_used * 0.62 / steady.rate * 1000.0;
    assert!(close(rating.mean_ms, each), "{rating:?} {each}");
    assert_eq!(rating.counted_by, StatementOrigin::Database);
    assert_eq!(explanation.statements, first.statements);
}

#[test]
fn the_statement_that_is_made_for_each_row_is_the_one_that_is_named() {
    let explanation = explained(one_row_at_a_time(&mut Noise::new(5), 5));
    let first = &explanation.findings[0];
    assert_eq!(first.rule, RuleId::ManyStatements);
    let texts: Vec<&str> = first.statements.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["select name from person where id = $1"]);
    assert!(first.statements[0].calls_of_request > 10.0);
}

#[test]
fn traces_name_the_statement_when_the_database_is_not_seen() {
    let backend = overloaded(
        Backend {
            statements: 0.2,
            pool: 40.0,
            ..Backend::default()
        },
        1.5,
    );
    let mut scene = backend.callers(4);
    backend.record_traces(&mut scene, 0.1);
    let explanation = explained(scene);
    let [statement] = &explanation.statements[..] else {
        panic!("{:?}", explanation.statements);
    };
    assert_eq!(statement.text, "select name from item");
    assert_eq!(statement.counted_by, StatementOrigin::Traces);
    // One request of ten is traced; it stands for all.
    assert!(close(statement.calls_of_request, 1.0), "{statement:?}");
    assert!(close(statement.mean_ms, 200.0), "{statement:?}");
}

#[test]
fn a_healthy_target_says_which_statements_take_the_time_without_a_finding() {
    let explanation = explained(Backend::default().scene(6));
    assert!(explanation.findings.is_empty());
    let named: Vec<&HeavyStatement> = explanation.statements.iter().collect();
    assert_eq!(named.len(), 2, "{named:?}");
}

#[test]
fn a_statement_without_a_text_is_called_by_its_number() {
    let backend = database(&mut Noise::new(7));
    let mut scene = backend.callers(7);
    backend.record_process(&mut scene);
    let any = Entity::new();
    scene.counter(Kind::DatabaseCpu, &any, 0.98, 0.01);
    scene.limit(Kind::DatabaseCores, &any, 1.0);
    let of = Entity::new().with(Label::StatementId, "-4711");
    scene.counter(Kind::StatementCalls, &of, 10.0, 0.0);
    scene.counter(Kind::StatementTime, &of, 0.9, 0.0);
    let explanation = explained(scene);
    let first = &explanation.findings[0];
    assert_eq!(
        (first.rule, first.role),
        (RuleId::DatabaseCpu, FindingRole::Limit)
    );
    assert_eq!(first.statements[0].text, "-4711");
}
