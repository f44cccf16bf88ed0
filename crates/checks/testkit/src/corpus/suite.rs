//! All scripts at once: recording and comparing, several runs in parallel.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Semaphore;

use super::pace::Pace;
use super::run::{STAND_INS, Setting, Subject, arguments, run};
use super::script::{Script, discover};
use super::verdict::{Judged, Outcome, Verdict, depends_on_time, judge};
use super::{CorpusError, Difference, Differences, Observation, Plant, Recording};
use crate::server::{Options, TlsMaterial};

/// Where the scripts and their results are: `tests/k6` of the repository.
#[derive(Debug, Clone)]
pub struct Corpus {
    root: PathBuf,
}

/// How a suite is run.
#[derive(Debug, Clone)]
pub struct SuiteOptions {
    /// Runs at once.
    pub jobs: usize,
    /// Only scripts whose name contains one of these; all when empty.
    pub filters: Vec<String>,
    /// Put this defect in.
    pub plant: Option<Plant>,
    /// Runs of each script while recording.
    pub runs: usize,
    /// Compare with what k6 1.8 did, where that is another.
    pub former: bool,
}

impl Default for SuiteOptions {
    fn default() -> Self {
        Self {
            jobs: 4,
            filters: Vec::new(),
            plant: None,
            runs: 5,
            former: false,
        }
    }
}

/// Results of all scripts.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// By name.
    pub outcomes: Vec<Outcome>,
    /// Whether some recordings were made with another test server.
    pub other_server: bool,
    /// Scripts that were run again, alone, because only what depends on time differed.
    pub measured_again: Vec<String>,
    /// Rows of the table of differences that nothing needed: they are stale. Empty when only some scripts were run.
    pub stale_rows: Vec<Difference>,
}

impl Report {
    /// How many scripts have that verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.outcomes
            .iter()
            .filter(|outcome| outcome.verdict == verdict)
            .count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            let word = match outcome.verdict {
                Verdict::Equal => "equal",
                Verdict::Known => "known",
                Verdict::Differs => "DIFFERS",
                Verdict::Stale => "STALE",
            };
            writeln!(f, "{word:8} {}", outcome.script)?;
            let shown = outcome
                .findings
                .iter()
                .filter(|(finding, _)| !finding.note || outcome.verdict != Verdict::Equal);
            for (finding, reason) in shown.take(12) {
                writeln!(f, "           {finding}")?;
                if let Some(reason) = reason {
                    writeln!(f, "           known: {reason}")?;
                }
            }
        }
        if !self.measured_again.is_empty() {
            writeln!(
                f,
                "measured again alone: {}",
                self.measured_again.join(", ")
            )?;
        }
        if self.other_server {
            writeln!(
                f,
                "some results were recorded with another test server: make record-k6"
            )?;
        }
        for row in &self.stale_rows {
            writeln!(f, "STALE ROW {} | {}", row.script, row.what)?;
        }
        let (known, differs, stale) = (
            self.count(Verdict::Known),
            self.count(Verdict::Differs),
            self.count(Verdict::Stale),
        );
        let (equal, all) = (self.count(Verdict::Equal), self.outcomes.len());
        writeln!(
            f,
            "{equal} of {all} equal, {known} known to differ, {differs} differ, {stale} not recorded"
        )
    }
}

impl Corpus {
    /// The corpus below `root`, which holds `scripts`, `recorded` and `differences.toml`.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The corpus of this repository.
    #[must_use]
    pub fn of_repository() -> Self {
        Self::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/k6"))
    }

    /// Its scripts, those that match one of `filters`.
    ///
    /// # Errors
    /// When a script cannot be read.
    pub fn scripts(&self, filters: &[String]) -> Result<Vec<Script>, CorpusError> {
        let mut scripts = discover(&self.root.join("scripts"))?;
        scripts.retain(|script| {
            filters.is_empty() || filters.iter().any(|filter| script.name.contains(filter))
        });
        Ok(scripts)
    }

    /// Path of a script's recorded result.
    #[must_use]
    pub fn recorded(&self, script: &Script) -> PathBuf {
        self.root
            .join("recorded")
            .join(format!("{}.json", script.name))
    }

    /// Path of what k6 1.8 did, where it is another result.
    #[must_use]
    pub fn recorded_former(&self, script: &Script) -> PathBuf {
        self.root
            .join("recorded-1.8")
            .join(format!("{}.json", script.name))
    }

