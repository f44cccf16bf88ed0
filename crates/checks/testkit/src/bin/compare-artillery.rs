//! Runs the files of `tests/artillery/cases` under loadline and says where it differs from what Artillery did.
//!
//! `compare-artillery --loadline PATH [--filter TEXT]... [--jobs N] [--set FOLDER]`. FOLDER is another set of
//! files below `tests/artillery`. Ends with 1 when a file differs.

use std::process::ExitCode;

use loadline_testkit::artillery::{Program, check_all, discover, root};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a command's output")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let (mut path, mut filters, mut jobs) = (String::from("loadline"), Vec::new(), 4);
    let mut set = root();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument}: value missing"))?;
        match argument.as_str() {
            "--loadline" => path = value,
            "--filter" => filters.push(value),
            "--set" => set = root().join(value),
            "--jobs" => jobs = value.parse()?,
            _ => return Err(format!("{argument}: unknown").into()),
        }
    }
    let program = Program {
        binary: std::fs::canonicalize(path)?,
        arguments: Vec::new(),
        is_loadline: true,
    };
    let cases = discover(&set, &filters)?;
    let mut equal = 0;
    for (case, differences) in cases.iter().zip(check_all(&cases, &program, jobs).await?) {
        if differences.is_empty() {
            equal += 1;
            println!("equal    {}", case.name);
            continue;
        }
        println!("DIFFERS  {}", case.name);
        let mut shown = std::collections::BTreeSet::new();
        for difference in differences {
            // Users do the same: what all of them send differently is shown once.
            if !shown.insert((difference.what.clone(), difference.got.clone())) {
                continue;
            }
            println!(
                "           {}: {} there, {} here",
                difference.what, difference.expected, difference.got
            );
        }
    }
    println!("{equal} of {} equal", cases.len());
    Ok(if equal == cases.len() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
