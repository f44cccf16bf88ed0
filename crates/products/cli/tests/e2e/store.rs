//! Runs are kept, found again, compared and merged.

#![expect(clippy::float_cmp, reason = "counts are exact, that is the point")]

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use crate::common::{
    Loadline, Server, command, script, signal, stderr, stdout, until, until_within,
};

/// A store of one test.
struct Kept(PathBuf);

impl Kept {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder.join("runs.db"))
    }

    fn folder(&self) -> &Path {
        self.0.parent().unwrap()
    }

    fn command(&self, args: &[&str]) -> Loadline {
        let mut command = command(args);
        command.env("LOADLINE_STORE", &self.0);
        command.current_dir(self.folder());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The stored runs, the latest first; none before the store is made.
    fn runs(&self) -> Vec<serde_json::Value> {
        let listed = self.run(&["runs", "--json"]);
        let is_missing = stderr(&listed).contains("no run is stored yet");
        assert!(listed.status.success() || is_missing, "{}", stderr(&listed));
        let lines = stdout(&listed);
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }

    /// What all points of a metric come to.
    fn exported(&self, run: &str, metric: &str) -> f64 {
        let exported = self.run(&["runs", "export", run, "--metric", metric]);
        let text = stdout(&exported);
        let points = text.lines().skip(1);
        points
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["value"].clone())
            .map(|value| value.as_f64().unwrap())
            .sum()
    }
}

