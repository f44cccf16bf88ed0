//! The built binary runs Artillery's files as Artillery 2.0.34 did when the results were recorded.

use std::path::PathBuf;

use loadline_testkit::artillery::{Program, Recording, compare, discover, root, run_all};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_files_do_what_they_did_under_artillery() {
    let program = Program {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_loadline")),
        arguments: Vec::new(),
        is_loadline: true,
    };
    let cases = discover(&root(), &[]).expect("the files can be read");
    assert!(cases.len() >= 40, "only {} files", cases.len());
    let seen = run_all(&cases, &program, 4)
        .await
        .expect("the files can be run");
    let mut told = String::new();
    for (case, got) in cases.iter().zip(seen) {
        let path = root().join("recorded").join(format!("{}.json", case.name));
        let expected = Recording::read(&path).expect("each file has a recording");
        assert_eq!(
            expected.case, case.hash,
            "{} was recorded from another text",
            case.name
        );
        for difference in compare(case, &expected, &got) {
            told.push_str(&format!(
                "{}: {}: {} there, {} here\n",
                case.name, difference.what, difference.expected, difference.got
            ));
        }
    }
    assert!(told.is_empty(), "{told}");
}
