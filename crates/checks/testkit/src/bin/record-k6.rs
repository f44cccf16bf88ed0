//! Records what k6 does with the scripts of `tests/k6/scripts`; k6 1.8 into `recorded-1.8`, for those
//! scripts that it does other things with.
//!
//! `record-k6 --k6 PATH [--summary-source FILE] [--filter TEXT]... [--jobs N] [--runs N]`. `--summary-source` is
//! `internal/js/summary-legacy.js` of k6's source, asked of `go` unless told: scripts that use the k6-summary library are
//! recorded with it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use loadline_testkit::corpus::{Corpus, SuiteOptions};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a command's output")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut k6 = PathBuf::from("k6");
    let mut summary_source = None;
    let mut options = SuiteOptions {
        jobs: 3,
        ..SuiteOptions::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument}: value missing"))?;
        match argument.as_str() {
            "--k6" => k6 = PathBuf::from(value),
            "--summary-source" => summary_source = Some(PathBuf::from(value)),
            "--filter" => options.filters.push(value),
            "--jobs" => options.jobs = value.parse()?,
            "--runs" => options.runs = value.parse()?,
            _ => return Err(format!("{argument}: unknown").into()),
        }
    }
    let version = Command::new(&k6).arg("version").output()?;
    let version = String::from_utf8_lossy(&version.stdout)
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ");
    if summary_source.is_none() {
        let line = if version.starts_with("k6 v1.") {
            ""
        } else {
            "/v2"
        };
        let module = format!("go.k6.io/{}", version.replace(" ", &format!("{line}@")));
        let folder = Command::new("go")
            .args(["list", "-m", "-f", "{{.Dir}}", &module])
            .output()?;
        let folder = PathBuf::from(String::from_utf8_lossy(&folder.stdout).trim());
        summary_source = Some(folder.join("internal/js/summary-legacy.js"));
    }
    let corpus = Corpus::of_repository();
    let odd = corpus
        .record(&k6, &version, summary_source.as_deref(), &options)
        .await?;
    for (script, what) in &odd {
        println!("{script}: {what}");
    }
    println!(
        "recorded {} scripts with {version}",
        corpus.scripts(&options.filters)?.len()
    );
    let wrong = odd.values().any(|what| what.starts_with("exit"));
    Ok(if wrong {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
