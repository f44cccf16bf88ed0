//! Runs a binary on a script, in a folder and with a server of its own, and says what was seen.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use super::observation::Observation;
use super::pace::Waits;
use super::{CorpusError, Script, Signal, log, normalise, summary};
use crate::server::{Options, TestServer, TlsMaterial};

const SUMMARY: &str = "exported-summary.json";

/// The binary under test.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Path of the binary; `run` and the script's arguments are added.
    pub binary: PathBuf,
    /// Arguments right after `run`.
    pub arguments: Vec<String>,
    /// Folder of stand-ins for remote modules; for k6, which cannot fetch them here.
    pub stand_ins: Option<PathBuf>,
}

/// Strings of this run that mean nothing elsewhere, and what stands for them.
struct Places(Vec<(String, String)>);

impl Places {
    fn new(server: &TestServer, folder: &Path) -> Self {
        let mut places = vec![(folder.display().to_string(), "${DIR}".to_owned())];
        for (name, base) in server.bases().environment() {
            let host = base.split("//").nth(1).unwrap_or(base);
            let encoded: String = url::form_urlencoded::byte_serialize(base.as_bytes()).collect();
            places.push((base.to_owned(), format!("${{{name}}}")));
            places.push((encoded, format!("${{{name}}}")));
            places.push((
                host.to_owned(),
                format!("${{{}}}", name.replace("BASE", "HOST")),
            ));
        }
        Self(places)
    }

    fn hide(&self, text: &str) -> String {
        self.0
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }

    fn fill(&self, text: &str) -> String {
        self.0
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(to, from))
    }
}

/// Everything a run needs besides the subject.
pub struct Setting<'a> {
    /// Certificates shared by all runs.
    pub tls: &'a Arc<TlsMaterial>,
    /// An empty folder for this run.
    pub folder: &'a Path,
    /// How its server behaves.
    pub server: Options,
}

/// Runs `subject` on `script` and reports what was seen, normalised.
///
/// # Errors
/// When the run cannot be prepared or the binary cannot be started; what the binary does is never an error.
pub async fn run(
    script: &Script,
    subject: &Subject,
    setting: &Setting<'_>,
) -> Result<Observation, CorpusError> {
    let failed = |source| CorpusError::Start {
        script: script.name.clone(),
        binary: subject.binary.display().to_string(),
        source,
    };
    let server = TestServer::start(&setting.server, setting.tls)
        .await
        .map_err(failed)?;
    let work = setting.folder.join("work");
    let home = setting.folder.join("home");
    copy(&script.folder, &work)?;
    if let Some(stand_ins) = &subject.stand_ins {
        stand_in(stand_ins, &work)?;
    }
    for (name, from) in [
        ("client.pem", &setting.tls.client_certificate),
        ("client.key", &setting.tls.client_key),
        ("client-encrypted.key", &setting.tls.encrypted_key),
    ] {
        std::fs::copy(from, work.join(name)).map_err(|error| CorpusError::file(from, error))?;
    }
    let places = Places::new(&server, &work);
    prepare_home(script, &work, &home)?;

    let mut command = command(script, subject, setting.tls, &server, &places);
    command.current_dir(&work).env("HOME", &home);
    let mut child = command.spawn().map_err(failed)?;
    let waits = Arc::new(Mutex::new(Waits::default()));
    let reader = tokio::spawn(read_waits(child.id(), Arc::clone(&waits)));
    let watched = watch(&mut child, script, &work).await;
    reader.abort();
    let (exit, stdout, stderr) = watched.map_err(failed)?;

    let mut seen = Observation {
        exit,
        server: server.stats(),
        slowness: waits
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .slowness(),
        ..Observation::default()
    };
    read_logs(&stdout, &stderr, &places, &mut seen);
    read_texts(script, &stdout, &work, &places, &mut seen);
    read_summary(script, &work, &places, &mut seen);
    Ok(seen)
}

