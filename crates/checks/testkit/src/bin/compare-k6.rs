//! Runs the scripts of `tests/k6/scripts` under a binary and says where it differs from what k6 did.
//!
//! `compare-k6 --loadline PATH [--threads N] [--pass FLAG]... [--filter TEXT]... [--jobs N] [--plant DEFECT] [--stand-ins DIR] [--former]`.
//! `--former` compares with k6 1.8: `--k6-version 1.8` against what it did.
//! `--stand-ins` is for k6 itself, which cannot fetch remote modules here. Ends with 1 when a script differs that
//! `differences.toml` does not explain, or a row of it is not needed any more.

use std::path::PathBuf;
use std::process::ExitCode;

use loadline_testkit::corpus::{Corpus, Plant, Subject, SuiteOptions, Verdict};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a command's output")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut subject = Subject {
        binary: PathBuf::from("loadline"),
        arguments: Vec::new(),
        stand_ins: None,
    };
    let mut options = SuiteOptions::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--former" {
            options.former = true;
            subject.arguments.push("--k6-version=1.8".to_owned());
            continue;
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument}: value missing"))?;
        match argument.as_str() {
            "--loadline" => subject.binary = std::fs::canonicalize(value)?,
            "--threads" => subject.arguments.extend(["--threads".to_owned(), value]),
            "--pass" => subject.arguments.push(value),
            "--filter" => options.filters.push(value),
            "--jobs" => options.jobs = value.parse()?,
            "--stand-ins" => subject.stand_ins = Some(PathBuf::from(value)),
            "--plant" => {
                options.plant =
                    Some(Plant::named(&value).ok_or_else(|| format!("--plant {value}: unknown"))?);
            }
            _ => return Err(format!("{argument}: unknown").into()),
        }
    }
    let corpus = Corpus::of_repository();
    let report = corpus.check(&subject, &options).await?;
    print!("{report}");
    println!("known differences (tests/k6/differences.toml):");
    for row in corpus.differences()?.difference {
        println!("  {} | {} | {}", row.script, row.what, row.reason);
    }
    let wrong = report.count(Verdict::Differs) + report.count(Verdict::Stale);
    Ok(if wrong > 0 || !report.stale_rows.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
