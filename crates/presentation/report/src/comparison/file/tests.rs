use loadline_analysis::compare::{
    AnswerChange, Caveat, Change, Comparison, ComparisonSettings, Concern, ConcernKind, Difference,
    Endpoint, Finding, LoadChange, LoadChanges, Measure, Regression, SettingChange, ShortRun,
    UncertaintyReason,
};
use loadline_explain::{Evidence, EvidenceUnit, UsageChange};
use loadline_record::Shortfall;
use serde_json::Value;

use super::*;

fn difference(measure: Measure, finding: Finding) -> Difference {
    Difference {
        measure,
        before: Some(100.0),
        after: None,
        at_least: (false, true),
        of_stages: None,
        change: Some(Change {
            low: 0.1,
            middle: 0.2,
            high: 0.3,
        }),
        finding,
    }
}

/// One of everything that a comparison may hold.
#[expect(clippy::too_many_lines, reason = "one of each")]
fn everything() -> (Comparison, ComparisonFacts) {
    let cannot = |why| Finding::CannotTell { why };
    let findings = [
        Finding::Better,
        Finding::Worse,
        Finding::NoLargerThan { share: 0.02 },
        cannot(UncertaintyReason::TooShort {
            run: ShortRun {
                seconds: 8,
                requests: 9,
                seconds_needed: 10,
                requests_needed: 80,
                runs_needed: 3,
            },
        }),
        cannot(UncertaintyReason::SingleRuns),
        cannot(UncertaintyReason::Spread { runs: Some(9) }),
        cannot(UncertaintyReason::TooFew { runs: Some(7) }),
        cannot(UncertaintyReason::MoreErrors),
        cannot(UncertaintyReason::OwnDelays),
        cannot(UncertaintyReason::Cut),
        cannot(UncertaintyReason::Nothing),
    ];
    let pairs = || Measure::ALL.into_iter().cycle().zip(findings);
    let endpoint = |name: &str| Endpoint {
        name: name.to_owned(),
        changed: vec![
            AnswerChange::Status {
                status: "500".to_owned(),
                before: 0.0,
                after: 0.1,
            },
            AnswerChange::Size {
                before: 500.0,
                after: 60.0,
            },
        ],
        differences: pairs().map(|(of, found)| difference(of, found)).collect(),
        failed_p95: [Some(900.0), None],
    };
    let comparison = Comparison {
        whole: endpoint(""),
        endpoints: vec![endpoint("/orders")],
        only_before: vec!["/old".to_owned()],
        only_after: vec!["/new".to_owned()],
        runs: (1, 5),
        requests: (100.0, 500.0),
        seconds: (10, 50),
        intervals: 14,
        left_out: 2,
        new_shortfalls: vec![Shortfall::Cut { sent: 9, cut: 4 }],
        stages: None,
        endpoint_looks: 0,
        cold: [None, None],
    };
    let change = LoadChange {
        at_seconds: 4.2,
        by: "key".to_owned(),
        change: "scaled".to_owned(),
        to: Some(0.5),
    };
    let runs = vec!["k3f9".to_owned()];
    let changed = LoadChanges {
        run: runs[0].clone(),
        changes: vec![change],
    };
    let facts = ComparisonFacts {
        before: "base".to_owned(),
        after: "new".to_owned(),
        caveats: vec![
            Caveat::OtherLoad {
                before: 10.0,
                after: 20.0,
            },
            Caveat::LoadChanged {
                runs: vec![changed],
            },
            Caveat::OtherTest,
            Caveat::OtherMachine,
            other_target(),
            Caveat::OneSideObserved {
                before: 1,
                after: 0,
            },
            Caveat::NotValid { runs },
            Caveat::SecondsLeft {
                before: 2,
                after: 3,
            },
        ],
        moved: vec![less_database_cpu()],
        limits: super::super::ComparedLimits::default(),
    };
    (comparison, facts)
}

fn other_target() -> Caveat {
    Caveat::OtherTarget {
        changes: vec![SettingChange {
            name: "pool-max (pool=main)".to_owned(),
            before: "10".to_owned(),
            after: "30".to_owned(),
        }],
    }
}