    fn expected(&self, script: &Script, former: bool) -> PathBuf {
        let of_former = self.recorded_former(script);
        if former && of_former.exists() {
            return of_former;
        }
        self.recorded(script)
    }

    /// The table of known differences.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn differences(&self) -> Result<Differences, CorpusError> {
        Differences::read(&self.root.join("differences.toml"))
    }

    /// Stand-ins for remote modules. `oracle` is k6's own summary code, which is not ours to commit.
    fn stand_ins(&self, oracle: Option<&Path>, scratch: &Path) -> Result<PathBuf, CorpusError> {
        let target = scratch.join("stand-ins");
        std::fs::create_dir_all(&target).map_err(|error| CorpusError::file(&target, error))?;
        for (_, file) in STAND_INS {
            let from = self.root.join("stand-ins").join(file);
            std::fs::copy(&from, target.join(file))
                .map_err(|error| CorpusError::file(&from, error))?;
        }
        if let Some(oracle) = oracle {
            std::fs::copy(oracle, target.join("oracle.cjs.js"))
                .map_err(|error| CorpusError::file(oracle, error))?;
        }
        Ok(target)
    }

    /// Runs each script several times under k6 and writes what the runs agree on. Returns what looks wrong, by script.
    ///
    /// # Errors
    /// When k6 cannot be started or a result cannot be written.
    pub async fn record(
        &self,
        k6: &Path,
        version: &str,
        summary_source: Option<&Path>,
        options: &SuiteOptions,
    ) -> Result<BTreeMap<String, String>, CorpusError> {
        let scratch = Scratch::new()?;
        let pace = Arc::new(Pace::start());
        let stand_ins = self.stand_ins(summary_source, &scratch.path)?;
        let subject = Subject {
            binary: k6.to_owned(),
            arguments: Vec::new(),
            stand_ins: Some(stand_ins),
        };
        let is_former = version.starts_with("k6 v1.");
        let mut scripts = self.scripts(&options.filters)?;
        scripts.retain(|script| !is_former || script.directives.since.is_none());
        let runs = scripts
            .iter()
            .flat_map(|script| vec![script.clone(); options.runs.max(2)])
            .collect();
        let seen = run_all(runs, &subject, options, &scratch, &pace).await?;
        let mut odd = BTreeMap::new();
        for (script, runs) in scripts.iter().zip(seen.chunks(options.runs.max(2))) {
            let mut recording = Recording::from_runs(runs, &script.directives);
            version.clone_into(&mut recording.k6);
            recording.command = format!("k6 run {}", arguments(script).join(" "));
            recording.server = crate::server::source_hash(script.topic());
            recording.script.clone_from(&script.hash);
            recording.stand_ins = used_stand_ins(script)?;
            let path = if is_former {
                self.recorded_former(script)
            } else {
                self.recorded(script)
            };
            recording.write(&path)?;
            let directives = &script.directives;
            let of_former = directives.former_exit.filter(|_| is_former);
            let wanted = of_former.or(directives.exit).unwrap_or(0);
            let exits: Vec<i32> = runs.iter().map(|run| run.exit).collect();
            if exits.iter().any(|exit| *exit != wanted) {
                odd.insert(script.name.clone(), format!("exit {exits:?}, not {wanted}"));
            } else if !recording.unstable.is_empty() {
                odd.insert(
                    script.name.clone(),
                    format!("unstable: {}", recording.unstable.join(", ")),
                );
            }
        }
        Ok(odd)
    }

    /// Runs the scripts under `subject` and compares with what k6 did.
    ///
    /// # Errors
    /// When the binary cannot be started or a file cannot be read.
    pub async fn check(
        &self,
        subject: &Subject,
        options: &SuiteOptions,
    ) -> Result<Report, CorpusError> {
        let scratch = Scratch::new()?;
        let pace = Arc::new(Pace::start());
        let differences = self.differences()?;
        let mut report = Report::default();
        let version = if options.former { "1.8" } else { "2.2" };
        let mut runnable = Vec::new();
        let mut expected = Vec::new();
        for script in self.scripts(&options.filters)? {
            if options.former && script.directives.since.is_some() {
                continue;
            }
            match Recording::read(&self.expected(&script, options.former)) {
                Ok(recording) if recording.script == script.hash => {
                    report.other_server |=
                        recording.server != crate::server::source_hash(script.topic());
                    expected.push(recording);
                    runnable.push(script);
                }
                _ => report.outcomes.push(Outcome {
                    script: script.name,
                    verdict: Verdict::Stale,
                    findings: Vec::new(),
                }),
            }
        }
        let seen = run_all(runnable.clone(), subject, options, &scratch, &pace).await?;
        let verdict = |script: &Script, recording: &Recording, mut observation: Observation| {
            if let Some(plant) = options.plant {
                plant.after(&mut observation);
            }
            judge(script, recording, &observation, &differences, version)
        };
        let alone = SuiteOptions {
            jobs: 1,
            ..options.clone()
        };
        let mut used = BTreeSet::new();
        for ((script, recording), observation) in runnable.iter().zip(&expected).zip(seen) {
            let mut judged = verdict(script, recording, observation);
            if judged.outcome.verdict == Verdict::Differs && depends_on_time(script, &judged) {
                let again = vec![script.clone(); MEASURED_AGAIN];
                let again = run_all(again, subject, &alone, &scratch, &pace).await?;
                report.measured_again.push(script.name.clone());
                let again = again
                    .into_iter()
                    .map(|seen| verdict(script, recording, seen));
                judged = Judged::of_again(again.collect()).unwrap_or(judged);
            }
            used.extend(judged.rows);
            report.outcomes.push(judged.outcome);
        }
        if options.filters.is_empty() {
            let rows = differences.difference.iter().enumerate();
            let unused = rows.filter(|(place, row)| {
                !used.contains(place) && !row.by_chance && row.holds_for(version)
            });
            report.stale_rows = unused.map(|(_, row)| row.clone()).collect();
        }
        report.outcomes.sort_by(|a, b| a.script.cmp(&b.script));
        Ok(report)
    }
}

