//! The built binary runs Artillery's files as Artillery 2.0.34 did when the results were recorded.

use std::path::PathBuf;

use loadline_testkit::artillery::{Program, check_all, discover, root};

/// They wait most of the time: for their phases and thinks.
const FILES_AT_ONCE: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_files_do_what_they_did_under_artillery() {
    let program = Program {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_loadline")),
        arguments: Vec::new(),
        is_loadline: true,
    };
    let cases = discover(&root(), &[]).expect("the files can be read");
    assert!(cases.len() >= 40, "only {} files", cases.len());
    let all = check_all(&cases, &program, FILES_AT_ONCE)
        .await
        .expect("each file can be run and has a recording of its text");
    let mut told = String::new();
    for (case, differences) in cases.iter().zip(all) {
        for difference in differences {
            told.push_str(&format!(
                "{}: {}: {} there, {} here\n",
                case.name, difference.what, difference.expected, difference.got
            ));
        }
    }
    assert!(told.is_empty(), "{told}");
}