fn less_database_cpu() -> UsageChange {
    UsageChange {
        before: Evidence {
            name: "database-cpu",
            label: loadline_text::evidence::database_cpu(),
            value: 0.95,
            unit: EvidenceUnit::Cores,
        },
        after: 0.2,
    }
}

fn written() -> Value {
    let (comparison, facts) = everything();
    let concern = |of| Concern {
        endpoint: String::new(),
        of,
    };
    let regression = Regression {
        worse: vec![
            concern(ConcernKind::Answers),
            concern(ConcernKind::Measure(Measure::P95)),
            concern(ConcernKind::Shortfall(Shortfall::Cut { sent: 9, cut: 4 })),
        ],
        unsure: vec![concern(ConcernKind::Measure(Measure::Rate))],
    };
    let settings = ComparisonSettings::default();
    let file = ComparisonFile::new(&comparison, &facts, &settings, Some((&regression, 0.05)));
    serde_json::from_str(&file.to_json()).unwrap()
}

/// What a schema of the words used in `docs/schemas` refuses in a value.
pub(crate) fn refused(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').unwrap();
        return refused(root, root.pointer(pointer).unwrap(), value, place);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let fitting = options
            .iter()
            .filter(|option| refused(root, option, value, place).is_empty());
        return match fitting.count() {
            1 => Vec::new(),
            count => vec![format!("{place} fits {count} forms")],
        };
    }
    let mut wrong = Vec::new();
    if let Some(constant) = schema.get("const")
        && constant != value
    {
        wrong.push(format!("{place} is not {constant}"));
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        wrong.push(format!("{place} is {value}"));
    }
    let types = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|kind| is_of(kind, value)) {
        wrong.push(format!("{place} is no {types:?}"));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        if value.get(name).is_none() {
            wrong.push(format!("{place}.{name} is missing"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(form) => wrong.extend(refused(root, form, member, &format!("{place}.{name}"))),
            None => wrong.push(format!("{place}.{name} is not in the schema")),
        }
    }
    for item in value.as_array().into_iter().flatten() {
        wrong.extend(refused(root, &schema["items"], item, &format!("{place}[]")));
    }
    wrong
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("a type this test does not know: {other}"),
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!(
        "../../../../../../docs/schemas/comparison.schema.json"
    ))
    .unwrap()
}

/// The form is a promise to others.
#[test]
fn the_document_has_the_form_of_its_schema() {
    let schema = schema();
    assert_eq!(
        refused(&schema, &schema, &written(), "$"),
        Vec::<String>::new()
    );
    let mut broken = written();
    broken["all"]["differences"][0]["measure"] = "speed".into();
    broken["regression"]["result"] = 7.into();
    broken.as_object_mut().unwrap().remove("caveats");
    assert_eq!(refused(&schema, &schema, &broken, "$").len(), 3);
}

#[test]
fn the_document_reads_as_it_is_documented() {
    let document = written();
    insta::assert_snapshot!(
        document["all"]["differences"][3],
        @r#"{"measure":"p95","scale":"ratio","before":100.0,"after":null,"before_at_least":false,"after_at_least":true,"of_stages":null,"change":{"low":0.1,"middle":0.2,"high":0.3},"finding":{"kind":"cannot-tell","reason":"too-short","runs_needed":3}}"#
    );
    insta::assert_snapshot!(
        document["all"]["changed_answers"][1],
        @r#"{"kind":"size","before":500.0,"after":60.0}"#
    );
    insta::assert_snapshot!(
        document["regression"],
        @r#"{"limit":0.05,"result":"worse","worse":[{"endpoint":"","of":"answers"},{"endpoint":"","of":"p95"},{"endpoint":"","of":"cut"}],"unsure":[{"endpoint":"","of":"tps"}]}"#
    );
    insta::assert_snapshot!(
        document["caveats"][1],
        @r#"{"kind":"load-changed","run":"k3f9","changes":[{"at_s":4.2,"by":"key","change":"scaled","to":0.5}]}"#
    );
}