fn command(
    script: &Script,
    subject: &Subject,
    tls: &TlsMaterial,
    server: &TestServer,
    places: &Places,
) -> Command {
    let mut command = Command::new(&subject.binary);
    command
        .arg("run")
        .args(&subject.arguments)
        .args(arguments(script).iter().map(|text| places.fill(text)));
    command.env_clear();
    // TERM and colours would change the text; the language decides ours.
    command
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "en_US.UTF-8")
        .env("K6_NO_USAGE_REPORT", "true")
        // No run of these is looked at again.
        .env("LOADLINE_STORE", "off")
        // Our copies of the library's modules are what is compared.
        .env("LOADLINE_OFFLINE", "true");
    // An unknown module must not send k6 to a build service.
    command.env("K6_AUTO_EXTENSION_RESOLUTION", "false");
    for (name, base) in server.bases().environment() {
        command.env(name, base);
    }
    if script.directives.trusted {
        command.env("SSL_CERT_FILE", &tls.authority);
    }
    for (name, value) in &script.directives.env {
        command.env(name, places.fill(value));
    }
    command.stdin(if script.directives.stdin {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Arguments after `run`, with placeholders.
pub(super) fn arguments(script: &Script) -> Vec<String> {
    // Runs in parallel must not fight for k6's status port.
    let mut arguments = vec!["--address".to_owned(), String::new()];
    if !script.directives.plain {
        arguments.extend(["--summary-export".to_owned(), SUMMARY.to_owned()]);
    }
    arguments.extend(script.directives.args.iter().cloned());
    arguments.push(match &script.directives.target {
        _ if script.directives.stdin => "-".to_owned(),
        Some(target) => target.clone(),
        None => script.file.clone(),
    });
    arguments
}

fn copy(from: &Path, to: &Path) -> Result<(), CorpusError> {
    std::fs::create_dir_all(to).map_err(|error| CorpusError::file(to, error))?;
    for entry in std::fs::read_dir(from).map_err(|error| CorpusError::file(from, error))? {
        let path = entry
            .map_err(|error| CorpusError::file(from, error))?
            .path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).map_err(|error| CorpusError::file(&path, error))?;
        }
    }
    Ok(())
}

/// Remote modules that stand-ins replace, and the file of each.
pub(super) const STAND_INS: [(&str, &str); 2] = [
    ("https://jslib.k6.io/k6-utils/", "k6-utils.js"),
    ("https://jslib.k6.io/k6-summary/", "k6-summary.js"),
];

