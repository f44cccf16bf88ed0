//! Artillery files of our own, what Artillery did with them, and where another binary differs.
//!
//! A case is a folder with `test.yml` and what it needs; lines at its head say how it is run
//! (`# args: ...`), how it ends (`# exit: 21`) and what of it is compared (`# only: exit`).
//! What is compared: the exit code, every counter of the result file (names without the
//! server's address), how many values each distribution has and what they are, the
//! verdicts of checks, lines with `say:` that a test prints, and what each connection carried to the server.

mod case;
mod error;
mod recording;
mod wire;

pub use case::{Case, discover};
pub use error::CaseError;
pub use recording::{Difference, ProgramOutput, Recording, compare};

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use crate::server::{Options, TestServer, TlsMaterial};
use wire::Wire;

/// The folder of all cases: `tests/artillery` of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/artillery")
}

/// A server in Node that says its port in its first line; it ends with this.
struct ScriptServer {
    port: u16,
    _process: Child,
}

impl ScriptServer {
    async fn start(script: &Path) -> std::io::Result<Self> {
        let mut process = Command::new("node")
            .arg(script)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = process.stdout.take();
        let out = out.ok_or_else(|| std::io::Error::other("no output"))?;
        let line = BufReader::new(out).lines().next_line().await?;
        let port = line.and_then(|line| line.trim().parse().ok());
        let port = port.ok_or_else(|| std::io::Error::other("the server told no port"))?;
        Ok(Self {
            port,
            _process: process,
        })
    }
}

/// The program a case is run under.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its path.
    pub binary: PathBuf,
    /// Arguments before `run`.
    pub arguments: Vec<String>,
    /// Ours: takes the arguments that upstream does not know.
    pub is_loadline: bool,
}