fn used_stand_ins(script: &Script) -> Result<Vec<String>, CorpusError> {
    let path = script.folder.join(&script.file);
    let source = std::fs::read(&path).map_err(|error| CorpusError::file(&path, error))?;
    let source = String::from_utf8_lossy(&source);
    Ok(STAND_INS
        .iter()
        .filter(|(prefix, _)| source.contains(prefix))
        .map(|(_, file)| (*file).to_owned())
        .collect())
}

/// How often a script is run again whose times were not those of k6.
const MEASURED_AGAIN: usize = 4;

/// A folder that is gone when the suite is.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> Result<Self, CorpusError> {
        static SERIAL: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let serial = SERIAL.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("loadline-corpus-{}-{serial}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| CorpusError::file(&path, error))?;
        Ok(Self { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind in the temporary folder harms nobody.
        let _left = std::fs::remove_dir_all(&self.path);
    }
}

/// Runs all scripts, `jobs` at a time; results in the order of the scripts.
async fn run_all(
    scripts: Vec<Script>,
    subject: &Subject,
    options: &SuiteOptions,
    scratch: &Scratch,
    pace: &Arc<Pace>,
) -> Result<Vec<Observation>, CorpusError> {
    let tls = TlsMaterial::generate(&scratch.path)
        .map_err(|error| CorpusError::file(&scratch.path, error))?;
    let (tls, permits) = (Arc::new(tls), Arc::new(Semaphore::new(options.jobs.max(1))));
    let mut tasks = Vec::new();
    for (index, mut script) in scripts.into_iter().enumerate() {
        let mut subject = subject.clone();
        let mut server = Options::default();
        if let Some(plant) = options.plant {
            plant.before(&mut subject, &mut server, &mut script.directives.env);
        }
        let folder = scratch.path.join(index.to_string());
        let (tls, permits) = (Arc::clone(&tls), Arc::clone(&permits));
        let pace = Arc::clone(pace);
        tasks.push(tokio::spawn(async move {
            let _permit = permits.acquire().await;
            let began = pace.now();
            let mut seen = run(
                &script,
                &subject,
                &Setting {
                    tls: &tls,
                    folder: &folder,
                    server,
                },
            )
            .await;
            if let Ok(seen) = &mut seen {
                seen.slowness = seen.slowness.max(pace.slowness(began, pace.now()));
            }
            let _left = std::fs::remove_dir_all(&folder);
            seen
        }));
    }
    let mut seen = Vec::new();
    for task in tasks {
        let result = task
            .await
            .map_err(|error| CorpusError::format(&scratch.path, error))?;
        seen.push(result?);
    }
    Ok(seen)
}