/// Points imports of remote modules at local files.
fn stand_in(stand_ins: &Path, work: &Path) -> Result<(), CorpusError> {
    copy(stand_ins, &work.join("stand-ins"))?;
    for entry in std::fs::read_dir(work).map_err(|error| CorpusError::file(work, error))? {
        let path = entry
            .map_err(|error| CorpusError::file(work, error))?
            .path();
        if !path
            .extension()
            .is_some_and(|extension| extension == "js" || extension == "ts")
        {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let mut changed = source.clone();
        for (prefix, file) in STAND_INS {
            while let Some(start) = changed.find(prefix) {
                let rest = &changed[start..];
                let end = start + rest.find(['\'', '"']).unwrap_or(rest.len());
                changed.replace_range(start..end, &format!("./stand-ins/{file}"));
            }
        }
        if changed != source {
            std::fs::write(&path, changed).map_err(|error| CorpusError::file(&path, error))?;
        }
    }
    Ok(())
}

fn prepare_home(script: &Script, work: &Path, home: &Path) -> Result<(), CorpusError> {
    let config = home.join(".config/k6");
    std::fs::create_dir_all(&config).map_err(|error| CorpusError::file(&config, error))?;
    if let Some(name) = &script.directives.home_config {
        let from = work.join(name);
        std::fs::copy(&from, config.join("config.json"))
            .map_err(|error| CorpusError::file(&from, error))?;
    }
    Ok(())
}

/// How often the kernel is asked how long the program waited for a core.
const WAITS_READ: Duration = Duration::from_millis(20);

async fn read_waits(process: Option<u32>, waits: Arc<Mutex<Waits>>) {
    while let Some(process) = process {
        waits
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .read(process);
        tokio::time::sleep(WAITS_READ).await;
    }
}

/// Waits for the end; sends the signals asked for; kills what outlives its limit (exit -1).
async fn watch(
    child: &mut Child,
    script: &Script,
    work: &Path,
) -> std::io::Result<(i32, Vec<String>, Vec<String>)> {
    if let Some(mut stdin) = child.stdin.take() {
        let source = std::fs::read(work.join(&script.file))?;
        tokio::spawn(async move {
            // A binary that does not read its input closes the pipe; that shows in its result.
            let _closed = stdin.write_all(&source).await;
        });
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    let stdout = child
        .stdout
        .take()
        .map(|pipe| tokio::spawn(lines(pipe, sender.clone())));
    let stderr = child
        .stderr
        .take()
        .map(|pipe| tokio::spawn(lines(pipe, sender)));
    let signals = tokio::spawn(send_signals(
        script.directives.signals.clone(),
        child.id(),
        receiver,
    ));
    let exit = match tokio::time::timeout(script.directives.limit, child.wait()).await {
        Ok(status) => status?.code().unwrap_or(-1),
        Err(_elapsed) => {
            child.kill().await?;
            -1
        }
    };
    signals.abort();
    let mut texts = [Vec::new(), Vec::new()];
    for (text, task) in texts.iter_mut().zip([stdout, stderr]) {
        if let Some(task) = task {
            *text = task.await.map_err(std::io::Error::other)?;
        }
    }
    let [stdout, stderr] = texts;
    Ok((exit, stdout, stderr))
}

async fn lines(pipe: impl AsyncRead + Unpin, sender: mpsc::UnboundedSender<String>) -> Vec<String> {
    let mut reader = BufReader::new(pipe);
    let mut all = Vec::new();
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .await
        .is_ok_and(|count| count > 0)
    {
        let text = String::from_utf8_lossy(&line)
            .trim_end_matches(['\n', '\r'])
            .to_owned();
        // Nobody listens once all signals are sent.
        let _unheard = sender.send(text.clone());
        all.push(text);
        line.clear();
    }
    all
}

async fn send_signals(
    signals: Vec<Signal>,
    process: Option<u32>,
    mut lines: mpsc::UnboundedReceiver<String>,
) {
    let Some(process) = process.and_then(|id| i32::try_from(id).ok()) else {
        return;
    };
    for signal in signals {
        while let Some(line) = lines.recv().await {
            if line.contains(&signal.trigger) {
                tokio::time::sleep(signal.after).await;
                kill(process, signal.number);
                break;
            }
        }
    }
}

#[expect(unsafe_code, reason = "the standard library cannot send SIGINT")]
fn kill(process: i32, signal: i32) {
    // SAFETY: kill takes two integers and touches no memory of ours; a process that has ended gives an error.
    let _gone = unsafe { libc::kill(process, signal) };
}

fn read_logs(stdout: &[String], stderr: &[String], places: &Places, seen: &mut Observation) {
    let from_stdout = stdout
        .iter()
        .filter(|line| line.starts_with("time=") || line.starts_with("{\"level"));
    for line in stderr
        .iter()
        .chain(from_stdout)
        // What loadline adds is no line of k6's log.
        .filter(|line| !line.is_empty() && !line.starts_with("loadline: "))
    {
        let mut parsed = log::parse(line);
        parsed.line.text = normalise::text(&places.hide(&parsed.line.text));
        if parsed.console {
            &mut seen.console
        } else {
            &mut seen.log
        }
        .push(parsed.line);
    }
    let vus = |line: &String| {
        line.split(" max VUs")
            .next()?
            .rsplit(' ')
            .next()?
            .parse()
            .ok()
    };
    seen.max_vus = stdout
        .iter()
        .filter(|line| line.contains(" max VUs"))
        .find_map(vus);
}

fn read_texts(
    script: &Script,
    stdout: &[String],
    work: &Path,
    places: &Places,
    seen: &mut Observation,
) {
    if script.directives.summary_text {
        let text = stdout
            .iter()
            .skip_while(|line| !line.contains('█'))
            .take_while(|line| !line.starts_with("running ("));
        let lines = text.filter_map(|line| normalise::summary_line(&places.hide(line)));
        let mut lines: Vec<String> = lines.collect();
        lines.truncate(
            lines
                .iter()
                .rposition(|line| !line.is_empty())
                .map_or(0, |last| last + 1),
        );
        seen.texts.insert("summary-text".to_owned(), lines);
    }
    for expression in &script.directives.stdout {
        let Ok(expression) = regex::Regex::new(expression) else {
            continue;
        };
        let matching = stdout.iter().filter(|line| expression.is_match(line));
        let lines = matching
            .map(|line| normalise::text(&places.hide(line)))
            .collect();
        seen.texts.insert(format!("stdout {expression}"), lines);
    }
    for name in &script.directives.files {
        let lines = match std::fs::read(work.join(name)) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                text.lines()
                    .map(|line| normalise::text(&places.hide(line)))
                    .collect()
            }
            Err(_) => vec!["(no such file)".to_owned()],
        };
        seen.texts.insert(format!("file {name}"), lines);
    }
}

fn read_summary(script: &Script, work: &Path, places: &Places, seen: &mut Observation) {
    let own = script
        .directives
        .args
        .iter()
        .position(|argument| argument == "--summary-export");
    let name = own
        .and_then(|index| script.directives.args.get(index + 1))
        .map_or(SUMMARY, String::as_str);
    let text = std::fs::read_to_string(work.join(name)).unwrap_or_default();
    if let Ok(value) = serde_json::from_str(&text) {
        summary::read(&value, &|name| places.hide(name), seen);
    }
}