/// Runs a case and says what came of it.
///
/// # Errors
/// When it cannot be prepared or started; what the program does is never an error.
pub async fn run(
    case: &Case,
    program: &Program,
    tls: &Arc<TlsMaterial>,
    folder: &Path,
) -> Result<Recording, CaseError> {
    let failed = |source| CaseError::Start {
        case: case.name.clone(),
        source,
    };
    let server = TestServer::start(&Options::default(), tls)
        .await
        .map_err(failed)?;
    let own = match case.server() {
        Some(script) => Some(ScriptServer::start(&script).await.map_err(failed)?),
        None => None,
    };
    let behind = match &own {
        Some(own) => format!("127.0.0.1:{}", own.port),
        None => server.bases().base.trim_start_matches("http://").to_owned(),
    };
    let wire = Wire::start(behind).await.map_err(failed)?;
    let host = wire.address().to_string();
    let base = format!("http://{host}");
    case.copy_to(folder)?;
    if case.packages().exists() {
        std::os::unix::fs::symlink(case.packages(), folder.join("node_modules")).map_err(failed)?;
    }
    let mut command = Command::new(&program.binary);
    command
        .args(&program.arguments)
        .arg("run")
        .args(["-o", "out.json"])
        .args(case.arguments(program.is_loadline))
        .arg("test.yml")
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("LANG", "en_US.UTF-8")
        .envs(server.bases().environment())
        .env("BASE", &base)
        .env("WS_BASE", format!("ws://{host}"))
        .envs(pem_texts(tls).map_err(failed)?)
        .env("TEST_AUTHORITY", &tls.authority)
        .env("TEST_CERTIFICATE", &tls.client_certificate)
        .env("TEST_KEY", &tls.client_key)
        // Nothing is told to anybody outside.
        .env("ARTILLERY_DISABLE_TELEMETRY", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let output = command.output().await.map_err(failed)?;
    let place = folder.to_string_lossy();
    let hide = |text: &str| {
        let text = text.replace(&base, "${BASE}").replace(&host, "${HOST}");
        text.replace(&*place, "${FOLDER}")
    };
    let result = std::fs::read_to_string(folder.join("out.json")).unwrap_or_default();
    let connections = wire.connections();
    Ok(Recording::new(
        case,
        &ProgramOutput {
            exit: output.status.code().unwrap_or(-1),
            result: hide(&result),
            stdout: hide(&String::from_utf8_lossy(&output.stdout)),
            stderr: hide(&String::from_utf8_lossy(&output.stderr)),
            connections: connections.iter().map(|text| hide(text)).collect(),
        },
    ))
}

/// The texts of certificates, which Artillery takes in place of their files.
fn pem_texts(tls: &TlsMaterial) -> std::io::Result<[(&'static str, String); 3]> {
    let text = |path: &Path| std::fs::read_to_string(path);
    Ok([
        ("TEST_AUTHORITY_PEM", text(&tls.authority)?),
        ("TEST_CERTIFICATE_PEM", text(&tls.client_certificate)?),
        ("TEST_KEY_PEM", text(&tls.client_key)?),
    ])
}

/// Runs cases, some at once; the recordings in their order.
///
/// # Errors
/// As [`run`].
pub async fn run_all(
    cases: &[Case],
    program: &Program,
    jobs: usize,
) -> Result<Vec<Recording>, CaseError> {
    let scratch = std::env::temp_dir().join(format!("loadline-artillery-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| CaseError::file(&scratch, error))?;
    let tls = TlsMaterial::generate(&scratch).map_err(|error| CaseError::file(&scratch, error))?;
    let (tls, permits) = (Arc::new(tls), Arc::new(Semaphore::new(jobs.max(1))));
    let mut tasks = Vec::new();
    for (index, case) in cases.iter().cloned().enumerate() {
        let (program, tls, permits) = (program.clone(), tls.clone(), permits.clone());
        let folder = scratch.join(index.to_string());
        tasks.push(tokio::spawn(async move {
            let _permit = permits.acquire().await;
            run(&case, &program, &tls, &folder).await
        }));
    }
    let mut seen = Vec::new();
    for task in tasks {
        let result = task.await.map_err(|error| CaseError::Format {
            path: scratch.clone(),
            reason: error.to_string(),
        })?;
        seen.push(result?);
    }
    // What is left behind in the temporary folder harms nobody.
    let _left = std::fs::remove_dir_all(&scratch);
    Ok(seen)
}

/// How often a case is run again whose times were not those of Artillery.
const MEASURED_AGAIN: usize = 4;

/// What differs from the recordings, case by case; an empty list where nothing does. A case where nothing but times is
/// off is measured again, alone: it differs in what is off each time.
///
/// # Errors
/// As [`run`], and when a recording is missing or was made from another text.
pub async fn check_all(
    cases: &[Case],
    program: &Program,
    jobs: usize,
) -> Result<Vec<Vec<Difference>>, CaseError> {
    let mut all = Vec::new();
    for (case, got) in cases.iter().zip(run_all(cases, program, jobs).await?) {
        let path = case.recording();
        if !path.exists() {
            all.push(vec![Difference {
                what: "recording".to_owned(),
                expected: "none: make record-artillery".to_owned(),
                got: "a run".to_owned(),
                is_time: false,
            }]);
            continue;
        }
        let expected = Recording::read(&path)?;
        if expected.case != case.hash {
            let reason = "recorded from another text: make record-artillery".to_owned();
            return Err(CaseError::Format { path, reason });
        }
        let mut differences = compare(case, &expected, &got);
        let is_only_time = differences.iter().all(|difference| difference.is_time);
        if is_only_time && !differences.is_empty() {
            let again = run_all(&vec![case.clone(); MEASURED_AGAIN], program, 1).await?;
            for got in again {
                let off = compare(case, &expected, &got);
                let is_off = |what: &str| off.iter().any(|difference| difference.what == what);
                differences.retain(|difference| is_off(&difference.what));
                differences.extend(off.iter().filter(|off| !off.is_time).cloned());
            }
        }
        all.push(differences);
    }
    Ok(all)
}
