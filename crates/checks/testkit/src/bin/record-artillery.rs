//! Records what Artillery does with the files of `tests/artillery/cases`.
//!
//! `record-artillery --artillery PATH [--filter TEXT]... [--jobs N] [--runs N] [--set FOLDER]`. PATH is
//! `bin/run` of the program, run with node; FOLDER is another set of files below `tests/artillery`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use loadline_testkit::artillery::{Program, Recording, discover, root, run_all};

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a command's output")]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let (mut path, mut filters, mut jobs, mut runs) =
        (String::from("artillery"), Vec::new(), 2, 4_usize);
    let mut set = root();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument}: value missing"))?;
        match argument.as_str() {
            "--artillery" => path = value,
            "--filter" => filters.push(value),
            "--set" => set = root().join(value),
            "--jobs" => jobs = value.parse()?,
            "--runs" => runs = value.parse::<usize>()?.max(1),
            _ => return Err(format!("{argument}: unknown").into()),
        }
    }
    let program = Program {
        binary: PathBuf::from("node"),
        arguments: vec![path.clone()],
        is_loadline: false,
    };
    let version = Command::new("node")
        .args([path.as_str(), "--version"])
        .env("ARTILLERY_DISABLE_TELEMETRY", "true")
        .output()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let version = version
        .lines()
        .find_map(|line| line.trim().strip_prefix("Artillery:"))
        .ok_or_else(|| format!("{path}: tells no version, is it Artillery's bin/run?"))?
        .trim()
        .to_owned();
    let cases = discover(&set, &filters)?;
    std::fs::create_dir_all(set.join("recorded"))?;
    let mut odd = 0;
    let repeated: Vec<_> = cases
        .iter()
        .flat_map(|case| vec![case.clone(); runs])
        .collect();
    let seen = run_all(&repeated, &program, jobs).await?;
    for (case, seen) in cases.iter().zip(seen.chunks(runs)) {
        let mut recording = Recording::over(seen);
        let wanted = case.exit.unwrap_or(recording.exit);
        if recording.exit != wanted {
            println!("{}: exit {}, not {wanted}", case.name, recording.exit);
            odd += 1;
        }
        recording.program = format!("artillery {version}");
        recording.write(&case.recording())?;
    }
    println!("recorded {} files with artillery {version}", cases.len());
    Ok(if odd > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