#[test]
fn a_run_is_kept_found_noted_exported_and_removed() {
    let (kept, server) = (Kept::new("life"), Server::start());
    let ran = kept.run(&[
        "run",
        &server.base,
        "-i",
        "57",
        "--set",
        "threads.max=20",
        "--note",
        "first",
    ]);
    assert!(stderr(&ran).contains("stored as run"), "{}", stderr(&ran));
    kept.run(&[
        "run",
        &server.base,
        "-i",
        "3",
        "-q",
        "--set",
        "threads.max=5",
        "--set",
        "pool=5",
    ]);

    let runs = kept.runs();
    assert_eq!(runs[1]["requests"], 57.0);
    assert_eq!(runs[1]["settings"]["threads.max"], "20");
    assert_eq!(kept.exported("1", "http_reqs"), 57.0);

    let table = stdout(&kept.run(&["runs", "--table"]));
    let head = table.lines().next().unwrap();
    assert!(
        head.contains("pool") && head.contains("threads.max"),
        "{table}"
    );
    assert!(head.contains("TPS") && head.contains("p95"), "{table}");

    kept.run(&["runs", "tag", "1", "base"]);
    kept.run(&["runs", "note", "base", "before the fix"]);
    let shown = stdout(&kept.run(&["show", "base"]));
    assert!(
        shown.contains("before the fix") && shown.contains("57"),
        "{shown}"
    );
    let csv = stdout(&kept.run(&["runs", "export", "base", "--format", "csv"]));
    assert!(csv.starts_with("time_ms,window,"), "{csv}");

    // Those with a tag or a note stay.
    kept.run(&["runs", "rm", "--keep-last", "0"]);
    let left = kept.runs();
    assert_eq!((left.len(), left[0]["tags"][0].as_str()), (1, Some("base")));
    let missing = kept.run(&["show", "latest~1"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("there is no run"),
        "{}",
        stderr(&missing)
    );
}

#[test]
fn the_table_of_runs_takes_rows_that_were_measured_elsewhere() {
    let server = Server::start();
    let kept = Kept::new("elsewhere");
    let url = server.base.as_str();
    let ran = kept.run(&["run", url, "-i", "5", "--set", "pool=10"]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    let sheet =
        "실행,pool,VUs,TPS,MTT (ms),p95,에러율,비고\nbefore,5,296,47.8,6180,\"7,100\",0.4%,old\n";
    std::fs::write(kept.folder().join("old.csv"), sheet).unwrap();
    let table = |file: &str| kept.run(&["runs", "--table", "--format", "csv", "--with", file]);
    let both = stdout(&table("old.csv"));
    let rows: Vec<Vec<&str>> = both.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3, "{both}");
    assert_eq!((rows[0][3], rows[1][3], rows[2][3]), ("pool", "10", "5"));
    let measured = &rows[2][4..];
    let expected = [
        "296",
        "47.8",
        "6180",
        "7100",
        "0.004",
        "elsewhere",
        "",
        "old",
    ];
    assert_eq!(measured, expected, "{both}");
    // What it wrote it reads again.
    std::fs::write(kept.folder().join("all.csv"), &both).unwrap();
    let again = stdout(&table("all.csv"));
    assert_eq!(again.lines().count(), 4, "{again}");
    std::fs::write(kept.folder().join("wrong.csv"), "vus,tps\n3,many\n").unwrap();
    let wrong = table("wrong.csv");
    assert_ne!(wrong.status.code(), Some(0));
    assert!(stderr(&wrong).contains("many"), "{}", stderr(&wrong));
}

#[test]
fn nothing_is_kept_when_it_is_not_wanted() {
    let (kept, server) = (Kept::new("off"), Server::start());
    kept.run(&["run", &server.base, "-i", "3", "-q", "--no-store"]);
    kept.run(&["run", &server.base, "--once"]);
    assert!(!kept.0.exists());
}

#[test]
fn a_killed_run_has_its_complete_windows_and_is_interrupted() {
    let (kept, server) = (Kept::new("killed"), Server::start());
    let mut child = kept
        .command(&["run", &server.base, "--rate", "50/s", "-d", "60s", "-q"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    until_within(Duration::from_secs(30), "three windows", || {
        kept.0.exists()
            && kept
                .runs()
                .first()
                .is_some_and(|run| run["requests"].as_f64().unwrap_or(0.0) >= 140.0)
    });
    assert_eq!(kept.runs()[0]["verdict"], "");
    // Seen of a search that went on: "STOPPED ...; exit code 130", "0 workers".
    let shown = stdout(&kept.run(&["show"]));
    assert!(shown.contains("running: "), "{shown}");
    for untrue in ["STOPPED", "exit code", "workers", "good enough"] {
        assert!(!shown.contains(untrue), "{untrue}: {shown}");
    }
    signal(&child, "KILL");
    child.wait().unwrap();

    let runs = kept.runs();
    assert_eq!(runs[0]["verdict"], "interrupted");
    let sum = kept.exported("latest", "http_reqs");
    assert!(sum >= 140.0);
    assert_eq!(runs[0]["requests"].as_f64(), Some(sum));
    let shown = stdout(&kept.run(&["show"]));
    assert!(shown.contains("KILLED: "), "{shown}");
    assert!(
        !shown.contains("exit code") && !shown.contains("good enough"),
        "{shown}"
    );

    // What the recorder leaves when no room is left for the end of a run.
    let name = runs[0]["name"].as_str().unwrap();
    let mark = format!("{}.full-{name}", kept.0.display());
    std::fs::write(&mark, "").unwrap();
    assert_eq!(kept.runs()[0]["verdict"], "disk-full");
    let listed = stdout(&kept.run(&["runs"]));
    assert!(listed.contains("cut: disk full"), "{listed}");
    kept.run(&["runs", "rm", name]);
    assert!(!std::path::Path::new(&mark).exists());
}

/// Seen: ten minutes of load, and after it that the named store could not be opened.
#[test]
fn a_named_store_that_cannot_be_written_is_refused_before_the_load() {
    let server = Server::start();
    let refused = |kept: &Kept, store: &str| {
        let before = server.requests();
        let args = ["run", &server.base, "-i", "5", "-q", "--store", store];
        let output = kept.run(&args);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert_eq!(server.requests(), before, "no load");
        stderr(&output)
    };
    let kept = Kept::new("loss");
    let told = refused(&kept, "/proc/none/runs.db");
    assert!(told.contains("cannot be written"), "{told}");

    let other = kept.folder().join("other.txt");
    std::fs::write(
        &other,
        "not a database, and longer than a header of SQLite is",
    )
    .unwrap();
    let told = refused(&kept, other.to_str().unwrap());
    assert!(told.contains("no store of runs"), "{told}");
    assert!(
        std::fs::read_to_string(&other)
            .unwrap()
            .starts_with("not a database")
    );

    kept.run(&["run", &server.base, "-i", "5", "-q"]);
    let store = kept.0.to_str().unwrap();
    let newer = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript('pragma user_version = 9')";
    let changed = std::process::Command::new("python3")
        .args(["-c", newer, store])
        .status();
    assert!(changed.unwrap().success());
    let told = refused(&kept, store);
    assert!(told.contains("a newer loadline"), "{told}");
    let listed = kept.run(&["runs"]);
    assert_eq!(listed.status.code(), Some(1), "{}", stderr(&listed));
}

#[test]
fn a_store_held_by_another_process_is_a_stated_loss() {
    let (kept, server) = (Kept::new("held"), Server::start());
    kept.run(&["run", &server.base, "-i", "5", "-q"]);
    let hold = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\nc.execute('begin exclusive')\nprint('held', flush=True)\nsys.stdin.read()";
    let mut holder = std::process::Command::new("python3")
        .args(["-c", hold, kept.0.to_str().unwrap()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = [0_u8; 4];
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut said).unwrap();

    let output = kept.run(&["run", &server.base, "-i", "5", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert!(told.contains("another process held it"), "{told}");
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(kept.runs().len(), 1, "the run before is unharmed");
}

#[test]
fn two_runs_and_a_reader_share_a_store() {
    let (kept, server) = (Kept::new("shared"), Server::start());
    let start = || {
        let args = [
            "run",
            &server.base,
            "--rate",
            "50/s",
            "--arrivals",
            "even",
            "-u",
            "160",
            "-d",
            "3s",
            "-q",
        ];
        let mut command = kept.command(&args);
        command.stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null()).spawn().unwrap()
    };
    let (mut one, mut other) = (start(), start());
    until("both runs", || kept.runs().len() == 2);
    until("windows of both", || {
        kept.run(&["show", "1"]).status.success() && kept.run(&["show", "2"]).status.success()
    });
    for child in [&mut one, &mut other] {
        assert!(matches!(child.wait().unwrap().code(), Some(0 | 4)));
    }
    for run in kept.runs() {
        assert_eq!(run["requests"], 151.0);
        let number = run["number"].to_string();
        assert_eq!(kept.exported(&number, "http_reqs"), 151.0);
    }
}

#[test]
fn segments_of_a_test_are_merged_and_a_gap_is_refused() {
    let (kept, server) = (Kept::new("merge"), Server::start());
    let path = script(
        "segments.js",
        "import http from 'k6/http';
         export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 40,
           timeUnit: '1s', duration: '1s', preAllocatedVUs: 164 } },
           thresholds: { http_reqs: ['count==41'] } };
         export default function () { http.get(__ENV.BASE); }",
    );
    let base = format!("BASE={}", server.base);
    for part in ["0:1/4", "1/4:1/2", "1/2:3/4", "3/4:1"] {
        let ran = kept.run(&[
            "run",
            path.to_str().unwrap(),
            "-q",
            "-e",
            &base,
            "--execution-segment",
            part,
            "--execution-segment-sequence",
            "0,1/4,1/2,3/4,1",
        ]);
        assert_eq!(
            ran.status.code(),
            Some(99),
            "a part alone has too few: {}",
            stderr(&ran)
        );
    }
    assert_eq!(server.requests(), 41);

    let refused = kept.run(&["merge", "1", "2", "4"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("1/2:3/4 is missing"),
        "{}",
        stderr(&refused)
    );
    let refused = kept.run(&["merge", "1", "2", "3", "3", "4"]);
    assert!(
        stderr(&refused).contains("both ran"),
        "{}",
        stderr(&refused)
    );

    let merged = kept.run(&["merge", "1", "2", "3", "4"]);
    // 4: on a busy machine a generator's starts were late, and the whole says so.
    assert!(
        matches!(merged.status.code(), Some(0 | 4)),
        "{}",
        stdout(&merged)
    );
    assert!(stdout(&merged).contains("count=41"), "{}", stdout(&merged));
    assert_eq!(kept.exported("latest", "http_reqs"), 41.0);
}

#[test]
fn short_single_runs_cannot_be_told_apart() {
    // So slow that what a busy machine adds is a small share.
    let server = Server::answering_after(Duration::from_millis(200));
    let kept = Kept::new("compare");
    for _ in 0..2 {
        kept.run(&["run", &server.base, "--rate", "50/s", "-d", "2s", "-q"]);
    }
    let compared = kept.run(&["compare", "1", "2"]);
    assert!(compared.status.success(), "{}", stderr(&compared));
    let said = stdout(&compared);
    assert!(said.contains("cannot tell"), "{said}");
}

#[test]
fn a_shared_target_needs_a_yes_and_people_are_told() {
    let (kept, server) = (Kept::new("shared-target"), Server::start());
    let hook = Server::start();
    let host = server.base.trim_start_matches("http://");
    let project = format!("shared:\n  - host: {host}\n    note: others use it\n");
    std::fs::write(kept.folder().join("loadline.yaml"), project).unwrap();

    let refused = kept.run(&["run", &server.base, "-i", "3", "-q"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("shared target"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(server.requests(), 0);

    let told = kept.run(&[
        "run",
        &server.base,
        "-i",
        "3",
        "-q",
        "--yes",
        "--notify",
        &hook.base,
    ]);
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    assert_eq!((server.requests(), hook.requests()), (3, 2));
}
