//! The built binary runs k6's scripts as k6 did when the results were recorded.

use std::path::PathBuf;

use loadline_testkit::corpus::{Corpus, Subject, SuiteOptions, Verdict};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_do_what_they_did_under_k6_but_for_the_table_of_differences() {
    let subject = Subject {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_loadline")),
        arguments: Vec::new(),
        stand_ins: None,
    };
    let report = Corpus::of_repository()
        .check(&subject, &SuiteOptions::default())
        .await
        .expect("the scripts can be run");
    assert!(report.outcomes.len() >= 860, "{report}");
    assert_eq!(report.count(Verdict::Stale), 0, "{report}");
    assert_eq!(report.count(Verdict::Differs), 0, "{report}");
    assert!(report.stale_rows.is_empty(), "{report}");
}

/// Those scripts that k6 1.8 does other things with.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_do_what_they_did_under_k6_1_8_when_it_is_asked_for() {
    let subject = Subject {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_loadline")),
        arguments: vec!["--k6-version=1.8".to_owned()],
        stand_ins: None,
    };
    let corpus = Corpus::of_repository();
    let scripts = corpus.scripts(&[]).expect("the scripts can be read");
    let others = scripts
        .into_iter()
        .filter(|script| corpus.recorded_former(script).exists());
    let options = SuiteOptions {
        filters: others.map(|script| script.name).collect(),
        former: true,
        ..SuiteOptions::default()
    };
    let report = corpus
        .check(&subject, &options)
        .await
        .expect("they can run");
    assert!(report.outcomes.len() >= 50, "{report}");
    assert_eq!(report.count(Verdict::Differs), 0, "{report}");
    assert_eq!(report.count(Verdict::Stale), 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_that_change_what_users_share_do_the_same_with_a_runtime_each() {
    let subject = Subject {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_loadline")),
        arguments: vec!["--isolate".to_owned()],
        stand_ins: None,
    };
    let options = SuiteOptions {
        filters: vec!["isolation/".to_owned()],
        ..SuiteOptions::default()
    };
    let report = Corpus::of_repository()
        .check(&subject, &options)
        .await
        .expect("the scripts can be run");
    assert!(report.outcomes.len() >= 40, "{report}");
    assert_eq!(report.count(Verdict::Differs), 0, "{report}");
}
